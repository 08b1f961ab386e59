import { defaultOptions, type ArgumentValue, type OptionValues } from '../../model/catalogue.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { fail, succeed } from '../../model/result.ts';
import type { AllocationRequest, AllocatorEntry } from '../contract.ts';

export interface RequestOptions {
  readonly argument?: ArgumentValue;
  readonly options?: OptionValues;
  readonly seed?: number;
  readonly freeCores?: ArrayLike<number>;
  readonly givenFile?: AllocationRequest['givenFile'];
  /** Allocations of other placements by name. */
  readonly others?: Readonly<Record<string, readonly number[]>>;
}

/** A request for `entry` on a machine whose cores are all free unless said otherwise. */
export function requestFor(
  entry: AllocatorEntry,
  machine: Machine,
  taskCount: number,
  given: RequestOptions = {},
): AllocationRequest {
  return {
    machine,
    taskCount,
    freeCores: Int32Array.from(given.freeCores ?? new Int32Array(machine.nodeCount).fill(machine.coresPerNode)),
    argument: given.argument,
    options: { ...defaultOptions(entry), ...given.options },
    random: seededRandom(given.seed ?? 1),
    cancellation: neverCancelled,
    givenFile: given.givenFile ?? (({ uri }) => fail('not-read', `There is no file ${uri}.`)),
    allocationOf(placement) {
      const allocation = given.others?.[placement];
      return allocation
        ? succeed(Int32Array.from(allocation))
        : fail('not-evaluated', `Placement \`${placement}\` has no allocation.`);
    },
  };
}
