import type { MapperEntry } from '../contract.ts';
import { rotateOption } from './rotation.ts';

export const twoWayOverlay: MapperEntry = {
  name: 'two-way-overlay',
  summary: 'Like overlay, from the front and the back in turn',
  source: 'Bunde et al. 2014, section 3 (TWOWAYOVERLAY)',
  options: [rotateOption],
  complexity: 'O(n²)',
  announced: true,
};
