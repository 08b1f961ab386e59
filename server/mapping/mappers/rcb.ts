import { intAt } from '../../numeric/elements.ts';
import { workPerPoll, type Cancellation } from '../../model/cancellation.ts';
import { cancelled, succeed } from '../../model/result.ts';
import { type AlignedJob, alignJob } from '../stencils/alignment.ts';
import type { MapperEntry } from '../contract.ts';
import { rotateOption, unrotated } from '../stencils/rotation.ts';
import { decodeKeys, encodeSlots, slotKeys, sortDistinct } from '../stencils/slotKeys.ts';
import { selectSmallest } from '../../numeric/selection.ts';

export const rcb: MapperEntry = {
  name: 'rcb',
  summary: 'recursive coordinate bisection: halves the grid and its ranks along the same axis',
  source: 'Bunde et al. 2014, section 3 (RCB)',
  details:
    'Cuts the longest side of the job (ties: x, y, z). An odd side d gives ⌊d/2⌋ planes to the first part. Ranks are cut along the same axis; equal coordinates by the other axes, then by slot.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: (problem, context) => {
    const aligned = alignJob(problem, context);
    if (!aligned.ok) return aligned;
    const job = aligned.value;
    const keys = slotKeys(job.machineSides, job.slotsPerRouter, unrotated(job.sides.length));
    if (!encodeSlots(keys, job.ranks, context.cancellation)) return cancelled();
    const bisection = startBisection(job, keys.keyStrides, keys.count, context.cancellation);
    if (!bisect(bisection, 0, job.ranks.length, 0)) return cancelled();
    const { mapping } = bisection;
    return decodeKeys(keys, mapping, context.cancellation) ? succeed({ mapping, notes: [] }) : cancelled();
  },
};

/** What the recursion works on; ranks are keys with x most significant (`slotKeys`). */
interface Bisection {
  readonly ranks: Int32Array;
  /** Sides of the part of the grid at hand; changed on the way down, restored on the way up. */
  readonly sides: Int32Array;
  readonly taskStrides: Int32Array;
  readonly machineSides: Int32Array;
  readonly keyStrides: Int32Array;
  readonly keyCount: number;
  /** Key of each task. */
  readonly mapping: Int32Array;
  readonly cancellation: Cancellation;
}

const startBisection = (
  job: AlignedJob,
  keyStrides: Int32Array,
  keyCount: number,
  cancellation: Cancellation,
): Bisection => ({
  ranks: job.ranks,
  sides: Int32Array.from(job.sides),
  taskStrides: Int32Array.from(job.strides),
  machineSides: Int32Array.from(job.machineSides),
  keyStrides,
  keyCount,
  mapping: new Int32Array(job.ranks.length),
  cancellation,
});

/** Below this many ranks a part is done without asking whether it is cancelled. */
const pollFrom = 1024;
/** From this many ranks on selecting takes so long that it must be asked on the way. Sorting them all by bits does, and takes no longer. */
const sortFrom = 2 ** 18;

/**
 * Maps the part of the grid with `sides` whose first task is `firstTask` onto
 * `ranks[start … end)`. False if cancelled.
 */
function bisect(work: Bisection, start: number, end: number, firstTask: number): boolean {
  const size = end - start;
  if (size === 1) {
    work.mapping[firstTask] = intAt(work.ranks, start);
    return true;
  }
  if (size >= pollFrom && work.cancellation.isCancelled()) return false;
  const axis = longestAxis(work.sides);
  const side = intAt(work.sides, axis);
  const half = side >> 1;
  const middle = start + (size / side) * half;
  if (!raiseAxis(work, axis, start, end)) return false;
  if (size < sortFrom) selectSmallest(work.ranks, start, end, middle - start);
  else if (!sortDistinct(work.ranks.subarray(start, end), work.keyCount, work.cancellation)) return false;
  if (!lowerAxis(work, axis, start, end)) return false;
  work.sides[axis] = half;
  const first = bisect(work, start, middle, firstTask);
  work.sides[axis] = side - half;
  const second = first && bisect(work, middle, end, firstTask + half * intAt(work.taskStrides, axis));
  work.sides[axis] = side;
  return second;
}

/** The longest side; equal ones x before y before z. */
function longestAxis(sides: Int32Array): number {
  let longest = 0;
  for (let axis = 1; axis < sides.length; axis++) {
    if (intAt(sides, axis) > intAt(sides, longest)) longest = axis;
  }
  return longest;
}

/** Makes `axis` the most significant of the keys in `ranks[start … end)`; the others keep their order. False if cancelled. */
function raiseAxis(work: Bisection, axis: number, start: number, end: number): boolean {
  const [stride, side] = [intAt(work.keyStrides, axis), intAt(work.machineSides, axis)];
  return swapDigits(work, start, end, stride, side, work.keyCount / (stride * side));
}

/** The inverse of {@link raiseAxis}. */
function lowerAxis(work: Bisection, axis: number, start: number, end: number): boolean {
  const [stride, side] = [intAt(work.keyStrides, axis), intAt(work.machineSides, axis)];
  return swapDigits(work, start, end, stride, work.keyCount / (stride * side), side);
}

/**
 * Every key is three digits, `(higher · lowerCount + lower) · stride + rest` with `higher` below `higherCount`: swaps
 * the first two in `ranks[start … end)`. False if cancelled. O(keys).
 */
function swapDigits(
  { ranks, cancellation }: Bisection,
  start: number,
  end: number,
  stride: number,
  lowerCount: number,
  higherCount: number,
): boolean {
  if (lowerCount === 1 || higherCount === 1) return true;
  for (let index = start; index < end; index++) {
    if ((index - start + 1) % workPerPoll === 0 && cancellation.isCancelled()) return false;
    const key = intAt(ranks, index);
    const digits = (key / stride) | 0;
    const higher = (digits / lowerCount) | 0;
    const lower = digits - higher * lowerCount;
    ranks[index] = (lower * higherCount + higher) * stride + (key - digits * stride);
  }
  return true;
}
