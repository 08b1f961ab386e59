import type { Machine } from '../../model/machine.ts';
import { coordinatesOf, type Shape } from '../../model/shape.ts';
import { axisDistance } from '../problem/gridCosts.ts';
import type { OffsetCosts } from '../problem/offsetCosts.ts';
import type { SearchCore } from '../problem/searchProblem.ts';

/** A grid on which costs are links: the sum over the axes of the distances along each. */
export interface GridSum {
  readonly shape: Shape;
  readonly wraps: readonly boolean[];
  /** `coordinates[axis][site]`. */
  readonly coordinates: readonly Int32Array[];
}

/** The grid of the machine where the costs are its links and nothing else; undefined elsewhere. O(sites · axes + offsets). */
export function gridSumOf({ costs, places }: SearchCore, { topology }: Machine): GridSum | undefined {
  const { shape, wraps } = topology;
  if (shape === undefined || wraps === undefined) return undefined;
  if (costs.kind !== 'axes' && (costs.offsets === undefined || !isSum(costs.offsets, shape, wraps))) return undefined;
  const coordinates = shape.map(() => new Int32Array(places.siteCount));
  const own = new Int32Array(shape.length);
  places.routerOfSite.forEach((router, site) => {
    coordinatesOf(shape, router, own);
    own.forEach((position, axis) => (coordinates[axis]![site] = position));
  });
  return { shape, wraps, coordinates };
}

function isSum({ table }: OffsetCosts, shape: Shape, wraps: readonly boolean[]): boolean {
  const widths = shape.map((side) => 2 * side - 1);
  const along = shape.map((side, axis) =>
    Int32Array.from({ length: 2 * side - 1 }, (_, offset) => axisDistance(side, wraps[axis]!, offset, side - 1)),
  );
  const first = along[0]!;
  const at = new Int32Array(shape.length);
  for (let start = 0; start < table.length; start += first.length) {
    coordinatesOf(widths, start, at);
    let others = 0;
    for (let axis = 1; axis < at.length; axis++) others += along[axis]![at[axis]!]!;
    for (let offset = 0; offset < first.length; offset++) {
      if (table[start + offset] !== first[offset]! + others) return false;
    }
  }
  return true;
}

/** The sum of the costs from each place to all places. Axis by axis, so O(places · axes + sides²). */
export function costSumsOfPlaces({ shape, wraps, coordinates }: GridSum, { places }: SearchCore): Float64Array {
  const sums = new Float64Array(places.placeCount);
  for (const [axis, side] of shape.entries()) {
    const positions = coordinates[axis]!;
    const placesAt = new Int32Array(side);
    for (const site of places.siteOfPlace) placesAt[positions[site]!]! += 1;
    const sumAt = placesAt.map((_, from) =>
      placesAt.reduce((sum, count, to) => sum + count * axisDistance(side, wraps[axis]!, from, to), 0),
    );
    for (let place = 0; place < sums.length; place++) sums[place]! += sumAt[positions[places.siteOfPlace[place]!]!]!;
  }
  return sums;
}
