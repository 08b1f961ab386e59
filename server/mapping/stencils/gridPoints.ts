/**
 * Tasks and ranks as points of a grid, numbered in orders along its axes; and slots as numbers in such an order
 * (`SlotKeys`), for mappers that only sort or select.
 */
import { intAt, itemAt } from '../../numeric/elements.ts';
import type { AlignedJob } from './alignment.ts';
import type { Mapping } from '../../model/placement.ts';
import { groupedBy, sortedByKey } from '../../numeric/grouping.ts';

/**
 * The tasks of a grid, or the ranks they go to, with their coordinates. Points are sorted by the
 * last axis, …, then y, then x, then by id, so that wherever the paper breaks ties by z, then y, then
 * x, the point with the lower index comes first.
 */
export interface GridPoints {
  /** TaskIds or SlotIds. */
  readonly ids: Int32Array;
  /** `coordinates[axis][point]`, counted from the lowest of all points: from the paper's basepoint. */
  readonly coordinates: readonly Int32Array[];
  /** The highest coordinate on each axis. */
  readonly highest: readonly number[];
}

/** Tasks of the turned grid. O(n · dimensions). */
export function taskPoints({ sides, strides, ranks }: AlignedJob): GridPoints {
  const ids = new Int32Array(ranks.length);
  let filled = 1;
  const coordinates = sides.map(() => new Int32Array(ids.length));
  for (let axis = 0; axis < sides.length; axis++) {
    const volume = filled;
    filled *= itemAt(sides, axis);
    for (let point = volume; point < filled; point++) ids[point] = intAt(ids, point - volume) + itemAt(strides, axis);
    for (let point = 0; point < ids.length; point++) {
      itemAt(coordinates, axis)[point] = Math.floor(point / volume) % itemAt(sides, axis);
    }
  }
  return { ids, coordinates, highest: sides.map((side) => side - 1) };
}

/** The ranks in their bounding box, which does not know of the wrap of a torus. O(n log n). */
export function rankPoints({ ranks, machineSides, slotsPerRouter }: AlignedJob): GridPoints {
  const lastAxisFirst = machineSides.map((_, axis) => machineSides.length - 1 - axis);
  const keys = slotKeys(machineSides, slotsPerRouter, lastAxisFirst);
  const ids = ranks.slice();
  encodeSlots(keys, ids);
  ids.sort();
  const coordinates = machineSides.map((side, axis) => {
    const stride = intAt(keys.keyStrides, machineSides.length - 1 - axis);
    return ids.map((key) => Math.floor(key / stride) % side);
  });
  return {
    ids: ids.map((key) => slotOfKey(keys, key)),
    coordinates,
    highest: coordinates.map((positions) => countFromLowest(positions)),
  };
}

/** Subtracts the lowest from all; returns the highest that is left. */
function countFromLowest(positions: Int32Array): number {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const position of positions) {
    if (position < lowest) lowest = position;
    if (position > highest) highest = position;
  }
  for (let point = 0; point < positions.length; point++) positions[point] = intAt(positions, point) - lowest;
  return highest - lowest;
}

/** Per axis, whether it is counted from its highest coordinate down. */
export type Reversed = readonly boolean[];

/**
 * Points numbered with `axes` from the fastest to the slowest, some of them backwards; points with
 * equal coordinates by their id. A stable counting sort per axis: O(n · dimensions).
 */
export function linearOrder(points: GridPoints, axes: readonly number[], reversed: Reversed): Int32Array {
  let order = Int32Array.from(points.ids, (_, point) => point);
  for (const axis of axes) {
    if (itemAt(points.highest, axis) > 0) {
      order = sortedByKey(
        order,
        positionsFrom(points, axis, reversed[axis] === true),
        itemAt(points.highest, axis) + 1,
      );
    }
  }
  return order;
}

/**
 * Points by their Manhattan distance from a corner of their bounding box, the one with the highest
 * coordinate on the axes of `high`; ties by the last axis, …, then y, then x. From the same corner of
 * the machine the order is the same: it is as much farther from every point. O(n · dimensions).
 */
export function cornerOrder(points: GridPoints, high: Reversed): Int32Array {
  const distance = new Int32Array(points.ids.length);
  let farthest = 0;
  for (let axis = 0; axis < points.highest.length; axis++) {
    if (points.highest[axis] === 0) continue;
    const positions = positionsFrom(points, axis, high[axis] === true);
    for (let point = 0; point < distance.length; point++)
      distance[point] = intAt(distance, point) + intAt(positions, point);
    farthest += itemAt(points.highest, axis);
  }
  return groupedBy(distance, farthest + 1).members;
}

function positionsFrom({ coordinates, highest }: GridPoints, axis: number, reversed: boolean): Int32Array {
  const positions = itemAt(coordinates, axis);
  const end = itemAt(highest, axis);
  return reversed ? positions.map((position) => end - position) : positions;
}

/**
 * The mapping of the k-th task of one order to the k-th rank of another; orders are of indices into the points. O(n).
 */
export function pairedOrders(
  tasks: GridPoints,
  taskOrder: Int32Array,
  ranks: GridPoints,
  rankOrder: Int32Array,
): Mapping {
  const mapping = new Int32Array(taskOrder.length);
  for (let index = 0; index < mapping.length; index++) {
    mapping[intAt(tasks.ids, intAt(taskOrder, index))] = intAt(ranks.ids, intAt(rankOrder, index));
  }
  return mapping;
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
