import { largestOf } from '../../model/lists.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';
import { coordinatesOf, formatShape, stridesOf, volumeOf, type Shape } from '../../model/shape.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingContext, MappingProblem } from '../contract.ts';
import { nodeOfSlot } from '../../model/slots.ts';

export const grouping: MapperEntry = {
  name: 'grouping',
  summary: 'blocks of the grid fill whole nodes, in allocation order',
  source: 'Bunde et al. 2014, section 2 (GROUPING), after Barrett et al. 2012',
  details:
    'Blocks are numbered with x fastest, and so are the tasks of a block. In this order, tasks fill the slots in ' +
    'allocation order. Blocks at the edge of a grid may be smaller. Blocks that do not fill a node may cross ' +
    'nodes. The block size fills a node (the slots of most nodes). Sizes that divide the grid are best, then the ' +
    'least sum of sides, then the longest last side: 2 x 2 x 4 for sixteen cores, as in the paper. A job without ' +
    'a grid is a line. Blocks are not rotated. The machine needs no coordinates.',
  options: [
    {
      name: 'block',
      summary: 'sides of the blocks of tasks that share a node; by default the most cubic block that fills one',
      kind: 'shape',
    },
  ],
  complexity: 'O(n)',
  scaling: 'linear',
  map: (problem, context) => {
    const { job, slots } = problem;
    const grid = job.grid ?? [job.taskCount];
    const capacity = usualCapacity(problem, context.cancellation);
    if (capacity === undefined) return cancelled();
    const block = blockFor(problem, grid, capacity, context);
    if (!block.ok) return block;
    const mapping = new Int32Array(job.taskCount);
    let next = 0;
    const deal = (task: number): void => {
      mapping[task] = intAt(slots, next++);
    };
    if (!dealBlocks(grid, block.value, deal, context.cancellation)) return cancelled();
    return succeed({ mapping, notes: groupingNotes(block.value, grid, capacity) });
  },
};

/** How many slots most nodes offer; of equally many nodes the larger number. Undefined if cancelled. O(slots). */
function usualCapacity({ machine, slots }: MappingProblem, cancellation: Cancellation): number | undefined {
  const meter = new WorkMeter(cancellation);
  const nodesOffering = new Int32Array(machine.coresPerNode + 1);
  let first = 0;
  for (let end = 1; end <= slots.length; end++) {
    if (meter.isCancelledAfter(1)) return undefined;
    if (end < slots.length && nodeOfSlot(machine, intAt(slots, first)) === nodeOfSlot(machine, intAt(slots, end)))
      continue;
    nodesOffering[end - first] = intAt(nodesOffering, end - first) + 1;
    first = end;
  }
  return nodesOffering.lastIndexOf(nodesOffering.reduce((most, nodes) => Math.max(most, nodes)));
}

/** Sides per axis of the grid. Fails with `invalid-shape` where the user's block has axes that the grid lacks. */
function blockFor({ job }: MappingProblem, grid: Shape, capacity: number, { options }: MappingContext): Result<Shape> {
  const block = options['block'] as Shape | undefined;
  if (block === undefined) return succeed(standardBlock(grid, capacity));
  if (block.slice(grid.length).some((side) => side > 1)) {
    const what = job.grid === undefined ? 'has no grid: its tasks are a line' : `is a grid of ${formatShape(grid)}`;
    return fail(
      'invalid-shape',
      `Block \`${formatShape(block)}\` has ${block.length} sides, and job \`${job.name}\` ${what}: ` +
        `give a block of ${grid.length === 1 ? 'one side' : `${grid.length} sides`}.`,
    );
  }
  return succeed(grid.map((side, axis) => Math.min(side, block[axis] ?? 1)));
}

/** Calls `deal` for every task: block by block, and x fastest among the blocks and within each. False if cancelled. O(n · dimensions). */
function dealBlocks(grid: Shape, block: Shape, deal: (task: number) => void, cancellation: Cancellation): boolean {
  const meter = new WorkMeter(cancellation);
  const strides = stridesOf(grid);
  const blocks = grid.map((side, axis) => Math.ceil(side / itemAt(block, axis)));
  const at = grid.map(() => 0);
  for (let index = 0; index < volumeOf(blocks); index++) {
    coordinatesOf(blocks, index, at);
    const first = at.map((position, axis) => position * itemAt(block, axis));
    const sides = first.map((position, axis) => Math.min(itemAt(block, axis), itemAt(grid, axis) - position));
    const start = first.reduce((sum, position, axis) => sum + position * itemAt(strides, axis), 0);
    for (let inside = 0; inside < volumeOf(sides); inside++) {
      let rest = inside;
      let task = start;
      for (let axis = 0; axis < sides.length; axis++) {
        task += (rest % itemAt(sides, axis)) * itemAt(strides, axis);
        rest = Math.floor(rest / itemAt(sides, axis));
      }
      deal(task);
      if (meter.isCancelledAfter(1)) return false;
    }
  }
  return true;
}

/** Says where blocks and nodes do not match. */
function groupingNotes(block: Shape, grid: Shape, capacity: number): readonly string[] {
  const size = volumeOf(block);
  if (size === volumeOf(grid)) return [];
  const straddling = 'so some straddle two nodes.';
  if (!divides(block, grid)) {
    return [`Blocks of ${formatShape(block)} do not divide the grid of ${formatShape(grid)}, ${straddling}`];
  }
  if (size % capacity === 0 || capacity % size === 0) return [];
  return [`Blocks of ${formatShape(block)} do not fill nodes that offer ${capacity} slots, ${straddling}`];
}

/**
 * The block of `capacity` tasks with which GROUPING fills a node where the user names none. Of all
 * that fit into the grid: first one that divides it, then the most cubic one (the least sum of sides),
 * then the one longest on the last axis, which is the paper's 2 x 2 x 4 for sixteen cores. The whole grid
 * where it fits into a node; a line along its longest side where no such block fits.
 */
export function standardBlock(grid: Shape, capacity: number): Shape {
  if (volumeOf(grid) <= capacity) return grid;
  let best: Shape | undefined;
  for (const block of blocksWithin(grid, capacity)) {
    if (best === undefined || isBetter(grid, block, best)) best = block;
  }
  if (best !== undefined) return best;
  const longest = grid.indexOf(largestOf(grid));
  return grid.map((side, axis) => (axis === longest ? Math.min(side, capacity) : 1));
}

/** All shapes of exactly `volume` that fit into `grid`. */
function* blocksWithin(grid: Shape, volume: number): Iterable<Shape> {
  const [side = 1, ...rest] = grid;
  if (grid.length === 0) {
    if (volume === 1) yield [];
    return;
  }
  if (volumeOf(grid) < volume) return;
  for (let length = 1; length <= Math.min(side, volume); length++) {
    if (volume % length !== 0) continue;
    for (const others of blocksWithin(rest, volume / length)) yield [length, ...others];
  }
}

const divides = (block: Shape, grid: Shape): boolean => grid.every((side, axis) => side % itemAt(block, axis) === 0);

function isBetter(grid: Shape, block: Shape, best: Shape): boolean {
  if (divides(block, grid) !== divides(best, grid)) return divides(block, grid);
  const difference = sumOfSides(block) - sumOfSides(best);
  if (difference !== 0) return difference < 0;
  for (let axis = grid.length - 1; axis >= 0; axis--) {
    if (block[axis] !== best[axis]) return itemAt(block, axis) > itemAt(best, axis);
  }
  return false;
}

const sumOfSides = (sides: Shape): number => sides.reduce((sum, side) => sum + side, 0);
