import type { Cancellation } from '../../../model/cancellation.ts';
import { coordinatesOf } from '../../../model/shape.ts';
import type { SearchProblem } from '../../problem/searchProblem.ts';
import type { TaskGraph } from '../../problem/taskGraph.ts';
import { cartesianSkeleton } from './cartesianSkeleton.ts';
import { type GridPositions, gridProduct } from './gridProduct.ts';

/**
 * The tasks as a grid: the job's own where most of its bytes stay near on it, else one that the graph
 * of tasks turns out to be, with or without diagonals, whatever the numbers of the tasks. Undefined
 * where there is none, or it was cancelled. O(edges · degree²).
 */
export function taskGridOf({ job, graph }: SearchProblem, cancellation: Cancellation): GridPositions | undefined {
  const own = job.grid === undefined ? undefined : ownGrid(job.grid, job.taskCount, graph);
  return own ?? gridOfGraph(graph, cancellation);
}

function gridOfGraph(graph: TaskGraph, cancellation: Cancellation): GridPositions | undefined {
  if (graph.taskCount < 2 || graph.partner.length === 0) return undefined;
  const plain = gridProduct(graph, cancellation);
  if (plain !== undefined || !mayHaveDiagonals(graph)) return plain;
  const skeleton = cartesianSkeleton(graph, cancellation);
  return skeleton && gridProduct(skeleton, cancellation);
}

/** Partners of a task on a grid of four axes with all diagonals. */
const mostPartners = 80;

/** Few degrees, none too large: one per kind of border, as grids have, which most other graphs do not. */
function mayHaveDiagonals({ taskCount, rowStart }: TaskGraph): boolean {
  const degrees = new Set<number>();
  for (let task = 0; task < taskCount; task++) {
    const degree = rowStart[task + 1]! - rowStart[task]!;
    degrees.add(degree);
    if (degree < 1 || degree > mostPartners || degrees.size > 16) return false;
  }
  return true;
}

/** How far partners are along an axis, at most, to be near: less than most pairs that have nothing to do with it. */
const nearBy = (side: number): number => (side < 8 ? 1 : 2);

function ownGrid(grid: readonly number[], taskCount: number, graph: TaskGraph): GridPositions | undefined {
  const axes = grid.map((_, axis) => axis).filter((axis) => grid[axis]! > 1);
  const positions = axes.map(() => new Int32Array(taskCount));
  const position = new Int32Array(grid.length);
  for (let task = 0; task < taskCount; task++) {
    coordinatesOf(grid, task, position);
    for (const [kept, axis] of axes.entries()) positions[kept]![task] = position[axis]!;
  }
  const sides = axes.map((axis) => grid[axis]!);
  const { near, wraps } = nearness(graph, sides, positions);
  return near ? { sides, wraps, positions } : undefined;
}

/** Whether most bytes stay near, and which axes have bytes that go round. */
function nearness(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  sides: readonly number[],
  positions: readonly Int32Array[],
): { near: boolean; wraps: boolean[] } {
  const wraps = sides.map(() => false);
  let nearBytes = 0;
  let bytes = 0;
  for (let task = 0; task < taskCount; task++) {
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      let near = true;
      for (const [axis, side] of sides.entries()) {
        const apart = Math.abs(positions[axis]![task]! - positions[axis]![partner[edge]!]!);
        const round = side - apart < apart && side - apart <= nearBy(side);
        if (round) wraps[axis] = true;
        if (!round && apart > nearBy(side)) near = false;
      }
      bytes += weight[edge]!;
      if (near) nearBytes += weight[edge]!;
    }
  }
  return { near: 2 * nearBytes > bytes, wraps };
}
