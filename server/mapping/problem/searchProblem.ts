import type { Machine } from '../../model/machine.ts';
import type { Job } from '../../model/job.ts';
import type { Places } from './places.ts';
import type { SiteCosts } from './siteCosts.ts';
import type { TaskGraph } from './taskGraph.ts';

/**
 * A mapping problem under an additive criterion, ready for searches: minimise the sum over the
 * edges of `graph` of weight · cost between the sites of their ends. Weights are whole numbers of
 * `weightUnit`, chosen so that every sum stays below 2^53.
 */
export interface SearchProblem {
  readonly machine: Machine;
  readonly job: Job;
  readonly graph: TaskGraph;
  /** Bytes of one unit of weight: 1 for whole amounts, a power of two otherwise. */
  readonly weightUnit: number;
  readonly places: Places;
  readonly costs: SiteCosts;
}
