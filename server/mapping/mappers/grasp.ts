import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { SearchEnd } from '../../model/searchRecord.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { AdditiveObjective } from '../../optimisation/objective.ts';
import { type CriterionEntry, prepareSearch } from '../criteria/contract.ts';
import { hops } from '../../network/distances/hops.ts';
import { hopBytes, sumOfDistances } from '../criteria/additive.ts';
import { criterionOf, criterionOption } from '../criteria/catalogue.ts';
import { denseProblemOf } from '../../optimisation/dense/denseProblem.ts';
import { placesOnSites, sitesOfTasks, mappingOf } from '../../optimisation/problem/places.ts';
import { type SearchCore, type SearchProblem, mappingCost } from '../../optimisation/problem/searchProblem.ts';
import { SearchRecorder } from '../../optimisation/searchRecorder.ts';
import { descendDense } from '../../optimisation/dense/denseDescent.ts';
import { descendNeighbourhood, PairsAndMoves } from '../../optimisation/descent/descend.ts';
import { descendSparse } from '../../optimisation/descent/sparseDescent.ts';
import { GreedyStart } from '../../optimisation/descent/greedyStart.ts';

export const grasp: MapperEntry = {
  name: 'grasp',
  summary: 'greedy randomised starts, each improved by best swaps; the best of all',
  source: 'Pascual et al. 2010, section 3.2 (GRASP); parameters of section 5.2',
  details:
    'Each start places tasks one by one. The slot is drawn from the share `alpha` of free slots that add least cost. Then the best swap or move is made until no swap or move helps. The paper leaves the next task open: here, the one with most traffic to placed tasks. Without such traffic, it is random. Under `maximum-load`, not a sum over pairs, starts minimise `hop-bytes`; the improvement minimises the load.',
  options: [
    criterionOption(
      undefined,
      'what the search minimises; where left out `distance`, as in the paper, and `hop-bytes` where hosts have links of their own',
    ),
    { name: 'iterations', summary: 'starts tried', kind: 'integer', minimum: 1, maximum: 1_000_000, default: 50 },
    {
      name: 'alpha',
      summary: 'share of the cheapest candidates among which the greedy step draws',
      kind: 'fraction',
      minimum: 0,
      maximum: 1,
      default: 0.2,
    },
  ],
  bytesPerPair: 40,
  complexity: 'O(n³) per iteration',
  scaling: 'cubic',
  // 7, 25 and 850 ms for 16, 64 and 256 tasks with 50 iterations.
  seconds: (tasks, _, { iterations }) => (Number(iterations) / 50) * (2e-4 * tasks + 5e-8 * tasks ** 3),
  isSearch: true,
  map: searchByGrasp,
};

function searchByGrasp(problem: MappingProblem, context: MappingContext): Result<MappingAnswer> {
  // Under one switch all distances are 0: there only what stays within nodes makes a difference.
  const criterion = criterionOf(
    context.options,
    problem.machine.topology.hasHostLinks ? hopBytes : sumOfDistances(hops),
  );
  const prepared = prepareSearch(problem, criterion.siteCosts ? criterion : hopBytes, context);
  if (!prepared.ok) return prepared;
  const improvement = improvementFor(problem, criterion, prepared.value, context);
  if (!improvement.ok) return improvement;
  const { unit, value, improve } = improvement.value;
  const { iterations, alpha } = context.options as { iterations: number; alpha: number };
  const recorder = new SearchRecorder(criterion.name, unit, context);
  const starts = new GreedyStart(prepared.value, alpha);
  let best = new Int32Array(0);
  const { cancellation } = context;
  let end: SearchEnd = 'steps';
  for (let iteration = 0; iteration < iterations && recorder.best > 0; iteration++) {
    recorder.report(iteration / iterations);
    const improved = improve(starts.build(context.random, cancellation), recorder, cancellation);
    if (recorder.improves(value(improved))) best = improved.slice();
    if (shouldFinish(cancellation)) {
      end = 'stopped';
      break;
    }
  }
  const record = recorder.finish(value(best), recorder.best > 0 ? end : 'bound');
  // Values that were summed while it was cancelled mean nothing.
  if (cancellation.isCancelled()) return cancelled();
  return succeed({ mapping: mappingOf(prepared.value.places, best), notes: [], search: record });
}

/** The second stage: a start made locally optimal, and what a mapping costs in units. */
interface Improvement {
  readonly unit: number;
  readonly value: (placeOfTask: Int32Array) => number;
  /** A place for each task, good until the next call; as far as it got if the search should finish. */
  readonly improve: (start: Int32Array, recorder: SearchRecorder, cancellation: Cancellation) => Int32Array;
}

function improvementFor(
  problem: MappingProblem,
  criterion: CriterionEntry,
  core: SearchProblem,
  context: MappingContext,
): Result<Improvement> {
  if (criterion.siteCosts) return succeed(additiveImprovement(core));
  const made = criterion.objective(problem, context);
  if (!made.ok) return made;
  const objective = made.value;
  return succeed({
    unit: objective.unit,
    value: (placeOfTask) => {
      objective.assign(placeOfTask);
      return objective.value;
    },
    improve: (start, recorder, cancellation) => {
      objective.assign(start);
      const descent = descendNeighbourhood(objective, new PairsAndMoves(objective, 'later'), {
        policy: 'best',
        stop: { isCancelled: () => shouldFinish(cancellation) },
        tried: () => {
          recorder.tick();
        },
      });
      recorder.evaluations += descent.evaluations;
      return objective.placeOfTask;
    },
  });
}

function additiveImprovement(core: SearchCore): Improvement {
  return {
    unit: core.weightUnit * core.costs.unit,
    value: (placeOfTask) => mappingCost(core, placeOfTask),
    improve: additiveDescent(core),
  };
}

/** Small problems have all effects in a table; larger ones only look again at what an exchange has changed. */
function additiveDescent(core: SearchCore): Improvement['improve'] {
  const dense = denseProblemOf(core);
  if (dense) {
    return (start, recorder, cancellation) =>
      placesOnSites(core.places, descendDense(dense, sitesOfTasks(core.places, start), recorder, cancellation));
  }
  const objective = new AdditiveObjective(core);
  return (start, recorder, cancellation) => {
    objective.assign(start);
    descendSparse(objective, core.graph, recorder, cancellation);
    return objective.placeOfTask;
  };
}
