import type { SearchCore } from './searchProblem.ts';
import { costBetween } from './siteCosts.ts';

/**
 * What a mapping costs under an additive criterion, from nothing: the sum over the edges, each once,
 * of weight · cost between the sites of its ends. In whole units; times `weightUnit · costs.unit` it
 * is the criterion's own. O(edges), exact.
 */
export function valueOf({ graph, places, costs }: SearchCore, placeOfTask: Int32Array): number {
  const { taskCount, rowStart, partner, weight } = graph;
  const { siteOfPlace } = places;
  let value = 0;
  for (let task = 0; task < taskCount; task++) {
    const site = siteOfPlace[placeOfTask[task]!]!;
    const end = rowStart[task + 1]!;
    for (let edge = rowStart[task]!; edge < end; edge++) {
      const other = partner[edge]!;
      if (other < task) continue;
      value += weight[edge]! * costBetween(costs, site, siteOfPlace[placeOfTask[other]!]!);
    }
  }
  return value;
}
