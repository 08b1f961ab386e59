import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { MappingProblem, SearchProblem } from '../../optimisation/problem/searchProblem.ts';
import { placesOf } from '../../optimisation/problem/places.ts';
import { taskGraphOf, wholeWeights } from '../../optimisation/problem/taskGraph.ts';
import type { CriterionEntry } from './contract.ts';
import type { ComputeContext } from '../../optimisation/objective.ts';

/**
 * A mapping problem under an additive criterion as kernels take it, in whole units. Fails with
 * `not-additive` where the criterion is no sum over pairs of tasks, and with what the criterion says
 * of the machine, and with `cancelled`. O(pairs + sites²).
 */
export function prepareSearch(
  problem: MappingProblem,
  criterion: CriterionEntry,
  context: ComputeContext,
): Result<SearchProblem> {
  if (criterion.siteCosts === undefined) {
    return fail(
      'not-additive',
      `Criterion \`${criterion.name}\` is no sum over pairs of tasks, which this search needs: use \`hop-bytes\`.`,
    );
  }
  const { machine, job } = problem;
  const places = placesOf(machine, problem.slots);
  const costs = criterion.siteCosts(machine, places, context);
  if (!costs.ok) return costs;
  const { cancellation } = context;
  const exact = taskGraphOf(job.traffic, cancellation);
  const { graph, weightUnit } = wholeWeights(exact, costs.value.maximum, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  return succeed({ machine, job, graph, weightUnit, places, costs: costs.value });
}
