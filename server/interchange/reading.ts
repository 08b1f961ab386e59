/**
 * What all readers share: an end where they are cancelled, calls of libraries that throw, the text of a file's bytes,
 * and the lines of a text.
 */
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { FabricWarning } from '../model/fabric.ts';
import { countOf } from '../model/quantities.ts';
import { withoutControls, type Result, cancelled, succeed } from '../model/result.ts';

/**
 * Runs a reader that may be cancelled: it stops at its next poll and answers with what it has, which is dropped here in
 * favour of `cancelled`. So no loop of a reader needs a result of its own for that.
 */
export function ending<Value>(cancellation: Cancellation, read: () => Result<Value>): Result<Value> {
  if (cancellation.isCancelled()) return cancelled();
  const result = read();
  return cancellation.isCancelled() ? cancelled() : result;
}

/** As {@link ending}, for a reader that loads its parser. */
export async function endingLater<Value>(
  cancellation: Cancellation,
  read: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  if (cancellation.isCancelled()) return cancelled();
  const result = await read();
  return cancellation.isCancelled() ? cancelled() : result;
}

/**
 * Calls a library that throws at damaged text, or at text that it cannot cope with: its error becomes the end of a
 * sentence, on one line. Only library code may run inside, so that faults of our own stay exceptions.
 */
export function calling<Value>(library: () => Value, sentence: string): Result<Value, string> {
  try {
    return succeed(library());
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message) : 'it cannot be read';
    return { ok: false, failure: `${sentence}: ${reason}.` };
  }
}

/** A library's message on one line, without the stop at its end. */
export function oneLine(message: string): string {
  const line = withoutControls(message.slice(0, 300).replace(/\s+/g, ' ').trim());
  return line.replace(/[.:\s]+$/, '');
}

/** What a table of names says of one that a file gives: `constructor` is no name of any. */
export const ownEntry = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Files that users hand over by mistake, by their first bytes or, as archives of tar are told, by bytes further on. */
const signatures: readonly {
  readonly bytes: readonly number[];
  readonly at?: number;
  readonly advice: string;
}[] = [
  { bytes: [0x1f, 0x8b], advice: 'It is compressed with gzip. Unpack it first (`gunzip`).' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], advice: 'It is compressed with xz. Unpack it first (`unxz`).' },
  {
    bytes: [0x00, 0x50, 0x00, 0x50, 0x00, 0x4b],
    advice: 'It is a packed TAU profile, which has no senders and receivers. Use a trace or another profile.',
  },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], advice: 'It is compressed with zstd. Unpack it first (`unzstd`).' },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    advice:
      'It is a zip archive, such as a spreadsheet or .npz file. Save a sheet as CSV, or an array with numpy.save.',
  },
  {
    bytes: [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59],
    advice: 'It is a NumPy array, which only tables accept. Write it with numpy.savetxt(…, delimiter=",").',
  },
  {
    bytes: [0x75, 0x73, 0x74, 0x61, 0x72],
    at: 257,
    advice: 'It is a tar archive. Unpack it first (`tar --extract`).',
  },
  {
    bytes: [0x03, 0x42, 0x4f, 0x54, 0x46, 0x32],
    advice: 'It is the anchor file of an OTF2 archive. Use the output of otf2-print.',
  },
  {
    bytes: [0x03, 0x42, 0x01, 0x00],
    advice: 'It is a part of an OTF2 archive. Use the output of otf2-print for the whole archive.',
  },
  {
    bytes: [0xff, 0xaa, 0xdd, 0x44, 0x55, 0x4d, 0x50, 0x49],
    advice: 'It is a binary DUMPI trace. Use the output of dumpi2ascii.',
  },
  { bytes: [0xff, 0xfe], advice: 'It is UTF-16 text. Save it as UTF-8.' },
  { bytes: [0xfe, 0xff], advice: 'It is UTF-16 text. Save it as UTF-8.' },
];

/** Texts that users hand over by mistake, by how they begin. */
const texts: readonly { readonly beginning: RegExp; readonly advice: string }[] = [
  {
    beginning: /^# collprof/,
    advice: 'It is a liballprof trace of one rank. Convert the traces of all ranks to GOAL with Schedgen.',
  },
  {
    beginning: /^hostname=.*\r?\nnumprocs=/,
    advice: 'It is the description of a DUMPI trace. Use the output of dumpi2ascii for the parts of the trace.',
  },
  {
    beginning: /^\d+ \S+\.[a-z]\w* \d+ \d+\s*(?:\n|$)/i,
    advice: 'It is a SimGrid replay schedule. Use the list of files of one trace.',
  },
  {
    beginning: /^Init\s*\r?\n(?:\w+ )*\w+=/,
    advice: 'It is an SST motif program with patterns but no messages. Use `pattern` or `stencil` in the job.',
  },
];

const decodedAtOnce = 2 ** 20;
/** Bytes of a text that are looked at to know it. */
const beginningOfText = 512;

/** Why a file is no text in any encoding of single bytes, with advice; undefined where it may be. O(bytes). */
export function faultOfSignature(bytes: Uint8Array, isBeginning = true): string | undefined {
  const known = signatures.find(({ bytes: wanted, at = 0 }) =>
    wanted.every((byte, index) => bytes[at + index] === byte),
  );
  if (known !== undefined) return `The file is not plain text. ${known.advice}`;
  const beginning = isBeginning ? new TextDecoder('latin1').decode(bytes.subarray(0, beginningOfText)) : '';
  const text = texts.find(({ beginning: wanted }) => wanted.test(beginning));
  if (text !== undefined) return text.advice;
  const zero = bytes.indexOf(0);
  return zero >= 0 ? `The file is binary, not text: byte ${zero} is zero.` : undefined;
}

/** Why a file is not UTF-8 text, as sentences with advice; undefined where it is. Leaves off where cancelled. O(bytes). */
export function faultOfBytes(bytes: Uint8Array, cancellation = neverCancelled): string | undefined {
  const fault = faultOfSignature(bytes);
  if (fault !== undefined) return fault;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let start = 0;
  try {
    // In parts, so that a large file is not held a second time as text.
    for (; start < bytes.length; start += decodedAtOnce) {
      if (cancellation.isCancelled()) return undefined;
      decoder.decode(bytes.subarray(start, start + decodedAtOnce), { stream: true });
    }
    decoder.decode();
    return undefined;
  } catch {
    const line = lineOfFault(bytes, start - longestLetter);
    return `Line ${line} is not UTF-8 text. Save the file as UTF-8; it may be binary.`;
  }
}

const lineFeed = 10;
/** Bytes of a letter in UTF-8, at most. */
const longestLetter = 4;

/** The first line that is no UTF-8, counted from 1; those that end before `known` are. O(bytes). */
function lineOfFault(bytes: Uint8Array, known: number): number {
  for (let [line, start] = [1, 0]; ; line++) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found < 0 ? bytes.length : found + 1;
    if (found < 0 || (end > known && !isUtf8(bytes.subarray(start, end)))) return line;
    start = end;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Editors of Windows begin UTF-8 with one; files that were joined may have several. */
export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3;
  return bytes.subarray(start);
}

/** The text of a file, without a byte order mark, or why it is none. O(bytes). */
export function decodeText(bytes: Uint8Array): Result<string, string> {
  const fault = faultOfBytes(bytes);
  if (fault !== undefined) return { ok: false, failure: fault };
  const text = new TextDecoder().decode(withoutByteOrderMark(bytes));
  if (text.trim() === '') return { ok: false, failure: 'The file is empty.' };
  return succeed(text);
}

export interface TextLine {
  /** Counted from 1. */
  readonly line: number;
  readonly content: string;
}

/** Lines that are read between two polls of the cancellation. */
const linesPerPoll = 1024;

/** What is wrong with the rows of a file, without its name; `line` where it is about one. */
export interface RowFault {
  readonly message: string;
  readonly line?: number;
}

export const refuseRow = (message: string, line?: number): { readonly ok: false; readonly failure: RowFault } => ({
  ok: false,
  failure: { message, ...(line === undefined ? {} : { line }) },
});

/** The lines of a text, whatever ends them, without their ends; no more once it is cancelled. */
export function* textLines(text: string, cancellation: Cancellation = neverCancelled): Generator<TextLine> {
  const end = /\r\n|\n|\r/g;
  for (let [line, start] = [1, 0]; start <= text.length; line++) {
    if (line % linesPerPoll === 0 && cancellation.isCancelled()) return;
    const stop = end.exec(text)?.index ?? text.length;
    yield { line, content: text.slice(start, stop) };
    start = stop === text.length ? stop + 1 : end.lastIndex;
  }
}

/**
 * The same of bytes that are known to be UTF-8, so many of them as text at a time: the text of a large file never stands in memory as a
 * whole.
 */
export function* linesOfBytes(bytes: Uint8Array, cancellation: Cancellation = neverCancelled): Generator<TextLine> {
  const [newline, carriageReturn] = [10, 13];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let before = 0;
  for (let start = 0, next = 0; start < bytes.length; start = next) {
    if (cancellation.isCancelled()) return;
    const most = start + decodedAtOnce;
    let end = most < bytes.length ? bytes.lastIndexOf(newline, most) : bytes.length;
    if (end < start) end = bytes.indexOf(newline, most);
    if (end < 0) end = bytes.length;
    next = end + 1;
    const stop = end > start && end < bytes.length && bytes[end - 1] === carriageReturn ? end - 1 : end;
    let last = 0;
    for (const { line, content } of textLines(decoder.decode(bytes.subarray(start, stop)), cancellation)) {
      last = line;
      yield { line: before + line, content };
    }
    before += last;
  }
}

/** What stands before a `#`. */
export function withoutComment(content: string): string {
  const at = content.indexOf('#');
  return at < 0 ? content : content.slice(0, at);
}

/** So many names are made up: further ones are left out. */
const mostNames = 1000;

/** What a reader does not know: a warning for each name, with its number and the first line. */
export class UnknownNames {
  readonly #found = new Map<string, { count: number; readonly line: number }>();

  /** `line`: on which the name stands; asked for only once. */
  add(name: string, line: number | (() => number)): void {
    const before = this.#found.get(name);
    if (before !== undefined) before.count++;
    else if (this.#found.size < mostNames)
      this.#found.set(name, { count: 1, line: typeof line === 'number' ? line : line() });
  }

  /** `what`: the name and its kind, as in `Unknown element <frob>`. */
  warnings(what: (name: string) => string = (name) => name): readonly Required<FabricWarning>[] {
    return Array.from(this.#found, ([name, { count, line }]) => ({
      line,
      message: `${what(name)}, ${countOf(count, 'time')}: not read.`,
    }));
  }
}
