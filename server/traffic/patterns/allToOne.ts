import { succeed } from '../../model/result.ts';
import type { PatternEntry } from '../contract.ts';
import { rootOf, rootOption } from './root.ts';

export const allToOne: PatternEntry = {
  name: 'all-to-one',
  summary: 'every other task sends to one: gather, reduce',
  source: 'Soryani et al. 2013, section 5 (Gather/Reduce)',
  details: 'Each other task sends to task `root` (default 0).',
  options: [rootOption],
  pairBound: ({ taskCount }) => taskCount - 1,
  generate(request, add) {
    const root = rootOf(request);
    if (!root.ok) return root;
    for (let task = 0; task < request.taskCount; task++) add(task, root.value, 1);
    return succeed(undefined);
  },
};
