import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import { GainHeap } from './gainHeap.ts';
import type { Halving, Sides } from './halving.ts';
import { firstLoad, halvingCost, violationOf } from './halving.ts';
import { refineHalving } from './refineHalving.ts';
import { totalSize } from './weightedGraph.ts';

/** Halves grown from random vertices that are tried, besides the one by pulls. */
const growthTries = 4;

/**
 * Halves a small graph: by the pulls alone, and grown from a few random vertices (greedy graph
 * growing, Karypis and Kumar 1998), each refined; the best is kept. O(edges · log) for each.
 */
export function initialHalving(halving: Halving, random: RandomSource, cancellation: Cancellation): Sides {
  const { vertexCount } = halving.graph;
  const target = targetOf(halving);
  let best: Sides | undefined;
  let bestViolation = Infinity;
  let bestCost = Infinity;
  for (let attempt = 0; attempt <= growthTries; attempt++) {
    const side = attempt === 0 ? halfByPull(halving, target) : grownHalf(halving, target, random.integer(vertexCount));
    refineHalving(halving, side, vertexCount, cancellation);
    const violation = violationOf(halving, firstLoad(halving, side));
    const cost = halvingCost(halving, side);
    if (best === undefined || violation < bestViolation || (violation === bestViolation && cost < bestCost)) {
      best = side;
      bestViolation = violation;
      bestCost = cost;
    }
  }
  return best!;
}

/** Tasks that the first half begins with: as many of them as of its room, where there is room to spare. */
function targetOf({ graph, minimum, maximum }: Halving): number {
  const total = totalSize(graph);
  const room = maximum + (total - minimum);
  return Math.max(minimum, Math.min(maximum, Math.round((total * maximum) / Math.max(1, room))));
}

/** The vertices most pulled to the first half. O(vertices · log). */
function halfByPull({ graph, pull }: Halving, target: number): Sides {
  const side = new Uint8Array(graph.vertexCount).fill(1);
  const heap = new GainHeap(pull);
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) heap.append(vertex);
  heap.order();
  for (let load = 0; load < target && heap.count > 0;) {
    const vertex = heap.top;
    heap.remove(vertex);
    if (load + graph.size[vertex]! > target + (graph.size[vertex]! >> 1)) continue;
    side[vertex] = 0;
    load += graph.size[vertex]!;
  }
  return side;
}

/** Grows the first half from `seed`: always the neighbour that cuts least and is pulled most. */
function grownHalf({ graph, pull }: Halving, target: number, seed: number): Sides {
  const { rowStart, neighbour, weight, size, vertexCount } = graph;
  const side = new Uint8Array(vertexCount).fill(1);
  const gain = pull.slice();
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    for (let edge = rowStart[vertex]!; edge < rowStart[vertex + 1]!; edge++) gain[vertex]! -= weight[edge]!;
  }
  const frontier = new GainHeap(gain);
  let next = seed;
  for (let load = 0, seen = 0; load < target && seen < vertexCount;) {
    if (frontier.count === 0) {
      // The part that was grown is complete: on with the next vertex outside it.
      while (side[next] === 0) next = next + 1 === vertexCount ? 0 : next + 1;
      frontier.add(next);
    }
    const vertex = frontier.top;
    frontier.remove(vertex);
    side[vertex] = 0;
    load += size[vertex]!;
    seen++;
    for (let edge = rowStart[vertex]!; edge < rowStart[vertex + 1]!; edge++) {
      const other = neighbour[edge]!;
      if (side[other] === 0) continue;
      gain[other]! += 2 * weight[edge]!;
      if (frontier.has(other)) frontier.update(other);
      else frontier.add(other);
    }
  }
  return side;
}
