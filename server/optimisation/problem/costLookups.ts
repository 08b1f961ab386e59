import { intAt, realAt } from '../../numeric/elements.ts';
import type { SearchCore } from './searchProblem.ts';
import type { CostTable } from './gridCosts.ts';

/**
 * Costs as the kernel reads them, one lookup each whatever their shape:
 * `table[rowOfSite[a] + columnOfSite[b]]` for tasks at sites a and b.
 */
export interface CostLookups {
  readonly table: CostTable;
  readonly rowOfSite: Int32Array;
  readonly columnOfSite: Int32Array;
  /** The largest entry of `table`. */
  readonly maximum: number;
  /** What every pair of tasks costs on top of its lookup. */
  readonly constant: number;
}

/**
 * On a grid the table of offsets: it is small and its middle stays in the cache, which at 4,096 sites
 * is worth twice the proposals a second. Undefined for shapes that take more than one lookup: grids whose
 * offsets are too many, and several places per node beyond what a table of all pairs holds.
 */
export function costLookupsOf({ costs, places }: SearchCore): CostLookups | undefined {
  const { siteCount, maximum } = costs;
  if (costs.offsets !== undefined) {
    const { table, positionOfSite, centre } = costs.offsets;
    return {
      table,
      rowOfSite: positionOfSite.map((position) => position + centre),
      columnOfSite: positionOfSite.map((position) => -position),
      maximum,
      constant: 0,
    };
  }
  const sites = Int32Array.from({ length: siteCount }, (_, site) => site);
  if (costs.kind === 'table') {
    return {
      table: costs.table,
      rowOfSite: sites.map((site) => site * siteCount),
      columnOfSite: sites,
      maximum,
      constant: 0,
    };
  }
  // With one place per site two tasks are always on two nodes, so all pairs pay `between`.
  if (costs.kind !== 'routers' || places.placeCount !== siteCount) return undefined;
  const { routerOfSite, routerCount, table, between } = costs;
  return {
    table,
    rowOfSite: routerOfSite.map((router) => router * routerCount),
    columnOfSite: routerOfSite,
    maximum,
    constant: between,
  };
}

/**
 * `valueOf` with one lookup per edge: under half the time at 32,768 tasks, where every work item asks for it. In
 * whole units. O(edges).
 */
export function valueByLookups({ graph, places }: SearchCore, lookups: CostLookups, placeOfTask: Int32Array): number {
  const { taskCount, rowStart, partner, weight } = graph;
  const { table, rowOfSite, columnOfSite, constant } = lookups;
  const columnOfTask = placeOfTask.map((place) => intAt(columnOfSite, intAt(places.siteOfPlace, place)));
  let value = 0;
  for (let task = 0; task < taskCount; task++) {
    const row = intAt(rowOfSite, intAt(places.siteOfPlace, intAt(placeOfTask, task)));
    const end = intAt(rowStart, task + 1);
    for (let edge = intAt(rowStart, task); edge < end; edge++) {
      const other = intAt(partner, edge);
      if (other > task) value += realAt(weight, edge) * (table[row + intAt(columnOfTask, other)]! + constant);
    }
  }
  return value;
}
