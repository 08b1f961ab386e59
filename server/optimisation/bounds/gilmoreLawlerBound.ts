import { realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { linearAssignment } from './linearAssignment.ts';
import type { NearestCosts } from './nearestCosts.ts';

/** Tasks times places for which the assignment is solved; more would take longer than a bound may. */
const entryLimit = 2 ** 18;

/**
 * The bound of Gilmore (1962) and Lawler (1963): a task at a place costs at least what it would with its
 * heaviest partners on the nearest places, and the tasks cannot all have the best place, so the
 * cheapest assignment under these costs is a bound. Halved, since every edge is counted from both ends;
 * never below the shell bound. In whole units, rounded up; undefined where the problem is too large, where all
 * places look alike (then it is the shell bound) and if cancelled. O(tasks · places · (degree + tasks)).
 */
export function gilmoreLawlerBound(
  graph: TaskGraph,
  nearest: NearestCosts,
  cancellation: Cancellation,
): number | undefined {
  const { rowCount, rankCount, costs } = nearest;
  if (rowCount === 1 || graph.taskCount * rowCount > entryLimit) return undefined;
  const table = new Float64Array(graph.taskCount * rowCount);
  for (let task = 0; task < graph.taskCount; task++) {
    if ((task & 15) === 0 && cancellation.isCancelled()) return undefined;
    const heaviestFirst = graph.weight
      .slice(graph.rowStart[task], graph.rowStart[task + 1])
      .sort()
      .reverse();
    for (let place = 0; place < rowCount; place++) {
      let sum = 0;
      for (let rank = 0; rank < heaviestFirst.length; rank++) {
        sum += realAt(heaviestFirst, rank) * realAt(costs, place * rankCount + Math.min(rank, rankCount - 1));
      }
      table[task * rowCount + place] = sum;
    }
  }
  const cheapest = linearAssignment(table, graph.taskCount, rowCount, cancellation);
  return cheapest && Math.ceil(cheapest.cost / 2);
}
