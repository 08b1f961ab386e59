import type { Coordinates } from './coordinates.ts';

/** A component with coordinates of its own, and its tasks in the same order. */
export interface PackedPart {
  readonly tasks: Int32Array;
  readonly coordinates: Coordinates;
}

/**
 * Sets parts that have nothing to do with each other side by side in a cube, each in a box as large as
 * its share of the tasks: the parts are halved by tasks and the box along its longest side, again and
 * again. O(n · dimensions + parts log parts).
 */
export function packParts(parts: readonly PackedPart[], taskCount: number, dimensions: number): Float64Array[] {
  const packed = Array.from({ length: dimensions }, () => new Float64Array(taskCount));
  const largestFirst = parts.toSorted((a, b) => b.tasks.length - a.tasks.length);
  const cube = { low: new Array<number>(dimensions).fill(0), high: new Array<number>(dimensions).fill(1) };
  fillBox(packed, largestFirst, cube);
  return packed;
}

interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

function fillBox(packed: readonly Float64Array[], parts: readonly PackedPart[], box: Box): void {
  const [part] = parts;
  if (part === undefined) return;
  if (parts.length === 1) {
    fitInto(packed, part, box);
    return;
  }
  const total = tasksIn(parts);
  let first = 1;
  let own = part.tasks.length;
  while (first < parts.length - 1 && own + parts[first]!.tasks.length <= total / 2) own += parts[first++]!.tasks.length;
  const [near, far] = splitBox(box, own / total);
  fillBox(packed, parts.slice(0, first), near);
  fillBox(packed, parts.slice(first), far);
}

const tasksIn = (parts: readonly PackedPart[]): number => parts.reduce((sum, { tasks }) => sum + tasks.length, 0);

function splitBox({ low, high }: Box, share: number): [Box, Box] {
  const sides = low.map((from, axis) => high[axis]! - from);
  const longest = sides.indexOf(Math.max(...sides));
  const cut = low[longest]! + share * sides[longest]!;
  return [
    { low, high: high.with(longest, cut) },
    { low: low.with(longest, cut), high },
  ];
}

/** Scaled alike along all axes, so that it fits, and set in the middle. */
function fitInto(packed: readonly Float64Array[], { tasks, coordinates }: PackedPart, { low, high }: Box): void {
  const spans = coordinates.map(spanOf);
  let scale = Infinity;
  for (const [axis, { lowest, highest }] of spans.entries()) {
    if (highest > lowest) scale = Math.min(scale, (high[axis]! - low[axis]!) / (highest - lowest));
  }
  if (scale === Infinity) scale = 0;
  for (const [axis, out] of packed.entries()) {
    const centre = (low[axis]! + high[axis]!) / 2;
    const values = coordinates[axis];
    const span = spans[axis];
    for (let index = 0; index < tasks.length; index++) {
      const away = values && span ? values[index]! - (span.lowest + span.highest) / 2 : 0;
      out[tasks[index]!] = centre + scale * away;
    }
  }
}

function spanOf(values: Float64Array): { lowest: number; highest: number } {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return { lowest, highest };
}
