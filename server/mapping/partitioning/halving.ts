import type { WeightedGraph } from './weightedGraph.ts';

/**
 * To be split in two: the weight of cut edges, plus the pull of each vertex that goes to the second
 * half, is to be small.
 */
export interface Halving {
  readonly graph: WeightedGraph;
  /** By how much each vertex costs more in the second half than in the first; may be negative. */
  readonly pull: Float64Array;
  /** Fewest and most tasks of the first half. */
  readonly minimum: number;
  readonly maximum: number;
}

/** 0 or 1 for each vertex: the first half or the second. */
export type Sides = Uint8Array;

/** Tasks of the first half. O(vertices). */
export function firstLoad({ graph }: Halving, side: Sides): number {
  let load = 0;
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) if (side[vertex] === 0) load += graph.size[vertex]!;
  return load;
}

/** By how many tasks the first half is too small or too large. */
export const violationOf = ({ minimum, maximum }: Halving, load: number): number =>
  load < minimum ? minimum - load : load > maximum ? load - maximum : 0;

/** Cut edges, each once, and pulls. O(edges). */
export function halvingCost({ graph, pull }: Halving, side: Sides): number {
  const { rowStart, neighbour, weight } = graph;
  let cost = 0;
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
    if (side[vertex] === 0) continue;
    cost += pull[vertex]!;
    for (let edge = rowStart[vertex]!; edge < rowStart[vertex + 1]!; edge++) {
      if (side[neighbour[edge]!] === 0) cost += weight[edge]!;
    }
  }
  return cost;
}
