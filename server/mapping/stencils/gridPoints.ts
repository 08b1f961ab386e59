import { intAt, itemAt } from '../../numeric/elements.ts';
import type { AlignedJob } from './alignment.ts';
import { encodeSlots, slotKeys, slotOfKey } from './rotation.ts';
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
  for (let point = 0; point < positions.length; point++) positions[point]! -= lowest;
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
    for (let point = 0; point < distance.length; point++) distance[point]! += intAt(positions, point);
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
