import { neverCancelled } from '../../model/cancellation.ts';
import type { RouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { dimensionOrder } from '../../network/routings/dimensionOrder.ts';
import { buildSiteCosts, type RouterCosts } from '../problem/siteCosts.ts';
import { groupPlaces } from '../problem/places.ts';
import type { MappingProblem, SearchProblem } from '../problem/searchProblem.ts';
import { taskGraphOf, wholeWeights } from '../problem/taskGraph.ts';

/** What a byte between two routers costs. */
export type CostsOfMachine = (machine: Machine) => RouterCosts;

/**
 * Links from router to router, and two more between nodes where hosts have links of their own: the
 * hop-bytes of the reports.
 */
export const hopByteCosts: CostsOfMachine = ({ topology, routing }) => {
  const { shape, wraps, hasHostLinks } = topology;
  const costs = { criterion: 'hop-bytes', unit: 1, between: hasHostLinks ? 2 : 0 };
  const isGrid = shape && wraps && routing.kind === dimensionOrder.name;
  if (!isGrid) return { ...costs, cost: (from, to) => routing.hops(from as RouterId, to as RouterId) };
  const cost = (distances: Int32Array): number => distances.reduce((sum, distance) => sum + distance, 0);
  return { ...costs, grid: { shape, wraps, cost, isSum: true } };
};

/** The longest of the distances along the axes of a grid: costs that are no sum over axes. */
export const longestAxisCosts: CostsOfMachine = ({ topology: { shape, wraps } }) => ({
  criterion: 'longest-axis',
  unit: 1,
  between: 0,
  grid: { shape: shape!, wraps: wraps!, cost: (distances) => Math.max(...distances), isSum: false },
});

/** A mapping problem as the kernels take it. */
export function searchProblemOf(problem: MappingProblem, costsOf = hopByteCosts): SearchProblem {
  const { machine, job, slots } = problem;
  const places = groupPlaces(machine, slots);
  const costs = buildSiteCosts(places, costsOf(machine), neverCancelled);
  if (!costs.ok) throw new Error(costs.failure.message);
  const { graph, weightUnit } = wholeWeights(taskGraphOf(job.traffic), costs.value.maximum);
  return { machine, job, graph, weightUnit, places, costs: costs.value };
}
