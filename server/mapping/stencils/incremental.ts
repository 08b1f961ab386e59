import type { MapperEntry } from '../contract.ts';
import { rotateOption } from './rotation.ts';

export const incremental: MapperEntry = {
  name: 'incremental',
  summary: 'Starts with rcb and swaps two tasks as long as the average hops fall',
  source: 'Bunde et al. 2014, section 5.2 (INCIMPROVE)',
  options: [rotateOption],
  complexity: 'O(n² degree) per pass',
  announced: true,
};
