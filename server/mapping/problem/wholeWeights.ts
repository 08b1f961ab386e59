import { type Cancellation, neverCancelled } from '../../model/cancellation.ts';
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
 * is not made of these amounts. Looks at the flag every some thousand amounts; once it is up the answer means nothing.
 * O(amounts).
 */
export function wholeAmounts(
  amounts: Float64Array,
  largestCost: number,
  cancellation: Cancellation = neverCancelled,
): WholeAmounts {
  let total = 0;
  forParts(amounts, cancellation, (part) => {
    for (const amount of part) total += amount;
  });
  const coarsest = powerNotBelow((total / largestSum) * largestCost);
  let unit = 1;
  forParts(amounts, cancellation, (part) => {
    unit = exactUnit(part, unit, coarsest);
  });
  unit = Math.max(coarsest, unit);
  const whole = new Float64Array(amounts.length);
  forParts(amounts, cancellation, (part, start) => {
    for (let index = 0; index < part.length; index++) {
      whole[start + index] = Math.max(1, Math.round(part[index]! / unit));
    }
  });
  return { amounts: whole, unit };
}

/** Amounts between two looks at the flag. */
const partLength = 2 ** 15;

function forParts(
  amounts: Float64Array,
  cancellation: Cancellation,
  visit: (part: Float64Array, start: number) => void,
): void {
  for (let start = 0; start < amounts.length; start += partLength) {
    if (cancellation.isCancelled()) return;
    visit(amounts.subarray(start, start + partLength), start);
  }
}

/** The graph with whole weights. Every edge stands in two rows and costs once. */
export function wholeWeights(
  graph: TaskGraph,
  largestCost: number,
  cancellation: Cancellation = neverCancelled,
): { graph: TaskGraph; weightUnit: number } {
  const { amounts, unit } = wholeAmounts(graph.weight, Math.max(1, largestCost) / 2, cancellation);
  return { graph: { ...graph, weight: amounts }, weightUnit: unit };
}

/** The largest power of two, at most `coarsest`, of which all amounts are multiples; stops at `finest`. */
function exactUnit(amounts: Float64Array, coarsest: number, finest: number): number {
  let unit = coarsest;
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
