import type { Cancellation } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { denseValue } from './denseProblem.ts';
import type { DenseProblem } from './denseProblem.ts';
import { TabuSearch } from './tabuSearch.ts';

/** One stint of work; plain data, so that any thread can do it. */
export interface DenseOrder {
  /** Site of each task. */
  readonly start: Int32Array;
  readonly seed: number;
  /** Changes whose effect may be worked out; the last step of the search may go over by less than one table. */
  readonly steps: number;
}

export interface DenseResult {
  /** The best that was met; the start where nothing was better. */
  readonly siteOfTask: Int32Array;
  /** In the units of the problem. */
  readonly value: number;
  readonly evaluations: number;
}

/** Evaluations between two looks at `stop`: well below a millisecond. */
const evaluationsPerPoll = 2 ** 15;

/**
 * A stint of robust tabu search. The same order gives the same result in any thread, unless it is
 * stopped: then the best so far. O(tasks² · sites) to begin with, then O(1) per step.
 */
export function improveDense(problem: DenseProblem, order: DenseOrder, stop: Cancellation): DenseResult {
  if (stop.isCancelled()) return { siteOfTask: order.start, value: denseValue(problem, order.start), evaluations: 0 };
  const search = new TabuSearch(problem, order.start, seededRandom(order.seed));
  let nextPoll = 0;
  while (search.evaluations < order.steps && search.bestValue > 0) {
    search.advance();
    if (search.evaluations < nextPoll) continue;
    if (stop.isCancelled()) break;
    nextPoll = search.evaluations + evaluationsPerPoll;
  }
  return { siteOfTask: search.bestSiteOfTask, value: search.bestValue, evaluations: search.evaluations };
}
