import type { WorkMeter } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import { shuffle } from '../../model/random.ts';
import { degreeOf, type WeightedGraph } from './weightedGraph.ts';

/**
 * Pairs vertices that talk much: in random order each takes its heaviest free neighbour (heavy-edge
 * matching, Karypis and Kumar 1998, section 3.1), no pair standing for more than `sizeLimit` tasks.
 * Where that leaves many alone, as hubs of power-law graphs do, those whose heaviest neighbour is
 * the same are paired (two-hop matching, LaSalle et al. 2015), and so are vertices without any.
 * The mate of each vertex, itself where it stays alone; undefined where it was cancelled. O(edges).
 */
export function matchVertices(
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
  if (matched < graph.vertexCount * enoughMatched) matchTwoHops(graph, sizeLimit, order, mate);
  for (let vertex = 0; vertex < mate.length; vertex++) if (mate[vertex]! < 0) mate[vertex] = vertex;
  return mate;
}

/** Part of the vertices that heavy edges must have matched; else two hops are looked at as well. */
const enoughMatched = 0.85;

/** How many vertices it has matched; undefined where it was cancelled. */
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
    if (mate[vertex]! >= 0) continue;
    const hub = heaviestNeighbour(graph, vertex);
    const other = waiting[hub]!;
    if (other >= 0 && size[other]! + size[vertex]! <= sizeLimit) {
      mate[vertex] = other;
      mate[other] = vertex;
      waiting[hub] = -1;
    } else if (other < 0 || size[vertex]! < size[other]!) waiting[hub] = vertex;
  }
}

function heaviestNeighbour({ rowStart, neighbour, weight, vertexCount }: WeightedGraph, vertex: number): number {
  let heaviest = vertexCount;
  let heaviestWeight = -1;
  for (let edge = rowStart[vertex]!; edge < rowStart[vertex + 1]!; edge++) {
    if (weight[edge]! > heaviestWeight) {
      heaviest = neighbour[edge]!;
      heaviestWeight = weight[edge]!;
    }
  }
  return heaviest;
}
