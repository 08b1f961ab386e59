import { succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';

/** What schedulers do by themselves, and what every other mapper is compared with. */
export const baseline: MapperEntry = {
  name: 'baseline',
  summary: 'Task i on the i-th slot in the order of the allocation, as schedulers do',
  source: 'Bunde et al. 2014, section 2 (BASELINE)',
  details: 'Tasks are numbered with x fastest; slots go node by node in the order of the allocator. Never rotated.',
  options: [],
  complexity: 'O(n)',
  map: ({ job, slots }) => succeed({ mapping: slots.slice(0, job.taskCount), notes: [] }),
};
