import { annealObjective } from '../../optimisation/annealing/anneal.ts';
import { exponential, logarithm } from '../../numeric/elementary.ts';
import { nearSites } from '../../optimisation/annealing/nearSites.ts';
import type { Budget } from '../../model/catalogue.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { type CriterionEntry, prepareSearch } from '../criteria/contract.ts';
import type { Objective } from '../../optimisation/objective.ts';
import { relativeTimes } from '../../network/linkClasses.ts';
import { hopBytes } from '../criteria/additive.ts';
import { mappingOf, placesOfMapping } from '../../optimisation/problem/places.ts';
import type { SearchProblem } from '../../optimisation/problem/searchProblem.ts';
import type { LowerBound, SearchRecord } from '../../model/searchRecord.ts';
import { SearchRecorder } from '../../optimisation/searchRecorder.ts';
import type { AutoParameters } from './parameters.ts';
import { SearchBudget } from './searchBudget.ts';

type SearchHopBytes = (problem: MappingProblem, context: MappingContext) => Result<MappingAnswer>;

/**
 * `auto` under a criterion that is no sum over pairs, the heaviest link: a mapping with few hop-bytes
 * loads links little on the whole, so a share of the budget goes into one, and the rest into
 * exchanges that take something off the heaviest link. `searchHopBytes` is `auto` under hop-bytes.
 */
export function balanceLoads(
  problem: MappingProblem,
  context: MappingContext,
  criterion: CriterionEntry,
  { parameters, searchHopBytes }: { readonly parameters: AutoParameters; readonly searchHopBytes: SearchHopBytes },
): Result<MappingAnswer> {
  const budget = context.options['budget'] as Budget;
  const { shareOfHopBytes } = parameters;
  const own = budgetShare(budget, shareOfHopBytes);
  const begun = context.now();
  const objective = criterion.objective(problem, context);
  if (!objective.ok) return objective;
  // From here on, for its evaluations are those of both parts.
  const recorder = new SearchRecorder(criterion.name, objective.value.unit, context);
  const hopBytesAnswer = searchHopBytes(problem, {
    ...context,
    options: { ...context.options, budget: own, criterion: hopBytes.name },
    progress: (share, message, search) => {
      context.progress(shareOfHopBytes * share, message, search);
    },
  });
  if (!hopBytesAnswer.ok) return hopBytesAnswer;
  // The same places as those of the objective, to which nodes are points: what is inside them loads no link.
  const prepared = prepareSearch(problem, { ...hopBytes, countsInside: false }, context);
  if (!prepared.ok) return prepared;
  const rest =
    budget.kind === 'steps'
      ? budgetShare(budget, 1 - shareOfHopBytes)
      : { ...budget, amount: budget.amount - (context.now() - begun) / 1000 };
  return searchExchanges(prepared.value, objective.value, hopBytesAnswer.value, {
    recorder,
    context,
    rest,
    parameters,
  });
}

const budgetShare = ({ kind, amount }: Budget, share: number): Budget => ({
  kind,
  amount: kind === 'steps' ? Math.ceil(share * amount) : share * amount,
});

interface Balancing {
  readonly recorder: SearchRecorder;
  readonly context: MappingContext;
  readonly rest: Budget;
  readonly parameters: AutoParameters;
}

function searchExchanges(
  search: SearchProblem,
  objective: Objective,
  hopBytesAnswer: MappingAnswer,
  { recorder, context, rest, parameters }: Balancing,
): Result<MappingAnswer> {
  const searchBudget = new SearchBudget(rest, context);
  recorder.evaluations = hopBytesAnswer.search?.evaluations ?? 0;
  const start = placesOfMapping(search.places, hopBytesAnswer.mapping);
  objective.assign(start);
  const startValue = objective.value;
  recorder.improves(startValue);
  const best = annealed(search, objective, start, { searchBudget, recorder, context, parameters });
  objective.assign(best);
  if (searchBudget.isCancelled) return cancelled();
  const end = searchBudget.isStopped ? 'stopped' : searchBudget.isTimed ? 'time' : 'steps';
  const bound = meanLoadBound(search, hopBytesAnswer.search);
  const record = recorder.finish(objective.value, end);
  return succeed({
    mapping: mappingOf(search.places, best),
    notes: hopBytesAnswer.notes,
    search: {
      ...record,
      end: bound !== undefined && record.value <= bound.value ? 'bound' : end,
      ...(bound === undefined ? {} : { bound }),
      chosen: {
        name: hopBytesAnswer.search?.chosen?.name ?? 'auto',
        why: `few hop-bytes; exchanges took ${(100 * (1 - objective.value / Math.max(1, startValue))).toFixed(1)} % off its heaviest link`,
      },
    },
  });
}

interface Exchanging {
  readonly searchBudget: SearchBudget;
  readonly recorder: SearchRecorder;
  readonly context: MappingContext;
  readonly parameters: AutoParameters;
}

/** Epochs of falling temperature, each from where the last one ended; the best that any of them met. */
function annealed(
  search: SearchProblem,
  objective: Objective,
  start: Int32Array,
  { searchBudget, recorder, context, parameters }: Exchanging,
): Int32Array {
  const { shareOfHopBytes, hottestOfLoads: hottest, coldestOfLoads: coldest, epochsOfLoads: epochs } = parameters;
  const near = nearSites(search);
  const startValue = objective.value;
  const slope = logarithm(coldest / hottest) / epochs;
  const temperature = (epoch: number): number => startValue * hottest * exponential(slope * epoch);
  const progress = (share: number): number => Math.min(1, shareOfHopBytes + (1 - shareOfHopBytes) * share);
  const stop = recorder.reporting(searchBudget.stop, () => progress(searchBudget.elapsed));
  let best = start;
  let current = start;
  for (let epoch = 0; epoch < epochs && !searchBudget.stop.isCancelled() && objective.value > 0; epoch++) {
    // The rate of a budget in time is not known before the first epoch.
    const steps =
      searchBudget.isTimed && epoch === 0
        ? parameters.firstStepsOfLoads
        : Math.ceil(searchBudget.stepsLeft / (epochs - epoch));
    const order = {
      placeOfTask: epoch === epochs - 1 ? best : current,
      seed: context.random.integer(2 ** 31 - 1),
      steps,
      from: temperature(epoch),
      to: temperature(epoch + 1),
      finalDescent: true,
    };
    const begun = context.now();
    const outcome = annealObjective(objective, search.graph, near, order, stop);
    searchBudget.did(steps, context.now() - begun);
    recorder.evaluations += outcome.evaluations;
    current = outcome.placeOfTask;
    if (recorder.improves(outcome.value)) best = current;
    recorder.report(progress((epoch + 1) / epochs));
  }
  return best;
}

/**
 * Loads of the links that hops count add up to the hop-bytes, so the link that works longest works at least as long as all
 * would if what they carry were shared out by how fast they are: as their mean where all are as fast. None where a link
 * takes no time, and where hop-bytes count distances inside nodes.
 */
function meanLoadBound({ machine }: SearchProblem, hops: SearchRecord | undefined): LowerBound | undefined {
  const { hasPorts, links } = machine.topology;
  const counted = hasPorts === true ? links.routerLinkCount : links.linkCount;
  if (hops?.bound === undefined || counted === 0 || machine.inside.distances !== undefined) return undefined;
  const times = relativeTimes(machine)?.subarray(0, counted);
  const speeds = times === undefined ? counted : times.reduce((sum, time) => sum + 1 / time, 0);
  const { value, name, source } = hops.bound;
  return speeds === Infinity ? undefined : { value: value / speeds, name: `mean load, ${name}`, source };
}
