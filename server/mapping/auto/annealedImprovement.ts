import { looksPerTrial, type Annealing } from '../annealing/annealing.ts';
import { annealSchedule, epochOrders, mergeEpoch, type Epoch } from '../annealing/schedule.ts';
import type { Shift } from './crew.ts';
import { isProvenBest, takeBetter, type Portfolio } from './portfolio.ts';

/** Steps of the first epoch for each stint: long enough to see how quick this machine is; fewer where one takes long. */
const pilotSteps = 2 ** 18;
const pilotLooks = 2 ** 24;
/** How much dearer than the best start an embedding may be that is annealed all the same. */
const partsAdvantage = 1.1;
/** Share of the time that is planned with, so that the last descent has its own. */
const plannedShare = 0.93;

/**
 * Anneals the best start, epoch by epoch on all threads. Where the clock will not do for all steps, every
 * epoch that is left gets fewer, so that the search ends cold all the same.
 */
export function annealStarts(portfolio: Portfolio, shift: Shift, annealing: Annealing): void {
  const { context, effort, recorder } = portfolio;
  const start = startOf(portfolio);
  const seed = context.random.integer(2 ** 31 - 1);
  const schedule = annealSchedule(annealing, start, seed, effort.steps, effort.stop);
  const epochs = [pilotOf(schedule, annealing, effort.steps), ...schedule];
  const total = epochs.reduce((sum, epoch) => sum + stepsOf(epoch), 0);
  const begun = context.now();
  let done = 0;
  // Of the epochs to come, as planned: what an epoch was shortened by is not made up for later.
  let left = total;
  let current = start;
  for (const [index, epoch] of epochs.entries()) {
    if (effort.stop.isCancelled() || isProvenBest(portfolio)) return;
    const share = plannedShare * effort.affordable(left * plannedShare, done, begun);
    const shortened = { ...epoch, steps: Math.floor(epoch.steps * (share >= plannedShare ? 1 : share)) };
    const orders = epochOrders(annealing, shortened, index, index === 0 ? start : current, seed);
    const outcomes = shift
      .run(
        orders.map((order) => ({ kind: 'anneal', order })),
        effort.stop,
      )
      .flatMap(({ annealed }) => annealed ?? []);
    const merged = mergeEpoch(annealing, epoch, current, outcomes);
    takeBetter(portfolio, merged);
    if (index > 0) current = merged.placeOfTask;
    done += stepsOf(shortened);
    left -= stepsOf(epoch);
    recorder.evaluations += outcomes.reduce((sum, { evaluations }) => sum + evaluations, 0);
    recorder.report(1 - left / Math.max(1, total));
  }
}

/**
 * What annealing begins with: an embedding has the shape of the whole, which annealing cannot mend, where parts are
 * only cheaper near by, which it can. So the parts must be a tenth cheaper to be preferred.
 */
function startOf({ trials, best }: Portfolio): Int32Array {
  const embeddings = trials.filter(({ isEmbedding }) => isEmbedding);
  const [first] = embeddings.toSorted((a, b) => a.value - b.value);
  return first !== undefined && first.value <= partsAdvantage * best.value ? first.placeOfTask : best.placeOfTask;
}

/** A short cold epoch before the others: what it finds is kept, and it shows the pace. */
function pilotOf([first]: readonly Epoch[], annealing: Annealing, steps: number): Epoch {
  const { from, to, stints } = first!;
  const cold = Math.min(from, to);
  return {
    share: 'rivals',
    stints: Math.min(2, stints),
    steps: Math.floor(Math.min(pilotSteps, pilotLooks / looksPerTrial(annealing), steps / 20)),
    from: cold,
    to: cold,
    // A descent takes a time of its own, which is not the pace of steps.
    settle: false,
  };
}

const stepsOf = ({ stints, steps }: Epoch): number => stints * steps;
