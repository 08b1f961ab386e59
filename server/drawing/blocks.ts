/**
 * The picture of a machine with too many nodes for a square each: blocks of routers that belong together, and between two of them the cable
 * that is busiest. Its nodes and routers are blocks, by number; its links are those of the machine. Grids are cut here, other networks
 * in `networkBlocks.ts`.
 */
import type { LinkTable, Topology } from '../model/machine.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import type { PlacementReport } from '../model/report.ts';
import { axisName, coordinatesOf, formatShape, volumeOf, type Shape } from '../model/shape.ts';
import { nodeOfSlot } from '../model/slots.ts';
import { secondsPerByte } from '../network/linkClasses.ts';
import { accumulated } from '../numeric/grouping.ts';
import type { Layout } from './layout/contract.ts';
import { layoutGrid } from './layout/grids.ts';
import { drawLinks } from './links.ts';
import { blockMarks, blocksOfNetwork } from './networkBlocks.ts';
import { exchangedBytes, squaresInRouters } from './nodes.ts';
import type { Scene, SceneBlocks, SceneLinks, SceneNodes } from './scene.ts';

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

/** A machine cut into blocks. */
interface Cut {
  readonly blockOfRouter: Int32Array;
  readonly count: number;
  /** Sides of the machine and of a block, where routers have coordinates; and how many blocks there are along each axis of a grid. */
  readonly shape: Shape;
  readonly sides: Shape;
  readonly grid: Shape;
  readonly names: readonly string[];
  /** What a block is, as a sentence. */
  readonly note: string;
  layout(links: LinkTable): Layout;
}

/**
 * The blocks of a placement's machine; undefined where nothing tells how its routers belong together. O(routers + links + tasks + pairs that
 * talk).
 */
export function drawBlocks(report: PlacementReport): BlockPicture | undefined {
  const { topology } = report.machine;
  const cut =
    topology.shape !== undefined && topology.wraps !== undefined ? cutOfGrid(topology.shape) : cutOfNetwork(topology);
  if (cut === undefined) return undefined;
  const { blockOfRouter, count, shape, sides, grid, names } = cut;
  const blockOf = topology.routerOfNode.map((router) => blockOfRouter[router]!);
  const { links, busiest, ...loads } = joinedLinks(report, blockOfRouter, count);
  const own = {
    sides,
    shape,
    ...(topology.hasHostLinks && { switches: countsBy(blockOfRouter, count) }),
    ...blockCounts(report, blockOf, count),
    ...loads,
  };
  const blocks: SceneBlocks = { ...own, notes: blockNotes(own, cut.note) };
  const layout = cut.layout(links);
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
    ...exchangedBytes(report, blockOf, count),
    router: new Int32Array(0),
    perRouter: 1,
    coordinates: new Int32Array(0),
    coordinateCount: 0,
    names,
  };
  return { layout, nodes, links: linksOfBlocks(report, cut, links, busiest, layout), shape: grid, blocks };
}

function cutOfGrid(shape: Shape): Cut {
  const sides = blockSides(shape);
  const grid = cutBy(shape, sides);
  const count = volumeOf(grid);
  return {
    blockOfRouter: blocksOfRouters(shape, sides, grid),
    count,
    ...{ shape, sides, grid },
    names: Array.from({ length: count }, (_, block) => blockName({ shape, sides }, grid, block)),
    note: blockNote({ shape, sides }),
    layout: () =>
      layoutGrid({ routerCount: count }, grid, undefined, undefined, (axis, at) =>
        blockRange({ shape, sides }, axis, at),
      ),
  };
}

/** Blocks that stand in no grid. */
function cutOfNetwork(topology: Topology): Cut | undefined {
  const found = blocksOfNetwork(topology);
  if (found === undefined) return undefined;
  const { sides, count } = found;
  const { shape = [], sides: own = [] } = sides ?? {};
  const cut = cutBy(shape, own);
  return {
    ...found,
    ...{ shape, sides: own, grid: [] },
    names:
      sides === undefined ? found.names : Array.from({ length: count }, (_, block) => blockName(sides, cut, block)),
    note: sides === undefined ? found.note : blockNote(sides),
  };
}

/** How often each number stands there. O(numbers). */
function countsBy(numbers: Int32Array, count: number): Int32Array {
  const counts = new Int32Array(count);
  for (const number of numbers) counts[number]!++;
  return counts;
}

/** `x = 3, y = 4–5`; axes that lie within blocks as a whole are left out. */
function blockName(blocks: Pick<SceneBlocks, 'sides' | 'shape'>, cut: Shape, block: number): string {
  const at = cut.map(() => 0);
  coordinatesOf(cut, block, at);
  const isCut = (axis: number): boolean => cut[axis]! > 1;
  return at
    .flatMap((position, axis) => (isCut(axis) ? [`${axisName(axis)} = ${blockRange(blocks, axis, position)}`] : []))
    .join(', ');
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
function blockCounts(
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
  const ends = {
    from: Int32Array.from(keys, (key) => Math.floor(key / count)),
    to: Int32Array.from(keys, (key) => key % count),
  };
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

/** Lines between blocks: each direction with the number and the load of its busiest link. */
function linksOfBlocks(
  report: PlacementReport,
  { count, grid }: Pick<Cut, 'count' | 'grid'>,
  links: LinkTable,
  busiest: Int32Array,
  layout: Layout,
): SceneLinks {
  const { machine } = report;
  const topology = {
    kind: machine.topology.kind,
    routerCount: count,
    ...(grid.length > 0 && { shape: grid }),
    hasHostLinks: false,
    links,
    routerOfNode: new Int32Array(0),
  };
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

const blockNote = ({ shape, sides }: Pick<SceneBlocks, 'shape' | 'sides'>): string =>
  `Block ${formatShape(sides)} of ${formatShape(shape)}.`;

/** What is summed up. */
function blockNotes({ nodes }: Pick<SceneBlocks, 'nodes'>, note: string): readonly string[] {
  const most = nodes.reduce((largest, count) => Math.max(largest, count), 0);
  return [
    `Each of ${formatNumber(nodes.length)} squares is ${nodes.every((count) => count === most) ? '' : 'at most '}${countOf(most, 'node')}.`,
    note,
    'Fill: share of nodes in use.',
    'Line: busiest link between two squares.',
  ];
}
