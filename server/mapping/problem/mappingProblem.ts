import type { Job } from '../../model/job.ts';
import type { Machine } from '../../model/machine.ts';
import type { Allocation } from '../../model/placement.ts';

/** One job to be mapped onto the free slots of its allocation. */
export interface MappingProblem {
  readonly machine: Machine;
  readonly job: Job;
  readonly allocation: Allocation;
  /** Free slots of the allocated nodes in allocation order, cores ascending; at least taskCount. SlotIds. */
  readonly slots: Int32Array;
}
