import { intAt, realAt } from '../../numeric/elements.ts';
import type { Machine } from '../../model/machine.ts';
import type { Job } from '../../model/job.ts';
import type { Places } from './places.ts';
import { type SiteCosts, costBetween } from './siteCosts.ts';
import type { TaskGraph } from './taskGraph.ts';
import type { Allocation } from '../../model/placement.ts';

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

/** One job to be mapped onto the free slots of its allocation. */
export interface MappingProblem {
  readonly machine: Machine;
  readonly job: Job;
  readonly allocation: Allocation;
  /** Free slots of the allocated nodes in allocation order, cores ascending; at least taskCount. SlotIds. */
  readonly slots: Int32Array;
  /** Where a mapper is offered all free slots although tasks need several cores: those of them on which tasks may begin. */
  readonly firstSlots?: Int32Array;
}

/**
 * What a mapping costs under an additive criterion, from nothing: the sum over the edges, each once,
 * of weight · cost between the sites of its ends. In whole units; times `weightUnit · costs.unit` it
 * is the criterion's own. O(edges), exact.
 */
export function mappingCost({ graph, places, costs }: SearchCore, placeOfTask: Int32Array): number {
  const { taskCount, rowStart, partner, weight } = graph;
  const { siteOfPlace } = places;
  let value = 0;
  for (let task = 0; task < taskCount; task++) {
    const site = intAt(siteOfPlace, intAt(placeOfTask, task));
    const end = intAt(rowStart, task + 1);
    for (let edge = intAt(rowStart, task); edge < end; edge++) {
      const other = intAt(partner, edge);
      if (other < task) continue;
      value += realAt(weight, edge) * costBetween(costs, site, intAt(siteOfPlace, intAt(placeOfTask, other)));
    }
  }
  return value;
}
