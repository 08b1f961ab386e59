/**
 * The numbers of the search for small problems that were chosen by trying. Halved and doubled, 80 tasks of eight families, from
 * nothing, enough evaluations for a hundred children or so, one seed, `npm run bench -- sensitivity`:
 *
 * | number              |       halved |      doubled |
 * | ------------------- | -----------: | -----------: |
 * | populationSize      | −0.43 ± 0.25 | −0.10 ± 0.17 |
 * | iterationsForRandom | −0.11 ± 0.24 | −0.35 ± 0.28 |
 * | iterationsForChild  | −0.22 ± 0.20 | −0.05 ± 0.15 |
 * | fewestEvaluations   |         same | −0.03 ± 0.05 |
 * | mostEvaluations     |         same |         same |
 *
 * `patience` and `agreements` say when a search ends that has not run out of its budget. To that end, 20 tasks of eight families
 * come to the same value with half and with twice of each (80 tasks, two seeds: `patience` 0.00 ± 0.03 and 0.02 ± 0.02); they
 * stay since they are what the end means. `mostIterations` counts for a dozen tasks or fewer alone: it keeps them from taking longer.
 */
interface DenseParameters {
  /** Members of a population. */
  readonly populationSize: number;
  /** Children in a row that did not enter the population before a new one is begun. */
  readonly patience: number;
  /** Populations that must come to the same best value, each from nothing, before the search ends. */
  readonly agreements: number;
  /** Iterations of the tabu search per task: for a random assignment, and for a child. */
  readonly iterationsForRandom: number;
  readonly iterationsForChild: number;
  /** Iterations per task, at most, where those are over at once. */
  readonly mostIterations: number;
  /** Evaluations of a work item: some milliseconds, so that handing it out is worth it, to a tenth of a second. */
  readonly fewestEvaluations: number;
  readonly mostEvaluations: number;
}

export const denseParameters: DenseParameters = {
  populationSize: 12,
  patience: 30,
  agreements: 4,
  iterationsForRandom: 5,
  iterationsForChild: 10,
  mostIterations: 500,
  fewestEvaluations: 2 ** 19,
  mostEvaluations: 2 ** 24,
};
