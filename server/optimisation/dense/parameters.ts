/**
 * The numbers of the search for small problems that were chosen by trying. `patience` halved
 * and doubled: 0.00 ± 0.03 and 0.02 ± 0.02 % (80 tasks of eight families, two seeds, `npm run bench -- sensitivity`).
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
