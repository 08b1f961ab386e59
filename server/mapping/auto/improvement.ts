import { prepareAnnealing } from '../annealing/annealing.ts';
import { denseProblemOf } from '../dense/denseProblem.ts';
import { joinSites } from '../problem/joinedSites.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { annealStarts } from './annealedImprovement.ts';
import { crewOfOne } from './crew.ts';
import { improveDensely } from './denseImprovement.ts';
import { improveGroups } from './groupedImprovement.ts';
import { isProvenBest, type Portfolio } from './portfolio.ts';
import { earlyStarts, planOf, tryGlobalStarts, tryMappers, trySearches, type Candidates } from './starts.ts';

/** Finds starts, the cheap ones first, and improves the best. True where the search ended by itself. */
export function improve(portfolio: Portfolio, candidates: Candidates): boolean {
  const { search, context, effort, parameters } = portfolio;
  const { graph, weightUnit, places, costs } = search;
  const core: SearchCore = { graph, weightUnit, places, costs };
  const crew = context.crew ?? crewOfOne;
  const dense = denseProblemOf(core);
  const joined = dense === undefined ? joinSites(core) : undefined;
  if (joined !== undefined) {
    portfolio.toSearch = (placeOfTask) => placeOfTask.map((place) => joined.joinedOf[place]!);
    portfolio.fromSearch = (placeOfTask) => placeOfTask.map((place) => joined.placeOf[place]!);
  }
  const isOver = (): boolean => isProvenBest(portfolio) || effort.stop.isCancelled();
  const early = earlyStarts(portfolio, joined !== undefined);
  tryMappers(portfolio, candidates, early, () =>
    crew.open({
      core,
      ...(joined === undefined ? {} : { annealing: prepareAnnealing(joined.core, effort.stop, parameters.annealing) }),
    }),
  );
  if (isOver()) return false;
  const annealing = prepareAnnealing(joined?.core ?? core, effort.stop, parameters.annealing);
  const plan = planOf(portfolio);
  const shift = crew.open({
    core,
    ...(plan === undefined ? {} : { plan }),
    ...(dense === undefined ? {} : { dense }),
    annealing,
  });
  try {
    tryGlobalStarts(portfolio, shift, plan, early);
    if (!isOver()) trySearches(portfolio, candidates);
    if (isOver()) return false;
    if (dense !== undefined) return improveDensely(portfolio, shift, dense, annealing);
    if (early.startsWith('parts')) improveGroups(portfolio, shift, annealing);
    else annealStarts(portfolio, shift, annealing);
    return false;
  } finally {
    shift.close();
  }
}
