/**
 * A thing of the picture (node, switch or link) in words, and what stands for it elsewhere: its place in the text, its
 * link.
 */
import { changeWords, figureChange } from '../server/drawing/difference.ts';
import {
  coordinateLabel,
  rankLabel,
  routerName,
  shareLines,
  taskLines,
  routerShares,
  type RouterShares,
  formatBytes,
  formatShare,
  countOf,
} from '../server/drawing/labels.ts';
import { hostFlag, hotFlag, stubFlag, upFlag, type MachineAbout, type Scene } from '../server/drawing/scene.ts';
import type { FromPanel } from '../server/protocol/panel.ts';
import type { Thing } from './pick.ts';
import { linkEndNames, placesOf } from './places.ts';
import type { Selected } from './selection.ts';

/** What the panel asks the host to reveal. */
export type Target = Extract<FromPanel, { kind: 'reveal' }>['target'];

/** A headline and lines for the tooltip. */
export interface ThingText {
  readonly headline: string;
  readonly lines: readonly string[];
}

/** Long lists of tasks are cut in a tooltip; the table has them all. */
const longestLine = 60;

export function describeThing(scene: Scene, thing: Thing): ThingText {
  switch (thing.kind) {
    case 'node':
      return describeNode(scene, thing.entry, thing.place);
    case 'router':
      return describeRouter(scene, thing.entry);
    case 'link':
      return describeLink(scene, thing.link);
  }
}

function describeNode(scene: Scene, entry: number, place: number | undefined): ThingText {
  const { nodes } = scene;
  const router = nodes.router[entry];
  if (scene.about !== undefined) return { headline: nodeTitle(scene, entry), lines: nodeFacts(scene, scene.about, entry).map(([name, value]) => `${name}: ${value}`) }; // prettier-ignore
  const lines = taskLines(scene, entry).map((line) =>
    line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line,
  );
  if (lines.length === 0) lines.push('runs no task');
  if (place !== undefined) lines.unshift(coreLine(scene, place));
  if (router !== undefined) lines.push(`on ${routerName(scene, router)}`);
  const [sent, received] = [nodes.sent[entry]!, nodes.received[entry]!];
  if (sent + received > 0) lines.push(`sends ${formatBytes(sent)}, receives ${formatBytes(received)}`);
  return { headline: nodeTitle(scene, entry), lines };
}

/** Of a node of a machine by itself: where it hangs, or how many cables it has. */
export function nodeFacts(scene: Scene, about: MachineAbout, entry: number): readonly (readonly [string, string])[] {
  const { nodes, routers } = scene;
  const router = nodes.router[entry];
  const number = nodes.id[entry]!;
  if (router !== undefined) return [['node', `${number}`], ['on', routerName(scene, router)]]; // prettier-ignore
  const degree = about.degreeOf[routers.id.length > 0 ? 0 : Math.floor(number / Math.max(1, nodes.perRouter))];
  return [['cables', `${degree ?? 0}`]];
}

/** Of a switch of a machine by itself. */
function switchFacts(about: MachineAbout, router: number): readonly string[] {
  const spare = about.sparePorts[router] ?? -1;
  return [
    `${countOf(about.degreeOf[router] ?? 0, 'cable')} to other switches`,
    ...(spare < 0 ? [] : [countOf(spare, 'spare port')]),
  ];
}

/** Of a link of a machine by itself: what kind of cable it is. */
export function cableFacts(
  { linkClasses, classOf }: MachineAbout,
  link: number,
): readonly (readonly [string, string])[] {
  const { name, words, cables } = linkClasses[classOf[link]!]!;
  return [
    ['Cable', name],
    ...(words === '' ? [] : [['Each way', words] as const]),
    ['Alike', countOf(cables, 'cable')],
  ];
}

/** `Node 35 (3, 4)`, `host-2, node 2`. */
export function nodeTitle({ nodes }: Scene, entry: number): string {
  const name = nodes.names[entry];
  const named = name === undefined ? `Node ${nodes.id[entry]!}` : `${name}, node ${nodes.id[entry]!}`;
  return `${named} ${coordinateLabel(nodes, entry)}`.trim();
}

/** `socket 1, core 2: heat 17`. */
function coreLine(scene: Scene, place: number): string {
  const { nodes, coresPerSocket, jobs } = scene;
  const core = nodes.taskCore[place]!;
  const where = `socket ${Math.floor(core / coresPerSocket)}, core ${core % coresPerSocket}`;
  return `${where}: ${jobs[nodes.taskJob[place]!]!.name} ${nodes.task[place]!}`;
}

function describeRouter(scene: Scene, entry: number): ThingText {
  const { routers } = scene;
  const shares = sharesOf(scene)[entry]!;
  const hosts = shares.reduce((sum, { nodes }) => sum + nodes, 0);
  const name = routers.names[entry] ?? `Switch ${routers.id[entry]!}`;
  const rank = rankLabel(scene, entry);
  const lines =
    scene.about === undefined ? shareLines(scene, shares) : [...switchFacts(scene.about, routers.id[entry]!)];
  if (routers.names[entry] !== undefined) lines.unshift(`switch ${routers.id[entry]!}`);
  return { headline: `${name}, ${countOf(hosts, 'host')}`, lines: rank === '' ? lines : [rank, ...lines] };
}

function describeLink(scene: Scene, link: number): ThingText {
  const { links } = scene;
  const [from, to] = linkEndNames(scene, link);
  const flags = links.flags[link]!;
  const { difference, about } = scene;
  const lines =
    about !== undefined
      ? cableFacts(about, links.forwardLink[link]!).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
      : [
          `${from} → ${to}: ${loadText(scene, links.forward[link]!, difference?.forward[link])}`,
          `${to} → ${from}: ${loadText(scene, links.backward[link]!, difference?.backward[link])}`,
        ];
  if ((flags & hotFlag) !== 0) lines.push('hot');
  if ((flags & upFlag) !== 0) lines.push(`up is ${from} → ${to}`);
  const stub = (flags & stubFlag) !== 0 ? ' (drawn in two parts)' : '';
  return { headline: `Link ${from} – ${to}${stub}`, lines };
}

/** Of a load; of its change where there was one before. */
function loadText({ loadLegend }: Scene, load: number, before: number | undefined): string {
  if (before !== undefined) {
    return figureChange({ before: formatBytes(before), after: formatBytes(load), change: changeWords(before, load) });
  }
  if (load === 0) return 'nothing';
  return `${formatBytes(load)}, ${shareText(load, loadLegend.maximum)} of the maximum`;
}

/** A load as a share of the heaviest; of nothing where no link carries anything. */
export const shareText = (load: number, maximum: number): string => formatShare(maximum === 0 ? 0 : load / maximum);

/** The text behind a thing: of a switch none, of a host link that of its node. */
export function targetOf(scene: Scene, thing: Thing, lanesShow: boolean): Target | undefined {
  if (thing.kind === 'router') return undefined;
  if (thing.kind === 'node') return { kind: 'node', node: scene.nodes.id[thing.entry]! };
  const { links } = scene;
  const [from, to] = [links.from[thing.link]!, links.to[thing.link]!];
  if ((links.flags[thing.link]! & hostFlag) !== 0) return { kind: 'node', node: from };
  return goesForward(scene, thing, lanesShow) ? { kind: 'link', from, to } : { kind: 'link', from: to, to: from };
}

/** The text behind what is selected; of two tasks that of the first. */
export function targetOfSelected(scene: Scene, selected: Selected): Target | undefined {
  if (selected.kind === 'node') return { kind: 'node', node: selected.node };
  const places = placesOf(scene);
  if (selected.target.kind === 'tasks') {
    const entry = places.node(selected.target.from);
    return entry === undefined ? undefined : { kind: 'node', node: scene.nodes.id[entry]! };
  }
  const place = places.link(selected.target.link);
  if (place === undefined) return undefined;
  return targetOf(scene, { kind: 'link', link: place.entry, rightSide: place.forward }, true);
}

/** The directed link that a click on a cable means. */
export function linkOf(scene: Scene, thing: Extract<Thing, { kind: 'link' }>, lanesShow: boolean): number {
  const { forwardLink, backwardLink } = scene.links;
  return goesForward(scene, thing, lanesShow) ? forwardLink[thing.link]! : backwardLink[thing.link]!;
}

/** The direction whose lane was clicked, else, where lanes do not show, the busier one. */
function goesForward(
  { links }: Scene,
  { link, rightSide }: Extract<Thing, { kind: 'link' }>,
  lanesShow: boolean,
): boolean {
  return lanesShow ? rightSide : links.forward[link]! >= links.backward[link]!;
}

/** Shares do not change while a scene is shown: counted once, not at every redraw. */
const sharesOfScenes = new WeakMap<Scene, readonly RouterShares[]>();

/** {@link routerShares}, counted when first asked for. */
export function sharesOf(scene: Scene): readonly RouterShares[] {
  const known = sharesOfScenes.get(scene) ?? routerShares(scene);
  sharesOfScenes.set(scene, known);
  return known;
}
