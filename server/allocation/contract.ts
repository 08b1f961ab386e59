import type { ArgumentValue, OptionValues, RunnableEntry } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { GivenPart } from '../model/given.ts';
import type { Machine } from '../model/machine.ts';
import type { Allocation } from '../model/placement.ts';
import type { RandomSource } from '../model/random.ts';
import type { Result } from '../model/result.ts';

export interface AllocationRequest {
  readonly machine: Machine;
  /** Tasks that need a slot. */
  readonly taskCount: number;
  /** The job's grid, for allocators that look for its shape. */
  readonly grid?: readonly number[];
  /** Free cores of each node, indexed by NodeId: an earlier job of the placement may hold some. */
  readonly freeCores: Int32Array;
  readonly argument: ArgumentValue | undefined;
  readonly options: OptionValues;
  readonly random: RandomSource;
  readonly cancellation: Cancellation;
  /** What a file says of where the job runs, which the entrypoints have read (for `nodes "FILE"`). */
  readonly givenFile: (uri: string) => Result<GivenPart>;
  /** The nodes another placement of the study was given (for `same-as`). */
  readonly allocationOf: (placement: string) => Result<Allocation>;
}

export interface AllocatorEntry extends RunnableEntry {
  /**
   * Nodes for one job: valid, each once, with at least `taskCount` free cores together.
   * Fails with `does-not-fit` and the numbers where they cannot be had.
   */
  readonly allocate: (request: AllocationRequest) => Result<Allocation>;
}
