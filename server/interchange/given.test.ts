import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { mappingFormats } from './catalogue.ts';
import { readGiven } from './readers.ts';

const read = (text: string) => readGiven(new TextEncoder().encode(text), 'map.txt');

describe('numbers', () => {
  it.each([
    ['one per line', '3\n1\n2\n', [3, 1, 2]],
    ['blanks, commas, semicolons', ' 3, 1;2\t0 ', [3, 1, 2, 0]],
    ['comments and CRLF', '# job a\r\n3 # first\r\n\r\n1\r\n', [3, 1]],
    ['a byte order mark', '\u{feff}4', [4]],
  ])('reads %s', (_, text, expected) => {
    expect(read(text)).toEqual({ ok: true, value: { kind: 'slots', slots: Int32Array.from(expected) } });
  });

  it.each([
    ['nothing', '# none\n', /The file has no hosts, and not only numbers\./],
    ['words', '1\ntwo\n', /^map.txt:2: 'two'/],
    ['negative numbers', '-1', /^map.txt:1: '-1'/],
    ['fractions', '1.5', /^map.txt:1: '1.5'/],
    ['numbers above 2^31 − 1', '2147483648', /^map.txt:1: '2147483648'/],
  ])('refuses %s with the line', (_, text, expected) => {
    const result = read(text);
    expect(!result.ok && result.failure.message).toMatch(expected);
  });
});

/** Hosts of the ranks, with cores as `host/socket:core` where the file names them. */
function ranksOf(text: string): string {
  const file = read(text);
  if (!file.ok) throw new Error(file.failure.message);
  if (file.value.kind !== 'hosts') return file.value.kind;
  const { hosts, hostOfRank, socketOfRank, coreOfRank } = file.value;
  return Array.from(hostOfRank, (host, rank) => {
    const [socket, core] = [socketOfRank[rank]!, coreOfRank[rank]!];
    return `${hosts[host]!}${core < 0 ? '' : socket < 0 ? `/${core}` : `/${socket}:${core}`}`;
  }).join(' ');
}

const jobMap = ` Data for JOB [41212,1] offset 0 Total slots allocated 4

 ========================   JOB MAP   ========================

 Data for node: n2	Num slots: 2	Max slots: 0	Num procs: 2
 	Process OMPI jobid: [41212,1] App: 0 Process rank: 0 Bound: socket 0[core 1[hwt 0]]:[./B]
 	Process OMPI jobid: [41212,1] App: 0 Process rank: 2 Bound: N/A

 Data for node: n1	Num slots: 2	Max slots: 0	Num procs: 1
 	Process OMPI jobid: [41212,1] App: 0 Process rank: 1 Bound: socket 0[core 0[hwt 0]], socket 0[core 1[hwt 0]]:[B/B]

 =============================================================
`;

describe('hosts of ranks', () => {
  it.each([
    ['one host on a line', 'n2\nn1\nn2\n', 'n2 n1 n2'],
    ['a hostlist', 'n[08-10],login\n', 'n08 n09 n10 login'],
    ['SLURM_HOSTFILE with repeats', '# arbitrary\nn2*2\nn1\n', 'n2 n2 n1'],
    ['a hostfile of Open MPI', 'n2 slots=2 max_slots=4\nuser@n1 slots = 1\n', 'n2 n2 n1'],
    ['a hostfile of MPICH', 'n2:2\n10.0.0.1:1\nfe80::1:2\n', 'n2 n2 10.0.0.1 fe80::1:2'],
    ['several on a line', 'n1 n2  n3\n', 'n1 n2 n3'],
    ['srun -l hostname', '2: n1\n0: n2\n01: n2\n', 'n2 n2 n1'],
    ['mpirun --tag-output hostname', '[1,1]<stdout>:n1\n[1,0]<stdout>:n2\n', 'n2 n1'],
    ['a rankfile', 'rank 1=n2 slot=3 # b\n// a\nrank 0=n1 slot=0:1\nrank 2 = u@n1 slots = 0-1,3\n', 'n1/0:1 n2/3 n1'],
    ['a rankfile with blanks', 'rank 0 = n1 slot = 0\nrank 1 = n2 slot = 1:1\n', 'n1/0 n2/1:1'],
    ['a rankfile without slots', 'rank 0=n1\nrank 1=n2\n', 'n1 n2'],
    ['a rankfile with a long comment', '/* one\n   two */ rank 0=n1 slot=0 /* x */\nrank 1=n2 slot=1\n', 'n1/0 n2/1'],
    ['a rankfile that counts hosts', 'rank 0=+n1 slot=0\nrank 1=+n0\n', '+n1/0 +n0'],
    ['flux job taskmap --to=hosts', 'n1: 0-1,4\nn2: 2-3\n', 'n1 n1 n2 n2 n1'],
    [
      'mpirun --report-bindings of Open MPI 4',
      '[n1:49718] MCW rank 0 bound to socket 0[core 0[hwt 0]]: [B/./.][././.]\n[n2:49719] MCW rank 1 bound to socket 1[core 8[hwt 0]]: [./.][B/.]\n[n2:4] MCW rank 2 is not bound (or bound to all available processors)\n',
      'n1/0 n2/8 n2',
    ],
    [
      'mpirun --report-bindings of Open MPI 5',
      '[n1:493053] Rank 0 bound to package[0][core:0]\n[n2:493053] Rank 1 bound to package[1][core:8]\n',
      'n1/0 n2/8',
    ],
    ['mpirun --display-map', jobMap, 'n2/1 n1 n2'],
  ])('are read from %s', (_, text, expected) => {
    expect(ranksOf(text)).toBe(expected);
  });

  it.each([
    ['a word that counts no host', 'rank 0=+m0 slot=1\n', /^map.txt:1: Invalid host name '\+m0'/],
    ['ranks from their end', 'n1: 3-1\n', /^map.txt:1: The range '3-1' ends before it begins/],
    [
      'a report with other lines',
      '[n1:1] Rank 0 bound to package[0][core:0]\nhello\n',
      /^map\.txt:2: Invalid line 'hello'\./,
    ],
    ['physical cores', 'rank 0=n1 slot=p0\n', /^map.txt:1: 'p0' names a package or a physical core/],
    ['no cores', 'rank 0=n1 slot=x\n', /^map.txt:1: Invalid list of cores 'x'/],
    ['a rank twice', 'rank 0=n1 slot=1\nrank 0=n1 slot=2\n', /^map\.txt:2: Rank 0 is also on line 1\./],
    ['a rank missing', '0: n1\n2: n1\n', /^map\.txt:2: Rank 1 is missing before rank 2\./],
    ['a line of another kind', 'rank 0=n1 slot=1\nn2\n', /^map.txt:2: Invalid line of a rankfile 'n2'/],
    ['prose', 'n1\nhello, world!\n', /^map.txt:2: Invalid host name 'world!'/],
    ['an open bracket', 'n[1-2\n', /^map.txt:1: The bracket .* is not closed/],
    ['millions of names', 'n[0-4194303]\n', /^map.txt:1: .*more than 1,048,576 names/],
    [
      'millions of slots',
      'n[0-1000000] slots=9\n',
      /^map\.txt:1: The file has more than 8,388,608 ranks, the maximum\./,
    ],
    ['control characters', 'n1\n\u001b0;x\u0007\n', /^map.txt:2: Invalid host name '\ufffd0;x\ufffd'/],
  ])('are refused with the line: %s', (_, text, expected) => {
    const result = read(text);
    expect(!result.ok && result.failure.message).toMatch(expected);
  });

  it('are what a cancelled reading does not tell', () => {
    const result = readGiven(new TextEncoder().encode('n1\nn2\n'), 'map.txt', { isCancelled: () => true });
    expect(!result.ok && result.failure.code).toBe('cancelled');
  });
});

describe('several cores of a rank', () => {
  it.each([
    ['rank 0=n slot=1:0-2', '1:0-2'],
    ['rank 0=n slot=13-25', '13-25'],
    ['rank 0=n slot=0-1,2,3-4', '0-4'],
    ['rank 0=n slot=1:0,1', '1:0-1'],
    ['rank 0=n slot=0,8', '0-0'],
    ['rank 0=n slot=1:*', '1:0-1000000'],
    ['rank 0=n slot=0:0;1:0', 'open'],
    ['rank 0=n slot=*', 'open'],
    ['n 4,5,6', '4-6'],
    ['n:1 binding=user:4+5', '4-5'],
    ['[n:1] Rank 0 bound to package[1][core:8-11]', '8-11'],
    ['[n:1] MCW rank 0 bound to socket 1[core 2[hwt 0]], socket 1[core 3[hwt 0]]: [./.][B/B]', '2-3'],
  ])('are read from %s', (text, expected) => {
    const file = read(text);
    if (!file.ok || file.value.kind !== 'hosts') throw new Error('not read');
    const { socketOfRank, coreOfRank, firstCoreOfRank, lastCoreOfRank } = file.value;
    const [socket, first, last] = [socketOfRank[0]!, firstCoreOfRank[0]!, lastCoreOfRank[0]!];
    expect(first < 0 ? 'open' : `${socket < 0 ? '' : `${socket}:`}${first}-${last}`).toBe(expected);
    expect(coreOfRank[0]).toBe(-1);
  });
});

describe('our own JSON', () => {
  const job = { name: 'heat', tasks: 2, nodes: [4, 7], mapping: [7, 4] };
  const expected = { kind: 'job', name: 'heat', nodes: Int32Array.of(4, 7), mapping: Int32Array.of(7, 4) };

  it.each([
    ['run --json', { diagnostics: [], placements: [{ name: 'p', jobs: [job] }] }],
    [
      'run --json -o FILE',
      { placewrightDigest: 'aa', placements: [{ name: 'p', jobs: [{ ...job, coresPerTask: 2 }] }] },
    ],
    ['export --format json', { name: 'p', jobs: [job], metrics: {} }],
  ])('is read as %s writes it', (_, value) => {
    expect(read(JSON.stringify(value))).toEqual({
      ok: true,
      value: { kind: 'results', placements: [{ name: 'p', jobs: [expected] }] },
    });
  });

  it('is read however its numbers are set, and with lists of lists beside them', () => {
    const text =
      '{"name":"p","metrics":[[0],[[1,2]],[1.5,2]],"jobs":[{"name":"[7,\\"]","nodes":[ 4 ,\n7],"mapping":[]}]}';
    expect(read(text)).toEqual({
      ok: true,
      value: {
        kind: 'results',
        placements: [
          { name: 'p', jobs: [{ kind: 'job', name: '[7,"]', nodes: Int32Array.of(4, 7), mapping: new Int32Array(0) }] },
        ],
      },
    });
  });

  it.each(['[[0]]', '[[0e0]]', '[[-0]]', '[null,[0]]', '[01]', '[1,]', '[2147483648]', '[1 2]', '3'])(
    'takes no %s for a list of whole numbers',
    (list) => {
      expect(read(`{"name":"p","jobs":[{"name":"j","nodes":[5],"mapping":${list}}]}`).ok).toBe(false);
    },
  );

  it.each([
    ['damaged', '{"placements":\n [', /^map\.txt:2: The file is not JSON: Unexpected end of JSON input\./],
    [
      'of another program',
      '{"nodes": 3}',
      /^map\.txt:1: The JSON is not from `placewright run --json` or `export --format json`\./,
    ],
    [
      'without mappings',
      '{"name":"p","jobs":[\n{"name":"j","nodes":[0]}]}',
      /^map\.txt:2: A job in the JSON needs `nodes` and `mapping`, lists of whole numbers\./,
    ],
    [
      'without whole numbers',
      '{"name":"p","jobs":[{"name":"j","nodes":[0],\n"mapping":[\n1.5]}]}',
      /^map.txt:3: '1.5' in `mapping` is not a whole number from 0 to 2147483647/,
    ],
    [
      'a wrong node of the second job',
      '{"placements":[{"name":"p","jobs":[{"name":"i","nodes":[0],"mapping":[0]},\n{"name":"j","nodes":[0,\n"a"],"mapping":[1]}]}]}',
      /^map.txt:3: '"a"' in `nodes` is not a whole number/,
    ],
    ['a list of placements that is none', '{\n"placements":5}', /^map.txt:2: `placements` must be a list/],
    ['without placements', '{"placements":[]}', /^map\.txt:1: The file has no placement\./],
    ['two documents', '{"name":"p"}\n{"name":"q"}', /^map\.txt:1: The file has 2 JSON documents\./],
  ])('is refused: %s', (_, text, message) => {
    const result = read(text);
    expect(!result.ok && result.failure.message).toMatch(message);
  });
});

describe('places by numbers', () => {
  const placesOf = (text: string, name = 'map.txt', format?: string): string => {
    const file = readGiven(new TextEncoder().encode(text), name, neverCancelled, format);
    if (!file.ok) return file.failure.message;
    const { value } = file;
    if (value.kind === 'nodes')
      return `${value.counted}${value.perNode === undefined ? '' : ` of ${value.perNode}`}: ${value.numbers.join(' ')}`;
    if (value.kind === 'coordinates') return `${value.axes} axes: ${value.values.join(' ')}`;
    return value.kind === 'slots' ? `slots: ${value.slots.join(' ')}` : value.kind;
  };

  it.each([
    ['a rank order of grid_order', '# grid_order -R -Z -c 2 -g 2,2\n0,2\n1,3\n', 'positions of 2: 0 2 1 3'],
    ['a rank order of our own', '# ranks per node: 4\n3,2,1,0\n', 'positions of 4: 3 2 1 0'],
    ['ranges', '0-1,4\n2-3\n', 'positions: 0 1 3 4 2'],
    ['a map file of Blue Gene', '0 0 0 0\n0 0 2 0\n0 2 0 0\n', '3 axes: 0 0 0 0 0 0 2 0 0 2 0 0'],
    ['one of Blue Gene/Q, CRLF', '0 0 0 0 0 0\r\n0 0 0 0 0 1\r\n', '5 axes: 0 0 0 0 0 0 0 0 0 0 0 1'],
    ['a mapping file of Scotch', '3\n0\t2\n2\t1\n1\t2\n', 'machine: 2 2 1'],
    ['a task map of Flux', '[[0,2,2,1],[1,1,1,2]]', 'job: 0 0 1 1 1 1'],
    ['a task map in its object', '{"version":1,"map":[[0,1,2,1]]}', 'job: 0 0'],
    ['a raw task map of Flux', '0,1,4,5;2,3,6,7\n', 'job: 0 0 1 1 0 0 1 1'],
    ['a raw task map with ranges, a comment and a node without ranks', '# job 7\n0-1,4-5;;2-3\n', 'job: 0 0 2 2 0 0'],
    ['a raw task map of a rank a node', '3;2;0;1', 'job: 2 3 1 0'],
    ['a table with slots', 'rank,node,slot\n1,0,7\n0,0,3\n', 'slots: 3 7'],
    ['a table with nodes', 'node;rank\n5;1\n4;0\n', 'machine: 4 5'],
    ['slots, several a line', '0 1 2\n5 4 3\n', 'slots: 0 1 2 5 4 3'],
  ])('are read from %s', (_, text, expected) => {
    expect(placesOf(text)).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['cray', '1,0\n3\n2\n', 'positions: 1 0 3 2'],
    ['vector', '# grid_order\n1,0\n', 'slots: 1 0'],
    ['bluegene', '0 1 2 3\n4 5 6 7\n', '3 axes: 0 1 2 3 4 5 6 7'],
    ['scotch', '2\n0 5\n1 4\n', 'machine: 5 4'],
    ['flux', '0,1', 'job: 0 0'],
    ['hosts', 'n1\nn2\n', 'hosts'],
    ['csv', 'rank,slot\n0,3\n', 'slots: 3'],
    [
      'bluegene',
      '0 1 2 3\n4 5 6\n',
      'map.txt:2: The line has 3 numbers but the first line has 4. Write the same number of coordinates and a core.',
    ],
    ['bluegene', '0 1\n', 'map.txt:1: Expected 2 to 7 coordinates and a core on each line, found 2 numbers.'],
    [
      'scotch',
      '0 1\n',
      'map.txt:1: Expected the number of `RANK NODE` lines at the beginning of a Scotch mapping file.',
    ],
    [
      'csv',
      '0,1\n',
      'map.txt:1: Expected column names on the first line: `rank` and one of `slot`, `host` and `node`.',
    ],
  ])('are read as %s where that is said', (format, text, expected) => {
    expect(placesOf(text, 'map.txt', format)).toBe(expected);
  });

  it('are read in another way as each format', () => {
    const readAs = (format?: string): readonly string[] =>
      ['?', '1 0'].map((text) => placesOf(text, 'map.txt', format));
    for (const { name } of mappingFormats.filter((format) => format.name !== 'vector'))
      expect(readAs(name), name).not.toEqual(readAs());
    expect(placesOf('0-1', 'map.txt', 'vector')).toMatch(/'0-1' is not a whole number/);
  });

  it('takes the name that a rank order must have for its format', () => {
    expect(placesOf('1,0\n', 'MPICH_RANK_ORDER')).toBe('positions: 1 0');
  });

  it.each<[string, string, RegExp]>([
    ['a rank twice', '# MPICH_RANK_REORDER\n0,1\n1\n', /^map\.txt:3: Rank 1 is listed twice\./],
    ['a rank missing', '0-1,3\n', /^map\.txt:1: Rank 2 is missing before rank 3\./],
    ['a range from its end', '3-1,0\n', /^map.txt:1: The range '3-1' ends before it begins/],
    ['too long a range', '0-99999999\n', /^map\.txt:1: The file has more than 8,388,608 ranks, the maximum\./],
    ['words in an order', '# ranks per node: 2\n0,x\n', /^map.txt:2: Invalid rank or range of ranks 'x'/],
    ['a rank of Scotch twice', '2\n0 1\n0 2\n', /^map\.txt:3: Rank 0 is listed twice\./],
    ['a rank of Scotch beyond all', '2\n0 1\n7 2\n', /^map\.txt:3: Rank 7 does not exist: the first line declares 2\./],
    ['a task map that is cut off', '[[0,1,2,1],[1,', /^map.txt:1: The file is not JSON: Unexpected end/],
    ['a task map of three numbers', '[[0,1,1,1],\n[0,1,2]]', /^map\.txt:2: Invalid block of ranks '\[0,1,2\]'\./],
    ['a task map of fractions', '[[0,1,2.5,1]]', /^map\.txt:1: Invalid block of ranks '\[0,1,2\.5,1\]'\./],
    [
      'a task map of billions',
      '[[0,99999,99999,1]]',
      /^map\.txt:1: The file has more than 8,388,608 ranks, the maximum\./,
    ],
    [
      'resources of Flux',
      '{"version": 1, "execution": {"R_lite": [{"rank": "0", "children": {"core": "0-3"}}], "nodelist": ["n1"]}}',
      /^map\.txt:1: This is a resource set \(R\) of Flux; `topology from` reads it\./,
    ],
    ['an empty task map', '[[0,0,0,0]]', /^map.txt:1: The task map has no ranks/],
    ['a raw task map with a rank twice', '0,1;1,2', /^map\.txt:1: Rank 1 is listed twice\./],
    ['a raw task map without a rank', '0,1;3', /^map\.txt:1: Rank 2 is missing\./],
    [
      'a raw task map of billions',
      '0;0-999999999',
      /^map\.txt:1: The file has more than 8,388,608 ranks, the maximum\./,
    ],
    ['a raw task map of wrong ranges', '0;1-2-3', /^map.txt:1: Invalid rank or range of ranks '1-2-3'/],
    ['a table without ranks', 'rank,slot\n', /^map\.txt:1: The table has a header but no ranks\./],
    ['a row that is cut off', 'rank,slot\n0,1\n1\n', /^map\.txt:3: The row has 1 cells but the header has 2\./],
    ['a slot of letters', 'rank,slot\n0,x\n', /^map.txt:2: Invalid slot 'x'/],
    ['a rank of a table twice', 'rank,slot\n0,1\n0,2\n', /^map\.txt:3: Rank 0 is listed twice\./],
    ['cores for fewer ranks', 'n1:2 binding=user:0\n', /^map\.txt:1: The line has 2 ranks but cores for 1\./],
    ['cores of letters', 'n1:1 binding=user:x\n', /^map.txt:1: Invalid list of cores 'binding=user:x'/],
  ])('refuses %s', (_, text, expected) => {
    expect(placesOf(text)).toMatch(expected);
  });

  it('reads cores of LSF, of Hydra and of tables', () => {
    expect(ranksOf('n1 4\nn2 0,1\nn1 5\n')).toBe('n1/4 n2 n1/5');
    expect(ranksOf('n1:2 binding=user:3,0\nn2:1\n')).toBe('n1/3 n1/0 n2');
    expect(ranksOf('rank,host,socket,core\n1,n2,1,0\n0,n1,0,2\n')).toBe('n1/0:2 n2/1:0');
  });
});

describe('a file of more than 16 MiB', () => {
  const padding = `# ${'x'.repeat(1021)}\n`.repeat(16 * 1024 + 1);
  const lines = 16 * 1024 + 1;

  it('is read as a rankfile, by whatever ends its lines', () => {
    expect(ranksOf(`${padding}rank 1=n2 slot=0:3\r\nrank 0=n1 slot=1:2\r\n`)).toBe('n1/1:2 n2/0:3');
    const fault = read(`${padding}rank 0=n1 slot=1:2\r\n\r\nrank 0=n1 slot=1\n`);
    expect(!fault.ok && fault.failure.message).toBe(
      `map.txt:${lines + 3}: Rank 0 is also on line ${lines + 1}. Keep one of the two.`,
    );
  });

  it('is read as slots and as our own JSON', () => {
    expect(read(`${padding}3\n1\n2\n`)).toEqual({
      ok: true,
      value: { kind: 'slots', slots: Int32Array.of(3, 1, 2) },
    });
    const job = `{"name":"j","nodes":[0],"mapping":[${' '.repeat(17 * 2 ** 20)}5]}`;
    expect(read(`{"name":"p","jobs":[${job}]}`)).toMatchObject({
      value: { placements: [{ jobs: [{ mapping: Int32Array.of(5) }] }] },
    });
  });

  it.each([
    ['a rank order', '# ranks per node: 2\n0,1\n', 'lists ranks without slots'],
    ['a mapping file of Scotch', '1\n0\t3\n', 'lists ranks without slots'],
    ['a table', 'rank,slot\n0,3\n', 'is a table'],
    ['a task map', '{"version":1,"map":[[0,1,2,1]]}\n', 'is a task map of Flux'],
  ])('is refused as %s, and not taken for something else', (_, text, what) => {
    const result = read(`${text}${padding}`);
    expect(!result.ok && result.failure.message).toMatch(`map.txt: The file ${what} and exceeds 16 MiB`);
  });
});
