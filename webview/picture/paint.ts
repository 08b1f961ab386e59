/**
 * Paints a scene on a canvas, from the back to the front: areas, cables (`paintLinks.ts`), what is marked (`marks.ts`),
 * switches, nodes. Here are the order, the areas, the switches and the nodes.
 */
import { outsideNames, sideOfName, type OutsideName } from '../../server/drawing/areaNames.ts';
import { readableOn } from '../../server/drawing/colors.ts';
import { nodeInside, showsCores, tasksOnCores } from '../../server/drawing/cores.ts';
import { arrowOpacity, arrowShape } from '../../server/drawing/difference.ts';
import {
  labelledFrom,
  isPartlyUsed,
  labelLines,
  nodeLabels,
  patchOf,
  textInCore,
  usedShare,
  type RouterShares,
} from '../../server/drawing/labels.ts';
import {
  frameContent,
  frameCorner,
  labelSizeOnScreen,
  leastText,
  railMark,
  routerLabelOf,
  showsRails,
} from '../../server/drawing/routers.ts';
import type { Marks } from '../../server/drawing/marks.ts';
import type { Scene, SceneDifference, SceneNodes } from '../../server/drawing/scene.ts';
import { crossed, isCableKept, isTick, outlinedFrom } from '../../server/drawing/strokes.ts';
import { groupedBy, type Groups } from '../../server/numeric/grouping.ts';
import type { Theme } from '../page/theme.ts';
import { sharesOf } from './describeThing.ts';
import { paintEnds, paintRoutes, paintVeil } from './marks.ts';
import { bowTo, paintArrows, paintLinks } from './paintLinks.ts';
import { isInView, isLineInView, nodePixels, showsFramedNodes, showsTicks, type Viewport } from './viewport.ts';

/**
 * Paints a scene on a 2D canvas, the whole picture on the theme's background. What cannot be seen
 * is not painted: things outside the view, and below a few pixels the lanes, outlines, dashes,
 * labels and the nodes inside frames. `marks` come out, all other cables step back; so does everything
 * but `plane`, one plane of the scene. O(nodes + routers + links).
 */
export function paintScene(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  theme: Theme,
  marks?: Marks,
  plane?: Scene,
): void {
  const kept = marks?.kept;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, view.width, view.height);
  paintAreas(context, scene, view, theme);
  paintLinks(context, scene, view, theme, 'cables', kept);
  if (scene.routers.id.length > 0) paintArrows(context, scene, view, theme, kept);
  paintAreaLabels(context, scene, view, theme);
  if (marks !== undefined && marks.links.size > 0) {
    paintVeil(context, view, theme);
    paintRoutes(context, scene, marks, view, theme, false);
  }
  if (scene.routers.id.length > 0) {
    paintRouters(context, scene, view, theme);
    paintRouterLabels(context, scene, view, theme);
    if (showsTicks(scene, view.scale)) {
      paintLinks(context, scene, view, theme, 'ticks', kept);
      if (marks !== undefined) paintRoutes(context, scene, marks, view, theme, true);
    }
  }
  if (scene.difference !== undefined) paintMoves(context, scene, scene.difference, view, theme);
  paintNodes(context, scene, view, theme);
  if (scene.rails !== undefined) paintRails(context, scene, view, theme, kept);
  paintLabels(context, scene, view, theme);
  if (plane !== undefined) {
    paintVeil(context, view, theme);
    if (scene.projection === 'slices') paintAreas(context, plane, view, theme);
    paintLinks(context, plane, view, theme, 'cables', kept);
    paintAreaLabels(context, plane, view, theme);
    if (marks !== undefined) paintRoutes(context, scene, marks, view, theme, false);
    if (plane.difference !== undefined) paintMoves(context, plane, plane.difference, view, theme);
    paintNodes(context, plane, view, theme);
    paintLabels(context, plane, view, theme);
  }
  if (marks !== undefined) paintEnds(context, scene, marks, view, theme);
}

/** Pixels of the thinnest and the widest arrow, and of the background that shows on either side of it. */
const thinnestArrow = 0.75;
const widestArrow = 5;
const arrowHalo = 1;

/** Arrows from the nodes that tasks ran on to those that they run on, in front of all but the nodes. */
function paintMoves(
  context: CanvasRenderingContext2D,
  scene: Scene,
  difference: SceneDifference,
  view: Viewport,
  theme: Theme,
): void {
  const { scale, x, y } = view;
  context.globalAlpha = arrowOpacity(difference);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (let arrow = 0; arrow < difference.arrows.from.length; arrow++) {
    const shape = arrowShape(scene, arrow);
    if (shape === undefined) continue;
    const [x1, y1, x2, y2] = [shape.x1 * scale + x, shape.y1 * scale + y, shape.x2 * scale + x, shape.y2 * scale + y];
    const out = shape.bend * scale;
    if (!isLineInView(view, x1, y1, x2, y2, out)) continue;
    const width = Math.min(widestArrow, Math.max(thinnestArrow, shape.width * scale));
    const head = new Path2D();
    for (const [cornerX, cornerY] of shape.head) head.lineTo(cornerX * scale + x, cornerY * scale + y);
    head.closePath();
    context.beginPath();
    context.moveTo(x1, y1);
    bowTo(context, x1, y1, x2, y2, out);
    context.strokeStyle = theme.background;
    context.lineWidth = width + 2 * arrowHalo;
    context.stroke();
    context.lineWidth = 2 * arrowHalo;
    context.stroke(head);
    context.strokeStyle = theme.foreground;
    context.lineWidth = width;
    context.stroke();
    context.fillStyle = theme.foreground;
    context.fill(head);
  }
  context.globalAlpha = 1;
  context.lineCap = 'butt';
  context.lineJoin = 'miter';
}

/** Levels, pods and groups, behind everything. */
function paintAreas(context: CanvasRenderingContext2D, { areas }: Scene, view: Viewport, theme: Theme): void {
  context.fillStyle = theme.area;
  for (const area of areas) {
    const [left, top] = [area.left * view.scale + view.x, area.top * view.scale + view.y];
    const [width, height] = [(area.right - area.left) * view.scale, (area.bottom - area.top) * view.scale];
    if (!isInView(view, left, top, left + width, top + height)) continue;
    context.beginPath();
    if (area.round) context.ellipse(left + width / 2, top + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
    else context.roundRect(left, top, width, height, 6);
    context.fill();
  }
}

/** Pixels of the names of areas. */
const areaText = 11;

/** Pixels of a round patch from which on it has its name. */
const namedFrom = 70;
/** The canvas's words for the sides of a place on which text stands. */
const alignments = { left: 'right', middle: 'center', right: 'left' } as const;

/** The names of areas outside of them that are painted at a scale, for who makes room. */
export const paintedNames = (scene: Scene): ((scale: number) => readonly OutsideName[]) => {
  const names = outsideNames(scene);
  return (scale) => names.filter(({ width }) => width * scale >= namedFrom);
};

/** Names of areas, in front of the cables, where the patch is large enough. */
function paintAreaLabels(context: CanvasRenderingContext2D, { areas }: Scene, view: Viewport, theme: Theme): void {
  context.fillStyle = theme.faint;
  context.strokeStyle = theme.area;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.textBaseline = 'top';
  for (const { left, top, right, bottom, round, label, labelRoom, labelAt } of areas) {
    if (label === '' || (bottom - top) * view.scale < 2 * areaText) continue;
    const size = labelRoom === undefined ? areaText : Math.min(areaText, 0.8 * labelRoom * view.scale);
    if (size < leastText) continue;
    context.font = `${size}px ${theme.font}`;
    if (round && (right - left) * view.scale < namedFrom) continue;
    if (labelAt !== undefined) {
      context.textAlign = alignments[sideOfName(labelAt)];
      context.fillText(label, labelAt.x * view.scale + view.x, labelAt.y * view.scale + view.y - size / 2);
      continue;
    }
    context.textAlign = round ? 'center' : 'left';
    const x = (round ? (left + right) / 2 : left) * view.scale + view.x + (round ? 0 : 6);
    const y = top * view.scale + view.y + (size < areaText ? 1 : 4);
    context.strokeText(label, x, y);
    context.fillText(label, x, y);
  }
}

/** Half the side in pixels from which frames have rounded corners. */
const roundedFramesFrom = 8;

/** Frames and discs; a frame whose nodes are too small to be drawn is tinted with their jobs. */
function paintRouters(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const { routers } = scene;
  if (routers.id.length === 0) return;
  const tints = showsFramedNodes(scene, view.scale) ? undefined : sharesOf(scene);
  const line = Math.min(1.5, Math.max(0.4, nodePixels(scene, view.scale) * 0.09));
  for (let entry = 0; entry < routers.id.length; entry++) {
    const half = routers.size[entry]! * view.scale;
    const [x, y] = [routers.x[entry]! * view.scale + view.x, routers.y[entry]! * view.scale + view.y];
    if (!isInView(view, x - half, y - half, x + half, y + half)) continue;
    context.beginPath();
    if (routers.framed[entry] === 0) context.arc(x, y, half, 0, 2 * Math.PI);
    else if (half >= roundedFramesFrom)
      context.roundRect(x - half, y - half, 2 * half, 2 * half, frameCorner * view.scale);
    else context.rect(x - half, y - half, 2 * half, 2 * half);
    context.fillStyle = theme.router;
    context.fill();
    if (tints !== undefined && routers.framed[entry] === 1)
      tintFrame(context, scene, entry, tints[entry]!, view, theme);
    context.strokeStyle = theme.routerOutline;
    context.lineWidth = routers.isRoot[entry] === 1 ? 3 * line : line;
    context.stroke();
  }
}

/** A stripe for every job, as wide as its share of the nodes. */
function tintFrame(
  context: CanvasRenderingContext2D,
  scene: Scene,
  entry: number,
  shares: RouterShares,
  view: Viewport,
  theme: Theme,
): void {
  const content = frameContent(scene, entry);
  const [left, top] = [content.x * view.scale + view.x, content.y * view.scale + view.y];
  const [width, height] = [content.width * view.scale, content.height * view.scale];
  const nodes = shares.reduce((sum, share) => sum + share.nodes, 0);
  let before = 0;
  for (const { job, nodes: own } of shares) {
    context.fillStyle = job < 0 ? theme.freeNode : scene.jobs[job]!.color;
    context.fillRect(left + (width * before) / nodes, top, (width * own) / nodes, height);
    before += own;
  }
}

/** Numbers or names of the routers, where they are large enough. */
function paintRouterLabels(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = theme.foreground;
  context.strokeStyle = theme.router;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  for (let entry = 0; entry < scene.routers.id.length; entry++) {
    const label = routerLabelOf(scene, entry);
    const size = labelSizeOnScreen(scene, entry, label, view.scale);
    const [x, y] = [label.x * view.scale + view.x, label.y * view.scale + view.y];
    if (size === 0 || !isInView(view, x - 60, y - size, x + 60, y + size)) continue;
    context.font = `${size}px ${theme.font}`;
    // Above a disc it may stand in front of cables, and in a small frame in front of nodes.
    if (scene.routers.framed[entry] === 0 || size > label.size * view.scale) context.strokeText(label.text, x, y);
    context.fillText(label.text, x, y);
  }
}

/** The numbers of rails on their links, where they are large enough. */
function paintRails(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  theme: Theme,
  kept?: Uint8Array,
): void {
  if (!showsRails(scene, view.scale)) return;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 2.5;
  context.fillStyle = theme.foreground;
  for (let link = 0; link < scene.links.from.length; link++) {
    const mark = isCableKept(scene, link, kept) ? railMark(scene, link) : undefined;
    if (mark === undefined) continue;
    const [x, y, size] = [mark.x * view.scale + view.x, mark.y * view.scale + view.y, mark.size * view.scale];
    if (size < leastText || !isInView(view, x - size, y - size, x + size, y + size)) continue;
    context.font = `${size}px ${theme.font}`;
    context.strokeStyle = isTick(scene, link) ? theme.router : theme.background;
    context.strokeText(mark.text, x, y);
    context.fillText(mark.text, x, y);
  }
}

/** Half the side in pixels from which nodes have rounded corners. */
const roundedNodesFrom = 7;

/** Squares in the colours of their jobs; inside those that are large enough their sockets and cores. */
function paintNodes(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  // Without its outline a free node would be lost on the background.
  const outlined = nodePixels(scene, view.scale) >= outlinedFrom;
  const freeFill = outlined ? theme.freeNode : theme.unusedLink;
  const { start, members } = nodesByJob(scene);
  for (let job = -1; job < scene.jobs.length; job++) {
    const fill = job < 0 ? freeFill : scene.jobs[job]!.color;
    const own = members.subarray(start[job + 1], start[job + 2]);
    const paint = (_entry: number, x: number, y: number, half: number): void => {
      if (half >= roundedNodesFrom) paintRoundedNode(context, x, y, half, fill, theme.nodeOutline);
      else paintSmallNode(context, x, y, half, fill, theme);
    };
    forEachVisibleNode(scene, view, paint, own);
  }
  paintUnused(context, scene, view, freeFill);
  paintCrosses(context, scene, view, theme);
  paintCores(context, scene, view, theme);
}

const knownJobs = new WeakMap<SceneNodes, Groups>();

/** Entries of nodes by their jobs, free ones first. O(nodes), once for a picture. */
function nodesByJob({ nodes, jobs }: Scene): Groups {
  const known =
    knownJobs.get(nodes) ??
    groupedBy(
      nodes.job.map((job) => job + 1),
      jobs.length + 1,
    );
  knownJobs.set(nodes, known);
  return known;
}

/** What of a block is not in use, its upper part. */
function paintUnused(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, fill: string): void {
  const { blocks } = scene;
  if (blocks === undefined) return;
  context.fillStyle = fill;
  forEachVisibleNode(scene, view, (entry, x, y, half) => {
    if (!isPartlyUsed(blocks, entry)) return;
    context.fillRect(x - half, y - half, 2 * half, 2 * half * (1 - usedShare(blocks, entry)));
  });
}

/** A cross over each node that does not work and is drawn. */
function paintCrosses(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const { broken } = scene.nodes;
  if (broken === undefined || broken.length === 0) return;
  const entries = new Set(broken);
  context.beginPath();
  forEachVisibleNode(scene, view, (entry, x, y, half) => {
    if (!entries.has(entry)) return;
    const reach = half * crossed;
    context.moveTo(x - reach, y - reach);
    context.lineTo(x + reach, y + reach);
    context.moveTo(x - reach, y + reach);
    context.lineTo(x + reach, y - reach);
  });
  context.strokeStyle = theme.foreground;
  context.lineWidth = Math.max(0.5, nodePixels(scene, view.scale) * 0.12);
  context.stroke();
}

/** Sockets and cores inside the nodes that have room for them, cores in the colours of their jobs. */
function paintCores(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const inside = nodeInside(scene);
  context.lineWidth = 0.75;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  forEachVisibleNode(scene, view, (entry, x, y, half) => {
    if (!showsCores(inside, half)) return;
    context.strokeStyle = theme.nodeOutline;
    for (const { left, top, width, height } of inside.sockets) {
      context.fillStyle = theme.router;
      context.fillRect(x + left * half, y + top * half, width * half, height * half);
      context.strokeRect(x + left * half, y + top * half, width * half, height * half);
    }
    const tasks = tasksOnCores(scene, entry);
    inside.cores.forEach((core, index) => {
      const job = scene.nodes.taskJob[tasks[index]!];
      const size = core.half * half;
      const [coreX, coreY] = [x + core.x * half, y + core.y * half];
      context.fillStyle = job === undefined ? theme.freeNode : scene.jobs[job]!.color;
      context.fillRect(coreX - size, coreY - size, 2 * size, 2 * size);
      if (size >= outlinedFrom) context.strokeRect(coreX - size, coreY - size, 2 * size, 2 * size);
      if (job === undefined || scene.labels !== 'task') return;
      context.fillStyle = readableOn(scene.jobs[job]!.color);
      const text = `${scene.nodes.task[tasks[index]!]!}`;
      const letters = textInCore(text, size);
      if (letters === 0) return;
      context.font = `${letters}px ${theme.font}`;
      context.fillText(text, coreX, coreY + letters * 0.06);
    });
  });
}

/** Filled squares only: thousands of them are quick. */
function paintSmallNode(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  half: number,
  fill: string,
  theme: Theme,
): void {
  let inner = half;
  if (half >= outlinedFrom) {
    context.fillStyle = theme.nodeOutline;
    context.fillRect(x - half, y - half, 2 * half, 2 * half);
    inner = half - 0.75;
  }
  context.fillStyle = fill;
  context.fillRect(x - inner, y - inner, 2 * inner, 2 * inner);
}

function paintRoundedNode(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  half: number,
  fill: string,
  outline: string,
): void {
  context.beginPath();
  context.roundRect(x - half, y - half, 2 * half, 2 * half, half * 0.2);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = outline;
  context.lineWidth = 1;
  context.stroke();
}

/** What stands in the nodes that have room for it; over cores, which show their tasks themselves, on a patch. */
function paintLabels(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const inside = nodeInside(scene);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  forEachVisibleNode(scene, view, (entry, x, y, half) => {
    if (half < labelledFrom) return;
    const job = scene.nodes.job[entry]!;
    const onCores = showsCores(inside, half);
    if (onCores && scene.labels === 'task') return;
    const labels = nodeLabels(scene, entry);
    for (const line of labelLines(onCores ? { ...labels, small: '' } : labels, half)) {
      if (onCores) {
        const patch = patchOf(line);
        context.globalAlpha = 0.85;
        context.fillStyle = theme.background;
        context.fillRect(x + patch.x, y + patch.y, patch.width, patch.height);
        context.globalAlpha = 1;
      }
      context.font = `${line.size}px ${theme.font}`;
      context.fillStyle = onCores || job < 0 ? theme.foreground : readableOn(scene.jobs[job]!.color);
      context.fillText(line.text, x, y + line.drop + line.size * 0.06);
    }
  });
}

/** Calls with the centre and half side in pixels of each node that is drawn and in view, far ones first; of `entries` alone. */
function forEachVisibleNode(
  scene: Scene,
  view: Viewport,
  visit: (entry: number, x: number, y: number, half: number) => void,
  entries?: Int32Array,
): void {
  const { nodes, routers } = scene;
  const framedToo = showsFramedNodes(scene, view.scale) || nodes.router.length === 0;
  const count = (entries ?? nodes.id).length;
  for (let place = 0; place < count; place++) {
    const entry = entries === undefined ? place : entries[place]!;
    if (!framedToo && routers.framed[nodes.router[entry]!] === 1) continue;
    const half = nodes.size[entry]! * view.scale;
    const x = nodes.x[entry]! * view.scale + view.x;
    const y = nodes.y[entry]! * view.scale + view.y;
    if (isInView(view, x - half, y - half, x + half, y + half)) visit(entry, x, y, half);
  }
}
