import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { taskGraphOf, type TaskGraph } from '../problem/taskGraph.ts';
import { neighbourTraffic, noTraffic, randomTraffic, trafficOf } from '../testing/problems.ts';
import { isProvenLimit, proofLimit } from './provenEigenvalue.ts';

const graphOf = (...entries: [number, number, number][]): TaskGraph =>
  taskGraphOf(trafficOf(1 + Math.max(...entries.flatMap(([from, to]) => [from, to])), entries));

const isProven = (graph: TaskGraph, size: number, limit: number): boolean =>
  isProvenLimit(graph, size, limit, neverCancelled);

/** A ring of so many tasks, one byte between neighbours: its eigenvalues are 2 cos(2πk / n). */
const ring = (taskCount: number): TaskGraph =>
  graphOf(
    ...Array.from({ length: taskCount }, (_, task): [number, number, number] => [task, (task + 1) % taskCount, 1]),
  );

describe('a limit of the eigenvalues of a graph on what is orthogonal to ones', () => {
  it.each([
    { what: 'a ring of 6', graph: ring(6), size: 6, largest: 1 },
    { what: 'a ring of 40', graph: ring(40), size: 40, largest: 2 * Math.cos(Math.PI / 20) },
    { what: 'a pair and two tasks without partners', graph: graphOf([0, 1, 8]), size: 4, largest: 4 },
    { what: 'two tasks', graph: graphOf([0, 1, 1]), size: 2, largest: -1 },
    { what: 'two pairs', graph: graphOf([0, 1, 1], [2, 3, 1]), size: 4, largest: 1 },
    { what: 'two pairs of 2^50 bytes', graph: graphOf([0, 1, 2 ** 50], [2, 3, 2 ** 50]), size: 4, largest: 2 ** 50 },
    { what: 'a grid of 5 x 5', graph: taskGraphOf(neighbourTraffic([5, 5])), size: 25, largest: 5.4641 },
  ])('is proven of $what just above the largest, and not below', ({ graph, size, largest }) => {
    const small = Math.abs(largest) / 1000;
    expect(isProven(graph, size, largest + small)).toBe(true);
    expect(isProven(graph, size, largest - small)).toBe(false);
    expect(isProven(graph, size, largest - 500 * small)).toBe(false);
  });

  it.each([1, 2, 3, 4])('is proven of no random graph below what some vector shows, seed %i', (seed) => {
    const size = 20 + 10 * seed;
    const graph = taskGraphOf(randomTraffic(size - seed, 3 * size, seed, 10 ** (2 * seed)));
    let limit = graph.weight.reduce((sum, weight) => sum + weight, 0);
    while (isProven(graph, size, limit * 0.99)) limit *= 0.99;
    expect(quotientOf(graph, size)).toBeLessThanOrEqual(limit);
    expect(quotientOf(graph, size)).toBeGreaterThan(limit * 0.98);
  });

  it('is not proven of more rows than it may take, of none at 0, nor if cancelled', () => {
    expect(isProven(ring(6), proofLimit + 1, 100)).toBe(false);
    expect(isProven(taskGraphOf(noTraffic(4)), 4, 0)).toBe(false);
    expect(isProvenLimit(ring(6), 6, 100, { isCancelled: () => true })).toBe(false);
  });
});

/** What power iteration finds: the largest quotient xᵀAx / xᵀx, or a little less. */
function quotientOf(graph: TaskGraph, size: number): number {
  const shift = Math.max(...rowSums(graph));
  let vector = Float64Array.from({ length: size }, (_, row) => Math.sin(1 + row * row));
  for (let step = 0; step < 4000; step++) {
    const mean = vector.reduce((sum, entry) => sum + entry, 0) / size;
    const length = Math.hypot(...vector.map((entry) => entry - mean));
    vector = vector.map((entry) => (entry - mean) / length);
    if (step < 3999) vector = times(graph, vector, shift);
  }
  const product = times(graph, vector, 0);
  return vector.reduce((sum, entry, row) => sum + entry * product[row]!, 0);
}

const rowSums = ({ taskCount, rowStart, weight }: TaskGraph): number[] =>
  Array.from({ length: taskCount }, (_, task) =>
    weight.subarray(rowStart[task], rowStart[task + 1]).reduce((sum, each) => sum + each, 0),
  );

const times = ({ taskCount, rowStart, partner, weight }: TaskGraph, vector: Float64Array, shift: number) =>
  vector.map((own, row) => {
    let sum = shift * own;
    if (row >= taskCount) return sum;
    for (let edge = rowStart[row]!; edge < rowStart[row + 1]!; edge++) sum += weight[edge]! * vector[partner[edge]!]!;
    return sum;
  });
