import type { CatalogueEntry } from '../../model/catalogue.ts';
import type { Machine } from '../../model/machine.ts';
import type { Result } from '../../model/result.ts';
import type { MappingProblem } from '../../optimisation/problem/searchProblem.ts';
import type { Places } from '../../optimisation/problem/places.ts';
import type { SiteCosts } from '../../optimisation/problem/siteCosts.ts';
import type { Objective, ComputeContext } from '../../optimisation/objective.ts';

/** What a search minimises. Additive criteria are a cost matrix between sites; `maximum-load` is not. */
export interface CriterionEntry extends CatalogueEntry {
  /** Present where the criterion is a sum over pairs. Fails with what the machine lacks, or `cancelled`. */
  readonly siteCosts?: (machine: Machine, places: Places, context: ComputeContext) => Result<SiteCosts>;
  /** A mapping under this criterion, kept up to date by exchanges: what any search can work with. */
  readonly objective: (problem: MappingProblem, context: ComputeContext) => Result<Objective>;
}
