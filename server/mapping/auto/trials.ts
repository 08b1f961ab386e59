import { defaultOptions } from '../../model/catalogue.ts';
import { ignoreProgress, type Cancellation } from '../../model/cancellation.ts';
import type { Mapping } from '../../model/placement.ts';
import type { MapperEntry, MappingContext, MappingProblem } from '../contract.ts';
import { placesOfMapping, type Places } from '../problem/places.ts';

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

export interface TrialProblem {
  readonly problem: MappingProblem;
  /** As the mapper alone would get it; its random numbers are copied. */
  readonly context: MappingContext;
  readonly places: Places;
  readonly valuation: Valuation;
}

/** Runs a mapper exactly as it runs alone; undefined where it refuses the problem or `cancellation` ends it. */
export function tryMapper(
  entry: MapperEntry,
  { problem, context, places, valuation }: TrialProblem,
  cancellation: Cancellation,
): Trial | undefined {
  const started = context.now();
  const mapping = mappingBy(entry, problem, { ...context, random: context.random.copy(), cancellation });
  if (mapping === undefined) return undefined;
  const placeOfTask = placesOfMapping(places, mapping);
  return { name: entry.name, placeOfTask, value: valuation(placeOfTask), milliseconds: context.now() - started };
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
