import { type Result, fail, succeed } from '../model/result.ts';
import { quote } from '../model/quote.ts';
import { slotLimit } from '../model/machine.ts';
import { parseDecimal } from './amounts.ts';
import type { ByteScanner } from './byteScanner.ts';

/**
 * The header of a Matrix Market file: Boisvert, Pozo & Remington, "The Matrix Market Exchange
 * Formats: Initial Design", NISTIR 5935 (1996). Two deviations that real files need: the word
 * `double` (SST's scheduler) stands for `real`, and letters may be of either case.
 */
export interface MatrixMarketHeader {
  readonly layout: 'coordinate' | 'array';
  /** The amounts are left out and count 1 each. */
  readonly pattern: boolean;
  /** One triangle is stored and stands for both. */
  readonly symmetric: boolean;
  readonly size: number;
  /** Lines of entries that follow. */
  readonly entryCount: number;
}

export const percentSign = 37;

/** Leaves the scanner on the line of sizes. Fails with a sentence that begins `fileName:line:`. */
export function readHeader(scanner: ByteScanner, fileName: string, byteCount: number): Result<MatrixMarketHeader> {
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
  if (rows > slotLimit) return `The matrix has ${rows} rows; at most ${slotLimit} tasks or switches are possible.`;
  return { size: rows, entryCount };
}
