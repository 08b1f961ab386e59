import { type Result, fail, succeed } from '../model/result.ts';
import { quote } from './amounts.ts';

const largest = 2 ** 31 - 1;

/**
 * Reads whole numbers ≥ 0, one per line or separated by blanks, commas or semicolons; `#` begins
 * a comment. A mapping vector is such a list: the slot of each task. Fails with `bad-integers`
 * and a sentence that begins with the line. O(characters).
 */
export function readIntegers(text: string): Result<Int32Array> {
  const numbers: number[] = [];
  let line = 0;
  for (const content of text.replace(/^\u{feff}/u, '').split(/\r\n|\n|\r/)) {
    line++;
    const beforeComment = content.split('#', 1)[0]!;
    for (const word of beforeComment.split(/[\s,;]+/)) {
      if (word === '') continue;
      const value = /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN;
      if (!(value <= largest)) {
        return fail('bad-integers', `Line ${line}: ${quote(word)} is not a whole number from 0 to ${largest}.`);
      }
      numbers.push(value);
    }
  }
  if (numbers.length === 0)
    return fail('bad-integers', 'The file has no numbers; a mapping vector has a slot per task.');
  return succeed(Int32Array.from(numbers));
}
