/** Matrix Market files: their header and their numbers, for tables of traffic and for adjacency matrices. */
import type { Cancellation } from '../model/cancellation.ts';
import { type Result, fail, succeed, quote } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { faultOfAmount, parseDecimal, EntryList, tooManyEntries } from './entries.ts';
import { ByteScanner } from './byteScanner.ts';
import type { TableFormatEntry } from './contract.ts';
import { wholeFile } from './wholeFile.ts';
import { taskLimit } from '../model/job.ts';

const banner = '%%matrixmarket';

/** A sentence without its place, or the value: cheap inside the loop over entries. */
type Read = number | string;

/** Reads `coordinate` and `array` matrices; indices in the file count from 1. O(bytes). */
export function readMatrixMarket(
  bytes: Uint8Array,
  fileName: string,
  cancellation: Cancellation,
): Result<TableEntries> {
  const scanner = new ByteScanner(bytes, cancellation);
  const header = readMatrixMarketHeader(scanner, fileName, bytes.length);
  if (!header.ok) return header;
  const entries = new EntryList();
  const fault =
    header.value.layout === 'array'
      ? readArray(scanner, header.value, entries)
      : readCoordinateEntries(scanner, header.value, entries);
  if (fault !== undefined) return fail('bad-table', `${fileName}:${scanner.line}: ${fault}`);
  return succeed(entries.finish(header.value.size));
}

const bothTriangles =
  "The header says 'symmetric', but entries are on both sides of the diagonal. Store one triangle, or write 'general'.";

function readCoordinateEntries(
  scanner: ByteScanner,
  header: MatrixMarketHeader,
  entries: EntryList,
): string | undefined {
  let triangle: 'lower' | 'upper' | undefined;
  for (let read = 0; read < header.entryCount; read++) {
    if (!scanner.nextContentLine(percentSign)) return endedEarly(read, header.entryCount);
    const row = readIndex(scanner, header.size, 'row');
    if (typeof row === 'string') return row;
    const column = readIndex(scanner, header.size, 'column');
    if (typeof column === 'string') return column;
    const amount = header.pattern ? 1 : readAmount(scanner);
    if (typeof amount === 'string') return amount;
    if (!scanner.atLineEnd()) return `Unexpected text ${quote(scanner.field())} after the entry. Remove it.`;
    if (!entries.add(row, column, amount)) return tooManyEntries;
    if (!header.symmetric || row === column) continue;
    // The format stores the lower triangle; some tools store the upper. Both would count twice.
    const stored = row > column ? 'lower' : 'upper';
    if ((triangle ??= stored) !== stored) return bothTriangles;
    if (!entries.add(column, row, amount)) return tooManyEntries;
  }
  return faultAfterEntries(scanner, header.entryCount);
}

/** Column by column; of a symmetric matrix the lower triangle alone. */
function readArray(scanner: ByteScanner, header: MatrixMarketHeader, entries: EntryList): string | undefined {
  let read = 0;
  for (let column = 0; column < header.size; column++) {
    for (let row = header.symmetric ? column : 0; row < header.size; row++) {
      if (!scanner.nextContentLine(percentSign)) return endedEarly(read, header.entryCount);
      const amount = readAmount(scanner);
      if (typeof amount === 'string') return amount;
      if (!scanner.atLineEnd()) return `Expected one amount per line, found ${quote(scanner.field())} after it.`;
      const isAdded = entries.add(row, column, amount);
      const isMirrored = !header.symmetric || row === column || entries.add(column, row, amount);
      if (!isAdded || !isMirrored) return tooManyEntries;
      read++;
    }
  }
  return faultAfterEntries(scanner, header.entryCount);
}

function readIndex(scanner: ByteScanner, size: number, what: string): Read {
  const index = scanner.wholeNumber();
  if (index >= 1 && index <= size) return index - 1;
  const text = index < 0 ? scanner.field() : String(index);
  if (text === '') return `The ${what} is missing. An entry has a row, a column and an amount.`;
  return `Invalid ${what} ${quote(text)}. Expected 1 to ${size}; rows and columns count from 1.`;
}

function readAmount(scanner: ByteScanner): Read {
  const whole = scanner.wholeNumber();
  if (whole >= 0) return whole;
  const text = scanner.field();
  if (text === '') return 'The amount is missing.';
  const fault = faultOfAmount(text);
  return fault === undefined ? Number(text) : `The amount ${fault}.`;
}

const endedEarly = (read: number, declared: number): string =>
  `The header declares ${declared} entries, but the file has ${read}. The file may be truncated.`;

function faultAfterEntries(scanner: ByteScanner, declared: number): string | undefined {
  if (!scanner.nextContentLine(percentSign)) return undefined;
  return `The header declares ${declared} entries, but more follow. Correct the header.`;
}

export const matrixMarket: TableFormatEntry = {
  name: 'matrix-market',
  summary: 'a square matrix in Matrix Market form, coordinate or array; indices count from 1',
  source: 'Boisvert, Pozo & Remington, NISTIR 5935 (1996)',
  details:
    'Rows are senders and columns receivers. Fields: `real`, `integer`, `pattern` (1 each) and the non-standard `double`. Symmetries: `general` and `symmetric`.',
  options: [],
  recognizes: (bytes) => new TextDecoder().decode(bytes.subarray(0, banner.length)).toLowerCase() === banner,
  read: wholeFile(readMatrixMarket),
};

/**
 * The header of a Matrix Market file: Boisvert, Pozo & Remington, "The Matrix Market Exchange
 * Formats: Initial Design", NISTIR 5935 (1996). Two deviations that real files need: the word
 * `double` (SST's scheduler) stands for `real`, and letters may be of either case.
 */
interface MatrixMarketHeader {
  readonly layout: 'coordinate' | 'array';
  /** The amounts are left out and count 1 each. */
  readonly pattern: boolean;
  /** One triangle is stored and stands for both. */
  readonly symmetric: boolean;
  readonly size: number;
  /** Lines of entries that follow. */
  readonly entryCount: number;
}

const percentSign = 37;

/** Leaves the scanner on the line of sizes. Fails with a sentence that begins `fileName:line:`. */
function readMatrixMarketHeader(scanner: ByteScanner, fileName: string, byteCount: number): Result<MatrixMarketHeader> {
  const complain = (text: string) => fail('bad-table', `${fileName}:${scanner.line}: ${text}`);
  scanner.nextLine();
  const [, object = '', layout = '', field = '', symmetry = ''] = scanner.rest().trim().toLowerCase().split(/\s+/);
  const fault = faultOfBanner(object, layout, field, symmetry);
  if (fault !== undefined) return complain(fault);
  if (!scanner.nextContentLine(percentSign))
    return complain('The file ends before the size line. It may be truncated.');

  const sizes = readSizes(scanner, layout);
  if (typeof sizes === 'string') return complain(sizes);
  const symmetric = symmetry === 'symmetric';
  const isArray = layout === 'array';
  const triangle = (sizes.size * (sizes.size + 1)) / 2;
  const entryCount = isArray ? (symmetric ? triangle : sizes.size * sizes.size) : sizes.entryCount;
  // The shortest entry is `1 1` and a newline, of an array `1` and a newline.
  if (entryCount > (byteCount + 1) / (isArray ? 2 : 4)) {
    return complain(
      `The header declares ${entryCount} entries, but the file has only ${byteCount} bytes. It is truncated.`,
    );
  }
  return succeed({
    layout: isArray ? 'array' : 'coordinate',
    pattern: field === 'pattern',
    symmetric,
    size: sizes.size,
    entryCount,
  });
}

function faultOfBanner(object: string, layout: string, field: string, symmetry: string): string | undefined {
  if (object !== 'matrix') return `Unknown Matrix Market object ${quote(object)}. Expected 'matrix'.`;
  if (layout !== 'coordinate' && layout !== 'array') {
    return `Unknown Matrix Market layout ${quote(layout)}. Expected 'coordinate' or 'array'.`;
  }
  if (field === 'complex') return 'Complex amounts are not read. Write a real, integer or pattern matrix.';
  if (!['real', 'double', 'integer', 'pattern'].includes(field)) {
    return `Unknown Matrix Market field ${quote(field)}. Expected 'real', 'integer' or 'pattern'.`;
  }
  if (field === 'pattern' && layout === 'array') return "A 'pattern' matrix cannot have the layout 'array'.";
  if (symmetry === 'skew-symmetric' || symmetry === 'hermitian') {
    return `A ${symmetry} matrix is not read: amounts cannot be negative or complex. Write 'general' or 'symmetric'.`;
  }
  if (symmetry !== 'general' && symmetry !== 'symmetric') {
    return `Unknown Matrix Market symmetry ${quote(symmetry)}. Expected 'general' or 'symmetric'.`;
  }
  return undefined;
}

function readSizes(scanner: ByteScanner, layout: string): string | { size: number; entryCount: number } {
  const rest = scanner.rest();
  const words = rest.trim().split(/\s+/);
  const [rows = -1, columns = -1, entryCount = 0] = words.map((word) => parseDecimal(word) ?? -1);
  const expected = layout === 'array' ? 2 : 3;
  if (
    words.length !== expected ||
    ![rows, columns, entryCount].every((count) => Number.isSafeInteger(count) && count >= 0)
  ) {
    const wanted = layout === 'array' ? 'rows and columns' : 'rows, columns and entries';
    return `Expected ${wanted} as ${expected} whole numbers on the size line, found ${quote(rest)}.`;
  }
  if (rows !== columns) {
    return `The matrix must be square; found ${rows} x ${columns}. Write one row and one column per task or switch.`;
  }
  if (rows === 0) return 'The matrix has no rows. It needs at least one task or switch.';
  if (rows > taskLimit) return `The matrix has ${rows} rows; the maximum is ${taskLimit} tasks or switches.`;
  return { size: rows, entryCount };
}
