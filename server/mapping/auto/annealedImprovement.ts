import { edgeVisitsPerProposal, type Annealing } from '../../optimisation/annealing/annealing.ts';
import type { AnnealOutcome } from '../../optimisation/annealing/chain.ts';
import { annealSchedule, epochOrders, mergeEpoch, type Epoch } from '../../optimisation/annealing/schedule.ts';
import { drawSeed } from '../../model/random.ts';
import type { PoolSession, WorkItem } from '../../optimisation/workerPool.ts';
import { isProvenBest, takeBetter, stopWithProgress, type Portfolio } from './portfolio.ts';

/**
 * Anneals the best start, epoch by epoch on all threads. Of a budget in time every epoch gets its share of the steps
 * that the time left is enough for, at the rate measured last; what is left in the end goes into another
 * schedule from the best so far.
 */
export function annealStarts(portfolio: Portfolio, session: PoolSession, annealing: Annealing): void {
  const { context, searchBudget, parameters } = portfolio;
  const seed = drawSeed(context.random);
  const start = annealingStart(portfolio);
  runPilot(portfolio, session, annealing, start, seed);
  runSchedule(portfolio, session, annealing, start, seed);
  for (
    let again = 1;
    searchBudget.isTimed && searchBudget.elapsed < 1 - parameters.leastShareLeft && isUnderWay(portfolio);
    again++
  ) {
    const best = portfolio.toSearch(portfolio.best.placeOfTask);
    if (runSchedule(portfolio, session, annealing, best, seed + again) === 0) return;
  }
}

const isUnderWay = (portfolio: Portfolio): boolean =>
  !portfolio.searchBudget.stop.isCancelled() && !isProvenBest(portfolio);

/**
 * What annealing begins with: an embedding has the shape of the whole, which annealing cannot mend, where parts are
 * only cheaper near by, which it can. So the parts must be a tenth cheaper to be preferred.
 */
function annealingStart({ candidates, best, toSearch, parameters: { partsAdvantage } }: Portfolio): Int32Array {
  const embeddings = candidates.filter(({ isEmbedding }) => isEmbedding);
  const [first] = embeddings.toSorted((a, b) => a.value - b.value);
  return toSearch(
    first !== undefined && first.value <= partsAdvantage * best.value ? first.placeOfTask : best.placeOfTask,
  );
}

/** A few cold proposals before the others: what they find is kept, and they show the rate. */
export function runPilot(
  portfolio: Portfolio,
  session: PoolSession,
  annealing: Annealing,
  placeOfTask: Int32Array,
  seed: number,
): void {
  const { searchBudget, parameters } = portfolio;
  if (!searchBudget.isTimed) return;
  const steps = Math.floor(
    Math.min(parameters.pilotSteps, parameters.pilotEdgeVisits / edgeVisitsPerProposal(annealing)),
  );
  const workItems = [1, 2].map((own): WorkItem => {
    // A descent takes a time of its own, which is not the rate of steps.
    const order = { placeOfTask, seed: seed + own, steps, from: 0, to: 0, finalDescent: false };
    return { kind: 'anneal', order };
  });
  runAnnealing(portfolio, session, workItems, workItems.length * steps);
}

/** Gives the steps that were done. */
function runSchedule(
  portfolio: Portfolio,
  session: PoolSession,
  annealing: Annealing,
  start: Int32Array,
  seed: number,
): number {
  const { searchBudget, parameters } = portfolio;
  let done = 0;
  const epochs = annealSchedule(annealing, start, seed, Math.floor(searchBudget.stepsLeft), searchBudget.stop);
  let left = epochs.reduce((sum, epoch) => sum + stepsOfEpoch(epoch), 0);
  let current = start;
  for (const [index, epoch] of epochs.entries()) {
    if (!isUnderWay(portfolio)) return done;
    // Of a budget in steps the plan holds as it is.
    const share = searchBudget.isTimed && left > 0 ? (parameters.plannedShare * searchBudget.stepsLeft) / left : 1;
    const steps = Math.floor(epoch.steps * share);
    left -= stepsOfEpoch(epoch);
    done += steps * epoch.workItems;
    const orders = epochOrders(annealing, { ...epoch, steps }, index, current, seed);
    const workItems = orders.map((order): WorkItem => ({ kind: 'anneal', order }));
    const outcomes = runAnnealing(portfolio, session, workItems, steps * workItems.length, epoch.share === 'whole');
    const merged = mergeEpoch(annealing, epoch, current, outcomes);
    current = merged.placeOfTask;
    if (epoch.share === 'regions') takeMapping(portfolio, current);
  }
  return done;
}

/** Does work items of annealing and counts what they did; of those over the whole the best is kept. */
export function runAnnealing(
  portfolio: Portfolio,
  session: PoolSession,
  workItems: readonly WorkItem[],
  steps: number,
  areWhole = true,
): readonly AnnealOutcome[] {
  const { context, searchBudget, recorder } = portfolio;
  const begun = context.now();
  const outcomes = session
    .run(workItems, stopWithProgress(portfolio, searchBudget.stop))
    .flatMap(({ annealed }) => annealed ?? []);
  searchBudget.did(steps, context.now() - begun);
  for (const outcome of outcomes) recorder.evaluations += outcome.evaluations;
  if (areWhole) for (const { placeOfTask } of outcomes) takeMapping(portfolio, placeOfTask);
  recorder.report(Math.min(1, searchBudget.elapsed));
  return outcomes;
}

function takeMapping(portfolio: Portfolio, found: Int32Array): void {
  const placeOfTask = portfolio.fromSearch(found);
  takeBetter(portfolio, { placeOfTask, value: portfolio.valuation(placeOfTask) });
}

const stepsOfEpoch = ({ workItems, steps }: Epoch): number => workItems * steps;
