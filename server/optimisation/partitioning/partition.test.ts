import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { partition } from './partition.ts';
import { cliqueRing, cutOf, exampleGraphs, graphOf, gridEdges, shuffled } from './testing/graphs.ts';

/** Sizes of `partCount` parts that differ: some have nothing, one has more than others. */
function unequalSizes(taskCount: number, partCount: number): Int32Array {
  const random = seededRandom(taskCount);
  const sizes = new Int32Array(partCount);
  for (let task = 0; task < taskCount; task++) sizes[Math.min(random.integer(partCount), random.integer(partCount))]!++;
  return sizes;
}

const sizesOf = (partOfTask: Int32Array, partCount: number): Int32Array => {
  const sizes = new Int32Array(partCount);
  for (const part of partOfTask) sizes[part]!++;
  return sizes;
};

describe('partitioning tasks', () => {
  it.each(exampleGraphs)('keeps sizes exactly and is no worse than random parts: %s', (_, taskCount, edges) => {
    const graph = graphOf(taskCount, edges);
    for (const partCount of [1, 2, 3, 7, 16]) {
      const sizes = unequalSizes(taskCount, partCount);
      const run = () => partition(graph, sizes, seededRandom(2), neverCancelled)!;
      const parts = run();
      expect(sizesOf(parts, partCount)).toEqual(sizes);
      expect(run()).toEqual(parts);
      const drawn = parts.slice();
      shuffle(drawn, seededRandom(3));
      expect(cutOf(graph, parts)).toBeLessThanOrEqual(cutOf(graph, drawn));
    }
  });

  const optima: readonly (readonly [string, number, Parameters<typeof graphOf>[1], number, number])[] = [
    ['a line in eight', 120, gridEdges([120]), 8, 7],
    ['cliques of a ring, one each', 96, cliqueRing(12, 8), 12, 12],
    ['cliques of a ring, two each', 96, cliqueRing(12, 8), 6, 6],
    ['every task a part', 12, gridEdges([4, 3]), 12, 17],
  ];
  it.each(optima)('cuts as little as can be: %s', (_, taskCount, edges, partCount, cut) => {
    const graph = graphOf(taskCount, shuffled(taskCount, edges));
    const sizes = new Int32Array(partCount).fill(taskCount / partCount);
    expect(cutOf(graph, partition(graph, sizes, seededRandom(1), neverCancelled)!)).toBe(cut);
  });

  it('answers that it was cancelled, whenever it looks', () => {
    const graph = graphOf(96, cliqueRing(12, 8));
    const sizes = new Int32Array(12).fill(8);
    let looks = 0;
    partition(graph, sizes, seededRandom(1), { isCancelled: () => ++looks < 0 });
    for (let allowed = 0; allowed < looks; allowed += 3) {
      let seen = 0;
      expect(partition(graph, sizes, seededRandom(1), { isCancelled: () => seen++ >= allowed })).toBeUndefined();
    }
  });
});
