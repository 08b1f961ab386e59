import type { Machine } from '../../model/machine.ts';
import type { Job } from '../../model/job.ts';
import type { Places } from './places.ts';
import type { SiteCosts } from './siteCosts.ts';
import type { TaskGraph } from './taskGraph.ts';

/**
 * What a search under an additive criterion works on: minimise the sum over the edges of `graph`
 * of weight · cost between the sites of their ends. Plain data and typed arrays, so that it crosses
 * threads. Weights are whole numbers of `weightUnit`, chosen so that every sum stays below 2^53.
 */
export interface SearchCore {
  readonly graph: TaskGraph;
  /** Bytes of one unit of weight: 1 for whole amounts, a power of two otherwise. */
  readonly weightUnit: number;
  readonly places: Places;
  readonly costs: SiteCosts;
}

/** With the machine and the job, for what depends on coordinates, grids and cables. */
export interface SearchProblem extends SearchCore {
  readonly machine: Machine;
  readonly job: Job;
}
