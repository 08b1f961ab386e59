import { succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';
import { rootOf, rootOption } from './root.ts';

export const oneToAll: PatternEntry = {
  name: 'one-to-all',
  summary: 'one task sends to every other: broadcast, scatter',
  source: 'Soryani et al. 2013, section 5 (Bcast/Scatter); Alsardia 2017, section 2.4',
  details: 'Task `root` (default 0) sends to each other task. Alsardia draws the root at random; here it is named.',
  options: [rootOption],
  pairBound: ({ taskCount }) => taskCount - 1,
  generate(request, add) {
    const root = rootOf(request);
    if (!root.ok) return root;
    for (let task = 0; task < request.taskCount; task++) add(root.value, task, 1);
    return succeed(undefined);
  },
};
