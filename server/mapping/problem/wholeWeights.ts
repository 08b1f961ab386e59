import type { TaskGraph } from './taskGraph.ts';

/**
 * Sums of weight · cost stay at most this: doubles hold whole numbers up to 2^53, and two bits are
 * left for what kernels add up on their way to a difference of two sums.
 */
export const largestSum = 2 ** 51;

export interface WholeAmounts {
  readonly amounts: Float64Array;
  /** Bytes of one unit, a power of two. */
  readonly unit: number;
}

/**
 * Whole amounts, for costs up to `largestCost` > 0 each, so that sums of amount · cost are exact in
 * whatever order they are added. Whole bytes keep the unit 1, and halves, quarters, … are scaled up,
 * wherever that leaves all sums at `largestSum` or below. Otherwise (amounts of very different sizes,
 * fractions as 0.1 that binary numbers never meet, or more than 2^51 bytes · cost in all) the finest
 * unit that does is taken and amounts are rounded to it, to one unit at least: then what a search
 * minimises differs from what the report sums by less than 2^-50 of the whole per amount. The report
 * is not made of these amounts. O(amounts).
 */
export function wholeAmounts(amounts: Float64Array, largestCost: number): WholeAmounts {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const coarsest = powerNotBelow((total / largestSum) * largestCost);
  const unit = Math.max(coarsest, exactUnit(amounts, coarsest));
  return { amounts: amounts.map((bytes) => Math.max(1, Math.round(bytes / unit))), unit };
}

/** The graph with whole weights. Every edge stands in two rows and costs once. */
export function wholeWeights(graph: TaskGraph, largestCost: number): { graph: TaskGraph; weightUnit: number } {
  const { amounts, unit } = wholeAmounts(graph.weight, Math.max(1, largestCost) / 2);
  return { graph: { ...graph, weight: amounts }, weightUnit: unit };
}

/** The largest power of two, at most 1, of which all amounts are multiples; `finest` where it would be finer. */
function exactUnit(amounts: Float64Array, finest: number): number {
  let unit = 1;
  for (const amount of amounts) {
    while (unit > finest && !Number.isInteger(amount / unit)) unit /= 2;
  }
  return unit;
}

/** The least power of two that is not below `bound`; 0 for 0. */
function powerNotBelow(bound: number): number {
  if (bound === 0) return 0;
  const power = 2 ** Math.ceil(Math.log2(bound));
  // The logarithm is rounded, so it may be one off where `bound` is all but a power itself.
  return power < bound ? 2 * power : power;
}
