import type { AllocatorEntry } from '../contract.ts';
import { cornerPartition } from './partition.ts';

export const band: AllocatorEntry = {
  name: 'band',
  summary: 'a quarter of the machine as full planes of its last axis',
  source: 'Pascual et al. 2010, figure 3b (16 x 4 of a 16 x 16 torus)',
  details:
    'The nodes with a free core whose router has its last coordinate below ⌈side/4⌉, in ascending order: full rows ' +
    'in two dimensions, full planes in three. The paper treats two dimensions and sides that 4 divides.',
  options: [],
  allocate: (request) =>
    cornerPartition(request, 'band', (shape) =>
      shape.map((side, axis) => (axis === shape.length - 1 ? Math.ceil(side / 4) : side)),
    ),
};
