import type { MapperEntry } from '../contract.ts';
import { mapInLinearOrder } from './linearOrder.ts';
import { rotateOption, unrotated } from './rotation.ts';

/** y, then x, then z and the rest, as the paper has it. */
function columnFirst(dimensions: number): readonly number[] {
  return dimensions < 2 ? unrotated(dimensions) : [1, 0, ...unrotated(dimensions).slice(2)];
}

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
