import type { Job } from './job.ts';
import type { SearchRecord } from './searchRecord.ts';

/** Nodes given to a job, in the allocator's order, each once; NodeIds. */
export type Allocation = Int32Array;

/** The slot of each task, indexed by TaskId; SlotIds, all different. */
export type Mapping = Int32Array;

/** What each task of a job takes of its node, and how many of them a node or a socket may have. */
export interface TaskNeeds {
  /** Neighbouring cores, of which the slot of the task is the first; 1 where absent. */
  readonly coresPerTask?: number;
  /** At most so many; `even`: as equally many on each allocated node as there can be. */
  readonly tasksPerNode?: number | 'even';
  /** At most so many whose first core is on one socket. */
  readonly tasksPerSocket?: number;
}

/** One job of a placement with the nodes it was given and where its tasks went. */
export interface PlacedJob {
  readonly job: Job;
  readonly allocation: Allocation;
  readonly mapping: Mapping;
  /** By NodeId: how many tasks may run on the node, those of other jobs among them. Absent where all cores may be used. */
  readonly room?: Int32Array;
  /** Present where tasks need more than one core, or nodes may have only so many of them. */
  readonly needs?: TaskNeeds;
  /** Present with `needs`: the slots on which tasks of the job may begin, those of `mapping` among them. */
  readonly firstSlots?: Int32Array;
  /** How the mapper searched, where it did. */
  readonly search?: SearchRecord;
}

/** A job of a report, with the names of the catalogue entries that gave it its nodes and its mapping. */
export interface ReportedJob extends PlacedJob {
  readonly allocator: string;
  readonly mapper: string;
  /** The mapper drew random numbers: with another seed it may give another mapping. */
  readonly drewRandom?: true;
}
