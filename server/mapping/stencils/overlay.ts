import type { MapperEntry } from '../contract.ts';
import { rotateOption } from './rotation.ts';

export const overlay: MapperEntry = {
  name: 'overlay',
  summary: 'Lays the grid over the ranks; each task takes the nearest free rank',
  source: 'Bunde et al. 2014, section 3 (OVERLAY)',
  options: [rotateOption],
  complexity: 'O(n²)',
  announced: true,
};
