import type { Annealing } from '../../optimisation/annealing/annealing.ts';
import { costNoise, endTemperature, startTemperature } from '../../optimisation/annealing/temperature.ts';
import { DenseSearch } from '../../optimisation/dense/denseSearch.ts';
import { placesFor, sitesOf, type DenseProblem } from '../../optimisation/dense/denseProblem.ts';
import { drawSeed } from '../../model/random.ts';
import { runAnnealing, runPilot } from './annealedImprovement.ts';
import type { Shift, Stint } from '../../optimisation/workerPool.ts';
import { isProvenBest, rankedTrials, takeBetter, type Portfolio } from './portfolio.ts';

/**
 * Improves the starts of a small problem: annealing, whose ends found a population of tabu searches, round by
 * round on all threads. True where it ended by itself: populations from nothing came to the same value
 * time and again.
 */
export function improveDensely(
  portfolio: Portfolio,
  shift: Shift,
  problem: DenseProblem,
  annealing: Annealing,
): boolean {
  const { search, context, effort, recorder, valuation } = portfolio;
  const annealed = annealedStarts(portfolio, shift, annealing);
  const ranked = rankedTrials(portfolio).map(({ placeOfTask }) => placeOfTask);
  const starts = [...annealed, ...ranked].map((placeOfTask) => sitesOf(search, placeOfTask));
  const dense = new DenseSearch(problem, starts, context.random.integer(2 ** 31 - 1));
  while (!dense.finished && !isProvenBest(portfolio) && effort.elapsed < 1) {
    if (effort.stop.isCancelled()) return false;
    // A budget in time ends the stints by the clock.
    const orders = dense.next(effort.isTimed ? Infinity : effort.stepsLeft);
    const before = dense.evaluations;
    const begun = context.now();
    const outcomes = shift.run(
      orders.map((order) => ({ kind: 'dense', order })),
      effort.stop,
    );
    dense.receive(outcomes.flatMap((outcome) => outcome.dense ?? []));
    recorder.evaluations += dense.evaluations - before;
    effort.did(dense.evaluations - before, context.now() - begun);
    if (dense.evaluations === before) return false;
    const placeOfTask = placesFor(search, dense.best!.siteOfTask);
    takeBetter(portfolio, { placeOfTask, value: valuation(placeOfTask) });
    recorder.report(Math.min(1, effort.elapsed));
  }
  return dense.finished;
}

/** Ends of some chains of annealing from the best start; none where everybody talks to half of all others. */
function annealedStarts(portfolio: Portfolio, shift: Shift, annealing: Annealing): Int32Array[] {
  const { context, effort, parameters } = portfolio;
  // Ends that differ are worth more to a population than ends that are a little better.
  const heats = [parameters.coolChain, parameters.hotChain, parameters.coolChain, parameters.hotChain];
  const share = shareOfAnnealing(portfolio);
  const { placeOfTask } = portfolio.best;
  const seed = drawSeed(context.random);
  if (share > 0) runPilot(portfolio, shift, annealing, placeOfTask, seed);
  const perTrial = effort.isTimed ? 1 : stepsPerTrial(portfolio);
  const affordable = Math.floor((share * effort.stepsLeft) / (perTrial * heats.length));
  const steps = Math.min(affordable, parameters.mostTrials * annealing.core.graph.taskCount);
  if (steps === 0) return [];
  const from = startTemperature(annealing, placeOfTask, seed, effort.stop);
  const to = endTemperature(annealing, costNoise(annealing, placeOfTask, seed), from);
  const stints = heats.map((heat, chain): Stint => {
    const order = { placeOfTask, seed: seed + chain + 1, steps, from: heat * from, to, settle: true };
    return { kind: 'anneal', order };
  });
  const outcomes = runAnnealing(portfolio, shift, stints, steps * perTrial * heats.length);
  return outcomes.map((outcome) => outcome.placeOfTask);
}

/** What annealing gets of the budget: nothing where the traffic is so dense that trials cost more than they are worth. */
function shareOfAnnealing({ search, parameters }: Portfolio): number {
  const { tasksForPopulations, tasksForAnnealing, mostOfAnnealing } = parameters;
  const { taskCount, partner } = search.graph;
  if (partner.length > 0.5 * taskCount ** 2) return 0;
  const growth = (taskCount - tasksForPopulations) / (tasksForAnnealing - tasksForPopulations);
  return mostOfAnnealing * Math.min(1, Math.max(0, growth));
}

function stepsPerTrial({ search, parameters: { leastStepsPerTrial } }: Portfolio): number {
  const { taskCount, partner } = search.graph;
  return Math.max(leastStepsPerTrial, partner.length / taskCount);
}
