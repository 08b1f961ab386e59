import { seededRandom, shuffle } from '../../../model/random.ts';
import type { Shape } from '../../../model/shape.ts';
import type { Traffic } from '../../../model/traffic.ts';
import { stencilTraffic, tableTraffic } from '../../../traffic/build.ts';

export type Pair = readonly [number, number];

/** One byte each way between the tasks of every pair. */
export function trafficOf(taskCount: number, pairs: readonly Pair[]): Traffic {
  const both = pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
  const traffic = tableTraffic(
    {
      size: taskCount,
      from: Int32Array.from(both, ([from]) => from),
      to: Int32Array.from(both, ([, to]) => to),
      amount: new Float64Array(both.length).fill(1),
    },
    taskCount,
    1,
  );
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

/** Tasks with other numbers, drawn from the seed. */
export function renumbered({ taskCount, rowStart, partner }: Traffic, seed: number): Traffic {
  const number = Int32Array.from({ length: taskCount }, (_, task) => task);
  shuffle(number, seededRandom(seed));
  const pairs: Pair[] = [];
  for (let task = 0; task < taskCount; task++) {
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      if (partner[edge]! > task) pairs.push([number[task]!, number[partner[edge]!]!]);
    }
  }
  return trafficOf(taskCount, pairs);
}

export interface GridOptions {
  readonly periodic?: boolean;
  readonly diagonals?: boolean;
}

/** Stencil traffic of the nearest neighbours on a grid, with all diagonals where asked for. */
export function gridTraffic(sides: Shape, { periodic = false, diagonals = false }: GridOptions = {}): Traffic {
  const offsets = Array.from({ length: 3 ** sides.length }, (_, code) =>
    sides.map((__, axis) => (Math.floor(code / 3 ** axis) % 3) - 1),
  ).filter((offset) => {
    const steps = offset.filter((step) => step !== 0).length;
    return diagonals ? steps > 0 : steps === 1;
  });
  const stencil = {
    name: 'neighbours',
    dimensions: sides.length,
    offsets: offsets.map((offset) => ({ offset, weight: 1 })),
  };
  const traffic = stencilTraffic(stencil, sides, periodic, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

/** Points at random in a cube, each with traffic to those nearer than `radius`. */
export function geometricTraffic(taskCount: number, dimensions: number, radius: number, seed: number): Traffic {
  const random = seededRandom(seed);
  const points = Array.from({ length: taskCount }, () => Array.from({ length: dimensions }, () => random.fraction()));
  const pairs: Pair[] = [];
  for (const [a, point] of points.entries()) {
    for (let b = 0; b < a; b++) {
      if (Math.hypot(...point.map((value, axis) => value - points[b]![axis]!)) < radius) pairs.push([a, b]);
    }
  }
  return trafficOf(taskCount, pairs);
}
