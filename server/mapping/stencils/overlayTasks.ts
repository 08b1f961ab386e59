import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { alignJob } from './alignment.ts';
import { columnFirst } from './columnFirst.ts';
import { rankPoints, taskPoints } from './gridPoints.ts';
import { NearestRank } from './nearestRank.ts';
import { linearOrder } from './pointOrders.ts';

/** What OVERLAY and TWOWAYOVERLAY leave open, for their details. */
export const overlayDetails =
  'Nearest is by Manhattan distance without the wrap of a torus; ties by z, then y, then x, lower ones first, then by ' +
  'slot. The paper leaves both open. Desired locations may lie outside the machine.';

/**
 * The overlay algorithms of Bunde et al. 2014, section 3: tasks are taken in column-major order, and
 * each goes to the free rank nearest to where it lies when the grid is laid over the ranks with its
 * first corner on their basepoint. With `bothWays` every second task is the last one left, of the grid
 * laid with its last corner on the opposite basepoint.
 */
export function overlayTasks(
  problem: MappingProblem,
  context: MappingContext,
  bothWays: boolean,
): Result<MappingAnswer> {
  const aligned = alignJob(problem, context);
  if (!aligned.ok) return aligned;
  const tasks = taskPoints(aligned.value);
  const ranks = rankPoints(aligned.value);
  const order = linearOrder(tasks, columnFirst(tasks.highest.length), []);
  const free = new NearestRank(ranks);
  const beyond = ranks.highest.map((highest, axis) => highest - tasks.highest[axis]!);
  const mapping = new Int32Array(order.length);
  const location = new Int32Array(beyond.length);
  for (let step = 0; step < order.length; step++) {
    if ((step & 15) === 0 && context.cancellation.isCancelled()) return cancelled();
    const fromBack = bothWays && (step & 1) === 1;
    const turn = bothWays ? step >> 1 : step;
    const task = order[fromBack ? order.length - 1 - turn : turn]!;
    for (let axis = 0; axis < location.length; axis++) {
      location[axis] = tasks.coordinates[axis]![task]! + (fromBack ? beyond[axis]! : 0);
    }
    mapping[tasks.ids[task]!] = ranks.ids[free.take(location)]!;
  }
  return succeed({ mapping, notes: [] });
}
