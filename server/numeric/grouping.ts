/**
 * Counting sorts over typed arrays, and the compressed rows that they make: of row r the entries are
 * those from `start[r]` up to, not including, `start[r + 1]`. All are stable.
 */
import { intAt, realAt } from './elements.ts';

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
  const { start, next, members } = startedGroups(groupStarts(groupOf, groupCount), groupOf.length);
  placeMembers(groupOf, next, members, 0, groupOf.length);
  return { start, members };
}

/** Calls `work` for ranges that together are 0 … length − 1; false where it did not go through. */
export type InParts = (length: number, work: (begin: number, end: number) => void) => boolean;

/** The same in parts, for millions of indices; undefined where it did not go through. */
export function groupedInParts(groupOf: Int32Array, groupCount: number, inParts: InParts): Groups | undefined {
  const counts = new Int32Array(groupCount + 1);
  const counted = inParts(groupOf.length, (begin, end) => {
    countMembers(groupOf, counts, begin, end);
  });
  if (!counted) return undefined;
  const { start, next, members } = startedGroups(accumulated(counts), groupOf.length);
  const placed = inParts(groupOf.length, (begin, end) => {
    placeMembers(groupOf, next, members, begin, end);
  });
  return placed ? { start, members } : undefined;
}

const startedGroups = (start: Int32Array<ArrayBuffer>, length: number) => ({
  start,
  next: start.slice(),
  members: new Int32Array(length),
});

/** Counts the indices `begin … end − 1` of each group, one entry late. */
function countMembers(groupOf: ArrayLike<number>, counts: Int32Array, begin: number, end: number): void {
  for (let index = begin; index < end; index++) counts[groupOf[index]! + 1]! += 1;
}

function placeMembers(
  groupOf: ArrayLike<number>,
  next: Int32Array,
  members: Int32Array,
  begin: number,
  end: number,
): void {
  for (let index = begin; index < end; index++) members[next[groupOf[index]!]!++] = index;
}

/**
 * Where each group would start if the indices of `groupOf` were sorted by group; length groupCount + 1. O(length +
 * groups).
 */
export function groupStarts(groupOf: ArrayLike<number>, groupCount: number): Int32Array<ArrayBuffer> {
  const start = new Int32Array(groupCount + 1);
  countMembers(groupOf, start, 0, groupOf.length);
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

/** Fewer are sorted by comparing: counting takes a pass over all digits. */
const countedFrom = 2 ** 13;
const digits = 2 ** 16;

/**
 * The indices `order`, which ascend, by `values[index]`, finite and not negative, the largest first; equal ones keep their order. Such numbers
 * compare as their bits do, which are sorted sixteen at a time, the lowest first. O(length).
 */
export function sortedDescending(order: Int32Array, values: Float64Array): Int32Array {
  if (order.length < countedFrom)
    return order.toSorted((one, other) => realAt(values, other) - realAt(values, one) || one - other);
  const words = new Uint16Array(values.buffer, values.byteOffset, 4 * values.length);
  const digit = new Uint16Array(values.length);
  let sorted = order;
  // Typed arrays hold the lowest word first wherever JavaScript runs.
  for (let word = 0; word < 4; word++) {
    for (const index of sorted) digit[index] = digits - 1 - (words[4 * index + word] ?? 0);
    sorted = sortedByKey(sorted, digit, digits);
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
