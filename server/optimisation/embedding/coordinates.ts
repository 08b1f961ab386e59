import { itemAt, realAt } from '../../numeric/elements.ts';
import type { WorkMeter } from '../../model/cancellation.ts';
import { symmetricEigen } from '../../numeric/symmetricEigen.ts';
import { axpy, dot } from '../../numeric/vectors.ts';

/**
 * Points in space: one array per axis, as long as there are points. Only differences matter, in any
 * unit; all finite.
 */
export type Coordinates = readonly Float64Array[];

/** New points whose axes are weighted sums of those of `points`: `matrix[to][from]`. O(points · axes²). */
export function transformed(
  points: Coordinates,
  matrix: readonly (readonly number[] | Float64Array)[],
): Float64Array[] {
  const count = points[0]?.length ?? 0;
  return matrix.map((row) => {
    const axis = new Float64Array(count);
    for (const [from, factor] of row.entries()) {
      if (factor !== 0) axpy(factor, itemAt(points, from), axis);
    }
    return axis;
  });
}

/**
 * The same points about the origin, none farther than 1 from it along any axis, all axes on one
 * scale. Divides before it subtracts, so that the largest doubles do not overflow.
 */
export function normalised(points: Coordinates): Float64Array[] {
  let farthest = 0;
  for (const axis of points) for (const value of axis) farthest = Math.max(farthest, Math.abs(value));
  const scale = farthest === 0 ? 1 : farthest;
  return points.map((axis) => {
    const scaled = axis.map((value) => value / scale);
    const middle = meanOf(scaled);
    return scaled.map((value) => (value - middle) / 2);
  });
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

/** Components that spread less than this share of the widest one are left out: they are noise. */
const negligible = 1e-9;

/**
 * The directions in which points spread most, as new axes: at most `dimensions` of them, widest
 * first; fewer where the points lie in fewer. Undefined if cancelled. O(points · axes²).
 */
export function principalComponents(
  points: Coordinates,
  dimensions: number,
  meter: WorkMeter,
): Float64Array[] | undefined {
  const centred = points.map((axis) => {
    const middle = meanOf(axis);
    return axis.map((value) => value - middle);
  });
  const scatter = scatterOf(centred, meter);
  if (scatter === undefined) return undefined;
  const { values, vectors } = symmetricEigen(scatter, centred.length) ?? { values: new Float64Array(), vectors: [] };
  const widest = values.at(-1) ?? 0;
  if (!(widest > 0)) return [];
  const wide = vectors.filter((_, component) => realAt(values, component) > negligible * widest);
  return transformed(centred, wide.reverse().slice(0, dimensions));
}

/** Sums of products of every two axes, row-major. Undefined if cancelled. */
function scatterOf(centred: Coordinates, meter: WorkMeter): Float64Array | undefined {
  const axes = centred.length;
  const scatter = new Float64Array(axes * axes);
  for (const [row, first] of centred.entries()) {
    for (let column = 0; column <= row; column++) {
      if (meter.isCancelledAfter(first.length)) return undefined;
      const sum = dot(first, itemAt(centred, column));
      scatter[row * axes + column] = sum;
      scatter[column * axes + row] = sum;
    }
  }
  return scatter;
}
