import type { TaskGraph } from '../../problem/taskGraph.ts';

/** An undirected graph without weights: every edge stands in the rows of both ends, partners ascending. */
export type Adjacency = Pick<TaskGraph, 'taskCount' | 'rowStart' | 'partner'>;

/** For each entry the entry of the same edge in the other end's row. O(edges). */
export function reverseEntries({ taskCount, rowStart, partner }: Adjacency): Int32Array {
  const reverse = new Int32Array(partner.length);
  const next = rowStart.slice(0, taskCount);
  // Rows are walked in ascending order, and so are the partners in every other row.
  for (let edge = 0; edge < partner.length; edge++) {
    const other = partner[edge]!;
    reverse[edge] = next[other]!++;
  }
  return reverse;
}

/** The graph with only those entries that are kept; both entries of an edge are, or none. O(edges). */
export function restricted({ taskCount, rowStart, partner }: Adjacency, kept: Uint8Array): Adjacency {
  const start = new Int32Array(taskCount + 1);
  const partners = new Int32Array(partner.length);
  let filled = 0;
  for (let task = 0; task < taskCount; task++) {
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      if (kept[edge] === 1) partners[filled++] = partner[edge]!;
    }
    start[task + 1] = filled;
  }
  return { taskCount, rowStart: start, partner: partners.slice(0, filled) };
}
