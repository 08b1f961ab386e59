import { intAt, itemAt } from '../../numeric/elements.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { alignJob } from '../stencils/alignment.ts';
import {
  rankPoints,
  taskPoints,
  pairedOrders,
  cornerOrder,
  type GridPoints,
  type Reversed,
} from '../stencils/gridPoints.ts';
import { rotateOption } from '../stencils/rotation.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { longestAxes, subsetAxisLimit } from './linearOrder.ts';

export const corner: MapperEntry = {
  name: 'corner',
  summary: 'orders tasks and ranks by their distance from one corner',
  source: 'Bunde et al. 2014, section 3 (CORNER)',
  details:
    'Manhattan distance from the corner with the lowest coordinates; ties by z, then y, then x, lower ones first, and ' +
    'ranks with equal coordinates by their slot. Distances know nothing of the wrap of a torus, as in the paper.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: (problem, context) => {
    const aligned = alignJob(problem, context);
    if (!aligned.ok) return aligned;
    const tasks = taskPoints(aligned.value);
    const ranks = rankPoints(aligned.value);
    if (context.cancellation.isCancelled()) return cancelled();
    const taskOrder = cornerOrder(tasks, []);
    const rankOrder = cornerOrder(ranks, []);
    return succeed({ mapping: pairedOrders(tasks, taskOrder, ranks, rankOrder), notes: [] });
  },
};

export const allCorners: MapperEntry = {
  name: 'all-corners',
  summary: 'grows from all corners in turn',
  source: 'Bunde et al. 2014, section 3 (ALLCORNERS)',
  details:
    'Each corner in turn takes the nearest task, and the nearest rank, that is left; Manhattan distance, ties as in ' +
    '`corner`. The paper names the first four corners, (0, 0, 0), (0, y, 0), (x, y, 0), (x, 0, 0); the next four, ' +
    'which it leaves open, are the same four at the highest z, and so on for further axes; in one dimension the ends take ' +
    `turns. Of more than ${subsetAxisLimit} axes only the longest have corners (of fewer for millions of tasks).`,
  options: [rotateOption],
  complexity: 'O(2^d n log n)',
  scaling: 'linear',
  map: (problem, context) => {
    const aligned = alignJob(problem, context);
    if (!aligned.ok) return aligned;
    const tasks = taskPoints(aligned.value);
    const ranks = rankPoints(aligned.value);
    const corners = cornersOf(tasks, ranks);
    const taskOrder = cornersInTurn(tasks, corners, context.cancellation);
    const rankOrder = taskOrder && cornersInTurn(ranks, corners, context.cancellation);
    if (!taskOrder || !rankOrder) return cancelled();
    return succeed({ mapping: pairedOrders(tasks, taskOrder, ranks, rankOrder), notes: [] });
  },
};

/** Points in the orders of all corners together: 128 MiB, enough for eight corners of the largest machine. */
const orderedPointLimit = 2 ** 25;

/** Corners of both bounding boxes in the order in which they take turns. */
function cornersOf(tasks: GridPoints, ranks: GridPoints): readonly Reversed[] {
  const lengths = tasks.highest.map((length, axis) => Math.max(length, itemAt(ranks.highest, axis)));
  const affordable = Math.floor(Math.log2(orderedPointLimit / tasks.ids.length));
  const axes = longestAxes(lengths, Math.min(subsetAxisLimit, affordable));
  return Array.from({ length: 2 ** axes.length }, (_, turn) => {
    const high = lengths.map(() => false);
    axes.forEach((axis, index) => {
      high[axis] = axes.length === 1 ? turn === 1 : isHigh(index, turn);
    });
    return high;
  });
}

/**
 * Whether a corner is high on the first (x), second (y), … of its axes: 00, 01, 11, 10, then the same with higher
 * axes.
 */
function isHigh(index: number, turn: number): boolean {
  if (index === 0) return (turn & 2) !== 0;
  if (index === 1) return ((turn + 1) & 2) !== 0;
  return ((turn >> index) & 1) === 1;
}

/** Each corner in turn takes the point that is first in its order of those left; undefined if cancelled. */
function cornersInTurn(
  points: GridPoints,
  corners: readonly Reversed[],
  cancellation: Cancellation,
): Int32Array | undefined {
  const orders: Int32Array[] = [];
  for (const corner of corners) {
    if (cancellation.isCancelled()) return undefined;
    orders.push(cornerOrder(points, corner));
  }
  const next = new Int32Array(corners.length);
  const isTaken = new Uint8Array(points.ids.length);
  return Int32Array.from(points.ids, (_, index) => {
    const corner = index % corners.length;
    const order = itemAt(orders, corner);
    let position = intAt(next, corner);
    while (isTaken[intAt(order, position)] === 1) position++;
    next[corner] = position + 1;
    isTaken[intAt(order, position)] = 1;
    return intAt(order, position);
  });
}
