/** Formats of mappings: files that tell which slot, node or host each rank has. */
import { type Cancellation, WorkMeter } from '../model/cancellation.ts';
import type { GivenFile } from '../model/given.ts';
import { taskLimit } from '../model/job.ts';
import { formatNumber } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import type { MappingFormatEntry } from './contract.ts';
import { isRankfile, readHostLines } from './givenHosts.ts';
import { readDocument, readResults, withoutLists } from './givenResults.ts';
import {
  hasRankHeading,
  isBlueGeneMap,
  isRankOrder,
  isRawTaskMap,
  isScotchMapping,
  readBlueGeneMap,
  readRankOrder,
  readRankTable,
  readRawTaskMap,
  readScotchMapping,
  readTaskMap,
} from './givenRows.ts';
import { at, lineOfValue, passedOver, unknownInJson } from './jsonText.ts';
import { refuseRow, type RowFault } from './reading.ts';

const code = 'bad-mapping-file';

/** Of a file that says where ranks run in another way. */
const notBySlots = 'lists ranks without slots';

/** Numbers alone: what else fits them is known by more than that, so this comes after it. */
export const slotVector: MappingFormatEntry = {
  name: 'vector',
  summary: 'numbers alone: the slot of each task',
  source: 'Placewright',
  options: [],
  recognizes: ({ bytes }) => isNumbers(bytes),
  read: ({ bytes, fileName, cancellation }) => readNumbers(bytes, fileName, cancellation),
};

export const crayRankOrder: MappingFormatEntry = {
  name: 'cray',
  summary: 'rank order of Cray MPICH (`MPICH_RANK_ORDER`): the rank at each position',
  source: 'HPE Cray MPICH intro_mpi(3): MPICH_RANK_REORDER_METHOD; grid_order(1)',
  options: [],
  isWhole: notBySlots,
  recognizes: ({ bytes, text, fileName }) => isNumbers(bytes) && isRankOrder(text, fileName),
  read: ({ text, fileName }) => withFileAndLine(readRankOrder(text), fileName),
};

export const blueGeneMap: MappingFormatEntry = {
  name: 'bluegene',
  summary: 'map file of Blue Gene: coordinates and core of each rank',
  source: 'IBM Redbooks SG24-7287 (P) and SG24-7948 (Q), mapping files',
  options: [],
  isWhole: notBySlots,
  recognizes: ({ bytes, text }) => isNumbers(bytes) && isBlueGeneMap(text),
  read: ({ text, fileName }) => withFileAndLine(readBlueGeneMap(text), fileName),
};

export const scotchMapping: MappingFormatEntry = {
  name: 'scotch',
  summary: 'mapping file of Scotch: rank and node, after the number of lines',
  source: 'Scotch 7.0 User’s Guide, section 5.5 Mapping files',
  options: [],
  isWhole: notBySlots,
  recognizes: ({ bytes, text }) => isNumbers(bytes) && isScotchMapping(text),
  read: ({ text, fileName }) => withFileAndLine(readScotchMapping(text), fileName),
};

export const fluxTaskMap: MappingFormatEntry = {
  name: 'flux',
  summary: 'task map of Flux, in JSON or raw',
  source: 'Flux RFC 34, Flux Task Map',
  options: [],
  isWhole: 'is a task map of Flux',
  recognizes: ({ bytes, text }) =>
    isNumbers(bytes) ? isRawTaskMap(text) : /^\s*\[\s*\[|^\s*\{\s*"(?:version|map)"\s*:/.test(text),
  read: ({ text, fileName }) =>
    /^\s*[[{]/.test(text) ? readFlux(text, fileName) : withFileAndLine(readRawTaskMap(text), fileName),
};

/** What no other format recognises names hosts. */
export const hostLines: MappingFormatEntry = {
  name: 'hosts',
  summary: 'hosts by name: rankfiles, host files and launcher output',
  source: 'Open MPI, MPICH, Slurm, LSF and Flux',
  options: [],
  recognizes: () => true,
  read: ({ bytes, fileName, cancellation }) => withFileAndLine(readHostLines(bytes, cancellation), fileName),
};

export const rankTable: MappingFormatEntry = {
  name: 'csv',
  summary: 'table of ranks with a header, as `export --format csv` writes it',
  source: 'Placewright',
  options: [],
  isWhole: 'is a table',
  recognizes: ({ text }) => !isRankfile(text) && hasRankHeading(text),
  read: ({ text, fileName }) => withFileAndLine(readRankTable(text), fileName),
};

export const placementJson: MappingFormatEntry = {
  name: 'json',
  summary: 'JSON of `run --json` and `export --format json`',
  source: 'Placewright',
  options: [],
  recognizes: ({ text }) => /^\s*\{/.test(text),
  read: ({ bytes, text, isComplete, fileName, cancellation }) =>
    readResults(isComplete ? { text } : withoutLists(bytes, cancellation), fileName, code),
};

/** What is wrong with rows stands behind the file and the line. */
function withFileAndLine(places: Result<GivenFile, RowFault>, fileName: string): Result<GivenFile> {
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
    return withFileAndLine(
      refuseRow(
        'This is a resource set (R) of Flux; `topology from` reads it. Write a host file with the cores of each host, as in `n01 slots=4`.',
        line,
      ),
      fileName,
    );
  }
  const version = at(parsed.value, 'version') ?? 1;
  if (version !== 1) {
    const line = lineOfValue(text, ['version']);
    return withFileAndLine(
      refuseRow(`Unknown version ${quote(JSON.stringify(version))} of a Flux task map. Expected 1.`, line),
      fileName,
    );
  }
  const map = at(parsed.value, 'map');
  const path = map === undefined ? [] : ['map'];
  const read = withFileAndLine(
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
    const slot = at - start > 10 ? Number.NaN : digitsValue(bytes, start, at);
    if (!(slot < 2 ** 31)) {
      const word = quote(new TextDecoder().decode(bytes.subarray(start, Math.min(at, start + 100))));
      return fail(code, `${fileName}:${line}: ${word} is not a whole number from 0 to ${2 ** 31 - 1}.`);
    }
    if (count === slots.length) {
      const most = formatNumber(taskLimit);
      return fail(
        code,
        `${fileName}:${line}: The file has more than ${most} slots, the maximum number of tasks in a job.`,
      );
    }
    slots[count++] = slot;
    at--;
  }
  return succeed({ kind: 'slots', slots: slots.slice(0, count) });
}

function digitsValue(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at]!)) return Number.NaN;
    value = 10 * value + bytes[at]! - zero;
  }
  return value;
}
