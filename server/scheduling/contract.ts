import type { OptionValues, CatalogueEntry } from '../model/catalogue.ts';
import type { JobTable } from './jobs.ts';
import type { WaitingJobs } from './waitingJobs.ts';

/** A scheduler of the catalogue. */
export interface SchedulerEntry extends CatalogueEntry {
  /** It plans by run times: jobs must have estimates. */
  readonly needsEstimates: boolean;
  readonly make: (options: OptionValues) => Scheduler;
}

/** Which waiting jobs start. It keeps nothing of its own from call to call. */
export interface Scheduler {
  /** Waiting jobs are in ascending order of this number, equal ones in order of arrival. Absent: in order of arrival. */
  readonly keyOf?: (job: number, jobs: JobTable) => number;
  /** It asks for `running` of the state, which is empty for others. */
  readonly asksForRunning?: boolean;
  /** Starts what starts now. Called after all completions and arrivals of an instant; may stop where `state` is cancelled. */
  readonly schedule: (state: SchedulingState) => void;
}

/** Running jobs by the end that is expected of them, the earliest first; equal ends by number of the job. */
export interface RunningJobs {
  readonly count: number;
  jobAt(position: number): number;
  /** Start + estimate. */
  expectedEndAt(position: number): number;
  /** Nodes that it holds: its processors, or more where an allocator gives whole blocks. */
  nodeCountAt(position: number): number;
}

/** What a scheduler sees of the machine and the jobs, and what it may do. */
export interface SchedulingState {
  readonly now: number;
  readonly jobs: JobTable;
  readonly waiting: WaitingJobs;
  /** Kept only for schedulers that ask for it. */
  readonly running: RunningJobs;
  readonly freeCount: number;
  /** Jobs that arrived after the oldest waiting one and have started before it. O(1). */
  bypassesOfOldest(): number;
  /** Nodes that a job holds while it runs: its processors, or more where the allocator gives whole blocks. */
  nodesOf(job: number): number;
  /** Starts a waiting job if it fits now; else nothing changes. A `true` removes it from `waiting`. */
  tryStart(job: number): boolean;
  /** Where enough free nodes are not enough: the job needs nodes in a certain shape. */
  readonly shapes: NodeShapes | undefined;
  isCancelled(): boolean;
}

/** Free and busy nodes, for schedulers that ask "what if" of a contiguous allocator. */
export interface NodeShapes {
  /** `busy[node] === 1` is held. A copy. */
  copyOfBusy(): Uint8Array;
  /** Nodes that the allocator would give to the job where these are busy; undefined for none. */
  find(busy: Uint8Array, job: number): Int32Array | undefined;
  /** The same on the machine as it is now. O(1) where the like was not to be had since the last start or end. */
  findNow(job: number): Int32Array | undefined;
  /** Nodes of a running job. */
  nodesOf(job: number): Int32Array;
  /** Starts a waiting job on free nodes that `find` gave. */
  startOn(job: number, nodes: Int32Array): void;
}
