import { itemAt, realAt } from '../../numeric/elements.ts';
import type { Budget } from '../../model/catalogue.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { type CriterionEntry, prepareSearch } from '../criteria/contract.ts';
import { criterionOf, criterionOption } from '../criteria/catalogue.ts';
import { hopBytes } from '../criteria/additive.ts';
import type { Machine } from '../../model/machine.ts';
import { linkTime } from '../criteria/linkTime.ts';
import { differBetweenRouters } from '../../network/linkClasses.ts';
import { type SearchProblem, mappingCost } from '../../optimisation/problem/searchProblem.ts';
import { SearchRecorder } from '../../optimisation/searchRecorder.ts';
import { SearchBudget } from './searchBudget.ts';
import { improvePortfolio } from './improvement.ts';
import { balanceLoads } from './balanceLoads.ts';
import { autoParameters, type AutoParameters } from './parameters.ts';
import {
  noBound,
  type Portfolio,
  tryInPortfolio,
  type Candidate,
  isProvenBest,
  rankedCandidates,
} from './portfolio.ts';
import { untriedOf, type Candidates } from './starts.ts';
import { addToHistogram, emptyHistogram, hopBytesOf } from '../hopHistogram.ts';
import { groupPlaces, mappingOf } from '../../optimisation/problem/places.ts';
import type { SearchEnd, TriedMapper, LowerBound } from '../../model/searchRecord.ts';
import { taskGraphOf, type TaskGraph } from '../../optimisation/problem/taskGraph.ts';

/** Of a step of the search, about. */
const secondsPerStep = 1e-7;

/**
 * The default mapper: a portfolio. It tries the candidates of the catalogue, closed forms for grids,
 * embeddings and dual bipartitioning, and improves the best of them until the budget is used up.
 * Built by the catalogue, which knows the candidates.
 */
export const autoMapper = (candidates: Candidates, parameters = autoParameters): MapperEntry => ({
  name: 'auto',
  summary: 'tries several mappers, improves the best by search, and reports the optimality gap',
  source: 'Placewright',
  details:
    'Tries all mappers of this catalogue without arguments, each exactly as alone. The order is the fast ones, ' +
    'then `drb`, `k-way` and the searches within the budget. Mappers that the budget excluded are reported. It ' +
    'also tries closed forms for tasks on a grid (folded grids, nested boxes on hierarchies), and bisects ' +
    'coordinates of the tasks onto those of the nodes in many orientations. The best mapping is improved by ' +
    'annealing whose exchanges move a task near one of its partners. On nodes of many cores it also moves whole ' +
    'nodes and groups of tasks. Up to 256 tasks, a memetic tabu search follows. The result is never worse than ' +
    'what it tried. A time budget is used completely unless the mapping is proven optimal. Another run or ' +
    'machine may then give another mapping. `budget 5000000` counts steps: the same file gives the same mapping ' +
    'on every machine with any number of threads.',
  options: [
    {
      name: 'budget',
      summary: 'how long it may search, in time, or in steps: then starts and the last descent come on top of it',
      kind: 'budget',
      seconds: { minimum: 0.001, maximum: 86_400 },
      steps: { minimum: 0, maximum: 2 ** 53 },
      default: { kind: 'seconds', amount: 1 },
    },
    criterionOption(
      undefined,
      'metric to minimise (default: `hop-bytes`; `link-time` if links between routers have different bandwidths)',
    ),
  ],
  bytesPerPair: 48,
  complexity: 'the budget',
  scaling: 'linear',
  // What it tries first takes 70 to 190 ms for jobs of 16 to 256 tasks.
  seconds: (_tasks, _machine, { budget }) => {
    const { kind, amount } = budget as Budget;
    return kind === 'seconds' ? amount : 0.2 + secondsPerStep * amount;
  },
  isSearch: true,
  map: (problem, context) => {
    const criterion = criterionOf(context.options, usualCriterion(problem.machine));
    return criterion.siteCosts === undefined
      ? balanceLoads(problem, context, criterion, {
          parameters,
          searchHopBytes: (hopBytesProblem, within) =>
            searchPortfolio(hopBytesProblem, within, hopBytes, candidates, parameters),
        })
      : searchPortfolio(problem, context, criterion, candidates, parameters);
  },
});

/** Hops are worth the same where links between routers are all as fast; elsewhere the time on them counts. */
const usualCriterion = (machine: Machine): CriterionEntry => (differBetweenRouters(machine) ? linkTime : hopBytes);

function searchPortfolio(
  problem: MappingProblem,
  context: MappingContext,
  criterion: CriterionEntry,
  candidates: Candidates,
  parameters: AutoParameters,
): Result<MappingAnswer> {
  const searchBudget = new SearchBudget(context.options['budget'] as Budget, context);
  const alone = { ...context, random: context.random.copy() };
  const prepared = prepareSearch(problem, criterion, context);
  if (!prepared.ok) {
    const isUsual = criterion.name === usualCriterion(problem.machine).name;
    const isTooLarge = prepared.failure.code === 'too-many-nodes' && isUsual;
    return isTooLarge ? bestOfMappers(candidates, problem, alone, searchBudget) : prepared;
  }
  const unit = prepared.value.weightUnit * prepared.value.costs.unit;
  const recorder = new SearchRecorder(criterion.name, unit, context);
  const portfolio = portfolioOf({
    problem,
    context,
    alone,
    search: prepared.value,
    searchBudget,
    parameters,
    recorder,
  });
  const converged = improvePortfolio(portfolio, candidates);
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed(portfolioAnswer(portfolio, converged, untriedOf(portfolio, candidates)));
}

type Setting = 'problem' | 'context' | 'alone' | 'search' | 'searchBudget' | 'parameters' | 'recorder';

/** A portfolio in which nothing has been tried. */
function portfolioOf(setting: Pick<Portfolio, Setting>): Portfolio {
  return {
    ...setting,
    valuation: (placeOfTask) => mappingCost(setting.search, placeOfTask),
    bound: noBound,
    candidates: [],
    answered: new Set(),
    toSearch: (placeOfTask) => placeOfTask,
    fromSearch: (placeOfTask) => placeOfTask,
    best: { placeOfTask: new Int32Array(0), value: Infinity },
  };
}

/**
 * For machines whose costs are too many to be kept for a search: the mapper with the fewest
 * hop-bytes, counted hop by hop; ties go to the earlier.
 */
function bestOfMappers(
  { quick }: Candidates,
  problem: MappingProblem,
  context: MappingContext,
  searchBudget: SearchBudget,
): Result<MappingAnswer> {
  const { machine, job, slots } = problem;
  const places = groupPlaces(machine, slots);
  const recorder = new SearchRecorder('hop-bytes', 1, context);
  const valuation = (placeOfTask: Int32Array): number => {
    const histogram = emptyHistogram();
    addToHistogram(histogram, machine, job.traffic, mappingOf(places, placeOfTask), context.cancellation);
    return hopBytesOf(histogram);
  };
  const candidates: Candidate[] = [];
  const untried: string[] = [];
  for (const entry of quick) {
    // The first in any case.
    const stop = candidates.length === 0 ? context.cancellation : searchBudget.stop;
    const candidate = stop.isCancelled()
      ? undefined
      : tryInPortfolio(entry, { problem, context, places, valuation }, { isCancelled: () => stop.isCancelled() });
    if (context.cancellation.isCancelled()) return cancelled();
    if (candidate === undefined) {
      if (stop.isCancelled()) untried.push(entry.name);
      continue;
    }
    candidates.push(candidate);
    recorder.improves(candidate.value);
    recorder.report(Math.min(1, searchBudget.elapsed));
  }
  const tried = candidates.toSorted((a, b) => a.value - b.value);
  const best = itemAt(tried, 0);
  return succeed({
    mapping: mappingOf(places, best.placeOfTask),
    notes: ['Too many nodes for a search; used the best simple mapper.'],
    search: {
      ...recorder.finish(best.value, 'converged'),
      tried: tried.map(({ name, value, milliseconds }) => ({ name, value, milliseconds })),
      ...(untried.length > 0 ? { untried } : {}),
      budget: searchBudget.budget,
      chosen: { name: best.name, why: `the fewest hop-bytes of ${tried.length} mappers` },
    },
  });
}

/** The best mapping with the record of how it was found. `converged`: the search ended by itself. */
function portfolioAnswer(portfolio: Portfolio, converged: boolean, untried: readonly string[]): MappingAnswer {
  const { search, recorder, bound, best, valuation } = portfolio;
  const unit = search.weightUnit * search.costs.unit;
  const record = recorder.finish(valuation(best.placeOfTask), searchEnd(portfolio, converged));
  const exact = exactGraph(search);
  const value = exact === undefined ? record.value : exactValue(search, exact, best.placeOfTask);
  const reported = exact === undefined ? bound.reported : exactBound(search, exact, bound.reported);
  const ranked = rankedCandidates(portfolio);
  const tried: TriedMapper[] = ranked.map(({ name, value, milliseconds }) => ({
    name,
    value: value * unit,
    milliseconds,
  }));
  const chosen = { name: itemAt(ranked, 0).name, why: reasonFor(portfolio) };
  return {
    mapping: mappingOf(search.places, best.placeOfTask),
    notes: [],
    search: {
      ...record,
      value,
      bound: reported,
      tried,
      ...(untried.length > 0 ? { untried } : {}),
      budget: portfolio.searchBudget.budget,
      chosen,
    },
  };
}

function searchEnd(portfolio: Portfolio, converged: boolean): SearchEnd {
  if (isProvenBest(portfolio)) return 'bound';
  if (portfolio.searchBudget.isStopped) return 'stopped';
  if (converged) return 'converged';
  return portfolio.searchBudget.isTimed ? 'time' : 'steps';
}

/** `the least of 14 starts; the search took another 12.3 % off`. */
function reasonFor(portfolio: Portfolio): string {
  const [first, second] = rankedCandidates(portfolio);
  const { best, recorder, candidates } = portfolio;
  const start =
    second === undefined
      ? 'the only start there is'
      : `${first!.value < second.value ? 'the least' : 'the first of the least'} ${recorder.criterion} of ${candidates.length} starts`;
  if (isProvenBest(portfolio) && best.value === first!.value) return `${start}, and no mapping can be better`;
  const gain = 1 - best.value / first!.value;
  return gain > 0 ? `${start}; the search took another ${percent(gain)} off` : `${start}; no search found a better one`;
}

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.01 ? 2 : 1)} %`;

/**
 * Amounts that fit no common unit (0.1, or 2^52 beside 1) are rounded for the search; what users are told
 * is made of the amounts as they are. Undefined where nothing was rounded. O(pairs).
 */
function exactGraph({ job, graph, weightUnit }: SearchProblem): TaskGraph | undefined {
  const exact = taskGraphOf(job.traffic);
  return exact.weight.every((weight, edge) => weight === realAt(graph.weight, edge) * weightUnit) ? undefined : exact;
}

/** What a mapping costs in the unit of the criterion. O(edges). */
const exactValue = (search: SearchProblem, exact: TaskGraph, placeOfTask: Int32Array): number =>
  mappingCost({ ...search, graph: exact }, placeOfTask) * search.costs.unit;

/**
 * The bound less what rounding up may have added to it: no mapping costs more than the largest cost for
 * every byte that was added.
 */
function exactBound({ graph, weightUnit, costs }: SearchProblem, exact: TaskGraph, reported: LowerBound): LowerBound {
  // Every edge stands in two rows.
  const added = exact.weight.reduce(
    (sum, weight, edge) => sum + Math.max(0, realAt(graph.weight, edge) * weightUnit - weight) / 2,
    0,
  );
  const value = reported.value - added * costs.maximum * costs.unit;
  return { ...reported, value: Math.max(0, value * (1 - Number.EPSILON * exact.weight.length)) };
}
