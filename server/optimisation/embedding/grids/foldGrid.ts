import { appendAll } from '../../../model/lists.ts';
import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import { formatShape, axisDistance, volumeOf } from '../../../model/shape.ts';
import { type SearchProblem, mappingCost } from '../../problem/searchProblem.ts';
import { arrangeAxis } from './arrangeAxis.ts';
import type { GridPositions } from './gridProduct.ts';
import { type PlaceBox, placeBoxOf } from './placeBox.ts';
import { taskGridOf } from './taskGrid.ts';
import { gridParameters } from './parameters.ts';

export interface FoldedGrid {
  /** PlaceId of each task, all different. */
  readonly placeOfTask: Int32Array;
  /** `64 x 64 folded into 16 x 16 x 16`. */
  readonly name: string;
}

/**
 * Lays a job that is a grid, said or not, into an allocation that is a box of a grid machine: as it is
 * where it fits, else folded. Folds are tried in the order of what they should cost, each as it is and
 * with the positions along each axis rearranged; the best under the problem's criterion is kept.
 * Undefined where the job is no grid, the allocation no box, the sides do not divide, or it was
 * cancelled before the first. O(edges · degree²) to recognise and O(edges) for each fold.
 */
export function foldGrid(problem: SearchProblem, cancellation: Cancellation): FoldedGrid | undefined {
  const box = placeBoxOf(problem);
  const grid = box && taskGridOf(problem, cancellation);
  if (box === undefined || grid === undefined) return undefined;
  const best = bestFolding(problem, grid, box, cancellation);
  if (best === undefined) return undefined;
  const boxSides = box.axes.map(({ side }) => side).filter((side) => side > 1);
  return { placeOfTask: best, name: `${formatShape(grid.sides)} folded into ${formatShape(boxSides)}` };
}

function bestFolding(
  problem: SearchProblem,
  grid: GridPositions,
  box: PlaceBox,
  cancellation: Cancellation,
): Int32Array | undefined {
  const { graph } = problem;
  const { mostFoldings, fewestFoldings, edgeVisitsOfFoldings } = gridParameters;
  const limit = Math.min(
    mostFoldings,
    Math.max(fewestFoldings, Math.floor(edgeVisitsOfFoldings / graph.partner.length)),
  );
  const weights = axisWeights(problem, grid);
  const boxSides = box.axes.map(({ side }) => side);
  const found = foldings(
    { sides: grid.sides, weights, boxSides, boxSteps: box.axes.map(({ step }) => step) },
    limit,
    cancellation,
  );
  // Every step along an axis crosses a link, unless several places are on one router.
  const least = box.axes.some(({ side, step }) => step === 0 && side > 1)
    ? 0
    : weights.reduce((sum, own) => sum + own, 0);
  let best: Int32Array | undefined;
  let bestValue = Infinity;
  for (const folding of found) {
    const along = foldTasks(grid, folding, box.axes.length);
    for (const arranged of [false, true]) {
      if (cancellation.isCancelled() || bestValue <= least) return best;
      if (arranged) for (const [axis, own] of box.axes.entries()) arrangeAxis(graph, itemAt(along, axis), own);
      const placeOfTask = placesAt(box, along);
      const value = mappingCost(problem, placeOfTask);
      if (value >= bestValue) continue;
      bestValue = value;
      best = placeOfTask;
    }
  }
  return best;
}

/** Bytes times steps along each axis of the tasks. */
function axisWeights({ graph, costs }: SearchProblem, { sides, wraps, positions }: GridPositions): number[] {
  const { taskCount, rowStart, partner, weight } = graph;
  return positions.map((along, axis) => {
    let sum = 0;
    for (let task = 0; task < taskCount; task++) {
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
        sum +=
          realAt(weight, edge) *
          axisDistance(
            itemAt(sides, axis),
            itemAt(wraps, axis),
            intAt(along, task),
            intAt(along, intAt(partner, edge)),
          );
      }
    }
    return sum / 2 / costs.unit;
  });
}

function placesAt({ axes, placeAt }: PlaceBox, along: readonly Int32Array[]): Int32Array {
  const placeOfTask = new Int32Array(along[0]?.length ?? 0);
  for (let task = 0; task < placeOfTask.length; task++) {
    let index = 0;
    for (let axis = axes.length - 1; axis >= 0; axis--)
      index = index * itemAt(axes, axis).side + intAt(itemAt(along, axis), task);
    placeOfTask[task] = intAt(placeAt, index);
  }
  return placeOfTask;
}

/** Position of every task on each axis of the box. O(tasks · digits). */
function foldTasks(grid: GridPositions, { digits }: Folding, boxAxes: number): Int32Array[] {
  const taskCount = grid.positions[0]?.length ?? 0;
  const folded = Array.from({ length: boxAxes }, () => new Int32Array(taskCount));
  for (const [taskAxis, positions] of grid.positions.entries()) {
    const rest = positions.slice();
    for (const digit of digits) {
      if (digit.taskAxis !== taskAxis) continue;
      const { radix, stride } = digit;
      const along = itemAt(folded, digit.boxAxis);
      for (let task = 0; task < taskCount; task++) {
        const quotient = Math.floor(intAt(rest, task) / radix);
        const value = intAt(rest, task) - quotient * radix;
        // Every second run goes back, so that the step between runs stays on the spot here.
        along[task]! += stride * (quotient % 2 === 0 ? value : radix - 1 - value);
        rest[task] = quotient;
      }
    }
  }
  return folded;
}

/**
 * How a grid of tasks lies in a box of places. Every axis of the tasks is written in digits, fastest
 * first, in reflected order, so that one step changes one digit by one; every digit runs along an axis
 * of the box. A side of 64 folded over 16 × 4 is two digits. Digits that share an axis of the box stand
 * side by side on it, the earlier the closer.
 */
interface Folding {
  /** In the order in which they came; those of one axis of the tasks fastest first. */
  readonly digits: readonly Digit[];
  /** What it is expected to cost: links times bytes. */
  readonly estimate: number;
}

interface Digit {
  readonly taskAxis: number;
  readonly boxAxis: number;
  readonly radix: number;
  /** Places along the axis of the box from one value to the next. */
  readonly stride: number;
}

/** What foldings depend on. */
interface FoldingProblem {
  readonly sides: readonly number[];
  /** Bytes times steps along each axis of the tasks. */
  readonly weights: readonly number[];
  readonly boxSides: readonly number[];
  /** Links of a step along each axis of the box. */
  readonly boxSteps: readonly number[];
}

/**
 * Foldings found, cheapest estimate first, at most `limit`; none where the sides do not divide, or it was cancelled.
 */
function foldings(problem: FoldingProblem, limit: number, cancellation: Cancellation): Folding[] {
  let beam: Partial[] = [emptyFold(problem)];
  const whole: Partial[] = [];
  while (beam.length > 0) {
    const next = new Map<string, Partial>();
    for (const partial of beam) {
      if (cancellation.isCancelled()) return [];
      for (const longer of extensions(problem, partial)) next.set(foldingKey(longer), longer);
    }
    const sorted = [...next.values()].sort(byEstimate);
    appendAll(whole, sorted.filter(isWholeFold));
    beam = sorted.filter((partial) => !isWholeFold(partial)).slice(0, gridParameters.beamWidth);
  }
  return fewAlike(whole.sort(byEstimate))
    .slice(0, limit)
    .map(({ digits, cost }) => ({ digits, estimate: cost }));
}

function fewAlike(sorted: readonly Partial[]): Partial[] {
  const alike = new Map<number, number>();
  return sorted.filter(({ cost }) => {
    const known = alike.get(Math.fround(cost)) ?? 0;
    alike.set(Math.fround(cost), known + 1);
    return known < gridParameters.mostAlike;
  });
}

interface Partial {
  readonly digits: readonly Digit[];
  /** What is left of each side of the tasks, and how many values its digits take so far. */
  readonly rest: readonly number[];
  readonly done: readonly number[];
  /** Places of each axis of the box that digits take so far. */
  readonly used: readonly number[];
  readonly cost: number;
  /** With the least that the rest can cost. */
  readonly bound: number;
}

/** Of equal ones first that with fewer tasks left to lay out. */
const byEstimate = (one: Partial, other: Partial): number =>
  one.bound - other.bound || volumeOf(one.rest) - volumeOf(other.rest);

const isWholeFold = ({ rest }: Partial): boolean => rest.every((left) => left === 1);

const emptyFold = ({ sides, boxSides }: FoldingProblem): Partial => ({
  digits: [],
  rest: sides,
  done: sides.map(() => 1),
  used: boxSides.map(() => 1),
  cost: 0,
  bound: 0,
});

/** The same digits on the same axes are the same folding, in whatever order they came. */
const foldingKey = ({ digits, used }: Partial): string =>
  used
    .map((_, axis) =>
      digits
        .filter(({ boxAxis }) => boxAxis === axis)
        .map(({ taskAxis, radix }) => `${taskAxis}.${radix}`)
        .join(),
    )
    .join(';') +
  '|' +
  digits
    .map(({ taskAxis, boxAxis }) => [taskAxis, boxAxis])
    .sort((a, b) => itemAt(a, 0) - itemAt(b, 0))
    .join();

function extensions(problem: FoldingProblem, partial: Partial): Partial[] {
  const found: Partial[] = [];
  for (const [taskAxis, rest] of partial.rest.entries()) {
    if (rest === 1) continue;
    for (const boxAxis of distinctAxes(problem, partial)) {
      const room = Math.floor(itemAt(problem.boxSides, boxAxis) / itemAt(partial.used, boxAxis));
      for (const radix of radicesOf(rest, room)) found.push(extended(problem, partial, taskAxis, boxAxis, radix));
    }
  }
  return found;
}

/** Axes of the box, but of those that are alike and still empty only the first. */
function distinctAxes({ boxSides, boxSteps }: FoldingProblem, { used }: Partial): number[] {
  return boxSides
    .map((_, axis) => axis)
    .filter((axis) => {
      if (itemAt(used, axis) > 1) return true;
      const alike = (other: number) =>
        used[other] === 1 && boxSides[other] === boxSides[axis] && boxSteps[other] === boxSteps[axis];
      return !boxSides.some((_, other) => other < axis && alike(other));
    });
}

/** How many values a digit may take: all that is left or all that there is room for, or what divides both. */
function radicesOf(rest: number, room: number): number[] {
  const most = Math.min(rest, room);
  const radices: number[] = [];
  for (let radix = most; radix >= 2; radix--) {
    if (radix === most || (rest % radix === 0 && room % radix === 0)) radices.push(radix);
  }
  return radices;
}

function extended(
  problem: FoldingProblem,
  partial: Partial,
  taskAxis: number,
  boxAxis: number,
  radix: number,
): Partial {
  const stride = itemAt(partial.used, boxAxis);
  const before = itemAt(partial.done, taskAxis);
  const rest = partial.rest.with(taskAxis, Math.ceil(itemAt(partial.rest, taskAxis) / radix));
  const done = partial.done.with(taskAxis, before * radix);
  const used = partial.used.with(boxAxis, stride * radix);
  const steps = 1 / before - (rest[taskAxis] === 1 ? 1 / itemAt(problem.sides, taskAxis) : 1 / (before * radix));
  const cost = partial.cost + itemAt(problem.weights, taskAxis) * steps * stride * itemAt(problem.boxSteps, boxAxis);
  const digits = [...partial.digits, { taskAxis, boxAxis, radix, stride }];
  return { digits, rest, done, used, cost, bound: cost + leastRest(problem, rest, done) };
}

/** Every step that is left crosses one link at least. */
function leastRest({ sides, weights }: FoldingProblem, rest: readonly number[], done: readonly number[]): number {
  let least = 0;
  for (const [axis, left] of rest.entries()) {
    if (left > 1) least += itemAt(weights, axis) * (1 / itemAt(done, axis) - 1 / itemAt(sides, axis));
  }
  return least;
}
