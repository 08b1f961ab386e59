import type { GridPoints } from './gridPoints.ts';

/** Per axis, whether it is counted from its highest coordinate down. */
export type Reversed = readonly boolean[];

/**
 * Points numbered with `axes` from the fastest to the slowest, some of them backwards; points with
 * equal coordinates by their id. A stable counting sort per axis: O(n · dimensions).
 */
export function linearOrder(points: GridPoints, axes: readonly number[], reversed: Reversed): Int32Array {
  let order = Int32Array.from(points.ids, (_, point) => point);
  for (const axis of axes) {
    if (points.highest[axis]! > 0) {
      order = sortedBy(order, positionsFrom(points, axis, reversed[axis] === true), points.highest[axis]!);
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
    for (let point = 0; point < distance.length; point++) distance[point]! += positions[point]!;
    farthest += points.highest[axis]!;
  }
  return sortedBy(
    Int32Array.from(distance, (_, point) => point),
    distance,
    farthest,
  );
}

function positionsFrom({ coordinates, highest }: GridPoints, axis: number, reversed: boolean): Int32Array {
  const positions = coordinates[axis]!;
  const end = highest[axis]!;
  return reversed ? positions.map((position) => end - position) : positions;
}

/** Points of `order` by `values` from 0 to `highest`; equal ones keep their order. */
function sortedBy(order: Int32Array, values: Int32Array, highest: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(highest + 2);
  for (const value of values) next[value + 1]! += 1;
  for (let value = 0; value <= highest; value++) next[value + 1]! += next[value]!;
  const sorted = new Int32Array(order.length);
  for (const point of order) sorted[next[values[point]!]!++] = point;
  return sorted;
}
