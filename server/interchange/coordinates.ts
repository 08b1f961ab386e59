import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { TaskPositions } from '../model/job.ts';
import { taskLimit } from '../model/job.ts';
import { formatNumber } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import { ByteScanner } from './byteScanner.ts';
import { parseDecimal } from './entries.ts';
import { faultOfBytes, withoutByteOrderMark, ending } from './reading.ts';

/** More numbers on a line than this are a matrix that was named by mistake. */
const coordinateLimit = 16;

/** Numbers of all tasks together: 128 MiB. */
const numberLimit = 2 ** 24;

const hash = '#'.charCodeAt(0);

/**
 * Reads where tasks live: a line of numbers with blanks between them for each task, in the order of
 * the tasks and with as many numbers on every line, at most {@link coordinateLimit}. Empty lines and
 * lines that begin with `#` are passed over. Numbers are decimal, with an exponent or without; no
 * infinity. Fails with `bad-coordinates` and one sentence that begins with the file's
 * name and line. O(bytes).
 */
export function readCoordinates(
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
): Result<TaskPositions> {
  const fault = faultOfBytes(content);
  if (fault !== undefined) return fail('bad-coordinates', `${fileName}: ${fault}`);
  const bytes = withoutByteOrderMark(content);
  return ending(cancellation, () => readCoordinateLines(bytes, fileName, cancellation));
}

function readCoordinateLines(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<TaskPositions> {
  const scanner = new ByteScanner(bytes, cancellation);
  const refuse = (message: string) => fail('bad-coordinates', `${fileName}:${scanner.line}: ${message}`);
  const line: number[] = [];
  let values = new Float64Array(0);
  let lines = new Int32Array(0);
  let tasks = 0;
  let dimensions = 0;
  while (scanner.nextContentLine(hash)) {
    const wrong = readCoordinateLine(scanner, line);
    if (wrong !== undefined) return refuse(wrong);
    if (tasks === 0) {
      dimensions = line.length;
      const most = Math.min(taskLimit, countLines(bytes), Math.floor(numberLimit / dimensions));
      values = new Float64Array(most * dimensions);
      lines = new Int32Array(most);
    }
    if (line.length !== dimensions) return refuse(mixedDimensions(line.length, dimensions, lines[0]!));
    if (tasks === lines.length) {
      return refuse(`More than ${formatNumber(tasks)} lines of ${dimensions} numbers, the maximum.`);
    }
    values.set(line, tasks * dimensions);
    lines[tasks++] = scanner.line;
  }
  if (tasks === 0) {
    return fail('bad-coordinates', `${fileName}: The file has no coordinates. Write a line \`x y z\` for each task.`);
  }
  return succeed({ fileName, dimensions, values: values.slice(0, tasks * dimensions), lines: lines.slice(0, tasks) });
}

/** At most so many lines have content. */
function countLines(bytes: Uint8Array): number {
  let count = 1;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

/** Fills `values` with the numbers of the line; returns what is wrong with it. */
function readCoordinateLine(scanner: ByteScanner, values: number[]): string | undefined {
  values.length = 0;
  while (!scanner.atLineEnd()) {
    const whole = scanner.wholeNumber();
    const word = whole < 0 ? scanner.field() : '';
    if (word.startsWith('#')) return undefined;
    if (values.length === coordinateLimit) {
      return `More than ${coordinateLimit} numbers on a line. Write one \`x y z\` per task.`;
    }
    const value = whole < 0 ? parseDecimal(word) : whole;
    if (value === undefined) return faultOfWord(word);
    if (!Number.isFinite(value)) return `${quote(word)} is too large.`;
    values.push(value);
  }
  return undefined;
}

const faultOfWord = (word: string): string =>
  word.includes(',')
    ? `${quote(word)} contains a comma. Separate numbers by blanks and use a decimal point.`
    : `${quote(word)} is not a number.`;

const mixedDimensions = (count: number, dimensions: number, firstLine: number): string =>
  `Found ${count} ${count === 1 ? 'number' : 'numbers'}, but line ${firstLine} has ${dimensions}. Write the same number on every line.`;
