import { coordinatesOf } from '../../model/shape.ts';
import type { Grid } from './contract.ts';

/** A vector of the drawing plane. */
export type Vector = readonly [x: number, y: number];

/**
 * Parallel projection: a router stands at the sum of its coordinates times the vector of each
 * axis. `vectors` is parallel to `grid.axes`. O(routers · axes).
 */
export function project(grid: Grid, vectors: readonly Vector[]): { x: Float32Array; y: Float32Array } {
  const x = new Float32Array(grid.routerCount);
  const y = new Float32Array(grid.routerCount);
  const coordinates = new Int32Array(grid.shape.length);
  for (let router = 0; router < grid.routerCount; router++) {
    coordinatesOf(grid.shape, router, coordinates);
    let right = 0;
    let down = 0;
    grid.axes.forEach((axis, position) => {
      const [dx, dy] = vectors[position]!;
      right += coordinates[axis]! * dx;
      down += coordinates[axis]! * dy;
    });
    x[router] = right;
    y[router] = down;
  }
  return { x, y };
}

/** RouterIds as they are: for layouts in which nothing hides anything. */
export const ascending = (count: number): Int32Array => Int32Array.from({ length: count }, (_, index) => index);
