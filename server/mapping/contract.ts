import type { ArgumentValue, CatalogueEntry, OptionValues } from '../model/catalogue.ts';
import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import type { Job } from '../model/job.ts';
import type { Machine } from '../model/machine.ts';
import type { Allocation, Mapping } from '../model/placement.ts';
import type { RandomSource } from '../model/random.ts';
import type { Result } from '../model/result.ts';

/** One job to be mapped onto the free slots of its allocation. */
export interface MappingProblem {
  readonly machine: Machine;
  readonly job: Job;
  readonly allocation: Allocation;
  /** Free slots of the allocated nodes in allocation order, cores ascending; at least taskCount. SlotIds. */
  readonly slots: Int32Array;
}

export interface MappingContext {
  readonly argument: ArgumentValue | undefined;
  readonly options: OptionValues;
  readonly random: RandomSource;
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  /** Numbers of the file of `given "FILE"`, which the doors have read. */
  readonly givenFile: (uri: string) => Result<Int32Array>;
}

export interface MappingAnswer {
  readonly mapping: Mapping;
  /** What the user should know: which mapper `auto` chose and what the others cost. */
  readonly notes: readonly string[];
}

export interface MapperEntry extends CatalogueEntry {
  /** One slot of `problem.slots` per task, all different. Fails with a sentence that helps. */
  readonly map?: (problem: MappingProblem, context: MappingContext) => Result<MappingAnswer>;
  /** Worst-case time in words: "O(n log² n)". */
  readonly complexity: string;
}
