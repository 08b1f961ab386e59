import type { MapperEntry } from '../contract.ts';
import { columnFirst } from './columnFirst.ts';
import { mapInLinearOrder } from './linearOrder.ts';
import { rotateOption } from './rotation.ts';

export const columnMajor: MapperEntry = {
  name: 'column-major',
  summary: 'Tasks and ranks both numbered with y fastest, then x, then z',
  source: 'Bunde et al. 2014, section 3 (COLMAJOR)',
  details:
    'Ranks with equal coordinates are ordered by their slot. Rotated first, without regard to the wrap of a torus.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  map: (problem, context) => mapInLinearOrder(problem, context, columnFirst),
};
