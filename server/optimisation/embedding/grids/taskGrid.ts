import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import { coordinatesOf } from '../../../model/shape.ts';
import type { SearchProblem } from '../../problem/searchProblem.ts';
import type { TaskGraph } from '../../problem/taskGraph.ts';
import { type GridPositions, gridProduct, type Adjacency, restricted, reverseEntries } from './gridProduct.ts';

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
    const degree = intAt(rowStart, task + 1) - intAt(rowStart, task);
    degrees.add(degree);
    if (degree < 1 || degree > mostPartners || degrees.size > 16) return false;
  }
  return true;
}

/** How far partners are along an axis, at most, to be near: less than most pairs that have nothing to do with it. */
const nearBy = (side: number): number => (side < 8 ? 1 : 2);

function ownGrid(grid: readonly number[], taskCount: number, graph: TaskGraph): GridPositions | undefined {
  const axes = grid.map((_, axis) => axis).filter((axis) => itemAt(grid, axis) > 1);
  const positions = axes.map(() => new Int32Array(taskCount));
  const position = new Int32Array(grid.length);
  for (let task = 0; task < taskCount; task++) {
    coordinatesOf(grid, task, position);
    for (const [kept, axis] of axes.entries()) itemAt(positions, kept)[task] = intAt(position, axis);
  }
  const sides = axes.map((axis) => itemAt(grid, axis));
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
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      let near = true;
      for (const [axis, side] of sides.entries()) {
        const apart = Math.abs(
          intAt(itemAt(positions, axis), task) - intAt(itemAt(positions, axis), intAt(partner, edge)),
        );
        const round = side - apart < apart && side - apart <= nearBy(side);
        if (round) wraps[axis] = true;
        if (!round && apart > nearBy(side)) near = false;
      }
      bytes += realAt(weight, edge);
      if (near) nearBytes += realAt(weight, edge);
    }
  }
  return { near: 2 * nearBytes > bytes, wraps };
}

/** Tasks between two polls of the cancellation. */
const pollEvery = 256;

/**
 * Takes the diagonals out of a graph such as nine-point and 27-point stencils have, and leaves the
 * grid: the Cartesian skeleton of a strong product (Hammack and Imrich 2009, "On Cartesian skeletons
 * of graphs"). An edge xy goes if some z lies between: N[x] ∩ N[y] ⊂ N[x] ∩ N[z] or N[x] ⊂ N[z] ⊂ N[y],
 * and the same with x and y exchanged. Sides of at least 3. Undefined if cancelled.
 * O(edges · degree²).
 */
function cartesianSkeleton(graph: Adjacency, cancellation: Cancellation): Adjacency | undefined {
  const { taskCount, rowStart, partner } = graph;
  const reverse = reverseEntries(graph);
  const kept = new Uint8Array(partner.length);
  const marks = {
    graph,
    near: new Int32Array(taskCount).fill(-1),
    far: new Int32Array(taskCount).fill(-1),
    entryFromTask: new Int32Array(taskCount),
    shared: new Int32Array(partner.length),
  };
  if (!countShared(marks, reverse, cancellation)) return undefined;
  for (let task = 0; task < taskCount; task++) {
    if (task % pollEvery === 0 && cancellation.isCancelled()) return undefined;
    markNear(marks, task);
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      const other = intAt(partner, edge);
      if (other < task || isDispensable(marks, task, other, edge)) continue;
      kept[edge] = 1;
      kept[intAt(reverse, edge)] = 1;
    }
  }
  return restricted(graph, kept);
}

/** Which tasks are in the closed neighbourhoods of the two ends of an edge. */
interface Marks {
  readonly graph: Adjacency;
  /** Holds the task whose closed neighbourhood it was last found in; ends with the lower task. */
  readonly near: Int32Array;
  /** Holds the entry of the edge whose higher end it was last found near. */
  readonly far: Int32Array;
  /** Entry to each neighbour of the lower task in its row. */
  readonly entryFromTask: Int32Array;
  /** Of each entry, how many tasks are in the closed neighbourhoods of both ends. */
  readonly shared: Int32Array;
}

function markNear({ graph: { rowStart, partner }, near, entryFromTask }: Marks, task: number): void {
  near[task] = task;
  for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
    near[intAt(partner, edge)] = task;
    entryFromTask[intAt(partner, edge)] = edge;
  }
}

function countShared(marks: Marks, reverse: Int32Array, cancellation: Cancellation): boolean {
  const { taskCount, rowStart, partner } = marks.graph;
  for (let task = 0; task < taskCount; task++) {
    if (task % pollEvery === 0 && cancellation.isCancelled()) return false;
    markNear(marks, task);
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      const other = intAt(partner, edge);
      if (other < task) continue;
      let count = 1;
      for (let entry = intAt(rowStart, other); entry < intAt(rowStart, other + 1); entry++) {
        if (marks.near[intAt(partner, entry)] === task) count++;
      }
      marks.shared[edge] = count;
      marks.shared[intAt(reverse, edge)] = count;
    }
  }
  marks.near.fill(-1);
  return true;
}

function isDispensable(marks: Marks, task: number, other: number, edge: number): boolean {
  const { rowStart, partner } = marks.graph;
  marks.far[other] = edge;
  for (let entry = intAt(rowStart, other); entry < intAt(rowStart, other + 1); entry++)
    marks.far[intAt(partner, entry)] = edge;
  for (let entry = intAt(rowStart, other); entry < intAt(rowStart, other + 1); entry++) {
    const between = intAt(partner, entry);
    if (between === task || marks.near[between] !== task) continue;
    if (liesBetween(marks, { task, other, edge, entry }, between)) return true;
  }
  return false;
}

/** Entry `edge` leads from `task` to `other`, and `entry` from there to the task that may lie between. */
interface Edge {
  readonly task: number;
  readonly other: number;
  readonly edge: number;
  readonly entry: number;
}

function liesBetween(marks: Marks, { task, other, edge, entry }: Edge, between: number): boolean {
  const { rowStart } = marks.graph;
  const size = (of: number) => intAt(rowStart, of + 1) - intAt(rowStart, of);
  const own = size(between);
  const shared = intAt(marks.shared, edge);
  const withTask = intAt(marks.shared, intAt(marks.entryFromTask, between));
  const withOther = intAt(marks.shared, entry);
  const mayLie = withTask > shared || withOther > shared;
  const hasShared = mayLie && holdsShared(marks, task, edge, between, shared);
  return (
    ((hasShared && withTask > shared) || isNested(size(task), withTask, own, withOther, size(other))) &&
    ((hasShared && withOther > shared) || isNested(size(other), withOther, own, withTask, size(task)))
  );
}

/**
 * Whether closed neighbourhoods lie strictly one in the other, given the degrees of their middles and
 * how much the inner and the outer one share with the one between: all of the smaller, itself included.
 */
const isNested = (inner: number, withInner: number, between: number, withOuter: number, outer: number): boolean =>
  inner < between && between < outer && withInner === inner + 1 && withOuter === between + 1;

/** Whether all that is near both ends of the edge is near `between`, which is near both itself. */
function holdsShared(
  { graph, near, far }: Marks,
  task: number,
  edge: number,
  between: number,
  shared: number,
): boolean {
  const { rowStart, partner } = graph;
  let inBoth = 1;
  for (let entry = intAt(rowStart, between); entry < intAt(rowStart, between + 1); entry++) {
    const third = intAt(partner, entry);
    if (near[third] === task && far[third] === edge) inBoth++;
  }
  return inBoth === shared;
}
