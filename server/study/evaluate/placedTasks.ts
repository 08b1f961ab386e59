import { intAt } from '../../numeric/elements.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { nodesOfSlots } from '../../model/slots.ts';

/** Where the tasks of one job run, ready for loops over its traffic. */
export interface PlacedTasks {
  /** Index of the job in the placement. */
  readonly job: number;
  /** NodeId and RouterId of each task. */
  readonly node: Int32Array;
  readonly router: Int32Array;
  readonly placed: PlacedJob;
}

/** O(tasks). */
export function placeTasks(machine: Machine, jobs: readonly PlacedJob[]): readonly PlacedTasks[] {
  return jobs.map((placed, job) => {
    const node = nodesOfSlots(machine, placed.mapping);
    const router = node.map((id) => intAt(machine.topology.routerOfNode, id));
    return { job, node, router, placed };
  });
}
