import type { MapperEntry } from '../contract.ts';
import { rotateOption } from './rotation.ts';

export const ordered: MapperEntry = {
  name: 'ordered',
  summary: 'Tries row- and column-major orders with every flip and keeps the fewest average hops',
  source: 'Bunde et al. 2014, section 3 (ORDERED)',
  options: [rotateOption],
  complexity: 'O(2^d n (log n + degree))',
  announced: true,
};
