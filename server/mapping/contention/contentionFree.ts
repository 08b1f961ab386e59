import type { MapperEntry } from '../contract.ts';

export const contentionFree: MapperEntry = {
  name: 'contention-free',
  summary: 'Limits the tasks of a job per node so that no network interface saturates',
  source: 'Soryani et al. 2013, equations 13–23',
  options: [],
  complexity: 'O(n² nodes)',
  announced: true,
};
