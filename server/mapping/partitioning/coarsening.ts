import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import { matchVertices } from './matching.ts';
import { degreeOf, type WeightedGraph } from './weightedGraph.ts';

/** A coarser graph, and which of its vertices each vertex of the finer one went into. */
export interface Coarsening {
  readonly graph: WeightedGraph;
  readonly coarseOf: Int32Array;
}

/** Below this ratio of vertices a level is not worth what it costs. */
const leastShrinking = 0.95;

/**
 * Merges matched vertices; undefined where hardly any could be matched, and where it was cancelled. `sizeLimit` is
 * the most tasks a vertex may stand for. O(edges).
 */
export function coarsen(
  graph: WeightedGraph,
  sizeLimit: number,
  random: RandomSource,
  cancellation: Cancellation,
): Coarsening | undefined {
  const work = new WorkMeter(cancellation);
  const mate = matchVertices(graph, sizeLimit, random, work);
  if (mate === undefined) return undefined;
  const coarseOf = new Int32Array(graph.vertexCount);
  let count = 0;
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
    if (mate[vertex]! < vertex) coarseOf[vertex] = coarseOf[mate[vertex]!]!;
    else coarseOf[vertex] = count++;
  }
  if (count > graph.vertexCount * leastShrinking) return undefined;
  const coarse = contract(graph, mate, coarseOf, count, work);
  return coarse && { graph: coarse, coarseOf };
}

/** The sum over the vertices that went into each coarse one. */
export function coarseSums(values: Float64Array, coarseOf: Int32Array, coarseCount: number): Float64Array {
  const sums = new Float64Array(coarseCount);
  for (let vertex = 0; vertex < coarseOf.length; vertex++) sums[coarseOf[vertex]!]! += values[vertex]!;
  return sums;
}

/** Undefined where it was cancelled. */
function contract(
  graph: WeightedGraph,
  mate: Int32Array,
  coarseOf: Int32Array,
  count: number,
  work: WorkMeter,
): WeightedGraph | undefined {
  const rowStart = new Int32Array(count + 1);
  const neighbour = new Int32Array(graph.neighbour.length);
  const weight = new Float64Array(graph.neighbour.length);
  const size = new Int32Array(count);
  /** Where the edge to a coarse vertex stands, if that is within the current row. */
  const edgeTo = new Int32Array(count).fill(-1);
  let edgeCount = 0;
  let coarse = 0;
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
    const other = mate[vertex]!;
    if (other < vertex) continue;
    const first = edgeCount;
    edgeCount = addRow(graph, vertex, coarseOf, edgeTo, neighbour, weight, first, first);
    size[coarse] = graph.size[vertex]!;
    if (other !== vertex) {
      edgeCount = addRow(graph, other, coarseOf, edgeTo, neighbour, weight, first, edgeCount);
      size[coarse]! += graph.size[other]!;
    }
    rowStart[++coarse] = edgeCount;
    if (work.isCancelledAfter(degreeOf(graph, vertex) + degreeOf(graph, other))) return undefined;
  }
  return {
    vertexCount: count,
    rowStart,
    neighbour: neighbour.slice(0, edgeCount),
    weight: weight.slice(0, edgeCount),
    size,
  };
}

/** Adds the edges of a fine vertex to the coarse row that begins at `first` and ends at `end`; the new end. */
function addRow(
  graph: WeightedGraph,
  vertex: number,
  coarseOf: Int32Array,
  edgeTo: Int32Array,
  neighbour: Int32Array,
  weight: Float64Array,
  first: number,
  end: number,
): number {
  const own = coarseOf[vertex]!;
  let edgeCount = end;
  for (let edge = graph.rowStart[vertex]!; edge < graph.rowStart[vertex + 1]!; edge++) {
    const other = coarseOf[graph.neighbour[edge]!]!;
    if (other === own) continue;
    const known = edgeTo[other]!;
    // Cells of earlier rows are stale: they point before this row or to another neighbour.
    if (known >= first && known < edgeCount && neighbour[known] === other) weight[known]! += graph.weight[edge]!;
    else {
      edgeTo[other] = edgeCount;
      neighbour[edgeCount] = other;
      weight[edgeCount++] = graph.weight[edge]!;
    }
  }
  return edgeCount;
}
