/** Machines of other tools' files on the command line: imported, evaluated, refused. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ibnetdiscover, slurmTree } from '../../server/interchange/testing/smallFabric.ts';
import { commandLine, type Outcome } from './commandLine.ts';

const cli = commandLine();

function folderWith(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(cli.scratch(), 'case-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

const ring = 'job j { tasks 4  pattern ring  bytes 1 KiB }\nplacement p { job j  machine fabric  map baseline }\n';

describe('run', () => {
  it('says how long messages wait on a cluster that gives its figures', async () => {
    const program = `machine m { topology cluster 4 cores 4 memory 4 GB/s interface 1 GB/s switch 100 ns }
job j { tasks 8 pattern all-to-all bytes 64 KiB rate 20/s }
placement p { job j machine m map blocked }
`;
    const directory = folderWith({ 'a.place': program });
    expect((await cli.run(['run', 'a.place'], directory)).out).toMatch(
      /Waiting +[\d.]+ µs per message, .* of it for memories\n +Busiest server +[\d.]+ %, memory of socket 0 of node \d$/m,
    );
    writeFileSync(join(directory, 'b.place'), program.replace('rate 20/s', 'rate 20000/s'));
    expect((await cli.run(['run', 'b.place'], directory)).err).toMatch(
      /The port out of node 0 is overloaded \(utilisation 2,097 %\), and 5 more servers are overloaded\./,
    );
    const { out } = await cli.run(['run', 'a.place', '--json'], directory);
    expect(JSON.parse(out)).toMatchObject({
      placements: [
        {
          metrics: {
            queueing: { waiting: expect.any(Number) as number, highestUtilisation: expect.any(Number) as number },
          },
        },
      ],
    });
  });
});

describe('links in JSON', () => {
  const program = `machine m { topology from "net.csv" hosts 1 }
job j { tasks 2 pattern all-to-one bytes 1 KiB }
network n { switching flow }
placement p { job j machine m map baseline simulate n }
`;
  const files = { 'net.csv': 'from,to,cables,bandwidth\na,b,1,1 GB/s\n', 'a.place': program };
  const named = expect.objectContaining({ from: 1, to: 0, fromName: 'b', toName: 'a' }) as unknown;

  it.each([['run', '--loads'], ['compare', 'p', '--mappers', 'baseline'], ['simulate']])(
    'have the names of the file: %s',
    async (command, ...words) => {
      const directory = folderWith(files);
      const { out, err } = await cli.run([command, 'a.place', ...words, '--json'], directory);
      const written = JSON.parse(out || err) as Record<string, unknown>;
      const found = {
        run: ['placements', 0, 'metrics', 'linkLoads'],
        compare: ['mappers', 0],
        simulate: ['simulations', 0, 'linkUtilisation'],
      }[command]!.reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], written);
      const links = command === 'compare' ? Object.values(found as object) : found;
      expect(links).toContainEqual(named);
    },
  );
});

describe('import --preview', () => {
  it('prints what was understood and writes nothing', async () => {
    const directory = mkdtempSync(join(cli.scratch(), 'preview-'));
    writeFileSync(join(directory, 'net.csv'), 'from,to,cables,bandwidth\na,b,2,25 GB/s\nb,c,1,\n');
    const { code, out } = await cli.run(['import', 'net.csv', '--preview'], directory);
    expect(code).toBe(0);
    expect(out).toBe(
      'net.csv (csv)\nswitches  3\nhosts     none in the file: `hosts 1` on each switch\ncables    3: 2 of 25 GB/s, 1 of unknown speed\nrouting   minimal\n',
    );
    expect(readdirSync(directory)).toEqual(['net.csv']);
  });
});

describe('import', () => {
  it('writes a machine that `run` and `distances` evaluate', async () => {
    const directory = folderWith({ 'fabric.out': ibnetdiscover });
    mkdirSync(join(directory, 'machines'));
    const imported = await cli.run(['import', 'fabric.out', '-o', 'machines/net.place'], directory);
    expect(imported).toMatchObject({ code: 0, out: '' });
    expect(imported.err).toMatch(/^placewright: fabric\.out \(ibnetdiscover\): 4 switches, 4 hosts, 4 cables between/);
    const text = readFileSync(join(directory, 'machines/net.place'), 'utf8');
    expect(text).toContain('topology from "../fabric.out"');
    writeFileSync(join(directory, 'main.place'), `import "machines/net.place"\n${ring}`);
    const run = await cli.run(['run', 'main.place', '--json'], directory);
    expect(run.err).toBe('');
    expect(JSON.parse(run.out)).toMatchObject({ placements: [{ metrics: { maximumHops: 4 } }] });
    const table = await cli.run(['distances', 'machines/net.place', 'fabric', '--json'], directory);
    expect(JSON.parse(table.out)).toMatchObject({
      size: 4,
      table: [[0, 2, 1, 1], [2, 0, 1, 1], [1, 1, 0, 2], expect.anything()],
    });
    const rankfile = await cli.run(['export', 'main.place', 'p', '--format', 'rankfile'], directory);
    expect(rankfile.out).toContain('rank 3=n004 slot=0');
  });

  it('prints to standard output, as the format that is named', async () => {
    const directory = folderWith({ 'topology.conf': slurmTree });
    const { code, out } = await cli.run(['import', 'topology.conf', '--as', 'slurm-tree'], directory);
    expect(code).toBe(0);
    expect(out).toContain('  topology from "topology.conf" as slurm-tree\n');
    expect(out).toContain('  routing  minimal');
  });

  const refusals: [string, string[], number, RegExp][] = [
    ['a file that is not there', ['none.out'], 2, /^placewright: error: File .* not found\. \[file-not-found\]$/m],
    ['a file of another kind', ['words.txt'], 1, /^placewright: error: words\.txt: .* \[bad-fabric\]$/m],
    ['a format of another file', ['topology.conf', '--as', 'ibnetdiscover'], 1, /\[bad-fabric\]$/m],
    ['a format that there is not', ['topology.conf', '--as', 'toml'], 2, /ibnetdiscover/],
    ['standard input', ['-', '--table'], 2, /^placewright: error: Standard input cannot be imported\./m],
    ['a place that cannot be written', ['topology.conf', '-o', 'no/such/folder.place'], 2, /Cannot write/],
  ];
  it.each(refusals)('refuses %s', async (_, words, code, complaint) => {
    const directory = folderWith({ 'topology.conf': slurmTree, 'words.txt': 'to be or not to be\n' });
    const outcome: Outcome = await cli.run(['import', ...words], directory);
    expect(outcome).toMatchObject({ code, out: '' });
    expect(outcome.err).toMatch(complaint);
  });
});

describe('import of a table of traffic', () => {
  const matrix = '%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 2 5000\n2 1 700\n3 1 8\n3 3 9\n';
  const list = 'from,to,bytes,messages\n0,1,2048,2\n1,2,1024,1\n0,1,1024,1\n';

  it('writes a table and a job that `run` places', async () => {
    const directory = folderWith({ 'ring.csv': list });
    mkdirSync(join(directory, 'jobs'));
    const imported = await cli.run(['import', 'ring.csv', '--table', '-o', 'jobs/ring.place'], directory);
    expect(imported).toEqual({
      code: 0,
      out: '',
      err: 'placewright: ring.csv (edge-list): 3 tasks, 2 sending pairs, 4 KiB, 4 messages.\n',
    });
    const main =
      'import "jobs/ring.place"\nmachine m { topology torus 2 x 2 }\nplacement p { job ring machine m map baseline }\n';
    writeFileSync(join(directory, 'main.place'), main);
    const run = await cli.run(['run', 'main.place', '--json'], directory);
    expect(run).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(run.out)).toMatchObject({ placements: [{ jobs: [{ name: 'ring', tasks: 3 }] }] });
  });

  it('previews without writing', async () => {
    const directory = folderWith({ 'cg.mtx': matrix });
    expect(await cli.run(['import', 'cg.mtx', '--preview'], directory)).toEqual({
      code: 0,
      out: [
        'cg.mtx (matrix-market)',
        'tasks     3',
        'pairs     3 of 6 send',
        'bytes     5.574 KiB, if amounts are bytes (else add `unit`)',
        'messages  not in the file',
        'skipped   messages of 1 task to itself',
        '',
      ].join('\n'),
      err: '',
    });
    expect(readdirSync(directory)).toEqual(['cg.mtx']);
  });

  it('writes the format only where it is named', async () => {
    const directory = folderWith({ 'cg.mtx': matrix });
    const declared = async (...words: string[]) =>
      /^table.*$/m.exec((await cli.run(['import', 'cg.mtx', ...words], directory)).out)?.[0];
    expect(await declared()).toBe('table cg from "cg.mtx"');
    expect(await declared('--table', '--as', 'matrix-market')).toBe('table cg from "cg.mtx" as matrix-market');
  });

  /** What Open MPI writes of each rank of a ring. */
  const profiles = (ranks: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: ranks }, (_, rank) => [
        `cg.${rank}.prof`,
        `# POINT TO POINT\nE\t${rank}\t${(rank + 1) % ranks}\t100 bytes\t2 msgs sent\n`,
      ]),
    );

  it.each([
    [
      'files of all ranks',
      ['cg.0.prof', 'cg.10.prof', ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 11].map((rank) => `cg.${rank}.prof`)],
      'cg.*.prof',
    ],
    ['a pattern', ['cg.*.prof'], 'cg.*.prof'],
    ['a folder', ['.'], undefined],
  ])('takes %s for one table', async (_, words, path) => {
    const directory = folderWith(profiles(12));
    const name = path ?? `../${basename(directory)}`;
    const target = path === undefined ? '../folder.place' : 'cg.place';
    const imported = await cli.run(['import', ...words, '-o', target], directory);
    expect(imported).toMatchObject({ code: 0, out: '' });
    expect(imported.err).toContain('(pml-monitoring): 12 tasks, 12 sending pairs, 1.172 KiB, 24 messages.\n');
    const written = readFileSync(join(directory, target), 'utf8');
    expect(written).toContain(`from "${name.replace('../', '')}"`);
    const checked = await cli.run(['check', target], directory);
    expect(checked).toMatchObject({ code: 0, err: '' });
  });

  it('names what is missing of a pattern that more files fit, and of files in several folders', async () => {
    const directory = folderWith(profiles(12));
    const some = await cli.run(['import', 'cg.1.prof', 'cg.2.prof', 'cg.11.prof'], directory);
    expect(some).toMatchObject({ code: 1, out: '' });
    expect(some.err).toContain(
      'Pattern cg.*.prof matches 12 files, but 3 are named. Name all, or a text file with one name per line.',
    );
    expect(await cli.run(['import', 'cg.1.prof', 'cg.99.prof'], directory)).toMatchObject({ code: 2, out: '' });
    mkdirSync(join(directory, 'other'));
    writeFileSync(join(directory, 'other', 'cg.0.prof'), '');
    const apart = await cli.run(['import', 'cg.1.prof', 'other/cg.0.prof'], directory);
    expect(apart.err).toContain('The files of one table must be in one folder. [bad-table]');
  });

  it('counts the warnings that `check` tells of the file that was written, though no placement has the job', async () => {
    const directory = folderWith({ 'cg.0.prof': profiles(12)['cg.0.prof']! });
    await cli.run(['import', 'cg.0.prof', '-o', 'cg.place'], directory);
    expect(readFileSync(join(directory, 'cg.place'), 'utf8')).toContain(
      '\n/// 1 warning: see the diagnostics of this file.\n',
    );
    const { code, err } = await cli.run(['check', 'cg.place'], directory);
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^cg\.place:3:7: warning: The profile has the messages of only rank 0; those of 1 other are missing\. Use the files/,
      ) as string,
    ]);
  });

  it('says how a file that does for a network is taken for traffic', async () => {
    const directory = folderWith({ 'm.csv': '0,1\n1,0\n' });
    const taken = await cli.run(['import', 'm.csv'], directory);
    expect(taken.out).toContain('machine m {');
    expect(taken.err).toContain('`--table` to read it as a table.');
    expect((await cli.run(['import', 'm.csv', '--table'], directory)).out).toContain(
      'job m {\n  tasks 2\n  table m\n}',
    );
  });

  const refusals: [string, string[], number, RegExp][] = [
    ['a file that is not there', ['none.npy', '--table'], 2, /\[file-not-found\]$/m],
    ['a pattern that no file has', ['none*.prof'], 2, /\[file-not-found\]$/m],
    ['words', ['words.txt', '--table'], 1, /^placewright: error: words\.txt.*\[bad-table\]$/m],
    ['a matrix that is cut off', ['cut.mtx'], 1, /^placewright: error: cut\.mtx.*\[bad-table\]$/m],
    [
      'a format of networks',
      ['cg.mtx', '--table', '--as', 'lldp'],
      1,
      /error: cg\.mtx: Unknown table format `lldp`\. Expected one of matrix-market, npy, pml-monitoring,/m,
    ],
    [
      'a table that is another format',
      ['cg.mtx', '--as', 'npy'],
      1,
      /error: cg\.mtx: byte 0: The file does not have the format `npy`\. Remove `as npy`; the format is/m,
    ],
    ['a zip', ['a.zip', '--table'], 1, /a\.zip.*\[bad-table\]$/m],
  ];
  it.each(refusals)('refuses %s', async (_, words, code, complaint) => {
    const files = {
      'words.txt': 'to be or not to be\n',
      'cg.mtx': matrix,
      'cut.mtx': matrix.slice(0, 60),
      'a.zip': 'PK\u0003\u0004\u0000\u0000',
    };
    const outcome: Outcome = await cli.run(['import', ...words], folderWith(files));
    expect(outcome).toMatchObject({ code, out: '' });
    expect(outcome.err).toMatch(complaint);
  });
});

describe('a fabric with faults', () => {
  const place = `machine fabric { topology from "net.out" }\n${ring}`;
  it.each<[string, string, RegExp]>([
    ['that is no tree', `${slurmTree}SwitchName=other Switches=leaf-1\n`, /: error: net\.out:\d: .*\[bad-fabric\]$/m],
    ['without hosts', '0,1\n1,0\n', /^a\.place:1:27: error: .*`hosts N`.*\[no-hosts\]$/m],
    ['that is empty', '', /^a\.place:1:27: error: net\.out: .*\[bad-fabric\]$/m],
  ])('%s is an error at the topology', async (_, fabric, complaint) => {
    const { code, err } = await cli.run(['check', 'a.place'], folderWith({ 'a.place': place, 'net.out': fabric }));
    expect(code).toBe(1);
    expect(err).toMatch(complaint);
  });
});

it.each<[string, string, RegExp]>([
  [
    'in two parts',
    'router 0 node 0\nrouter 1 node 1\n',
    /: warning: 2 connected components; .* 'router0' with 1 switch and 1 host\. Left out is 'router1' .*\[fabric-warning\]$/m,
  ],
  [
    'that is a forest',
    slurmTree.replace(/SwitchName=top.*\n/, ''),
    /: warning: 2 connected components; .*leaf-0.*leaf-1.* write `\(part "leaf-1"\)`.*\[fabric-warning\]$/m,
  ],
])('a fabric %s is the largest part, or the one that is named', async (_, fabric, complaint) => {
  const other = fabric.includes('leaf-1') ? 'leaf-1' : 'router1';
  const twins = (name: string, part: string): string =>
    `machine ${name} { topology from "net.out"${part} cores 4 }\nplacement of-${name} { job ring machine ${name} }\n`;
  const text = `job ring { tasks 2 pattern ring }\n${twins('a', '')}${twins('b', `(part "${other}")`)}`;
  const { code, err, out } = await cli.run(['run', 'a.place'], folderWith({ 'a.place': text, 'net.out': fabric }));
  expect({ code, warnings: err.split('warning: ').length - 1 }).toEqual({ code: 0, warnings: 1 });
  expect(err).toMatch(complaint);
  expect(out).toMatch(/^Placement of-a\n[^]*^Placement of-b\n/m);
});

it('`list formats` names those of networks and nodes', async () => {
  const { out } = await cli.run(['list', 'formats']);
  expect(out).toMatch(/^ibnetdiscover +network: /m);
  expect(out).toMatch(/^hwloc +node: /m);
});

describe('describe', () => {
  it('prints what machines are by themselves, as text and as JSON', async () => {
    const text =
      'machine sheet { topology torus 8 x 4 bandwidth 10 GB/s }\nmachine fabric { topology from "fabric.out" }\n';
    const directory = folderWith({ 'a.place': text, 'fabric.out': ibnetdiscover });
    const { out, code } = await cli.run(['describe', 'a.place'], directory);
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
    for (const line of [
      ...[
        'sheet',
        'Diameter | 6 hops',
        'Bisection | 8 links',
        'Bisection bandwidth | 80 GB/s per direction',
        'Degree 4 | 32',
      ],
      ...['2 × 4: across a side of 8, both ways round', 'Links along x | 32, 10 GB/s'],
      ...[
        'fabric',
        'Topology | network of a file',
        'Hosts | 4',
        'Spare ports | 132 on 4 switches',
        'Components | 1, connected',
      ],
    ]) {
      expect(lines).toContain(line);
    }
    // What the bisection is stands below it.
    expect(lines[lines.indexOf('Bisection | 8 links') + 1]).toBe('2 × 4: across a side of 8, both ways round');
    const large = (await cli.run(['describe', '-'], directory, 'machine large { topology torus 40 x 40 }')).out;
    expect(large).toMatch(/Degree 4 +1,600\n +Links along x +1,600\n/);
    const json = JSON.parse((await cli.run(['describe', 'a.place', 'fabric', '--json'], directory)).out) as {
      machines: object[];
    };
    expect(json.machines).toEqual([
      expect.objectContaining({
        name: 'fabric',
        routers: 4,
        parts: 1,
        sparePorts: [32, 32, 34, 34],
        names: { switches: ['leaf-0', 'leaf-1', 'spine-0', 'spine-1'], hosts: ['n001', 'n002', 'n003', 'n004'] },
      }),
    ]);
  });

  it('tells where a machine is in several parts, and draws it all the same', async () => {
    const directory = folderWith({ 'a.place': 'machine m { topology switches 4 hosts 1 link 0 -- 1 link 2 -- 3 }\n' });
    const described = await cli.run(['describe', 'a.place'], directory);
    expect(described.code).toBe(1);
    expect(described.err).toMatch(/^a\.place:1:\d+: error: .* \[disconnected\]$/m);
  });

  it('tells what of a file is left out', async () => {
    const directory = folderWith({
      'a.place': 'machine m { topology from "net.csv" hosts 1 }\n',
      'net.csv': 'from,to\na,b\nc,d\n',
    });
    const described = await cli.run(['describe', 'a.place'], directory);
    expect(described).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 part of the file with 2 switches and 0 hosts') as string,
    });
    expect((await cli.run(['draw', 'a.place', 'm', '-o', 'm.svg'], directory)).code).toBe(0);
    expect(readFileSync(join(directory, 'm.svg'), 'utf8')).toContain('skipped 1 part of the file');
  });

  it('refuses a name that is none, and options that are not for machines', async () => {
    const directory = folderWith({ 'a.place': `machine fabric { topology torus 2 x 2 }\n${ring}` });
    expect(await cli.run(['describe', 'a.place', 'x'], directory)).toMatchObject({
      code: 2,
      err: expect.stringContaining("No machine 'x': expected one of fabric") as string,
    });
    expect(await cli.run(['draw', 'a.place', 'fabric', '-o', 'a.svg', '--figure', 'search'], directory)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--figure does not apply to machines, and 'fabric' is a machine.") as string,
    });
    expect((await cli.run(['draw', 'a.place', 'x', '-o', 'a.svg'], directory)).err).toContain(
      "No placement, machine or experiment 'x'. Expected one of p, fabric.",
    );
  });
});
