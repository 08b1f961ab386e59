import type { Job } from './job.ts';
import type { SearchRecord } from './searchRecord.ts';

/** Nodes given to a job, in the allocator's order, each once; NodeIds. */
export type Allocation = Int32Array;

/** The slot of each task, indexed by TaskId; SlotIds, all different. */
export type Mapping = Int32Array;

/** One job of a placement with the nodes it was given and where its tasks went. */
export interface PlacedJob {
  readonly job: Job;
  readonly allocation: Allocation;
  readonly mapping: Mapping;
  /** By NodeId: how many tasks may run on the node, those of other jobs among them. Absent where all cores may be used. */
  readonly room?: Int32Array;
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
