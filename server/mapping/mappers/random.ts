import { intAt } from '../../numeric/elements.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';

/** Fisher–Yates, stopped once every task has drawn. */
export const random: MapperEntry = {
  name: 'random',
  summary: 'Every task on a slot drawn at random among all that are free',
  source: 'Pascual et al. 2010, section 5',
  options: [],
  complexity: 'O(slots)',
  scaling: 'linear',
  map: ({ job, slots }, context) => {
    const drawn = slots.slice();
    for (let task = 0; task < job.taskCount; task++) {
      if ((task & 4095) === 0 && context.cancellation.isCancelled()) return cancelled();
      const other = task + context.random.integer(drawn.length - task);
      const kept = intAt(drawn, task);
      drawn[task] = intAt(drawn, other);
      drawn[other] = kept;
    }
    return succeed({ mapping: drawn.slice(0, job.taskCount), notes: [] });
  },
};
