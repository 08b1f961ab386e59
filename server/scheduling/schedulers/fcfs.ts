import type { SchedulerEntry } from '../contract.ts';

export const fcfs: SchedulerEntry = {
  name: 'fcfs',
  summary: 'first come, first served: the oldest job blocks those behind it',
  source: 'Alsardia 2017, section 4.1',
  details: 'O(1) per decision, plus the allocator.',
  options: [],
  needsEstimates: false,
  make: () => ({
    schedule: (state) => {
      while (state.waiting.count > 0 && state.tryStart(state.waiting.first));
    },
  }),
};
