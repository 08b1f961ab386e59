import { describe, expect, it } from 'vitest';
import type { CatalogueEntry } from '../../model/catalogue.ts';
import { parseText } from '../parse.ts';
import { symbolsOf } from '../symbols.ts';
import type { Problem } from '../tree.ts';
import { optionValues } from './options.ts';
import { scopeOf } from './scope.ts';

const entry: CatalogueEntry = {
  name: 'search',
  summary: '',
  source: '',
  options: [
    { name: 'size', summary: 'the size', kind: 'integer', minimum: 1, maximum: 9, required: true },
    { name: 'factor', summary: '', kind: 'number', minimum: 0, maximum: 2, default: 1 },
    { name: 'share', summary: '', kind: 'fraction', minimum: 0, maximum: 1, default: 0.2 },
    { name: 'budget', summary: '', kind: 'time', minimum: 0.001, maximum: 60 },
    {
      name: 'effort',
      summary: '',
      kind: 'budget',
      seconds: { minimum: 0.001, maximum: 60 },
      steps: { minimum: 1, maximum: 100 },
    },
    { name: 'block', summary: '', kind: 'shape' },
    { name: 'criterion', summary: '', kind: 'choice', choices: ['hops', 'loads'], default: 'hops' },
    { name: 'order', summary: '', kind: 'axes' },
  ],
};

/** The values of `map search(OPTIONS)` and the problems found in them. */
function check(options: string): { values: ReturnType<typeof optionValues>; problems: string[] } {
  const text = `placement p { map search(${options}) }`;
  const { tree, problems: syntax } = parseText(text);
  expect(syntax).toEqual([]);
  const content = tree.declarations[0]?.properties[0]?.content;
  if (content?.kind !== 'choice') throw new Error(`No choice in ${text}`);
  const problems: Problem[] = [];
  const scope = scopeOf('file:///a.place', symbolsOf({ root: '', files: new Map() }), problems);
  const values = optionValues(scope, entry, content.choice);
  return { values, problems: problems.map(({ code, start, end }) => `${code} ${text.slice(start, end)}`) };
}

describe('options', () => {
  it('are filled with defaults', () => {
    expect(check('size 3')).toEqual({ values: { size: 3, factor: 1, share: 0.2, criterion: 'hops' }, problems: [] });
  });

  it('are read in their kind and unit', () => {
    const { values } = check('size 3, factor 1.5, share 40%, budget 20 ms, block 2 x 2, criterion loads, order y, x');
    expect(values).toEqual({
      size: 3,
      factor: 1.5,
      share: 0.4,
      budget: 0.02,
      block: [2, 2],
      criterion: 'loads',
      order: [1, 0],
    });
  });

  it.each([
    ['20 ms', { kind: 'seconds', amount: 0.02 }],
    ['40', { kind: 'steps', amount: 40 }],
  ])('take a budget of %s', (written, effort) => {
    expect(check(`size 3, effort ${written}`)).toMatchObject({ values: { effort }, problems: [] });
  });

  it.each([
    ['size 3, effort 2 h', 'unknown-unit h'],
    ['size 3, effort 2 min', 'unknown-unit min'],
    ['size 3, effort 90 s', 'out-of-range 90 s'],
    ['size 3, effort 101', 'too-large 101'],
    ['size 3, effort 0.5', 'wrong-unit 0.5'],
    ['size 3, effort 0', 'wrong-unit 0'],
    ['size 3, effort 0 s', 'out-of-range 0 s'],
    ['size 3, effort 10%', 'wrong-unit %'],
    ['size 3, effort 5 KiB', 'wrong-unit KiB'],
    ['size 3, effort 2 x 2', 'wrong-value 2 x 2'],
    ['effort, size 3', 'missing-value effort'],
    ['size 3, effort long', 'wrong-value long'],
    ['factor 1', 'missing-option search'],
    ['size 0', 'out-of-range 0'],
    ['size 10', 'too-large 10'],
    ['size', 'missing-value size'],
    ['size 3, factor 3', 'too-large 3'],
    ['size 3, share 120%', 'too-large 120'],
    ['size 3, share 1.2', 'too-large 1.2'],
    ['size 3, share 20 ms', 'wrong-unit 20 ms'],
    ['size 3, share high', 'wrong-value high'],
    ['size 3, budget 2', 'wrong-unit 2'],
    ['size 3, budget 2 KiB', 'wrong-unit KiB'],
    ['size 3, budget 100 s', 'out-of-range 100 s'],
    ['size 3, block 2 x 0', 'out-of-range 0'],
    ['size 3, criterion hop', 'wrong-value hop'],
    ['size 3, order y, q', 'wrong-value q'],
    ['size 3, order y, y', 'duplicate-number y'],
  ])('(%s) is wrong', (options, problem) => {
    expect(check(options)).toEqual({ values: undefined, problems: [problem] });
  });
});
