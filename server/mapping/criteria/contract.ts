/** What a criterion must do, and how a mapping problem under an additive one is prepared for the search kernels. */
import type { CatalogueEntry } from '../../model/catalogue.ts';
import type { Machine } from '../../model/machine.ts';
import { type Result, cancelled, fail, succeed } from '../../model/result.ts';
import type { MappingProblem, SearchProblem } from '../../optimisation/problem/searchProblem.ts';
import { type Places, groupPlaces } from '../../optimisation/problem/places.ts';
import { costsInside, placesInside } from '../../optimisation/problem/insideSites.ts';
import type { SiteCosts } from '../../optimisation/problem/siteCosts.ts';
import type { Objective, ComputeContext } from '../../optimisation/objective.ts';
import { taskGraphOf, wholeWeights } from '../../optimisation/problem/taskGraph.ts';

/** What a search minimises. Additive criteria are a cost matrix between sites; `maximum-load` is not. */
export interface CriterionEntry extends CatalogueEntry {
  /** Present where the criterion is a sum over pairs. Fails with what the machine lacks, or `cancelled`. */
  readonly siteCosts?: (machine: Machine, places: Places, context: ComputeContext) => Result<SiteCosts>;
  /** What insides of nodes add to hops is a part of it, where that counts. */
  readonly countsInside?: boolean;
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
  const { siteCosts, countsInside } = criterion;
  if (siteCosts === undefined) {
    return fail(
      'not-additive',
      `This search needs a sum over task pairs; \`${criterion.name}\` is not one. Use \`hop-bytes\`.`,
    );
  }
  const { machine, job } = problem;
  const sites = costedSites(machine, problem.slots, { siteCosts, ...(countsInside && { countsInside }) }, context);
  if (!sites.ok) return sites;
  const { places, costs } = sites.value;
  const { cancellation } = context;
  const exact = taskGraphOf(job.traffic, cancellation);
  const { graph, weightUnit } = wholeWeights(exact, costs.maximum, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  return succeed({ machine, job, graph, weightUnit, places, costs });
}

/** Places with the costs between their sites: slots of a node that are apart are different sites where the criterion counts that. */
export function costedSites(
  machine: Machine,
  slots: Int32Array,
  criterion: Pick<CriterionEntry, 'countsInside'> & Required<Pick<CriterionEntry, 'siteCosts'>>,
  context: ComputeContext,
): Result<{ readonly places: Places; readonly costs: SiteCosts }> {
  const nodes = groupPlaces(machine, slots);
  const costs = criterion.siteCosts(machine, nodes, context);
  if (!costs.ok) return costs;
  const { distances } = machine.inside;
  const places = criterion.countsInside === true ? placesInside(machine, slots) : undefined;
  if (places === undefined || distances === undefined) return succeed({ places: nodes, costs: costs.value });
  const inside = costsInside(machine, distances, { places: nodes, costs: costs.value }, places, context.cancellation);
  return inside.ok ? succeed({ places, costs: inside.value }) : inside;
}
