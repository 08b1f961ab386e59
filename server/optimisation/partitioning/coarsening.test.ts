import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { coarsen } from './coarsening.ts';
import { exampleGraphs, cutOf, graphOf } from './testing/graphs.ts';
import { unitGraph } from './weightedGraph.ts';

const graphs = exampleGraphs.filter(([, taskCount]) => taskCount > 2);

describe('coarsening', () => {
  it.each(graphs)('keeps tasks and the weight between vertices: %s', (_, taskCount, edges) => {
    const tasks = graphOf(taskCount, edges);
    const { graph, coarseOf } = coarsen(unitGraph(tasks), 2, seededRandom(1), neverCancelled)!;
    const sizes = new Int32Array(graph.vertexCount);
    for (const coarse of coarseOf) sizes[coarse]!++;
    expect(graph.size).toEqual(sizes);
    const { vertexCount, rowStart, neighbour, weight } = graph;
    const everyOne = Int32Array.from({ length: vertexCount }, (__, vertex) => vertex);
    expect(cutOf({ taskCount: vertexCount, rowStart, partner: neighbour, weight }, everyOne)).toBe(
      cutOf(tasks, coarseOf),
    );
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      const row = neighbour.subarray(rowStart[vertex], rowStart[vertex + 1]);
      expect(new Set(row).size).toBe(row.length);
      expect(row).not.toContain(vertex);
    }
  });

  it.each(graphs)('does not stall, on hubs and without edges either: %s', (_, taskCount, edges) => {
    const { graph } = coarsen(unitGraph(graphOf(taskCount, edges)), 2, seededRandom(2), neverCancelled)!;
    expect(graph.vertexCount).toBeLessThan(0.6 * taskCount + 1);
  });

  it('keeps vertices below the size limit, and says where nothing is left to merge', () => {
    const tasks = graphOf(60, []);
    const pairs = coarsen(unitGraph(tasks), 3, seededRandom(1), neverCancelled)!.graph;
    expect(Math.max(...pairs.size)).toBe(2);
    expect(coarsen(pairs, 3, seededRandom(1), neverCancelled)).toBeUndefined();
  });
});
