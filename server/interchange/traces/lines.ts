import type { Cancellation } from '../../model/cancellation.ts';
import { formatNumber } from '../../model/quantities.ts';
import { cancelled, fail, type Result, succeed, withoutControls } from '../../model/result.ts';
import { mostOperations } from '../../model/workload.ts';
import type { TraceFile } from '../contract.ts';
import { faultOfSignature } from '../reading.ts';

/** Longer lines are none of a trace: the longest name an amount for each rank. */
const longestLine = 2 ** 24;
/** Lines between two polls of the cancellation. */
const linesPerPoll = 1024;

/** The one file of a format that has one for all ranks; `what` begins the sentence where there are several. */
export function onlyFile(files: readonly TraceFile[], what: string): Result<TraceFile> {
  const [file] = files;
  if (file !== undefined && files.length === 1) return succeed(file);
  return fail(
    'bad-trace',
    `${file?.name ?? 'The trace'}: ${what} is one file for all ranks, but ${files.length} are given. Name one file.`,
  );
}

/** Of the line at which no more can be kept. */
export const tooManyOperations = `The trace has more than ${formatNumber(mostOperations)} operations, the maximum for a replay. Use fewer tasks or iterations, or a table of sums (\`table NAME from "FILE"\`).`;

/** What the line holds is told as it can be shown. */
export const refusedAt = (file: TraceFile, line: number, reason: string): ReturnType<typeof fail> =>
  fail(
    reason === tooManyOperations ? 'workload-too-large' : 'bad-trace',
    `${file.name}:${line}: ${withoutControls(reason)}`,
  );

/**
 * Goes through a file line by line, in memory of one chunk and one line. The visitor answers why a line is refused,
 * which ends the reading with `bad-trace`, its file and line. Lines come without their ends; the number of lines is returned.
 */
export function forEachLine(
  file: TraceFile,
  cancellation: Cancellation,
  visit: (text: string, line: number) => string | undefined,
): Result<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 0;
  const whole = (text: string): string | undefined => visit(text.endsWith('\r') ? text.slice(0, -1) : text, ++line);
  for (const part of decoded(file, decoder)) {
    if (part === undefined)
      return refusedAt(file, line + 1, 'The text is not UTF-8 from here on. Save the file as UTF-8.');
    if (typeof part !== 'string') return fail('bad-trace', `${file.name}: ${part.fault}`);
    const pieces = (rest + part).split('\n');
    rest = pieces.pop() ?? '';
    if (rest.length > longestLine) return refusedAt(file, line + 1, 'The line is too long for a trace.');
    for (const piece of pieces) {
      const reason = whole(piece);
      if (reason !== undefined) return refusedAt(file, line, reason);
      if (line % linesPerPoll === 0 && cancellation.isCancelled()) return cancelled();
    }
  }
  const reason = rest === '' ? undefined : whole(rest);
  return reason === undefined ? succeed(line) : refusedAt(file, line, reason);
}

/** The text of a file in parts; `undefined` where it is no UTF-8, a fault where it is no text at all. */
function* decoded(
  file: TraceFile,
  decoder: InstanceType<typeof TextDecoder>,
): Generator<string | undefined | { readonly fault: string }> {
  const decode = (bytes?: Uint8Array): string | undefined => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      return undefined;
    }
  };
  let isBeginning = true;
  for (const chunk of file.chunks()) {
    const fault = faultOfSignature(chunk, isBeginning);
    isBeginning = false;
    if (fault !== undefined) yield { fault };
    yield decode(chunk);
  }
  yield decode();
}

/** The words of a line. */
export const splitWords = (text: string): string[] => text.split(/[ \t]+/).filter((word) => word !== '');

const wholeNumber = /^\d{1,16}$/;
const anyNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A whole number below 2^53 in digits, or undefined. */
export function count(word: string | undefined): number | undefined {
  if (word === undefined || !wholeNumber.test(word)) return undefined;
  const value = Number(word);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A whole amount that may be written as `1e6`. */
export function amount(word: string | undefined): number | undefined {
  const value = real(word);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A finite number ≥ 0. */
export function real(word: string | undefined): number | undefined {
  if (word === undefined || word.length > 40 || !anyNumber.test(word)) return undefined;
  const value = Number(word);
  return value >= 0 && Number.isFinite(value) ? value : undefined;
}

/** A tag: a whole number of 32 bits, not negative. */
export function tag(word: string | undefined): number | undefined {
  const value = count(word);
  return value !== undefined && value < 2 ** 31 ? value : undefined;
}
