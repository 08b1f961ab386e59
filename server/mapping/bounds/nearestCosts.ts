import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { closesToRing } from '../../network/topologies/gridGraph.ts';
import type { Places } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { ballRow } from './ballRow.ts';
import { rowWriter } from './nearestRow.ts';

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
 * cost. Undefined where it was cancelled, or there are too many pairs to look at. O(sites² + places · count).
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
  return { rowCount: 1, rankCount: count, costs: ballRow(core.places, core.costs.sides, count) };
}

function rowOfEachPlace(core: SearchCore, count: number, cancellation: Cancellation): NearestCosts | undefined {
  const { siteCount, placeCount, firstPlace } = core.places;
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
