/**
 * Marks: what the picture brings out of a selection, routes and their ends, and how that is painted
 * over the cables, which step back.
 */
import type { Lit } from '../../server/drawing/lit.ts';
import { markedOpacity, markedRoom, markedWidth, veil, weighWays, type Marks } from '../../server/drawing/marks.ts';
import { type Scene, stubFlag } from '../../server/drawing/scene.ts';
import { isTick, laneOf, pointOn } from '../../server/drawing/strokes.ts';
import type { LinkShare, TaskOfJob } from '../../server/protocol/messages.ts';
import type { Theme } from '../page/theme.ts';
import { bowTo } from './paintLinks.ts';
import { scenePlaces } from './places.ts';
import type { Selected, Selection } from './selection.ts';
import { nodePixels, showsFramedNodes, showsLanes, type Viewport } from './viewport.ts';

/** Of what is selected; of a link's flows or a node's partners all, or only those of these numbers. undefined: nothing is. */
export function selectionMarks(scene: Scene, selection: Selection, only?: readonly number[]): Marks | undefined {
  if (selection.kind === 'none') return undefined;
  if (selection.kind === 'node') return marksOfNode(scene, selection, only);
  const { target, answer } = selection;
  const ends = target.kind === 'tasks' ? [target.from, target.to] : [];
  if (answer?.kind === 'routes') return marks(scene, [{ weight: 1, route: answer.route }], ends);
  const asked = target.kind === 'link' ? [{ weight: 1, route: [{ link: target.link, share: 1 }] }] : [];
  if (answer?.kind !== 'flows') return marks(scene, asked, ends);
  const flows = only === undefined ? answer.flows : only.map((flow) => answer.flows[flow]!);
  // One flow alone is as strong as can be; several of them as strong as their share of all that is shown.
  const whole = only === undefined ? 1 : flows.reduce((sum, { share }) => sum + share, 0) || 1;
  const weights = flows.map(({ share, route }) => ({ weight: share / whole, route }));
  return marks(
    scene,
    [...asked, ...weights],
    flows.flatMap(({ from, to }) => [from, to]),
  );
}

/** Only the cables that these marks are on are painted. */
export function keptAlone(marks: Marks): Marks {
  let most = 0;
  for (const link of marks.links.keys()) most = Math.max(most, link);
  const kept = new Uint8Array(most + 1);
  for (const link of marks.links.keys()) kept[link] = 1;
  return { ...marks, kept };
}

/** Its partners, each as strong as what is exchanged with it. */
function marksOfNode(
  scene: Scene,
  { node, answer }: Extract<Selection, { kind: 'node' }>,
  only: readonly number[] | undefined,
): Marks {
  const places = scenePlaces(scene);
  const own = places.nodeNumbered(node) ?? 0;
  if (answer?.kind !== 'partners') return { links: new Map(), nodes: new Set([own]) };
  const partners = only === undefined ? answer.partners : only.map((each) => answer.partners[each]!);
  const most = partners.reduce((bytes, { sent, received }) => Math.max(bytes, sent + received), 1);
  const routes = partners.map(({ sent, received, route }) => ({ weight: (sent + received) / most, route }));
  const drawn = marks(scene, routes, []);
  const ends = partners.flatMap((partner) => places.nodeNumbered(partner.node) ?? []);
  return { links: drawn.links, nodes: new Set([own, ...ends]) };
}

function marks(
  scene: Scene,
  routes: readonly { readonly weight: number; readonly route: readonly LinkShare[] }[],
  ends: readonly TaskOfJob[],
): Marks {
  const places = scenePlaces(scene);
  return { links: weighWays(routes), nodes: new Set(ends.flatMap((task) => places.node(task) ?? [])) };
}

/** What the new picture still shows of the selection; a task may have moved to another node. */
export function stillShown(scene: Scene, selected: Selected): Selected | undefined {
  const places = scenePlaces(scene);
  if (selected.kind === 'node') {
    const entry = selected.task === undefined ? places.nodeNumbered(selected.node) : places.node(selected.task);
    const node = scene.nodes.id[entry ?? -1];
    return node === undefined ? undefined : { ...selected, node };
  }
  const { target } = selected;
  const isShown =
    target.kind === 'link'
      ? places.link(target.link) !== undefined
      : places.node(target.from) !== undefined && places.node(target.to) !== undefined;
  return isShown ? selected : undefined;
}

/** Whether what the cursor of the text stands on is just what is selected. */
export function isSelected(scene: Scene, selection: Selection, { nodes, links }: Lit): boolean {
  const places = scenePlaces(scene);
  if (selection.kind === 'node') return nodes.length === 1 && nodes[0] === places.nodeNumbered(selection.node);
  if (selection.kind === 'none' || selection.target.kind !== 'link') return false;
  return nodes.length === 0 && links.length > 0 && links[0] === places.link(selection.target.link)?.entry;
}

/** Cables step back behind the routes. */
export function paintVeil(context: CanvasRenderingContext2D, view: Viewport, theme: Theme): void {
  context.globalAlpha = veil;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, view.width, view.height);
  context.globalAlpha = 1;
}

/**
 * Marked links, each in its lane, as wide and strong as its share; `ticks`: those inside frames,
 * which come in front of them.
 */
export function paintRoutes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  marks: Marks,
  view: Viewport,
  theme: Theme,
  ticks: boolean,
): void {
  const places = scenePlaces(scene);
  const room = markedRoom(nodePixels(scene, view.scale));
  context.lineCap = 'round';
  for (const [link, weight] of marks.links) {
    const place = places.link(link);
    if (place === undefined || isTick(scene, place.entry) !== ticks) continue;
    const last = (scene.links.flags[place.entry]! & stubFlag) === 0 ? place.entry : place.entry + 1;
    for (let entry = place.entry; entry <= last; entry++) {
      paintMarkedLine(context, laneInPixels(scene, entry, place.forward, view), weight, room, theme);
    }
  }
  context.globalAlpha = 1;
  context.lineCap = 'butt';
}

/** The line of one direction of a cable in pixels, from its start to its end, and how far it bows out. */
type Lane = readonly [x1: number, y1: number, x2: number, y2: number, bend: number];

function paintMarkedLine(
  context: CanvasRenderingContext2D,
  lane: Lane,
  weight: number,
  room: number,
  theme: Theme,
): void {
  const [x1, y1, x2, y2] = lane;
  context.beginPath();
  context.moveTo(x1, y1);
  bowTo(context, ...lane);
  context.globalAlpha = markedOpacity(weight);
  context.strokeStyle = theme.focus;
  context.lineWidth = markedWidth(weight) * room;
  context.stroke();
  if (Math.hypot(x2 - x1, y2 - y1) >= leastArrowed) paintArrowhead(context, lane, context.lineWidth, theme);
}

function laneInPixels(scene: Scene, entry: number, forward: boolean, { scale, x, y }: Viewport): Lane {
  const lane = laneOf(scene, entry, forward, showsLanes(scene, scale));
  return [lane.x1 * scale + x, lane.y1 * scale + y, lane.x2 * scale + x, lane.y2 * scale + y, lane.bend * scale];
}

/** Lines shorter than this many pixels have no room for a direction. */
const leastArrowed = 36;

/** A filled triangle near the middle of the line that tells its direction. */
function paintArrowhead(context: CanvasRenderingContext2D, lane: Lane, width: number, theme: Theme): void {
  const [x1, y1, x2, y2] = lane;
  const [x, y] = pointOn(...lane, 0.55);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const reach = 3 + width;
  const [dx, dy] = [((x2 - x1) / length) * reach, ((y2 - y1) / length) * reach];
  context.beginPath();
  context.moveTo(x + dx, y + dy);
  context.lineTo(x - dx - dy, y - dy + dx);
  context.lineTo(x - dx + dy, y - dy - dx);
  context.closePath();
  context.fillStyle = theme.focus;
  context.globalAlpha = 1;
  context.fill();
}

/** A ring round each node at which flows begin or end; round its switch where nodes are too small. */
export function paintEnds(
  context: CanvasRenderingContext2D,
  scene: Scene,
  marks: Marks,
  view: Viewport,
  theme: Theme,
): void {
  context.strokeStyle = theme.focus;
  context.lineWidth = 2.5;
  context.beginPath();
  outlineNodes(context, scene, marks.nodes, view);
  context.stroke();
}

/** A square round each node; round its switch where nodes are too small. */
export function outlineNodes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  entries: Iterable<number>,
  view: Viewport,
): void {
  const { nodes, routers } = scene;
  const nodesShow = showsFramedNodes(scene, view.scale);
  for (const entry of entries) {
    const router = nodes.router[entry];
    const hidden = router !== undefined && routers.framed[router] === 1 && !nodesShow;
    const [things, place] = hidden ? [routers, router] : [nodes, entry];
    const half = things.size[place]! * view.scale + 2;
    context.rect(
      things.x[place]! * view.scale + view.x - half,
      things.y[place]! * view.scale + view.y - half,
      2 * half,
      2 * half,
    );
  }
}
