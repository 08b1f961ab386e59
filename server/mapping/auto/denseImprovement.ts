import { DenseSearch } from '../dense/denseSearch.ts';
import { placesFor, sitesOf, type DenseProblem } from '../dense/denseProblem.ts';
import type { Shift } from './crew.ts';
import type { Effort } from './effort.ts';
import { isProvenBest, rankedTrials, takeBetter, type Portfolio } from './portfolio.ts';

/**
 * Improves the starts of a small problem by a memetic tabu search, round by round on all threads.
 * True where it ended by itself: populations from nothing came to the same value time and again.
 */
export function improveDensely(portfolio: Portfolio, shift: Shift, problem: DenseProblem): boolean {
  const { search, context, effort, recorder, valuation } = portfolio;
  const starts = rankedTrials(portfolio).map(({ placeOfTask }) => sitesOf(search, placeOfTask));
  const dense = new DenseSearch(problem, starts, context.random.integer(2 ** 31 - 1));
  const before = recorder.evaluations;
  while (!dense.finished && !isProvenBest(portfolio) && dense.evaluations < effort.steps) {
    const outcomes = shift.run(
      dense.next(effort.steps - dense.evaluations).map((order) => ({ kind: 'dense', order })),
      effort.stop,
    );
    dense.receive(outcomes.flatMap((outcome) => outcome.dense ?? []));
    recorder.evaluations = before + dense.evaluations;
    const placeOfTask = placesFor(search, dense.best!.siteOfTask);
    takeBetter(portfolio, { placeOfTask, value: valuation(placeOfTask) });
    if (effort.stop.isCancelled()) return false;
    recorder.report(shareOf(dense.evaluations, effort));
  }
  return dense.finished;
}

const shareOf = (steps: number, effort: Effort): number => Math.min(1, steps / effort.steps);
