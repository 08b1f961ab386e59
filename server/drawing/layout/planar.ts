import type { Grid, Layout } from './contract.ts';
import { ascending, project, type Vector } from './project.ts';

/** Half the side of a router's square; the rest of the unit shows the cable. */
export const planarSize = 0.29;
/** How far a stub reaches from the router's centre. */
export const stubReach = 0.66;

/**
 * Grids of up to two dimensions as the papers draw them: x to the right, y downwards, so that
 * router 0 is at the upper left. Wrap links leave the border as stubs.
 */
export function layoutPlanar(grid: Grid): Layout {
  const vectors: readonly Vector[] = [
    [1, 0],
    [0, 1],
  ];
  return {
    ...project(grid, vectors),
    size: new Float32Array(grid.routerCount).fill(planarSize),
    order: ascending(grid.routerCount),
    stub: (axis, wraps) => {
      if (!wraps) return undefined;
      const [dx, dy] = vectors[grid.axes.indexOf(axis)]!;
      return { dx: -dx * stubReach, dy: -dy * stubReach };
    },
  };
}
