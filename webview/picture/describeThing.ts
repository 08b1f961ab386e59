/**
 * A thing of the picture (node, switch or link) in words, and what stands for it elsewhere: its place in the text, its
 * link.
 */
import { changeBetween, figureChange } from '../../server/drawing/difference.ts';
import {
  arrowText,
  coordinateLabel,
  formatBytes,
  formatSeconds,
  sceneRailName,
  rankLabel,
  sceneRouterName,
  type RouterShares,
  routerShares,
  shareLines,
  taskLines,
} from '../../server/drawing/labels.ts';
import { busySeconds, loadShare, withMeasure } from '../../server/drawing/loadScale.ts';
import { hostFlag, hotFlag, stubFlag, upFlag, type MachineAbout, type Scene } from '../../server/drawing/scene.ts';
import type { FromPanel } from '../../server/protocol/panel.ts';
import type { PictureSelection } from '../../server/protocol/selections.ts';
import { counted, localised, t } from '../page/words.ts';
import type { Thing } from './pick.ts';
import { linkEndNames, scenePlaces } from './places.ts';
import type { Selected, Selection } from './selection.ts';

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
  const { headline, lines } = thingText(scene, thing);
  return { headline, lines: lines.map(localised) };
}

function thingText(scene: Scene, thing: Thing): ThingText {
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
  if (scene.about !== undefined && scene.blocks === undefined)
    return {
      headline: nodeTitle(scene, entry),
      lines: nodeFacts(scene, scene.about, entry).map(([name, value]) => `${name}: ${value}`),
    };
  const lines = taskLines(scene, entry).map((line) =>
    line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line,
  );
  if (nodes.broken?.includes(entry) === true) lines.push(t('failed'));
  else if (lines.length === 0) lines.push(t('runs no task'));
  if (place !== undefined) lines.unshift(coreLine(scene, place));
  if (router !== undefined) lines.push(...hangingOn(scene, entry, router));
  const [sent, received] = [nodes.sent[entry]!, nodes.received[entry]!];
  if (sent + received > 0) lines.push(t('sends {0}, receives {1}', formatBytes(sent), formatBytes(received)));
  return { headline: nodeTitle(scene, entry), lines };
}

/** `on leaf-3`; where a node has several adapters the switch of each, those of one switch together: `rails 0, 1 on leaf-3`. */
function hangingOn(scene: Scene, entry: number, router: number): readonly string[] {
  const rails = railsBySwitch(scene, entry);
  if (rails.length === 0) return [t('on {0}', sceneRouterName(scene, router))];
  return rails.map(([names, on]) => t('{0} on {1}', names, on));
}

/** The adapters of a node and the switch that they are on; none where nodes have one adapter alone. */
function railsBySwitch(scene: Scene, entry: number): readonly (readonly [rails: string, router: string])[] {
  const { links, nodes } = scene;
  const switches = new Map<number, number[]>();
  for (const link of scenePlaces(scene).rails(nodes.id[entry]!)) {
    const router = links.to[link]!;
    switches.set(router, [...(switches.get(router) ?? []), links.rail![link]!]);
  }
  return Array.from(switches, ([router, own]) => [railWords(scene, own), sceneRouterName(scene, router)] as const);
}

/** `rail 2`, `rails 0, 1`, `mlx5_0, mlx5_1`. */
function railWords(scene: Scene, rails: readonly number[]): string {
  if (rails.some((rail) => scene.rails![rail] !== ''))
    return rails.map((rail) => sceneRailName(scene, rail)).join(', ');
  return rails.length === 1 ? t('rail {0}', rails[0]!) : t('rails {0}', rails.join(', '));
}

/** Of a node of a machine by itself: where it hangs, or how many cables it has. */
export function nodeFacts(scene: Scene, about: MachineAbout, entry: number): readonly (readonly [string, string])[] {
  const { nodes, routers } = scene;
  const router = nodes.router[entry];
  const number = nodes.id[entry]!;
  if (router !== undefined) {
    const rails = railsBySwitch(scene, entry).map(([names, on]) => [t('{0} on', names), localised(on)] as const);
    return [
      [t('node'), `${number}`],
      ...(rails.length > 0 ? rails : [[t('on'), localised(sceneRouterName(scene, router))] as const]),
    ];
  }
  const degree = about.degreeOf[routers.id.length > 0 ? 0 : Math.floor(number / Math.max(1, nodes.perRouter))];
  return [[t('links'), `${degree ?? 0}`]];
}

/** Of a switch of a machine by itself. */
function switchFacts(about: MachineAbout, router: number): readonly string[] {
  const spare = about.sparePorts[router] ?? -1;
  return [
    t('{0} to other switches', counted(about.degreeOf[router] ?? 0, '1 link', '{0} links')),
    ...(spare < 0 ? [] : [counted(spare, '1 spare port', '{0} spare ports')]),
  ];
}

/** Of a link of a machine by itself: what kind of cable it is. */
export function cableFacts(
  { linkClasses, classOf }: MachineAbout,
  link: number,
): readonly (readonly [string, string])[] {
  const { name, words, cables } = linkClasses[classOf[link]!]!;
  return [
    [t('Link'), name],
    ...(words === '' ? [] : [[t('Per direction'), words] as const]),
    [t('Alike'), counted(cables, '1 link', '{0} links')],
  ];
}

/** `Node 35 (3, 4)`, `host-2, node 2`. */
export function nodeTitle({ nodes, blocks }: Scene, entry: number): string {
  const name = nodes.names[entry];
  if (blocks !== undefined) return name ?? '';
  const named = name === undefined ? t('Node {0}', nodes.id[entry]!) : t('{0}, node {1}', name, nodes.id[entry]!);
  return `${named} ${coordinateLabel(nodes, entry)}`.trim();
}

/** `socket 1, core 2: heat 17`, `socket 1, GPU 5: heat 17`; cores are counted on their socket, GPUs through the node. */
function coreLine(scene: Scene, place: number): string {
  const { nodes, slots, socketOfSlot, jobs } = scene;
  const core = nodes.taskCore[place]!;
  const socket = socketOfSlot[core] ?? 0;
  const { coresPerTask = 1 } = jobs[nodes.taskJob[place]!]!;
  const first = core - socketOfSlot.indexOf(socket);
  const where =
    slots === 'gpus'
      ? t('socket {0}, GPU {1}', socket, core)
      : coresPerTask === 1
        ? t('socket {0}, core {1}', socket, first)
        : t('socket {0}, cores {1} to {2}', socket, first, first + coresPerTask - 1);
  return `${where}: ${jobs[nodes.taskJob[place]!]!.name} ${nodes.task[place]!}`;
}

function describeRouter(scene: Scene, entry: number): ThingText {
  const { routers } = scene;
  const shares = sharesOf(scene)[entry]!;
  const hosts = shares.reduce((sum, { nodes }) => sum + nodes, 0);
  const name = routers.names[entry] ?? t('Switch {0}', routers.id[entry]!);
  const rank = rankLabel(scene, entry);
  const lines =
    scene.about === undefined ? shareLines(scene, shares) : [...switchFacts(scene.about, routers.id[entry]!)];
  if (routers.names[entry] !== undefined) lines.unshift(t('switch {0}', routers.id[entry]!));
  return {
    headline: `${name}, ${counted(hosts, '1 host', '{0} hosts')}`,
    lines: rank === '' ? lines : [rank, ...lines],
  };
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
          `${arrowText(from, to)}: ${loadText(scene, link, true, difference?.forward[link])}`,
          `${arrowText(to, from)}: ${loadText(scene, link, false, difference?.backward[link])}`,
        ];
  if ((flags & hotFlag) !== 0) lines.push(t('hot'));
  if ((flags & upFlag) !== 0) lines.push(t('up is {0} → {1}', from, to));
  const stub = (flags & stubFlag) !== 0 ? t(' (drawn in two parts)') : '';
  return { headline: t('Link {0} – {1}{2}', from, to, stub), lines };
}

/** Of a load; of its change where there was one before. Where links differ in speed both in bytes and in time. */
function loadText(scene: Scene, link: number, forward: boolean, before: number | undefined): string {
  const load = (forward ? scene.links.forward : scene.links.backward)[link]!;
  const busy = busySeconds(scene, link, forward);
  if (before !== undefined) {
    const bytes = figureChange({
      before: formatBytes(before),
      after: formatBytes(load),
      change: changeBetween(before, load),
    });
    const busyBefore = busySeconds(scene, link, forward, before);
    if (busy === undefined || busyBefore === undefined) return bytes;
    return t(
      '{0}; link time {1}',
      bytes,
      figureChange({ before: formatSeconds(busyBefore), after: formatSeconds(busy), change: '' }),
    );
  }
  if (load === 0) return t('nothing');
  if (busy === undefined) return t('{0}, {1} of the maximum', formatBytes(load), loadShare(scene, load));
  return t('{0}, {1}: {2} utilisation', formatBytes(load), formatSeconds(busy), capacityShare(scene, busy));
}

/** Seconds that a link is busy as a share of what the busiest of the picture is, whatever the colours tell. */
export const capacityShare = (scene: Scene, busy: number): string => loadShare(withMeasure(scene, 'capacity'), busy);

/** The text behind a thing: of a switch or a block none, of a host link that of its node. */
export function textTarget(scene: Scene, thing: Thing, lanesShow: boolean): Target | undefined {
  if (thing.kind === 'router' || scene.blocks !== undefined) return undefined;
  if (thing.kind === 'node') return { kind: 'node', node: scene.nodes.id[thing.entry]! };
  const { links } = scene;
  const [from, to] = [links.from[thing.link]!, links.to[thing.link]!];
  if ((links.flags[thing.link]! & hostFlag) !== 0) return { kind: 'node', node: from };
  return goesForward(scene, thing, lanesShow) ? { kind: 'link', from, to } : { kind: 'link', from: to, to: from };
}

/** The text behind what is selected; of two tasks that of the first. */
export function targetOfSelected(scene: Scene, selected: Selected): Target | undefined {
  if (selected.kind === 'node') return { kind: 'node', node: selected.node };
  const places = scenePlaces(scene);
  if (selected.target.kind === 'tasks') {
    const entry = places.node(selected.target.from);
    return entry === undefined ? undefined : { kind: 'node', node: scene.nodes.id[entry]! };
  }
  const place = places.link(selected.target.link);
  if (place === undefined) return undefined;
  return textTarget(scene, { kind: 'link', link: place.entry, rightSide: place.forward }, true);
}

/** What is selected as the map of the traffic is told of it; undefined where nothing is, or nothing that is shown. */
export function selectionOf(scene: Scene, selection: Selection): PictureSelection | undefined {
  if (selection.kind === 'none') return undefined;
  const places = scenePlaces(scene);
  if (selection.kind === 'node') {
    const entry = places.nodeNumbered(selection.node);
    const target = { kind: 'node', node: selection.node } as const;
    return entry === undefined
      ? undefined
      : { target, words: t('flows of {0}', nodeTitle(scene, entry).replace(/^Node/, 'node')) };
  }
  const { target } = selection;
  if (target.kind === 'tasks') {
    const name = ({ job, task }: typeof target.from): string =>
      scene.jobs.length === 1 ? `${task}` : `${scene.jobs[job]?.name ?? ''} ${task}`;
    return { target, words: t('flows between tasks {0} and {1}', name(target.from), name(target.to)) };
  }
  const place = places.link(target.link);
  if (place === undefined) return undefined;
  const ends = linkEndNames(scene, place.entry);
  return { target, words: t('flows over link {0}', (place.forward ? ends : ends.toReversed()).join(' – ')) };
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
