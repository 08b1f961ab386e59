import type { AllocatorEntry } from '../contract.ts';
import { cornerPartition } from './partition.ts';

export const quadrant: AllocatorEntry = {
  name: 'quadrant',
  summary: 'half of every side: a quarter of a plane, an eighth of a space',
  source: 'Pascual et al. 2010, figure 3a (8 x 8 of a 16 x 16 torus)',
  details:
    'The nodes with a free core whose router has every coordinate below ⌈side/2⌉, in ascending order. The paper ' +
    'treats two dimensions and even sides; other dimensions and odd sides are an extension.',
  options: [],
  allocate: (request) => cornerPartition(request, 'quadrant', (shape) => shape.map((side) => Math.ceil(side / 2))),
};
