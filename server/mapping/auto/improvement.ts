import { prepareAnnealing } from '../annealing/annealing.ts';
import { denseProblemOf } from '../dense/denseProblem.ts';
import { annealStarts } from './annealedImprovement.ts';
import { crewOfOne } from './crew.ts';
import { improveDensely } from './denseImprovement.ts';
import { isProvenBest, type Portfolio } from './portfolio.ts';
import { planOf, tryGlobalStarts } from './starts.ts';

/** Finds starts that take a while, and improves the best. True where the search ended by itself. */
export function improve(portfolio: Portfolio): boolean {
  const { search, context } = portfolio;
  const { graph, weightUnit, places, costs } = search;
  const core = { graph, weightUnit, places, costs };
  const plan = planOf(portfolio);
  const dense = denseProblemOf(core);
  const annealing = prepareAnnealing(core, portfolio.effort.stop);
  const shift = (context.crew ?? crewOfOne).open({
    core,
    ...(plan === undefined ? {} : { plan }),
    ...(dense === undefined ? {} : { dense }),
    annealing,
  });
  try {
    tryGlobalStarts(portfolio, shift, plan);
    if (isProvenBest(portfolio) || portfolio.effort.stop.isCancelled()) return false;
    if (dense !== undefined) return improveDensely(portfolio, shift, dense, annealing);
    annealStarts(portfolio, shift, annealing);
    return false;
  } finally {
    shift.close();
  }
}
