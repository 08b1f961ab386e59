import type { CriterionEntry } from './contract.ts';
import { distance, hopBytes } from './distance.ts';
import { equivalent } from './equivalent.ts';
import { maximumLoad } from './maximumLoad.ts';
import { trafficDistribution } from './trafficDistribution.ts';
import type { OptionSpecification } from '../../model/catalogue.ts';

/** All criteria: the words after `criterion`. One file and one line each. */
export const criteria: readonly CriterionEntry[] = [distance, trafficDistribution, equivalent, hopBytes, maximumLoad];

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
  if (chosen === undefined) throw new Error(`There is no criterion \`${String(options[name])}\`.`);
  return chosen;
}
