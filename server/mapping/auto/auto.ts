import type { Budget } from '../../model/catalogue.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import { lowerBound } from '../bounds/lowerBound.ts';
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
import { paceOf } from './pace.ts';
import { isProvenBest, type Portfolio } from './portfolio.ts';
import { tryDirectStarts } from './starts.ts';
import { bestOfMappers } from './withoutSearch.ts';

/**
 * The default mapper: a portfolio. It tries the candidates of the catalogue, closed forms for grids,
 * embeddings and dual bipartitioning, and improves the best of them until the budget is used up.
 * Built by the catalogue, which knows the candidates.
 */
export const autoMapper = (candidates: readonly MapperEntry[]): MapperEntry => ({
  name: 'auto',
  summary: 'Tries what fits the job and the machine, improves the best by search, and says how much is left',
  source: 'Placewright',
  details:
    `Tries ${candidates.map(({ name }) => `\`${name}\``).join(', ')}; closed forms for tasks that are a grid, whatever ` +
    'their numbers; coordinates of the tasks (those of `coordinates`, or from the graph) bisected onto those of the nodes, ' +
    'in many turns; `drb`. The best of them is improved: by annealing whose exchanges bring a task near one of its partners, ' +
    'and up to 256 tasks by a memetic tabu search on top of it. It is never worse than what it tried. The same file gives the same ' +
    'mapping on any number of threads: a budget in time is turned into steps at a fixed rate, unless the clock runs out ' +
    'first, and then the placement says so. Write `budget 5000000` for as many steps, however long they take.',
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
          search(hopBytesProblem, within, hopBytes, candidates),
        )
      : search(problem, context, criterion, candidates);
  },
});

function search(
  problem: MappingProblem,
  context: MappingContext,
  criterion: CriterionEntry,
  candidates: readonly MapperEntry[],
): Result<MappingAnswer> {
  const prepared = prepareSearch(problem, criterion, context);
  if (!prepared.ok) {
    const isTooLarge = prepared.failure.code === 'too-many-nodes' && criterion.name === 'hop-bytes';
    return isTooLarge ? bestOfMappers(candidates, problem, context) : prepared;
  }
  const portfolio = portfolioOf(problem, context, criterion, prepared.value);
  tryDirectStarts(portfolio, candidates);
  const converged = !isProvenBest(portfolio) && improve(portfolio);
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed(answerOf(portfolio, converged));
}

function portfolioOf(
  problem: MappingProblem,
  context: MappingContext,
  criterion: CriterionEntry,
  prepared: SearchProblem,
): Portfolio {
  const unit = prepared.weightUnit * prepared.costs.unit;
  const pace = paceOf(prepared);
  const effort = new Effort(context.options['budget'] as Budget, pace.stepsPerSecond, context);
  effort.spend(pace.preparation);
  const told = lowerBound(prepared, problem.machine, context.cancellation);
  return {
    problem,
    context,
    random: context.random.copy(),
    search: prepared,
    valuation: (placeOfTask) => valueOf(prepared, placeOfTask),
    bound: { value: told.value / unit, told },
    effort,
    pace,
    recorder: new SearchRecorder(criterion.name, unit, context),
    trials: [],
    best: { placeOfTask: new Int32Array(0), value: Infinity },
  };
}
