import { intAt, realAt } from '../../numeric/elements.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { type RandomSource, shuffle } from '../../model/random.ts';
import { degreeOf, type WeightedGraph } from './weightedGraph.ts';
import { partitioningParameters } from './parameters.ts';

/** A coarser graph, and which of its vertices each vertex of the finer one went into. */
export interface Coarsening {
  readonly graph: WeightedGraph;
  readonly coarseOf: Int32Array;
}

/**
 * Merges matched vertices; undefined where hardly any could be matched, and if cancelled. `sizeLimit` is
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
    if (intAt(mate, vertex) < vertex) coarseOf[vertex] = intAt(coarseOf, intAt(mate, vertex));
    else coarseOf[vertex] = count++;
  }
  if (count > graph.vertexCount * partitioningParameters.leastShrinking) return undefined;
  const coarse = contract(graph, mate, coarseOf, count, work);
  return coarse && { graph: coarse, coarseOf };
}

/** The sum over the vertices that went into each coarse one. */
export function coarseSums(values: Float64Array, coarseOf: Int32Array, coarseCount: number): Float64Array {
  const sums = new Float64Array(coarseCount);
  for (let vertex = 0; vertex < coarseOf.length; vertex++) sums[intAt(coarseOf, vertex)]! += realAt(values, vertex);
  return sums;
}

/** Undefined if cancelled. */
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
  const edgeTo = new Int32Array(count).fill(-1);
  const rows = { graph, coarseOf, edgeTo, neighbour, weight };
  let edgeCount = 0;
  let coarse = 0;
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
    const other = intAt(mate, vertex);
    if (other < vertex) continue;
    const first = edgeCount;
    edgeCount = addRow(rows, vertex, first, first);
    size[coarse] = intAt(graph.size, vertex);
    if (other !== vertex) {
      edgeCount = addRow(rows, other, first, edgeCount);
      size[coarse]! += intAt(graph.size, other);
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

interface CoarseRows {
  readonly graph: WeightedGraph;
  /** Coarse vertex of each fine one. */
  readonly coarseOf: Int32Array;
  /** Where the edge to a coarse vertex stands, if that is within the current row. */
  readonly edgeTo: Int32Array;
  /** Edges of the coarse graph. */
  readonly neighbour: Int32Array;
  readonly weight: Float64Array;
}

/** Adds the edges of a fine vertex to the coarse row that begins at `first` and ends at `end`; the new end. */
function addRow(
  { graph, coarseOf, edgeTo, neighbour, weight }: CoarseRows,
  vertex: number,
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

/**
 * Pairs vertices joined by heavy edges: in random order each takes its heaviest free neighbour (heavy-edge
 * matching, Karypis and Kumar 1998, section 3.1), no pair standing for more than `sizeLimit` tasks.
 * Where that leaves many alone, as hubs of power-law graphs do, those whose heaviest neighbour is
 * the same are paired (two-hop matching, LaSalle et al. 2015), and so are vertices without any.
 * The mate of each vertex, itself where it stays alone; undefined if cancelled. O(edges).
 */
function matchVertices(
  graph: WeightedGraph,
  sizeLimit: number,
  random: RandomSource,
  work: WorkMeter,
): Int32Array | undefined {
  const mate = new Int32Array(graph.vertexCount).fill(-1);
  const order = Int32Array.from(mate, (_, vertex) => vertex);
  shuffle(order, random);
  const matched = matchHeavyEdges(graph, sizeLimit, order, mate, work);
  if (matched === undefined) return undefined;
  if (matched < graph.vertexCount * partitioningParameters.enoughMatched) matchTwoHops(graph, sizeLimit, order, mate);
  for (let vertex = 0; vertex < mate.length; vertex++) if (intAt(mate, vertex) < 0) mate[vertex] = vertex;
  return mate;
}

/** How many vertices it has matched; undefined if cancelled. */
function matchHeavyEdges(
  graph: WeightedGraph,
  sizeLimit: number,
  order: Int32Array,
  mate: Int32Array,
  work: WorkMeter,
): number | undefined {
  const { rowStart, neighbour, weight, size } = graph;
  let matched = 0;
  for (const vertex of order) {
    if (mate[vertex]! >= 0) continue;
    const room = sizeLimit - size[vertex]!;
    let best = -1;
    let bestWeight = 0;
    const end = rowStart[vertex + 1]!;
    for (let edge = rowStart[vertex]!; edge < end; edge++) {
      const other = neighbour[edge]!;
      if (mate[other]! >= 0 || size[other]! > room) continue;
      const heavier = weight[edge]!;
      // Of equal edges the one to the smaller vertex keeps sizes even.
      if (heavier > bestWeight || (heavier === bestWeight && best >= 0 && size[other]! < size[best]!)) {
        best = other;
        bestWeight = heavier;
      }
    }
    if (work.isCancelledAfter(degreeOf(graph, vertex))) return undefined;
    if (best < 0) continue;
    mate[vertex] = best;
    mate[best] = vertex;
    matched += 2;
  }
  return matched;
}

function matchTwoHops(graph: WeightedGraph, sizeLimit: number, order: Int32Array, mate: Int32Array): void {
  const { size, vertexCount } = graph;
  // The last cell is for vertices without neighbours.
  const waiting = new Int32Array(vertexCount + 1).fill(-1);
  for (const vertex of order) {
    if (intAt(mate, vertex) >= 0) continue;
    const hub = heaviestNeighbour(graph, vertex);
    const other = intAt(waiting, hub);
    if (other >= 0 && intAt(size, other) + intAt(size, vertex) <= sizeLimit) {
      mate[vertex] = other;
      mate[other] = vertex;
      waiting[hub] = -1;
    } else if (other < 0 || intAt(size, vertex) < intAt(size, other)) waiting[hub] = vertex;
  }
}

function heaviestNeighbour({ rowStart, neighbour, weight, vertexCount }: WeightedGraph, vertex: number): number {
  let heaviest = vertexCount;
  let heaviestWeight = -1;
  for (let edge = intAt(rowStart, vertex); edge < intAt(rowStart, vertex + 1); edge++) {
    if (realAt(weight, edge) > heaviestWeight) {
      heaviest = intAt(neighbour, edge);
      heaviestWeight = realAt(weight, edge);
    }
  }
  return heaviest;
}
