/**
 * The numbers of annealing that were chosen by trying, and what each counts. {@link Annealing} carries them, so that
 * `npm run bench -- sensitivity` can halve and double each by itself. On nodes of 24 cores and eight families of graphs
 * `groupShare` halved comes to 0.23 ± 0.30 %, doubled to 0.20 ± 0.40 %, `proposalsPerGroup` to 0.55 ± 0.27 and 0.04 ±
 * 0.19. With one core to a node the others come to 0.12 % at most, the median of six. On 3,072 nodes with 300 steps a task, eight
 * families, one seed:
 *
 * | number                      |      halved |      doubled |
 * | --------------------------- | ----------: | -----------: |
 * | edgeVisitsPerProbe          |        same |         same |
 * | sitesOfProbe                | 0.09 ± 0.09 |         0.00 |
 * | proposalsForFullTemperature | 0.19 ± 0.12 |  0.01 ± 0.06 |
 * | temperatureShareForFew      | 0.13 ± 0.11 |  0.12 ± 0.09 |
 * | sitesPerRegion              | 0.30 ± 0.14 |  0.28 ± 0.18 |
 * | proposalsPerEpoch           | 0.03 ± 0.05 |         same |
 * | fewestEpochs                | 0.02 ± 0.01 | −0.00 ± 0.09 |
 * | mostEpochs                  |        same |         same |
 *
 * On 288 nodes with 45,000 steps a task, four families: `proposalsPerIndependentChain` −0.21 ± 0.21 and −0.12 ± 0.12, `mostRounds`
 * same. `edgeVisitsPerProbe`, `mostEpochs` and `mostRounds` bound the work where a task has thousands of partners or the budget
 * is larger still: without them a probe there takes longer than the search.
 */
export interface AnnealingParameters {
  /**
   * Sites near a partner to choose from. With 6, 12, 18, 24 and 32 the same steps end within 1.5 % of each other on
   * tori, scattered allocations and random networks, the short lists ahead.
   */
  readonly nearest: number;
  /** Partners of one task that a descent looks at, evenly spread over its row; keeps hubs from taking all the time. */
  readonly partnersTried: number;
  /**
   * Tasks whose moves are sampled for the noise of the cost, and edges that are looked at for it: dense graphs need
   * fewer tasks.
   */
  readonly noiseSamples: number;
  readonly noiseEdgeVisits: number;
  /**
   * Temperatures in units of the noise: below the least nothing but descent is left, above the most all order is
   * lost.
   */
  readonly leastTemperature: number;
  readonly mostTemperature: number;
  /** Halvings of the logarithm of that range, by which the temperature is found that keeps what a start is worth. */
  readonly probes: number;
  /**
   * Proposals of a task in a probe, edges looked at in one, which makes them fewer where a task has many, and its
   * sites.
   */
  readonly proposalsPerProbe: number;
  readonly edgeVisitsPerProbe: number;
  readonly sitesOfProbe: number;
  /** Share of that temperature that annealing begins with: a little colder. */
  readonly startTemperatureShare: number;
  /** Proposals of a task from which on all of it pays, and the share of it that a few proposals are given. */
  readonly proposalsForFullTemperature: number;
  readonly temperatureShareForFew: number;
  /** Sites that a region has at least, so that few of its exchanges would cross the border. */
  readonly sitesPerRegion: number;
  /**
   * Proposals of a task after which a chain has had its chance, and another from the best one is worth more; and
   * rounds of these at most.
   */
  readonly proposalsPerIndependentChain: number;
  readonly mostRounds: number;
  /**
   * Proposals of a task from one cut into regions to the next, which costs as much as ten or so; and how many epochs
   * that may be.
   */
  readonly proposalsPerEpoch: number;
  readonly fewestEpochs: number;
  readonly mostEpochs: number;
  /**
   * Share of the proposals of a work item for groups of tasks, and the most that each of them gets: of few groups
   * fewer are needed.
   */
  readonly groupShare: number;
  readonly proposalsPerGroup: number;
}

export const annealingParameters: AnnealingParameters = {
  nearest: 12,
  partnersTried: 16,
  noiseSamples: 1000,
  noiseEdgeVisits: 2 ** 19,
  leastTemperature: 0.1,
  mostTemperature: 0.7,
  probes: 5,
  proposalsPerProbe: 40,
  edgeVisitsPerProbe: 2 ** 22,
  sitesOfProbe: 1024,
  startTemperatureShare: 0.9,
  proposalsForFullTemperature: 500,
  temperatureShareForFew: 0.5,
  sitesPerRegion: 1024,
  proposalsPerIndependentChain: 10_000,
  mostRounds: 16,
  proposalsPerEpoch: 100,
  fewestEpochs: 4,
  mostEpochs: 64,
  groupShare: 0.25,
  proposalsPerGroup: 2000,
};
