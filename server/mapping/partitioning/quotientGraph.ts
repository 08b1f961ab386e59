import type { TaskGraph } from '../problem/taskGraph.ts';

/**
 * Parts as vertices: the weight between two is that of all edges between their tasks. Partners
 * ascend. O(edges + parts · log).
 */
export function quotientGraph(graph: TaskGraph, partOfTask: Int32Array, partCount: number): TaskGraph {
  const rows = Array.from({ length: partCount }, () => new Map<number, number>());
  for (let task = 0; task < graph.taskCount; task++) {
    const part = partOfTask[task]!;
    const row = rows[part]!;
    for (let edge = graph.rowStart[task]!; edge < graph.rowStart[task + 1]!; edge++) {
      const other = partOfTask[graph.partner[edge]!]!;
      if (other !== part) row.set(other, (row.get(other) ?? 0) + graph.weight[edge]!);
    }
  }
  const rowStart = new Int32Array(partCount + 1);
  for (let part = 0; part < partCount; part++) rowStart[part + 1] = rowStart[part]! + rows[part]!.size;
  const partner = new Int32Array(rowStart[partCount]!);
  const weight = new Float64Array(partner.length);
  let edge = 0;
  for (const row of rows) {
    for (const [other, bytes] of [...row].sort(([one], [another]) => one - another)) {
      partner[edge] = other;
      weight[edge++] = bytes;
    }
  }
  return { taskCount: partCount, rowStart, partner, weight };
}
