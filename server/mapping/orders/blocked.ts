import type { MapperEntry } from '../contract.ts';

export const blocked: MapperEntry = {
  name: 'blocked',
  summary: 'Fills the cores of one node before it goes to the next',
  source: 'Soryani et al. 2013',
  options: [],
  complexity: 'O(n)',
  announced: true,
};
