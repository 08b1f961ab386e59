import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { leastOf, leastSum } from '../../optimisation/testing/exhaustive.ts';
import type { MappingProblem } from '../contract.ts';
import { type CriterionEntry, prepareSearch } from '../criteria/contract.ts';

/**
 * The least value that any mapping has, in the unit of the criterion, found by trying all of them.
 * Undefined where the criterion does not fit the machine.
 */
export function leastValue(problem: MappingProblem, criterion: CriterionEntry): number | undefined {
  const context = { cancellation: neverCancelled, progress: ignoreProgress };
  if (criterion.siteCosts) {
    const core = prepareSearch(problem, criterion, context);
    return core.ok ? leastSum(core.value) : undefined;
  }
  const objective = criterion.objective(problem, context);
  return objective.ok ? leastOf(objective.value) : undefined;
}
