import type { RandomSource } from '../../model/random.ts';
import type { MappingContext, MappingProblem } from '../contract.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import type { LowerBound } from '../searchRecord.ts';
import type { SearchRecorder } from '../searchRecorder.ts';
import type { Effort } from './effort.ts';
import type { Pace } from './pace.ts';
import type { Trial, Valuation } from './trials.ts';

/** A search under way: what it works on, what it may still do, and what it has found. */
export interface Portfolio {
  readonly problem: MappingProblem;
  readonly context: MappingContext;
  readonly search: SearchProblem;
  readonly valuation: Valuation;
  /** What a mapper would draw from that runs alone; to be copied, not drawn from. */
  readonly random: RandomSource;
  /** In whole units, with what is told of it. */
  readonly bound: { readonly value: number; readonly told: LowerBound };
  readonly effort: Effort;
  readonly pace: Pace;
  readonly recorder: SearchRecorder;
  /** Starts that were tried, in the order in which they were. */
  readonly trials: Trial[];
  /** The best mapping so far, whoever found it. */
  best: { placeOfTask: Int32Array; value: number };
}

/** Notes a start; of equal ones the earlier stays. */
export function takeTrial(portfolio: Portfolio, trial: Trial): void {
  portfolio.trials.push(trial);
  takeBetter(portfolio, trial);
}

export function takeBetter(
  portfolio: Portfolio,
  { placeOfTask, value }: { readonly placeOfTask: Int32Array; readonly value: number },
): void {
  if (portfolio.recorder.improves(value)) portfolio.best = { placeOfTask, value };
}

/** Nothing is left to gain. */
export const isProvenBest = ({ best, bound }: Portfolio): boolean => best.value <= bound.value;

/** Of the starts, the best first; of equal ones the earlier. */
export const rankedTrials = ({ trials }: Portfolio): readonly Trial[] => trials.toSorted((a, b) => a.value - b.value);
