import type { MapperEntry } from '../contract.ts';
import { criterionOption } from '../criteria/option.ts';

export const tabu: MapperEntry = {
  name: 'tabu',
  summary: 'Robust tabu search, for dense problems of up to a few hundred tasks',
  source: 'Taillard 1991',
  options: [
    criterionOption('hop-bytes'),
    {
      name: 'iterations',
      summary: 'steps of the search; by default as many as the size of the job asks for',
      kind: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
    },
  ],
  complexity: 'O(n²) per step',
  announced: true,
};
