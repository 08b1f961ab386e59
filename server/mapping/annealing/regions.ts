import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { valueOf } from '../problem/value.ts';
import type { Region } from './chain.ts';
import { drawBelow, generatorState, type GeneratorState } from './generator.ts';

/**
 * Cuts the sites into `count` disjoint compact regions of about equal size, otherwise for every
 * `epoch`, so that no border stays: halves by which of two sites is nearer, a random one and the
 * farthest from it, and again. O(sites · log sites · log count).
 */
export function regionsOf(core: SearchCore, seed: number, epoch: number, count: number): Region[] {
  const { siteCount } = core.places;
  const sites = Int32Array.from({ length: siteCount }, (_, site) => site);
  const regions: Region[] = [];
  // Seeds and epochs in different words of the state, so that no two pairs meet.
  cut(core, generatorState((seed >>> 0) + epoch * 2 ** 32), sites, Math.min(count, siteCount), regions);
  return regions;
}

function cut(core: SearchCore, generator: GeneratorState, sites: Int32Array, count: number, regions: Region[]): void {
  if (count === 1) {
    const region = new Uint8Array(core.places.siteCount);
    for (const site of sites) region[site] = 1;
    regions.push(region);
    return;
  }
  const one = sites[drawBelow(generator, sites.length)]!;
  const other = farthestFrom(core, sites, one);
  // Nearness first, then the site: one number, which sorts without a comparison of our own.
  const keys = Float64Array.from(sites, (site) => {
    const nearness = costBetween(core.costs, one, site) - costBetween(core.costs, other, site);
    return nearness * core.places.siteCount + site;
  }).sort();
  const ordered = Int32Array.from(keys, (key) => key - Math.floor(key / core.places.siteCount) * core.places.siteCount);
  const firstCount = count >> 1;
  const middle = Math.round((sites.length * firstCount) / count);
  cut(core, generator, ordered.subarray(0, middle), firstCount, regions);
  cut(core, generator, ordered.subarray(middle), count - firstCount, regions);
}

/** The first of the farthest, in cyclic order, so that ties are broken otherwise for every site. */
function farthestFrom({ costs }: SearchCore, sites: Int32Array, from: number): number {
  const start = sites.indexOf(from);
  let farthest = from;
  let most = -1;
  for (let step = 1; step <= sites.length; step++) {
    const site = sites[(start + step) % sites.length]!;
    const cost = costBetween(costs, from, site);
    if (cost > most) {
      most = cost;
      farthest = site;
    }
  }
  return farthest;
}

/** All that regions of one epoch did, put together: tasks that a region moved are where it put them. O(regions · tasks + edges). */
export function mergeRegions(
  core: SearchCore,
  start: Int32Array,
  outcomes: readonly { readonly placeOfTask: Int32Array }[],
): { readonly placeOfTask: Int32Array; readonly value: number } {
  const placeOfTask = start.slice();
  for (const outcome of outcomes) {
    for (let task = 0; task < start.length; task++) {
      if (outcome.placeOfTask[task] !== start[task]) placeOfTask[task] = outcome.placeOfTask[task]!;
    }
  }
  return { placeOfTask, value: valueOf(core, placeOfTask) };
}
