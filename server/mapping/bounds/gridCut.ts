import { coordinatesOf, volumeOf, type Shape } from '../../model/shape.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/** The edges between tasks that are one offset apart on the grid. */
interface Direction {
  readonly offset: readonly number[];
  edges: number;
  /** Weight of the lightest of them. */
  lightest: number;
  /** Whether some of them go round the grid. */
  wraps: boolean;
}

/** With more offsets than the stencil of all 124 tasks at most two steps away has, it is no grid. */
const directionLimit = 62;

/**
 * Weight that must leave groups of at most `capacity` tasks of a grid whose tasks talk at fixed offsets.
 *
 * Along one offset the tasks lie on lines, and s tasks on p lines have at most s − p edges of that offset between
 * them. Along d linearly independent offsets (a basis) p₁ · … · p_d ≥ s^(d−1) by the inequality of Loomis and
 * Whitney 1949 (tasks that no steps of the basis join are in different classes, and a group does best in one), so that with
 * weights w the lines cost Σ w p ≥ d (w₁ ⋯ w_d)^(1/d) s^((d−1)/d), the inequality of the means: for cubes of a
 * seven-point stencil what a box of the best shape sends out. Each offset is in one basis, or by itself
 * (s − 1 edges at most). Summed over groups of at most `capacity` tasks the least has them full, as what a
 * group keeps grows faster than its size. Of weights that differ along an offset the lightest counts. Undefined
 * for no grid, and where offsets go round a grid that is small enough for a group to close a line.
 */
export function gridCut(graph: TaskGraph, grid: Shape | undefined): ((capacity: number) => number) | undefined {
  if (grid === undefined || volumeOf(grid) !== graph.taskCount) return undefined;
  const directions = directionsOf(graph, grid);
  if (directions === undefined) return undefined;
  const bases = basesOf(directions, grid.length);
  const rounds = directions.filter(({ wraps }) => wraps).map(({ offset }) => closingSteps(offset, grid));
  const shortestRound = Math.min(Infinity, ...rounds);
  return (capacity) => {
    if (capacity >= shortestRound) return 0;
    let cut = 0;
    for (const basis of bases) {
      // Per task: what its edges weigh, less what full groups keep of them.
      const light = basis.map(({ lightest }) => lightest);
      const total = basis.reduce((sum, { edges, lightest }) => sum + edges * lightest, 0);
      const d = basis.length;
      const mean = light.reduce((product, weight) => product * weight, 1) ** (1 / d);
      const perTask = light.reduce((sum, weight) => sum + weight, 0) - d * mean * capacity ** (-1 / d);
      cut += Math.max(0, total - graph.taskCount * Math.max(0, perTask));
    }
    return Math.max(0, Math.ceil(cut * (1 - 1e-9)));
  };
}

/** The offsets at which tasks talk; undefined where there are too many. O(edges · dimensions). */
function directionsOf({ taskCount, rowStart, partner, weight }: TaskGraph, grid: Shape): Direction[] | undefined {
  const found = new Map<string, Direction>();
  const own = new Int32Array(grid.length);
  const others = new Int32Array(grid.length);
  for (let task = 0; task < taskCount; task++) {
    coordinatesOf(grid, task, own);
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      if (partner[edge]! < task) continue;
      coordinatesOf(grid, partner[edge]!, others);
      const { offset, wraps } = offsetBetween(own, others, grid);
      const key = offset.join(' ');
      const direction = found.get(key);
      if (direction === undefined) {
        if (found.size === directionLimit) return undefined;
        found.set(key, { offset, edges: 1, lightest: weight[edge]!, wraps });
      } else {
        direction.edges++;
        direction.lightest = Math.min(direction.lightest, weight[edge]!);
        direction.wraps ||= wraps;
      }
    }
  }
  return [...found.values()];
}

/** The way from one task to another or back, whichever comes first; round the grid where that is shorter along an axis. */
function offsetBetween(from: Int32Array, to: Int32Array, grid: Shape): { offset: number[]; wraps: boolean } {
  let wraps = false;
  const way = grid.map((side, axis) => {
    const straight = to[axis]! - from[axis]!;
    if (2 * Math.abs(straight) <= side) return straight;
    wraps = true;
    return straight - Math.sign(straight) * side;
  });
  const first = way.find((steps) => steps !== 0) ?? 0;
  return { offset: first < 0 ? way.map((steps) => -steps) : way, wraps };
}

/**
 * Offsets in bases of independent ones, those of like weights together. Where lines go round the grid only
 * offsets along an axis are independent of each other: the grid is a product of rings then.
 */
function basesOf(directions: readonly Direction[], dimensions: number): Direction[][] {
  const bases: Direction[][] = [];
  const isRound = directions.some(({ wraps }) => wraps);
  for (const direction of directions.toSorted((a, b) => b.lightest - a.lightest)) {
    const isAlone = isRound && axesOf(direction) > 1;
    const basis = bases.find(
      (some) =>
        !isAlone &&
        some.length < dimensions &&
        !(isRound && some.some((other) => axesOf(other) > 1)) &&
        areIndependent([...some, direction].map(({ offset }) => offset)),
    );
    if (basis === undefined) bases.push([direction]);
    else basis.push(direction);
  }
  return bases;
}

const axesOf = ({ offset }: Direction): number => offset.filter((steps) => steps !== 0).length;

/** By elimination without fractions: offsets are small whole numbers. */
function areIndependent(offsets: readonly (readonly number[])[]): boolean {
  const rows = offsets.map((offset) => [...offset]);
  for (const [rank, row] of rows.entries()) {
    const column = row.findIndex((value) => value !== 0);
    if (column < 0) return false;
    for (const below of rows.slice(rank + 1)) {
      const factor = below[column]!;
      for (const [axis, value] of row.entries()) below[axis] = below[axis]! * row[column]! - factor * value;
    }
  }
  return true;
}

/** Steps of an offset after which a line round the grid is back where it began. */
function closingSteps(offset: readonly number[], grid: Shape): number {
  let steps = 1;
  for (const [axis, side] of grid.entries()) {
    const own = side / greatestDivisor(side, Math.abs(offset[axis]!));
    steps = (steps * own) / greatestDivisor(steps, own);
  }
  return steps;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
