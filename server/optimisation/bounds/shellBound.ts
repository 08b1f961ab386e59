import { itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import type { NearestCosts } from './nearestCosts.ts';

/**
 * Wherever tasks go, the partners of each lie in shells round it, and its heaviest can at best have the
 * nearest places (as the rows of the Gilmore–Lawler bound). Which task is where is free for each rank
 * by itself: the tasks whose k-th heaviest partner weighs most get the places whose k-th nearest is
 * nearest (the rearrangement inequality). Halved, since every edge is counted from both ends. In
 * whole units, rounded up; undefined if cancelled. O(edges log degree + places · degree · log places).
 */
export function shellBound(graph: TaskGraph, nearest: NearestCosts, cancellation: Cancellation): number | undefined {
  const twice =
    nearest.rowCount === 1 ? sumOfRow(graph, nearest, cancellation) : sumOfRanks(graph, nearest, cancellation);
  return twice === undefined ? undefined : Math.ceil(twice / 2);
}

/** Places all look alike: no task can have a better one than another. */
function sumOfRow(graph: TaskGraph, { costs }: NearestCosts, cancellation: Cancellation): number | undefined {
  let sum = 0;
  for (let task = 0; task < graph.taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return undefined;
    const lightestFirst = sortedWeights(graph, task);
    for (let rank = 0; rank < lightestFirst.length; rank++) {
      sum += realAt(costs, rank) * realAt(lightestFirst, lightestFirst.length - 1 - rank);
    }
  }
  return sum;
}

function sumOfRanks(graph: TaskGraph, nearest: NearestCosts, cancellation: Cancellation): number | undefined {
  const weights = weightsByRank(graph, nearest.rankCount, cancellation);
  if (weights === undefined) return undefined;
  let sum = 0;
  for (const [rank, ofRank] of weights.entries()) {
    if (cancellation.isCancelled()) return undefined;
    sum += leastOfRank(ofRank, nearest, rank);
  }
  return sum;
}

/**
 * For each rank k the weight of every task's k-th heaviest partner, 0 where it has fewer; the last rank has
 * the sum of all further ones, which cost no less.
 */
function weightsByRank(graph: TaskGraph, rankCount: number, cancellation: Cancellation): Float64Array[] | undefined {
  const ranks = Array.from({ length: rankCount }, () => new Float64Array(graph.taskCount));
  for (let task = 0; task < graph.taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return undefined;
    const lightestFirst = sortedWeights(graph, task);
    for (let rank = 0; rank < lightestFirst.length; rank++) {
      itemAt(ranks, Math.min(rank, rankCount - 1))[task]! += realAt(lightestFirst, lightestFirst.length - 1 - rank);
    }
  }
  return ranks;
}

const sortedWeights = ({ rowStart, weight }: TaskGraph, task: number): Float64Array =>
  weight.slice(rowStart[task], rowStart[task + 1]).sort();

function leastOfRank(weights: Float64Array, { rowCount, rankCount, costs }: NearestCosts, rank: number): number {
  const ofRank = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) ofRank[row] = realAt(costs, row * rankCount + rank);
  ofRank.sort();
  const lightestFirst = weights.sort();
  let sum = 0;
  for (let task = 0; task < lightestFirst.length; task++) {
    sum += realAt(lightestFirst, task) * realAt(ofRank, lightestFirst.length - 1 - task);
  }
  return sum;
}
