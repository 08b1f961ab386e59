import type { Grid, Layout } from './contract.ts';
import { planarSize, stubReach } from './planar.ts';
import { ascending } from './project.ts';

/** A line of this many routers or more is folded. */
export const snakeFrom = 25;

/**
 * A long line or ring, folded like a snake: rows run right, then left, so that neighbours stay
 * one unit apart and the picture keeps the proportions of a page.
 */
export function layoutSnake(grid: Grid): Layout {
  const { routerCount } = grid;
  const columns = Math.ceil(Math.sqrt(routerCount * 1.6));
  const x = new Float32Array(routerCount);
  const y = new Float32Array(routerCount);
  for (let router = 0; router < routerCount; router++) {
    const row = Math.floor(router / columns);
    const column = router % columns;
    x[router] = row % 2 === 0 ? column : columns - 1 - column;
    y[router] = row;
  }
  return {
    x,
    y,
    size: new Float32Array(routerCount).fill(planarSize),
    order: ascending(routerCount),
    // Up from the first router, down from the last: to the side there may be a neighbour.
    stub: (_axis, wraps) => (wraps ? { dx: 0, dy: -stubReach } : undefined),
  };
}
