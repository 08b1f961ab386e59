import { intAt, itemAt } from '../../numeric/elements.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import { type AlignedJob, alignJob } from '../stencils/alignment.ts';
import type { MappingAnswer, MappingContext, MappingProblem, MapperEntry } from '../contract.ts';
import { encodeSlots, slotKeys, slotOfKey, rotateOption, unrotated } from '../stencils/rotation.ts';

/**
 * The linear algorithms of Bunde et al. 2014, section 3: tasks and ranks are numbered in the
 * same order of axes, and task k goes to rank k. Ranks with equal coordinates go by their slot.
 *
 * @param fastestFirst all axes, the one that varies fastest first
 */
function mapInLinearOrder(
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
  for (let index = 0; index < ordered.length; index++)
    mapping[intAt(tasks, index)] = slotOfKey(keys, intAt(ordered, index));
  return succeed({ mapping, notes: [] });
}

/** TaskIds of the aligned grid with `axes` counted from the fastest to the slowest. O(n). */
function tasksInOrder(job: AlignedJob, axes: readonly number[]): Int32Array {
  const tasks = new Int32Array(job.ranks.length);
  let filled = 1;
  for (const axis of axes) {
    const planes = itemAt(job.sides, axis);
    const stride = itemAt(job.strides, axis);
    for (let index = filled; index < filled * planes; index++) tasks[index] = intAt(tasks, index - filled) + stride;
    filled *= planes;
  }
  return tasks;
}

/** What schedulers do by themselves, and what every other mapper is compared with. */
export const baseline: MapperEntry = {
  name: 'baseline',
  summary: 'Task i on the i-th slot in the order of the allocation, as schedulers do',
  source: 'Bunde et al. 2014, section 2 (BASELINE)',
  details: 'Tasks are numbered with x fastest; slots go node by node in the order of the allocator. Never rotated.',
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  map: ({ job, slots }) => succeed({ mapping: slots.slice(0, job.taskCount), notes: [] }),
};

export const rowMajor: MapperEntry = {
  name: 'row-major',
  summary: 'Tasks and ranks both numbered with x fastest, then y, then z',
  source: 'Bunde et al. 2014, section 3 (ROWMAJOR)',
  details:
    'Ranks with equal coordinates are ordered by their slot. Rotated first, without regard to the wrap of a torus.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: (problem, context) => mapInLinearOrder(problem, context, unrotated),
};

export const columnMajor: MapperEntry = {
  name: 'column-major',
  summary: 'Tasks and ranks both numbered with y fastest, then x, then z',
  source: 'Bunde et al. 2014, section 3 (COLMAJOR)',
  details:
    'Ranks with equal coordinates are ordered by their slot. Rotated first, without regard to the wrap of a torus.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: (problem, context) => mapInLinearOrder(problem, context, columnFirst),
};

/** Axes from the fastest to the slowest in column-major order: y, then x, then z and the rest, as the paper has it. */
export function columnFirst(dimensions: number): readonly number[] {
  return dimensions < 2 ? unrotated(dimensions) : [1, 0, ...unrotated(dimensions).slice(2)];
}

/**
 * Mappers that do something for every subset of the axes do it for at most this many: three in the
 * paper, but a hypercube has as many axes as its number of routers has bits.
 */
export const subsetAxisLimit = 6;

/** The `count` longest axes, ascending; of equal lengths the lower axes. */
export function longestAxes(lengths: readonly number[], count: number): readonly number[] {
  return [...lengths.keys()]
    .sort((a, b) => itemAt(lengths, b) - itemAt(lengths, a) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}
