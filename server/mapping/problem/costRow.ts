import { costBetween, type SiteCosts } from './siteCosts.ts';

/** Writes the costs from site `from` to all sites; `row` has siteCount entries. O(sites), O(sites · axes) on large grids. */
export function fillCostRow(costs: SiteCosts, from: number, row: Int32Array): void {
  if (costs.kind === 'table') {
    row.set(costs.table.subarray(from * costs.siteCount, (from + 1) * costs.siteCount));
  } else if (costs.offsets !== undefined) {
    const { table, centre, positionOfSite } = costs.offsets;
    const start = centre + positionOfSite[from]!;
    for (let to = 0; to < row.length; to++) row[to] = table[start - positionOfSite[to]!]!;
  } else {
    for (let to = 0; to < row.length; to++) row[to] = costBetween(costs, from, to);
  }
}
