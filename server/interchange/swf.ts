import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { type JobLog, type LogHeader, swfFields, RefusalCounter } from '../model/jobLog.ts';
import { fail, type Result, succeed, withoutControls } from '../model/result.ts';
import { ending, faultOfSignature, withoutByteOrderMark } from './reading.ts';

/**
 * Job logs in the Standard Workload Format. Logs are hundreds of thousands of lines, so numbers are read from the bytes
 * without strings; what stays is 8 bytes for each of the 18 fields of a job and 4 for its line.
 */

const newline = 10;
const tab = 9;
const carriageReturn = 13;
const space = 32;
const plus = 43;
const minus = 45;
const dot = 46;
const zero = 48;
const nine = 57;
const semicolon = 59;

/** Lines between two polls of the cancellation. */
const linesPerPoll = 1024;
/** Digits that always fit a double exactly, also without their decimal point. */
const exactDigits = 15;
const largestValue = 2 ** 53;
/** Longer header lines are cut: they are shown, not computed with. */
const longestHeader = 1000;
const mostHeaders = 1000;
/** From here on a line has "more than" so many fields. */
const mostFieldsCounted = 64;

/** Headers may be in any encoding, so bytes that are no UTF-8 become �. */
const decoder = new TextDecoder();

/**
 * Reads a job log. A line with other than 18 fields, or with a field that is not a number up to 2^53, is refused: it
 * is counted by its reason, and the others are jobs. Jobs stay in the order of the file. Fails with `bad-log` and a
 * sentence that begins with the file's name where the bytes are no text, or where no line is a job. O(bytes).
 */
export function readJobLog(
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
): Result<JobLog> {
  const bytes = withoutByteOrderMark(content);
  const fault = faultOfSignature(bytes);
  if (fault !== undefined) return fail('bad-log', `${fileName}: ${fault}`);
  return ending(cancellation, () => {
    const log = readLogLines(bytes, fileName, cancellation);
    if (log.jobCount > 0) return succeed(log);
    const first = log.refused[0];
    if (first === undefined) return fail('bad-log', `${fileName}: The log has no jobs.`);
    const example = `line ${first.lines.join(', ')}: ${first.reason}`;
    return fail('bad-log', `${fileName}: The file has no job line of the Standard Workload Format (${example}).`);
  });
}

function readLogLines(bytes: Uint8Array, fileName: string, cancellation: Cancellation): JobLog {
  const refusals = new RefusalCounter();
  const headers: { key: string; value: string }[] = [];
  const jobs = new JobRows();
  const line = new LogLine(bytes);
  let number = 0;
  for (let start = 0; start < bytes.length;) {
    if (number++ % linesPerPoll === 0 && cancellation.isCancelled()) break;
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    const at = line.skipBlanks(start, end);
    if (at < end && bytes[at] === semicolon) readLogHeader(bytes.subarray(at + 1, end), headers);
    else if (at < end) {
      const reason = line.read(at, end);
      if (reason === undefined) jobs.add(line.values, number);
      else refusals.add(reason, number);
    }
    start = end + 1;
  }
  return { fileName, headers, ...jobs.finished(), refused: refusals.refused };
}

function readLogHeader(bytes: Uint8Array, headers: { -readonly [Key in keyof LogHeader]: LogHeader[Key] }[]): void {
  if (headers.length >= mostHeaders) return;
  const text = withoutControls(decoder.decode(bytes.subarray(0, longestHeader)).trim());
  const colon = /^([A-Za-z][A-Za-z0-9 _-]*):(?: |\t|$)/.exec(text);
  const last = headers.at(-1);
  if (colon !== null) headers.push({ key: (colon[1] ?? '').trim(), value: text.slice(colon[0].length).trim() });
  else if (last !== undefined && text !== '' && last.value.length < longestHeader) {
    last.value = `${last.value}\n${text}`.trim();
  }
}

/** The 18 numbers of one line. */
class LogLine {
  readonly values = new Float64Array(swfFields.length);
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  skipBlanks(from: number, end: number): number {
    let at = from;
    while (at < end && isBlank(this.#bytes[at])) at++;
    return at;
  }

  /** Fills `values`; else why the line is none of a job. */
  read(from: number, end: number): string | undefined {
    let wrong: string | undefined;
    let count = 0;
    for (let at = from; at < end; count++) {
      let stop = at;
      while (stop < end && !isBlank(this.#bytes[stop])) stop++;
      if (count < swfFields.length && wrong === undefined) {
        const value = this.#number(at, stop);
        if (Number.isNaN(value)) wrong = `field ${count + 1} (${swfFields[count] ?? ''}) is not a number up to 2^53`;
        else this.values[count] = value;
      }
      at = this.skipBlanks(stop, end);
    }
    if (count === swfFields.length) return wrong;
    const fields = count > mostFieldsCounted ? `more than ${mostFieldsCounted}` : String(count);
    return `it has ${fields} ${count === 1 ? 'field' : 'fields'} instead of ${swfFields.length}`;
  }

  /**
   * A whole or decimal number; NaN where it is none. Up to 15 digits are read here, whatever is longer by the engine.
   */
  #number(start: number, end: number): number {
    const bytes = this.#bytes;
    const sign = bytes[start];
    let at = sign === minus || sign === plus ? start + 1 : start;
    let mantissa = 0;
    let digits = 0;
    let scale = 1;
    let isDecimal = false;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= zero && byte <= nine) {
        mantissa = mantissa * 10 + (byte - zero);
        digits++;
        if (isDecimal) scale *= 10;
      } else if (byte === dot && !isDecimal) isDecimal = true;
      else return this.#longNumber(start, end);
    }
    if (digits === 0) return Number.NaN;
    if (digits > exactDigits) return this.#longNumber(start, end);
    // One division of two exact numbers: the nearest double, as the engine itself would read it.
    const value = mantissa / scale;
    return sign === minus ? -value : value;
  }

  #longNumber(start: number, end: number): number {
    if (end - start > longestHeader) return Number.NaN;
    const text = decoder.decode(this.#bytes.subarray(start, end));
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number.NaN;
    const value = Number(text);
    return Math.abs(value) <= largestValue ? value : Number.NaN;
  }
}

const isBlank = (byte: number | undefined): boolean => byte === space || byte === tab || byte === carriageReturn;

/** Rows that grow by half and are cut to their number at the end. */
class JobRows {
  #count = 0;
  #lines = new Int32Array(256);
  #columns = swfFields.map(() => new Float64Array(256));

  add(values: Float64Array, line: number): void {
    if (this.#count === this.#lines.length) this.#resize(Math.ceil(this.#count * 1.5));
    this.#lines[this.#count] = line;
    this.#columns.forEach((column, field) => (column[this.#count] = values[field] ?? -1));
    this.#count++;
  }

  finished(): Pick<JobLog, 'jobCount' | 'lines' | 'columns'> {
    this.#resize(this.#count);
    return { jobCount: this.#count, lines: this.#lines, columns: this.#columns };
  }

  #resize(length: number): void {
    const kept = Math.min(length, this.#count);
    const lines = new Int32Array(length);
    lines.set(this.#lines.subarray(0, kept));
    this.#lines = lines;
    // One column after the other, so that little is held twice.
    for (const [field, column] of this.#columns.entries()) {
      const grown = new Float64Array(length);
      grown.set(column.subarray(0, kept));
      this.#columns[field] = grown;
    }
  }
}
