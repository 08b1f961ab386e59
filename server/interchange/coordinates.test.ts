import { describe, expect, it } from 'vitest';
import { readCoordinates } from './coordinates.ts';

const read = (text: string) => readCoordinates(new TextEncoder().encode(text), 'xyz.txt');

describe('coordinates', () => {
  it.each([
    ['one number per line', '3\n1\n', 1, [3, 1], [1, 2]],
    ['blanks and tabs', ' 1 2\t3 \n4 5 6', 3, [1, 2, 3, 4, 5, 6], [1, 2]],
    ['signs, points and exponents', '-1.5 +.5\n2.e3 1E-2\n', 2, [-1.5, 0.5, 2000, 0.01], [1, 2]],
    ['empty lines, comments and CRLF', '# x y\r\n\r\n1 2 # first\r\n  \r\n#\r\n3 4\r\n', 2, [1, 2, 3, 4], [3, 6]],
    ['a byte order mark', '\u{feff}4 5', 2, [4, 5], [1]],
    ['two of them before a comment', '\u{feff}\u{feff}# x y\n4 5', 2, [4, 5], [2]],
  ])('are read from %s', (_, text, dimensions, values, lines) => {
    expect(read(text)).toEqual({
      ok: true,
      value: { fileName: 'xyz.txt', dimensions, values: Float64Array.from(values), lines: Int32Array.from(lines) },
    });
  });

  it.each([
    ['nothing', '# none\n', 'xyz.txt: The file has no coordinates. Write a line `x y z` for each task.'],
    ['a byte order mark inside', '1 2\n\u{feff}# 3\n', "xyz.txt:2: '\u{feff}#' is not a number."],
    ['words', '1 2\n3 four\n', "xyz.txt:2: 'four' is not a number."],
    ['what is not finite', '1 2\n\n3 1e999\n', "xyz.txt:3: '1e999' is too large."],
    ['NaN and infinity by name', 'NaN 1', "xyz.txt:1: 'NaN' is not a number."],
    ['hexadecimal', '0x10', "xyz.txt:1: '0x10' is not a number."],
    ['commas', '0,5 1,5\n', "xyz.txt:1: '0,5' contains a comma. Separate numbers by blanks and use a decimal point."],
    [
      'lines of different length',
      '#\n1 2\n1 2 3\n',
      'xyz.txt:3: Found 3 numbers, but line 2 has 2. Write the same number on every line.',
    ],
    ['a matrix', '1 '.repeat(40), 'xyz.txt:1: More than 16 numbers on a line. Write one `x y z` per task.'],
    ['bytes that are no text', '\0\0', 'xyz.txt: The file is binary, not text: byte 0 is zero.'],
  ])('are refused: %s', (_, text, message) => {
    expect(read(text)).toEqual({ ok: false, failure: { code: 'bad-coordinates', message } });
  });
});
