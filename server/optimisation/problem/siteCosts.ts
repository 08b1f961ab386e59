import { intAt, itemAt } from '../../numeric/elements.ts';
import {
  type CostTable,
  type OffsetCosts,
  costTable,
  widened,
  gridRows,
  type CostRows,
  offsetCosts,
} from './gridCosts.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import { axisDistance, axisExtent } from '../../model/shape.ts';
import type { GridMetric } from '../../network/distances/contract.ts';
import type { Places } from './places.ts';

/**
 * What a byte between two sites costs under an additive criterion, in whole *units* of a power of
 * two, so that sums are exact and increments equal recomputed sums: hops have the unit 1. Symmetric;
 * 0 from a site to itself. Three shapes, because a table of all pairs does not always fit.
 */
export type SiteCosts = {
  readonly siteCount: number;
  readonly unit: number;
  readonly maximum: number;
  /** The same costs once more, where they depend on offsets on a grid: what is quickest to search with. */
  readonly offsets?: OffsetCosts;
} & (
  | { readonly kind: 'table'; readonly table: CostTable }
  /**
   * Grids too large for a table: the sum of one lookup per axis. `coordinates[site · axes + axis]`,
   * and `axisCosts[axis][a · sides[axis] + b]` between positions a and b.
   */
  | {
      readonly kind: 'axes';
      readonly sides: readonly number[];
      readonly coordinates: Int32Array;
      readonly axisCosts: readonly Uint16Array[];
    }
  /** Many nodes on few routers: a table of routers, and `between` added for two sites of different nodes. */
  | {
      readonly kind: 'routers';
      readonly routerCount: number;
      readonly routerOfSite: Int32Array;
      readonly table: CostTable;
      readonly between: number;
    }
);

/** Up to this many sites all pairs are a table: 64 MiB of bytes. */
export const tableSiteLimit = 8192;

/** One lookup; the kernels of the searches unfold it. O(axes). */
export function costBetween(costs: SiteCosts, from: number, to: number): number {
  if (from === to) return 0;
  switch (costs.kind) {
    case 'table':
      return costs.table[from * costs.siteCount + to]!;
    case 'axes': {
      const { sides, coordinates, axisCosts } = costs;
      let sum = 0;
      for (let axis = 0; axis < sides.length; axis++) {
        const a = intAt(coordinates, from * sides.length + axis);
        const b = intAt(coordinates, to * sides.length + axis);
        sum += itemAt(axisCosts, axis)[a * itemAt(sides, axis) + b]!;
      }
      return sum;
    }
    case 'routers': {
      const { routerCount, routerOfSite, table, between } = costs;
      return table[intAt(routerOfSite, from) * routerCount + intAt(routerOfSite, to)]! + between;
    }
  }
}

/**
 * Writes the costs from site `from` to all sites; `row` has siteCount entries. O(sites), O(sites · axes) on large
 * grids.
 */
export function fillCostRow(costs: SiteCosts, from: number, row: Int32Array): void {
  if (costs.kind === 'table') {
    row.set(costs.table.subarray(from * costs.siteCount, (from + 1) * costs.siteCount));
  } else if (costs.offsets !== undefined) {
    const { table, centre, positionOfSite } = costs.offsets;
    const start = centre + intAt(positionOfSite, from);
    for (let to = 0; to < row.length; to++) row[to] = table[start - intAt(positionOfSite, to)]!;
  } else {
    for (let to = 0; to < row.length; to++) row[to] = costBetween(costs, from, to);
  }
}

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

/**
 * {@link buildSiteCosts} for a search that asks for the costs of few pairs: no table of all pairs where distances along the axes of
 * a grid add up. O(sites), and O(offsets) where there are more pairs than that.
 */
export function buildSparseCosts(places: Places, costs: RouterCosts, cancellation: Cancellation): Result<SiteCosts> {
  if (!('grid' in costs) || !costs.grid.isSum || costs.between !== 0 || axisEntries(costs.grid) > axisTableLimit)
    return buildSiteCosts(places, costs, cancellation);
  const { grid, unit } = costs;
  const made = axisCosts(places, unit, grid);
  const offsetCount = grid.shape.reduce((product, side) => product * (2 * side - 1), 1);
  const offsets = places.siteCount ** 2 > offsetCount ? offsetCosts(places.routerOfSite, grid) : undefined;
  return succeed(offsets === undefined ? made : { ...made, offsets });
}

const axisEntries = ({ shape }: GridMetric): number => shape.reduce((sum, side) => sum + side * side, 0);

function shapeCosts(places: Places, costs: RouterCosts, cancellation: Cancellation): Result<SiteCosts> {
  const { siteCount, routerOfSite } = places;
  const { unit, between } = costs;
  if (siteCount <= tableSiteLimit) {
    const table = pairTable(routerOfSite, costs, between, cancellation);
    if (table === undefined) return cancelled();
    for (let site = 0; site < siteCount; site++) table.table[site * siteCount + site] = 0;
    return succeed({ kind: 'table', siteCount, unit, ...table });
  }
  const { routers, routerIndex } = distinctRouters(routerOfSite);
  if (routers.length <= tableSiteLimit) {
    const made = pairTable(routers, costs, 0, cancellation);
    if (made === undefined) return cancelled();
    const { table, maximum } = made;
    const routerCount = routers.length;
    const shape = { routerCount, routerOfSite: routerIndex, table, between };
    return succeed({ kind: 'routers', siteCount, unit, maximum: maximum + between, ...shape });
  }
  const entries = 'grid' in costs ? axisEntries(costs.grid) : Infinity;
  if ('grid' in costs && costs.grid.isSum && entries <= axisTableLimit)
    return succeed(axisCosts(places, unit, costs.grid));
  return fail(
    'too-many-nodes',
    `Criterion \`${costs.criterion}\` supports at most ${formatNumber(tableSiteLimit)} nodes or routers; ${formatNumber(siteCount)} nodes are allocated. Allocate fewer, or use a mapper without a criterion.`,
  );
}

/** All pairs of points, which are routers; undefined if cancelled. */
function pairTable(
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
