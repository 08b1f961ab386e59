import { intAt, itemAt } from '../../numeric/elements.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import { costTable, widened, type CostTable, gridRows, type CostRows, offsetCosts } from './gridCosts.ts';
import { axisDistance, axisExtent } from '../../model/shape.ts';
import type { GridMetric } from '../../network/distances/contract.ts';
import type { Places } from './places.ts';
import { tableSiteLimit, type SiteCosts } from './siteCosts.ts';

/** What an additive criterion says of two routers, in whole units: from their coordinates on a grid, or one by one. */
export type RouterCosts = {
  /** Name of the criterion, for messages. */
  readonly criterion: string;
  readonly unit: number;
  /** Added for two sites, wherever they are: for the links of hosts. */
  readonly between: number;
} & ({ readonly grid: GridMetric } | { readonly cost: RouterCost });

/** Symmetric. */
type RouterCost = (from: number, to: number) => number;

/** Axis tables of all axes together, in entries of two bytes. */
const axisTableLimit = 2 ** 24;

/**
 * Spreads costs of routers out over sites: a table up to `tableSiteLimit` sites; beyond that a table
 * of the routers where few enough have sites, and one table per axis for sums over the axes of a grid.
 * Fails with `too-many-nodes` where none of these is possible, and with `cancelled`.
 * O(sites²) for a table, 16 million entries in about 30 ms on a grid.
 */
export function buildSiteCosts(places: Places, costs: RouterCosts, cancellation: Cancellation): Result<SiteCosts> {
  const built = shapeCosts(places, costs, cancellation);
  // Where hosts have links of their own, two nodes on one router are not what an offset of 0 says.
  if (!built.ok || !('grid' in costs) || costs.between !== 0) return built;
  const offsets = offsetCosts(places.routerOfSite, costs.grid);
  return offsets === undefined ? built : succeed({ ...built.value, offsets });
}

function shapeCosts(places: Places, costs: RouterCosts, cancellation: Cancellation): Result<SiteCosts> {
  const { siteCount, routerOfSite } = places;
  const { unit, between } = costs;
  if (siteCount <= tableSiteLimit) {
    const table = tableOf(routerOfSite, costs, between, cancellation);
    if (table === undefined) return cancelled();
    for (let site = 0; site < siteCount; site++) table.table[site * siteCount + site] = 0;
    return succeed({ kind: 'table', siteCount, unit, ...table });
  }
  const { routers, routerIndex } = distinctRouters(routerOfSite);
  if (routers.length <= tableSiteLimit) {
    const made = tableOf(routers, costs, 0, cancellation);
    if (made === undefined) return cancelled();
    const { table, maximum } = made;
    const routerCount = routers.length;
    const shape = { routerCount, routerOfSite: routerIndex, table, between };
    return succeed({ kind: 'routers', siteCount, unit, maximum: maximum + between, ...shape });
  }
  const entries = 'grid' in costs ? costs.grid.shape.reduce((sum, side) => sum + side * side, 0) : Infinity;
  if ('grid' in costs && costs.grid.isSum && entries <= axisTableLimit)
    return succeed(axisCosts(places, unit, costs.grid));
  return fail(
    'too-many-nodes',
    `Criterion \`${costs.criterion}\` needs the costs of all pairs of nodes, which are kept for at most ` +
      `${formatNumber(tableSiteLimit)} nodes or routers here, and ${formatNumber(siteCount)} nodes ` +
      'are allocated: allocate fewer, or use a mapper that takes no criterion.',
  );
}

/** All pairs of points, which are routers; undefined if cancelled. */
function tableOf(
  points: Int32Array,
  costs: RouterCosts,
  between: number,
  cancellation: Cancellation,
): { readonly table: CostTable; readonly maximum: number } | undefined {
  if ('cost' in costs) return tableByPairs(points, (from, to) => costs.cost(from, to) + between, cancellation);
  const { grid } = costs;
  const rows = gridRows({ ...grid, cost: (distances) => grid.cost(distances) + between }, points);
  return tableByRows(points.length, rows, cancellation);
}

function tableByRows(size: number, { maximum, fill }: CostRows, cancellation: Cancellation) {
  const table = costTable(size * size, maximum);
  for (let from = 0; from < size; from++) {
    if ((from & 63) === 0 && cancellation.isCancelled()) return undefined;
    fill(from, table.subarray(from * size, (from + 1) * size));
  }
  return { table, maximum };
}

/** Asks once for each pair of different routers; the table is widened when a cost needs it. */
function tableByPairs(points: Int32Array, cost: RouterCost, cancellation: Cancellation) {
  const size = points.length;
  const { routers, routerIndex } = distinctRouters(points);
  const costs = new Int32Array(routers.length);
  let table = costTable(size * size, 0);
  let maximum = 0;
  for (let from = 0; from < size; from++) {
    if ((from & 15) === 0 && cancellation.isCancelled()) return undefined;
    if (from === 0 || points[from] !== points[from - 1]) {
      for (let index = 0; index < routers.length; index++) {
        costs[index] = cost(intAt(points, from), intAt(routers, index));
        if (intAt(costs, index) > maximum) maximum = intAt(costs, index);
      }
      table = widened(table, maximum);
    }
    const start = from * size;
    for (let to = 0; to < size; to++) table[start + to] = intAt(costs, intAt(routerIndex, to));
  }
  return { table, maximum };
}

/** The routers that points are, each once, and which of them each point is. O(points + the largest router). */
function distinctRouters(points: Int32Array): { routers: Int32Array; routerIndex: Int32Array } {
  let largest = 0;
  for (let point = 0; point < points.length; point++) largest = Math.max(largest, intAt(points, point));
  const indexOfRouter = new Int32Array(largest + 1).fill(-1);
  const routers = new Int32Array(points.length);
  const routerIndex = new Int32Array(points.length);
  let count = 0;
  for (let point = 0; point < points.length; point++) {
    const router = intAt(points, point);
    if (intAt(indexOfRouter, router) < 0) {
      routers[count] = router;
      indexOfRouter[router] = count++;
    }
    routerIndex[point] = intAt(indexOfRouter, router);
  }
  return { routers: routers.slice(0, count), routerIndex };
}

function axisCosts({ siteCount, routerOfSite }: Places, unit: number, { shape, wraps }: GridMetric): SiteCosts {
  const axes = shape.length;
  const coordinates = new Int32Array(siteCount * axes);
  for (let site = 0; site < siteCount; site++) {
    let rest = intAt(routerOfSite, site);
    for (let axis = 0; axis < axes; axis++) {
      coordinates[site * axes + axis] = rest % itemAt(shape, axis);
      rest = Math.floor(rest / itemAt(shape, axis));
    }
  }
  return {
    kind: 'axes',
    siteCount,
    unit,
    maximum: shape.reduce((sum, side, axis) => sum + axisExtent(side, wraps[axis] === true), 0),
    sides: shape,
    coordinates,
    axisCosts: shape.map((side, axis) => distancesOnAxis(side, wraps[axis] === true)),
  };
}

function distancesOnAxis(side: number, wraps: boolean): Uint16Array {
  const distances = new Uint16Array(side * side);
  for (let from = 0; from < side; from++) {
    for (let to = 0; to < side; to++) distances[from * side + to] = axisDistance(side, wraps, from, to);
  }
  return distances;
}
