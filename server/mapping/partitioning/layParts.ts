import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import type { SiteCosts } from '../problem/siteCosts.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { partitionOntoSites } from './dualBisection.ts';
import { quotientGraph } from './quotientGraph.ts';

/**
 * The site of each part. Part p has `sizes[p]` tasks, for which `sites[p]` has room. Where all parts
 * are of one size their graph is partitioned onto the sites, else part p begins on `sites[p]`; then
 * parts of one size are exchanged while that helps. Undefined where it was cancelled.
 */
export function layParts(
  core: SearchCore,
  sites: Int32Array,
  sizes: Int32Array,
  partOfTask: Int32Array,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined {
  const graph = quotientGraph(core.graph, partOfTask, sizes.length);
  const siteOfPart = sizes.every((size) => size === sizes[0])
    ? partitionOntoSites(onePlacePerSite(core, graph), sites, random, cancellation)
    : sites.slice();
  if (siteOfPart === undefined) return undefined;
  return exchangeParts(graph, core.costs, sizes, siteOfPart, cancellation) ? siteOfPart : undefined;
}

/** Every part is one task, and place and site are one. */
function onePlacePerSite({ places, costs, weightUnit }: SearchCore, graph: TaskGraph): SearchCore {
  const { siteCount } = places;
  const firstPlace = Int32Array.from({ length: siteCount + 1 }, (_, site) => site);
  const siteOfPlace = firstPlace.slice(0, siteCount);
  return { graph, weightUnit, costs, places: { ...places, placeCount: siteCount, siteOfPlace, firstPlace } };
}

const mostSweeps = 20;

/**
 * Exchanges parts with partners of their partners, which is how a part comes next to one; the first
 * exchange that helps is made. Sites are changed in place; false where it was cancelled.
 * O(parts · degree³) a sweep.
 */
function exchangeParts(
  graph: TaskGraph,
  costs: SiteCosts,
  sizes: Int32Array,
  siteOfPart: Int32Array,
  cancellation: Cancellation,
): boolean {
  const lastTried = new Int32Array(graph.taskCount);
  for (let sweep = 0, improved = true; improved && sweep < mostSweeps; sweep++) {
    improved = false;
    lastTried.fill(-1);
    for (let part = 0; part < graph.taskCount; part++) {
      if (cancellation.isCancelled()) return false;
      for (const other of partnersOfPartners(graph, part, lastTried)) {
        if (sizes[other] !== sizes[part] || exchangeEffect(graph, costs, siteOfPart, part, other) >= 0) continue;
        const site = siteOfPart[part]!;
        siteOfPart[part] = siteOfPart[other]!;
        siteOfPart[other] = site;
        improved = true;
      }
    }
  }
  return true;
}

/** Each once; `lastSeen` is `part` afterwards for those seen. */
function* partnersOfPartners({ rowStart, partner }: TaskGraph, part: number, lastSeen: Int32Array): Generator<number> {
  lastSeen[part] = part;
  for (let edge = rowStart[part]!; edge < rowStart[part + 1]!; edge++) {
    const between = partner[edge]!;
    for (let second = rowStart[between]!; second < rowStart[between + 1]!; second++) {
      const other = partner[second]!;
      if (lastSeen[other] === part) continue;
      lastSeen[other] = part;
      yield other;
    }
  }
}

/** What the value would grow by. O(degree). */
function exchangeEffect(
  { rowStart, partner, weight }: TaskGraph,
  costs: SiteCosts,
  siteOfPart: Int32Array,
  one: number,
  other: number,
): number {
  let effect = 0;
  for (const [moved, stays] of [
    [one, other],
    [other, one],
  ] as const) {
    // prettier-ignore
    const from = siteOfPart[moved]!;
    const to = siteOfPart[stays]!;
    for (let edge = rowStart[moved]!; edge < rowStart[moved + 1]!; edge++) {
      if (partner[edge] === stays) continue;
      const site = siteOfPart[partner[edge]!]!;
      effect += weight[edge]! * (costBetween(costs, to, site) - costBetween(costs, from, site));
    }
  }
  return effect;
}
