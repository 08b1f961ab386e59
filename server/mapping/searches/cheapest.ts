import type { RandomSource } from '../../model/random.ts';

/**
 * Draws uniformly among the `count` cheapest of the first `length` costs, which ones of equal costs
 * count being drawn too; returns the index. `room` is as long as `costs`, to work in. O(length) expected.
 */
export function drawAmongCheapest(
  costs: Float64Array,
  length: number,
  count: number,
  room: Float64Array,
  random: RandomSource,
): number {
  const dearest = smallest(costs, length, count, room);
  let cheaper = 0;
  let equal = 0;
  for (let index = 0; index < length; index++) {
    if (costs[index]! < dearest) cheaper++;
    else if (costs[index] === dearest) equal++;
  }
  const drawn = random.integer(count);
  const isCheaper = drawn < cheaper;
  let left = isCheaper ? drawn : random.integer(equal);
  for (let index = 0; index < length; index++) {
    if (isCheaper ? costs[index]! < dearest : costs[index] === dearest) {
      if (left-- === 0) return index;
    }
  }
  return length - 1;
}

/** The `rank`-th smallest of the first `length` costs, from 1; Hoare's selection. */
function smallest(costs: Float64Array, length: number, rank: number, room: Float64Array): number {
  for (let index = 0; index < length; index++) room[index] = costs[index]!;
  let first = 0;
  let last = length - 1;
  while (first < last) {
    const pivot = room[(first + last) >> 1]!;
    let low = first;
    let high = last;
    while (low <= high) {
      while (room[low]! < pivot) low++;
      while (room[high]! > pivot) high--;
      if (low > high) break;
      const kept = room[low]!;
      room[low++] = room[high]!;
      room[high--] = kept;
    }
    if (rank - 1 <= high) last = high;
    else if (rank - 1 >= low) first = low;
    else break;
  }
  return room[rank - 1]!;
}
