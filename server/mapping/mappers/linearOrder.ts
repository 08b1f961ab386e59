/**
 * The linear orders of Bunde et al. 2014: tasks and ranks are numbered along the axes, and task k goes to rank k, in
 * one order (`baseline`, `row-major`, `column-major`) or in the best of several (`ordered`).
 */
import { intAt, itemAt } from '../../numeric/elements.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import { type AlignedJob, alignJob } from '../stencils/alignment.ts';
import type { MappingAnswer, MappingContext, MappingProblem, MapperEntry } from '../contract.ts';
import { rotateOption, unrotated } from '../stencils/rotation.ts';
import {
  encodeSlots,
  slotKeys,
  slotOfKey,
  rankPoints,
  taskPoints,
  pairedOrders,
  linearOrder,
  type Reversed,
} from '../stencils/gridPoints.ts';
import { totalHops, writtenAverage } from '../hopHistogram.ts';
import { axisName } from '../../model/shape.ts';
import type { Mapping } from '../../model/placement.ts';

/**
 * Mappers that do something for every subset of the axes do it for at most this many: three in the
 * paper, but a hypercube has as many axes as its number of routers has bits.
 */
export const subsetAxisLimit = 6;

/** What schedulers do by themselves, and what every other mapper is compared with. */
export const baseline: MapperEntry = {
  name: 'baseline',
  summary: 'task i on the i-th slot in the order of the allocation, as schedulers do',
  source: 'Bunde et al. 2014, section 2 (BASELINE)',
  details: 'Tasks are numbered with x fastest; slots go node by node in the order of the allocator. Never rotated.',
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  map: ({ job, slots }) => succeed({ mapping: slots.slice(0, job.taskCount), notes: [] }),
};

export const rowMajor: MapperEntry = {
  name: 'row-major',
  summary: 'tasks and ranks both numbered with x fastest, then y, then z',
  source: 'Bunde et al. 2014, section 3 (ROWMAJOR)',
  details:
    'Ranks with equal coordinates are ordered by their slot. Rotated first, without regard to the wrap of a torus.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: (problem, context) => mapInLinearOrder(problem, context, unrotated),
};

export const columnMajor: MapperEntry = {
  name: 'column-major',
  summary: 'tasks and ranks both numbered with y fastest, then x, then z',
  source: 'Bunde et al. 2014, section 3 (COLMAJOR)',
  details:
    'Ranks with equal coordinates are ordered by their slot. Rotated first, without regard to the wrap of a torus.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: (problem, context) => mapInLinearOrder(problem, context, columnFirst),
};

export const ordered: MapperEntry = {
  name: 'ordered',
  summary: 'tries row- and column-major orders with every flip and keeps the fewest average hops',
  source: 'Bunde et al. 2014, section 3 (ORDERED)',
  details:
    'Row and column major, each with every set of axes traversed backwards: 16 orders in three dimensions. The ranks are ' +
    'traversed backwards and the tasks are not; the paper leaves that open, and for a symmetric stencil it is the same ' +
    'to traverse both so. The first of equally good orders is kept, row major before column major and fewer flips of ' +
    'later axes first. Average hops are those of the routing, and count pairs, not bytes. Axes along which the ranks do not extend are not flipped, ' +
    `nor, of more than ${subsetAxisLimit} axes, any but the longest.`,
  options: [rotateOption],
  complexity: 'O(2^d n (log n + degree))',
  scaling: 'linear',
  map: (problem, context) => {
    const aligned = alignJob(problem, context);
    return aligned.ok ? bestOrder(problem, aligned.value, context) : aligned;
  },
};

/**
 * The linear algorithms of section 3: tasks and ranks are numbered in the same order of axes, and task k goes to rank
 * k. Ranks with equal coordinates go by their slot.
 *
 * @param fastestFirst all axes, the one that varies fastest first
 */
function mapInLinearOrder(
  problem: MappingProblem,
  context: MappingContext,
  fastestFirst: (dimensions: number) => readonly number[],
): Result<MappingAnswer> {
  const aligned = alignJob(problem, context);
  if (!aligned.ok) return aligned;
  const job = aligned.value;
  const axes = fastestFirst(job.sides.length);
  const keys = slotKeys(job.machineSides, job.slotsPerRouter, axes.toReversed());
  const ordered = job.ranks;
  encodeSlots(keys, ordered);
  if (context.cancellation.isCancelled()) return cancelled();
  ordered.sort();
  const tasks = tasksInOrder(job, axes);
  const mapping = new Int32Array(ordered.length);
  for (let index = 0; index < ordered.length; index++)
    mapping[intAt(tasks, index)] = slotOfKey(keys, intAt(ordered, index));
  return succeed({ mapping, notes: [] });
}

/** TaskIds of the aligned grid with `axes` counted from the fastest to the slowest. O(n). */
function tasksInOrder(job: AlignedJob, axes: readonly number[]): Int32Array {
  const tasks = new Int32Array(job.ranks.length);
  let filled = 1;
  for (const axis of axes) {
    const planes = itemAt(job.sides, axis);
    const stride = itemAt(job.strides, axis);
    for (let index = filled; index < filled * planes; index++) tasks[index] = intAt(tasks, index - filled) + stride;
    filled *= planes;
  }
  return tasks;
}

/** Axes from the fastest to the slowest in column-major order: y, then x, then z and the rest, as the paper has it. */
export function columnFirst(dimensions: number): readonly number[] {
  return dimensions < 2 ? unrotated(dimensions) : [1, 0, ...unrotated(dimensions).slice(2)];
}

/** The `count` longest axes, ascending; of equal lengths the lower axes. */
export function longestAxes(lengths: readonly number[], count: number): readonly number[] {
  return [...lengths.keys()]
    .sort((a, b) => itemAt(lengths, b) - itemAt(lengths, a) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}

interface Order {
  readonly name: string;
  /** From the fastest axis to the slowest. */
  readonly axes: readonly number[];
  readonly reversed: Reversed;
}

function bestOrder(problem: MappingProblem, job: AlignedJob, { cancellation }: MappingContext): Result<MappingAnswer> {
  const tasks = taskPoints(job);
  const ranks = rankPoints(job);
  let best: { readonly total: number; readonly order: Order; readonly mapping: Mapping } | undefined;
  for (const order of ordersFor(ranks.highest)) {
    if (cancellation.isCancelled()) return cancelled();
    const taskOrder = linearOrder(tasks, order.axes, []);
    const mapping = pairedOrders(tasks, taskOrder, ranks, linearOrder(ranks, order.axes, order.reversed));
    const total = totalHops(problem, mapping, cancellation);
    if (total === undefined) return cancelled();
    if (best === undefined || total < best.total) best = { total, order, mapping };
  }
  if (best === undefined) throw new Error('There is at least one order.');
  const average = writtenAverage(best.total, problem.job.traffic);
  return succeed({
    mapping: best.mapping,
    notes: [`ordered took ${describe(best.order)}: ${average} average hops.`],
  });
}

function* ordersFor(lengths: readonly number[]): Iterable<Order> {
  const dimensions = lengths.length;
  const flippable = longestAxes(lengths, subsetAxisLimit).filter((axis) => itemAt(lengths, axis) > 0);
  const majors = [
    { name: 'row major', axes: unrotated(dimensions) },
    { name: 'column major', axes: columnFirst(dimensions) },
  ];
  for (const { name, axes } of dimensions < 2 ? majors.slice(0, 1) : majors) {
    for (let flips = 0; flips < 2 ** flippable.length; flips++) {
      const reversed = lengths.map(() => false);
      flippable.forEach((axis, bit) => (reversed[axis] = ((flips >> bit) & 1) === 1));
      yield { name, axes, reversed };
    }
  }
}

function describe({ name, reversed }: Order): string {
  const backwards = reversed.flatMap((isReversed, axis) => (isReversed ? [axisName(axis)] : []));
  return backwards.length === 0 ? name : `${name} with ${backwards.join(', ')} backwards`;
}
