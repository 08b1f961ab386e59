import type { Annealing } from '../../optimisation/annealing/annealing.ts';
import { costNoise, endTemperature, startTemperature } from '../../optimisation/annealing/temperature.ts';
import { DenseSearch } from '../../optimisation/dense/denseSearch.ts';
import type { DenseProblem } from '../../optimisation/dense/denseProblem.ts';
import { placesOnSites, sitesOfTasks } from '../../optimisation/problem/places.ts';
import { drawSeed } from '../../model/random.ts';
import { runAnnealing, runPilot } from './annealedImprovement.ts';
import type { PoolSession, WorkItem } from '../../optimisation/workerPool.ts';
import { isProvenBest, rankedCandidates, takeBetter, type Portfolio } from './portfolio.ts';

/**
 * Improves the starts of a small problem: annealing, whose ends found a population of tabu searches, round by
 * round on all threads. True where it ended by itself: populations from nothing came to the same value
 * time and again.
 */
export function improveDensely(
  portfolio: Portfolio,
  session: PoolSession,
  problem: DenseProblem,
  annealing: Annealing,
): boolean {
  const { search, context, searchBudget, recorder, valuation } = portfolio;
  const annealed = annealedStarts(portfolio, session, annealing);
  const ranked = rankedCandidates(portfolio).map(({ placeOfTask }) => placeOfTask);
  const starts = [...annealed, ...ranked].map((placeOfTask) => sitesOfTasks(search.places, placeOfTask));
  const dense = new DenseSearch(problem, starts, context.random.integer(2 ** 31 - 1));
  while (!dense.finished && !isProvenBest(portfolio) && searchBudget.elapsed < 1) {
    if (searchBudget.stop.isCancelled()) return false;
    // A budget in time ends the work items by the clock.
    const orders = dense.next(searchBudget.isTimed ? Infinity : searchBudget.stepsLeft);
    const before = dense.evaluations;
    const begun = context.now();
    const outcomes = session.run(
      orders.map((order) => ({ kind: 'dense', order })),
      searchBudget.stop,
    );
    dense.receive(outcomes.flatMap((outcome) => outcome.dense ?? []));
    recorder.evaluations += dense.evaluations - before;
    searchBudget.did(dense.evaluations - before, context.now() - begun);
    if (dense.evaluations === before) return false;
    const placeOfTask = placesOnSites(search.places, dense.best!.siteOfTask);
    takeBetter(portfolio, { placeOfTask, value: valuation(placeOfTask) });
    recorder.report(Math.min(1, searchBudget.elapsed));
  }
  return dense.finished;
}

/** Ends of some chains of annealing from the best start; none where the traffic is dense. */
function annealedStarts(portfolio: Portfolio, session: PoolSession, annealing: Annealing): Int32Array[] {
  const { context, searchBudget, parameters } = portfolio;
  // Ends that differ are worth more to a population than ends that are a little better.
  const factors = [
    parameters.lowerStartTemperature,
    parameters.higherStartTemperature,
    parameters.lowerStartTemperature,
    parameters.higherStartTemperature,
  ];
  const share = shareOfAnnealing(portfolio);
  const { placeOfTask } = portfolio.best;
  const seed = drawSeed(context.random);
  if (share > 0) runPilot(portfolio, session, annealing, placeOfTask, seed);
  const perCandidate = searchBudget.isTimed ? 1 : stepsPerCandidate(portfolio);
  const affordable = Math.floor((share * searchBudget.stepsLeft) / (perCandidate * factors.length));
  const steps = Math.min(affordable, parameters.mostProposals * annealing.core.graph.taskCount);
  if (steps === 0) return [];
  const from = startTemperature(annealing, placeOfTask, seed, searchBudget.stop);
  const to = endTemperature(annealing, costNoise(annealing, placeOfTask, seed), from);
  const workItems = factors.map((factor, chain): WorkItem => {
    const order = {
      placeOfTask,
      seed: seed + chain + 1,
      steps,
      from: factor * from,
      to,
      finalDescent: true,
    };
    return { kind: 'anneal', order };
  });
  const outcomes = runAnnealing(portfolio, session, workItems, steps * perCandidate * factors.length);
  return outcomes.map((outcome) => outcome.placeOfTask);
}

/**
 * What annealing gets of the budget: nothing where the traffic is so dense that proposals cost more than they are
 * worth.
 */
function shareOfAnnealing({ search, parameters }: Portfolio): number {
  const { tasksForPopulations, tasksForAnnealing, mostOfAnnealing, densestForAnnealing } = parameters;
  const { taskCount, partner } = search.graph;
  if (partner.length > densestForAnnealing * taskCount ** 2) return 0;
  const growth = (taskCount - tasksForPopulations) / (tasksForAnnealing - tasksForPopulations);
  return mostOfAnnealing * Math.min(1, Math.max(0, growth));
}

function stepsPerCandidate({ search, parameters: { leastStepsPerProposal } }: Portfolio): number {
  const { taskCount, partner } = search.graph;
  return Math.max(leastStepsPerProposal, partner.length / taskCount);
}
