import type { OptionSpecification } from '../../model/catalogue.ts';
import { criteria } from './catalogue.ts';
import type { CriterionEntry } from './contract.ts';

const name = 'criterion';

/** Option of every search: what it minimises. */
export const criterionOption = (standard: string): OptionSpecification => ({
  name,
  summary: 'what the search minimises',
  kind: 'choice',
  choices: criteria.map((criterion) => criterion.name),
  default: standard,
});

/** The criterion that the options of a search name; they are checked, so there is one. */
export function criterionOf(options: Readonly<Record<string, unknown>>): CriterionEntry {
  const chosen = criteria.find((criterion) => criterion.name === options[name]);
  if (chosen === undefined) throw new Error(`There is no criterion \`${String(options[name])}\`.`);
  return chosen;
}
