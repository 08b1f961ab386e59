import { succeed } from '../../model/result.ts';
import type { CriterionEntry } from './contract.ts';
import { prepareSearch } from './prepare.ts';
import { AdditiveObjective } from '../../optimisation/objective.ts';

/** A criterion that is a sum over pairs, from what a byte between two sites costs. */
export function additiveCriterion(
  entry: Omit<CriterionEntry, 'objective' | 'siteCosts'> & Required<Pick<CriterionEntry, 'siteCosts'>>,
): CriterionEntry {
  const criterion: CriterionEntry = {
    ...entry,
    objective: (problem, context) => {
      const prepared = prepareSearch(problem, criterion, context);
      return prepared.ok ? succeed(new AdditiveObjective(prepared.value)) : prepared;
    },
  };
  return criterion;
}
