import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { Coarsening } from './coarsening.ts';
import { coarsen, coarseSums } from './coarsening.ts';
import type { Halving, Sides } from './halving.ts';
import { initialHalving } from './initialHalving.ts';
import { refineHalving } from './refineHalving.ts';
import { largestSize, totalSize } from './weightedGraph.ts';

/** A graph of so few vertices is halved as it is. */
const coarsestVertices = 100;

/**
 * Splits a graph of unit vertices in two within its sizes exactly, with little weight cut: coarsened
 * by matching, halved where it is smallest, refined on every level on the way back (multilevel
 * bisection, Karypis and Kumar 1998). Undefined where it was cancelled. O(edges · log n).
 */
export function halve(halving: Halving, random: RandomSource, cancellation: Cancellation): Sides | undefined {
  const levels: { readonly halving: Halving; readonly coarseOf: Int32Array }[] = [];
  let current = halving;
  const sizeLimit = Math.max(2, Math.ceil((1.5 * totalSize(halving.graph)) / coarsestVertices));
  while (current.graph.vertexCount > coarsestVertices) {
    if (cancellation.isCancelled()) return undefined;
    const coarser = coarsen(current.graph, sizeLimit, random, cancellation);
    if (coarser === undefined) break;
    levels.push({ halving: current, coarseOf: coarser.coarseOf });
    current = coarseHalving(current, halving, coarser);
  }
  if (cancellation.isCancelled()) return undefined;
  let side = initialHalving(current, random, cancellation);
  for (const { halving: finer, coarseOf } of levels.reverse()) {
    if (cancellation.isCancelled()) return undefined;
    const coarseSide = side;
    side = Uint8Array.from(coarseOf, (coarse) => coarseSide[coarse]!);
    refineHalving(finer, side, patienceFor(finer.graph.vertexCount), cancellation);
  }
  return cancellation.isCancelled() ? undefined : side;
}

/** Moves that may pass without anything better. */
export const patienceFor = (vertexCount: number): number => 50 + Math.floor(vertexCount / 32);

/** Sizes may be wrong by half the largest vertex, so that single tasks must be right. */
function coarseHalving(finer: Halving, finest: Halving, { graph, coarseOf }: Coarsening): Halving {
  const tolerance = largestSize(graph) >> 1;
  return {
    graph,
    pull: coarseSums(finer.pull, coarseOf, graph.vertexCount),
    minimum: finest.minimum - tolerance,
    maximum: finest.maximum + tolerance,
  };
}
