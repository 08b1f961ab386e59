import type { TaskGraph } from '../problem/taskGraph.ts';

/** How much of its own coordinate a task keeps in each round; with nothing of it, bipartite graphs swing to and fro. */
const kept = 0.2;

/**
 * Moves every task towards the mean of its partners, weighted by their bytes, all at once and so many
 * times: what is smoothed is near its partners, but all of it shrinks towards the middle, so only the
 * order along the axis has a meaning. `spare` is as long as `axis`. O(rounds · edges).
 */
export function smoothAxis(graph: TaskGraph, axis: Float64Array, rounds: number, spare: Float64Array): void {
  let from = axis;
  let to = spare;
  for (let round = 0; round < rounds; round++) {
    smoothOnce(graph, from, to);
    [from, to] = [to, from];
  }
  if (from !== axis) axis.set(from);
}

function smoothOnce({ taskCount, rowStart, partner, weight }: TaskGraph, from: Float64Array, to: Float64Array): void {
  let edge = 0;
  for (let task = 0; task < taskCount; task++) {
    const end = rowStart[task + 1]!;
    let pull = 0;
    let total = 0;
    for (; edge < end; edge++) {
      const pulled = weight[edge]!;
      pull += pulled * from[partner[edge]!]!;
      total += pulled;
    }
    to[task] = total > 0 ? kept * from[task]! + ((1 - kept) * pull) / total : from[task]!;
  }
}
