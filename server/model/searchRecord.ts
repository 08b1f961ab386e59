import type { Budget } from './catalogue.ts';

/**
 * How a search went, for hovers, JSON and `compare`. Values are in the unit of the criterion
 * (hop-bytes: bytes × hops) and recomputed, never accumulated.
 */
export interface SearchRecord {
  /** Name in the catalogue of criteria. */
  readonly criterion: string;
  /** Of the mapping that was kept. */
  readonly value: number;
  /** Exchanges whose effect was worked out. */
  readonly evaluations: number;
  /** Each time the best value fell, thinned to at most `convergencePoints`; the last is the answer. */
  readonly convergence: readonly ConvergencePoint[];
  /** Of a search that starts anew: the value at each start and after each change, thinned to at most `tracePoints`. */
  readonly trace?: readonly TracePoint[];
  /** No mapping onto these slots costs less. */
  readonly bound?: LowerBound;
  /** Mappers that were tried one against the other, best first. */
  readonly tried?: readonly TriedMapper[];
  /** Mappers that the budget was too short for. */
  readonly untried?: readonly string[];
  /** What a mapper that tries others was given for all of them. */
  readonly budget?: Budget;
  /** The first of `tried`, and in a sentence why it was taken. */
  readonly chosen?: { readonly name: string; readonly why: string };
  /** What ended the search. */
  readonly end: SearchEnd;
  /** Of the whole search. */
  readonly milliseconds: number;
}

/**
 * `steps`: all steps were done; `time`: the clock ran out, so another run may differ; `bound`: nothing is left to gain;
 * `stopped`: the user asked for the best so far.
 */
export type SearchEnd = 'steps' | 'time' | 'bound' | 'converged' | 'stopped';

export interface ConvergencePoint {
  readonly evaluations: number;
  readonly milliseconds: number;
  readonly value: number;
}

export const convergencePoints = 64;

export interface TracePoint {
  readonly evaluations: number;
  readonly value: number;
}

export const tracePoints = 2048;

export interface LowerBound {
  readonly value: number;
  /** `edge`, `shell`, `cut`, … */
  readonly name: string;
  /** Paper and section, or "Placewright". */
  readonly source: string;
}

export interface TriedMapper {
  readonly name: string;
  readonly value: number;
  readonly milliseconds: number;
}

/** A bound this many times below the value says nothing about the mapping, only that bounds are hard to find. */
const largestGap = 10;

/**
 * How far the value lies above the bound, as a share of the bound: 0.12 for 12 %. Undefined without a bound above 0,
 * and where it would be more than `largestGap`.
 */
export function gapOf({ value, bound }: Pick<SearchRecord, 'value' | 'bound'>): number | undefined {
  if (bound === undefined) return undefined;
  if (value <= bound.value) return 0;
  const gap = (value - bound.value) / bound.value;
  return gap <= largestGap ? gap : undefined;
}

/** Undefined where the clock saw no time pass. */
export const evaluationsPerSecond = ({ evaluations, milliseconds }: SearchRecord): number | undefined =>
  milliseconds > 0 ? Math.round((1000 * evaluations) / milliseconds) : undefined;
