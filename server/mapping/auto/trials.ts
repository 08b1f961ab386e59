import { defaultOptions } from '../../model/catalogue.ts';
import { ignoreProgress, type Cancellation } from '../../model/cancellation.ts';
import type { Mapping } from '../../model/placement.ts';
import type { MapperEntry, MappingContext, MappingProblem } from '../contract.ts';
import type { Places } from '../problem/places.ts';

/** A start of the search: what it is called, where it puts the tasks, and what that costs. */
export interface Trial {
  readonly name: string;
  /** It lays out the whole at once. */
  readonly isEmbedding?: boolean;
  readonly placeOfTask: Int32Array;
  /** In whole units. */
  readonly value: number;
  readonly milliseconds: number;
}

/** Costs a mapping, in whole units. */
export type Valuation = (placeOfTask: Int32Array) => number;

interface Trials {
  readonly problem: MappingProblem;
  readonly context: MappingContext;
  /** Ends the trials early; the first is made in any case. */
  readonly stop: Cancellation;
  readonly places: Places;
  readonly valuation: Valuation;
}

/** Runs mappers that accept the problem; those that refuse it are left out. */
export function tryMappers(
  entries: readonly MapperEntry[],
  { problem, context, stop, places, valuation }: Trials,
): Trial[] {
  const placeOfSlot = placesBySlot(places);
  const trials: Trial[] = [];
  for (const entry of entries) {
    const cancellation = trials.length === 0 ? context.cancellation : stop;
    if (cancellation.isCancelled()) break;
    const started = context.now();
    // As the mapper alone would draw them.
    const mapping = mappingBy(entry, problem, { ...context, random: context.random.copy(), cancellation });
    if (mapping === undefined) continue;
    const placeOfTask = mapping.map((slot) => placeOfSlot.get(slot)!);
    trials.push({
      name: entry.name,
      placeOfTask,
      value: valuation(placeOfTask),
      milliseconds: context.now() - started,
    });
  }
  return trials;
}

function mappingBy(entry: MapperEntry, problem: MappingProblem, context: MappingContext): Mapping | undefined {
  const answer = entry.map?.(problem, {
    ...context,
    argument: undefined,
    options: defaultOptions(entry),
    progress: ignoreProgress,
  });
  return answer?.ok === true ? answer.value.mapping : undefined;
}

const placesBySlot = ({ slotOfPlace }: Places): ReadonlyMap<number, number> =>
  new Map(Array.from(slotOfPlace, (slot, place) => [slot, place]));
