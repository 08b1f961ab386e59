import { inStretches, type Cancellation } from '../../model/cancellation.ts';
import { groupedBy } from '../../numeric/grouping.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';
import type { AlignedJob } from './alignment.ts';
import { decodeKeys, encodeSlots, slotKeys, sortDistinct, type Reversed } from './slotKeys.ts';

/**
 * The ranks by their places: a cell is a router, with all ranks that it has. Cells are sorted by the last axis, …, then y, then x,
 * so that wherever Bunde et al. break ties by z, then y, then x, the cell with the lower index comes first. Mappers that look
 * at cells instead of ranks take a router of 48 cores as one point.
 */
export interface RankCells {
  /** SlotIds of the ranks, cell by cell, ascending in each. */
  readonly slots: Int32Array;
  /** The ranks of cell c are those from `firstRank[c]` up to, not including, `firstRank[c + 1]`. */
  readonly firstRank: Int32Array;
  readonly count: number;
  /** `coordinates[axis][cell]`, counted from the lowest of all cells: from the paper's basepoint. */
  readonly coordinates: readonly Int32Array[];
  /** The highest coordinate on each axis. */
  readonly highest: readonly number[];
}

/**
 * The cells of a job's ranks, whose order they take over, in their bounding box, which does not know of the wrap of a torus.
 * Undefined if cancelled. O(n + cells · dimensions).
 */
export function rankCells(
  { ranks, machineSides, slotsPerRouter }: AlignedJob,
  cancellation: Cancellation,
): RankCells | undefined {
  const lastAxisFirst = machineSides.map((_, axis) => machineSides.length - 1 - axis);
  const keys = slotKeys(machineSides, slotsPerRouter, lastAxisFirst);
  if (!encodeSlots(keys, ranks, cancellation) || !sortDistinct(ranks, keys.count, cancellation)) return undefined;
  const firstRank = firstRanksOfCells(ranks, slotsPerRouter, cancellation);
  if (firstRank === undefined) return undefined;
  const count = firstRank.length - 1;
  const coordinates = machineSides.map((side, axis) => {
    const stride = intAt(keys.keyStrides, machineSides.length - 1 - axis);
    const positions = new Int32Array(count);
    inStretches(count, cancellation, (begin, end) => {
      for (let cell = begin; cell < end; cell++)
        positions[cell] = ((intAt(ranks, intAt(firstRank, cell)) / stride) | 0) % side;
    });
    return positions;
  });
  if (cancellation.isCancelled()) return undefined;
  const highest = coordinates.map((positions) => countFromLowest(positions));
  return decodeKeys(keys, ranks, cancellation) ? { slots: ranks, firstRank, count, coordinates, highest } : undefined;
}

/** Where the ranks of each cell begin, of keys in their order, and where the last ones end. Undefined if cancelled. O(n). */
function firstRanksOfCells(
  keys: Int32Array,
  slotsPerRouter: number,
  cancellation: Cancellation,
): Int32Array | undefined {
  let count = 0;
  const counted = inStretches(keys.length, cancellation, (begin, end) => {
    for (let rank = begin; rank < end; rank++) if (isFirstOfCell(keys, rank, slotsPerRouter)) count++;
  });
  if (!counted) return undefined;
  const firstRank = new Int32Array(count + 1).fill(keys.length);
  let cell = 0;
  const found = inStretches(keys.length, cancellation, (begin, end) => {
    for (let rank = begin; rank < end; rank++) if (isFirstOfCell(keys, rank, slotsPerRouter)) firstRank[cell++] = rank;
  });
  return found ? firstRank : undefined;
}

const isFirstOfCell = (keys: Int32Array, rank: number, slotsPerRouter: number): boolean =>
  rank === 0 || ((intAt(keys, rank) / slotsPerRouter) | 0) !== ((intAt(keys, rank - 1) / slotsPerRouter) | 0);

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

/**
 * Cells by their Manhattan distance from a corner of their bounding box, the one with the highest
 * coordinate on the axes of `high`; ties by the last axis, …, then y, then x. From the same corner of
 * the machine the order is the same: it is as much farther from every cell. O(cells · dimensions).
 */
export function cellsFromCorner({ coordinates, highest, count }: RankCells, high: Reversed): Int32Array {
  const distance = new Int32Array(count);
  let farthest = 0;
  for (let axis = 0; axis < highest.length; axis++) {
    const end = itemAt(highest, axis);
    if (end === 0) continue;
    const positions = itemAt(coordinates, axis);
    const isHigh = high[axis] === true;
    for (let cell = 0; cell < count; cell++) {
      const position = intAt(positions, cell);
      distance[cell] = intAt(distance, cell) + (isHigh ? end - position : position);
    }
    farthest += end;
  }
  return groupedBy(distance, farthest + 1).members;
}
