import { type Cancellation, ignoreProgress } from '../../model/cancellation.ts';
import type { MappingContext, MappingProblem, MapperEntry } from '../contract.ts';
import type { SearchProblem } from '../../optimisation/problem/searchProblem.ts';
import type { LowerBound } from '../../model/searchRecord.ts';
import type { SearchRecorder } from '../../optimisation/searchRecorder.ts';
import type { SearchBudget } from './searchBudget.ts';
import type { AutoParameters } from './parameters.ts';
import { defaultOptions } from '../../model/catalogue.ts';
import type { Mapping } from '../../model/placement.ts';
import { placesOfMapping, type Places } from '../../optimisation/problem/places.ts';

/** A search under way: what it works on, what it may still do, and what it has found. */
export interface Portfolio {
  readonly problem: MappingProblem;
  readonly context: MappingContext;
  /** The context with the random numbers that a mapper would draw that runs alone: to be copied, not drawn from. */
  readonly alone: MappingContext;
  readonly search: SearchProblem;
  readonly valuation: Valuation;
  /** In whole units, and as it is reported. */
  bound: { readonly value: number; readonly reported: LowerBound };
  readonly searchBudget: SearchBudget;
  readonly parameters: AutoParameters;
  readonly recorder: SearchRecorder;
  /** Starts that were tried, in the order in which they were. */
  readonly candidates: Candidate[];
  /** Mappers of the catalogue that have answered, or have refused the problem. */
  readonly answered: Set<string>;
  /** Places as annealing numbers them, and back: the same where it works on the problem as it is. */
  toSearch: (placeOfTask: Int32Array) => Int32Array;
  fromSearch: (placeOfTask: Int32Array) => Int32Array;
  /** The best mapping so far, whoever found it. */
  best: { placeOfTask: Int32Array; value: number };
}

/** Before anything is known. */
export const noBound: Portfolio['bound'] = { value: 0, reported: { value: 0, name: 'none', source: 'Placewright' } };

/** Notes a start; of equal ones the earlier stays. */
export function takeCandidate(portfolio: Portfolio, candidate: Candidate): void {
  portfolio.candidates.push(candidate);
  takeBetter(portfolio, candidate);
}

export function takeBetter(
  portfolio: Portfolio,
  { placeOfTask, value }: { readonly placeOfTask: Int32Array; readonly value: number },
): void {
  const { recorder, searchBudget } = portfolio;
  if (!recorder.improves(value)) return;
  portfolio.best = { placeOfTask, value };
  recorder.report(Math.min(1, searchBudget.elapsed));
}

/** `stop`, which reports the progress of the search whenever it is polled. */
export const stopWithProgress = ({ searchBudget, recorder }: Portfolio, stop: Cancellation): Cancellation =>
  recorder.reporting(stop, () => Math.min(1, searchBudget.elapsed));

/** Nothing is left to gain. */
export const isProvenBest = ({ best, bound }: Portfolio): boolean => best.value <= bound.value;

/** Of the starts, the best first; of equal ones the earlier. */
export const rankedCandidates = ({ candidates }: Portfolio): readonly Candidate[] =>
  candidates.toSorted((a, b) => a.value - b.value);

/** A start of the search: what it is called, where it puts the tasks, and what that costs. */
export interface Candidate {
  readonly name: string;
  /** It lays out the whole at once. */
  readonly isEmbedding?: boolean;
  readonly placeOfTask: Int32Array;
  /** In whole units. */
  readonly value: number;
  readonly milliseconds: number;
}

/** Costs a mapping, in whole units. */
type Valuation = (placeOfTask: Int32Array) => number;

interface CandidateProblem {
  readonly problem: MappingProblem;
  /** As the mapper alone would get it; its random numbers are copied. */
  readonly context: MappingContext;
  readonly places: Places;
  readonly valuation: Valuation;
}

/** Runs a mapper exactly as it runs alone; undefined where it refuses the problem or `cancellation` ends it. */
export function tryInPortfolio(
  entry: MapperEntry,
  { problem, context, places, valuation }: CandidateProblem,
  cancellation: Cancellation,
): Candidate | undefined {
  const started = context.now();
  const mapping = mappingBy(entry, problem, { ...context, random: context.random.copy(), cancellation });
  if (mapping === undefined) return undefined;
  const placeOfTask = placesOfMapping(places, mapping);
  return { name: entry.name, placeOfTask, value: valuation(placeOfTask), milliseconds: context.now() - started };
}

function mappingBy(entry: MapperEntry, problem: MappingProblem, context: MappingContext): Mapping | undefined {
  const answer = entry.map(problem, {
    ...context,
    argument: undefined,
    options: defaultOptions(entry),
    progress: ignoreProgress,
  });
  return answer.ok ? answer.value.mapping : undefined;
}
