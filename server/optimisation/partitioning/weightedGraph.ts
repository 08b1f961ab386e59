import { intAt, realAt } from '../../numeric/elements.ts';
import { WorkMeter, neverCancelled } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { groupedBy } from '../../numeric/grouping.ts';

/**
 * An undirected graph in compressed sparse rows whose vertices stand for one or more tasks. Each
 * edge stands in the rows of both its ends; there are no loops.
 */
export interface WeightedGraph {
  readonly vertexCount: number;
  /** Length vertexCount + 1. */
  readonly rowStart: Int32Array;
  readonly neighbour: Int32Array;
  readonly weight: Float64Array;
  /** Tasks that each vertex stands for. */
  readonly size: Int32Array;
}

/** Every task a vertex of its own; shares the arrays of `graph`. */
export const unitGraph = ({ taskCount, rowStart, partner, weight }: TaskGraph): WeightedGraph => ({
  vertexCount: taskCount,
  rowStart,
  neighbour: partner,
  weight,
  size: new Int32Array(taskCount).fill(1),
});

/** Edges of a vertex, and one for the vertex itself: the work that it is to visit it. */
export const degreeOf = ({ rowStart }: Pick<WeightedGraph, 'rowStart'>, vertex: number): number =>
  1 + intAt(rowStart, vertex + 1) - intAt(rowStart, vertex);

/** Tasks that all vertices together stand for. */
export function totalSize({ size, vertexCount }: WeightedGraph): number {
  let total = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) total += intAt(size, vertex);
  return total;
}

/** Tasks of the heaviest vertex. */
export function largestSize({ size, vertexCount }: WeightedGraph): number {
  let largest = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (intAt(size, vertex) > largest) largest = intAt(size, vertex);
  }
  return largest;
}

/**
 * The part of `graph` between the vertices `members[start … end)`, in that order. `localOf` is a
 * scratch array of one cell per vertex of `graph`, all −1, and is left so. Undefined if cancelled, and then
 * `localOf` is of no more use. O(edges of the members).
 */
export function subgraph(
  graph: WeightedGraph,
  members: Int32Array,
  start: number,
  end: number,
  localOf: Int32Array,
  work: WorkMeter,
): WeightedGraph | undefined {
  const count = end - start;
  let capacity = 0;
  for (let index = start; index < end; index++) {
    const vertex = intAt(members, index);
    localOf[vertex] = index - start;
    capacity += intAt(graph.rowStart, vertex + 1) - intAt(graph.rowStart, vertex);
  }
  const rowStart = new Int32Array(count + 1);
  const neighbour = new Int32Array(capacity);
  const weight = new Float64Array(capacity);
  const size = new Int32Array(count);
  let edgeCount = 0;
  for (let local = 0; local < count; local++) {
    const vertex = intAt(members, start + local);
    size[local] = intAt(graph.size, vertex);
    for (let edge = intAt(graph.rowStart, vertex); edge < intAt(graph.rowStart, vertex + 1); edge++) {
      const other = intAt(localOf, intAt(graph.neighbour, edge));
      if (other < 0) continue;
      neighbour[edgeCount] = other;
      weight[edgeCount++] = realAt(graph.weight, edge);
    }
    rowStart[local + 1] = edgeCount;
    if (work.isCancelledAfter(degreeOf(graph, vertex))) return undefined;
  }
  for (let index = start; index < end; index++) localOf[intAt(members, index)] = -1;
  return {
    vertexCount: count,
    rowStart,
    neighbour: neighbour.subarray(0, edgeCount),
    weight: weight.subarray(0, edgeCount),
    size,
  };
}

/**
 * Parts as vertices: the weight between two is that of all edges between their tasks. Partners
 * ascend. Undefined where `work` is cancelled. O(edges + quotient edges · log).
 */
export function quotientGraph(graph: TaskGraph, partOfTask: Int32Array, partCount: number): TaskGraph;
export function quotientGraph(
  graph: TaskGraph,
  partOfTask: Int32Array,
  partCount: number,
  work: WorkMeter,
): TaskGraph | undefined;
export function quotientGraph(
  { rowStart, partner, weight }: TaskGraph,
  partOfTask: Int32Array,
  partCount: number,
  work = new WorkMeter(neverCancelled),
): TaskGraph | undefined {
  const { start, members } = groupedBy(partOfTask, partCount);
  const partStart = new Int32Array(partCount + 1);
  // No part has more partners than its tasks have together, or than there are others.
  let capacity = 0;
  for (let part = 0; part < partCount; part++) {
    let edges = 0;
    for (let index = intAt(start, part); index < intAt(start, part + 1); index++) {
      edges += intAt(rowStart, intAt(members, index) + 1) - intAt(rowStart, intAt(members, index));
    }
    capacity += Math.min(edges, partCount - 1);
  }
  const partners = new Int32Array(capacity);
  const weights = new Float64Array(capacity);
  /** Weight between the part at hand and each other one, and for which part that was last written. */
  const sums = new Float64Array(partCount);
  const writtenFor = new Int32Array(partCount).fill(-1);
  let count = 0;
  for (let part = 0; part < partCount; part++) {
    const first = count;
    writtenFor[part] = part;
    for (let index = intAt(start, part); index < intAt(start, part + 1); index++) {
      const task = intAt(members, index);
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
        const other = intAt(partOfTask, intAt(partner, edge));
        if (other === part) continue;
        if (writtenFor[other] !== part) {
          writtenFor[other] = part;
          sums[other] = 0;
          partners[count++] = other;
        }
        sums[other]! += realAt(weight, edge);
      }
      if (work.isCancelledAfter(1 + intAt(rowStart, task + 1) - intAt(rowStart, task))) return undefined;
    }
    partners.subarray(first, count).sort();
    for (let index = first; index < count; index++) weights[index] = realAt(sums, intAt(partners, index));
    partStart[part + 1] = count;
  }
  const isFull = count === capacity;
  return {
    taskCount: partCount,
    rowStart: partStart,
    partner: isFull ? partners : partners.slice(0, count),
    weight: isFull ? weights : weights.slice(0, count),
  };
}
