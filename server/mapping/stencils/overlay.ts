import type { MapperEntry } from '../contract.ts';
import { overlayDetails, overlayTasks } from './overlayTasks.ts';
import { rotateOption } from './rotation.ts';

export const overlay: MapperEntry = {
  name: 'overlay',
  summary: 'Lays the grid over the ranks; each task takes the nearest free rank',
  source: 'Bunde et al. 2014, section 3 (OVERLAY)',
  details: `Tasks in column-major order from the lowest coordinates of the ranks. ${overlayDetails}`,
  options: [rotateOption],
  complexity: 'O(n²)',
  map: (problem, context) => overlayTasks(problem, context, false),
};
