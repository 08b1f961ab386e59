import type { Machine } from '../../../model/machine.ts';
import { mappingCost, type MappingProblem, type SearchProblem } from '../../problem/searchProblem.ts';
import { searchProblemOf } from '../../testing/searchProblem.ts';
import { problemOn, type ProblemOptions } from '../../testing/problems.ts';

/** A job on a machine under hop-bytes, on `slots` where they are given. */
export const coreOn = (
  machine: Machine,
  { slots, ...options }: ProblemOptions & { slots?: Int32Array },
): SearchProblem => searchProblemOf({ ...problemOn(machine, options), ...(slots === undefined ? {} : { slots }) });

/** Recomputed from the slots. */
export function hopBytesOfMapping(problem: MappingProblem, mapping: Int32Array): number {
  const core = searchProblemOf(problem);
  const placeOfSlot = new Map(Array.from(problem.slots, (slot, place) => [slot, place]));
  return (
    mappingCost(
      core,
      mapping.map((slot) => placeOfSlot.get(slot)!),
    ) *
    core.weightUnit *
    core.costs.unit
  );
}
