import type { Cancellation, ReportProgress } from '../../model/cancellation.ts';
import type { CatalogueEntry } from '../../model/catalogue.ts';
import type { Machine } from '../../model/machine.ts';
import type { Result } from '../../model/result.ts';
import type { KnownDistances } from '../../network/distances/knownDistances.ts';
import type { MappingProblem } from '../problem/mappingProblem.ts';
import type { Places } from '../problem/places.ts';
import type { SiteCosts } from '../problem/siteCosts.ts';

/** What a search minimises. Additive criteria are a cost matrix between sites; `maximum-load` is not. */
export interface CriterionEntry extends CatalogueEntry {
  /** Present where the criterion is a sum over pairs. Fails with what the machine lacks, or `cancelled`. */
  readonly siteCosts?: (machine: Machine, places: Places, effort: CriterionEffort) => Result<SiteCosts>;
  /** A mapping under this criterion, kept up to date by exchanges: what any search can work with. */
  readonly objective: (problem: MappingProblem, effort: CriterionEffort) => Result<Objective>;
}

export interface CriterionEffort {
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  readonly equivalentDistances?: (machine: Machine) => KnownDistances | undefined;
}

/**
 * A mapping and what it costs. Exchanging two places swaps their tasks, or moves the one task
 * there is into the free place. Exact: `value` after any exchanges equals `recompute()`.
 */
export interface Objective {
  readonly places: Places;
  /** Place of each task; to be read, not written. */
  readonly placeOfTask: Int32Array;
  /** Task at each place, −1 where it is free. */
  readonly taskAtPlace: Int32Array;
  /** In whole units; times `unit` it is the criterion's own. */
  readonly value: number;
  readonly unit: number;
  /** Puts all tasks anew. O(pairs) or more; may stop where the effort is cancelled, and then `value` means nothing. */
  assign(placeOfTask: Int32Array): void;
  /** What `value` would grow by; negative is better. O(degree) for additive criteria. */
  exchangeDelta(place: number, other: number): number;
  exchange(place: number, other: number): void;
  /** From nothing, O(pairs). */
  recompute(): number;
}
