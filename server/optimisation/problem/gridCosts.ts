import { intAt, itemAt } from '../../numeric/elements.ts';
import { coordinatesOf, volumeOf, type Shape, axisDistance, axisExtent } from '../../model/shape.ts';
import type { GridMetric } from '../../network/distances/contract.ts';

/** Rows of a table of costs between points, which are routers. */
export interface CostRows {
  readonly maximum: number;
  /** Writes the costs from one point to all of them. */
  readonly fill: (from: number, row: CostTable) => void;
}

/**
 * Costs between routers of a grid without a lookup for every axis for every pair. How far apart two
 * routers are along each axis is one number with a digit per axis; the axes are dealt into two
 * groups, whose parts of that number are worked out once per row and position, so that a cost is
 * two lookups for the number and one for its cost. O(points) per row; O(routers) in all before.
 */
export function gridRows(metric: GridMetric, routers: Int32Array): CostRows {
  const digits = digitsOf(metric);
  const costs = costsOfOffsets(metric, digits);
  const [fast, slow] = splitAxes(metric.shape).map((axes) => axisGroup(metric, digits, axes, routers)) as [
    Group,
    Group,
  ];
  const fillCosts = isEveryPosition(fast, slow) ? fillInOrder : fillByLooks;
  return {
    maximum: costs.reduce((most, cost) => Math.max(most, cost), 0),
    fill: (from, row) => {
      fillOffsets(fast, from);
      fillOffsets(slow, from);
      fillCosts(costs, fast, slow, row);
    },
  };
}

/** Whether the points are all pairs of positions, the fast ones running fastest: a whole grid in order. */
function isEveryPosition(fast: Group, slow: Group): boolean {
  const width = fast.offsets.length;
  return (
    fast.positionOfPoint.length === width * slow.offsets.length &&
    fast.positionOfPoint.every((position, point) => position === point % width) &&
    slow.positionOfPoint.every((position, point) => position === Math.floor(point / width))
  );
}

function fillByLooks(costs: Int32Array, fast: Group, slow: Group, row: CostTable): void {
  const { positionOfPoint: fastPosition, offsets: fastOffsets } = fast;
  const { positionOfPoint: slowPosition, offsets: slowOffsets } = slow;
  for (let to = 0; to < row.length; to++) {
    row[to] = intAt(costs, intAt(fastOffsets, intAt(fastPosition, to)) + intAt(slowOffsets, intAt(slowPosition, to)));
  }
}

/** The same with the points counted rather than looked up: a whole machine in half the time. */
function fillInOrder(costs: Int32Array, { offsets: fastOffsets }: Group, slow: Group, row: CostTable): void {
  let to = 0;
  for (const offset of slow.offsets) {
    for (let position = 0; position < fastOffsets.length; position++) {
      row[to++] = intAt(costs, offset + intAt(fastOffsets, position));
    }
  }
}

/** What a step along each axis adds to the number of an offset; the last entry is how many numbers there are. */
function digitsOf({ shape, wraps }: GridMetric): number[] {
  const digits = [1];
  for (let axis = 0; axis < shape.length; axis++) {
    digits.push(itemAt(digits, axis) * (axisExtent(itemAt(shape, axis), wraps[axis] === true) + 1));
  }
  return digits;
}

/** The cost of each number of an offset. */
function costsOfOffsets({ shape, wraps, cost }: GridMetric, digits: readonly number[]): Int32Array {
  const extents = shape.map((side, axis) => axisExtent(side, wraps[axis] === true) + 1);
  const distances = new Int32Array(shape.length);
  return Int32Array.from({ length: digits.at(-1)! }, (_, offset) => {
    coordinatesOf(extents, offset, distances);
    return cost(distances);
  });
}

/** The axes before and after a cut that leaves both groups as few positions as it can. */
function splitAxes(shape: Shape): [number[], number[]] {
  const positions = (cut: number): number => Math.max(volumeOf(shape.slice(0, cut)), volumeOf(shape.slice(cut)));
  let best = 0;
  for (let cut = 1; cut <= shape.length; cut++) if (positions(cut) < positions(best)) best = cut;
  const axes = shape.map((_, axis) => axis);
  return [axes.slice(0, best), axes.slice(best)];
}

/** Some of the axes, and the positions on them that points have. */
interface Group {
  readonly axes: readonly { readonly side: number; readonly wraps: boolean; readonly digit: number }[];
  /** Index of each point's position among those that points have. */
  readonly positionOfPoint: Int32Array;
  /** `coordinates[position · axes + axis]`. */
  readonly coordinates: Int32Array;
  /** Part of the number of the offset from the row's point to each position. */
  readonly offsets: Int32Array;
}

function axisGroup(
  { shape, wraps }: GridMetric,
  digits: readonly number[],
  axes: number[],
  routers: Int32Array,
): Group {
  const own = new Int32Array(shape.length);
  const known = new Map<number, number>();
  const coordinates: number[] = [];
  const positionOfPoint = routers.map((router) => {
    coordinatesOf(shape, router, own);
    const key = axes.reduce((sum, axis) => sum * itemAt(shape, axis) + intAt(own, axis), 0);
    const position = known.get(key) ?? known.size;
    if (position === known.size) {
      known.set(key, position);
      for (const axis of axes) coordinates.push(intAt(own, axis));
    }
    return position;
  });
  return {
    axes: axes.map((axis) => ({ side: itemAt(shape, axis), wraps: wraps[axis] === true, digit: itemAt(digits, axis) })),
    positionOfPoint,
    coordinates: Int32Array.from(coordinates),
    offsets: new Int32Array(known.size),
  };
}

function fillOffsets({ axes, positionOfPoint, coordinates, offsets }: Group, from: number): void {
  const own = positionOfPoint[from]! * axes.length;
  offsets.fill(0);
  for (let axis = 0; axis < axes.length; axis++) {
    const { side, wraps, digit } = axes[axis]!;
    const start = coordinates[own + axis]!;
    for (let position = 0; position < offsets.length; position++) {
      offsets[position]! += digit * axisDistance(side, wraps, start, coordinates[position * axes.length + axis]!);
    }
  }
}

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
    centre: shape.reduce((sum, side, axis) => sum + (side - 1) * itemAt(strides, axis), 0),
    positionOfSite: routerOfSite.map((router) => {
      coordinatesOf(shape, router, coordinates);
      return coordinates.reduce((sum, coordinate, axis) => sum + coordinate * itemAt(strides, axis), 0);
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
      const part = itemAt(digits, axis) * axisDistance(side, wraps[axis] === true, offset, side - 1);
      const start = offset * numbers.length;
      for (let index = 0; index < numbers.length; index++) longer[start + index] = intAt(numbers, index) + part;
    }
    numbers = longer;
  });
  const table = costTable(
    numbers.length,
    costs.reduce((most, cost) => Math.max(most, cost), 0),
  );
  for (let index = 0; index < table.length; index++) table[index] = intAt(costs, intAt(numbers, index));
  return table;
}

/** Row-major; the narrowest type that holds the largest cost. */
export type CostTable = Uint8Array | Uint16Array | Int32Array;

/** Room for `length` costs up to `maximum`, all 0. */
export function costTable(length: number, maximum: number): CostTable {
  if (maximum <= 0xff) return new Uint8Array(length);
  return maximum <= 0xffff ? new Uint16Array(length) : new Int32Array(length);
}

/** The table itself where it can hold `maximum`, else its costs in a wider one. */
export function widened(table: CostTable, maximum: number): CostTable {
  const largest = 2 ** (8 * table.BYTES_PER_ELEMENT) - 1;
  if (maximum <= largest) return table;
  const wider = costTable(table.length, maximum);
  wider.set(table);
  return wider;
}
