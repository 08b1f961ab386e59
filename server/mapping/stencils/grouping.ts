import type { MapperEntry } from '../contract.ts';

export const grouping: MapperEntry = {
  name: 'grouping',
  summary: 'Blocks of the grid fill whole nodes, in allocation order',
  source: 'Bunde et al. 2014, section 3 (GROUPING)',
  options: [
    {
      name: 'block',
      summary: 'sides of the blocks of tasks that share a node; by default the most cubic block that fills one',
      kind: 'shape',
    },
  ],
  complexity: 'O(n)',
  announced: true,
};
