import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';

export const consecutive: MapperEntry = {
  name: 'consecutive',
  summary: 'Task i on the i-th allocated node in ascending order of ids',
  source: 'Pascual et al. 2010, section 5.2',
  details:
    'The paper has one task per node; where nodes have several free slots all of a node are filled, in ascending order, ' +
    'before the next.',
  options: [],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: ({ job, slots }, { cancellation }) => {
    if (cancellation.isCancelled()) return cancelled();
    return succeed({ mapping: slots.toSorted().slice(0, job.taskCount), notes: [] });
  },
};
