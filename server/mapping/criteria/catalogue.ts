import type { OptionSpecification } from '../../model/catalogue.ts';
import { distanceModels } from '../../network/catalogue.ts';
import { hopBytes, sumOfDistances } from './additive.ts';
import type { CriterionEntry } from './contract.ts';
import { linkTime } from './linkTime.ts';
import { maximumLoad } from './maximumLoad.ts';

/** All criteria: the words after `criterion`. One for each distance model, and others of one file and one line each. */
export const criteria: readonly CriterionEntry[] = [
  ...distanceModels.map((model) => sumOfDistances(model)),
  hopBytes,
  linkTime,
  maximumLoad,
];

const name = 'criterion';

/**
 * Option of every search: what it minimises; without a standard the mapper chooses one that means something on the
 * machine.
 */
export const criterionOption = (standard?: string, summary = 'what the search minimises'): OptionSpecification => ({
  name,
  summary,
  kind: 'choice',
  choices: criteria.map((criterion) => criterion.name),
  ...(standard === undefined ? {} : { default: standard }),
});

/** The criterion that the options of a search name, or `standard`; they are checked, so there is one. */
export function criterionOf(options: Readonly<Record<string, unknown>>, standard?: CriterionEntry): CriterionEntry {
  const chosen = options[name] === undefined ? standard : criteria.find((one) => one.name === options[name]);
  if (chosen === undefined) throw new Error(`Unknown criterion \`${String(options[name])}\`.`);
  return chosen;
}
