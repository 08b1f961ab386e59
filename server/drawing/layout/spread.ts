/**
 * Places in a row as near as can be to where each would like to be: the positions that keep the
 * given order and gaps and have the least sum of squared distances from `wanted`. Isotonic
 * regression by pooling adjacent violators (Barlow et al. 1972). O(n).
 * `gaps[i]` is the least distance from place i to place i + 1.
 */
export function spread(wanted: readonly number[], gaps: readonly number[]): number[] {
  const offsets = [0];
  for (let index = 1; index < wanted.length; index++) offsets.push(offsets[index - 1]! + gaps[index - 1]!);
  const pools: { sum: number; count: number }[] = [];
  wanted.forEach((place, index) => {
    let pool = { sum: place - offsets[index]!, count: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count < pool.sum / pool.count) break;
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  });
  const places: number[] = [];
  for (const { sum, count } of pools) {
    for (let member = 0; member < count; member++) places.push(sum / count + offsets[places.length]!);
  }
  return places;
}
