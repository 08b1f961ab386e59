import type { MapperEntry } from '../contract.ts';
import { mapInLinearOrder } from './linearOrder.ts';
import { rotateOption, unrotated } from './rotation.ts';

export const rowMajor: MapperEntry = {
  name: 'row-major',
  summary: 'Tasks and ranks both numbered with x fastest, then y, then z',
  source: 'Bunde et al. 2014, section 3 (ROWMAJOR)',
  details:
    'Ranks with equal coordinates are ordered by their slot. Rotated first, without regard to the wrap of a torus.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  map: (problem, context) => mapInLinearOrder(problem, context, unrotated),
};
