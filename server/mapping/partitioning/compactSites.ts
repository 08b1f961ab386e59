import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';

/** Sites round which the tasks are tried to be gathered. */
const centres = 12;

/**
 * Sites that lie together and have room for all tasks: those nearest to one of them, of equally near
 * ones those of one router, then those with most places. Of a few centres the one with the least
 * total cost to its sites is taken. All sites where all are needed. Ascending by node;
 * undefined where it was cancelled. O(centres · sites · log).
 */
export function compactSites(
  core: SearchCore,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined {
  const { places, graph } = core;
  const { siteCount, firstPlace, nodeOfSite } = places;
  let chosen: Int32Array = Int32Array.from({ length: siteCount }, (_, site) => site);
  if (places.placeCount - largestSite(firstPlace) >= graph.taskCount) {
    let least = Infinity;
    for (let attempt = 0; attempt < centres; attempt++) {
      if (cancellation.isCancelled()) return undefined;
      const gathered = gather(core, random.integer(siteCount));
      if (gathered.cost >= least) continue;
      chosen = gathered.sites;
      least = gathered.cost;
    }
  }
  return chosen.sort((a, b) => nodeOfSite[a]! - nodeOfSite[b]!);
}

/** Where fewer places than these are free no site can be left out. */
const largestSite = (firstPlace: Int32Array): number => {
  let largest = 0;
  for (let site = 0; site + 1 < firstPlace.length; site++) {
    largest = Math.max(largest, firstPlace[site + 1]! - firstPlace[site]!);
  }
  return largest;
};

function gather({ places, graph, costs }: SearchCore, centre: number): { sites: Int32Array; cost: number } {
  const { siteCount, firstPlace, routerOfSite } = places;
  const far = Int32Array.from({ length: siteCount }, (_, site) => costBetween(costs, centre, site));
  const room = (site: number): number => firstPlace[site + 1]! - firstPlace[site]!;
  const order = Int32Array.from(far, (_, site) => site).sort(
    (a, b) => far[a]! - far[b]! || routerOfSite[a]! - routerOfSite[b]! || room(b) - room(a) || a - b,
  );
  let count = 0;
  let cost = 0;
  for (let left = graph.taskCount; left > 0; count++) {
    const site = order[count]!;
    cost += far[site]! * Math.min(left, room(site));
    left -= room(site);
  }
  return { sites: order.slice(0, count), cost };
}
