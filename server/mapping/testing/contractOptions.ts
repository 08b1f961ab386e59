import { defaultOptions, type OptionValue, type OptionValues } from '../../model/catalogue.ts';
import type { MapperEntry, MappingProblem } from '../contract.ts';

/** Counts of work, whose defaults take long: options that may be a million and more. */
const fewOf = 3;
const manyAtMost = 1_000_000;
/** Steps of a budget, which is in time by default; more where counts are more than few. */
const fewSteps = 1_000;
const manySteps = 10_000;

/**
 * The options with which tests run a mapper: defaults, but for those that say how much is to be tried,
 * which are `counts` each. A budget is given in steps, so that the answer does not depend on the machine.
 */
export function contractOptions(entry: MapperEntry, chosen: OptionValues = {}, counts = fewOf): OptionValues {
  const options: Record<string, OptionValue> = { ...defaultOptions(entry) };
  for (const option of entry.options) {
    if (option.kind === 'budget')
      options[option.name] = { kind: 'steps', amount: counts > fewOf ? manySteps : fewSteps };
    if (option.kind === 'integer' && option.maximum >= manyAtMost) options[option.name] = counts;
  }
  return { ...options, ...chosen };
}

/** How much of the contract is run: in seconds, or with the largest jobs too. */
export type Thoroughness = 'quick' | 'thorough';

/** Tasks that a mapper must manage in a test, by how its time grows. */
const mostTasks = { linear: Infinity, quadratic: 256, cubic: 64 } as const;
/** The same of mappers that work on pairs, which take seconds for thousands of tasks. */
const mostTasksOfPairs = { quick: 512, thorough: Infinity } as const;

export const manages = ({ scaling, bytesPerPair }: MapperEntry, { job }: MappingProblem, how: Thoroughness): boolean =>
  job.taskCount <= mostTasks[scaling] && (bytesPerPair === undefined || job.taskCount <= mostTasksOfPairs[how]);

/** The criteria that a mapper can be given; none where it takes no criterion. */
export function criteriaOf({ options }: MapperEntry): readonly string[] {
  const option = options.find(({ name }) => name === 'criterion');
  return option?.kind === 'choice' ? option.choices : [];
}
