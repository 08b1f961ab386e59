import { neverCancelled, ignoreProgress } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { hopBytes } from '../../../mapping/criteria/distance.ts';
import { prepareSearch } from '../../../mapping/criteria/prepare.ts';
import type { MappingProblem } from '../../../mapping/contract.ts';
import { valueOf, type SearchProblem } from '../../problem/searchProblem.ts';
import { problemOn, type ProblemOptions } from '../../../mapping/testing/problems.ts';

/** A problem under hop-bytes. */
export function coreOf(problem: MappingProblem): SearchProblem {
  const prepared = prepareSearch(problem, hopBytes, { cancellation: neverCancelled, progress: ignoreProgress });
  if (!prepared.ok) throw new Error(prepared.failure.message);
  return prepared.value;
}

/** A job on a machine under hop-bytes, on `slots` where they are given. */
export const coreOn = (
  machine: Machine,
  { slots, ...options }: ProblemOptions & { slots?: Int32Array },
): SearchProblem => coreOf({ ...problemOn(machine, options), ...(slots === undefined ? {} : { slots }) });

/** Recomputed from the slots. */
export function hopBytesOfMapping(problem: MappingProblem, mapping: Int32Array): number {
  const core = coreOf(problem);
  const placeOfSlot = new Map(Array.from(problem.slots, (slot, place) => [slot, place]));
  return (
    valueOf(
      core,
      mapping.map((slot) => placeOfSlot.get(slot)!),
    ) *
    core.weightUnit *
    core.costs.unit
  );
}
