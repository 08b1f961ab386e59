import { expect, it } from 'vitest';
import { PlaceGrammar } from './grammar.ts';
import { createLexer, tokenize, Word } from './tokens.ts';

// What runs does not look: it would look at the same rules at every start.
it('has tokens that fit together', () => {
  expect(createLexer({ isChecked: true }).lexerDefinitionErrors).toEqual([]);
});

it('has rules that one token tells apart', () => {
  expect(() => new PlaceGrammar({ isChecked: true })).not.toThrow();
});

it('begins words with any letter of one unit', () => {
  const letters = Array.from({ length: 2 ** 16 }, (_, unit) => String.fromCharCode(unit)).filter((each) =>
    /\p{L}/u.test(each),
  );
  const words = tokenize(letters.join(' ')).tokens;
  expect(words.map(({ image }) => image)).toEqual(letters);
  expect(words.every(({ tokenType }) => tokenType === Word)).toBe(true);
});
