import { annealingParameters, type AnnealingParameters } from '../../optimisation/annealing/parameters.ts';

/**
 * The numbers of the portfolio that were chosen by trying, and what each counts. The portfolio carries them, so that
 * `npm run bench -- sensitivity` can halve and double each by itself.
 *
 * Hop-bytes on nodes of 24 cores, 8,000 steps a task, in per cent above what the numbers as they are come to: mean and
 * standard error over eight families of graphs, one seed. `same`: no mapping changes.
 *
 * | number                        |      halved |      doubled |
 * | ----------------------------- | ----------: | -----------: |
 * | proposalsPerStart             | 0.10 ± 0.24 | −0.09 ± 0.68 |
 * | mostFurtherStarts             |        same |         same |
 * | fewestRounds                  | 0.63 ± 0.25 |  0.36 ± 0.39 |
 * | firstTemperature              | 0.05 ± 0.40 |  1.04 ± 0.41 |
 * | spread                        | 0.53 ± 0.28 |  0.56 ± 0.25 |
 * | coldest                       | 0.52 ± 0.35 |  0.26 ± 0.36 |
 *
 * The same with 64,000 steps a task, six families; no change is larger than its error allows, most are one case of six:
 *
 * | number               |       halved |     doubled |
 * | -------------------- | -----------: | ----------: |
 * | proposalsPerWorkItem | −0.70 ± 0.36 | 1.07 ± 1.59 |
 * | cooling              |  0.96 ± 0.89 | 1.52 ± 1.47 |
 * | leastTemperature     |         same | 1.20 ± 1.19 |
 * | worstStartRatio      |         same | 1.19 ± 1.19 |
 * | annealedStarts       | −0.07 ± 0.07 | −0.02 ± 0.02 |
 *
 * Hop-bytes for 150 tasks or so with a core each, 20,000 steps a task, eight families, two seeds. Nearly every
 * change is a little cheaper, in either direction and by about two standard errors at most, so no value is preferred to
 * those that there are.
 *
 * | number                 |       halved |      doubled |
 * | ---------------------- | -----------: | -----------: |
 * | lowerStartTemperature  | −0.67 ± 0.37 |  0.23 ± 0.11 |
 * | higherStartTemperature | −0.49 ± 0.35 |  0.08 ± 0.12 |
 * | leastStepsPerProposal  | −0.59 ± 0.27 | −0.47 ± 0.35 |
 * | mostProposals          |         same |         same |
 * | tasksForPopulations    | −0.24 ± 0.13 | −0.03 ± 0.22 |
 * | tasksForAnnealing      | −0.68 ± 0.39 | −0.12 ± 0.23 |
 * | mostOfAnnealing        | −0.62 ± 0.37 | −0.57 ± 0.31 |
 *
 * The heaviest load of the same tasks, 1,000 steps each; of 16 cases 1 to 4 change at all:
 *
 * | number          |       halved |      doubled |
 * | --------------- | -----------: | -----------: |
 * | shareOfHopBytes | −0.84 ± 1.60 |  1.98 ± 1.17 |
 * | hottestOfLoads  | −0.10 ± 0.80 | −0.60 ± 1.29 |
 * | coldestOfLoads  |         same |  0.54 ± 0.54 |
 * | epochsOfLoads   | −0.16 ± 0.76 |  0.54 ± 0.54 |
 *
 * Budgets in time, 0.3 s of the processor, 16 cases, one seed: the median in per cent. The mean is that or up to 5 % less,
 * because of one case: there `drb` takes two thirds of the budget, is over in time or not from one run to the next, and halves
 * the cost.
 *
 * | number                 | halved | doubled |
 * | ---------------------- | -----: | ------: |
 * | quickUntil             |  −0.08 |   −0.12 |
 * | startsUntil            |  −0.02 |    0.00 |
 * | startsEndedAt          |  −0.01 |   −0.15 |
 * | mappersEndedAt         |  −0.14 |   −0.11 |
 * | boundUntil             |   0.05 |    0.00 |
 * | searchShare            |  −0.31 |    0.00 |
 * | searchShareOfSmall     |  −0.14 |    0.00 |
 * | pilotSteps             |  −0.22 |   −0.20 |
 * | pilotEdgeVisits        |  −0.11 |   −0.12 |
 * | pilotStepsOfTask       |   0.00 |    0.00 |
 * | freshness              |  −0.16 |   −0.03 |
 * | plannedShare           |  −0.22 |   −0.01 |
 *
 * `plannedShareOfGroups` −2.91 ± 3.09 and −2.94 ± 3.08, `leastShareLeft` −0.19 ± 0.32 and −3.17 ± 3.07: means, so that case again.
 * `firstStepsOfLoads`, two seeds: −1.25 ± 2.18 and −3.47 ± 2.15 %, 4 and 6 of 16 change.
 *
 * `fewTasks` is a matter of time. Halved, 80 tasks are as they were; doubled they are cheaper by 1.81 ± 0.73 %, and 72 and 120 tasks
 * of other seeds by 0.3 to 1.3 % (20,000 steps a task) or 1.6 to 2.9 % (2,000), but in four to seven times the processor's
 * time, for the searches of the catalogue are not counted in steps.
 *
 * `densestForAnnealing` is not measured: its cases (150 tasks of which 30 to 70 % of all pairs talk) take hours. It is reasoned: of n tasks
 * of which a share d of the n² pairs talk, a proposal of annealing counts as d · n steps, so that one for each task counts as d · n². A
 * move of the tabu search, which looks at all n² / 2 exchanges and makes the best of them, counts as n² / 2. At d = 1/2 these are equal;
 * above, a round of proposals, of which most are refused, costs more than a move. Halved, annealing is left out where it costs
 * half of that; doubled, it is never left out.
 *
 * `mostProposals` and `mostFurtherStarts` act with larger budgets alone. `quickUntil`: on a clock that runs two to four
 * times as fast as the processor, which is a busy machine, 0.3 leaves 4,096 tasks on a torus their embedding where 0.4
 * did not.
 */
export interface AutoParameters {
  /**
   * Shares of a budget in time: up to which quick mappers are begun, up to which further starts are begun, after which
   * those are ended, and after which the partitions of the catalogue are ended.
   */
  readonly quickUntil: number;
  readonly startsUntil: number;
  readonly startsEndedAt: number;
  readonly mappersEndedAt: number;
  /** The same for the bound. */
  readonly boundUntil: number;
  /** The same for each search of the catalogue, and where there are few tasks. */
  readonly searchShare: number;
  readonly searchShareOfSmall: number;
  /** Up to this many tasks the searches of the catalogue take milliseconds, so a budget in steps pays for them. */
  readonly fewTasks: number;
  /** Proposals of a task that a further start is worth, of a budget in steps; and how many there are at most. */
  readonly proposalsPerStart: number;
  readonly mostFurtherStarts: number;
  /** Partners of the task that has most, as a multiple of the mean, from which on a graph has hubs. */
  readonly hubDegree: number;
  /**
   * Steps of the first epoch for each work item of a budget in time: long enough to measure the rate; fewer where one
   * takes long.
   */
  readonly pilotSteps: number;
  readonly pilotEdgeVisits: number;
  /** The same of a work item over groups, a task. */
  readonly pilotStepsOfTask: number;
  /** How much the last measure of the rate counts against those before. */
  readonly freshness: number;
  /** How much dearer than the best start an embedding may be that is annealed all the same. */
  readonly partsAdvantage: number;
  /**
   * Share of the time left that is planned with, so that the last descent has its own, for single tasks and for
   * groups.
   */
  readonly plannedShare: number;
  readonly plannedShareOfGroups: number;
  /** Below this share of the budget nothing more is begun. */
  readonly leastShareLeft: number;
  /**
   * Proposals of a task in a work item over groups, where there are enough of them, and rounds that there are at
   * least.
   */
  readonly proposalsPerWorkItem: number;
  readonly fewestRounds: number;
  /**
   * Temperatures of groups, in units of the noise: where they begin, the ratio of either chain's to it, the factor
   * after a round without gain, the coldest that a work item begins with (then the first again) and ends with.
   */
  readonly firstTemperature: number;
  readonly spread: number;
  readonly cooling: number;
  readonly leastTemperature: number;
  readonly coldest: number;
  /**
   * A start that costs more than this multiple of the best has no chance to get ahead; and how many starts are
   * annealed before the best is again.
   */
  readonly worstStartRatio: number;
  readonly annealedStarts: number;
  /**
   * Temperatures of the chains that found a population of tabu searches, as multiples of the one that keeps what the
   * start is worth.
   */
  readonly lowerStartTemperature: number;
  readonly higherStartTemperature: number;
  /**
   * Steps of a budget that a proposal of those costs at least: the table of a dense search has an effect ready that a
   * proposal works out.
   */
  readonly leastStepsPerProposal: number;
  /** Proposals of a task in such a chain, after which tabu searches of the ends are worth more than a slower end. */
  readonly mostProposals: number;
  /**
   * Tasks up to which populations from nothing find as much, and from which on annealing gets the most of the budget;
   * that share.
   */
  readonly tasksForPopulations: number;
  readonly tasksForAnnealing: number;
  readonly mostOfAnnealing: number;
  /**
   * Pairs that communicate, as a share of all, from which on a proposal of annealing costs more than it is worth there.
   */
  readonly densestForAnnealing: number;
  /** Under the criterion of loads, the share of the budget that goes into few hop-bytes first. */
  readonly shareOfHopBytes: number;
  /**
   * Temperatures of the first and the last proposal over loads, as shares of the heaviest; the epochs between them;
   * and, of a budget in time, the steps of the first, which show the rate.
   */
  readonly hottestOfLoads: number;
  readonly coldestOfLoads: number;
  readonly epochsOfLoads: number;
  readonly firstStepsOfLoads: number;
  readonly annealing: AnnealingParameters;
}

export const autoParameters: AutoParameters = {
  quickUntil: 0.3,
  startsUntil: 0.3,
  startsEndedAt: 0.55,
  mappersEndedAt: 0.8,
  boundUntil: 0.2,
  searchShare: 0.02,
  searchShareOfSmall: 0.1,
  fewTasks: 64,
  proposalsPerStart: 4000,
  mostFurtherStarts: 24,
  hubDegree: 8,
  pilotSteps: 2 ** 18,
  pilotEdgeVisits: 2 ** 24,
  pilotStepsOfTask: 100,
  freshness: 0.5,
  partsAdvantage: 1.1,
  plannedShare: 0.95,
  plannedShareOfGroups: 0.94,
  leastShareLeft: 0.02,
  proposalsPerWorkItem: 4000,
  fewestRounds: 2,
  firstTemperature: 0.35,
  spread: 1.35,
  cooling: 0.85,
  leastTemperature: 0.08,
  coldest: 0.04,
  worstStartRatio: 1.05,
  annealedStarts: 4,
  lowerStartTemperature: 2,
  higherStartTemperature: 4,
  leastStepsPerProposal: 8,
  mostProposals: 100_000,
  tasksForPopulations: 50,
  tasksForAnnealing: 200,
  mostOfAnnealing: 0.75,
  densestForAnnealing: 0.5,
  shareOfHopBytes: 0.5,
  hottestOfLoads: 0.02,
  coldestOfLoads: 0.0005,
  epochsOfLoads: 16,
  firstStepsOfLoads: 256,
  annealing: annealingParameters,
};
