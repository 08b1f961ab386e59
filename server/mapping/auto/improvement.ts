import { intAt, itemAt } from '../../numeric/elements.ts';
import { prepareAnnealing, type Annealing } from '../../optimisation/annealing/annealing.ts';
import { denseProblemOf } from '../../optimisation/dense/denseProblem.ts';
import type { SearchCore } from '../../optimisation/problem/searchProblem.ts';
import { annealStarts, runAnnealing } from './annealedImprovement.ts';
import { singleThreadPool, type PoolSession, type WorkItem } from '../../optimisation/workerPool.ts';
import { improveDensely } from './denseImprovement.ts';
import { isProvenBest, type Portfolio, rankedCandidates } from './portfolio.ts';
import { earlyStarts, prepareEmbedding, tryGlobalStarts, tryMappers, trySearches, type Candidates } from './starts.ts';
import { drawSeed } from '../../model/random.ts';
import { costBetween, tableSiteLimit } from '../../optimisation/problem/siteCosts.ts';
import { costTable } from '../../optimisation/problem/gridCosts.ts';
import { inverseOf } from '../../numeric/permutation.ts';

/** Finds starts, the cheap ones first, and improves the best. True where the search ended by itself. */
export function improvePortfolio(portfolio: Portfolio, candidates: Candidates): boolean {
  const { search, context, searchBudget, parameters } = portfolio;
  const { graph, weightUnit, places, costs } = search;
  const core: SearchCore = { graph, weightUnit, places, costs };
  const workerPool = context.workerPool ?? singleThreadPool;
  const dense = denseProblemOf(core);
  const joined = dense === undefined ? joinSites(core) : undefined;
  if (joined !== undefined) {
    portfolio.toSearch = (placeOfTask) => placeOfTask.map((place) => intAt(joined.joinedOf, place));
    portfolio.fromSearch = (placeOfTask) => placeOfTask.map((place) => intAt(joined.placeOf, place));
  }
  const isOver = (): boolean => isProvenBest(portfolio) || searchBudget.stop.isCancelled();
  const early = earlyStarts(portfolio, joined !== undefined);
  tryMappers(portfolio, candidates, early, () =>
    workerPool.open({
      core,
      ...(joined === undefined
        ? {}
        : { annealing: prepareAnnealing(joined.core, searchBudget.stop, parameters.annealing) }),
    }),
  );
  if (isOver()) return false;
  const annealing = prepareAnnealing(joined?.core ?? core, searchBudget.stop, parameters.annealing);
  const plan = prepareEmbedding(portfolio);
  const session = workerPool.open({
    core,
    ...(plan === undefined ? {} : { plan }),
    ...(dense === undefined ? {} : { dense }),
    annealing,
  });
  try {
    tryGlobalStarts(portfolio, session, plan, early);
    if (!isOver()) trySearches(portfolio, candidates);
    if (isOver()) return false;
    if (dense !== undefined) return improveDensely(portfolio, session, dense, annealing);
    if (early.startsWith('parts')) improveGroups(portfolio, session, annealing);
    else annealStarts(portfolio, session, annealing);
    return false;
  } finally {
    session.close();
  }
}

const chainsPerRound = 2;

/**
 * Anneals groups and single tasks on sites with several places, round by round from the best so far, in independent
 * chains at two initial temperatures: that of the better chain is the next. The best temperature differs by a factor of
 * four between networks, and no probe of the start shows it. Where neither chain gains, the next round begins colder,
 * and below the least temperature with the first one again.
 */
function improveGroups(portfolio: Portfolio, session: PoolSession, annealing: Annealing): void {
  const { searchBudget, context, parameters } = portfolio;
  const {
    worstStartRatio,
    annealedStarts,
    leastShareLeft,
    firstTemperature,
    spread,
    cooling,
    leastTemperature,
    coldest,
  } = parameters;
  const communicatingTasks = Math.max(1, annealing.communicatingTasks.length);
  const starts = rankedCandidates(portfolio)
    .filter(
      ({ value }, index, all) => value <= worstStartRatio * itemAt(all, 0).value && value !== all[index - 1]?.value,
    )
    .slice(0, annealedStarts)
    .map(({ placeOfTask }) => portfolio.toSearch(placeOfTask));
  let temperature = firstTemperature;
  for (let round = 0; !isProvenBest(portfolio) && !searchBudget.stop.isCancelled(); round++) {
    if (round > 0 && searchBudget.elapsed >= 1 - leastShareLeft) return;
    const steps = stepsOfChain(portfolio, round, communicatingTasks);
    if (steps === 0) return;
    const temperatures = [temperature / spread, temperature * spread];
    const before = portfolio.best.value;
    const best = portfolio.toSearch(portfolio.best.placeOfTask);
    const outcomes = runAnnealing(
      portfolio,
      session,
      temperatures.map((hottest, chain): WorkItem => {
        const start = starts[chainsPerRound * round + chain] ?? best;
        const order = {
          placeOfTask: start,
          seed: drawSeed(context.random),
          steps,
          hottest,
          coldest,
        };
        return { kind: 'groups', order };
      }),
      chainsPerRound * steps,
    );
    const [lower, higher] = outcomes.map(({ value }) => value);
    if (portfolio.best.value < before)
      temperature = itemAt(temperatures, higher !== undefined && higher < lower! ? 1 : 0);
    else temperature = temperature * cooling < leastTemperature ? firstTemperature : temperature * cooling;
  }
}

/**
 * Steps of each independent chain of a round: those that are left, dealt to the rounds to come. The rate of a budget in
 * time is not known before the first round.
 */
function stepsOfChain({ searchBudget, parameters }: Portfolio, round: number, communicatingTasks: number): number {
  const { isTimed, stepsLeft } = searchBudget;
  const { proposalsPerWorkItem, fewestRounds, plannedShareOfGroups, pilotStepsOfTask } = parameters;
  if (isTimed && round === 0 && stepsLeft === 0)
    return Math.min(2 ** 20, Math.max(2 ** 14, pilotStepsOfTask * communicatingTasks));
  const wanted = Math.round(stepsLeft / (chainsPerRound * proposalsPerWorkItem * communicatingTasks));
  const rounds = Math.max(round === 0 ? fewestRounds : 1, wanted);
  return Math.floor((stepsLeft / rounds / chainsPerRound) * (isTimed && rounds === 1 ? plannedShareOfGroups : 1));
}

/**
 * A problem with one place on each node, seen as one whose sites are the routers: nodes of one router cost the same to
 * everywhere, so what a pair of tasks costs depends on their routers, but for what every pair pays for leaving its
 * node. Exchanges then know what makes no difference, and the table of costs stays in the cache.
 */
interface JoinedSites {
  readonly core: SearchCore;
  /** Place in `core` of each place of the problem, and back. */
  readonly joinedOf: Int32Array;
  readonly placeOf: Int32Array;
}

/** Undefined where nodes have several places, or no router has several nodes. O(places + routers²). */
export function joinSites({ graph, weightUnit, places, costs }: SearchCore): JoinedSites | undefined {
  const { siteCount, placeCount, routerOfSite } = places;
  if (placeCount !== siteCount) return undefined;
  const sitesOf = new Map<number, number[]>();
  for (let site = 0; site < siteCount; site++) {
    const own = sitesOf.get(intAt(routerOfSite, site));
    if (own) own.push(site);
    else sitesOf.set(intAt(routerOfSite, site), [site]);
    if (sitesOf.size > tableSiteLimit) return undefined;
  }
  const routers = [...sitesOf.values()];
  const pair = routers.find(({ length }) => length > 1);
  if (pair === undefined || routers.length < 2) return undefined;
  const between = costBetween(costs, itemAt(pair, 0), itemAt(pair, 1));
  const count = routers.length;
  const table = costTable(count * count, costs.maximum);
  for (let from = 0; from < count; from++)
    for (let to = 0; to < count; to++)
      if (from !== to)
        table[from * count + to] =
          costBetween(costs, itemAt(itemAt(routers, from), 0), itemAt(itemAt(routers, to), 0)) - between;
  const firstPlace = new Int32Array(count + 1);
  for (const [router, sites] of routers.entries()) firstPlace[router + 1] = intAt(firstPlace, router) + sites.length;
  const placeOf = Int32Array.from(routers.flat(), (site) => intAt(places.firstPlace, site));
  const joinedOf = inverseOf(placeOf, placeCount);
  const joinedPlaces = {
    placeCount,
    siteCount: count,
    slotOfPlace: placeOf.map((place) => intAt(places.slotOfPlace, place)),
    siteOfPlace: Int32Array.from(routers.flatMap((sites, router) => sites.map(() => router))),
    firstPlace,
    nodeOfSite: Int32Array.from(routers, (sites) => intAt(places.nodeOfSite, itemAt(sites, 0))),
    endOfSite: Int32Array.from(routers, (sites) => intAt(places.endOfSite, itemAt(sites, 0))),
    routerOfSite: Int32Array.from(sitesOf.keys()),
  };
  let maximum = 0;
  for (const cost of table) maximum = Math.max(maximum, cost);
  const joined = { kind: 'table' as const, siteCount: count, unit: costs.unit, maximum, table };
  return { core: { graph, weightUnit, places: joinedPlaces, costs: joined }, joinedOf, placeOf };
}
