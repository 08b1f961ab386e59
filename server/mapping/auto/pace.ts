import { isDense } from '../dense/denseProblem.ts';
import type { SearchCore } from '../problem/searchProblem.ts';

/**
 * How many steps a budget of one second is: about what two threads of an ordinary machine of 2024 do,
 * less a fifth. Fixed figures, never measured while running: the same file shall give the same
 * mapping on every machine that is not slower.
 */
const denseStepsPerSecond = 70e6;
/** Trials of annealing, where all lies in the cache, and where it does not. */
const smallStepsPerSecond = 20e6;
const largeStepsPerSecond = 9e6;
const smallJob = 1024;
const largeJob = 32_768;

export const loadStepsPerSecond = 40_000;

export function stepsPerSecond(core: SearchCore): number {
  if (isDense(core.graph.taskCount, core.places.siteCount)) return denseStepsPerSecond;
  const { taskCount } = core.graph;
  if (taskCount <= smallJob) return smallStepsPerSecond;
  if (taskCount >= largeJob) return largeStepsPerSecond;
  const share = (taskCount - smallJob) / (largeJob - smallJob);
  return smallStepsPerSecond + share * (largeStepsPerSecond - smallStepsPerSecond);
}
