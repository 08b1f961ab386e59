import { fail, succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

export const butterfly: PatternEntry = {
  name: 'butterfly',
  summary: 'tasks whose numbers differ in one bit exchange: FFT, recursive doubling',
  source: 'Placewright; the butterfly of Foster 1995, section 2.3.2 (all stages together)',
  details: 'With n = 2^s tasks, task i sends to task i xor 2^b for each of the s bits b, so in both directions.',
  options: [],
  pairBound: ({ taskCount }) => taskCount * Math.ceil(Math.log2(Math.max(1, taskCount))),
  generate({ taskCount }, add) {
    const stages = Math.round(Math.log2(taskCount));
    if (2 ** stages !== taskCount) {
      return fail(
        'task-count-not-power-of-two',
        `Pattern \`butterfly\` needs a power of two of tasks, not ${taskCount}; the nearest is ${2 ** stages}.`,
      );
    }
    for (let task = 0; task < taskCount; task++) {
      for (let stage = 0; stage < stages; stage++) add(task, task ^ (2 ** stage), 1);
    }
    return succeed(undefined);
  },
};
