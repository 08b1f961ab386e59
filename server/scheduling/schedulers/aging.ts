import type { SchedulerEntry } from '../contract.ts';
import { behindStarted } from './outOfOrder.ts';

export const aging: SchedulerEntry = {
  name: 'aging',
  summary: 'out-of-order, until a waiting job was bypassed too often: then it blocks later jobs',
  source: 'Placewright',
  details:
    'A job is bypassed when a later job starts before it. A start that bypasses a job bypasses all older jobs, so only the oldest is checked. Its count is the starts so far minus the jobs that arrived before it: O(1). `aging(limit 0)` is fcfs.',
  options: [
    {
      name: 'limit',
      summary: 'how often a job may be bypassed',
      kind: 'integer',
      minimum: 0,
      maximum: 1_000_000_000,
      required: true,
      positional: true,
    },
  ],
  skeleton: 'aging(limit ${1:10})',
  needsEstimates: false,
  make: ({ limit }) => {
    const most = typeof limit === 'number' ? limit : 0;
    return {
      schedule: (state) => {
        const { waiting } = state;
        for (let job = waiting.first; job >= 0;) {
          if (job !== waiting.first && state.bypassesOfOldest() >= most) return;
          const started = state.tryStart(job);
          job = waiting.next(started ? behindStarted(state, job) : job, state.freeCount);
        }
      },
    };
  },
};
