import { describe, expect, it } from 'vitest';
import { keptOf, merged, quotedOf, type Kept } from '../../tools/paperMeasured.ts';
import { paperTables } from '../../tools/paperTables/catalogue.ts';
import { expectGeneratedBlock } from './generatedBlock.ts';

describe('the pages of the papers', () => {
  const parts = Object.entries(paperTables).flatMap(([paper, { page, parts: all }]) =>
    all.map((part) => ({ paper, page, ...part })),
  );
  it.each(parts)('$name: what experiments quote beside what is kept', ({ paper, page, name, text }) => {
    expectGeneratedBlock(`samples/papers/${page}`, name, text(keptOf(paper), quotedOf(paper)));
  });

  it.each(Object.entries(paperTables))(
    '%s: what is kept is of experiments that there are',
    (paper, { keptTogether }) => {
      const experiments = new Set(quotedOf(paper).keys());
      const unknown = keptOf(paper).filter(({ experiment }) => !experiments.has(experiment));
      // What is of several is called as its paper calls it.
      const isTogether = ({ experiment }: Kept): boolean =>
        keptTogether !== undefined && /^(?:figure|section)-\d/.test(experiment);
      expect(unknown.filter((one) => !isTogether(one))).toEqual([]);
    },
  );
});

describe('what is kept', () => {
  const run = (form: Kept['form'], names: readonly string[], value = 1): Kept => ({
    ...{ experiment: 'table-3-lu', form, replications: 2 },
    figures: Object.fromEntries(names.map((name) => [name, { value }])),
  });

  it.each([
    {
      says: 'the same form anew',
      kept: [run('short', ['a'])],
      added: run('short', ['a'], 2),
      left: [run('short', ['a'], 2)],
    },
    {
      says: 'a larger form',
      kept: [run('short', ['a'])],
      added: run('whole', ['a', 'b']),
      left: [run('whole', ['a', 'b'])],
    },
    {
      says: 'a larger form that lacks a number',
      kept: [run('short', ['a', 'c'])],
      added: run('middle', ['a']),
      left: [run('middle', ['a']), run('short', ['a', 'c'])],
    },
    { says: 'a smaller form', kept: [run('whole', ['a'])], added: run('short', ['a']), left: [run('whole', ['a'])] },
  ])('$says', ({ kept, added, left }) => {
    expect(merged(kept, [added])).toEqual(left);
  });
});
