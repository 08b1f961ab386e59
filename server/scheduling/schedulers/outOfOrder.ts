import type { SchedulerEntry, SchedulingState } from '../contract.ts';

export const outOfOrder: SchedulerEntry = {
  name: 'out-of-order',
  summary: 'starts every job that fits, oldest first; large jobs may wait forever',
  source: 'Ababneh and Bani-Mohammad 2011',
  details:
    'One pass over the waiting jobs in order of arrival. Jobs that request too many processors are skipped by blocks. With a contiguous allocator, each start restarts the pass.',
  options: [],
  needsEstimates: false,
  make: () => ({ schedule: startAllThatFit }),
};

/** One pass through the waiting jobs in their order; see {@link behindStarted}. */
export function startAllThatFit(state: SchedulingState): void {
  const { waiting } = state;
  for (let job = waiting.next(-1, state.freeCount); job >= 0;) {
    const started = state.tryStart(job);
    job = waiting.next(started ? behindStarted(state, job) : job, state.freeCount);
  }
}

/**
 * Behind which job a pass goes on once `job` has started: it begins anew (−1) where nodes must have a shape. A start moves the places that such an
 * allocator looks at, frames above all, so that an older job may fit now. Elsewhere a start only takes nodes away.
 */
export const behindStarted = ({ shapes }: SchedulingState, job: number): number => (shapes === undefined ? job : -1);
