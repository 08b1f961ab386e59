/** What users do wrong, and what the shell is told: exit codes and messages are a contract. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { commandLine, type Outcome } from './commandLine.ts';
import { runCommandLine } from '../../server/entrypoints/cli/commands.ts';
import { version } from '../../server/entrypoints/programs.ts';
import { terminalOn } from '../../server/entrypoints/cli/terminal.ts';

const cli = commandLine();

const good = `machine m { topology torus 2 x 2 }
job j { tasks 4  pattern ring  bytes 1 KiB }
placement p { job j  machine m  map baseline }
`;

/** A directory with files in it, where the command then runs. */
async function inDirectory(files: Readonly<Record<string, string | Uint8Array>>, ...words: string[]): Promise<Outcome> {
  const directory = mkdtempSync(join(cli.scratch(), 'case-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return await cli.run(words, directory);
}

/** As the extension reads the output of a task. */
const messageLine = new RegExp(
  (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly contributes: { readonly problemPatterns: readonly [{ readonly regexp: string }] };
    }
  ).contributes.problemPatterns[0].regexp,
);

/** Every line of stderr is in the compiler's form, and one of them matches. */
function expectComplaint({ err }: Outcome, expected: RegExp): void {
  const lines = err.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(messageLine);
  expect(lines).toContainEqual(expect.stringMatching(expected));
}

describe('names of 42,000 letters', () => {
  const long = 'x'.repeat(42_000);
  const blanks = 'a b '.repeat(10_500);

  it.each([
    ['an import', `import "${long}.place"\n`],
    ['an import with blanks', `import "${blanks}.place"\n`],
    ['a job', `${good}placement q { job ${long}  machine m }\n`],
    ['a mapper', `${good}placement q { job j  machine m  map ${long} }\n`],
    ['a file', `${good}placement q { job j  machine m  map given "${long}" }\n`],
    ['a fabric with blanks', `machine f { topology from "${blanks}" }\n`],
    ['a declaration twice', `machine ${long} { topology torus 2 }\nmachine ${long} { topology torus 2 }\n`],
    ['a property', `machine m { ${long} 3 }\n`],
    ['a host', `${good}placement q { job j  machine m  allocate nodes ["${long}"] }\n`],
    ['a stray word', `${long}\n`],
  ])('do not stand whole in a message: %s', async (_, text) => {
    const { code, err } = await inDirectory({ 'a.place': text }, 'check', 'a.place');
    expect(code).not.toBe(0);
    for (const line of err.split('\n')) expect(line.length).toBeLessThan(1500);
  });
});

describe('exit code 0', () => {
  it('for a sound file, and says so', async () => {
    const sound = { code: 0, out: 'a.place: no problems found.\n', err: '' };
    expect(await inDirectory({ 'a.place': good }, 'check', 'a.place')).toEqual(sound);
  });
  it('for a file, whatever was read before it', async () => {
    const files = { 'm.place': good, 'one-line.place': 'import "m.place" job k { tasks 4 pattern ring }' };
    const [first, second] = ['m.place: no problems found.\n', 'one-line.place: no problems found.\n'];
    expect(await inDirectory(files, 'check', 'one-line.place')).toEqual({ code: 0, out: second, err: '' });
    const both = await inDirectory(files, 'check', 'm.place', 'one-line.place');
    expect(both).toEqual({ code: 0, out: first + second, err: '' });
  });
  it('for names of any script', async () => {
    const text = good.replaceAll(' m ', ' größe ').replaceAll(' j ', ' задача ').replace(' p ', ' 表 ');
    const { code, out } = await inDirectory({ 'a.place': text }, 'run', 'a.place');
    expect([code, out]).toEqual([0, expect.stringContaining('表')]);
  });
  it('for an empty file, which has nothing to evaluate', async () => {
    const err = 'placewright: a.place declares no placement. Nothing to evaluate.\n';
    expect(await inDirectory({ 'a.place': '' }, 'run', 'a.place')).toEqual({ code: 0, out: '', err });
  });
  it('for one placement, as a word or as an option', async () => {
    const files = { 'a.place': `${good}placement other { job j machine m map rcb }\n` };
    const { code, out } = await inDirectory(files, 'run', 'a.place', 'other');
    expect([code, out]).toEqual([0, expect.stringMatching(/^Placement other\n(?!.*\nPlacement)/s)]);
    expect((await inDirectory(files, 'run', 'a.place', '--placement', 'other')).out).toBe(out);
  });
  it.each([[['--help']], [['run', '--help']], [['--version']]])('for %j', async (words) => {
    const { code, err } = await cli.run(words);
    expect([code, err]).toEqual([0, '']);
  });
  it('prints the version of the package', async () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(version).toBe(manifest.version);
    expect((await cli.run(['--version'])).out).toBe(`${manifest.version}\n`);
  });
  it.each(['mappers', 'allocators', 'patterns', 'stencils', 'formats'])(
    'lists %s with a summary each',
    async (catalogue) => {
      const { code, out } = await cli.run(['list', catalogue]);
      expect(code).toBe(0);
      const lines = out.trimEnd().split('\n');
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) expect(line).toMatch(/^[a-z0-9-]+ {2,}\S.+$/);
    },
  );
  it('where a trace is not there, is cut off, or has more ranks than the job has tasks', async () => {
    const traced = good.replace('pattern ring  bytes 1 KiB', 'trace "run.goal" as goal');
    const missing = await inDirectory({ 'a.place': traced }, 'run', 'a.place');
    expect(missing.code).toBe(1);
    expectComplaint(missing, /: error: .*run\.goal.*\[file-not-found\]$/);
    const cut = await inDirectory(
      { 'a.place': traced, 'run.goal': 'num_ranks 4\nrank 0 {\nl1: send 8b to' },
      'run',
      'a.place',
    );
    expect(cut.code).toBe(1);
    expectComplaint(cut, /: error: run\.goal:\d+: .*\[bad-trace\]$/);
    const large = await inDirectory({ 'a.place': traced, 'run.goal': 'num_ranks 9\n' }, 'run', 'a.place');
    expect(large.code).toBe(1);
    expectComplaint(large, /: error: .*has ranks 0 to 8.*\[trace-exceeds-tasks\]$/);
  });
  it('where an allocator cannot have what a job asks for, or cannot work on the machine', async () => {
    const asked = (machine: string, allocate: string) =>
      inDirectory(
        {
          'a.place': good.replace('torus 2 x 2', machine).replace('map baseline', `allocate ${allocate}  map baseline`),
        },
        'check',
        'a.place',
      );
    for (const [machine, allocate, complaint] of [
      ['mesh 3 x 3 x 3', 'rbs', /: error: .*at most 2 dimensions.* 3 x 3 x 3.* \[wrong-dimensions\]$/],
      ['mesh 6 x 6', 'buddy-2d', /: error: .*power-of-two.* 6 x 6.* \[does-not-apply\]$/],
      ['mesh 6 x 6', 'paging(size 2)', /: error: .*4 x 4 nodes do not tile.* \[does-not-apply\]$/],
      ['fat-tree(k 2, n 3)', 'gabl', /: error: .*coordinates.* found `topology fat-tree`.* \[no-coordinates\]$/],
      ['mesh 3 x 1', 'first-fit', /: error: .*4 tasks.* \[does-not-fit\]$/],
    ] as const) {
      const outcome = await asked(machine, allocate);
      expect(outcome.code).toBe(1);
      expectComplaint(outcome, complaint);
    }
    // Four nodes are free, and no square of them lies together.
    const divided = good
      .replace('torus 2 x 2', 'mesh 3 x 3')
      .replace('job j  machine m', 'jobs one(allocate nodes [1, 3, 4, 5, 7]), j  machine m  allocate best-fit')
      .concat('job one { tasks 5  pattern ring }');
    const outcome = await inDirectory({ 'a.place': divided }, 'check', 'a.place');
    expectComplaint(outcome, /: error: .*no free submesh for 4 nodes; 4 nodes are free\. .* \[does-not-fit\]$/);
  });
});

describe('exit code 1: the file has errors', () => {
  const import2 = 'import "b.place"\n';
  const table = (name: string): string =>
    `table t from "${name}"\njob k { tasks 2  table t }\nplacement q { job k  machine m }\n`;
  const cases: [string, Record<string, string | Uint8Array>, RegExp][] = [
    ['a word that is none', { 'a.place': good.replace('torus', 'torsu') }, /^a\.place:1:22: error: .*torus/],
    ['an unknown job', { 'a.place': good.replace('job j  machine', 'job jj  machine') }, /^a\.place:3:19: error: .*jj/],
    [
      'a job that does not fit',
      { 'a.place': good.replace('tasks 4', 'tasks 5') },
      /^a\.place:3:\d+: error: .*\[does-not-fit\]$/,
    ],
    [
      'a machine of 10^9 nodes',
      { 'a.place': good.replace('2 x 2', '1000 x 1000 x 1000') },
      /^a\.place:1:\d+: error: .*\[machine-too-large\]$/,
    ],
    ['a billion tasks', { 'a.place': good.replace('tasks 4', 'tasks 1000000000') }, /^a\.place:\d+:\d+: error: /],
    [
      'a cycle of imports',
      { 'a.place': import2, 'b.place': 'import "a.place"\n' },
      /^[ab]\.place:1:\d+: error: .*a\.place.*b\.place/,
    ],
    ['an import that is missing', { 'a.place': import2 }, /^a\.place:1:8: error: .*b\.place/],
    [
      'an error in an imported file',
      { 'a.place': import2 + good, 'b.place': 'machine n { topology torus 0 }\n' },
      /^b\.place:1:\d+: error: /,
    ],
    ['a table that is missing', { 'a.place': good + table('t.csv') }, /^a\.place:4:\d+: error: .*t\.csv/],
    [
      'a table with text',
      { 'a.place': good + table('t.csv'), 't.csv': '0,1\nx,0\n' },
      /^a\.place:4:\d+: error: .*t\.csv:2: Row 2, column 1: 'x' is not a number/,
    ],
    ['NaN', { 'a.place': good + table('t.csv'), 't.csv': '0,NaN\n1,0\n' }, /t\.csv:1: .*'NaN'/],
    ['negative amounts', { 'a.place': good + table('t.csv'), 't.csv': '0,-1\n1,0\n' }, /t\.csv:1: .*'-1' is negative/],
    ['1e30', { 'a.place': good + table('t.csv'), 't.csv': '0,1e30\n1,0\n' }, /t\.csv:1: .*'1e30' exceeds/],
    [
      'a matrix that lies about its size',
      {
        'a.place': good + table('t.mtx'),
        't.mtx': '%%MatrixMarket matrix coordinate real general\n2 2 999999999\n1 2 1\n',
      },
      /t\.mtx:2: .*It is truncated/,
    ],
    ['a binary table', { 'a.place': good + table('t.csv'), 't.csv': Uint8Array.of(1, 0, 255) }, /t\.csv: .*binary/],
    [
      'binary as a program',
      { 'a.place': Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2) },
      /^a\.place:1:1: error: .*binary/,
    ],
    [
      'a mapping onto a slot twice',
      { 'a.place': good.replace('map baseline', 'map given [0, 1, 1, 2]') },
      /^a\.place:3:\d+: error: /,
    ],
  ];
  it.each(cases)('%s', async (_, files, expected) => {
    const outcome = await inDirectory(files, 'run', 'a.place');
    expectComplaint(outcome, expected);
    expect(outcome.code).toBe(1);
    expect((await inDirectory(files, 'check', 'a.place')).code).toBe(1);
  });

  it('200 MiB, read no further than the limit', async () => {
    const directory = mkdtempSync(join(cli.scratch(), 'huge-'));
    writeFileSync(join(directory, 'a.place'), good + table('huge.csv'));
    // Its beginning is that of a list: nothing else tells that it is too large before it is read.
    writeFileSync(join(directory, 'huge.csv'), '1,2\n'.repeat(2 ** 16));
    truncateSync(join(directory, 'huge.csv'), 200 * 2 ** 20);
    writeFileSync(join(directory, 'huge.place'), '');
    truncateSync(join(directory, 'huge.place'), 200 * 2 ** 20);
    const asTable = await cli.run(['run', 'a.place'], directory);
    expectComplaint(asTable, /huge\.csv: The file is larger than 128 MiB, the maximum for a matrix/);
    const asProgram = await cli.run(['run', 'huge.place'], directory);
    expectComplaint(asProgram, /huge\.place has 200\.0 MiB\. The maximum is 4 MiB\. \[file-too-large\]/);
    expect([asTable.code, asProgram.code]).toEqual([1, 1]);
  });

  it('sound placements are printed all the same', async () => {
    const outcome = await inDirectory(
      { 'a.place': `${good}placement q { job none  machine m }\n` },
      'run',
      'a.place',
      '--json',
    );
    const { placements, diagnostics } = JSON.parse(outcome.out) as {
      placements: { name: string }[];
      diagnostics: { severity: string }[];
    };
    expect(placements.map(({ name }) => name)).toEqual(['p']);
    expect(diagnostics).toContainEqual(expect.objectContaining({ severity: 'error' }));
    expect(outcome.code).toBe(1);
  });

  it('an export of a placement that cannot be evaluated writes nothing', async () => {
    const directory = mkdtempSync(join(cli.scratch(), 'nothing-'));
    writeFileSync(join(directory, 'a.place'), good.replace('tasks 4', 'tasks 5'));
    const { code, out } = await cli.run(['export', 'a.place', 'p', '--format', 'vector', '-o', 'out.txt'], directory);
    expect([code, out, readdirSync(directory)]).toEqual([1, '', ['a.place']]);
  });

  it('one bad file among good ones is enough for check, and all are checked', async () => {
    const bad = good.replace('torus', 'torsu');
    const outcome = await inDirectory(
      { 'a.place': bad, 'b.place': good, 'c.place': bad },
      'check',
      'a.place',
      'b.place',
      'c.place',
    );
    expect(outcome.code).toBe(1);
    expect(outcome.err).toMatch(/^a\.place:1/m);
    expect(outcome.err).toMatch(/^c\.place:1/m);
  });
});

describe('exit code 2: wrong usage', () => {
  const cases: [string, string[], RegExp][] = [
    ['no command', [], /Usage: placewright/],
    ['an unknown command', ['rum', 'a.place'], /unknown command 'rum'[\s\S]*run/],
    ['no file', ['run'], /missing required argument 'file'/],
    ['two files', ['run', 'a.place', 'b.place'], /No placement 'b\.place': expected one of p/],
    ['three words', ['run', 'a.place', 'p', 'q'], /too many arguments/],
    ['two placements', ['run', 'a.place', 'p', '--placement', 'q'], /Two placements given, 'p' and 'q'/],
    ['an unknown option', ['run', 'a.place', '--jsno'], /unknown option '--jsno'[\s\S]*--json/],
    [
      'a file that is not there',
      ['run', 'none.place'],
      /^none\.place:1:1: error: File .* not found\. \[file-not-found\]$/m,
    ],
    ['a folder', ['check', '.'], /folder/],
    ['an unknown placement', ['run', 'a.place', '--placement', 'q'], /No placement 'q': expected one of p/],
    ['an unknown machine', ['distances', 'a.place', 'n'], /No machine 'n': expected one of m/],
    [
      'an unknown distance model',
      ['distances', 'a.place', 'm', '--model', 'miles'],
      /hops, traffic-distribution, even-hops, equivalent/,
    ],
    [
      'an unknown format',
      ['export', 'a.place', 'p', '--format', 'pdf'],
      /'pdf'. Expected one of vector, rankfile, json/,
    ],
    ['no format', ['export', 'a.place', 'p'], /--format/],
    ['no output for a picture', ['draw', 'a.place', 'p'], /--output/],
    ['an unknown catalogue', ['list', 'maps'], /mappers/],
    ['a hot-link factor of 0', ['run', 'a.place', '--hot-link-factor', '0'], /above 0/],
    [
      'a place that cannot be written',
      ['export', 'a.place', 'p', '--format', 'vector', '-o', 'no/such/folder.txt'],
      /Cannot write no\/such\/folder\.txt/,
    ],
    [
      'hosts that are missing',
      ['export', 'a.place', 'p', '--format', 'rankfile', '--hosts', 'hosts.txt'],
      /hosts\.txt/,
    ],
  ];
  it.each(cases)('%s', async (_, words, expected) => {
    const { code, out, err } = await inDirectory({ 'a.place': good }, ...words);
    expect(err).toMatch(expected);
    expect([code, out]).toEqual([2, '']);
  });
});

describe('exit code 3: a fault of the program', () => {
  it('asks to report it, with what is needed', async () => {
    let err = '';
    const broken = () => {
      throw new Error('the terminal burnt down');
    };
    const code = await runCommandLine(
      ['list', 'mappers'],
      terminalOn(broken, (text) => (err += text)),
      () => Promise.reject(new Error('a list is not computed')),
    );
    expect(code).toBe(3);
    expect(err).toMatch(/Internal error in Placewright .*not in your file[\s\S]*report[\s\S]*burnt down/);
  });
});

describe('outputs', () => {
  it('replace a file as a whole or leave it alone', async () => {
    const directory = mkdtempSync(join(cli.scratch(), 'atomic-'));
    writeFileSync(join(directory, 'a.place'), good);
    writeFileSync(join(directory, 'out.txt'), 'older and longer than what comes\n'.repeat(100));
    const words = ['export', 'a.place', 'p', '--format', 'vector', '-o', 'out.txt', '--force'];
    const { code } = await cli.run(words, directory);
    expect(code).toBe(0);
    expect(readFileSync(join(directory, 'out.txt'), 'utf8')).toMatch(
      /^# Placement p of a\.place .*\n(#.*\n)*0\n1\n2\n3\n$/,
    );
    expect(readdirSync(directory).sort()).toEqual(['a.place', 'out.txt']);
  });

  it('take host names from a file', async () => {
    const files = { 'a.place': good, 'hosts.txt': '# rack\nn1\nn2\nn3\nn4\n' };
    const { out, err } = await inDirectory(
      files,
      'export',
      'a.place',
      'p',
      '--format',
      'rankfile',
      '--hosts',
      'hosts.txt',
    );
    expect(out).toContain('rank 0=n1 slot=0\nrank 1=n2 slot=0');
    expect(err).toBe('');
  });

  it('run where the folder is read-only', async () => {
    const directory = mkdtempSync(join(cli.scratch(), 'read-only-'));
    mkdirSync(join(directory, 'inner'));
    writeFileSync(join(directory, 'inner', 'a.place'), good);
    chmodSync(join(directory, 'inner'), 0o555);
    expect((await cli.run(['run', 'a.place'], join(directory, 'inner'))).code).toBe(0);
    chmodSync(join(directory, 'inner'), 0o755);
  });
});
