import { describe, expect, it } from 'vitest';
import { csvRecord, csvText } from './csv.ts';

describe('CSV', () => {
  it.each([
    [['a', 1, undefined, null, 2.5], 'a,1,,,2.5\n'],
    [['a,b', 'say "hi"', 'two\nlines', 'back\r'], '"a,b","say ""hi""","two\nlines","back\r"\n'],
    [[], '\n'],
  ] as const)('of %j is written as the standard has it', (cells, text) => {
    expect(csvRecord(cells)).toBe(text);
  });

  it('of several records ends each of them', () => {
    expect(csvText([['x'], [1]], '\r\n')).toBe('x\r\n1\r\n');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-3 °C', "'-3 °C"],
    ['@here', "'@here"],
    ['\tx', "'\tx"],
    ['=a,b', `"'=a,b"`],
    ['-3', '-3'],
    ['-1.5e-7', '-1.5e-7'],
    ['node-3', 'node-3'],
    [-3, '-3'],
    [Infinity, ''],
    [Number.NaN, ''],
    [undefined, ''],
  ])('is harmless in a spreadsheet: %j is %j', (cell, written) => {
    expect(csvRecord([cell], '')).toBe(written);
  });
});
