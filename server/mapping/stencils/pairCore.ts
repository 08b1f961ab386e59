import type { Machine } from '../../model/machine.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MappingContext, MappingProblem } from '../contract.ts';
import { hopBytes } from '../criteria/hopBytes.ts';
import { routerHops } from '../criteria/routerHops.ts';
import { placesOf } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { taskGraphOf } from '../problem/taskGraph.ts';

/**
 * What a search for the fewest average hops works on (`averageHops.ts`): a weight is the number of
 * ordered pairs between two tasks, 1 or 2, and the places are the ranks, one per task. Fails with what
 * `hop-bytes` says of the machine, and with `cancelled`. O(pairs + ranks²).
 */
export function pairCoreOf({ machine, job, slots }: MappingProblem, context: MappingContext): Result<SearchCore> {
  const places = placesOf(machine, slots.subarray(0, job.taskCount));
  const costs = hopBytes.siteCosts?.(machine, places, context);
  if (costs === undefined) throw new Error('`hop-bytes` is a sum over pairs.');
  if (!costs.ok) return costs;
  const graph = taskGraphOf({ ...job.traffic, bytes: job.traffic.bytes.map(() => 1) }, context.cancellation);
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed({ graph, weightUnit: 1, places, costs: costs.value });
}

/** Whether hops keep the triangle inequality: where routing takes the fewest links there are. */
export const hopsAreMetric = (machine: Machine): boolean => 'grid' in routerHops(machine);
