import { type ExperimentPlan } from '../plan.ts';
import { type Replicate, type ReplicationPool, doReplication } from '../run.ts';

/** The calling thread alone. */
export const poolOfOneThread = (plan: ExperimentPlan, replicate: Replicate): ReplicationPool => ({
  run: (tasks, stop, finished) => {
    for (const task of tasks) {
      const done = stop.isCancelled() ? undefined : doReplication(plan, { replicate }, task, stop);
      if (done === undefined) return;
      finished(done);
    }
  },
});
