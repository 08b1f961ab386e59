import type { MapperEntry } from '../contract.ts';

export const cyclic: MapperEntry = {
  name: 'cyclic',
  summary: 'Deals tasks to nodes in turn',
  source: 'Soryani et al. 2013',
  options: [],
  complexity: 'O(n)',
  announced: true,
};
