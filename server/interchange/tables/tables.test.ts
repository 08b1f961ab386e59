import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { tableFormats } from '../catalogue.ts';
import { readTable, readTableFiles } from '../readers.ts';
import type { TraceFile } from '../contract.ts';
import { bytesOf, complaintOf, shown, warningsOf } from '../testing/readTables.ts';
import { tableSamples, traceSamples } from '../testing/samples.ts';

describe('a table that comes piece by piece', () => {
  const samples = { ...traceSamples, ...tableSamples };
  const bytesOfSample = (name: string): Uint8Array =>
    name === 'npy'
      ? Uint8Array.from(samples[name] ?? '', (letter) => letter.charCodeAt(0))
      : bytesOf(samples[name] ?? '');

  /** Every piece in the same memory, as large as it may be: who keeps a piece has another one in its place. */
  function* inOneBuffer(bytes: Uint8Array, size: number): Generator<Uint8Array> {
    const buffer = new Uint8Array(size);
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      buffer.fill(0x21);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
    buffer.fill(0x21);
  }

  /** Formats that are read as a whole, up to a limit: their pieces are kept until all are there. */
  const asWhole = new Set(['matrix-market', 'npy', 'scotch', 'metis', 'treematch', 'edge-list', 'csv']);

  it.each(tableFormats.map(({ name }) => [name]))('%s is the same in pieces of any size', (name) => {
    const bytes = bytesOfSample(name);
    const whole = readTable(bytes, 'file', neverCancelled, name);
    expect(whole.ok ? whole.value.size : whole.failure.message).toBeGreaterThan(1);
    for (const size of [1, 2, 7, 64]) {
      const chunks = asWhole.has(name)
        ? () =>
            Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size))
        : () => inOneBuffer(bytes, size);
      // The beginning is looked at before: a format that is named is not.
      expect(
        tableFormats.find((format) => format.name === name)!.read([{ name: 'file', chunks }], neverCancelled),
        `${size} bytes`,
      ).toEqual(whole);
    }
  });

  // As many bytes as are held of a file, of which a reader may keep none: they are never there together.
  it.each(['pml-monitoring', 'fsin', 'simgrid'])('%s may be longer than what is held of it', (name) => {
    const line = {
      'pml-monitoring': 'E\t0\t1\t3 bytes\t1 msgs sent\t1,0\n',
      fsin: 's 0 1 5 3\n',
      simgrid: '0 send 1 0 3\n',
    }[name]!;
    const block = bytesOf(line.repeat(1000));
    const blocks = 100;
    function* chunks(): Generator<Uint8Array> {
      yield bytesOf(name === 'pml-monitoring' ? '# POINT TO POINT\n' : '');
      const buffer = new Uint8Array(block.length);
      for (let at = 0; at < blocks; at++) {
        buffer.set(block);
        yield buffer;
        buffer.fill(0x21);
      }
      yield bytesOf({ 'pml-monitoring': '', fsin: 's 1 0 5 1\n', simgrid: '1 init\n' }[name]!);
    }
    const read = readTableFiles([{ name: 'file', chunks }], name, neverCancelled);
    if (!read.ok) throw new Error(read.failure.message);
    expect([read.value.amount[0], read.value.messages?.[0]]).toEqual([3 * blocks * 1000, blocks * 1000]);
  });
});

describe('the catalogue of table formats', () => {
  it('refuses a format that there is none of with those that there are', () => {
    expect(complaintOf('0,1\n1,0\n', 'xls')).toMatch(/^file: Unknown table format `xls`\./);
  });

  it.each(tableFormats.filter(({ isBinary }) => isBinary !== true).map(({ name }) => [name]))(
    '`as %s` refuses what is no text, whatever it is',
    (name) => {
      for (const bytes of [
        [0x50, 0x4b, 3, 4, 1],
        [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
        [0x28, 0xb5, 0x2f, 0xfd],
        [48, 0, 49],
        [0xff, 0xfe, 48, 0],
      ]) {
        expect(complaintOf(Uint8Array.from(bytes), name)).toMatch(/^file: The file is (?:not plain text|binary)/);
      }
    },
  );
});

const profile = (...lines: string[]): string => `# POINT TO POINT\n${lines.join('\n')}\n`;
const everybody = 'D\tMPI_COMM_WORLD\tprocs: 0,1,2';

describe('profiles of Open MPI', () => {
  it('adds E and I, keeps messages apart, and leaves C out', () => {
    const text = profile(
      'E\t0\t1\t100 bytes\t2 msgs sent\t1,0,0,',
      'I\t0\t1\t8 bytes\t1 msgs sent',
      'E\t1\t0\t7 bytes\t1 msgs sent\t0,',
      '# OSC',
      'S\t1\t2\t50 bytes\t5 msgs sent',
      'R\t1\t2\t20 bytes\t1 msgs sent',
      'E\t2\t0\t0 bytes\t3 msgs sent\t3,',
      '# COLLECTIVES',
      'C\t0\t1\t9999 bytes\t1 msgs sent',
      'D\tMPI COMMUNICATOR 3 SPLIT FROM 0\tprocs: 0,1',
      'O2A\t0\t0 bytes\t0 msgs sent',
      everybody,
    );
    expect(shown(text)).toBe('3: 0>1:108/3 1>0:7/1 1>2:50/5 2>0:0/3 2>1:20/1');
    expect(warningsOf(text)).toEqual([]);
  });

  it('counts the ranks of communicators that send nothing, and says what is missing of one file', () => {
    const one = profile('E\t1\t0\t7 bytes\t1 msgs sent\t0,', everybody);
    expect(shown(one)).toBe('3: 1>0:7/1');
    expect(warningsOf(one)).toEqual([
      'The profile has the messages of only rank 1; those of 2 others are missing. Use the files of all ranks, as in `"NAME.*.prof"`.',
    ]);
  });

  it('adds the files of all ranks up, CRLF or not', () => {
    const file = (name: string, text: string): TraceFile => ({ name, chunks: () => [bytesOf(text)] });
    const files = [
      file('a.0.prof', profile('E\t0\t1\t5 bytes\t1 msgs sent\t0,').replaceAll('\n', '\r\n')),
      file('a.1.prof', profile('E\t1\t0\t6 bytes\t1 msgs sent\t0,')),
    ];
    const table = readTableFiles(files, undefined);
    expect(table.ok && [...table.value.amount]).toEqual([5, 6]);
    expect(table.ok && table.value.warnings).toBeUndefined();
  });

  it('says where all messages are of collectives', () => {
    expect(warningsOf(profile('I\t0\t1\t8 bytes\t1 msgs sent', 'I\t1\t0\t8 bytes\t1 msgs sent'))[0]).toMatch(
      /^All messages belong to collective operations, with the algorithms of that run\./,
    );
  });

  it.each<[string, string, RegExp]>([
    ['no messages', profile('# OSC'), /^file: The profile has no messages/],
    [
      'collectives alone',
      profile('C\t0\t1\t8 bytes\t1 msgs sent'),
      /^file: The profile has only collective operations \(C\), without senders and receivers\./,
    ],
    ['a line that is cut off', profile('E\t0\t1\t100 by'), /^file:2: Invalid line of a profile 'E.*'/],
    ['a number that is too long', profile('E\t0\t1\t99999999999999999 bytes\t1 msgs sent'), /^file:2: /],
    ['bytes above 2^53', profile('E\t0\t1\t9999999999999999 bytes\t1 msgs sent'), /^file:2: .*2\^53/],
    ['a rank beyond all', profile('E\t0\t99999999\t1 bytes\t1 msgs sent'), /^file:2: Invalid rank 99999999\./],
    ['negative bytes', profile('E\t0\t1\t-5 bytes\t1 msgs sent'), /^file:2: /],
    ['blanks instead of tabs', profile('E 0 1 5 bytes 1 msgs sent'), /^file:2: /],
    [
      'prose',
      profile('E\t0\t1\t5 bytes\t1 msgs sent', 'hello wörld'),
      /^file:3: Invalid line of a profile 'hello wörld'/,
    ],
    ['an endless communicator', profile('D\tA\tprocs: 0,99999999999'), /^file:2: A communicator has ranks above/],
    ['a fraction', profile('E\t0\t1\t5.5 bytes\t1 msgs sent'), /^file:2: /],
  ])('refuses %s', (_, text, expected) => {
    expect(complaintOf(text)).toMatch(expected);
  });
});

describe('graphs of Scotch', () => {
  it.each([
    ['edges of weight 1', '0\n3\t4\n0\t000\n1\t1\n2\t0\t2\n1\t1\n', '3: 0>1:1 1>0:1 1>2:1 2>1:1'],
    ['weights of edges and vertices, base 1', '0\n2 2\n1 011\n9 1 5 2\n9 1 5 1\n', '2: 0>1:5 1>0:5'],
    ['labels', '0\n2 2\n0 100\n7 1 3\n3 1 7\n', '2: 0>1:1 1>0:1'],
    ['lists over lines, CRLF', '0\r\n2 2\r\n0 000\r\n1\r\n1\r\n1 0\r\n', '2: 0>1:1 1>0:1'],
    ['no edges', '0\n2 0\n0 000\n0\n0\n', '2:'],
  ])('reads %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each<[string, string, RegExp]>([
    ['a file that is cut off', '0\n3 4\n0 000\n1 1\n2 0\n', /^file:5: Neighbour 2 of vertex 1: the file ends here/],
    ['a vertex that is not there', '0\n2 2\n0 000\n1 5\n1 0\n', /^file:4: Vertex 5 does not exist\./],
    ['a vertex below the base', '0\n2 2\n1 000\n1 0\n1 1\n', /^file:4: Vertex 0 does not exist\./],
    ['more arcs than it says', '0\n2 1\n0 000\n2 1 1\n0\n', /^file:4: Vertex 0 has 2 neighbours/],
    [
      'fewer arcs than it says',
      '0\n2 3\n0 000\n1 1\n1 0\n',
      /^file:5: The lists have 2 arcs, but the second line declares 3\./,
    ],
    [
      'more arcs than a file may hold',
      '0\n2 999999999\n0 000\n1 1\n',
      /^file:3: The file declares 2 vertices and 999999999 arcs but has only 24 bytes\./,
    ],
    ['no vertices', '0\n0 0\n0 000\n', /^file:3: The graph has 0 vertices/],
    ['a word', '0\n2 2\n0 000\n1 x\n1 0\n', /^file:4: Neighbour 1 of vertex 0: 'x' is not a whole number/],
    ['a negative weight', '0\n2 2\n0 010\n1 -5 1\n1 5 0\n', /^file:4: Weight of an edge of vertex 0: '-5' is negative/],
    [
      'a weight of 1e30',
      '0\n2 2\n0 010\n1 1e30 1\n1 5 0\n',
      /^file:4: Weight of an edge of vertex 0: '1e30' exceeds 2\^53 \(9007199254740992\), the largest exact sum\./,
    ],
    ['a label twice', '0\n2 2\n0 100\n7 1 7\n7 1 7\n', /^file:5: The label 7 is used twice\./],
    ['a label of nobody', '0\n2 2\n0 100\n7 1 3\n4 1 7\n', /^file:5: Vertex label 3 does not exist\./],
    ['something behind it', '0\n2 2\n0 000\n1 1\n1 0\n9\n', /^file:6: Unexpected text '9' after the last vertex\./],
  ])('refuses %s', (_, text, expected) => {
    expect(complaintOf(text)).toMatch(expected);
  });
});

describe('graphs of METIS', () => {
  it.each([
    ['edges of weight 1', '% a graph\n3 2\n2\n1 3\n2\n', '3: 0>1:1 1>0:1 1>2:1 2>1:1'],
    ['all weights', '2 1 111 2\n4 9 9 2 5\n4 9 9 1 5\n', '2: 0>1:5 1>0:5'],
    ['weights of edges, CRLF', '2 1 1\r\n2 7\r\n1 7\r\n', '2: 0>1:7 1>0:7'],
    ['a vertex without neighbours', '3 1\n2\n1\n\n', '3: 0>1:1 1>0:1'],
  ])('reads %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each<[string, string, RegExp]>([
    ['a file that is cut off', '3 2\n2\n1 3\n', /^file:3: The file ends before vertex 3 of 3/],
    ['a vertex that is not there', '3 2\n2\n1 4\n2\n', /^file:3: Vertex 4 does not exist\./],
    ['the vertex 0', '3 2\n0\n1 3\n2\n', /^file:2: Vertex 0 does not exist\./],
    [
      'another number of edges',
      '3 5\n2\n1 3\n2\n',
      /^file:4: The lists have 4 neighbours, but 5 declared edges need 10\./,
    ],
    [
      'more edges than a file may hold',
      '3 999999999\n2\n1 3\n2\n',
      /^file:1: The file declares 3 vertices and 999999999 edges but has only 20 bytes\./,
    ],
    ['more lines', '3 2\n2\n1 3\n2\n1\n', /^file:5: The file has more lines than its 3 vertices\./],
    ['a word', '3 2\n2\n1 x\n2\n', /^file:3: Neighbours of vertex 2: 'x' is not a whole number/],
    [
      'a weight that is missing',
      '2 1 1\n2 7\n1\n',
      /^file:3: Weight of the edge from vertex 2 to 1: the line ends here/,
    ],
    ['a negative weight', '2 1 1\n2 -7\n1 7\n', /^file:2: .*'-7' is negative/],
    ['a weight of a vertex that is missing', '2 1 10\n\n1 1\n', /^file:2: Weight of vertex 1: the line ends here/],
    ['a format of letters', '2 1 ab\n2\n1\n', /^file:1: Invalid format 'ab'\./],
    ['millions of vertices', '99999999 1\n2\n1\n', /^file:1: The graph has 99999999 vertices/],
  ])('refuses %s', (_, text, expected) => {
    expect(complaintOf(text, 'metis')).toMatch(expected);
  });

  it('is not taken for a matrix, nor a matrix for it', () => {
    expect(shown('2 1\n1 0\n')).toBe('2: 0>0:2 0>1:1 1>0:1');
    expect(shown('4 4\n2 4\n1 3\n2 4\n1 3\n')).toBe('4: 0>1:1 0>3:1 1>0:1 1>2:1 2>1:1 2>3:1 3>0:1 3>2:1');
  });
});

describe('lists', () => {
  it.each([
    ['bytes and messages', 'from,to,bytes,messages\n0,1,50,2\n1,0,0,3\n', '2: 0>1:50/2 1>0:0/3'],
    ['no header', '0 1 5\n1 2 6\n2 0 7\n0 2 8\n', '3: 0>1:5 1>2:6 2>0:7 0>2:8'],
    [
      'no header, with messages',
      '0,1,5,1\n1,2,6,1\n2,0,7,1\n0,2,8,2\n1,0,9,3\n',
      '3: 0>1:5/1 1>2:6/1 2>0:7/1 0>2:8/2 1>0:9/3',
    ],
  ])('reads %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('reads a short one where it is called so', () => {
    expect(shown('0,1,5\n', 'edge-list')).toBe('2: 0>1:5');
    expect(shown('0,1,5\n1,0,2\n0,0,1\n')).toBe('3: 0>1:1 0>2:5 1>0:1 1>2:2 2>2:1');
  });

  it.each<[string, string, RegExp]>([
    ['a fraction of a task', '0.5,1,5\n', /^file:1: Invalid task '0.5'/],
    ['a negative task', '-1,1,5\n', /^file:1: Invalid task '-1'/],
    ['too large a task', '0,9999999,5\n', /^file:1: Invalid task '9999999'/],
    ['too few columns', '0,1\n', /^file:1: Found 2 values on the first line\./],
    ['too many columns', '0,1,2,3,4\n', /^file:1: Found 5 values on the first line\./],
    ['a row that is cut off', '0,1,5\n1,2\n', /^file:2: The amount is missing/],
    ['an empty amount', '0,1,\n1,2,3\n', /^file:1: Found 2 values on the first line\./],
    ['an amount of letters', '0,1,5\n1,2,many\n', /^file:2: The amount 'many' is not a number/],
    ['a negative amount', '0,1,5\r\n1,2,-3\r\n', /^file:2: The amount '-3' is negative/],
    ['1e30', '0,1,1e30\n', /^file:1: The amount '1e30' exceeds 2\^53 \(9007199254740992\), the largest exact sum\./],
    ['a decimal comma', '0;1;1,5\n', /^file:1: The amount '1,5' has a decimal comma/],
    ['messages of letters', '0,1,5,x\n', /^file:1: The number of messages 'x' is not a number/],
    ['messages that are missing', '0,1,5,1\n0,1,5\n', /^file:2: The number of messages is missing/],
    ['two amounts', 'from,to,bytes,weight\n0,1,2,3\n', /^file:1: The columns bytes and weight could all be the amount/],
    ['nothing', '# none\n', /^file:1: Found 0 values on the first line\./],
  ])('refuses %s', (_, text, expected) => {
    expect(complaintOf(text, 'edge-list')).toMatch(expected);
  });
});

describe('matrices', () => {
  it.each([
    ['names of rows and columns, as pandas writes', ',a,b\na,0,5\nb,6,0\n', '2: 0>1:5 1>0:6'],
    ['numbers of rows and columns', ',0,1\n0,0,5\n1,6,0\n', '2: 0>1:5 1>0:6'],
    ['a word above the names of rows', 'rank,a,b\nx,0,5\ny,6,0\n', '2: 0>1:5 1>0:6'],
    ['names of columns alone', 'a;b\n0;5\n6;0\n', '2: 0>1:5 1>0:6'],
    ['TreeMatch, blanks behind amounts', '0 5.5 \n6 0 \n', '2: 0>1:5.5 1>0:6'],
  ])('reads %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each<[string, string, RegExp]>([
    ['too few names of columns', 'a,b\n0,1,2\n1,0,2\n1,1,0\n', /^file:1: Unknown header 'a,b'\./],
    ['a row that is cut off', '0 5 7 \n6 0 \n', /^file:2: Row 2 has 2 values, but the first row has 3\./],
    ['rows that are missing', '0 5 7 \n6 0 7 \n', /^file:2: .*square.*2 x 3/],
    ['a word', '0 5 \n6 many \n', /^file:2: Row 2, column 2: 'many'/],
    ['a negative amount', '0 5 \n-6 0 \n', /^file:2: Row 2, column 1: '-6' is negative/],
    ['infinity', '0 5 \ninf 0 \n', /^file:2: .*'inf' is not a number/],
    [
      'amounts above 2^53',
      '0 5 \n1e17 0 \n',
      /^file:2: Row 2, column 1: '1e17' exceeds 2\^53 \(9007199254740992\), the largest exact sum\./,
    ],
    ['hexadecimal', '0 5 \n0x6 0 \n', /^file:2: .*'0x6' is not a number/],
    ['digits of other scripts', '0 5 \n٦ 0 \n', /^file:2: .*'٦' is not a number/],
    ['commas among blanks', '0 5 \n6, 0 \n', /^file:2: .*'6,' is not a number/],
    ['a row too many, CRLF', '0 5 \r\n6 0 \r\n1 1 \r\n', /^file:3: .*square.*3 x 2/],
  ])('refuses %s', (_, text, expected) => {
    expect(complaintOf(text)).toMatch(expected);
  });
});
