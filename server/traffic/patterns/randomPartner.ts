import { succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

export const randomPartner: PatternEntry = {
  name: 'random',
  summary: 'every task sends to one other task, drawn at random',
  source: 'Alsardia 2017, section 2.4 (random), per task instead of per job',
  details:
    'In ascending order each task draws its receiver uniformly among the n − 1 other tasks, from the seed of the ' +
    'placement; several tasks may draw the same receiver. The thesis sends one message between one random pair per job.',
  options: [],
  isRandom: true,
  pairBound: ({ taskCount }) => taskCount,
  generate({ taskCount, random }, add) {
    if (taskCount < 2) return succeed(undefined);
    for (let task = 0; task < taskCount; task++) {
      const drawn = random.integer(taskCount - 1);
      add(task, drawn < task ? drawn : drawn + 1, 1);
    }
    return succeed(undefined);
  },
};
