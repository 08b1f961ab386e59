import { succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

export const tree: PatternEntry = {
  name: 'tree',
  summary: 'parents and children of a binary tree send to each other',
  source: 'Placewright',
  details:
    'Task 0 is the root; the children of task i are 2 · i + 1 and 2 · i + 2. Every edge carries traffic both ways, ' +
    'as a reduction followed by a broadcast does.',
  options: [],
  pairBound: ({ taskCount }) => 2 * (taskCount - 1),
  generate({ taskCount }, add) {
    for (let child = 1; child < taskCount; child++) {
      const parent = Math.floor((child - 1) / 2);
      add(parent, child, 1);
      add(child, parent, 1);
    }
    return succeed(undefined);
  },
};
