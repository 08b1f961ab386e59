import type { TaskPositions } from '../model/job.ts';
import { type Result, fail, succeed } from '../model/result.ts';
import { parseDecimal, quote } from './amounts.ts';
import { ByteScanner } from './byteScanner.ts';
import { faultOfBytes, withoutByteOrderMark } from './plainText.ts';

/** More numbers on a line than this are a matrix that was named by mistake. */
export const coordinateLimit = 16;

const hash = '#'.charCodeAt(0);

/**
 * Reads where tasks live: a line of numbers with blanks between them for each task, in the order of
 * the tasks and with as many numbers on every line, at most {@link coordinateLimit}. Empty lines and
 * lines that begin with `#` are passed over. Numbers are decimal, with an exponent or without; no
 * infinity. Never throws. Fails with `bad-coordinates` and one sentence that begins with the file's
 * name and line. O(bytes).
 */
export function readCoordinates(bytes: Uint8Array, fileName: string): Result<TaskPositions> {
  const fault = faultOfBytes(bytes);
  if (fault !== undefined) return fail('bad-coordinates', `${fileName}: ${fault}`);
  const scanner = new ByteScanner(withoutByteOrderMark(bytes));
  const values: number[] = [];
  const lines: number[] = [];
  let dimensions = 0;
  while (scanner.nextContentLine(hash)) {
    const before = values.length;
    const wrong = readLine(scanner, values);
    const count = values.length - before;
    if (lines.length === 0) dimensions = count;
    const complaint = wrong ?? (count === dimensions ? undefined : mixedDimensions(count, dimensions, lines[0]!));
    if (complaint !== undefined) return fail('bad-coordinates', `${fileName}:${scanner.line}: ${complaint}`);
    lines.push(scanner.line);
  }
  if (lines.length === 0) {
    return fail('bad-coordinates', `${fileName}: The file has no coordinates; write a line \`x y z\` for each task.`);
  }
  return succeed({ fileName, dimensions, values: Float64Array.from(values), lines: Int32Array.from(lines) });
}

/** Adds the numbers of the line to `values`; answers what is wrong with it. */
function readLine(scanner: ByteScanner, values: number[]): string | undefined {
  for (let read = 0; !scanner.atLineEnd(); read++) {
    const word = scanner.field();
    if (word.startsWith('#')) return undefined;
    if (read === coordinateLimit) return `More than ${coordinateLimit} numbers; a line is \`x y z\` of one task.`;
    const value = parseDecimal(word);
    if (value === undefined) return faultOfWord(word);
    if (!Number.isFinite(value)) return `${quote(word)} is too large a number.`;
    values.push(value);
  }
  return undefined;
}

const faultOfWord = (word: string): string =>
  word.includes(',')
    ? `${quote(word)} has a comma: write blanks between numbers, and a point before decimals.`
    : `${quote(word)} is not a number.`;

const mixedDimensions = (count: number, dimensions: number, firstLine: number): string =>
  `${count} ${count === 1 ? 'number' : 'numbers'}, but line ${firstLine} has ${dimensions}: ` +
  'write as many on every line.';
