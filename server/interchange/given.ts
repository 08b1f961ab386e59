import { type Cancellation, neverCancelled, WorkMeter } from '../model/cancellation.ts';
import type { GivenFile } from '../model/given.ts';
import { taskLimit } from '../model/job.ts';
import { formatNumber } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import { isRankfile, readHostLines } from './givenHosts.ts';
import { readDocument, readResults, withoutLists } from './givenResults.ts';
import {
  readBlueGene,
  readPlaces,
  readRankOrder,
  readRankTable,
  readRawTaskMap,
  readScotch,
  readTaskMap,
  refuse,
  type RowFault,
} from './givenRows.ts';
import { at, lineOfValue, passedOver, unknownInJson } from './jsonText.ts';
import { faultOfBytes, withoutByteOrderMark, ending } from './reading.ts';

const code = 'bad-mapping-file';

/** Larger files are read where that needs no text of the whole: slots, our own JSON, and hosts line by line. */
const largestText = 16 * 2 ** 20;
/** Of a larger file so much tells what it is. */
const beginningOfFile = 2 ** 16;

/**
 * Reads where tasks run, in the format that the content shows: numbers alone are the slot of each task; what begins
 * with a brace is our own JSON; the rest names hosts. Fails with `bad-mapping-file` and one sentence that begins with
 * the file's name and, where it has one, the line. O(bytes), but for hostlists that stand for many names.
 */
export function readGiven(
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
  format?: string,
): Result<GivenFile> {
  const bytes = withoutByteOrderMark(content);
  return ending(cancellation, () => {
    const fault = faultOfBytes(bytes, cancellation);
    if (fault !== undefined) return fail(code, `${fileName}: ${fault}`);
    const isSmall = bytes.length <= largestText;
    const text = new TextDecoder().decode(isSmall ? bytes : wholeLines(bytes.subarray(0, beginningOfFile)));
    if (isSmall && text.trim() === '') return fail(code, `${fileName}: The file is empty.`);
    const given = { bytes, text, fileName, cancellation };
    const named = format === undefined ? undefined : readers[format];
    if (format === undefined || named === undefined) return readByContent(given, isSmall);
    return isSmall || !wholeTextFormats.has(format) ? named(given) : tooLarge(fileName, `is read as \`${format}\``);
  });
}

function readByContent(given: GivenText, isSmall: boolean): Result<GivenFile> {
  const { bytes, text, fileName, cancellation } = given;
  if (isNumbers(bytes)) {
    const places = readPlaces(text, fileName);
    if (places === undefined) return readNumbers(bytes, fileName, cancellation);
    return isSmall ? placed(places, fileName) : tooLarge(fileName, 'says where ranks run, but not by their slots,');
  }
  if (/^\s*\[\s*\[|^\s*\{\s*"(?:version|map)"\s*:/.test(text)) {
    return isSmall ? readFlux(text, fileName) : tooLarge(fileName, 'is a task map of Flux');
  }
  if (/^\s*\{/.test(text)) return readResults(isSmall ? { text } : withoutLists(bytes, cancellation), fileName, code);
  const table = isRankfile(text) ? undefined : readRankTable(text);
  if (table !== undefined) return isSmall ? placed(table, fileName) : tooLarge(fileName, 'is a table');
  return placed(readHostLines(bytes, cancellation), fileName);
}

interface GivenText {
  readonly bytes: Uint8Array;
  /** All of a small file, the beginning of a large one. */
  readonly text: string;
  readonly fileName: string;
  readonly cancellation: Cancellation;
}

/** Formats that are read from a text of the whole. */
const wholeTextFormats: ReadonlySet<string> = new Set(['cray', 'bluegene', 'scotch', 'flux', 'csv']);

/** Readers by the names of `givenFormats`, for files whose format is named after `as`. */
const readers: Readonly<Record<string, (given: GivenText) => Result<GivenFile>>> = {
  vector: ({ bytes, fileName, cancellation }) => readNumbers(bytes, fileName, cancellation),
  cray: ({ text, fileName }) => placed(readRankOrder(text), fileName),
  bluegene: ({ text, fileName }) => placed(readBlueGene(text), fileName),
  scotch: ({ text, fileName }) => placed(readScotch(text), fileName),
  flux: ({ text, fileName }) =>
    /^\s*[[{]/.test(text) ? readFlux(text, fileName) : placed(readRawTaskMap(text), fileName),
  hosts: ({ bytes, fileName, cancellation }) => placed(readHostLines(bytes, cancellation), fileName),
  csv: ({ text, fileName }) =>
    placed(
      readRankTable(text) ??
        refuse('The first line does not name columns: `rank` and one of `slot`, `host` and `node` are expected.', 1),
      fileName,
    ),
  json: ({ bytes, text, fileName, cancellation }) =>
    readResults(bytes.length <= largestText ? { text } : withoutLists(bytes, cancellation), fileName, code),
};

/** As much of the beginning of a file as ends with a line; all of it where that is one line. */
function wholeLines(beginning: Uint8Array): Uint8Array {
  const end = beginning.lastIndexOf(newline);
  return end < 0 ? beginning : beginning.subarray(0, end);
}

const tooLarge = (fileName: string, what: string): Result<never> =>
  fail(
    code,
    `${fileName}: The file ${what} and is larger than 16 MiB, the most that is read of such files: larger ones may have a slot on each line, or be rankfiles or JSON of \`placewright export\`.`,
  );

/** What is wrong with rows stands behind the file and the line. */
function placed(places: Result<GivenFile, RowFault>, fileName: string): Result<GivenFile> {
  if (places.ok) return places;
  const { message, line } = places.failure;
  return fail(code, `${fileName}:${line === undefined ? '' : `${line}:`} ${message}`);
}

/** A task map as it is, or as the member `map` of an object. */
function readFlux(text: string, fileName: string): Result<GivenFile> {
  const parsed = readDocument(text, fileName, code);
  if (!parsed.ok) return parsed;
  if (at(parsed.value, 'execution', 'R_lite') !== undefined) {
    const line = lineOfValue(text, ['execution']);
    return placed(
      refuse(
        'This is a set of resources (R) of Flux, which `topology from` reads. Write a hostfile with the cores of each host, as `n01 slots=4`.',
        line,
      ),
      fileName,
    );
  }
  const version = at(parsed.value, 'version') ?? 1;
  if (version !== 1) {
    const line = lineOfValue(text, ['version']);
    return placed(
      refuse(`Version ${quote(JSON.stringify(version))} of task maps of Flux is not read: 1 is.`, line),
      fileName,
    );
  }
  const map = at(parsed.value, 'map');
  const path = map === undefined ? [] : ['map'];
  const read = placed(
    readTaskMap(map ?? parsed.value, (...way) => lineOfValue(text, [...path, ...way])),
    fileName,
  );
  const warnings = unknownInJson(text, [parsed.value], passedOver('version', 'map'));
  return read.ok && warnings.length > 0 ? succeed({ ...read.value, warnings }) : read;
}

const [newline, zero, nine, hash] = [10, 48, 57, 35];

/** Bytes between numbers. */
const isBetween = (byte: number): boolean =>
  byte === 32 || byte === 9 || byte === 13 || byte === newline || byte === 44 || byte === 59;

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;

/** Whether the first word is a number: then all are to be. */
function isNumbers(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === hash) {
      at = bytes.indexOf(newline, at);
      if (at < 0) return false;
    } else if (!isBetween(bytes[at]!))
      return /^[-+]?\d+(?:\.\d*|-\d+)?(?:[\s,;#]|$)/.test(new TextDecoder().decode(bytes.subarray(at, at + 40)));
  }
  return false;
}

/** Whole numbers, with blanks, commas or line breaks between them; `#` begins a comment. */
function readNumbers(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<GivenFile> {
  const slots = new Int32Array(Math.min(taskLimit, (bytes.length >> 1) + 1));
  let count = 0;
  let line = 1;
  const meter = new WorkMeter(cancellation);
  for (let at = 0; at < bytes.length && !meter.isCancelledAfter(1); at++) {
    const byte = bytes[at]!;
    if (byte === newline) line++;
    if (byte === hash) {
      const end = bytes.indexOf(newline, at);
      at = (end < 0 ? bytes.length : end) - 1;
    }
    if (byte === hash || isBetween(byte)) continue;
    const start = at;
    while (at < bytes.length && !isBetween(bytes[at]!) && bytes[at] !== hash) at++;
    const slot = at - start > 10 ? Number.NaN : numberIn(bytes, start, at);
    if (!(slot < 2 ** 31)) {
      const word = quote(new TextDecoder().decode(bytes.subarray(start, Math.min(at, start + 100))));
      return fail(code, `${fileName}:${line}: ${word} is not a whole number from 0 to ${2 ** 31 - 1}.`);
    }
    if (count === slots.length) {
      const most = formatNumber(taskLimit);
      return fail(
        code,
        `${fileName}:${line}: There are more than ${most} slots, one for each of the most tasks that a job has.`,
      );
    }
    slots[count++] = slot;
    at--;
  }
  return succeed({ kind: 'slots', slots: slots.slice(0, count) });
}

function numberIn(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at]!)) return Number.NaN;
    value = 10 * value + bytes[at]! - zero;
  }
  return value;
}
