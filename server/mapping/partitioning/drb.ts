import type { MapperEntry } from '../contract.ts';

export const drb: MapperEntry = {
  name: 'drb',
  summary: 'Dual recursive bipartitioning: halves the task graph and the machine together',
  source: 'Soryani et al. 2013; Pellegrini 1994',
  options: [],
  complexity: 'O(pairs · log n)',
  announced: true,
};
