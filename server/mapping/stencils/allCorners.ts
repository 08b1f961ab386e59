import type { MapperEntry } from '../contract.ts';
import { rotateOption } from './rotation.ts';

export const allCorners: MapperEntry = {
  name: 'all-corners',
  summary: 'Grows from all corners in turn',
  source: 'Bunde et al. 2014, section 3 (ALLCORNERS)',
  options: [rotateOption],
  complexity: 'O(2^d n log n)',
  announced: true,
};
