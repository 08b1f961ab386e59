import type { MapperEntry } from '../contract.ts';
import { criterionOption } from '../criteria/option.ts';

export const grasp: MapperEntry = {
  name: 'grasp',
  summary: 'Greedy randomised starts, each improved by best swaps; the best of all',
  source: 'Pascual et al. 2010, section 3.2 (GRASP)',
  options: [
    criterionOption('distance'),
    { name: 'iterations', summary: 'starts tried', kind: 'integer', minimum: 1, maximum: 1_000_000, default: 50 },
    {
      name: 'alpha',
      summary: 'share of the cheapest candidates among which the greedy step draws',
      kind: 'fraction',
      minimum: 0,
      maximum: 1,
      default: 0.2,
    },
  ],
  complexity: 'O(n³) per iteration',
  announced: true,
};
