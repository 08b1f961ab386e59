/**
 * Slots as numbers in an order along the axes of a grid, for mappers that only sort or select: `slotKeys` says how they are
 * written, `encodeSlots` and `decodeKeys` turn arrays of them in place.
 */
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';

/** Per axis, whether it is counted from its highest coordinate down. */
export type Reversed = readonly boolean[];

/**
 * Numbers that order slots by their coordinates, so that sorting and selecting work on plain
 * typed arrays. A key is a slot written in another mixed radix: the axes of `axes` from the most
 * significant to the least, then the slot within its router. Keys are one to one with slots.
 */
export interface SlotKeys {
  readonly slotsPerRouter: number;
  /** Per axis, most significant first: its side, and its stride in slots and in keys. */
  readonly sides: Int32Array;
  readonly slotStrides: Int32Array;
  readonly keyStrides: Int32Array;
  /** Parallel: whether coordinates count down. */
  readonly reversed: Reversed;
  /** Number of all slots of the machine. */
  readonly count: number;
}

/** Keys in which `axes` (a permutation of all axes) goes from most to least significant, those of `reversed` counted down. */
export function slotKeys(
  machineSides: readonly number[],
  slotsPerRouter: number,
  axes: readonly number[],
  reversed: Reversed = [],
): SlotKeys {
  const strides: number[] = [];
  let count = slotsPerRouter;
  for (const side of machineSides) {
    strides.push(count);
    count *= side;
  }
  let keyStride = count;
  return {
    slotsPerRouter,
    sides: Int32Array.from(axes, (axis) => itemAt(machineSides, axis)),
    slotStrides: Int32Array.from(axes, (axis) => itemAt(strides, axis)),
    keyStrides: Int32Array.from(axes, (axis) => (keyStride /= itemAt(machineSides, axis))),
    reversed: axes.map((axis) => reversed[axis] === true),
    count,
  };
}

/** Replaces each slot by its key, in place; false if cancelled. O(n), and O(dimensions) where the router is another one. */
export const encodeSlots = (keys: SlotKeys, slots: Int32Array, cancellation: Cancellation): boolean =>
  translate(keys, keys.slotStrides, keys.keyStrides, slots, cancellation);

/** The inverse of {@link encodeSlots}. */
export const decodeKeys = (keys: SlotKeys, slots: Int32Array, cancellation: Cancellation): boolean =>
  translate(keys, keys.keyStrides, keys.slotStrides, slots, cancellation);

/** Writes numbers of one radix in another one. Neighbours are mostly slots of one router, whose digits are worked out once. */
function translate(
  { slotsPerRouter, sides, reversed }: SlotKeys,
  fromStrides: Int32Array,
  toStrides: Int32Array,
  numbers: Int32Array,
  cancellation: Cancellation,
): boolean {
  const meter = new WorkMeter(cancellation);
  let lastRouter = -1;
  let first = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = intAt(numbers, index);
    const router = (number / slotsPerRouter) | 0;
    let work = 1;
    if (router !== lastRouter) {
      work += sides.length;
      lastRouter = router;
      first = 0;
      for (let axis = 0; axis < sides.length; axis++) {
        const side = intAt(sides, axis);
        const digit = ((number / intAt(fromStrides, axis)) | 0) % side;
        first += (reversed[axis] === true ? side - 1 - digit : digit) * intAt(toStrides, axis);
      }
    }
    if (meter.isCancelledAfter(work)) return false;
    numbers[index] = first + number - router * slotsPerRouter;
  }
  return true;
}

/** Where so few of the possible numbers are there, they are sorted by comparing. */
const sparse = 1 / 64;

/** Sorts numbers below `count`, all different, in place: marked in a set of bits and read off. False if cancelled. O(n + count / 32). */
export function sortDistinct(numbers: Int32Array, count: number, cancellation: Cancellation): boolean {
  if (numbers.length < sparse * count) {
    numbers.sort();
    return !cancellation.isCancelled();
  }
  const marks = markedIn(numbers, count, cancellation);
  if (marks === undefined) return false;
  const meter = new WorkMeter(cancellation);
  let filled = 0;
  for (let word = 0; word < marks.length; word++) {
    const before = filled;
    for (let left = intAt(marks, word); left !== 0; left &= left - 1) {
      numbers[filled++] = 32 * word + 31 - Math.clz32(left & -left);
    }
    if (meter.isCancelledAfter(1 + filled - before)) return false;
  }
  return true;
}

/** A set of numbers below `count`: bit n % 32 of word ⌊n / 32⌋ is set for each. Undefined if cancelled. */
export function markedIn(numbers: Int32Array, count: number, cancellation: Cancellation): Int32Array | undefined {
  const marks = new Int32Array(Math.ceil(count / 32));
  const meter = new WorkMeter(cancellation);
  for (let index = 0; index < numbers.length; index++) {
    const number = intAt(numbers, index);
    marks[number >> 5] = intAt(marks, number >> 5) | (1 << (number & 31));
    if (meter.isCancelledAfter(1)) return undefined;
  }
  return marks;
}

export const isMarked = (marks: Int32Array, number: number): boolean =>
  ((intAt(marks, number >> 5) >> (number & 31)) & 1) === 1;
