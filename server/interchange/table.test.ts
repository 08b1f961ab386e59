import { describe, expect, it } from 'vitest';
import { readTable } from './readers.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Entries as `from>to:amount`, in the order read. */
function entriesOf(text: string): string[] {
  const result = readTable(bytesOf(text), 'file');
  if (!result.ok) throw new Error(result.failure.message);
  const { from, to, amount } = result.value;
  return Array.from(from, (task, at) => `${task}>${to[at] ?? '?'}:${amount[at] ?? '?'}`);
}

function sizeOf(text: string): number {
  const result = readTable(bytesOf(text), 'file');
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.size;
}

function complaintOf(content: string | Uint8Array): string {
  const result = readTable(typeof content === 'string' ? bytesOf(content) : content, 'file');
  if (result.ok) throw new Error('was read');
  expect(result.failure.code).toBe('bad-table');
  return result.failure.message;
}

const header = '%%MatrixMarket matrix coordinate';

describe('Matrix Market', () => {
  const readings: [string, string, string[]][] = [
    ['real general', `${header} real general\n2 2 2\n1 2 1.5e3\n2 1 7\n`, ['0>1:1500', '1>0:7']],
    ['integer with comments and blank lines', `${header} integer general\n% note\n\n2 2 1\n\n1 2 5\n`, ['0>1:5']],
    ['pattern', `${header} pattern general\n3 3 1\n3 1\n`, ['2>0:1']],
    ['symmetric, lower triangle', `${header} real symmetric\n2 2 2\n2 1 4\n2 2 9\n`, ['1>0:4', '0>1:4', '1>1:9']],
    ['symmetric, upper triangle', `${header} real symmetric\n2 2 1\n1 2 4\n`, ['0>1:4', '1>0:4']],
    ['double, as SST writes', `${header} double general\n2 2 1\n1 2 0.5\n`, ['0>1:0.5']],
    [
      'capitals, CRLF, tabs, no final newline',
      `%%matrixmarket MATRIX Coordinate REAL General\r\n2 2 1\r\n 1\t2  3`,
      ['0>1:3'],
    ],
    ['array by columns', '%%MatrixMarket matrix array real general\n2 2\n0\n1\n2\n0\n', ['1>0:1', '0>1:2']],
    ['symmetric array', '%%MatrixMarket matrix array integer symmetric\n2 2\n0\n5\n0\n', ['1>0:5', '0>1:5']],
    ['zeros are dropped', `${header} real general\n2 2 1\n1 2 0\n`, []],
    ['after a byte order mark', `\u{feff}${header} pattern general\n2 2 1\n1 2\n`, ['0>1:1']],
  ];
  it.each(readings)('reads %s', (_, text, expected) => {
    expect(entriesOf(text)).toEqual(expected);
  });

  it('takes the size from the header, not from the entries', () => {
    expect(sizeOf(`${header} real general\n64 64 1\n1 2 1\n`)).toBe(64);
  });

  const complaints: [string, string, RegExp][] = [
    ['skew-symmetric', `${header} real skew-symmetric\n2 2 1\n2 1 1\n`, /^file:1: .*skew-symmetric/],
    ['complex', `${header} complex general\n2 2 1\n2 1 1 0\n`, /^file:1: Complex amounts are not read\./],
    ['an unknown field', `${header} quaternion general\n`, /^file:1: .*'quaternion'/],
    ['no sizes', `${header} real general\n% only\n`, /^file:2: The file ends before the size line\./],
    ['a rectangular matrix', '%%MatrixMarket matrix array real general\n258 3\n', /^file:2: .*square.*258 x 3/],
    [
      'an entry count that no file holds',
      `${header} real general\n9 9 999999999999\n`,
      /^file:2: The header declares 999999999999 entries, but the file has only 63 bytes\./,
    ],
    [
      'more tasks than allowed',
      `${header} real general\n9999999999 9999999999 1\n1 1 1`,
      /^file:2: The matrix has 9999999999 rows; the maximum is 8388608 tasks or switches\./,
    ],
    [
      'too few entries',
      `${header} real general\n2 2 3\n1 2 1\n`,
      /^file:3: The header declares 3 entries, but the file has 1\./,
    ],
    ['too many entries', `${header} real general\n2 2 1\n1 2 1\n2 1 1\n`, /^file:4: .*more follow/],
    ['a 0-based index', `${header} real general\n2 2 1\n0 1 1\n`, /^file:3: .*row '0'.*from 1/],
    ['an index beyond the size', `${header} real general\n2 2 1\n1 3 1\n`, /^file:3: .*column '3'/],
    ['a fractional index', `${header} real general\n2 2 1\n1.5 1 1\n`, /^file:3: .*row '1.5'/],
    ['no amount', `${header} real general\n2 2 1\n1 2\n`, /^file:3: The amount is missing/],
    ['NaN', `${header} real general\n2 2 1\n1 2 NaN\n`, /^file:3: .*'NaN' is not a number/],
    ['a negative amount', `${header} real general\n2 2 1\n1 2 -4\n`, /^file:3: .*'-4' is negative/],
    [
      '1e30',
      `${header} real general\n2 2 1\n1 2 1e30\n`,
      /^file:3: The amount '1e30' exceeds 2\^53 \(9007199254740992\), the largest exact sum\./,
    ],
    ['a fourth column', `${header} real general\n2 2 1\n1 2 3 4\n`, /^file:3: Unexpected text '4' after the entry\./],
    [
      'both triangles of a symmetric matrix',
      `${header} real symmetric\n2 2 2\n2 1 4\n1 2 4\n`,
      /^file:4: .*one triangle/,
    ],
  ];
  it.each(complaints)('refuses %s with the line', (_, text, expected) => {
    expect(complaintOf(text)).toMatch(expected);
  });
});

describe('CSV', () => {
  const readings: [string, string, string[]][] = [
    ['commas', '0,1\n2,0\n', ['0>1:1', '1>0:2']],
    ['semicolons and CRLF', '0;1\r\n2;0\r\n', ['0>1:1', '1>0:2']],
    ['tabs', '0\t1\n2\t0', ['0>1:1', '1>0:2']],
    ['blanks, some at the end', '0  1 \n2 0 \n\n', ['0>1:1', '1>0:2']],
    ['a separator at the end of rows', '0,1,\n2,0,\n', ['0>1:1', '1>0:2']],
    ['quotes, comments, blank lines', '# who to whom\n"0","1.5e2"\n\n2,0\n', ['0>1:150', '1>0:2']],
    ['a list under a header', 'from,to,amount\n0,1,5\n0,1,6\n3,0,7\n', ['0>1:5', '0>1:6', '3>0:7']],
    ['a list with other headings and columns', 'Source;note;Target;Bytes\n1;x;0;5\n', ['1>0:5']],
    ['one task', '7\n', ['0>0:7']],
  ];
  it.each(readings)('reads %s', (_, text, expected) => {
    expect(entriesOf(text)).toEqual(expected);
  });

  it('tells which columns of a list are not read', () => {
    expect(readTable(bytesOf('from,to,note,bytes\n0,1,x,5\n'), 'file')).toMatchObject({
      value: { warnings: ["Only the columns 'from', 'to' and 'bytes' are read. Skipped: 'note'."] },
    });
  });

  it('ends lines of old spreadsheets at their carriage returns', () => {
    expect(entriesOf('0,1\r2,0\r')).toEqual(['0>1:1', '1>0:2']);
  });

  it('takes the size of a list from its largest task', () => {
    expect(sizeOf('from,to,amount\n0,7,0\n1,2,3\n')).toBe(8);
  });

  const complaints: [string, string, RegExp][] = [
    ['an empty file', ' \n\n', /^file:1: .*empty/],
    ['text', '0,1\n2,many\n', /^file:2: Row 2, column 2: 'many' is not a number/],
    ['NaN', '0,NaN\n1,0\n', /^file:1: Row 1, column 2: 'NaN' is not a number/],
    ['hexadecimal', '0,0x10\n1,0\n', /^file:1: .*'0x10' is not a number/],
    ['negative amounts', '0,1\n-2,0\n', /^file:2: Row 2, column 1: '-2' is negative/],
    [
      'amounts above 2^53',
      '0,1e30\n1,0\n',
      /^file:1: Row 1, column 2: '1e30' exceeds 2\^53 \(9007199254740992\), the largest exact sum\./,
    ],
    ['decimal commas', '0;1,5\n1;0\n', /^file:1: .*decimal comma/],
    ['empty cells', '0,,1\n1,0,1\n1,1,0\n', /^file:1: Row 1, column 2: is empty/],
    ['ragged rows, counting comments', '# note\n0,1\n\n2\n', /^file:4: Row 2 has 1 values, but the first row has 2\./],
    ['rectangles', '0,1\n2,0\n3,4\n', /^file:3: .*square.*3 x 2/],
    ['a header without amount', 'from,to\n0,1\n', /^file:1: .*from, to and amount/],
    ['two amounts', 'from,to,bytes,weight\n0,1,2,3\n', /^file:1: .*bytes and weight/],
    ['a list of bad tasks', 'from,to,amount\n0,-1,5\n', /^file:2: Invalid task '-1'/],
    ['a list without pairs', 'from,to,amount\n', /^file: .*no pairs/],
  ];
  it.each(complaints)('refuses %s with row and column', (_, text, expected) => {
    expect(complaintOf(text)).toMatch(expected);
  });
});

describe('what is no table', () => {
  const files: [string, Uint8Array, RegExp][] = [
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), /gunzip/],
    ['a spreadsheet', Uint8Array.of(0x50, 0x4b, 3, 4), /CSV/],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x30, 0), /UTF-8/],
    ['a profile of TAU', Uint8Array.of(0, 0x50, 0, 0x50, 0, 0x4b, 0, 0), /The file is not plain text\./],
    ['the head of a trace of DUMPI', bytesOf('hostname=c1\nnumprocs=4\n'), /^file: .*dumpi2ascii/],
    [
      'a list of replays of SimGrid',
      bytesOf('1 replay.txt 32 0\n2 replay.txt 32 125\n'),
      /^file: It is a SimGrid replay schedule\./,
    ],
    ['motifs of SST', bytesOf('Init\nHalo3D iterations=19 nx=4\n'), /^file: .*`pattern`/],
    ['zero bytes', Uint8Array.of(0x30, 0, 0x31), /The file is binary, not text: byte 1 is zero\./],
    ['invalid UTF-8', Uint8Array.of(0x30, 0xc3, 0x28), /UTF-8/],
  ];
  it.each(files)('says what %s is', (_, bytes, expected) => {
    expect(complaintOf(bytes)).toMatch(expected);
  });

  it('never throws, whatever the bytes', () => {
    const seeds = Array.from({ length: 300 }, (_, seed) => seed);
    for (const seed of seeds) {
      const noise = Uint8Array.from({ length: 40 }, (_, at) => ((seed + 1) * (at + 7) * 2654435761) >>> 24);
      const start = bytesOf(seed % 2 === 0 ? `${header} real general\n3 3 2\n1 1 1\n` : 'from,to,amount\n1,2,3\n');
      const cut = start.subarray(0, seed % start.length);
      expect(() =>
        readTable(Uint8Array.of(...cut, ...noise.filter((byte) => byte > 9 && byte < 127)), 'file'),
      ).not.toThrow();
    }
  });
});
