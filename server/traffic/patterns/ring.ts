import { succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

export const ring: PatternEntry = {
  name: 'ring',
  summary: 'every task sends to the next one, the last to the first',
  source: 'Placewright',
  details: 'Task i sends to task (i + 1) mod n, in one direction.',
  options: [],
  pairBound: ({ taskCount }) => taskCount,
  generate({ taskCount }, add) {
    for (let task = 0; task < taskCount; task++) add(task, (task + 1) % taskCount, 1);
    return succeed(undefined);
  },
};
