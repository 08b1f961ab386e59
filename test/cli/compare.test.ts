import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

/** A file of the test's own. */
function file(text: string): string {
  const path = join(cli.scratch(), 'compared.place');
  writeFileSync(path, text);
  return path;
}

const line = `machine line { topology mesh 8 }
table chain { 0 -> 1 : 100  1 -> 2 : 100  2 -> 3 : 100 }
job chain { tasks 4  table chain }
placement p { job chain machine line map baseline }
`;
const compareLine = (...words: readonly string[]) => cli.run(['compare', file(line), 'p', ...words]);

describe('compare', () => {
  it('prints a table, the best mapper first', () => {
    const mappers = 'given [0, 2, 4, 6], baseline, given [7, 0, 6, 1]';
    const { code, out, err } = compareLine('--mappers', mappers);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const masked = out.replace(/ *\d+\.\d$/gm, ' …');
    expect(masked).toBe(`Placement p: chain (4 tasks) on line, seed 1

Mapper                 Hop-bytes  Ratio  Average hops  Maximum hops  Maximum link load  Heaviest link  Mapping coefficient  Milliseconds
as written (baseline)      300 B  1.000             1             1              100 B  0 → 1                        300 B …
baseline                   300 B  1.000             1             1              100 B  0 → 1                        300 B …
given [0, 2, 4, 6]         600 B  2.000             2             2              100 B  0 → 1                        600 B …
given [7, 0, 6, 1]     1.758 KiB  6.000             6             7              200 B  2 → 1                    1.758 KiB …
`);
  });

  it('shows what the placement itself comes to, its mapping, and where it congests', () => {
    const timed = line.replace('mesh 8', 'mesh 8  bandwidth 100 B/s').replace('map baseline', 'map given [7, 6, 5, 3]');
    const words = ['compare', file(timed), 'p', '--mappers', 'baseline'];
    const rows = cli.run(words).out.split('\n');
    expect(rows[2]).toMatch(/Heaviest link +Congestion time/);
    expect(rows.find((row) => row.startsWith('as written (given)'))).toMatch(/ 4 → 3 .* 1 s/);
    const { mappers } = JSON.parse(cli.run([...words, '--json']).out) as { mappers: unknown[] };
    expect(mappers[1]).toMatchObject({
      mapper: 'as written (given)',
      asWritten: true,
      metrics: { congestionTime: 1 },
      heaviestLink: { from: 4, to: 3, load: 100 },
      jobs: [{ name: 'chain', mapping: [7, 6, 5, 3] }],
    });
    expect(mappers[0]).not.toHaveProperty('asWritten');
  });

  it('sorts by another figure', () => {
    // Side by side the two messages share links; apart they travel further and share none.
    const text = `machine line { topology mesh 8 }  table t { 0 -> 1 : 100  2 -> 3 : 100 }
      job j { tasks 4  table t }  placement p { job j  machine line  map given [0, 3, 1, 2] }`;
    const [near, far] = ['as written (given)', 'given [0, 2, 4, 7]'];
    const order = (...words: readonly string[]) =>
      cli
        .run(['compare', file(text), 'p', '--mappers', 'given [0, 2, 4, 7]', ...words])
        .out.split('\n')
        .flatMap((row) => [near, far].filter((name) => row.startsWith(name)));
    expect(order()).toEqual([near, far]);
    expect(order('--sort', 'maximum-link-load')).toEqual([far, near]);
    expect(order('--sort', 'average-hops')).toEqual([near, far]);
  });

  it('prints CSV, and not beside JSON', () => {
    const { code, out } = compareLine('--mappers', 'given [0, 2, 4, 6], given [0, 1]', '--csv');
    expect(code).toBe(0);
    const [head, own, given, refused, end] = out.split('\r\n');
    expect(head).toBe(
      'mapper,hopBytes,ratio,averageHops,maximumHops,maximumLinkLoad,heaviestLink,congestionTime,mappingCoefficient,milliseconds,failure',
    );
    expect(own).toMatch(/^as written \(baseline\),300,1,1,1,100,0 → 1,,300,[\d.e-]+,$/);
    expect(given).toMatch(/^"given \[0, 2, 4, 6\]",600,2,2,2,100,0 → 1,,600,[\d.e-]+,$/);
    expect(refused).toMatch(/^"given \[0, 1\]",{10}"?refused: \S/);
    expect(end).toBe('');
    expect(compareLine('--csv', '--json')).toMatchObject({ code: 2, out: '' });
  });

  it('counts one task as one', () => {
    const one = 'machine m { topology mesh 2 }  job j { tasks 1  pattern ring }  placement p { job j  machine m }';
    expect(cli.run(['compare', file(one), 'p', '--mappers', 'rcb']).out).toMatch(/j \(1 task\)/);
  });

  it('takes all mappers that need no argument, and lists those that refuse last', () => {
    const { mappers } = JSON.parse(compareLine('--json').out) as { mappers: { mapper: string }[] };
    expect(mappers.map(({ mapper }) => mapper)).toEqual(expect.arrayContaining(['auto', 'rcb', 'baseline']));
    const { out, code } = compareLine('--mappers', 'given [0, 1], baseline');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^given \[0, 1\] {2}refused: \S/);
  });

  it('prints one JSON object', () => {
    const { out } = compareLine('--mappers', 'rcb, baseline', '--json');
    const found = JSON.parse(out) as { mappers: unknown[] };
    expect(found).toMatchObject({ placement: 'p', machine: 'line', seed: 1 });
    expect(found.mappers[1]).toMatchObject({
      mapper: 'rcb',
      ratio: 1,
      metrics: { averageHops: 1, maximumHops: 1, hopBytes: 300, maximumLinkLoad: 100, mappingCoefficient: 300 },
      jobs: [{ name: 'chain' }],
      milliseconds: { map: expect.any(Number) as number },
    });
  });

  it.each([
    ['a mapper that is none', ['--mappers', 'graps'], /^placewright: --mappers: There is no mapper `graps`.*`grasp`/],
    ['options of the wrong kind', ['--mappers', 'rcb(rotate maybe)'], /`rotate` takes `yes` or `no`/],
    ['a time without a unit', ['--limit', '5'], /`--limit` needs a unit/],
    ['a figure that is none', ['--sort', 'hops'], /hop-bytes, maximum-link-load, congestion-time, average-hops, mill/],
    ['no time at all', ['--limit', '0 s'], /`--limit` is a time above 0/],
  ])('refuses %s as wrong usage', (_, words, message) => {
    const { code, out, err } = compareLine(...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  it('refuses a placement or a file that is not there as wrong usage', () => {
    expect(cli.run(['compare', file(line), 'q'])).toMatchObject({ code: 2, err: /no placement 'q'; there are: p/ });
    expect(cli.run(['compare', 'nowhere.place', 'p'])).toMatchObject({ code: 2, out: '' });
  });

  it.each([
    ['an error in the text', line.replace('mesh 8', 'mesh 3'), /:4:\d+: error: .*\[does-not-fit\]/],
    ['a file that cannot be read', line.replace(/table chain \{.*\}/, 'table chain from "none.csv"'), /file-not-found/],
  ])('ends with 1 and says so where there is %s', (_, text, message) => {
    const { code, out, err } = cli.run(['compare', file(text), 'p', '--mappers', 'rcb, baseline']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
    expect(err).toMatch(/placement 'p' could not be evaluated, so nothing is compared/);
  });

  it('stops a mapper at its limit, and goes on', () => {
    const large =
      'machine m { topology torus 64 x 64 }  job j { tasks 3000  pattern all-to-all }  placement p { job j  machine m  map baseline }';
    const { out, code } = cli.run(['compare', file(large), 'p', '--mappers', 'auto, baseline', '--limit', '1 ms']);
    expect(code).toBe(0);
    expect(out).toMatch(/^baseline /m);
    expect(out).toMatch(/^auto {2}stopped after \d/m);
  });

  it('ends at Ctrl-C with the mappers that were done, and says so', async () => {
    const grid = 'machine m { topology torus 32 x 32 }  job j { grid 32 x 32  stencil nine-point }';
    const words = ['compare', file(`${grid}  placement p { job j  machine m  map baseline }`), 'p', '--limit', '600 s'];
    const child = spawn(process.execPath, [
      join(cli.scratch(), 'dist', 'cli.cjs'),
      ...words,
      '--mappers',
      'baseline, grasp(iterations 1000000), rcb',
    ]);
    let out = '';
    let err = '';
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (err += text.toString()));
    // Long after `baseline` is done, and ages before `grasp` is.
    setTimeout(() => child.kill('SIGINT'), 3000);
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, err }).toEqual({ code: 0, err: 'placewright: interrupted; 2 of 4 mappers were tried.\n' });
    expect(out).toMatch(/^baseline /m);
  });
});

describe('distances', () => {
  const small = 'machine ring { topology torus 4 }';

  it('stand under the numbers of the routers and behind them', () => {
    expect(cli.run(['distances', file(small), 'ring']).out).toBe(
      ['   0  1  2  3', '0  0  1  2  1', '1  1  0  1  2', '2  2  1  0  1', '3  1  2  1  0', ''].join('\n'),
    );
  });

  it('are printed as CSV', () => {
    expect(cli.run(['distances', file(small), 'ring', '--csv']).out).toBe(
      ['router,0,1,2,3', '0,0,1,2,1', '1,1,0,1,2', '2,2,1,0,1', '3,1,2,1,0', ''].join('\r\n'),
    );
  });
});
