import { intAt } from '../../numeric/elements.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { placesOnSites } from '../problem/places.ts';
import { partitionOntoSites } from './dualBisection.ts';
import { partition } from './partition.ts';
import { descendNeighbourhood, PartnersOfPartners } from '../descent/descend.ts';
import { AdditiveObjective } from '../objective.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { quotientGraph } from './weightedGraph.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { partitioningParameters } from './parameters.ts';

/** A place for each task, those of a part on one site; undefined if cancelled. O(edges · log² n). */
export function placesByParts(
  core: SearchCore,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined {
  const siteOfTask = sitesByParts(core, random, cancellation);
  return siteOfTask && placesOnSites(core.places, siteOfTask);
}

/** The site of each task; undefined if cancelled. */
function sitesByParts(core: SearchCore, random: RandomSource, cancellation: Cancellation): Int32Array | undefined {
  const sites = compactSites(core, random, cancellation);
  if (sites === undefined) return undefined;
  const sizes = partSizes(core, sites);
  const partOfTask = sizes.some((size) => size > 1)
    ? partition(core.graph, sizes, random, cancellation)
    : Int32Array.from({ length: core.graph.taskCount }, (_, task) => task);
  const siteOfPart = partOfTask && layParts(core, sites, sizes, partOfTask, random, cancellation);
  return siteOfPart && partOfTask.map((part) => intAt(siteOfPart, part));
}

/** Tasks for each of `sites`: as many as it has places, fewer on the last ones where there are too many. */
function partSizes({ places, graph }: SearchCore, sites: Int32Array): Int32Array {
  let left = graph.taskCount;
  return sites.map((site) => {
    const size = Math.min(left, intAt(places.firstPlace, site + 1) - intAt(places.firstPlace, site));
    left -= size;
    return size;
  });
}

/**
 * The site of each part. Part p has `sizes[p]` tasks, for which `sites[p]` has room. Where all parts
 * are of one size their graph is partitioned onto the sites, else part p begins on `sites[p]`; then
 * parts of one size are exchanged while that helps. Undefined if cancelled.
 */
function layParts(
  core: SearchCore,
  sites: Int32Array,
  sizes: Int32Array,
  partOfTask: Int32Array,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined {
  const work = new WorkMeter(cancellation);
  const graph = quotientGraph(core.graph, partOfTask, sizes.length, work);
  if (graph === undefined) return undefined;
  const parts = onePlacePerSite(core, graph);
  const siteOfPart = sizes.every((size) => size === sizes[0])
    ? partitionOntoSites(parts, sites, random, cancellation)
    : sites.slice();
  if (siteOfPart === undefined) return undefined;
  exchangeParts(parts, sizes, siteOfPart, cancellation);
  return cancellation.isCancelled() ? undefined : siteOfPart;
}

/** Every part is one task, and place and site are one. */
function onePlacePerSite({ places, costs, weightUnit }: SearchCore, graph: TaskGraph): SearchCore {
  const { siteCount } = places;
  const firstPlace = Int32Array.from({ length: siteCount + 1 }, (_, site) => site);
  const siteOfPlace = firstPlace.slice(0, siteCount);
  return { graph, weightUnit, costs, places: { ...places, placeCount: siteCount, siteOfPlace, firstPlace } };
}

/**
 * Edge visits after which no further exchange is tried: some seconds. Grids take a thousandth of it at 4,096 parts;
 * what reaches it are thousands of parts that all communicate with each other.
 */
const mostWork = 2 ** 30;

/**
 * Exchanges parts of one size with partners of their partners; the first exchange that helps is made. `siteOfPart` is
 * changed. O(parts · degree³) a sweep, about `mostWork` in all.
 */
function exchangeParts(core: SearchCore, sizes: Int32Array, siteOfPart: Int32Array, cancellation: Cancellation): void {
  const objective = new AdditiveObjective(core, siteOfPart, cancellation);
  const areAlike = (part: number, other: number): boolean => sizes[part] === sizes[other];
  const neighbourhood = new PartnersOfPartners(objective, core.graph, areAlike);
  descendNeighbourhood(objective, neighbourhood, { policy: 'first', stop: cancellation, mostWork });
  siteOfPart.set(objective.placeOfTask);
}

/**
 * Sites that lie together and have room for all tasks: those nearest to one of them, of equally near
 * ones those of one router, then those with most places. Of a few centres the one with the least
 * total cost to its sites is taken. All sites where all are needed. Ascending by node;
 * undefined if cancelled. O(centres · sites · log).
 */
function compactSites(core: SearchCore, random: RandomSource, cancellation: Cancellation): Int32Array | undefined {
  const { places, graph } = core;
  const { siteCount, firstPlace, nodeOfSite } = places;
  let chosen: Int32Array = Int32Array.from({ length: siteCount }, (_, site) => site);
  if (places.placeCount - largestSite(firstPlace) >= graph.taskCount) {
    let least = Infinity;
    for (let attempt = 0; attempt < partitioningParameters.centres; attempt++) {
      if (cancellation.isCancelled()) return undefined;
      const gathered = gatherSites(core, random.integer(siteCount));
      if (gathered.cost >= least) continue;
      chosen = gathered.sites;
      least = gathered.cost;
    }
  }
  return chosen.sort((a, b) => intAt(nodeOfSite, a) - intAt(nodeOfSite, b));
}

/** Where fewer places than these are free no site can be left out. */
const largestSite = (firstPlace: Int32Array): number => {
  let largest = 0;
  for (let site = 0; site + 1 < firstPlace.length; site++) {
    largest = Math.max(largest, intAt(firstPlace, site + 1) - intAt(firstPlace, site));
  }
  return largest;
};

function gatherSites({ places, graph, costs }: SearchCore, centre: number): { sites: Int32Array; cost: number } {
  const { siteCount, firstPlace, routerOfSite } = places;
  const far = Int32Array.from({ length: siteCount }, (_, site) => costBetween(costs, centre, site));
  const room = (site: number): number => intAt(firstPlace, site + 1) - intAt(firstPlace, site);
  const order = Int32Array.from(far, (_, site) => site).sort(
    (a, b) =>
      intAt(far, a) - intAt(far, b) || intAt(routerOfSite, a) - intAt(routerOfSite, b) || room(b) - room(a) || a - b,
  );
  let count = 0;
  let cost = 0;
  for (let left = graph.taskCount; left > 0; count++) {
    const site = intAt(order, count);
    cost += intAt(far, site) * Math.min(left, room(site));
    left -= room(site);
  }
  return { sites: order.slice(0, count), cost };
}
