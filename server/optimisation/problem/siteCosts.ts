import { intAt, itemAt } from '../../numeric/elements.ts';
import type { CostTable, OffsetCosts } from './gridCosts.ts';

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
