import type { MapperEntry } from '../contract.ts';
import { overlayDetails, overlayTasks } from './overlayTasks.ts';
import { rotateOption } from './rotation.ts';

export const twoWayOverlay: MapperEntry = {
  name: 'two-way-overlay',
  summary: 'Like overlay, from the front and the back in turn',
  source: 'Bunde et al. 2014, section 3 (TWOWAYOVERLAY)',
  details:
    'A task from the front first, in column-major order from the lowest coordinates of the ranks, then one from the back, ' +
    `in the reverse order from the highest. ${overlayDetails}`,
  options: [rotateOption],
  complexity: 'O(n²)',
  map: (problem, context) => overlayTasks(problem, context, true),
};
