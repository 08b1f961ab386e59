import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { compactSites } from './compactSites.ts';
import { placesOn } from './dualBisection.ts';
import { layParts } from './layParts.ts';
import { partition } from './partition.ts';

/** A place for each task, those of a part on one site; undefined where it was cancelled. O(edges · log² n). */
export function placesByParts(
  core: SearchCore,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined {
  const siteOfTask = sitesByParts(core, random, cancellation);
  return siteOfTask && placesOn(core, siteOfTask);
}

/** The site of each task; undefined where it was cancelled. */
function sitesByParts(core: SearchCore, random: RandomSource, cancellation: Cancellation): Int32Array | undefined {
  const sites = compactSites(core, random, cancellation);
  if (sites === undefined) return undefined;
  const sizes = partSizes(core, sites);
  const partOfTask = sizes.some((size) => size > 1)
    ? partition(core.graph, sizes, random, cancellation)
    : Int32Array.from({ length: core.graph.taskCount }, (_, task) => task);
  const siteOfPart = partOfTask && layParts(core, sites, sizes, partOfTask, random, cancellation);
  return siteOfPart && partOfTask.map((part) => siteOfPart[part]!);
}

/** Tasks for each of `sites`: as many as it has places, fewer on the last ones where there are too many. */
function partSizes({ places, graph }: SearchCore, sites: Int32Array): Int32Array {
  let left = graph.taskCount;
  return sites.map((site) => {
    const size = Math.min(left, places.firstPlace[site + 1]! - places.firstPlace[site]!);
    left -= size;
    return size;
  });
}
