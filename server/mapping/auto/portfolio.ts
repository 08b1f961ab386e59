import type { Cancellation } from '../../model/cancellation.ts';
import type { MappingContext, MappingProblem } from '../contract.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import type { LowerBound } from '../searchRecord.ts';
import type { SearchRecorder } from '../searchRecorder.ts';
import type { Effort } from './effort.ts';
import type { AutoParameters } from './parameters.ts';
import type { Trial, Valuation } from './trials.ts';

/** A search under way: what it works on, what it may still do, and what it has found. */
export interface Portfolio {
  readonly problem: MappingProblem;
  readonly context: MappingContext;
  /** The context with the random numbers that a mapper would draw that runs alone: to be copied, not drawn from. */
  readonly alone: MappingContext;
  readonly search: SearchProblem;
  readonly valuation: Valuation;
  /** In whole units, with what is told of it. */
  bound: { readonly value: number; readonly told: LowerBound };
  readonly effort: Effort;
  readonly parameters: AutoParameters;
  readonly recorder: SearchRecorder;
  /** Starts that were tried, in the order in which they were. */
  readonly trials: Trial[];
  /** Mappers of the catalogue that have answered, be it that they cannot. */
  readonly heard: Set<string>;
  /** Places as annealing numbers them, and back: the same where it works on the problem as it is. */
  toSearch: (placeOfTask: Int32Array) => Int32Array;
  fromSearch: (placeOfTask: Int32Array) => Int32Array;
  /** The best mapping so far, whoever found it. */
  best: { placeOfTask: Int32Array; value: number };
}

/** Before anything is known. */
export const noBound: Portfolio['bound'] = { value: 0, told: { value: 0, name: 'none', source: 'Placewright' } };

/** Notes a start; of equal ones the earlier stays. */
export function takeTrial(portfolio: Portfolio, trial: Trial): void {
  portfolio.trials.push(trial);
  takeBetter(portfolio, trial);
}

export function takeBetter(
  portfolio: Portfolio,
  { placeOfTask, value }: { readonly placeOfTask: Int32Array; readonly value: number },
): void {
  const { recorder, effort } = portfolio;
  if (!recorder.improves(value)) return;
  portfolio.best = { placeOfTask, value };
  recorder.report(Math.min(1, effort.elapsed));
}

/** The same word to stop; whoever asks for it tells how far the search is. */
export const telling = ({ effort, recorder }: Portfolio, stop: Cancellation): Cancellation =>
  recorder.reporting(stop, () => Math.min(1, effort.elapsed));

/** Nothing is left to gain. */
export const isProvenBest = ({ best, bound }: Portfolio): boolean => best.value <= bound.value;

/** Of the starts, the best first; of equal ones the earlier. */
export const rankedTrials = ({ trials }: Portfolio): readonly Trial[] => trials.toSorted((a, b) => a.value - b.value);
