import type { Grid, Layout } from './contract.ts';
import { ascending, project, type Vector } from './project.ts';

/** Above this dimension lines would hide one another; `folded.ts` takes over. */
export const hypercubeLimit = 6;

/**
 * The step of each dimension: a cube in perspective, then copies of what there is so far, to the
 * right, below, and far to the right. Found by a search that kept every cable as far as possible
 * from routers that are not its ends: 0.156 units up to five dimensions, 0.116 with six.
 */
const steps: readonly Vector[] = [
  [1, 0],
  [0, 1],
  [0.46, -0.59],
  [2.21, 0.35],
  [-0.46, 2.83],
  [5.04, -1.21],
];
const sizeUpToFive = 0.14;
const sizeOfSix = 0.1;

/** Hypercubes of four to six dimensions: every cable a straight line. */
export function layoutHypercube(grid: Grid): Layout {
  return {
    ...project(grid, steps),
    size: new Float32Array(grid.routerCount).fill(grid.axes.length <= 5 ? sizeUpToFive : sizeOfSix),
    order: ascending(grid.routerCount),
    stub: () => undefined,
  };
}
