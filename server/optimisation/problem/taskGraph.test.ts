import { describe, expect, it } from 'vitest';
import { tableTraffic } from '../../traffic/build.ts';
import { taskGraphOf } from './taskGraph.ts';

/** `0-1:5` per edge and end, in the order of the rows. */
function edgesOf(size: number, entries: readonly (readonly [number, number, number])[]): string[] {
  const traffic = tableTraffic(
    {
      size,
      from: Int32Array.from(entries, ([from]) => from),
      to: Int32Array.from(entries, ([, to]) => to),
      amount: Float64Array.from(entries, ([, , amount]) => amount),
    },
    size,
    1,
  );
  if (!traffic.ok) throw new Error(traffic.failure.message);
  const { taskCount, rowStart, partner, weight } = taskGraphOf(traffic.value);
  const edges: string[] = [];
  for (let task = 0; task < taskCount; task++) {
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      edges.push(`${task}-${partner[edge]}:${weight[edge]}`);
    }
  }
  return edges;
}

describe('the graph of tasks', () => {
  it.each([
    { what: 'one way', entries: [[0, 1, 5]] as const, edges: ['0-1:5', '1-0:5'] },
    {
      what: 'both ways, added',
      entries: [
        [0, 1, 5],
        [1, 0, 2],
      ] as const,
      edges: ['0-1:7', '1-0:7'],
    },
    {
      what: 'partners ascending, sent to or received from',
      entries: [
        [1, 0, 1],
        [1, 3, 2],
        [2, 1, 4],
        [3, 1, 8],
      ] as const,
      edges: ['0-1:1', '1-0:1', '1-2:4', '1-3:10', '2-1:4', '3-1:10'],
    },
    { what: 'tasks without partners', entries: [], edges: [] },
  ])('has $what', ({ entries, edges }) => {
    expect(edgesOf(4, entries)).toEqual(edges);
  });
});
