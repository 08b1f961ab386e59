import type { SchedulerEntry } from '../contract.ts';
import { behindStarted } from './outOfOrder.ts';

const largestWindow = 1_000_000;

export const window: SchedulerEntry = {
  name: 'window',
  summary: 'starts the jobs that fit among the first waiting jobs: between fcfs and out-of-order',
  source: 'Ababneh and Bani-Mohammad 2011',
  details: '`window(1)` is fcfs. When a job of the window starts, the next waiting job enters the window.',
  options: [
    {
      name: 'size',
      summary: 'number of waiting jobs considered',
      kind: 'integer',
      minimum: 1,
      maximum: largestWindow,
      required: true,
      positional: true,
    },
  ],
  skeleton: 'window(${1:4})',
  needsEstimates: false,
  make: ({ size }) => {
    const most = typeof size === 'number' ? size : 1;
    return {
      schedule: (state) => {
        const { waiting } = state;
        let passed = 0;
        for (let job = waiting.first; job >= 0 && passed < most;) {
          if (state.freeCount === 0) return;
          if (state.tryStart(job)) {
            const behind = behindStarted(state, job);
            if (behind < 0) passed = 0;
            job = waiting.next(behind);
          } else {
            passed++;
            job = waiting.next(job);
          }
        }
      },
    };
  },
};
