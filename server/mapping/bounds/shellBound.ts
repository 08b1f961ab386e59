import type { TaskGraph } from '../problem/taskGraph.ts';
import type { NearestCosts } from './nearestCosts.ts';

/**
 * Wherever tasks go, the partners of each lie in shells round it, and its heaviest can at best have the
 * nearest places (as the rows of the Gilmore–Lawler bound). Which task is where is free for each rank
 * by itself: the tasks whose k-th heaviest partner weighs most get the places whose k-th nearest is
 * nearest (the rearrangement inequality). Halved, since every edge is counted from both ends. In
 * whole units, rounded up. O(edges log degree + places · degree · log places).
 */
export function shellBound(graph: TaskGraph, nearest: NearestCosts): number {
  const weights = weightsByRank(graph);
  let twice = 0;
  for (const [rank, ofRank] of weights.entries()) twice += leastOfRank(ofRank, nearest, rank);
  return Math.ceil(twice / 2);
}

/** For each rank k the weights of the k-th heaviest partners of all tasks that have so many. */
function weightsByRank({ taskCount, rowStart, weight }: TaskGraph): number[][] {
  const ranks: number[][] = [];
  for (let task = 0; task < taskCount; task++) {
    const row = weight.slice(rowStart[task], rowStart[task + 1]).sort();
    for (let rank = 0; rank < row.length; rank++) (ranks[rank] ??= []).push(row[row.length - 1 - rank]!);
  }
  return ranks;
}

function leastOfRank(weights: number[], { rowCount, rankCount, costs }: NearestCosts, rank: number): number {
  const known = Math.min(rank, rankCount - 1);
  if (rowCount === 1) return costs[known]! * weights.reduce((sum, weight) => sum + weight, 0);
  const ofRank = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) ofRank[row] = costs[row * rankCount + known]!;
  ofRank.sort();
  const heaviestFirst = Float64Array.from(weights).sort().reverse();
  return heaviestFirst.reduce((sum, weight, index) => sum + weight * ofRank[index]!, 0);
}
