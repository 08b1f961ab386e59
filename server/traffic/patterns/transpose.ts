import { fail, succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

export const transpose: PatternEntry = {
  name: 'transpose',
  summary: 'tasks of a square exchange with their mirror image in the diagonal',
  source: 'Placewright; the matrix transpose of Dally and Towles 2004, section 3.2',
  details: 'With n = m² tasks, task i + m · j sends to task j + m · i; tasks on the diagonal send nothing.',
  options: [],
  pairBound: ({ taskCount }) => taskCount,
  generate({ taskCount }, add) {
    const side = Math.round(Math.sqrt(taskCount));
    if (side * side !== taskCount) {
      return fail(
        'task-count-not-square',
        `Pattern \`transpose\` needs a square number of tasks, not ${taskCount}; ` +
          `the nearest is ${Math.max(1, side) ** 2}.`,
      );
    }
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) add(column + side * row, row + side * column, 1);
    }
    return succeed(undefined);
  },
};
