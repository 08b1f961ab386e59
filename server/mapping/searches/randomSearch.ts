import type { MapperEntry } from '../contract.ts';
import { criterionOption } from '../criteria/option.ts';

export const randomSearch: MapperEntry = {
  name: 'random-search',
  summary: 'Random starts, each improved by random swaps until none has helped for a while',
  source: 'Orduña et al. 2004, section 4',
  options: [
    { name: 'seeds', summary: 'random starts', kind: 'integer', minimum: 1, maximum: 1_000_000, default: 10 },
    {
      name: 'patience',
      summary: 'swaps in a row without improvement that end a start',
      kind: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
      default: 40,
    },
    criterionOption('equivalent'),
  ],
  complexity: 'O(seeds · swaps · degree)',
  announced: true,
};
