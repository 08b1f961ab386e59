import { intAt, itemAt } from '../../numeric/elements.ts';
import type { OptionSpecification, OptionValues } from '../../model/catalogue.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Mapping } from '../../model/placement.ts';
import type { Traffic } from '../../model/traffic.ts';
import type { MappingProblem } from '../contract.ts';
import { addToHistogram, emptyHistogram } from '../hopHistogram.ts';

/** Option of every mapper that turns the job's grid before it places it. */
export const rotateOption: OptionSpecification = {
  name: 'rotate',
  summary: 'whether the axes of the job may be exchanged so that its long sides lie along the long sides of its nodes',
  kind: 'choice',
  choices: ['yes', 'no'],
  default: 'yes',
};

export const rotates = (options: OptionValues): boolean => options['rotate'] !== 'no';

/** The job as it is: axis a of the grid lies along axis a of the machine. */
export const unrotated = (dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, axis) => axis);

/**
 * Which axis of the job lies along each axis of the machine: the "Rotations" step of Bunde et
 * al. 2014, section 3. The job is turned only where the orders of the lengths strictly conflict
 * (the job longer in x than in y, its nodes longer in y than in x), and then with the
 * permutation that moves the fewest axes; equal numbers of moves keep the lower axes.
 *
 * There is no conflict left exactly if the job's lengths, sorted, are dealt in ascending order
 * to the groups of axes with equal box length. That fixes which lengths each group gets, so an
 * axis may stay wherever its own length is among them. O(d²) for d axes, never d!: a hypercube
 * has many.
 *
 * @param lengths sides of the job, padded with 1 to the dimensions of `box`
 * @param box sides of the bounding box of the used ranks
 */
export function rotationFor(lengths: ArrayLike<number>, box: ArrayLike<number>): readonly number[] {
  const dimensions = lengths.length;
  const axesByBox = unrotated(dimensions).toSorted((a, b) => box[a]! - box[b]! || a - b);
  const ascending = Array.from(lengths).sort((a, b) => a - b);
  const source = new Array<number>(dimensions).fill(-1);
  /** Length that each moved axis must receive; undefined where the axis stays. */
  const wanted = new Array<number | undefined>(dimensions).fill(undefined);
  for (let start = 0; start < dimensions;) {
    let end = start + 1;
    while (end < dimensions && box[itemAt(axesByBox, end)] === box[itemAt(axesByBox, start)]) end++;
    dealToGroup(lengths, axesByBox.slice(start, end), ascending.slice(start, end), source, wanted);
    start = end;
  }
  takeFromElsewhere(lengths, wanted, source);
  return source;
}

/** Keeps the axes of one group whose own length the group gets; leaves the other lengths to the rest. */
function dealToGroup(
  lengths: ArrayLike<number>,
  group: readonly number[],
  share: number[],
  source: number[],
  wanted: (number | undefined)[],
): void {
  for (const axis of group) {
    const own = share.indexOf(lengths[axis]!);
    if (own < 0) continue;
    share.splice(own, 1);
    source[axis] = axis;
  }
  for (const axis of group) {
    if (source[axis] === -1) wanted[axis] = share.shift();
  }
}

/** Gives each moved axis the lowest unused axis of the job that has the wanted length. */
function takeFromElsewhere(
  lengths: ArrayLike<number>,
  wanted: readonly (number | undefined)[],
  source: number[],
): void {
  const used = new Set(source);
  for (let axis = 0; axis < source.length; axis++) {
    if (source[axis] !== -1) continue;
    let candidate = 0;
    while (used.has(candidate) || lengths[candidate] !== wanted[axis]) candidate++;
    source[axis] = candidate;
    used.add(candidate);
  }
}

/**
 * Numbers that order slots by their coordinates, so that sorting and selecting work on plain
 * typed arrays. A key is a slot written in another mixed radix: the axes of `axes` from the most
 * significant to the least, then the slot within its router. Keys are one to one with slots.
 */
interface SlotKeys {
  readonly slotsPerRouter: number;
  /** Per axis, most significant first: its side, and its stride in slots and in keys. */
  readonly sides: Int32Array;
  readonly slotStrides: Int32Array;
  readonly keyStrides: Int32Array;
  /** Number of all slots of the machine. */
  readonly count: number;
}

/** Keys in which `axes` (a permutation of all axes) goes from most to least significant. */
export function slotKeys(machineSides: readonly number[], slotsPerRouter: number, axes: readonly number[]): SlotKeys {
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
    count,
  };
}

/** Replaces each slot by its key, in place. O(n · dimensions). */
export function encodeSlots(keys: SlotKeys, slots: Int32Array): void {
  for (let index = 0; index < slots.length; index++) {
    const slot = intAt(slots, index);
    let key = slot % keys.slotsPerRouter;
    for (let axis = 0; axis < keys.sides.length; axis++) {
      const coordinate = ((slot / intAt(keys.slotStrides, axis)) | 0) % intAt(keys.sides, axis);
      key += coordinate * intAt(keys.keyStrides, axis);
    }
    slots[index] = key;
  }
}

/** The slot of a key: the inverse of {@link encodeSlots} for one of them. O(dimensions). */
export function slotOfKey(keys: SlotKeys, key: number): number {
  let slot = key % keys.slotsPerRouter;
  for (let axis = 0; axis < keys.sides.length; axis++) {
    const coordinate = ((key / intAt(keys.keyStrides, axis)) | 0) % intAt(keys.sides, axis);
    slot += coordinate * intAt(keys.slotStrides, axis);
  }
  return slot;
}

/**
 * Hops of all ordered pairs that communicate, together: the average hops of Bunde et al. 2014 (section
 * 4.5) times a constant. Every pair counts once, however many bytes it sends. Undefined where it was
 * cancelled. O(pairs).
 */
export function totalHops(
  { machine, job }: MappingProblem,
  mapping: Mapping,
  cancellation: Cancellation,
): number | undefined {
  const profile = emptyHistogram();
  if (!addToHistogram(profile, machine, job.traffic, mapping, cancellation)) return undefined;
  return profile.pairs.reduce((sum, pairs, hops) => sum + pairs * hops, 0);
}

/** Average hops as messages write them: `1.25`. */
export function writtenAverage(total: number, { partner }: Traffic): string {
  return partner.length === 0 ? '0' : String(Number((total / partner.length).toFixed(3)));
}
