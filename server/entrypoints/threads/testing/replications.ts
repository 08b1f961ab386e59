/** Replications of queues with one server, and some that do not end; `replicationHelpers.ts` beside it serves them. */
import type { ExperimentPlan } from '../../../experiments/plan.ts';
import { queue } from '../../../experiments/testing/queues.ts';
import { cancelled } from '../../../model/result.ts';
import { replicationWorkload } from '../../experiments/running.ts';

export interface Endless {
  readonly plan: ExperimentPlan;
  /** Shared memory. Cell 0: how many replications have begun. */
  readonly begun: Int32Array;
}

export const queues = replicationWorkload<ExperimentPlan>('queues', (plan) => ({ plan, replicate: queue }));

export const endlessQueues = replicationWorkload<Endless>('endless', ({ plan, begun }) => ({
  plan,
  replicate: (_, __, stop) => {
    Atomics.add(begun, 0, 1);
    while (!stop.isCancelled());
    return cancelled();
  },
}));
