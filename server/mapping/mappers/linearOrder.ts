/**
 * The linear orders of Bunde et al. 2014: tasks and ranks are numbered along the axes, and task k goes to rank k, in
 * one order (`baseline`, `row-major`, `column-major`) or in the best of several (`ordered`).
 */
import { intAt, itemAt } from '../../numeric/elements.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import { type AlignedJob, alignJob, boundingBox, type Extent } from '../stencils/alignment.ts';
import type { MappingAnswer, MappingContext, MappingProblem, MapperEntry } from '../contract.ts';
import { rotateOption, unrotated } from '../stencils/rotation.ts';
import {
  decodeKeys,
  encodeSlots,
  isMarked,
  markedIn,
  slotKeys,
  sortDistinct,
  type Reversed,
} from '../stencils/slotKeys.ts';
import { hopsAreMetric, totalHops, writtenAverage } from '../hopHistogram.ts';
import { formatNumber } from '../../model/quantities.ts';
import { axisName, volumeOf } from '../../model/shape.ts';
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
  details: 'Tasks are numbered with x fastest. Slots are filled node by node in allocation order. Never rotated.',
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
    'Row and column major, each with every set of axes reversed. In three dimensions these are 16 orders. Ranks ' +
    'are reversed and tasks are not. The paper leaves this open; for a symmetric stencil, reversing both gives ' +
    'the same. Of equally good orders, the first is used: row major first, then fewer flips of later axes. ' +
    'Average hops are those of the routing, and count pairs, not bytes. Axes of one rank are not flipped, and ' +
    `neither are mirror-symmetric axes if hops are those of coordinates. With more than ${subsetAxisLimit} axes, only the ` +
    'longest are flipped (fewer, but at least three, for millions of tasks, with a note).',
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
  if (context.cancellation.isCancelled()) return cancelled();
  const job = aligned.value;
  const axes = fastestFirst(job.sides.length);
  const tasks = tasksInOrder(job, axes, context.cancellation);
  const mapping = tasks && mappingInOrder(job, job.ranks, tasks, { axes, reversed: [] }, context.cancellation);
  return mapping === undefined ? cancelled() : succeed({ mapping, notes: [] });
}

/**
 * The k-th of `tasks` on the k-th of `ranks`, which are left in that order; undefined if cancelled. O(n).
 */
function mappingInOrder(
  { machineSides, slotsPerRouter }: AlignedJob,
  ranks: Int32Array,
  tasks: Int32Array,
  { axes, reversed }: Pick<Order, 'axes' | 'reversed'>,
  cancellation: Cancellation,
): Mapping | undefined {
  const keys = slotKeys(machineSides, slotsPerRouter, axes.toReversed(), reversed);
  if (!encodeSlots(keys, ranks, cancellation) || !sortDistinct(ranks, keys.count, cancellation)) return undefined;
  if (!decodeKeys(keys, ranks, cancellation)) return undefined;
  const meter = new WorkMeter(cancellation);
  const mapping = new Int32Array(ranks.length);
  for (let index = 0; index < ranks.length; index++) {
    mapping[intAt(tasks, index)] = intAt(ranks, index);
    if (meter.isCancelledAfter(1)) return undefined;
  }
  return mapping;
}

/** TaskIds of the aligned grid with `axes` counted from the fastest to the slowest; undefined if cancelled. O(n). */
function tasksInOrder(job: AlignedJob, axes: readonly number[], cancellation: Cancellation): Int32Array | undefined {
  const tasks = new Int32Array(job.ranks.length);
  const meter = new WorkMeter(cancellation);
  let filled = 1;
  for (const axis of axes) {
    const planes = itemAt(job.sides, axis);
    const stride = itemAt(job.strides, axis);
    for (let index = filled; index < filled * planes; index++) {
      tasks[index] = intAt(tasks, index - filled) + stride;
      if (meter.isCancelledAfter(1)) return undefined;
    }
    filled *= planes;
  }
  return tasks;
}

/** Axes from the fastest to the slowest in column-major order: y, then x, then z and the rest, as the paper has it. */
export function columnFirst(dimensions: number): readonly number[] {
  return dimensions < 2 ? unrotated(dimensions) : [1, 0, ...unrotated(dimensions).slice(2)];
}

/** The `count` longest axes, ascending; of equal lengths the lower axes. */
export const longestAxes = (lengths: readonly number[], count: number): readonly number[] =>
  longestFirst(lengths)
    .slice(0, count)
    .sort((a, b) => a - b);

const longestFirst = (lengths: readonly number[]): number[] =>
  [...lengths.keys()].sort((a, b) => itemAt(lengths, b) - itemAt(lengths, a) || a - b);

interface Order {
  readonly name: string;
  /** From the fastest axis to the slowest. */
  readonly axes: readonly number[];
  readonly reversed: Reversed;
}

/** Pairs whose hops all orders together count: all flips of three axes for the largest traffic there may be, some twenty seconds. */
const countedPairLimit = 2 ** 30;

function bestOrder(problem: MappingProblem, job: AlignedJob, { cancellation }: MappingContext): Result<MappingAnswer> {
  const box = boundingBox(job, cancellation);
  if (box === undefined) return cancelled();
  const mirrored = hopsAreOfCoordinates(problem.machine) ? mirroredAxes(job, box, cancellation) : [];
  if (mirrored === undefined) return cancelled();
  const lengths = box.map(({ lowest, highest }) => highest - lowest);
  const pairs = problem.job.traffic.partner.length;
  const flips = flippedAxes(lengths, mirrored, pairs);
  const ranks = job.ranks.slice();
  let best: { readonly total: number; readonly order: Order; readonly mapping: Mapping } | undefined;
  for (const { name, axes } of majorsOf(lengths.length)) {
    const tasks = tasksInOrder(job, axes, cancellation);
    if (tasks === undefined) return cancelled();
    for (const reversed of flipsOf(lengths.length, flips.axes)) {
      if (cancellation.isCancelled()) return cancelled();
      const order = { name, axes, reversed };
      const mapping = mappingInOrder(job, ranks, tasks, order, cancellation);
      if (mapping === undefined) return cancelled();
      const total = totalHops(problem, mapping, cancellation, tasks);
      if (total === undefined) return cancelled();
      if (best === undefined || total < best.total) best = { total, order, mapping };
    }
  }
  if (best === undefined) throw new Error('There is at least one order.');
  const average = writtenAverage(best.total, problem.job.traffic);
  return succeed({
    mapping: best.mapping,
    notes: [
      `ordered took ${describeOrder(best.order)}: ${average} average hops.`,
      ...(flips.left.length === 0
        ? []
        : [
            `\`ordered\` did not flip ${flips.left.map((axis) => axisName(axis)).join(', ')}, the shortest axes: with ${formatNumber(pairs)} pairs it tries at most ${2 ** (flips.axes.length + 1)} orders.`,
          ]),
    ],
  });
}

const majorsOf = (dimensions: number): readonly Pick<Order, 'name' | 'axes'>[] =>
  [
    { name: 'row major', axes: unrotated(dimensions) },
    { name: 'column major', axes: columnFirst(dimensions) },
  ].slice(0, dimensions < 2 ? 1 : 2);

/** Every set of `axes` backwards, fewer of the later ones first. */
function* flipsOf(dimensions: number, axes: readonly number[]): Iterable<Reversed> {
  for (let flips = 0; flips < 2 ** axes.length; flips++) {
    const reversed = new Array<boolean>(dimensions).fill(false);
    axes.forEach((axis, bit) => (reversed[axis] = ((flips >> bit) & 1) === 1));
    yield reversed;
  }
}

/** Axes whose flips are tried, and those that would be if there were not so many pairs to count. */
function flippedAxes(
  lengths: readonly number[],
  mirrored: readonly number[],
  pairs: number,
): { readonly axes: readonly number[]; readonly left: readonly number[] } {
  const flippable = longestAxes(lengths, subsetAxisLimit).filter(
    (axis) => itemAt(lengths, axis) > 0 && !mirrored.includes(axis),
  );
  const affordable = Math.floor(Math.log2(countedPairLimit / majorsOf(lengths.length).length / Math.max(pairs, 1)));
  const left = longestFirst(lengths)
    .filter((axis) => flippable.includes(axis))
    .slice(affordable);
  return { axes: flippable.filter((axis) => !left.includes(axis)), left };
}

/**
 * Axes along which the ranks are their own mirror image, each slot of a router as well. Flipping one takes the whole mapping to its mirror image,
 * where all hops are the same if they are those of coordinates: so it is no better. Undefined if cancelled. O(n · dimensions).
 */
function mirroredAxes(
  { ranks, machineSides, slotsPerRouter }: AlignedJob,
  box: readonly Extent[],
  cancellation: Cancellation,
): readonly number[] | undefined {
  const marks = markedIn(ranks, volumeOf(machineSides) * slotsPerRouter, cancellation);
  if (marks === undefined) return undefined;
  const meter = new WorkMeter(cancellation);
  const mirrored: number[] = [];
  let stride = slotsPerRouter;
  for (const [axis, { lowest, highest }] of box.entries()) {
    const side = itemAt(machineSides, axis);
    let isMirrored = true;
    for (let rank = 0; isMirrored && rank < ranks.length; rank++) {
      const slot = intAt(ranks, rank);
      const coordinate = ((slot / stride) | 0) % side;
      isMirrored = isMarked(marks, slot + (lowest + highest - 2 * coordinate) * stride);
      if (meter.isCancelledAfter(1)) return undefined;
    }
    if (isMirrored) mirrored.push(axis);
    stride *= side;
  }
  return mirrored;
}

const hopsAreOfCoordinates = (machine: Machine): boolean => machine.rails === undefined && hopsAreMetric(machine);

function describeOrder({ name, reversed }: Order): string {
  const backwards = reversed.flatMap((isReversed, axis) => (isReversed ? [axisName(axis)] : []));
  return backwards.length === 0 ? name : `${name} with ${backwards.join(', ')} backwards`;
}
