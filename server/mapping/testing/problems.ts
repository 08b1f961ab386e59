import { defaultOptions } from '../../model/catalogue.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { fail } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';

/** The context in which the study runs a mapper that is given nothing but its name. */
export function contextFor(entry: MapperEntry, overrides: Partial<MappingContext> = {}): MappingContext {
  return {
    argument: undefined,
    options: defaultOptions(entry),
    random: seededRandom(1),
    cancellation: neverCancelled,
    progress: ignoreProgress,
    givenFile: ({ uri }) => fail('missing-file', `There is no file ${uri}.`),
    now: () => 0,
    ...overrides,
  };
}

/** Runs a mapper that must succeed. */
export function mapWith(
  entry: MapperEntry,
  problem: MappingProblem,
  overrides: Partial<MappingContext> = {},
): MappingAnswer {
  const answer = entry.map(problem, contextFor(entry, overrides));
  if (!answer.ok) throw new Error(`${entry.name}: ${answer.failure.message}`);
  return answer.value;
}
