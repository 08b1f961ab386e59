import type { OptionSpecification } from '../../model/catalogue.ts';

/** Option of every search: what it minimises. */
export const criterionOption = (standard: string): OptionSpecification => ({
  name: 'criterion',
  summary: 'what the search minimises',
  kind: 'choice',
  choices: ['distance', 'traffic-distribution', 'equivalent', 'hop-bytes', 'maximum-load'],
  default: standard,
});
