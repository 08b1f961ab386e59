import type { Shape } from '../../model/shape.ts';
import { volumeOf } from '../../model/shape.ts';

/**
 * The block of `capacity` tasks with which GROUPING fills a node where the user names none. Of all
 * that fit into the grid: first one that divides it, then the most cubic one (the least sum of sides),
 * then the one longest on the last axis, which is the paper's 2 x 2 x 4 for sixteen cores. The whole grid
 * where it fits into a node; a line along its longest side where no such block fits.
 */
export function standardBlock(grid: Shape, capacity: number): Shape {
  if (volumeOf(grid) <= capacity) return grid;
  let best: Shape | undefined;
  for (const block of blocksWithin(grid, capacity)) {
    if (best === undefined || isBetter(grid, block, best)) best = block;
  }
  if (best !== undefined) return best;
  const longest = grid.indexOf(Math.max(...grid));
  return grid.map((side, axis) => (axis === longest ? Math.min(side, capacity) : 1));
}

/** All shapes of exactly `volume` that fit into `grid`. */
function* blocksWithin(grid: Shape, volume: number): Iterable<Shape> {
  const [side = 1, ...rest] = grid;
  if (grid.length === 0) {
    if (volume === 1) yield [];
    return;
  }
  if (volumeOf(grid) < volume) return;
  for (let length = 1; length <= Math.min(side, volume); length++) {
    if (volume % length !== 0) continue;
    for (const others of blocksWithin(rest, volume / length)) yield [length, ...others];
  }
}

export const divides = (block: Shape, grid: Shape): boolean => grid.every((side, axis) => side % block[axis]! === 0);

function isBetter(grid: Shape, block: Shape, best: Shape): boolean {
  if (divides(block, grid) !== divides(best, grid)) return divides(block, grid);
  const difference = sumOf(block) - sumOf(best);
  if (difference !== 0) return difference < 0;
  for (let axis = grid.length - 1; axis >= 0; axis--) {
    if (block[axis] !== best[axis]) return block[axis]! > best[axis]!;
  }
  return false;
}

const sumOf = (sides: Shape): number => sides.reduce((sum, side) => sum + side, 0);
