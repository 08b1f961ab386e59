import { describe, expect, it } from 'vitest';
import { readIntegers } from './integers.ts';

describe('readIntegers', () => {
  it.each([
    ['one per line', '3\n1\n2\n', [3, 1, 2]],
    ['blanks, commas, semicolons', ' 3, 1;2\t0 ', [3, 1, 2, 0]],
    ['comments and CRLF', '# job a\r\n3 # first\r\n\r\n1\r\n', [3, 1]],
    ['a byte order mark', '\u{feff}4', [4]],
  ])('reads %s', (_, text, expected) => {
    const result = readIntegers(text);
    expect(result.ok && Array.from(result.value)).toEqual(expected);
  });

  it.each([
    ['nothing', '# none\n', /no numbers/],
    ['words', '1\ntwo\n', /^Line 2: 'two'/],
    ['negative numbers', '-1', /^Line 1: '-1'/],
    ['fractions', '1.5', /^Line 1: '1.5'/],
    ['numbers above 2^31 − 1', '2147483648', /^Line 1: '2147483648'/],
  ])('refuses %s with the line', (_, text, expected) => {
    const result = readIntegers(text);
    expect(!result.ok && result.failure.message).toMatch(expected);
  });
});
