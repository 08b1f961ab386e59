import { coordinatesOf } from '../../model/shape.ts';
import type { Grid, Layout } from './contract.ts';
import { project, type Vector } from './project.ts';

/** Largest half side of a node, as in the plane; deep machines need smaller ones. */
const largestSize = 0.24;
/** Share of the distance between the nearest two projected routers that half a node takes. */
const sizeShare = 0.33;
/** How much smaller the farthest layer is: a hint of depth. */
const shrinkage = 0.3;
/** Length of a wrap stub, in steps of its axis. */
const stubLength = 0.55;

/**
 * Three dimensions in oblique axonometry: x to the right, y downwards, z away to the upper
 * right. The step of z is chosen so that no router hides another and no two cables of one
 * axis lie on one line: see {@link depthStep}.
 */
export function layoutAxonometric(grid: Grid): Layout {
  const [, , depthAxis] = grid.axes;
  const layers = grid.shape[depthAxis!]!;
  const { step, spacing } = depthStep(layers);
  const vectors: readonly Vector[] = [[1, 0], [0, 1], step];
  const size = new Float32Array(grid.routerCount);
  const order = new Int32Array(grid.routerCount);
  const coordinates = new Int32Array(grid.shape.length);
  const largest = Math.min(largestSize, spacing * sizeShare);
  for (let router = 0; router < grid.routerCount; router++) {
    coordinatesOf(grid.shape, router, coordinates);
    size[router] = largest * (1 - (shrinkage * coordinates[depthAxis!]!) / layers);
    // The last axis varies slowest, so counting down paints the far layers first.
    order[router] = grid.routerCount - 1 - router;
  }
  return {
    ...project(grid, vectors),
    size,
    order,
    stub: (axis, wraps) => {
      if (!wraps) return undefined;
      const [dx, dy] = vectors[grid.axes.indexOf(axis)]!;
      return { dx: -dx * stubLength, dy: -dy * stubLength };
    },
  };
}

/**
 * The step from layer to layer. Routers of all layers fall into one unit square (modulo 1) as
 * the points k · step, k < layers: a rank-1 lattice. We take the step of a pleasing slope whose
 * points keep farthest apart, and likewise the lines through them in x and in y. Deterministic;
 * O(650 · layers).
 */
export function depthStep(layers: number): { readonly step: Vector; readonly spacing: number } {
  let best: Vector = [0.42, -0.31];
  let bestScore = -1;
  for (let right = 34; right <= 58; right++) {
    for (let up = 22; up <= 47; up++) {
      const step: Vector = [right / 100, -up / 100];
      const { point, line } = separation(step, layers);
      const score = point + line;
      if (score > bestScore + 1e-9) {
        bestScore = score;
        best = step;
      }
    }
  }
  return { step: best, spacing: separation(best, layers).point };
}

/** Least distances modulo 1 between layers: of points, and of their lines along x or y. */
function separation([dx, dy]: Vector, layers: number): { readonly point: number; readonly line: number } {
  let point = 1;
  let line = 1;
  for (let apart = 1; apart < layers; apart++) {
    const right = Math.abs(dx * apart - Math.round(dx * apart));
    const down = Math.abs(dy * apart - Math.round(dy * apart));
    point = Math.min(point, Math.hypot(right, down));
    line = Math.min(line, right, down);
  }
  return { point, line };
}
