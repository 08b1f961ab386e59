import { itemAt } from '../../../numeric/elements.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import { volumeOf } from '../../../model/shape.ts';
import { gridParameters } from './parameters.ts';

/**
 * How a grid of tasks lies in a box of places. Every axis of the tasks is written in digits, fastest
 * first, in reflected order, so that one step changes one digit by one; every digit runs along an axis
 * of the box. A side of 64 folded over 16 × 4 is two digits. Digits that share an axis of the box stand
 * side by side on it, the earlier the closer.
 */
export interface Folding {
  /** In the order in which they came; those of one axis of the tasks fastest first. */
  readonly digits: readonly Digit[];
  /** What it is expected to cost: links times bytes. */
  readonly estimate: number;
}

export interface Digit {
  readonly taskAxis: number;
  readonly boxAxis: number;
  readonly radix: number;
  /** Places along the axis of the box from one value to the next. */
  readonly stride: number;
}

/** What foldings depend on. */
export interface FoldingProblem {
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
export function foldings(problem: FoldingProblem, limit: number, cancellation: Cancellation): Folding[] {
  let beam: Partial[] = [startOf(problem)];
  const whole: Partial[] = [];
  while (beam.length > 0) {
    const next = new Map<string, Partial>();
    for (const partial of beam) {
      if (cancellation.isCancelled()) return [];
      for (const longer of extensions(problem, partial)) next.set(keyOf(longer), longer);
    }
    const sorted = [...next.values()].sort(byEstimate);
    whole.push(...sorted.filter(isWhole));
    beam = sorted.filter((partial) => !isWhole(partial)).slice(0, gridParameters.beamWidth);
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

const isWhole = ({ rest }: Partial): boolean => rest.every((left) => left === 1);

const startOf = ({ sides, boxSides }: FoldingProblem): Partial => ({
  digits: [],
  rest: sides,
  done: sides.map(() => 1),
  used: boxSides.map(() => 1),
  cost: 0,
  bound: 0,
});

/** The same digits on the same axes are the same folding, in whatever order they came. */
const keyOf = ({ digits, used }: Partial): string =>
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
