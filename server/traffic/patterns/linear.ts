import { succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

export const linear: PatternEntry = {
  name: 'linear',
  summary: 'every task but the last sends to the next one',
  source: 'Soryani et al. 2013, section 5 (Linear)',
  details: 'Task i sends to task i + 1, in one direction: each receives from the one before it.',
  options: [],
  pairBound: ({ taskCount }) => taskCount - 1,
  generate({ taskCount }, add) {
    for (let task = 0; task + 1 < taskCount; task++) add(task, task + 1, 1);
    return succeed(undefined);
  },
};
