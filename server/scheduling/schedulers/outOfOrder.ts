import type { SchedulerEntry, SchedulingState } from '../contract.ts';

export const outOfOrder: SchedulerEntry = {
  name: 'out-of-order',
  summary: 'every job that fits starts, the oldest first: large jobs may wait for ever',
  source: 'Ababneh and Bani-Mohammad 2011',
  details:
    'One pass through the waiting jobs in order of arrival; jobs that ask for too many processors are passed over by blocks.',
  options: [],
  needsEstimates: false,
  make: () => ({ schedule: startAllThatFit }),
};

/** One pass through the waiting jobs in their order. */
export function startAllThatFit(state: SchedulingState): void {
  const { waiting } = state;
  for (let job = waiting.next(-1, state.freeCount); job >= 0; job = waiting.next(job, state.freeCount))
    state.tryStart(job);
}
