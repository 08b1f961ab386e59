/** What an allocator is given: for the jobs of a placement, and for jobs that come and go. */
import type { ArgumentValue, OptionValues, CatalogueEntry } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { GivenPart, GivenSource } from '../model/given.ts';
import type { Machine } from '../model/machine.ts';
import type { Allocation, TaskNeeds } from '../model/placement.ts';
import type { RandomSource } from '../model/random.ts';
import type { Result } from '../model/result.ts';

export interface AllocationRequest {
  readonly machine: Machine;
  /** Tasks that need a slot. */
  readonly taskCount: number;
  /** The job's grid, for allocators that look for its shape. */
  readonly grid?: readonly number[];
  /** Tasks that each node can take, indexed by NodeId: its free cores, of which an earlier job may hold some, or fewer where tasks need several. */
  readonly freeCores: Int32Array;
  /** What tasks need, where that is more than a core each. */
  readonly needs?: TaskNeeds;
  readonly argument: ArgumentValue | undefined;
  readonly options: OptionValues;
  readonly random: RandomSource;
  readonly cancellation: Cancellation;
  /** What a file says of where the job runs, which the entrypoints have read (for `nodes "FILE"`). */
  readonly givenFile: (source: GivenSource) => Result<GivenPart>;
  /** The nodes another placement of the study was given (for `same-as`). */
  readonly allocationOf: (placement: string) => Result<Allocation>;
}

export interface AllocatorEntry extends CatalogueEntry {
  /**
   * Nodes for one job: valid, each once, with at least `taskCount` free cores together.
   * Fails with `does-not-fit` and the numbers where they cannot be had.
   */
  readonly allocate: (request: AllocationRequest) => Result<Allocation>;
  /**
   * How many tasks may run on each node, by NodeId, where what the allocator reads limits that; `freeCores` of the request are no more
   * than these. Undefined where it limits nothing, or cannot be read. O(nodes).
   */
  readonly room?: (request: Pick<AllocationRequest, 'machine' | 'argument' | 'givenFile'>) => Int32Array | undefined;
}

/** What a job that arrives over time asks for. */
export interface NodeRequest {
  /** Nodes that the job runs on, at least 1. */
  readonly nodeCount: number;
  /**
   * Width, height and depth of the submesh asked for, x (the column) first, with `nodeCount` nodes; missing ones are 1.
   * Where it is left out, or has more dimensions than the machine, the squarest that the machine can hold.
   */
  readonly sides?: readonly number[];
  /** For searches that may take seconds on the largest machines. */
  readonly cancellation?: Cancellation;
}

/** One allocator at work on one machine. Keeps memory for its tables, and nothing of one call for the next. */
export interface NodeFinder {
  /**
   * Nodes for a job: NodeIds in the allocator's order, each once, none busy; or undefined where they cannot be had now
   * (or the request was cancelled). `busy[node]` is 1 where a job holds the node, else 0; it is not written. The job
   * runs on the first `nodeCount` of them; allocators of whole blocks hold more (`paging` with larger pages,
   * `buddy-2d`).
   */
  find(busy: Uint8Array, request: NodeRequest): Int32Array | undefined;
  /**
   * How many nodes a job of so many holds, where an allocator that needs no shape gives whole blocks. Absent: as many.
   */
  readonly heldBy?: (nodeCount: number) => number;
}

/** An allocator that can also serve jobs that come and go. */
export interface FinderEntry extends AllocatorEntry {
  /** `find` may fail although enough nodes are free. */
  readonly contiguous: boolean;
  /**
   * Fails where the allocator cannot work on the machine: `no-coordinates`, `wrong-dimensions`, `does-not-apply`.
   * Draws, if it draws at all, from `random` at each call of `find`.
   */
  readonly finder: (machine: Machine, options: OptionValues, random: RandomSource) => Result<NodeFinder>;
}
