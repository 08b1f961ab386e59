/** What a criterion must do, and how a mapping problem under an additive one is prepared for the search kernels. */
import type { CatalogueEntry } from '../../model/catalogue.ts';
import type { Machine } from '../../model/machine.ts';
import { type Result, cancelled, fail, succeed } from '../../model/result.ts';
import type { MappingProblem, SearchProblem } from '../../optimisation/problem/searchProblem.ts';
import { type Places, placesOf } from '../../optimisation/problem/places.ts';
import type { SiteCosts } from '../../optimisation/problem/siteCosts.ts';
import type { Objective, ComputeContext } from '../../optimisation/objective.ts';
import { taskGraphOf, wholeWeights } from '../../optimisation/problem/taskGraph.ts';

/** What a search minimises. Additive criteria are a cost matrix between sites; `maximum-load` is not. */
export interface CriterionEntry extends CatalogueEntry {
  /** Present where the criterion is a sum over pairs. Fails with what the machine lacks, or `cancelled`. */
  readonly siteCosts?: (machine: Machine, places: Places, context: ComputeContext) => Result<SiteCosts>;
  /** A mapping under this criterion, kept up to date by exchanges: what any search can work with. */
  readonly objective: (problem: MappingProblem, context: ComputeContext) => Result<Objective>;
}

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
