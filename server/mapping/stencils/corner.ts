import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { alignJob } from './alignment.ts';
import { rankPoints, taskPoints } from './gridPoints.ts';
import { pairedOrders } from './pairedOrders.ts';
import { cornerOrder } from './pointOrders.ts';
import { rotateOption } from './rotation.ts';

export const corner: MapperEntry = {
  name: 'corner',
  summary: 'Orders tasks and ranks by their distance from one corner',
  source: 'Bunde et al. 2014, section 3 (CORNER)',
  details:
    'Manhattan distance from the corner with the lowest coordinates; ties by z, then y, then x, lower ones first, and ' +
    'ranks with equal coordinates by their slot. Distances know nothing of the wrap of a torus, as in the paper.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  map: (problem, context) => {
    const aligned = alignJob(problem, context);
    if (!aligned.ok) return aligned;
    const tasks = taskPoints(aligned.value);
    const ranks = rankPoints(aligned.value);
    if (context.cancellation.isCancelled()) return cancelled();
    const taskOrder = cornerOrder(tasks, []);
    const rankOrder = cornerOrder(ranks, []);
    return succeed({ mapping: pairedOrders(tasks, taskOrder, ranks, rankOrder), notes: [] });
  },
};
