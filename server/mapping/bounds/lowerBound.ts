import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import type { LowerBound } from '../searchRecord.ts';
import { nearestCosts } from './nearestCosts.ts';
import { shellBound } from './shellBound.ts';

/**
 * What no mapping of the job onto these places can fall below, in the unit of the criterion; 0 where
 * nothing better can be said within the time. The largest of the bounds that apply.
 */
export function lowerBound(core: SearchCore, machine: Machine, cancellation: Cancellation): LowerBound {
  const unit = core.weightUnit * core.costs.unit;
  const nearest = nearestCosts(core, machine, largestDegree(core), cancellation);
  const shell = nearest && shellBound(core.graph, nearest, cancellation);
  if (nearest === undefined || shell === undefined) return { value: 0, name: 'none', source: 'Placewright' };
  const isEdge = nearest.costs.every((cost) => cost === nearest.costs[0]);
  // Where all partners of every task can have the least cost there is one shell: each edge by itself.
  return {
    value: shell * unit,
    name: isEdge ? 'edge' : 'shell',
    source: 'Placewright; the shells as in Gilmore 1962 and Lawler 1963',
  };
}

function largestDegree({ graph }: SearchCore): number {
  let most = 0;
  for (let task = 0; task < graph.taskCount; task++) {
    most = Math.max(most, graph.rowStart[task + 1]! - graph.rowStart[task]!);
  }
  return most;
}
