import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { closesToRing } from '../../network/topologies/gridGraph.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { Places } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { selectSmallest } from '../stencils/select.ts';

/** Pairs of sites that are looked at; beyond, sites are taken for the middle of the whole grid. */
const pairLimit = 2 ** 27;
/** Up to this cost places are counted by cost; above, the nearest are selected. */
const countedCost = 2 ** 16;

/** Costs that are kept: of more partners only the nearest are told apart. */
const costLimit = 2 ** 22;

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
 * cost. Undefined where it was cancelled, or there are too many pairs to look at. O(sites² + places · count).
 */
export function nearestCosts(
  core: SearchCore,
  machine: Machine,
  count: number,
  cancellation: Cancellation,
): NearestCosts | undefined {
  const { siteCount, placeCount, firstPlace } = core.places;
  if (isEverySiteAlike(core, machine)) return oneRow(core, count);
  if (siteCount * siteCount > pairLimit) {
    return core.costs.kind === 'axes' ? ballCosts(core, machine, count) : undefined;
  }
  const rankCount = Math.max(1, Math.min(count, Math.floor(costLimit / placeCount)));
  const costs = new Float64Array(placeCount * rankCount);
  const write = rowWriter(core);
  for (let site = 0; site < siteCount; site++) {
    if ((site & 63) === 0 && cancellation.isCancelled()) return undefined;
    const first = firstPlace[site]! * rankCount;
    const row = costs.subarray(first, first + rankCount);
    write(row, site);
    for (let place = firstPlace[site]! + 1; place < firstPlace[site + 1]!; place++) costs.set(row, place * rankCount);
  }
  return { rowCount: placeCount, rankCount, costs };
}

function oneRow(core: SearchCore, count: number): NearestCosts {
  const costs = new Float64Array(count);
  rowWriter(core)(costs, 0);
  return { rowCount: 1, rankCount: count, costs };
}

/** All nodes of a torus with as many places each look the same from everywhere. */
function isEverySiteAlike({ places }: SearchCore, { topology, nodeCount }: Machine): boolean {
  const { shape, wraps } = topology;
  if (shape === undefined || places.siteCount !== nodeCount) return false;
  const perSite = places.placeCount / nodeCount;
  const isEven = places.firstPlace.every((place, site) => place === site * perSite);
  return isEven && shape.every((side, axis) => side <= 2 || closesToRing(side, wraps![axis] === true));
}

type WriteRow = (row: Float64Array, site: number) => void;

const rowWriter = (core: SearchCore): WriteRow =>
  core.costs.maximum <= countedCost ? countingWriter(core) : selectingWriter(core);

/** Counts the places at each cost. */
function countingWriter({ costs, places }: SearchCore): WriteRow {
  const { siteCount, firstPlace } = places;
  const placesAtCost = new Int32Array(costs.maximum + 1);
  return (row, site) => {
    placesAtCost.fill(0);
    for (let other = 0; other < siteCount; other++) {
      placesAtCost[costBetween(costs, site, other)]! += firstPlace[other + 1]! - firstPlace[other]!;
    }
    writeRanks(row, placesAtCost);
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
function selectingWriter({ costs, places }: SearchCore): WriteRow {
  const { siteCount } = places;
  const most = mostPlaces(places);
  const sites = new Int32Array(siteCount);
  return (row, site) => {
    for (let other = 0; other < siteCount; other++) sites[other] = costBetween(costs, site, other);
    // Any site may be among the nearest, so each counts with the most places that one has.
    const nearest = Math.min(siteCount, Math.ceil((row.length + 1) / most));
    selectSmallest(sites, 0, siteCount, nearest);
    sites.subarray(0, nearest).sort();
    for (let rank = 0; rank < row.length; rank++) row[rank] = sites[Math.floor((rank + 1) / most)] ?? 0;
  };
}

function mostPlaces({ firstPlace, siteCount }: Places): number {
  let most = 0;
  for (let site = 0; site < siteCount; site++) most = Math.max(most, firstPlace[site + 1]! - firstPlace[site]!);
  return most;
}

/**
 * On a grid no node has more others within a distance than one in the middle of an endless one; a
 * ring or line of `side` ends the count. O(axes · diameter²).
 */
function ballCosts({ places }: SearchCore, { topology }: Machine, count: number): NearestCosts {
  const perSite = mostPlaces(places);
  let nodesAtCost = [1];
  for (const side of topology.shape!) nodesAtCost = convolved(nodesAtCost, nodesAlong(side));
  const costs = new Float64Array(count);
  writeRanks(
    costs,
    nodesAtCost.map((nodes) => nodes * perSite),
  );
  return { rowCount: 1, rankCount: count, costs };
}

/** Nodes at each distance along one axis, from where most are near. */
const nodesAlong = (side: number): number[] =>
  Array.from({ length: (side >> 1) + 1 }, (_, distance) =>
    distance === 0 || (side % 2 === 0 && distance === side / 2) ? 1 : 2,
  );

function convolved(one: readonly number[], other: readonly number[]): number[] {
  const sums = new Array<number>(one.length + other.length - 1).fill(0);
  for (const [a, counted] of one.entries()) for (const [b, along] of other.entries()) sums[a + b]! += counted * along;
  return sums;
}
