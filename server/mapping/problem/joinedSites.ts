import { costBetween } from './siteCosts.ts';
import { costTable } from './costTable.ts';
import { tableSiteLimit } from './siteCosts.ts';
import type { SearchCore } from './searchProblem.ts';

/**
 * A problem with one place on each node, seen as one whose sites are the routers: nodes of one router cost the same to
 * everywhere, so what a pair of tasks costs depends on their routers, but for what every pair pays for leaving its
 * node. Exchanges then know what makes no difference, and the table of costs stays in the cache.
 */
export interface JoinedSites {
  readonly core: SearchCore;
  /** Place in `core` of each place of the problem, and back. */
  readonly joinedOf: Int32Array;
  readonly placeOf: Int32Array;
}

/** Undefined where nodes have several places, or no router has several nodes. O(places + routers²). */
export function joinSites({ graph, weightUnit, places, costs }: SearchCore): JoinedSites | undefined {
  const { siteCount, placeCount, routerOfSite } = places;
  if (placeCount !== siteCount) return undefined;
  const sitesOf = new Map<number, number[]>();
  for (let site = 0; site < siteCount; site++) {
    const own = sitesOf.get(routerOfSite[site]!);
    if (own) own.push(site);
    else sitesOf.set(routerOfSite[site]!, [site]);
    if (sitesOf.size > tableSiteLimit) return undefined;
  }
  const routers = [...sitesOf.values()];
  const pair = routers.find(({ length }) => length > 1);
  if (pair === undefined || routers.length < 2) return undefined;
  const between = costBetween(costs, pair[0]!, pair[1]!);
  const count = routers.length;
  const table = costTable(count * count, costs.maximum);
  for (let from = 0; from < count; from++)
    for (let to = 0; to < count; to++)
      if (from !== to) table[from * count + to] = costBetween(costs, routers[from]![0]!, routers[to]![0]!) - between;
  const firstPlace = new Int32Array(count + 1);
  for (const [router, sites] of routers.entries()) firstPlace[router + 1] = firstPlace[router]! + sites.length;
  const placeOf = Int32Array.from(routers.flat(), (site) => places.firstPlace[site]!);
  const joinedOf = new Int32Array(placeCount);
  placeOf.forEach((place, joined) => (joinedOf[place] = joined));
  const joinedPlaces = {
    placeCount,
    siteCount: count,
    slotOfPlace: placeOf.map((place) => places.slotOfPlace[place]!),
    siteOfPlace: Int32Array.from(routers.flatMap((sites, router) => sites.map(() => router))),
    firstPlace,
    nodeOfSite: Int32Array.from(routers, ([site]) => places.nodeOfSite[site!]!),
    routerOfSite: Int32Array.from(sitesOf.keys()),
  };
  let maximum = 0;
  for (const cost of table) maximum = Math.max(maximum, cost);
  const joined = { kind: 'table' as const, siteCount: count, unit: costs.unit, maximum, table };
  return { core: { graph, weightUnit, places: joinedPlaces, costs: joined }, joinedOf, placeOf };
}
