import type { Places } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { selectSmallest } from '../stencils/select.ts';

/** Up to this cost places are counted by cost; above, the nearest are selected. */
const countedCost = 2 ** 12;

/** Writes at `row[k]` the least cost of the k-th nearest partner, k from 0, of a task at the site. O(sites + costs). */
export type WriteNearest = (row: Float64Array, site: number) => void;

export function rowWriter(core: SearchCore): WriteNearest {
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
      placesAtCost[costBetween(costs, site, other)]! += firstPlace[other + 1]! - firstPlace[other]!;
    }
    writeRanks(row, placesAtCost);
  };
}

/** The same over a row of a table, in two counts, so that equal costs in a row need not wait for each other. */
function tableWriter({ costs, places }: SearchCore, table: ArrayLike<number>): WriteNearest {
  const { siteCount, firstPlace } = places;
  const width = costs.maximum + 1;
  const placesOfSite = Int32Array.from({ length: siteCount }, (_, site) => firstPlace[site + 1]! - firstPlace[site]!);
  const placesAtCost = new Int32Array(2 * width);
  return (row, site) => {
    placesAtCost.fill(0);
    const start = site * siteCount;
    for (let other = siteCount & 1; other < siteCount; other += 2) {
      placesAtCost[table[start + other]!]! += placesOfSite[other]!;
      placesAtCost[width + table[start + other + 1]!]! += placesOfSite[other + 1]!;
    }
    if ((siteCount & 1) === 1) placesAtCost[table[start]!]! += placesOfSite[0]!;
    for (let cost = 0; cost < width; cost++) placesAtCost[cost]! += placesAtCost[width + cost]!;
    writeRanks(row, placesAtCost.subarray(0, width));
  };
}

/** `placesAtCost` counts the place of the task itself too, which no partner can have. */
export function writeRanks(row: Float64Array, placesAtCost: ArrayLike<number>): void {
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
  for (let site = 0; site < siteCount; site++) most = Math.max(most, firstPlace[site + 1]! - firstPlace[site]!);
  return most;
}
