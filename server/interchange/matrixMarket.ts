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
  const header = readHeader(scanner, fileName, bytes.length);
  if (!header.ok) return header;
  const entries = new EntryList();
  const fault =
    header.value.layout === 'array'
      ? readArray(scanner, header.value, entries)
      : readCoordinates(scanner, header.value, entries);
  if (fault !== undefined) return fail('bad-table', `${fileName}:${scanner.line}: ${fault}`);
  return succeed(entries.finish(header.value.size));
}

const bothTriangles =
  "The header says 'symmetric', so one triangle stands for both, but entries above and below the diagonal are stored. Store one triangle, or write 'general'.";

function readCoordinates(scanner: ByteScanner, header: MatrixMarketHeader, entries: EntryList): string | undefined {
  let triangle: 'lower' | 'upper' | undefined;
  for (let read = 0; read < header.entryCount; read++) {
    if (!scanner.nextContentLine(percentSign)) return endedEarly(read, header.entryCount);
    const row = readIndex(scanner, header.size, 'row');
    if (typeof row === 'string') return row;
    const column = readIndex(scanner, header.size, 'column');
    if (typeof column === 'string') return column;
    const amount = header.pattern ? 1 : readAmount(scanner);
    if (typeof amount === 'string') return amount;
    if (!scanner.atLineEnd()) return `Nothing may follow the entry; found ${quote(scanner.field())}.`;
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
      if (!scanner.atLineEnd()) return `An array has one amount per line; found ${quote(scanner.field())} after it.`;
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
  if (text === '') return `The ${what} is missing: an entry is a row, a column and an amount.`;
  return `The ${what} ${quote(text)} is not between 1 and ${size}; rows and columns count from 1.`;
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
  `The header declares ${declared} entries, and the file ends after ${read}: it was cut off, or the header is wrong.`;

function faultAfterEntries(scanner: ByteScanner, declared: number): string | undefined {
  if (!scanner.nextContentLine(percentSign)) return undefined;
  return `The header declares ${declared} entries, but more follow.`;
}

export const matrixMarket: TableFormatEntry = {
  name: 'matrix-market',
  summary: 'a square matrix in Matrix Market form, coordinate or array; indices count from 1',
  source: 'Boisvert, Pozo & Remington, NISTIR 5935 (1996)',
  details:
    'Row is the sender, column the receiver. Fields `real`, `integer`, `pattern` (1 each) and, as some tools write, `double`; `general` and `symmetric`.',
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
function readHeader(scanner: ByteScanner, fileName: string, byteCount: number): Result<MatrixMarketHeader> {
  const complain = (text: string) => fail('bad-table', `${fileName}:${scanner.line}: ${text}`);
  scanner.nextLine();
  const [, object = '', layout = '', field = '', symmetry = ''] = scanner.rest().trim().toLowerCase().split(/\s+/);
  const fault = faultOfBanner(object, layout, field, symmetry);
  if (fault !== undefined) return complain(fault);
  if (!scanner.nextContentLine(percentSign)) return complain('The file ends before the line of sizes.');

  const sizes = readSizes(scanner, layout);
  if (typeof sizes === 'string') return complain(sizes);
  const symmetric = symmetry === 'symmetric';
  const isArray = layout === 'array';
  const triangle = (sizes.size * (sizes.size + 1)) / 2;
  const entryCount = isArray ? (symmetric ? triangle : sizes.size * sizes.size) : sizes.entryCount;
  // The shortest entry is `1 1` and a newline, of an array `1` and a newline.
  if (entryCount > (byteCount + 1) / (isArray ? 2 : 4)) {
    return complain(
      `The header declares ${entryCount} entries, but the whole file has only ${byteCount} bytes: it was cut off.`,
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
  if (object !== 'matrix') return `A Matrix Market file of a ${quote(object)} is not read; a 'matrix' is expected.`;
  if (layout !== 'coordinate' && layout !== 'array') {
    return `The layout ${quote(layout)} is not of Matrix Market; 'coordinate' and 'array' are.`;
  }
  if (field === 'complex') return 'Amounts cannot be complex numbers; real, integer and pattern matrices are read.';
  if (!['real', 'double', 'integer', 'pattern'].includes(field)) {
    return `The field ${quote(field)} is not of Matrix Market; 'real', 'integer' and 'pattern' are.`;
  }
  if (field === 'pattern' && layout === 'array') return "A 'pattern' matrix cannot have the layout 'array'.";
  if (symmetry === 'skew-symmetric' || symmetry === 'hermitian') {
    return `A ${symmetry} matrix is not read: amounts are neither negative nor complex.`;
  }
  if (symmetry !== 'general' && symmetry !== 'symmetric') {
    return `The symmetry ${quote(symmetry)} is not of Matrix Market; 'general' and 'symmetric' are read.`;
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
    return `The line of sizes gives ${wanted} as ${expected} whole numbers; found ${quote(rest)}.`;
  }
  if (rows !== columns) {
    return `The matrix must be square, with a row and a column per task or switch; this one is ${rows} x ${columns}.`;
  }
  if (rows === 0) return 'The matrix has no rows: it needs at least one task or switch.';
  if (rows > taskLimit) return `The matrix has ${rows} rows; at most ${taskLimit} tasks or switches are possible.`;
  return { size: rows, entryCount };
}
