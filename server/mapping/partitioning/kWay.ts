import type { MapperEntry } from '../contract.ts';

export const kWay: MapperEntry = {
  name: 'k-way',
  summary: 'Splits the task graph into as many parts as nodes, with little traffic between them',
  source: 'Soryani et al. 2013; Karypis and Kumar 1998',
  options: [],
  complexity: 'O(pairs · log n)',
  announced: true,
};
