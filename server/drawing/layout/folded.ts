import type { Grid, Layout } from './contract.ts';
import { planarSize } from './planar.ts';
import { ascending, project, type Vector } from './project.ts';

/** Empty space between blocks, per level of nesting. */
const blockGap = 0.8;
/** How far a stub reaches from the router's centre. */
const reach = 0.48;

/**
 * More than three dimensions: a grid of grids. The first two axes span a block as in the plane,
 * the next two a grid of such blocks, and so on. Cables between blocks would run through
 * routers, so they are stubs like wrap links, each axis at an angle of its own.
 */
export function layoutFolded(grid: Grid): Layout {
  const vectors = blockVectors(grid);
  const inBlock = 2;
  return {
    ...project(grid, vectors),
    size: new Float32Array(grid.routerCount).fill(planarSize * 0.75),
    order: ascending(grid.routerCount),
    stub: (axis, wraps) => {
      const position = grid.axes.indexOf(axis);
      if (position < inBlock && !wraps) return undefined;
      const angle = stubAngle(position);
      const sign = wraps ? -1 : 1;
      return { dx: sign * reach * Math.cos(angle), dy: sign * reach * Math.sin(angle) };
    },
  };
}

/** Axes in turn go right and down; the step of an axis clears everything below its level. */
function blockVectors(grid: Grid): readonly Vector[] {
  const step = [1, 1];
  return grid.axes.map((axis, position): Vector => {
    const direction = position % 2;
    const length = step[direction]!;
    step[direction] = length * grid.shape[axis]! + blockGap;
    return direction === 0 ? [length, 0] : [0, length];
  });
}

/** 0°, 90°, then 45°, 135°, 22.5°, 112.5°, … : the next free bisection of the right angle. */
function stubAngle(position: number): number {
  const quarter = Math.PI / 2;
  let share = 0;
  let level = Math.floor(position / 2);
  for (let half = 0.5; level > 0; half /= 2, level >>= 1) share += (level & 1) * half;
  return quarter * ((position % 2) + share);
}
