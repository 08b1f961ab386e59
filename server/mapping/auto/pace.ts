import { isDense } from '../dense/denseProblem.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/**
 * What things cost, in steps, by the measure of an ordinary machine of 2024 with two threads. Fixed
 * figures that are never measured while running: a budget in time is turned into the same steps on
 * every machine, so it gives the same mapping on every machine that is not slower than that.
 */
export interface Pace {
  /** Steps that a budget of one second is. */
  readonly stepsPerSecond: number;
  /** Everything before the first start: costs, bound, coordinates. */
  readonly preparation: number;
  /** One variant of an embedding. */
  readonly embedding: number;
  /** One dual bipartitioning. */
  readonly partition: number;
}

const denseStepsPerSecond = 300e6;
/** A second of them is more than a small job needs: it gets so many for the cube of its tasks. */
const denseStepsPerCube = 600;
/** Trials of annealing, where all lies in the cache, and where it does not. */
const smallStepsPerSecond = 20e6;
const largeStepsPerSecond = 14e6;
const smallJob = 1024;
const largeJob = 32_768;

/** Seconds of one thread, for a task with `usualDegree` partners. */
const embeddingPerTask = 27e-6;
const partitionPerTask = 130e-6;
const preparationPerTask = 25e-6;
const preparationPerPairOfSites = 12e-9;
const usualDegree = 12;
/** What a trial costs besides its partners, in partners. */
const trialItself = 8;

/** Steps that a budget of one second is under `maximum-load`. */
export const loadStepsPerSecond = 40_000;

export function paceOf({ graph, places, costs }: SearchCore): Pace {
  const { taskCount, partner } = graph;
  const stepsPerSecond = isDense(taskCount, places.siteCount) ? denseSteps(taskCount) : annealingSteps(graph);
  const size = taskCount * (0.4 + (0.6 * partner.length) / (usualDegree * Math.max(1, taskCount)));
  const pairs = costs.kind === 'table' ? places.siteCount ** 2 : 0;
  const threads = 2;
  return {
    stepsPerSecond,
    preparation: stepsPerSecond * (preparationPerTask * size + preparationPerPairOfSites * pairs),
    embedding: (stepsPerSecond * embeddingPerTask * size) / threads,
    partition: (stepsPerSecond * partitionPerTask * size) / threads,
  };
}

const denseSteps = (taskCount: number): number => Math.min(denseStepsPerSecond, denseStepsPerCube * taskCount ** 3);

/** Fewer for large jobs, whose data do not stay in the cache, and for tasks with many partners. */
function annealingSteps({ taskCount, partner }: TaskGraph): number {
  const share = Math.min(1, Math.max(0, (taskCount - smallJob) / (largeJob - smallJob)));
  const degree = Math.max(usualDegree, partner.length / taskCount);
  const effort = (trialItself + usualDegree) / (trialItself + degree);
  return (smallStepsPerSecond + share * (largeStepsPerSecond - smallStepsPerSecond)) * effort;
}
