import { cancelled, succeed } from '../../model/result.ts';
import type { Result } from '../../model/result.ts';
import type { AlignedJob } from './alignment.ts';
import { alignJob } from './alignment.ts';
import type { MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { encodeSlots, slotKeys, slotOfKey } from './slotKeys.ts';

/**
 * The linear algorithms of Bunde et al. 2014, section 3: tasks and ranks are numbered in the
 * same order of axes, and task k goes to rank k. Ranks with equal coordinates go by their slot.
 *
 * @param fastestFirst all axes, the one that varies fastest first
 */
export function mapInLinearOrder(
  problem: MappingProblem,
  context: MappingContext,
  fastestFirst: (dimensions: number) => readonly number[],
): Result<MappingAnswer> {
  const aligned = alignJob(problem, context);
  if (!aligned.ok) return aligned;
  const job = aligned.value;
  const axes = fastestFirst(job.sides.length);
  const keys = slotKeys(job.machineSides, job.slotsPerRouter, axes.toReversed());
  const ordered = job.ranks;
  encodeSlots(keys, ordered);
  if (context.cancellation.isCancelled()) return cancelled();
  ordered.sort();
  const tasks = tasksInOrder(job, axes);
  const mapping = new Int32Array(ordered.length);
  for (let index = 0; index < ordered.length; index++) mapping[tasks[index]!] = slotOfKey(keys, ordered[index]!);
  return succeed({ mapping, notes: [] });
}

/** TaskIds of the aligned grid with `axes` counted from the fastest to the slowest. O(n). */
function tasksInOrder(job: AlignedJob, axes: readonly number[]): Int32Array {
  const tasks = new Int32Array(job.ranks.length);
  let filled = 1;
  for (const axis of axes) {
    const planes = job.sides[axis]!;
    const stride = job.strides[axis]!;
    for (let index = filled; index < filled * planes; index++) tasks[index] = tasks[index - filled]! + stride;
    filled *= planes;
  }
  return tasks;
}
