import { coordinatesOf } from '../../model/shape.ts';
import { costTable, type CostTable } from './costTable.ts';
import { axisDistance, costsOfOffsets, digitsOf, type GridMetric } from './gridCosts.ts';

/**
 * Costs on a grid, where they depend on nothing but how far apart two sites are along each axis:
 * `table[centre + positionOfSite[a] − positionOfSite[b]]`. Much smaller than a table of all pairs.
 */
export interface OffsetCosts {
  readonly table: CostTable;
  readonly centre: number;
  readonly positionOfSite: Int32Array;
}

/** Entries of a table of offsets: 64 x 64 x 64 has about as many, and they take some 20 ms. */
const offsetLimit = 2 ** 21;

/** Undefined where there are more offsets than `offsetLimit`. O(sites · axes + offsets). */
export function offsetCosts(routerOfSite: Int32Array, metric: GridMetric): OffsetCosts | undefined {
  const { shape } = metric;
  const strides = [1];
  for (const side of shape) strides.push(strides.at(-1)! * (2 * side - 1));
  if (strides.at(-1)! > offsetLimit) return undefined;
  const coordinates = new Int32Array(shape.length);
  return {
    table: tableOfOffsets(metric),
    centre: shape.reduce((sum, side, axis) => sum + (side - 1) * strides[axis]!, 0),
    positionOfSite: routerOfSite.map((router) => {
      coordinatesOf(shape, router, coordinates);
      return coordinates.reduce((sum, coordinate, axis) => sum + coordinate * strides[axis]!, 0);
    }),
  };
}

/** Offsets 1 − side … side − 1 along each axis, the first axis fastest. */
function tableOfOffsets(metric: GridMetric): CostTable {
  const { shape, wraps } = metric;
  const digits = digitsOf(metric);
  const costs = costsOfOffsets(metric, digits);
  let numbers = new Int32Array(1);
  shape.forEach((side, axis) => {
    const longer = new Int32Array(numbers.length * (2 * side - 1));
    for (let offset = 0; offset < 2 * side - 1; offset++) {
      const part = digits[axis]! * axisDistance(side, wraps[axis] === true, offset, side - 1);
      const start = offset * numbers.length;
      for (let index = 0; index < numbers.length; index++) longer[start + index] = numbers[index]! + part;
    }
    numbers = longer;
  });
  const table = costTable(
    numbers.length,
    costs.reduce((most, cost) => Math.max(most, cost), 0),
  );
  for (let index = 0; index < table.length; index++) table[index] = costs[numbers[index]!]!;
  return table;
}
