import type { MapperEntry } from '../contract.ts';

export const consecutive: MapperEntry = {
  name: 'consecutive',
  summary: 'Task i on the i-th allocated node in ascending order of ids',
  source: 'Pascual et al. 2010, section 3',
  options: [],
  complexity: 'O(n log n)',
  announced: true,
};
