import { byteAt, intAt, itemAt } from '../../numeric/elements.ts';
import { WorkMeter } from '../../model/cancellation.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { alignJob, type AlignedJob } from '../stencils/alignment.ts';
import { cellsFromCorner, rankCells } from '../stencils/rankCells.ts';
import { rotateOption } from '../stencils/rotation.ts';
import type { Reversed } from '../stencils/slotKeys.ts';
import { longestAxes, subsetAxisLimit } from './linearOrder.ts';

export const corner: MapperEntry = {
  name: 'corner',
  summary: 'orders tasks and ranks by their distance from one corner',
  source: 'Bunde et al. 2014, section 3 (CORNER)',
  details:
    'Manhattan distance from the corner with the lowest coordinates. Ties: lowest z, then y, then x, then slot. Distances ignore wrap-around links, as in the paper.',
  options: [rotateOption],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: (problem, context) => mapFromCorners(problem, context, () => [[]]),
};

export const allCorners: MapperEntry = {
  name: 'all-corners',
  summary: 'grows from all corners in turn',
  source: 'Bunde et al. 2014, section 3 (ALLCORNERS)',
  details:
    'Each corner in turn uses the nearest free task and the nearest free rank. Distances are Manhattan ' +
    'distances; ties as in `corner`. The paper names the first four corners, (0, 0, 0), (0, y, 0), (x, y, 0), ' +
    '(x, 0, 0). The next four, an extension, are the same at the highest z, and so on for further axes. In one ' +
    `dimension the two ends alternate. With more than ${subsetAxisLimit} axes, only the longest have corners (fewer for millions ` +
    'of tasks).',
  options: [rotateOption],
  complexity: 'O(2^d n log n)',
  scaling: 'linear',
  map: (problem, context) => mapFromCorners(problem, context, jobCorners),
};

/** Each corner in turn takes the task that is nearest to it of those left, and the nearest rank. O(corners · n · dimensions). */
function mapFromCorners(
  problem: MappingProblem,
  context: MappingContext,
  cornersFor: (job: AlignedJob, rankLengths: readonly number[]) => readonly Reversed[],
): Result<MappingAnswer> {
  const aligned = alignJob(problem, context);
  if (!aligned.ok) return aligned;
  const cells = rankCells(aligned.value, context.cancellation);
  if (cells === undefined) return cancelled();
  const corners = cornersFor(aligned.value, cells.highest);
  const walks = corners.map((high) => new CornerWalk(aligned.value, high));
  const orders: Int32Array[] = [];
  for (const high of corners) {
    if (context.cancellation.isCancelled()) return cancelled();
    orders.push(cellsFromCorner(cells, high));
  }
  const meter = new WorkMeter(context.cancellation);
  const { firstRank, slots } = cells;
  const mapping = new Int32Array(slots.length);
  const isMapped = new Uint8Array(mapping.length);
  const nextRank = firstRank.slice(0, cells.count);
  const nextCell = new Int32Array(corners.length);
  for (let index = 0; index < mapping.length; index++) {
    const corner = index % corners.length;
    const walk = itemAt(walks, corner);
    let passed = 1;
    for (; byteAt(isMapped, walk.task) === 1; passed++) walk.advance();
    const order = itemAt(orders, corner);
    let place = intAt(nextCell, corner);
    let cell = intAt(order, place);
    for (; intAt(nextRank, cell) === intAt(firstRank, cell + 1); passed++) cell = intAt(order, ++place);
    nextCell[corner] = place;
    const rank = intAt(nextRank, cell);
    nextRank[cell] = rank + 1;
    mapping[walk.task] = intAt(slots, rank);
    isMapped[walk.task] = 1;
    if (meter.isCancelledAfter(passed)) return cancelled();
  }
  return succeed({ mapping, notes: [] });
}

/** Tasks that all corners pass on their ways together: some seconds, with eight corners of the largest job. */
const passedTaskLimit = 2 ** 26;

/** Corners of both bounding boxes in the order in which they take turns. */
function jobCorners({ sides, ranks }: AlignedJob, rankLengths: readonly number[]): readonly Reversed[] {
  const lengths = sides.map((side, axis) => Math.max(side - 1, itemAt(rankLengths, axis)));
  const affordable = Math.floor(Math.log2(passedTaskLimit / ranks.length));
  const axes = longestAxes(lengths, Math.min(subsetAxisLimit, affordable));
  return Array.from({ length: 2 ** axes.length }, (_, turn) => {
    const high = lengths.map(() => false);
    axes.forEach((axis, index) => {
      high[axis] = axes.length === 1 ? turn === 1 : isHigh(index, turn);
    });
    return high;
  });
}

/**
 * Whether a corner is high on the first (x), second (y), … of its axes: 00, 01, 11, 10, then the same with higher
 * axes.
 */
function isHigh(index: number, turn: number): boolean {
  if (index === 0) return (turn & 2) !== 0;
  if (index === 1) return ((turn + 1) & 2) !== 0;
  return ((turn >> index) & 1) === 1;
}

/**
 * The tasks of a grid by their Manhattan distance from one of its corners, the one that is high on the axes of `high`; ties by the
 * last axis, …, then y, then x, lower ones first. One task after the other, so that millions of tasks stand in no list: of all
 * ways to go so many steps from the corner the next one in that order.
 */
export class CornerWalk {
  /** TaskId. */
  task: number;
  /** Of the axes that have more than one task, from the lowest: sides, strides of TaskIds, and 1 where the corner is high. */
  readonly #sides: Int32Array;
  readonly #strides: Int32Array;
  readonly #high: Uint8Array;
  /** Steps that the axes before each one have room for. */
  readonly #roomBefore: Int32Array;
  /** Steps from the corner along each axis. */
  readonly #steps: Int32Array;
  #distance = 0;

  constructor({ sides, strides }: Pick<AlignedJob, 'sides' | 'strides'>, high: Reversed) {
    const axes = [...sides.keys()].filter((axis) => itemAt(sides, axis) > 1);
    this.#sides = Int32Array.from(axes, (axis) => itemAt(sides, axis));
    this.#strides = Int32Array.from(axes, (axis) => itemAt(strides, axis));
    this.#high = Uint8Array.from(axes, (axis) => (high[axis] === true ? 1 : 0));
    let room = 0;
    this.#roomBefore = this.#sides.map((side) => (room += side - 1) - (side - 1));
    this.#steps = new Int32Array(axes.length);
    this.task = this.#taskHere();
  }

  /** Goes on to the next task; there must be one. O(dimensions). */
  advance(): void {
    if (!this.#stepsOn()) this.#spread(this.#steps.length - 1, ++this.#distance);
    this.task = this.#taskHere();
  }

  /** The next task that is as far from the corner; false where there is none. */
  #stepsOn(): boolean {
    const steps = this.#steps;
    /** Of this axis and those before it. */
    let rest = steps.length === 0 ? 0 : intAt(steps, 0);
    for (let axis = 1; axis < steps.length; axis++) {
      const own = intAt(steps, axis);
      rest += own;
      // A higher coordinate is a step nearer where the corner is high, and the axes before must have room for that step.
      const isHigh = byteAt(this.#high, axis) === 1;
      const canGo = isHigh
        ? own > 0 && rest - own < intAt(this.#roomBefore, axis)
        : own < rest && own < intAt(this.#sides, axis) - 1;
      if (!canGo) continue;
      steps[axis] = isHigh ? own - 1 : own + 1;
      this.#spread(axis - 1, rest - intAt(steps, axis));
      return true;
    }
    return false;
  }

  /** Goes `rest` steps along the axes up to `last`, so that the first of the tasks that are so far is here. */
  #spread(last: number, rest: number): void {
    for (let axis = last; axis >= 0; axis--) {
      const most = Math.min(intAt(this.#sides, axis) - 1, rest);
      const least = Math.max(0, rest - intAt(this.#roomBefore, axis));
      this.#steps[axis] = byteAt(this.#high, axis) === 1 ? most : least;
      rest -= intAt(this.#steps, axis);
    }
  }

  #taskHere(): number {
    let task = 0;
    for (let axis = 0; axis < this.#steps.length; axis++) {
      const steps = intAt(this.#steps, axis);
      const coordinate = byteAt(this.#high, axis) === 1 ? intAt(this.#sides, axis) - 1 - steps : steps;
      task += coordinate * intAt(this.#strides, axis);
    }
    return task;
  }
}
