import { intAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { closesToRing } from '../../model/shape.ts';
import type { Places } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { selectSmallest } from '../../numeric/selection.ts';

/** Pairs of sites that are looked at; beyond, each site is taken for the best that there could be. */
const pairLimit = 2 ** 26;

/** Costs that are kept: of more partners only the nearest are told apart. */
const costLimit = 2 ** 20;

/** What the nearest partners of a task can cost at least, by where the task is. */
export interface NearestCosts {
  /** A row per place, or one row for all of them. */
  readonly rowCount: number;
  /** Partners that are told apart; further ones cost no less than the last of these. */
  readonly rankCount: number;
  /** `costs[row · rankCount + k]`: the least cost of the k-th nearest partner, k from 0, ascending. */
  readonly costs: Float64Array;
}

/**
 * Costs of the `count` nearest partners of a task at each place; those of its own site come first, at no
 * cost. Undefined if cancelled, or where there are too many pairs to look at. O(sites² + places · count).
 */
export function nearestCosts(
  core: SearchCore,
  machine: Machine,
  count: number,
  cancellation: Cancellation,
): NearestCosts | undefined {
  const { siteCount } = core.places;
  if (isEverySiteAlike(core, machine)) {
    const costs = new Float64Array(count);
    rowWriter(core)(costs, 0);
    return { rowCount: 1, rankCount: count, costs };
  }
  if (siteCount * siteCount <= pairLimit) return rowOfEachPlace(core, count, cancellation);
  if (core.costs.kind !== 'axes') return undefined;
  return { rowCount: 1, rankCount: count, costs: gridDistanceRow(core.places, core.costs.sides, count) };
}

function rowOfEachPlace(core: SearchCore, count: number, cancellation: Cancellation): NearestCosts | undefined {
  const { siteCount, placeCount, firstPlace } = core.places;
  const rankCount = Math.max(1, Math.min(count, Math.floor(costLimit / placeCount)));
  const costs = new Float64Array(placeCount * rankCount);
  const write = rowWriter(core);
  for (let site = 0; site < siteCount; site++) {
    if ((site & 63) === 0 && cancellation.isCancelled()) return undefined;
    const first = intAt(firstPlace, site) * rankCount;
    const row = costs.subarray(first, first + rankCount);
    write(row, site);
    for (let place = intAt(firstPlace, site) + 1; place < intAt(firstPlace, site + 1); place++)
      costs.set(row, place * rankCount);
  }
  return { rowCount: placeCount, rankCount, costs };
}

/**
 * All nodes of a torus with as many places each look the same from everywhere, where costs depend on
 * offsets alone: they do not under up/down routing.
 */
function isEverySiteAlike({ places, costs }: SearchCore, { topology, nodeCount }: Machine): boolean {
  const { shape, wraps } = topology;
  const isByOffset = costs.offsets !== undefined || costs.kind === 'axes';
  if (shape === undefined || !isByOffset || places.siteCount !== nodeCount) return false;
  return hasEvenSites(places) && shape.every((side, axis) => side <= 2 || closesToRing(side, wraps![axis] === true));
}

function hasEvenSites({ firstPlace, siteCount, placeCount }: Places): boolean {
  const perSite = placeCount / siteCount;
  return firstPlace.every((place, site) => place === site * perSite);
}

/** Up to this cost places are counted by cost; above, the nearest are selected. */
const countedCost = 2 ** 12;

/** Writes at `row[k]` the least cost of the k-th nearest partner, k from 0, of a task at the site. O(sites + costs). */
type WriteNearest = (row: Float64Array, site: number) => void;

function rowWriter(core: SearchCore): WriteNearest {
  if (core.costs.maximum > countedCost) return selectingWriter(core);
  return core.costs.kind === 'table' ? tableWriter(core, core.costs.table) : countingWriter(core);
}

/** Counts the places at each cost. */
function countingWriter({ costs, places }: SearchCore): WriteNearest {
  const { siteCount, firstPlace } = places;
  const placesAtCost = new Int32Array(costs.maximum + 1);
  return (row, site) => {
    placesAtCost.fill(0);
    for (let other = 0; other < siteCount; other++) {
      placesAtCost[costBetween(costs, site, other)]! += intAt(firstPlace, other + 1) - intAt(firstPlace, other);
    }
    writeRanks(row, placesAtCost);
  };
}

/** The same over a row of a table, in two counts, so that equal costs in a row need not wait for each other. */
function tableWriter({ costs, places }: SearchCore, table: ArrayLike<number>): WriteNearest {
  const { siteCount, firstPlace } = places;
  const width = costs.maximum + 1;
  const placesOfSite = Int32Array.from(
    { length: siteCount },
    (_, site) => intAt(firstPlace, site + 1) - intAt(firstPlace, site),
  );
  const placesAtCost = new Int32Array(2 * width);
  return (row, site) => {
    placesAtCost.fill(0);
    const start = site * siteCount;
    for (let other = siteCount & 1; other < siteCount; other += 2) {
      placesAtCost[table[start + other]!]! += intAt(placesOfSite, other);
      placesAtCost[width + table[start + other + 1]!]! += intAt(placesOfSite, other + 1);
    }
    if ((siteCount & 1) === 1) placesAtCost[table[start]!]! += intAt(placesOfSite, 0);
    for (let cost = 0; cost < width; cost++) placesAtCost[cost]! += intAt(placesAtCost, width + cost);
    writeRanks(row, placesAtCost.subarray(0, width));
  };
}

/** `placesAtCost` counts the place of the task itself too, which no partner can have. */
function writeRanks(row: Float64Array, placesAtCost: ArrayLike<number>): void {
  let rank = -1;
  for (let cost = 0; cost < placesAtCost.length && rank < row.length; cost++) {
    const end = Math.min(row.length, rank + placesAtCost[cost]!);
    for (; rank < end; rank++) if (rank >= 0) row[rank] = cost;
  }
}

/** The same for costs of which there are many: no more sites are looked at than there are partners. */
function selectingWriter({ costs, places }: SearchCore): WriteNearest {
  const { siteCount } = places;
  const most = mostPlaces(places);
  const row = new Int32Array(siteCount);
  return (nearest, site) => {
    for (let other = 0; other < siteCount; other++) row[other] = costBetween(costs, site, other);
    // Any site may be among the nearest, so each counts with the most places that one has.
    const kept = Math.min(siteCount, Math.ceil((nearest.length + 1) / most));
    selectSmallest(row, 0, siteCount, kept);
    row.subarray(0, kept).sort();
    for (let rank = 0; rank < nearest.length; rank++) nearest[rank] = row[Math.floor((rank + 1) / most)] ?? 0;
  };
}

function mostPlaces({ firstPlace, siteCount }: Places): number {
  let most = 0;
  for (let site = 0; site < siteCount; site++)
    most = Math.max(most, intAt(firstPlace, site + 1) - intAt(firstPlace, site));
  return most;
}

/**
 * The least costs of the `count` nearest partners of a task on a grid whose costs are sums over the axes,
 * wherever the task and the free places are: within a distance no router has more others than one in the
 * middle of an endless grid, where a line or ring of `side` ends the count, and all of them have as many
 * places as the one that has most. O(places + axes · diameter²).
 */
function gridDistanceRow(places: Places, sides: readonly number[], count: number): Float64Array {
  const perRouter = mostPlacesOfRouter(places);
  let routersAtCost = [1];
  for (const side of sides) routersAtCost = convolved(routersAtCost, routersAlong(side));
  const costs = new Float64Array(count);
  writeRanks(
    costs,
    routersAtCost.map((routers) => routers * perRouter),
  );
  return costs;
}

/** Several nodes may hang on one router, at no cost from each other. */
function mostPlacesOfRouter({ siteOfPlace, routerOfSite }: Places): number {
  const placesOfRouter = new Map<number, number>();
  let most = 0;
  for (const site of siteOfPlace) {
    const places = (placesOfRouter.get(intAt(routerOfSite, site)) ?? 0) + 1;
    placesOfRouter.set(intAt(routerOfSite, site), places);
    if (places > most) most = places;
  }
  return most;
}

/** Routers at each distance along one axis, from where most are near. */
const routersAlong = (side: number): number[] =>
  Array.from({ length: (side >> 1) + 1 }, (_, distance) =>
    distance === 0 || (side % 2 === 0 && distance === side / 2) ? 1 : 2,
  );

function convolved(one: readonly number[], other: readonly number[]): number[] {
  const sums = new Array<number>(one.length + other.length - 1).fill(0);
  for (const [a, counted] of one.entries()) for (const [b, along] of other.entries()) sums[a + b]! += counted * along;
  return sums;
}
