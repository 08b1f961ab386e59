import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';

/** The slots of a problem stand node after node, cores ascending: the first ones are the answer. */
export const blocked: MapperEntry = {
  name: 'blocked',
  summary: 'Fills the cores of one node before it goes to the next',
  source: 'Soryani et al. 2013, section 1.1',
  details:
    'Nodes in the order of the allocation, tasks in the order of their ids, free cores ascending. ' +
    'The paper leaves the order of the nodes open.',
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  map: ({ job, slots }, { cancellation }) =>
    cancellation.isCancelled() ? cancelled() : succeed({ mapping: slots.slice(0, job.taskCount), notes: [] }),
};
