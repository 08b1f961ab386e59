import { seededRandom, shuffle } from '../../../model/random.ts';
import { type Shape, coordinatesOf, volumeOf } from '../../../model/shape.ts';
import type { Traffic } from '../../../model/traffic.ts';
import { tableTraffic } from '../../../traffic/build.ts';
import { type TaskGraph, taskGraphOf } from '../../problem/taskGraph.ts';

/** From, to, bytes. */
type Edge = readonly [number, number, number];

export function trafficOf(taskCount: number, edges: readonly Edge[]): Traffic {
  const traffic = tableTraffic(
    {
      size: taskCount,
      from: Int32Array.from(edges, ([from]) => from),
      to: Int32Array.from(edges, ([, to]) => to),
      amount: Float64Array.from(edges, ([, , bytes]) => bytes),
    },
    taskCount,
    1,
  );
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

export const graphOf = (taskCount: number, edges: readonly Edge[]): TaskGraph =>
  taskGraphOf(trafficOf(taskCount, edges));

/** The same graph with its tasks renumbered at random, so that their order is no help. */
export function shuffled(taskCount: number, edges: readonly Edge[], seed = 3): readonly Edge[] {
  const name = Int32Array.from({ length: taskCount }, (_, task) => task);
  shuffle(name, seededRandom(seed));
  return edges.map(([from, to, bytes]) => [name[from]!, name[to]!, bytes]);
}

export function gridEdges(shape: Shape, bytes = 1): Edge[] {
  const edges: Edge[] = [];
  const coordinates = shape.map(() => 0);
  for (let task = 0; task < volumeOf(shape); task++) {
    coordinatesOf(shape, task, coordinates);
    let stride = 1;
    for (const [axis, side] of shape.entries()) {
      if (coordinates[axis]! + 1 < side) edges.push([task, task + stride, bytes]);
      stride *= side;
    }
  }
  return edges;
}

export function cliqueEdges(first: number, size: number, bytes: number): Edge[] {
  const edges: Edge[] = [];
  for (let from = first; from < first + size; from++) {
    for (let to = from + 1; to < first + size; to++) edges.push([from, to, bytes]);
  }
  return edges;
}

/** Cliques of `size` tasks with heavy edges, joined in a ring by light ones. */
export const cliqueRing = (cliques: number, size: number): Edge[] =>
  Array.from({ length: cliques }, (_, clique): Edge[] => [
    ...cliqueEdges(clique * size, size, 100),
    [clique * size, ((clique + 1) % cliques) * size + 1, 1],
  ]).flat();

const starEdges = (size: number): Edge[] =>
  Array.from({ length: size - 1 }, (_, leaf) => [0, leaf + 1, 1 + (leaf % 3)]);

/** A few tasks have most partners, as in R-MAT (Chakrabarti et al. 2004). */
export function powerLawEdges(bits: number, count: number, seed = 5): Edge[] {
  const random = seededRandom(seed);
  const edges: Edge[] = [];
  while (edges.length < count) {
    let from = 0;
    let to = 0;
    for (let bit = 0; bit < bits; bit++) {
      const drawn = random.fraction();
      from = 2 * from + (drawn < 0.76 ? 0 : 1);
      to = 2 * to + (drawn < 0.57 || (drawn >= 0.76 && drawn < 0.95) ? 0 : 1);
    }
    if (from !== to) edges.push([from, to, 1 + random.integer(9)]);
  }
  return edges;
}

/** Weight of the edges between tasks of different groups, each once. */
export function cutOf({ taskCount, rowStart, partner, weight }: TaskGraph, groupOf: ArrayLike<number>): number {
  let cut = 0;
  for (let task = 0; task < taskCount; task++) {
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      if (partner[edge]! > task && groupOf[task] !== groupOf[partner[edge]!]) cut += weight[edge]!;
    }
  }
  return cut;
}

/** `[name, tasks, edges]`: what is special of task graphs. */
export const exampleGraphs: readonly (readonly [string, number, readonly Edge[]])[] = [
  ['a grid', 256, shuffled(256, gridEdges([32, 8]))],
  ['a grid of three dimensions', 210, shuffled(210, gridEdges([5, 6, 7], 2 ** 40))],
  ['cliques in a ring', 96, shuffled(96, cliqueRing(12, 8))],
  ['a power-law graph', 256, powerLawEdges(8, 1200)],
  ['a star', 101, shuffled(101, starEdges(101))],
  ['two parts without a path between them', 40, shuffled(40, [...cliqueEdges(0, 13, 2), ...cliqueEdges(13, 27, 5)])],
  ['no edges', 70, []],
  ['two tasks', 2, [[0, 1, 3]]],
  ['one task', 1, []],
];
