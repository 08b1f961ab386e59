import type { LowerBound } from '../searchRecord.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { taskGraphOf, type TaskGraph } from '../problem/taskGraph.ts';
import { valueOf } from '../problem/value.ts';

/**
 * Amounts that fit no common unit (0.1, or 2^52 beside 1) are rounded for the search; what users are told
 * is made of the amounts as they are. Undefined where nothing was rounded. O(pairs).
 */
export function unroundedGraph({ job, graph, weightUnit }: SearchProblem): TaskGraph | undefined {
  const exact = taskGraphOf(job.traffic);
  return exact.weight.every((weight, edge) => weight === graph.weight[edge]! * weightUnit) ? undefined : exact;
}

/** What a mapping costs in the unit of the criterion. O(edges). */
export const unroundedValue = (search: SearchProblem, exact: TaskGraph, placeOfTask: Int32Array): number =>
  valueOf({ ...search, graph: exact }, placeOfTask) * search.costs.unit;

/**
 * The bound less what rounding up may have added to it: no mapping costs more than the largest cost for
 * every byte that was added.
 */
export function unroundedBound(
  { graph, weightUnit, costs }: SearchProblem,
  exact: TaskGraph,
  told: LowerBound,
): LowerBound {
  // Every edge stands in two rows.
  const added = exact.weight.reduce(
    (sum, weight, edge) => sum + Math.max(0, graph.weight[edge]! * weightUnit - weight) / 2,
    0,
  );
  const value = told.value - added * costs.maximum * costs.unit;
  return { ...told, value: Math.max(0, value * (1 - Number.EPSILON * exact.weight.length)) };
}
