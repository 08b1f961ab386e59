import { succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';

export const nearNeighbour: PatternEntry = {
  name: 'near-neighbour',
  summary: 'every task sends to its neighbours on the grid of the job',
  source: 'Alsardia 2017, section 2.4 (near neighbor)',
  details:
    'Each task sends one step both ways along each axis of the `grid`, and without one to the tasks before and ' +
    'after it, as on a line. A `periodic` job wraps; on a side of 2 the bytes of both ways then add up. The thesis ' +
    'says only that processors send to their neighbours.',
  options: [],
  pairBound: ({ taskCount, grid }) => 2 * taskCount * (grid?.length ?? 1),
  generate({ taskCount, grid, periodic }, add) {
    let stride = 1;
    for (const side of grid ?? [taskCount]) {
      for (let task = 0; task < taskCount; task++) {
        const position = Math.floor(task / stride) % side;
        const lineStart = task - position * stride;
        if (position > 0 || periodic) add(task, lineStart + ((position + side - 1) % side) * stride, 1);
        if (position + 1 < side || periodic) add(task, lineStart + ((position + 1) % side) * stride, 1);
      }
      stride *= side;
    }
    return succeed(undefined);
  },
};
