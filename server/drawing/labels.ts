import { countOf } from '../model/quantities.ts';
import { hostFlag, type Scene, type SceneNodes } from './scene.ts';

/**
 * The words on a picture, the same on screen and on paper: names and tasks of nodes, names of routers and links. Figures
 * are written as everywhere, by what is exported here for those who see the pictures alone.
 */
export { countOf, formatBytes, formatNumber, formatSeconds, formatShare } from '../model/quantities.ts';

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

/** Above the picture: the placement, or from which to which it shows the change. */
export const pictureTitle = ({ placement, difference }: Scene): string =>
  difference === undefined ? placement : `${difference.before} → ${placement}`;

/** `(3, 5)`; '' for a machine without coordinates. */
export function coordinateLabel(nodes: SceneNodes, entry: number): string {
  const { coordinates, coordinateCount } = nodes;
  if (coordinateCount === 0) return '';
  return `(${coordinates.slice(entry * coordinateCount, (entry + 1) * coordinateCount).join(', ')})`;
}

/** Tasks of one node, job by job, ready to print: `heat: 0–3, 9`. */
export function taskLines(scene: Scene, entry: number): readonly string[] {
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
export const routerLabel = ({ routers }: Scene, entry: number): string =>
  routers.names[entry] ?? `${routers.id[entry]!}`;

/** `leaf-3`, else `switch 6`, in a sentence. */
export const routerName = (scene: Scene, entry: number): string =>
  scene.routers.names[entry] ?? `switch ${scene.routers.id[entry]!}`;

/** `node 5`, with the name of the fabric's file where it has one. */
export const nodeName = ({ nodes }: Scene, entry: number): string => nodes.names[entry] ?? `node ${nodes.id[entry]!}`;

/** `level 2`, `tier 0`, `group 3`; '' where the layout knows no such thing. */
export function rankLabel({ routers }: Scene, entry: number): string {
  if (routers.rankWord === '') return '';
  return routers.id[entry] === routers.root ? 'root' : `${routers.rankWord} ${routers.rank[entry]!}`;
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
export function linkEnds(scene: Scene, link: number): readonly [from: string, to: string] {
  const { links, routers } = scene;
  const [from, to] = [links.from[link]!, links.to[link]!];
  if ((links.flags[link]! & hostFlag) !== 0) return [hostName(scene, from), routers.names[to] ?? `${to}`];
  return [routers.names[from] ?? `${from}`, routers.names[to] ?? `${to}`];
}

/** Nodes of fabrics are drawn by number. */
const hostName = ({ nodes }: Scene, node: number): string => nodes.names[node] ?? `node ${node}`;

/** A text that fits a width: its size in the same unit, shortened in the middle where it is long. */
export function fittedText(
  text: string,
  width: number,
  largest: number,
): { readonly text: string; readonly size: number } {
  const fitted = text.length <= longestLabel ? text : `${text.slice(0, 5)}…${text.slice(-(longestLabel - 6))}`;
  return { text: fitted, size: Math.min(largest, width / (Math.max(1, fitted.length) * letterWidth)) };
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
