/**
 * Lists of any length. A call that takes a list apart into its arguments, as `Math.max(...values)` does, overflows the stack with a hundred thousand of them:
 * numbers that a user may write in one list, ranks of a job, lines of a file.
 */

/** Puts items behind those of a list. O(items). */
export function appendAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** The largest value; −Infinity if there is none, NaN if one is NaN. O(values). */
export function largestOf(values: Iterable<number>): number {
  let largest = -Infinity;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/** The least value; Infinity if there is none, NaN if one is NaN. O(values). */
export function leastOf(values: Iterable<number>): number {
  let least = Infinity;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** Whether both have the same numbers in the same order. O(values). */
export const sameNumbers = (one: Int32Array, other: Int32Array): boolean =>
  one === other || (one.length === other.length && one.every((value, index) => value === other[index]));
