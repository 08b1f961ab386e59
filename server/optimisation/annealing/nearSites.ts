import { intAt } from '../../numeric/elements.ts';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import type { OffsetCosts } from '../problem/gridCosts.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { annealingParameters } from './parameters.ts';
import { groupedBy } from '../../numeric/grouping.ts';

/** For each site those where its partners are best put: `sites[site · perSite + i]`. */
export interface NearSites {
  readonly perSite: number;
  readonly sites: Int32Array;
}

/**
 * The nearest sites of every site by cost. Where a site has several places it stands in its own list
 * as often as it has room for others, for up to half of the list. Equal costs are taken in cyclic
 * order from the site, so that where all are equal no site is everyone's favourite.
 * O(sites · (offsets walked)) on grids, O(sites²) from a table, O(routers² + sites) from routers.
 * Where `stop` says so the rest of the lists are left empty: nobody will use them.
 */
export function nearSites(
  { places, costs }: SearchCore,
  stop: Cancellation = neverCancelled,
  nearest = annealingParameters.nearest,
): NearSites {
  const { siteCount, firstPlace } = places;
  const perSite = Math.min(nearest, Math.max(1, places.placeCount - 1));
  const sites = new Int32Array(siteCount * perSite);
  const near = { sites: new Int32Array(perSite), costs: new Int32Array(perSite), found: 0 };
  const scan = scannerOf(costs, siteCount);
  for (let site = 0; site < siteCount; site++) {
    if ((site & 255) === 0 && stop.isCancelled()) break;
    const room = intAt(firstPlace, site + 1) - intAt(firstPlace, site);
    const own = siteCount === 1 ? perSite : Math.min(room - 1, perSite >> 1);
    near.found = 0;
    scan(site, near);
    const list = sites.subarray(site * perSite, (site + 1) * perSite).fill(site, 0, own);
    // Fewer others than the list has room for: they are repeated.
    for (let index = own; index < perSite; index++) list[index] = intAt(near.sites, (index - own) % near.found);
  }
  return { perSite, sites };
}

/** The nearest found so far, costs ascending. */
interface Nearest {
  readonly sites: Int32Array;
  readonly costs: Int32Array;
  found: number;
}

/** Adds all other sites that are near enough to the list. */
type Scan = (site: number, near: Nearest) => void;

const maximumOf = (values: ArrayLike<number>): number => {
  let largest = 0;
  for (let index = 0; index < values.length; index++) largest = Math.max(largest, values[index]!);
  return largest;
};

function scannerOf(costs: SearchCore['costs'], siteCount: number): Scan {
  if (costs.offsets !== undefined) return offsetScanner(costs.offsets);
  if (costs.kind === 'routers') return routerScanner(costs);
  const row = costs.kind === 'table' ? costs.table : new Int32Array(siteCount);
  return (site, near) => {
    const start = costs.kind === 'table' ? site * siteCount : 0;
    if (costs.kind !== 'table') row.forEach((_, other) => (row[other] = costBetween(costs, site, other)));
    for (let other = site + 1; other < siteCount; other++) insertSite(near, other, row[start + other]!);
    for (let other = 0; other < site; other++) insertSite(near, other, row[start + other]!);
  };
}

/** After those that cost as much, so the first found of equal ones stay. */
function insertSite(near: Nearest, site: number, cost: number): void {
  const { sites, costs } = near;
  let index = near.found;
  if (index === sites.length) {
    if (cost >= intAt(costs, index - 1)) return;
    index--;
  } else {
    near.found++;
  }
  for (; index > 0 && intAt(costs, index - 1) > cost; index--) {
    sites[index] = intAt(sites, index - 1);
    costs[index] = intAt(costs, index - 1);
  }
  sites[index] = site;
  costs[index] = cost;
}

/**
 * Walks the offsets from the cheapest on, those of equal cost from another one for every site. The
 * difference of two positions tells one offset apart from all others, so no site is met twice.
 */
function offsetScanner({ table, centre, positionOfSite }: OffsetCosts): Scan {
  const byCost = groupedBy(Int32Array.from(table), maximumOf(table) + 1);
  const byPosition = groupedBy(positionOfSite, table.length);
  return (site, near) => {
    const { sites } = near;
    const position = intAt(positionOfSite, site) - centre;
    for (let cost = 0; cost + 1 < byCost.start.length && near.found < sites.length; cost++) {
      const start = intAt(byCost.start, cost);
      const count = intAt(byCost.start, cost + 1) - start;
      for (let step = 0; step < count && near.found < sites.length; step++) {
        const target = position + intAt(byCost.members, start + ((site + step) % count));
        if (target < 0 || target >= table.length) continue;
        for (let index = intAt(byPosition.start, target); index < intAt(byPosition.start, target + 1); index++) {
          const other = intAt(byPosition.members, index);
          if (other !== site) insertSite(near, other, cost);
        }
      }
    }
  };
}

/** Sites of the own router, then of the next nearest until there are enough. */
function routerScanner({
  routerCount,
  routerOfSite,
  table,
  between,
}: Extract<SearchCore['costs'], { kind: 'routers' }>): Scan {
  const byRouter = groupedBy(routerOfSite, routerCount);
  const nearRouters = new Map<number, Nearest>();
  return (site, near) => {
    const router = intAt(routerOfSite, site);
    let routers = nearRouters.get(router);
    if (routers === undefined) {
      const room = Math.min(near.sites.length + 1, routerCount);
      routers = { sites: new Int32Array(room), costs: new Int32Array(room), found: 0 };
      for (let step = 0; step < routerCount; step++) {
        const other = (router + step) % routerCount;
        insertSite(routers, other, table[router * routerCount + other]!);
      }
      nearRouters.set(router, routers);
    }
    for (let rank = 0; rank < routers.found && near.found < near.sites.length; rank++) {
      const start = intAt(byRouter.start, intAt(routers.sites, rank));
      const room = intAt(byRouter.start, intAt(routers.sites, rank) + 1) - start;
      for (let step = 0; step < room && near.found < near.sites.length; step++) {
        const other = intAt(byRouter.members, start + ((site + step) % room));
        if (other !== site) insertSite(near, other, intAt(routers.costs, rank) + between);
      }
    }
  };
}
