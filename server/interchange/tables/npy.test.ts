import { describe, expect, it } from 'vitest';
import { bytesOf, complaintOf, shown } from '../testing/readTables.ts';

/** An array as `numpy.save` writes it, with the numbers put by `write`. */
function npyOf(header: string, body: (view: DataView) => void, length: number, version = 1): Uint8Array {
  const lengthBytes = version === 1 ? 2 : 4;
  const text = header.padEnd(64 * Math.ceil((header.length + 8 + lengthBytes + 1) / 64) - 9 - lengthBytes) + '\n';
  const bytes = new Uint8Array(8 + lengthBytes + text.length + length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, text.length, true);
  else view.setUint32(8, text.length, true);
  bytes.set(bytesOf(text), 8 + lengthBytes);
  body(new DataView(bytes.buffer, 8 + lengthBytes + text.length));
  return bytes;
}

const headerOf = (descr: string, order = 'False', shape = '(2, 2)'): string =>
  `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;

type Write = (bytes: Buffer, value: number, at: number) => number;

/** NumPy's types: bytes of a number, and how it is written. */
const types = {
  '<f8': [8, (bytes, value, at) => bytes.writeDoubleLE(value, at)],
  '>f8': [8, (bytes, value, at) => bytes.writeDoubleBE(value, at)],
  '<f4': [4, (bytes, value, at) => bytes.writeFloatLE(value, at)],
  '<i8': [8, (bytes, value, at) => bytes.writeBigInt64LE(BigInt(value), at)],
  '>u8': [8, (bytes, value, at) => bytes.writeBigUInt64BE(BigInt(value), at)],
  '<u4': [4, (bytes, value, at) => bytes.writeUInt32LE(value, at)],
  '>i2': [2, (bytes, value, at) => bytes.writeInt16BE(value, at)],
  '|u1': [1, (bytes, value, at) => bytes.writeUInt8(value, at)],
  '|i1': [1, (bytes, value, at) => bytes.writeInt8(value, at)],
} as const satisfies Readonly<Record<string, readonly [number, Write]>>;

/** 0, 1, 2, 3 as an array of two rows, or of two columns in Fortran's order. */
function four(type: keyof typeof types, { order = 'False', version = 1 } = {}): Uint8Array {
  const [width, write] = types[type];
  const body = ({ buffer, byteOffset }: DataView): void => {
    const bytes = Buffer.from(buffer, byteOffset);
    for (let value = 0; value < 4; value++) write(bytes, value, value * width);
  };
  return npyOf(headerOf(type, order), body, 4 * width, version);
}

const inRows = '2: 0>1:1 1>0:2 1>1:3';

describe('NumPy', () => {
  it.each(Object.keys(types) as (keyof typeof types)[])('reads %s', (type) => {
    expect(shown(four(type))).toBe(inRows);
  });

  it.each<[string, Uint8Array, string]>([
    ['Fortran order', four('|u1', { order: 'True' }), '2: 0>1:2 1>0:1 1>1:3'],
    ['version 2', four('|u1', { version: 2 }), inRows],
    ['version 3', four('|i1', { version: 3 }), inRows],
    [
      'numbers above 2^32',
      npyOf(
        headerOf('<i8', 'False', '(1, 1)'),
        (view) => {
          view.setBigInt64(0, 2n ** 52n + 1n, true);
        },
        8,
      ),
      `1: 0>0:${2 ** 52 + 1}`,
    ],
  ])('reads %s', (_, bytes, expected) => {
    expect(shown(bytes)).toBe(expected);
  });

  const nothing = (): void => undefined;
  it.each<[string, Uint8Array, RegExp]>([
    ['objects', npyOf(headerOf('|O'), nothing, 32), /^file: byte 11: Arrays of Python objects are not read\./],
    [
      'records',
      npyOf("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 2), }", nothing, 32),
      /^file: byte 11: Arrays of records are not read\./,
    ],
    ['complex numbers', npyOf(headerOf('<c16'), nothing, 64), /^file: byte 11: Complex amounts are not read\./],
    ['halves', npyOf(headerOf('<f2'), nothing, 8), /^file: byte 11: Numbers of type '<f2'/],
    ['texts', npyOf(headerOf('<U7'), nothing, 32), /^file: byte 11: Numbers of type '<U7'/],
    ['three dimensions', npyOf(headerOf('<f8', 'False', '(2, 2, 2)'), nothing, 64), /square.*2 x 2 x 2/],
    [
      'a row',
      npyOf(headerOf('<f8', 'False', '(4,)'), nothing, 32),
      /byte 51: A traffic table must be square; found 4\./,
    ],
    ['rectangles', npyOf(headerOf('<f8', 'False', '(2, 3)'), nothing, 48), /square.*2 x 3/],
    ['no rows', npyOf(headerOf('<f8', 'False', '(0, 0)'), nothing, 0), /has 0 rows/],
    ['more rows than tasks', npyOf(headerOf('<f8', 'False', '(99999999, 99999999)'), nothing, 0), /99999999 rows/],
    [
      'a file that is cut off',
      npyOf(headerOf('<f8'), nothing, 31),
      /^file: byte 159: An array of 2 x 2 needs 160 bytes, found 159: the file is truncated\./,
    ],
    [
      'bytes behind it',
      npyOf(headerOf('<f8'), nothing, 33),
      /^file: byte 160: An array of 2 x 2 needs 160 bytes, found 161: text follows the array\./,
    ],
    [
      'a cut header',
      npyOf(headerOf('<f8'), nothing, 32).subarray(0, 40),
      /^file: byte 40: The file ends within its header/,
    ],
    [
      'a header of its magic alone',
      npyOf(headerOf('<f8'), nothing, 32).subarray(0, 9),
      /^file: byte 9: The file ends within its header/,
    ],
    ['version 9', npyOf(headerOf('<f8'), nothing, 32, 9), /^file: byte 6: Unknown NPY version 9\./],
    [
      'a header without a type',
      npyOf("{'shape': (2, 2)}", nothing, 32),
      /^file: byte 10: The header '\{'shape': \(2, 2\)\}' has no type\./,
    ],
    [
      'a header without a shape',
      npyOf("{'descr': '<f8'}", nothing, 32),
      /^file: byte 10: The header '\{'descr': '<f8'\}' has no order or shape\./,
    ],
    [
      'negative amounts',
      npyOf(
        headerOf('|i1'),
        (view) => {
          view.setInt8(2, -1);
        },
        4,
      ),
      /^file: byte 130: Row 2, column 1: '-1' is negative/,
    ],
    [
      'NaN',
      npyOf(
        headerOf('<f8'),
        (view) => {
          view.setFloat64(8, Number.NaN, true);
        },
        32,
      ),
      /^file: byte 136: Row 1, column 2: 'NaN' is not a number/,
    ],
    [
      'infinity',
      npyOf(
        headerOf('<f8'),
        (view) => {
          view.setFloat64(8, Infinity, true);
        },
        32,
      ),
      /^file: byte 136: Row 1, column 2: 'Infinity' is not/,
    ],
    [
      '2^63',
      npyOf(
        headerOf('<u8'),
        (view) => {
          view.setBigUint64(0, 2n ** 63n, true);
        },
        32,
      ),
      /^file: byte 128: Row 1, column 1: '9223372036854776000' exceeds 2\^53 \(9007199254740992\), the largest exact sum\./,
    ],
  ])('refuses %s', (_, bytes, expected) => {
    expect(complaintOf(bytes)).toMatch(expected);
  });

  it('refuses a text that is called an array', () => {
    expect(complaintOf('0 1\n1 0\n', 'npy')).toMatch(/^file: byte 0: The file does not have the format `npy`\./);
  });
});
