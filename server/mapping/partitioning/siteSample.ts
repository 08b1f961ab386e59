import type { RandomSource } from '../../model/random.ts';
import type { SiteCosts } from '../problem/siteCosts.ts';
import { costBetween } from '../problem/siteCosts.ts';

/** At most `count` of `values`, one drawn from each of as many equal stretches; all where there are no more. */
export function sampleEvenly(values: Int32Array, count: number, random: RandomSource): Int32Array {
  if (values.length <= count) return values.slice();
  const sample = new Int32Array(count);
  for (let index = 0; index < count; index++) {
    sample[index] = values[Math.floor(((index + random.fraction()) * values.length) / count)]!;
  }
  return sample;
}

/** Mean cost over all pairs of a site of one sample and one of the other. O(product of their lengths). */
export function meanCost(costs: SiteCosts, one: Int32Array, other: Int32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += totalCost(costs, one[index]!, other);
  return sum / (one.length * other.length);
}

/** Sum of the costs from one site to all of a sample. A table of offsets is small enough for the cache. */
export function totalCost(costs: SiteCosts, from: number, sample: Int32Array): number {
  let sum = 0;
  if (costs.offsets !== undefined) {
    const { table, positionOfSite, centre } = costs.offsets;
    const row = centre + positionOfSite[from]!;
    for (let index = 0; index < sample.length; index++) sum += table[row - positionOfSite[sample[index]!]!]!;
  } else if (costs.kind === 'table') {
    const { table, siteCount } = costs;
    const row = from * siteCount;
    for (let index = 0; index < sample.length; index++) sum += table[row + sample[index]!]!;
  } else {
    for (let index = 0; index < sample.length; index++) sum += costBetween(costs, from, sample[index]!);
  }
  return sum;
}

/** By how much each of `sites` is farther from `one` than from `other`, on average. */
export function leaningsTo(costs: SiteCosts, sites: Int32Array, one: Int32Array, other: Int32Array): Float64Array {
  const leanings = new Float64Array(sites.length);
  for (let index = 0; index < sites.length; index++) {
    const site = sites[index]!;
    leanings[index] = totalCost(costs, site, one) / one.length - totalCost(costs, site, other) / other.length;
  }
  return leanings;
}
