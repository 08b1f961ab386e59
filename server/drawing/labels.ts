import { countOf, formatBytes, formatNumber, formatShare } from '../model/quantities.ts';
import { arrowText } from '../model/words.ts';
import { nodeInside, showsCores } from './cores.ts';
import { hostFlag, type LabelKind, type Scene, type SceneBlocks, type SceneNodes } from './scene.ts';

/**
 * The words on a picture, the same on screen and on paper: names and tasks of nodes, names of routers and links. Figures
 * are written as everywhere, by what is exported here for those who see the pictures alone.
 */
export { csvText, type CsvCell } from '../model/csv.ts';
export { headlineLabels } from '../model/metrics.ts';
export { formatBytes, formatNumber, formatSeconds, formatShare } from '../model/quantities.ts';
export { arrowText } from '../model/words.ts';

/** What fits into a node's square: `12`, `0–3`, or `5 …` where the tasks are not consecutive; '' where there are none. */
export function nodeLabel(nodes: SceneNodes, entry: number): string {
  const start = nodes.taskStart[entry]!;
  const end = nodes.taskStart[entry + 1]!;
  if (start === end) return '';
  const first = nodes.task[start]!;
  const last = nodes.task[end - 1]!;
  if (end - start === 1) return `${first}`;
  const isRun = last - first === end - start - 1 && nodes.taskJob[start] === nodes.taskJob[end - 1];
  return isRun ? `${first}–${last}` : `${first} …`;
}

/** Above the picture: the placement, from which to which it shows the change, or the machine by itself. */
export const pictureTitle = ({ placement, machine, difference, about }: Scene): string =>
  about !== undefined ? machine : difference === undefined ? placement : arrowText(difference.before, placement);

/** Below it: the machine, or of a machine by itself what it is. */
export const pictureSubtitle = ({ machine, about }: Scene): string => about?.kind ?? `on ${machine}`;

/** What stands in a node's square: large, and small below it where there is room. */
export interface NodeLabels {
  readonly large: string;
  readonly small: string;
}

/** As the reader chose: tasks and below them the node or host; or one of node, host and coordinates and below it the tasks. */
export function nodeLabels({ nodes, labels, blocks, about }: Scene, entry: number): NodeLabels {
  if (blocks !== undefined)
    return { large: about === undefined ? usedWords(blocks, entry) : '', small: nodes.names[entry]! };
  const tasks = nodeLabel(nodes, entry);
  const number = `${nodes.id[entry]!}`;
  const host = nodes.names[entry] ?? number;
  switch (labels) {
    case 'task':
      return { large: tasks, small: host };
    case 'node':
      return { large: number, small: tasks };
    case 'host':
      return { large: host, small: tasks };
    case 'coordinates':
      return { large: coordinateLabel(nodes, entry).slice(1, -1), small: tasks };
  }
}

/** How much of a block is in use: nodes with tasks as a share of its nodes. */
export const usedShare = ({ nodes, used }: SceneBlocks, entry: number): number =>
  used[entry]! / Math.max(1, nodes[entry]!);

/** Whether some nodes of a block are in use and others are not. */
export const isPartlyUsed = ({ nodes, used }: SceneBlocks, entry: number): boolean =>
  used[entry]! > 0 && used[entry]! < nodes[entry]!;

/** All is in use only where all is. */
const usedWords = (blocks: SceneBlocks, entry: number): string =>
  blocks.nodes[entry] === 0
    ? ''
    : formatShare(Math.floor(100 * usedShare(blocks, entry)) / 100 || usedShare(blocks, entry));

/** What there is to be said of a block: its nodes, tasks, and the loads within it. */
function blockLines(scene: Scene, blocks: SceneBlocks, entry: number): readonly string[] {
  const { jobs, nodes, about, difference } = scene;
  const count = blocks.nodes[entry]!;
  const switches = blocks.switches === undefined ? [] : [countOf(blocks.switches[entry]!, 'switch', 'switches')];
  const own = countOf(count, 'node');
  if (about !== undefined) return [...switches, ...(count === 0 ? [] : [own])];
  const job = jobs[nodes.job[entry]!];
  const loads = [blocks.meanLoad[entry]!, blocks.largestLoad[entry]!].map((load) => formatBytes(load));
  const before = difference?.blocks?.tasks[entry];
  return [
    ...switches,
    ...(count === 0 ? [] : [`${own}, ${formatNumber(blocks.used[entry]!)} in use (${usedWords(blocks, entry)})`]),
    ...(job === undefined ? [] : [`${countOf(blocks.tasks[entry]!, 'task')}, most of ${job.name}`]),
    ...(before === undefined || before === blocks.tasks[entry] ? [] : [`${countOf(before, 'task')} before`]),
    ...(blocks.largestLoad[entry] === 0 ? [] : [`load inside: mean ${loads[0]!}, maximum ${loads[1]!}`]),
    ...busiestLine(scene, entry),
  ];
}

/** Of the lines of a block that of the busiest cable, in the direction that has more of it. O(links). */
function busiestLine({ links, nodes }: Scene, entry: number): readonly string[] {
  let [most, words] = [0, ''];
  const look = (load: number, from: number, to: number): void => {
    if (load <= most) return;
    most = load;
    words =
      from === nodes.id[entry]
        ? `to ${nodes.names[blockEntry(nodes, to)] ?? ''}`
        : `from ${nodes.names[blockEntry(nodes, from)] ?? ''}`;
  };
  for (let link = 0; link < links.from.length; link++) {
    const [from, to] = [links.from[link]!, links.to[link]!];
    if (from !== nodes.id[entry] && to !== nodes.id[entry]) continue;
    look(links.forward[link]!, from, to);
    look(links.backward[link]!, to, from);
  }
  return most === 0 ? [] : [`bottleneck link: ${words}, ${formatBytes(most)}`];
}

/** The entry of a block by its number: they are in order, but for pictures of one plane. */
const blockEntry = ({ id }: SceneNodes, block: number): number => (id[block] === block ? block : id.indexOf(block));

/** A line of text in a square: its size, and how far its middle is below that of the square; pixels. */
export interface LabelLine {
  readonly text: string;
  readonly size: number;
  readonly drop: number;
}

/** Half the side in pixels from which a square has room for any text, and for two lines. */
export const labelledFrom = 9;
const twoLinesFrom = 15;
const leastLetters = 6;
const largestLetters = 28;
const largestSmall = 12;

/** The lines of a square of this half side, as large as fits; none where that is too small to be read. */
export function labelLines({ large, small }: NodeLabels, half: number): readonly LabelLine[] {
  if (half < labelledFrom) return [];
  const sizeOf = (text: string, share: number, most: number): number =>
    text === '' ? 0 : Math.min(half * share, (half * 3) / text.length, most);
  const below = half < twoLinesFrom ? 0 : sizeOf(small, 0.42, largestSmall);
  const lines: LabelLine[] =
    below < leastLetters
      ? [{ text: large, size: sizeOf(large, 0.8, largestLetters), drop: 0 }]
      : [
          { text: large, size: sizeOf(large, 0.75, largestLetters), drop: -0.2 * half },
          { text: small, size: below, drop: 0.55 * half },
        ];
  return lines.filter(({ size }) => size >= leastLetters);
}

/** What is written into squares and their cores anywhere at so many pixels per world unit. O(nodes) at most. */
export function drawnLines(
  scene: Scene,
  scale: number,
): { readonly large: boolean; readonly small: boolean; readonly inCores: boolean } {
  const { id, size, taskStart, task } = scene.nodes;
  const inside = nodeInside(scene);
  let [large, small, inCores] = [false, false, false];
  for (let entry = 0; entry < id.length && !(large && small) && !inCores; entry++) {
    const half = size[entry]! * scale;
    if (half < labelledFrom) continue;
    const onCores = showsCores(inside, half);
    if (onCores && scene.labels === 'task') {
      const core = inside.cores[0]!.half * half;
      for (let place = taskStart[entry]!; place < taskStart[entry + 1]!; place++)
        inCores ||= textInCore(`${task[place]!}`, core) > 0;
      continue;
    }
    const labels = nodeLabels(scene, entry);
    const lines = labelLines(onCores ? { ...labels, small: '' } : labels, half);
    large ||= lines.some(({ text }) => text !== '' && text === labels.large);
    small ||= lines.length > 1;
  }
  return { large, small, inCores };
}

/** The size of a text in the square of a core of this half side in pixels; 0 where it could not be read. */
export function textInCore(text: string, half: number): number {
  const size = Math.min(half * 0.8, (half * 3) / text.length, largestLetters);
  return text === '' || size < leastLetters ? 0 : size;
}

/** Behind a line of text over cores: a rectangle round its middle. */
export function patchOf({ text, size }: LabelLine): {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
} {
  const width = (text.length + 1) * letterWidth * size;
  return { x: -width / 2, y: -0.65 * size, width, height: 1.3 * size };
}

/** What a scene's squares can show: names of hosts and coordinates only where there are any. */
export const labelKinds = ({ nodes, about, blocks }: Scene): readonly LabelKind[] =>
  blocks !== undefined
    ? ['task']
    : [
        ...(about === undefined ? (['task'] as const) : []),
        'node',
        ...(nodes.names.length > 0 ? (['host'] as const) : []),
        ...(nodes.coordinateCount > 0 ? (['coordinates'] as const) : []),
      ];

/** How a router is called that is drawn as its nodes, beside a stub: as its node is, or its nodes are. */
export function partnerLabel(scene: Scene, router: number, entryOf: (node: number) => number | undefined): string {
  const { perRouter } = scene.nodes;
  if (scene.blocks !== undefined) return scene.nodes.names[router]!;
  if (perRouter !== 1) {
    const numbers = Array.from({ length: perRouter }, (_, host) => router * perRouter + host);
    return `node ${formatRanges(numbers)}`;
  }
  const entry = entryOf(router);
  return (entry === undefined ? '' : nodeLabels(scene, entry).large) || `node ${router}`;
}

/** Entry of the scene's nodes of each by its number. O(nodes). */
export const entriesByNumber = ({ id }: SceneNodes): ReadonlyMap<number, number> =>
  new Map(Array.from(id, (node, entry) => [node, entry] as const));

/** `(3, 5)`; '' for a machine without coordinates. */
export function coordinateLabel(nodes: SceneNodes, entry: number): string {
  const { coordinates, coordinateCount } = nodes;
  if (coordinateCount === 0) return '';
  return `(${coordinates.slice(entry * coordinateCount, (entry + 1) * coordinateCount).join(', ')})`;
}

/** Tasks of one node, job by job, ready to print: `heat: 0–3, 9`; of a block what it sums up. */
export function taskLines(scene: Scene, entry: number): readonly string[] {
  if (scene.blocks !== undefined) return blockLines(scene, scene.blocks, entry);
  const { taskStart, task, taskJob } = scene.nodes;
  const lines: string[] = [];
  let place = taskStart[entry]!;
  const end = taskStart[entry + 1]!;
  while (place < end) {
    const job = taskJob[place]!;
    const tasks: number[] = [];
    for (; place < end && taskJob[place] === job; place++) tasks.push(task[place]!);
    lines.push(`${scene.jobs[job]?.name ?? `job ${job}`}: ${formatRanges(tasks)}`);
  }
  return lines;
}

/** `0–3, 9`, of ascending numbers. */
export function formatRanges(ascending: readonly number[]): string {
  const parts: string[] = [];
  for (let start = 0; start < ascending.length;) {
    let end = start;
    while (end + 1 < ascending.length && ascending[end + 1] === ascending[end]! + 1) end++;
    parts.push(start === end ? `${ascending[start]!}` : `${ascending[start]!}–${ascending[end]!}`);
    start = end + 1;
  }
  return parts.join(', ');
}

/** `leaf-3`, else `6`: what to print on a router. */
export const routerLabel = ({ routers }: Pick<Scene, 'routers'>, entry: number): string =>
  routers.names[entry] ?? `${routers.id[entry]!}`;

/** `leaf-3`, else `switch 6`, in a sentence. */
export const sceneRouterName = (scene: Scene, entry: number): string =>
  scene.routers.names[entry] ?? `switch ${scene.routers.id[entry]!}`;

/** `node 5`, with the name of the fabric's file where it has one. */
export const sceneNodeName = ({ nodes }: Scene, entry: number): string =>
  nodes.names[entry] ?? `node ${nodes.id[entry]!}`;

/** `level 2`, `tier 0`, `group 3`; '' where the layout knows no such thing. */
export function rankLabel({ routers }: Scene, entry: number): string {
  if (routers.rankWord === '') return '';
  return routers.isRoot[entry] === 1 ? 'root' : `${routers.rankWord} ${routers.rank[entry]!}`;
}

/** Nodes by job on a router: `heat: 12 nodes`, `free: 2 nodes`. */
export function shareLines(
  scene: Scene,
  shares: readonly { readonly job: number; readonly nodes: number }[],
): string[] {
  return shares.map(
    ({ job, nodes }) => `${job < 0 ? 'free' : (scene.jobs[job]?.name ?? `job ${job}`)}: ${countOf(nodes, 'node')}`,
  );
}

/** How the two ends of a link are called: `0` and `4`, `leaf-3` and `spine-1`, `node 5` and `2`. */
export function sceneLinkEnds(scene: Scene, link: number): readonly [from: string, to: string] {
  const { links, routers } = scene;
  const [from, to] = [links.from[link]!, links.to[link]!];
  if (scene.blocks !== undefined) return [scene.nodes.names[from]!, scene.nodes.names[to]!];
  if ((links.flags[link]! & hostFlag) !== 0) {
    const rail = links.rail?.[link] ?? -1;
    const adapter = rail < 0 ? '' : ` ${sceneRailName(scene, rail)}`;
    return [`${sceneHostName(scene, from)}${adapter}`, routers.names[to] ?? `${to}`];
  }
  return [routers.names[from] ?? `${from}`, routers.names[to] ?? `${to}`];
}

/** What a file calls the adapters of this number, else `rail 2`. */
export function sceneRailName({ rails }: Pick<Scene, 'rails'>, rail: number): string {
  const name = rails?.[rail] ?? '';
  return name === '' ? `rail ${rail}` : name;
}

/** Nodes of fabrics are drawn by number. */
const sceneHostName = ({ nodes }: Scene, node: number): string => nodes.names[node] ?? `node ${node}`;

/** The size of letters at which a text is at most so wide. */
export const sizeWithin = (text: string, width: number, largest: number): number =>
  Math.min(largest, width / (Math.max(1, text.length) * letterWidth));

/** A text that fits a width: its size in the same unit, shortened in the middle where it is long. */
export function fittedText(
  text: string,
  width: number,
  largest: number,
): { readonly text: string; readonly size: number } {
  const fitted = text.length <= longestLabel ? text : `${text.slice(0, 5)}…${text.slice(-(longestLabel - 6))}`;
  return { text: fitted, size: sizeWithin(fitted, width, largest) };
}

/** Names of fabrics differ at their end, so both ends are kept. */
const longestLabel = 14;
/** Of a mean letter, in sizes of the font. */
const letterWidth = 0.6;

/** Nodes of each job on one router, in the order of jobs, the free ones (job −1) last. */
export type RouterShares = readonly { readonly job: number; readonly nodes: number }[];

/** What the frames of a fabric are tinted with where their nodes are too small to be seen. O(nodes). */
export function routerShares({ nodes, routers }: Scene): readonly RouterShares[] {
  const counts = Array.from({ length: routers.id.length }, () => new Map<number, number>());
  nodes.router.forEach((router, entry) => {
    const job = nodes.job[entry]!;
    counts[router]!.set(job, (counts[router]!.get(job) ?? 0) + 1);
  });
  const place = (job: number): number => (job < 0 ? Infinity : job);
  return counts.map((count) =>
    Array.from(count, ([job, many]) => ({ job, nodes: many })).sort(
      (one, other) => place(one.job) - place(other.job) || 0,
    ),
  );
}
