import type { Budget } from '../../model/catalogue.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import type { CriterionEntry } from '../criteria/contract.ts';
import { criterionOf, criterionOption } from '../criteria/option.ts';
import { hopBytes } from '../criteria/hopBytes.ts';
import { prepareSearch } from '../criteria/prepare.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { valueOf } from '../problem/value.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import { answerOf } from './answer.ts';
import { Effort } from './effort.ts';
import { improve } from './improvement.ts';
import { balanceLoads } from './loads.ts';
import { autoParameters, type AutoParameters } from './parameters.ts';
import { noBound, type Portfolio } from './portfolio.ts';
import { untriedOf, type Candidates } from './starts.ts';
import { bestOfMappers } from './withoutSearch.ts';

/**
 * The default mapper: a portfolio. It tries the candidates of the catalogue, closed forms for grids,
 * embeddings and dual bipartitioning, and improves the best of them until the budget is used up.
 * Built by the catalogue, which knows the candidates.
 */
export const autoMapper = (candidates: Candidates, parameters = autoParameters): MapperEntry => ({
  name: 'auto',
  summary: 'Tries what fits the job and the machine, improves the best by search, and says how much is left',
  source: 'Placewright',
  details:
    'Tries all mappers of this catalogue that need no argument, each exactly as it runs alone: the quick ones always, `drb` and `k-way` ' +
    'and then the searches as far as the budget goes; what it was too short for is said. Besides: closed forms for tasks that are a ' +
    'grid, whatever their numbers (folded into grids, boxes in boxes on hierarchies); coordinates of the tasks (those of ' +
    '`coordinates`, or from the graph) bisected onto those of the nodes, in many turns. The best of them is improved: by annealing whose ' +
    'exchanges bring a task near one of its partners, on nodes of many cores also whole nodes and groups of tasks near others, ' +
    'and up to 256 tasks by a memetic tabu search on top of it. It is never worse than what it tried. A budget in time ' +
    'is used to its end unless the mapping is proven, and another run, on another machine even more so, may find another ' +
    'mapping: write `budget 5000000` for as many steps, however long they take, and the same file gives the same ' +
    'mapping on every machine and any number of threads.',
  options: [
    {
      name: 'budget',
      summary: 'how long it may search, in time, or in steps: then starts and the last descent come on top of it',
      kind: 'budget',
      seconds: { minimum: 0.001, maximum: 86_400 },
      steps: { minimum: 0, maximum: 2 ** 53 },
      default: { kind: 'seconds', amount: 1 },
    },
    criterionOption('hop-bytes'),
  ],
  bytesPerPair: 48,
  complexity: 'the budget',
  map: (problem, context) => {
    const criterion = criterionOf(context.options);
    return criterion.siteCosts === undefined
      ? balanceLoads(problem, context, criterion, (hopBytesProblem, within) =>
          search(hopBytesProblem, within, hopBytes, candidates, parameters),
        )
      : search(problem, context, criterion, candidates, parameters);
  },
});

function search(
  problem: MappingProblem,
  context: MappingContext,
  criterion: CriterionEntry,
  candidates: Candidates,
  parameters: AutoParameters,
): Result<MappingAnswer> {
  const effort = new Effort(context.options['budget'] as Budget, context);
  const alone = { ...context, random: context.random.copy() };
  const prepared = prepareSearch(problem, criterion, context);
  if (!prepared.ok) {
    const isTooLarge = prepared.failure.code === 'too-many-nodes' && criterion.name === 'hop-bytes';
    return isTooLarge ? bestOfMappers(candidates, problem, alone, effort) : prepared;
  }
  const portfolio = portfolioOf(problem, context, alone, criterion, effort, prepared.value, parameters);
  const converged = improve(portfolio, candidates);
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed(answerOf(portfolio, converged, untriedOf(portfolio, candidates)));
}

function portfolioOf(
  problem: MappingProblem,
  context: MappingContext,
  alone: MappingContext,
  criterion: CriterionEntry,
  effort: Effort,
  prepared: SearchProblem,
  parameters: AutoParameters,
): Portfolio {
  const unit = prepared.weightUnit * prepared.costs.unit;
  const recorder = new SearchRecorder(criterion.name, unit, context);
  return {
    problem,
    context,
    alone,
    search: prepared,
    valuation: (placeOfTask) => valueOf(prepared, placeOfTask),
    bound: noBound,
    effort,
    parameters,
    recorder,
    trials: [],
    heard: new Set(),
    toSearch: (placeOfTask) => placeOfTask,
    fromSearch: (placeOfTask) => placeOfTask,
    best: { placeOfTask: new Int32Array(0), value: Infinity },
  };
}
