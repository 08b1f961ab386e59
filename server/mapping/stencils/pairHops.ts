import type { Machine } from '../../model/machine.ts';
import type { Mapping } from '../../model/placement.ts';
import { succeed, type Result } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import type { MappingContext, MappingProblem } from '../contract.ts';
import { hopBytes } from '../criteria/hopBytes.ts';
import { routerHops } from '../criteria/routerHops.ts';
import { placesOf } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { taskGraphOf } from '../problem/taskGraph.ts';
import { valueOf } from '../problem/value.ts';

/**
 * Average hops as Bunde et al. 2014 use them (section 4.5): every pair that communicates counts
 * once, however many bytes it sends. The ranks are the first taskCount slots, one per task.
 */
export class PairHops {
  /** A weight is the number of ordered pairs: 1 or 2. */
  readonly core: SearchCore;
  /** Hops keep the triangle inequality. */
  readonly isMetric: boolean;
  readonly #pairs: number;
  readonly #placeOfSlot: Int32Array;

  private constructor(machine: Machine, traffic: Traffic, core: SearchCore) {
    this.core = core;
    this.isMetric = 'grid' in routerHops(machine);
    this.#pairs = traffic.partner.length;
    this.#placeOfSlot = new Int32Array(machine.slotCount);
    core.places.slotOfPlace.forEach((slot, place) => (this.#placeOfSlot[slot] = place));
  }

  /** Fails with what `hop-bytes` says of the machine, and with `cancelled`. O(pairs + ranks²). */
  static of({ machine, job, slots }: MappingProblem, context: MappingContext): Result<PairHops> {
    const places = placesOf(machine, slots.subarray(0, job.taskCount));
    const costs = hopBytes.siteCosts?.(machine, places, context);
    if (costs === undefined) throw new Error('`hop-bytes` is a sum over pairs.');
    if (!costs.ok) return costs;
    const graph = taskGraphOf({ ...job.traffic, bytes: job.traffic.bytes.map(() => 1) });
    return succeed(new PairHops(machine, job.traffic, { graph, weightUnit: 1, places, costs: costs.value }));
  }

  /** Index among the ranks of each task's slot. */
  placeOfTask(mapping: Mapping): Int32Array {
    return mapping.map((slot) => this.#placeOfSlot[slot]!);
  }

  /** Hops of all pairs together. O(pairs). */
  total(placeOfTask: Int32Array): number {
    return valueOf(this.core, placeOfTask);
  }

  /** As messages write it: `1.25`. */
  average(total: number): string {
    return this.#pairs === 0 ? '0' : String(Number((total / this.#pairs).toFixed(3)));
  }
}
