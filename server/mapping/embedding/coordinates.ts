/**
 * Points in space: one array per axis, as long as there are points. Only differences matter, in any
 * unit; all finite.
 */
export type Coordinates = readonly Float64Array[];

/** New points whose axes are weighted sums of those of `points`: `matrix[to][from]`. O(points · axes²). */
export function transformed(points: Coordinates, matrix: readonly (readonly number[])[]): Float64Array[] {
  const count = points[0]?.length ?? 0;
  return matrix.map((row) => {
    const axis = new Float64Array(count);
    for (const [from, factor] of row.entries()) {
      if (factor === 0) continue;
      const values = points[from]!;
      for (let point = 0; point < count; point++) axis[point]! += factor * values[point]!;
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

export function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}
