/**
 * Counting sorts over typed arrays, and the compressed rows that they make: of row r the entries are
 * those from `start[r]` up to, not including, `start[r + 1]`. All are stable.
 */
import { intAt } from './elements.ts';

/** Indices in compressed rows: `members[start[g]] … members[start[g + 1] − 1]` have group g. */
export interface Groups {
  /** Length groups + 1. */
  readonly start: Int32Array<ArrayBuffer>;
  readonly members: Int32Array<ArrayBuffer>;
}

/**
 * The indices of `groupOf` by the group that each has, 0 … groupCount − 1, ascending within a group. O(length +
 * groups).
 */
export function groupedBy(groupOf: ArrayLike<number>, groupCount: number): Groups {
  const start = groupStarts(groupOf, groupCount);
  const next = start.slice();
  const members = new Int32Array(groupOf.length);
  for (let index = 0; index < members.length; index++) members[next[groupOf[index]!]!++] = index;
  return { start, members };
}

/**
 * Where each group would start if the indices of `groupOf` were sorted by group; length groupCount + 1. O(length +
 * groups).
 */
export function groupStarts(groupOf: ArrayLike<number>, groupCount: number): Int32Array<ArrayBuffer> {
  const start = new Int32Array(groupCount + 1);
  for (let index = 0; index < groupOf.length; index++) start[groupOf[index]! + 1]! += 1;
  return accumulated(start);
}

/**
 * Adds to every entry all those before it, in place: counts that stand one entry late become the starts of rows.
 * O(length).
 */
export function accumulated<Counts extends Int32Array>(counts: Counts): Counts {
  for (let index = 1; index < counts.length; index++) counts[index]! += counts[index - 1]!;
  return counts;
}

/** The indices `order` by `keys[index]`, 0 … keyCount − 1; those with equal keys keep their order. O(length + keys). */
export function sortedByKey(order: Int32Array, keys: ArrayLike<number>, keyCount: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(keyCount + 1);
  for (let place = 0; place < order.length; place++) next[keys[intAt(order, place)]! + 1]! += 1;
  accumulated(next);
  const sorted = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const index = intAt(order, place);
    sorted[next[keys[index]!]!++] = index;
  }
  return sorted;
}

/** Compressed rows seen from their columns. */
interface TransposedRows {
  /**
   * What stands in column c are the entries `start[c] … start[c + 1] − 1` of the other two, in order of their rows;
   * length columns + 1.
   */
  readonly start: Int32Array<ArrayBuffer>;
  /** The row that each comes from, and which entry of the rows it is. */
  readonly row: Int32Array<ArrayBuffer>;
  readonly entry: Int32Array<ArrayBuffer>;
}

/**
 * Of a square matrix, a graph say, whose row r has its entries in the columns `column[rowStart[r]] …`. O(rows +
 * entries).
 */
export function transposedRows(rowStart: Int32Array, column: Int32Array): TransposedRows {
  const rowCount = rowStart.length - 1;
  const rowOfEntry = new Int32Array(column.length);
  for (let row = 0; row < rowCount; row++) rowOfEntry.fill(row, rowStart[row], rowStart[row + 1]);
  const { start, members } = groupedBy(column, rowCount);
  return { start, row: members.map((entry) => intAt(rowOfEntry, entry)), entry: members };
}
