import type { MapperEntry } from '../contract.ts';

export const randomLocal: MapperEntry = {
  name: 'random-local',
  summary: 'Neighbouring tasks kept together on a switch, in random order',
  source: 'Orduña et al. 2004, section 5 (random with locality)',
  options: [],
  complexity: 'O(n)',
  announced: true,
};
