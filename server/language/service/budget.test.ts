import { describe, expect, it } from 'vitest';
import type { CatalogueEntry, OptionSpecification } from '../../model/catalogue.ts';
import { tokenize } from '../tokens.ts';
import { describeDefault, describeRange } from './catalogues.ts';
import { valueItems } from './completion/items.ts';
import { entryMarkdown, optionMarkdown } from './hover/catalogueEntry.ts';

const budget: OptionSpecification = {
  name: 'budget',
  summary: 'how long the search may take',
  kind: 'budget',
  seconds: { minimum: 0.001, maximum: 600 },
  steps: { minimum: 1000, maximum: 1e12 },
  default: { kind: 'seconds', amount: 1 },
};
const entry: CatalogueEntry = { name: 'seek', summary: 'Seeks', source: 'Placewright', options: [budget] };

describe('an option that takes a budget', () => {
  it('says what it may be and what it is when left out', () => {
    expect(describeRange(budget)).toBe('a time, 1 ms to 600 s, or a number of steps');
    expect(describeDefault(budget)).toBe('1 s');
    expect(describeDefault({ ...budget, default: { kind: 'steps', amount: 2000 } })).toBe('2000');
  });

  it('is shown in the hovers of its mapper and of itself', () => {
    expect(entryMarkdown('map', entry)).toContain(
      '| `budget` | a time, 1 ms to 600 s, or a number of steps | 1 s | how long the search may take |',
    );
    const shown = optionMarkdown(entry, budget);
    for (const part of ['seek(budget …)', 'a number of steps', 'Default: `1 s`']) expect(shown).toContain(part);
  });

  it.each([
    ['budget', ['1 s', '1000000']],
    ['budget 200', ['s', 'ms', 'ns', 'us', 'µs']],
    ['budget 200 ms', []],
  ])('is completed: %s', (written, expected) => {
    expect(valueItems(budget, tokenize(written).tokens).map(({ label }) => label)).toEqual(expected);
  });
});
