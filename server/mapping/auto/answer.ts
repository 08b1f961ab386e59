import type { MappingAnswer } from '../contract.ts';
import { mappingOf } from '../problem/places.ts';
import type { SearchEnd, TriedMapper } from '../searchRecord.ts';
import { isProvenBest, rankedTrials, type Portfolio } from './portfolio.ts';
import { unroundedBound, unroundedGraph, unroundedValue } from './unrounded.ts';

/** The best mapping with the record of how it was found. `converged`: the search ended by itself. */
export function answerOf(portfolio: Portfolio, converged: boolean, untried: readonly string[]): MappingAnswer {
  const { search, recorder, bound, best, valuation } = portfolio;
  const unit = search.weightUnit * search.costs.unit;
  const record = recorder.finish(valuation(best.placeOfTask), endOf(portfolio, converged));
  const exact = unroundedGraph(search);
  const value = exact === undefined ? record.value : unroundedValue(search, exact, best.placeOfTask);
  const told = exact === undefined ? bound.told : unroundedBound(search, exact, bound.told);
  const ranked = rankedTrials(portfolio);
  const tried: TriedMapper[] = ranked.map(({ name, value, milliseconds }) => ({
    name,
    value: value * unit,
    milliseconds,
  }));
  const chosen = { name: ranked[0]!.name, why: reasonFor(portfolio) };
  return {
    mapping: mappingOf(search.places, best.placeOfTask),
    notes: [],
    search: {
      ...record,
      value,
      bound: told,
      tried,
      ...(untried.length > 0 ? { untried } : {}),
      budget: portfolio.effort.budget,
      chosen,
    },
  };
}

function endOf(portfolio: Portfolio, converged: boolean): SearchEnd {
  if (isProvenBest(portfolio)) return 'bound';
  if (portfolio.effort.isStopped) return 'stopped';
  if (converged) return 'converged';
  return portfolio.effort.isTimed ? 'time' : 'steps';
}

/** `the least of 14 starts; the search took another 12.3 % off`. */
function reasonFor(portfolio: Portfolio): string {
  const [first, second] = rankedTrials(portfolio);
  const { best, recorder, trials } = portfolio;
  const start =
    second === undefined
      ? 'the only start there is'
      : `${first!.value < second.value ? 'the least' : 'the first of the least'} ${recorder.criterion} of ${trials.length} starts`;
  if (isProvenBest(portfolio) && best.value === first!.value) return `${start}, and no mapping can be better`;
  const gain = 1 - best.value / first!.value;
  return gain > 0 ? `${start}; the search took another ${percent(gain)} off` : `${start}; no search found a better one`;
}

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.01 ? 2 : 1)} %`;
