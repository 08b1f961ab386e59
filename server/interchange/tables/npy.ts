import type { Cancellation } from '../../model/cancellation.ts';
import { taskLimit } from '../../model/job.ts';
import { fail, quote, type Result, succeed } from '../../model/result.ts';
import type { TableEntries } from '../../model/traffic.ts';
import type { TableFormatEntry } from '../contract.ts';
import { EntryList, faultOfAmount, tooManyEntries } from '../entries.ts';
import { wholeFile } from '../wholeFile.ts';

/** `\x93NUMPY`, then two bytes of the version. */
const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Where the version stands. */
const versionAt = 6;
/** Where the length of the header stands. */
const lengthAt = 8;
/** Values between two polls of the cancellation. */
const valuesPerPoll = 65_536;

export const npy: TableFormatEntry = {
  name: 'npy',
  summary: 'a square array of NumPy, as `numpy.save` writes it',
  source: 'NumPy, numpy.lib.format, NPY versions 1.0 to 3.0',
  details:
    'Rows are senders and columns receivers, counted from 0. Numbers have 1 to 8 bytes, whole or real, in either byte order, in C or Fortran order. Arrays of objects, records and complex numbers are rejected, and so are whole numbers above 2^53.',
  options: [],
  isBinary: true,
  recognizes: (bytes) => magic.every((byte, at) => bytes[at] === byte),
  read: wholeFile(readNpy, true),
};

/** O(bytes). Binary, so that faults have a byte, counted from 0, instead of a line. */
function readNpy(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<TableEntries> {
  const refuse = ({ at, reason }: Fault): Result<never> => fail('bad-table', `${fileName}: byte ${at}: ${reason}`);
  const header = readNpyHeader(bytes);
  if ('reason' in header) return refuse(header);
  const { size, isFortranOrder, width, start } = header;
  const expected = start + size * size * width;
  if (bytes.length !== expected) {
    const what =
      bytes.length < expected
        ? 'the file is truncated. Save or copy it again'
        : 'text follows the array. Save it again';
    const reason = `An array of ${size} x ${size} needs ${expected} bytes, found ${bytes.length}: ${what}.`;
    return refuse({ at: Math.min(bytes.length, expected), reason });
  }
  const valueAt = readerOf(header, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const entries = new EntryList();
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const index = isFortranOrder ? column * size + row : row * size + column;
      if (index % valuesPerPoll === 0 && cancellation.isCancelled()) return succeed(entries.finish(size));
      const at = start + index * width;
      const value = valueAt(at);
      // Not a number fails the comparison as well.
      if (!(value >= 0 && value <= 2 ** 53)) {
        const fault = faultOfAmount(String(value)) ?? 'is not an amount';
        return refuse({ at, reason: `Row ${row + 1}, column ${column + 1}: ${fault}.` });
      }
      if (!entries.add(row, column, value)) return refuse({ at, reason: tooManyEntries });
    }
  }
  return succeed(entries.finish(size));
}

/** What is wrong, and at which byte. */
interface Fault {
  readonly at: number;
  readonly reason: string;
}

interface Header {
  readonly size: number;
  readonly isFortranOrder: boolean;
  readonly isLittleEndian: boolean;
  /** Letter of the type of numbers: `f`, `i`, `u` or `b`. */
  readonly kind: string;
  /** Bytes of a number. */
  readonly width: number;
  /** Where the numbers begin. */
  readonly start: number;
}

/** Longer headers are none of a table: two versions count theirs in four bytes. */
const longestHeader = 65_536;

function readNpyHeader(bytes: Uint8Array): Header | Fault {
  const version = bytes[versionAt] ?? 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = version === 1 ? lengthAt + 2 : lengthAt + 4;
  const cutOff = {
    at: bytes.length,
    reason: 'The file ends within its header. It is truncated; save or copy it again.',
  };
  if (bytes.length < begin) return cutOff;
  if (version < 1 || version > 3) {
    return {
      at: versionAt,
      reason: `Unknown NPY version ${version}. Expected 1, 2 or 3; save the array with \`numpy.save\`.`,
    };
  }
  const length = version === 1 ? view.getUint16(lengthAt, true) : view.getUint32(lengthAt, true);
  if (length > longestHeader)
    return { at: lengthAt, reason: `The header has ${length} characters, too many for a table. Save the array again.` };
  if (bytes.length < begin + length) return cutOff;
  // One letter a byte, as versions 1 and 2 have it.
  const text = new TextDecoder('latin1').decode(bytes.subarray(begin, begin + length));
  const placeOf = (word: string): number => begin + Math.max(0, text.indexOf(word));
  const type = typeOf(text);
  if (typeof type === 'string') return { at: placeOf("'descr'"), reason: type };
  const size = arraySize(text);
  if (typeof size === 'string') return { at: placeOf("'shape'"), reason: size };
  const isFortranOrder = /'fortran_order':\s*True/.test(text);
  return { ...type, size, isFortranOrder, start: begin + length };
}

/** Rows and columns of a square array. */
function arraySize(header: string): number | string {
  const shape = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  if (shape === undefined || !/'fortran_order':\s*(?:True|False)/.test(header)) {
    return `The header ${quote(header.trim())} has no order or shape. Save the array with \`numpy.save\`.`;
  }
  const sides = shape.split(',').flatMap((side) => (side.trim() === '' ? [] : Number(side)));
  const [size = 0, columns] = sides;
  if (sides.length !== 2 || size !== columns) {
    return `A traffic table must be square; found ${sides.join(' x ') || 'a single number'}. Save an array with one row and one column per task.`;
  }
  return size < 1 || size > taskLimit ? `The array has ${size} rows. A table needs 1 to ${taskLimit}.` : size;
}

/** Types that are read, by their letter: the widths. */
const widths: Readonly<Record<string, readonly number[]>> = { f: [4, 8], i: [1, 2, 4, 8], u: [1, 2, 4, 8], b: [1] };

function typeOf(header: string): Pick<Header, 'kind' | 'width' | 'isLittleEndian'> | string {
  const [, word] = /'descr':\s*'([^']*)'/.exec(header) ?? [];
  if (word === undefined) {
    return /'descr':\s*\[/.test(header)
      ? 'Arrays of records are not read. Save one field of the array.'
      : `The header ${quote(header.trim())} has no type. Save the array with \`numpy.save\`.`;
  }
  const [, order = '', kind = '', digits = ''] = /^([<>|=]?)([a-zA-Z])(\d*)/.exec(word) ?? [];
  if (kind === 'O') return 'Arrays of Python objects are not read. Convert the array first (`a.astype("f8")`).';
  if (kind === 'c') return 'Complex amounts are not read. Save the real part (`a.real`).';
  const width = Number(digits);
  if (widths[kind]?.includes(width) !== true) {
    return `Numbers of type ${quote(word)} are not read. Convert them first (\`a.astype("f8")\`).`;
  }
  return { kind, width, isLittleEndian: order !== '>' };
}

/** How one number is read. Whole numbers of 8 bytes are put together of two halves, exact below 2^53. */
function readerOf({ kind, width, isLittleEndian: little }: Header, view: DataView): (at: number) => number {
  if (kind === 'f') return width === 4 ? (at) => view.getFloat32(at, little) : (at) => view.getFloat64(at, little);
  const isSigned = kind === 'i';
  switch (width) {
    case 1:
      return isSigned ? (at) => view.getInt8(at) : (at) => view.getUint8(at);
    case 2:
      return isSigned ? (at) => view.getInt16(at, little) : (at) => view.getUint16(at, little);
    case 4:
      return isSigned ? (at) => view.getInt32(at, little) : (at) => view.getUint32(at, little);
    default:
      return (at) => {
        const high = little ? at + 4 : at;
        const upper = isSigned ? view.getInt32(high, little) : view.getUint32(high, little);
        return upper * 2 ** 32 + view.getUint32(little ? at : at + 4, little);
      };
  }
}
