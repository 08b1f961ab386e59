/** Searches on several threads: `optimisation/workerPool.ts` says what their work items are. */
import {
  doWorkItem,
  type WorkerPool,
  type WorkItem,
  type WorkItemMaterials,
  type WorkItemOutcome,
} from '../../optimisation/workerPool.ts';
import type { Workload, WorkQueue } from './workQueue.ts';

export const searchWorkload: Workload<WorkItemMaterials, WorkItem, WorkItemOutcome> = {
  name: 'search',
  prepare: (materials) => (workItem, stop) => doWorkItem(materials, workItem, stop),
};

export const poolOfThreads = (queue: WorkQueue): WorkerPool => ({
  threads: queue.threads,
  open: (materials) => {
    const session = queue.open(searchWorkload, materials);
    return {
      run: (workItems, stop, meanwhile) => session.run(workItems, { stop, meanwhile }),
      close: () => {
        session.close();
      },
    };
  },
});
