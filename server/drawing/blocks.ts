/**
 * The picture of a grid with too many nodes for a square each: blocks of neighbouring routers, and between two of them the cable that is
 * busiest. Its nodes and routers are blocks, by number; its links are those of the machine.
 */
import type { LinkTable } from '../model/machine.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import type { PlacementReport } from '../model/report.ts';
import { axisName, coordinatesOf, formatShape, volumeOf, type Shape } from '../model/shape.ts';
import { nodeOfSlot } from '../model/slots.ts';
import { secondsPerByte } from '../network/linkClasses.ts';
import { accumulated } from '../numeric/grouping.ts';
import type { Layout } from './layout/contract.ts';
import { layoutGrid } from './layout/grids.ts';
import { drawLinks } from './links.ts';
import { squaresInRouters } from './nodes.ts';
import type { Scene, SceneBlocks, SceneLinks, SceneNodes } from './scene.ts';

/** Blocks and lines between them: as many as can still be told apart on a page. */
const blockMarks = 2 ** 16;
/** Axes of at most so many routers lie within blocks as a whole before longer ones are cut, the shortest first. */
const shortAxis = 4;

/** Sides of the blocks in which a grid is drawn. O(dimensions · log side). */
export function blockSides(shape: Shape): Shape {
  const sides = shape.map(() => 1);
  for (;;) {
    const cut = cutBy(shape, sides);
    const axes = [...cut.keys()].filter((axis) => cut[axis]! > 1);
    if (volumeOf(cut) * (1 + axes.length) <= blockMarks) return sides;
    const shortest = axes.reduce((one, other) => (shape[other]! <= shape[one]! ? other : one));
    const longest = axes.reduce((one, other) => (cut[other]! > cut[one]! ? other : one));
    if (shape[shortest]! <= shortAxis) sides[shortest] = shape[shortest]!;
    else sides[longest]! *= 2;
  }
}

/** How many blocks there are along each axis. */
const cutBy = (shape: Shape, sides: Shape): Shape => shape.map((side, axis) => Math.ceil(side / sides[axis]!));

/** Coordinates that a block has on an axis: `3`, `4–5`. */
export function blockRange(
  { sides, shape }: Pick<SceneBlocks, 'sides' | 'shape'>,
  axis: number,
  position: number,
): string {
  const first = position * sides[axis]!;
  const last = Math.min(first + sides[axis]!, shape[axis]!) - 1;
  return first === last ? `${first}` : `${first}–${last}`;
}

/** What of a scene is drawn in blocks. */
export interface BlockPicture extends Required<Pick<Scene, 'nodes' | 'links' | 'shape' | 'blocks'>> {
  readonly layout: Layout;
}

/**
 * The blocks of a placement's machine; undefined where its routers have no coordinates, or those do not tell how far apart they are.
 * O(routers + links + tasks + pairs that talk).
 */
export function drawBlocks(report: PlacementReport): BlockPicture | undefined {
  const { shape, wraps } = report.machine.topology;
  if (shape === undefined || wraps === undefined) return undefined;
  const sides = blockSides(shape);
  const cut = cutBy(shape, sides);
  const count = volumeOf(cut);
  const blockOfRouter = blocksOfRouters(shape, sides, cut);
  const blockOf = report.machine.topology.routerOfNode.map((router) => blockOfRouter[router]!);
  const { links, busiest, ...loads } = joinedLinks(report, blockOfRouter, count);
  const own = { sides, shape, ...countsOf(report, blockOf, count), ...loads };
  const blocks: SceneBlocks = { ...own, notes: notesOn(own) };
  const layout = layoutGrid({ routerCount: count }, cut, undefined, undefined, (axis, at) =>
    blockRange(blocks, axis, at),
  );
  const id = Int32Array.from({ length: count }, (_, block) => block);
  const nodes: SceneNodes = {
    ...squaresInRouters(layout, id, 1),
    id,
    job: mainJobsOf(report, blockOf, count),
    // There are too many tasks for a list of them: `blocks` has their number.
    taskStart: new Int32Array(count + 1),
    task: new Int32Array(0),
    taskJob: new Int16Array(0),
    taskCore: new Int32Array(0),
    ...bytesOf(report, blockOf, count),
    router: new Int32Array(0),
    perRouter: 1,
    coordinates: new Int32Array(0),
    coordinateCount: 0,
    names: Array.from(id, (block) => nameOf(blocks, cut, block)),
  };
  return { layout, nodes, links: linesOf(report, cut, links, busiest, layout), shape: cut, blocks };
}

/** `x = 3, y = 4–5`; axes that lie within blocks as a whole are left out. */
function nameOf(blocks: SceneBlocks, cut: Shape, block: number): string {
  const at = cut.map(() => 0);
  coordinatesOf(cut, block, at);
  const isCut = (axis: number): boolean => cut[axis]! > 1;
  return at.flatMap((position, axis) => (isCut(axis) ? [`${axisName(axis)} = ${blockRange(blocks, axis, position)}`] : [])).join(', '); // prettier-ignore
}

/** The block of each router. O(routers · dimensions). */
function blocksOfRouters(shape: Shape, sides: Shape, cut: Shape): Int32Array {
  const at = new Int32Array(shape.length);
  return Int32Array.from({ length: volumeOf(shape) }, (_, router) => {
    coordinatesOf(shape, router, at);
    let block = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--)
      block = block * cut[axis]! + Math.floor(at[axis]! / sides[axis]!);
    return block;
  });
}

/** Nodes of each block, those that run tasks, and the tasks. O(nodes + tasks). */
function countsOf(
  { machine, jobs }: PlacementReport,
  blockOf: Int32Array,
  count: number,
): Pick<SceneBlocks, 'nodes' | 'used' | 'tasks'> {
  const [nodes, used, tasks] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  const tasksOfNode = new Int32Array(machine.nodeCount);
  for (const { mapping } of jobs) for (const slot of mapping) tasksOfNode[nodeOfSlot(machine, slot)]!++;
  blockOf.forEach((block, node) => {
    nodes[block]!++;
    used[block]! += tasksOfNode[node]! > 0 ? 1 : 0;
    tasks[block]! += tasksOfNode[node]!;
  });
  return { nodes, used, tasks };
}

/** One link for all cables that lead from one block to another, with the busiest of them, and the loads within blocks. */
interface Joined extends Pick<SceneBlocks, 'meanLoad' | 'largestLoad'> {
  readonly links: LinkTable;
  /** LinkId of the machine, by link between blocks. */
  readonly busiest: Int32Array;
}

/** O(links + between blocks · log). */
function joinedLinks({ machine, linkLoads }: PlacementReport, blockOf: Int32Array, count: number): Joined {
  const { from, to, routerLinkCount } = machine.topology.links;
  const seconds = secondsPerByte(machine);
  const busyOf = (link: number): number => linkLoads[link]! * (seconds?.[link] ?? 1);
  const found = new Map<number, number>();
  const [inside, meanLoad, largestLoad] = [new Int32Array(count), new Float64Array(count), new Float64Array(count)];
  for (let link = 0; link < routerLinkCount; link++) {
    const [one, other] = [blockOf[from[link]!]!, blockOf[to[link]!]!];
    if (one === other) {
      inside[one]!++;
      meanLoad[one]! += linkLoads[link]!;
      largestLoad[one] = Math.max(largestLoad[one]!, linkLoads[link]!);
      continue;
    }
    const key = one * count + other;
    const before = found.get(key);
    if (before === undefined || busyOf(link) > busyOf(before)) found.set(key, link);
  }
  inside.forEach((links, block) => (meanLoad[block]! /= Math.max(1, links)));
  const keys = Float64Array.from(found.keys()).sort();
  const ends = { from: Int32Array.from(keys, (key) => Math.floor(key / count)), to: Int32Array.from(keys, (key) => key % count) }; // prettier-ignore
  const firstLink = new Int32Array(count + 1);
  for (const block of ends.from) firstLink[block + 1]!++;
  return {
    links: { ...ends, firstLink: accumulated(firstLink), routerLinkCount: keys.length, linkCount: keys.length },
    busiest: Int32Array.from(keys, (key) => found.get(key)!),
    meanLoad,
    largestLoad,
  };
}

/** The job with most tasks in each block, ties to the earlier; −1 where there are none. O(tasks + jobs · blocks). */
function mainJobsOf({ machine, jobs }: PlacementReport, blockOf: Int32Array, count: number): Int16Array {
  const main = new Int16Array(count).fill(-1);
  const most = new Int32Array(count);
  const own = new Int32Array(count);
  for (const [job, { mapping }] of jobs.entries()) {
    own.fill(0);
    for (const slot of mapping) own[blockOf[nodeOfSlot(machine, slot)]!]!++;
    for (let block = 0; block < count; block++) {
      if (own[block]! <= most[block]!) continue;
      most[block] = own[block]!;
      main[block] = job;
    }
  }
  return main;
}

/** What each block sends to others and receives from them. O(pairs that talk). */
function bytesOf(
  { machine, jobs }: PlacementReport,
  blockOf: Int32Array,
  count: number,
): Pick<SceneNodes, 'sent' | 'received'> {
  const [sent, received] = [new Float64Array(count), new Float64Array(count)];
  for (const { job, mapping } of jobs) {
    const { rowStart, partner, bytes } = job.traffic;
    const own = mapping.map((slot) => blockOf[nodeOfSlot(machine, slot)]!);
    for (let task = 0; task < job.taskCount; task++) {
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
        const other = own[partner[pair]!]!;
        if (other === own[task]) continue;
        sent[own[task]!]! += bytes[pair]!;
        received[other]! += bytes[pair]!;
      }
    }
  }
  return { sent, received };
}

/** Lines between blocks: each direction with the number and the load of its busiest link. */
function linesOf(
  report: PlacementReport,
  cut: Shape,
  links: LinkTable,
  busiest: Int32Array,
  layout: Layout,
): SceneLinks {
  const { machine } = report;
  const routerOfNode = Int32Array.from({ length: volumeOf(cut) }, (_, block) => block);
  const topology = { kind: machine.topology.kind, routerCount: volumeOf(cut), shape: cut, hasHostLinks: false, links, routerOfNode }; // prettier-ignore
  const hot = new Set<number>(report.hotLinks.map(({ link }) => link));
  const drawn = drawLinks(
    {
      machine: { topology, routing: {} },
      linkLoads: Float64Array.from(busiest, (link) => report.linkLoads[link]!),
      hotLinks: [...busiest.keys()].filter((own) => hot.has(busiest[own]!)).map((link) => ({ link })),
    },
    layout,
  );
  const ofMachine = (own: number): number => busiest[own]!;
  return { ...drawn, forwardLink: drawn.forwardLink.map(ofMachine), backwardLink: drawn.backwardLink.map(ofMachine) };
}

/** What is summed up. */
function notesOn({ shape, sides, nodes }: Pick<SceneBlocks, 'shape' | 'sides' | 'nodes'>): readonly string[] {
  const most = nodes.reduce((largest, count) => Math.max(largest, count), 0);
  return [
    `Each of ${formatNumber(nodes.length)} squares sums up ${nodes.every((count) => count === most) ? '' : 'up to '}${countOf(most, 'node')}.`,
    `It is a block of ${formatShape(sides)} in ${formatShape(shape)}.`,
    'It is filled as far as its nodes are in use, and says which share of them is.',
    'A line is the busiest cable between two squares.',
  ];
}
