/**
 * Selection (quickselect, Hoare 1961) with the median of three as pivot. After 2 · log₂ n rounds what is left is
 * sorted, so a bad run costs O(n log n) and an ordinary one O(n).
 */
import { intAt, realAt } from './elements.ts';

/**
 * Rearranges `values[start … end)` so that its `count` smallest come first, in any order; the next one
 * after them, if there is one, stands behind them, at `start + count`. No value is NaN.
 */
export function selectSmallest(values: Int32Array | Float64Array, start: number, end: number, count: number): void {
  const target = start + count;
  let left = start;
  let right = end - 1;
  let rounds = 2 * Math.ceil(Math.log2(end - start + 1));
  while (left < right) {
    if (rounds-- === 0) {
      values.subarray(left, right + 1).sort();
      return;
    }
    const pivot = medianOfThree(values[left]!, values[(left + right) >>> 1]!, values[right]!);
    let low = left;
    let high = right;
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low > high) break;
      const kept = values[low]!;
      values[low++] = values[high]!;
      values[high--] = kept;
    }
    if (target <= high) right = high;
    else if (target >= low) left = low;
    else return;
  }
}

/**
 * Rearranges `order[start … end)` so that the `count` points with the smallest keys come first, in
 * any order among themselves. No key is NaN.
 */
export function selectByKey(order: Int32Array, keys: Float64Array, start: number, end: number, count: number): void {
  const target = start + count;
  let left = start;
  let right = end - 1;
  let rounds = 2 * Math.ceil(Math.log2(end - start + 1));
  while (left < right) {
    if (rounds-- === 0) {
      order.subarray(left, right + 1).sort((a, b) => realAt(keys, a) - realAt(keys, b) || a - b);
      return;
    }
    const pivot = medianOfThree(
      realAt(keys, intAt(order, left)),
      realAt(keys, intAt(order, (left + right) >>> 1)),
      realAt(keys, intAt(order, right)),
    );
    let low = left;
    let high = right;
    while (low <= high) {
      while (realAt(keys, intAt(order, low)) < pivot) low++;
      while (realAt(keys, intAt(order, high)) > pivot) high--;
      if (low > high) break;
      const kept = intAt(order, low);
      order[low++] = intAt(order, high);
      order[high--] = kept;
    }
    if (target <= high) right = high;
    else if (target >= low) left = low;
    else return;
  }
}

function medianOfThree(a: number, b: number, c: number): number {
  if (a < b) return b < c ? b : Math.max(a, c);
  return a < c ? a : Math.max(b, c);
}
