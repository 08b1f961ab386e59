import type { MapperEntry } from '../contract.ts';
import { rotateOption } from './rotation.ts';

export const corner: MapperEntry = {
  name: 'corner',
  summary: 'Orders tasks and ranks by their distance from one corner',
  source: 'Bunde et al. 2014, section 3 (CORNER)',
  options: [rotateOption],
  complexity: 'O(n log n)',
  announced: true,
};
