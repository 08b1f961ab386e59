/** `-` as a file of `simulate`, `experiment`, `sweep` and `trace`: it stands on standard output alone, so that a pipe can read it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { experiment, experimentFolders, machine, stream } from './experimentFolder.ts';

const { cli, folder } = experimentFolders();

const simulated = `machine m { topology mesh 2 x 2  bandwidth 1 GB/s }
job j { grid 2 x 2  stencil five-point  bytes 512 }
network worms { switching wormhole  packet 8  flit 4 B }
placement in-order { job j  machine m  map row-major  simulate worms }
placement by-chance { job j  machine m  map random  simulate worms }
`;
const streamed = `${machine}${stream}${experiment('allocate gabl replications 2 report turnaround')}`;
const swept =
  'machine small { topology torus 2 x 2 }\njob j { tasks 4 pattern ring }\nplacement p { job j machine small map rcb }\n';
const traced = readFileSync('samples/traces/broadcast.goal', 'utf8');

const sweepOf = (...words: readonly string[]) => ['sweep', 'a.place', '--over', 'map=rcb,random', ...words];
/** The option, its words, and the program. */
const commands: readonly (readonly [string, readonly string[], string])[] = [
  ['--csv', ['simulate', 'a.place'], simulated],
  ['-o', ['simulate', 'a.place', 'in-order', '--figure', 'links'], simulated],
  ['--csv', ['experiment', 'a.place'], streamed],
  ['--jobs', ['experiment', 'a.place'], streamed],
  ['-o', ['experiment', 'a.place'], streamed],
  ['--csv', sweepOf(), swept],
  ['--cells', sweepOf(), swept],
  ['-o', sweepOf(), swept],
  ['-o', ['trace', 'a.place'], traced],
];

/** Without the digest of what is a file. */
const unsealed = (text: string): string => text.replace(/^.*placewright-digest.*\n/m, '');

describe('a file that is standard output', () => {
  it.each(commands)('%s of %j stands there alone, and the text on standard error', async (option, words, text) => {
    const directory = folder({ 'a.place': text });
    const toFile = await cli.run([...words, option, 'file'], directory);
    expect(toFile).toMatchObject({ code: 0, err: '' });
    const file = unsealed(readFileSync(join(directory, 'file'), 'utf8'));
    expect(await cli.run([...words, option, '-'], directory)).toEqual({ code: 0, out: file, err: toFile.out });
  });

  it.each(commands)('%s of %j is not mixed with JSON', async (option, words, text) => {
    const directory = folder({ 'a.place': text });
    const err = `placewright: --json and ${option} both use standard output. Name a file for ${option}.\n`;
    expect(await cli.run([...words, '--json', option, '-'], directory)).toEqual({ code: 2, out: '', err });
  });

  it.each([
    [['simulate', 'a.place', 'in-order', '--csv', '-', '-o', '-'], '--csv and -o', simulated],
    [['experiment', 'a.place', '--jobs', '-', '--csv', '-'], '--csv and --jobs', streamed],
    [sweepOf('--cells', '-', '-o', '/dev/stdout'), '--cells and -o', swept],
  ])('%j would be two, and is wrong usage', async (words, both, text) => {
    const { code, out, err } = await cli.run(words, folder({ 'a.place': text }));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`${both} both use standard output`);
  });
});

it('the table of simulated placements has a line for each, with the numbers of the JSON', async () => {
  const directory = folder({ 'a.place': simulated });
  const [head = '', ...lines] = (await cli.run(['simulate', 'a.place', '--csv', '-'], directory)).out
    .trimEnd()
    .split('\n');
  const { simulations } = JSON.parse((await cli.run(['simulate', 'a.place', '--json'], directory)).out) as {
    readonly simulations: readonly Readonly<Record<'makespan' | 'latency' | 'throughput', Record<string, number>>>[];
  };
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(head.split(',').map((name, column) => [name, cells[column]]));
  });
  expect(rows.map(({ placement, mapper, end }) => [placement, mapper, end])).toEqual([
    ['in-order', 'row-major', 'complete'],
    ['by-chance', 'random', 'complete'],
  ]);
  expect(rows.map((row) => [row['makespan'], row['latency'], row['throughput']])).toEqual(
    simulations.map(({ makespan, latency, throughput }) =>
      [makespan['cycles'], latency['mean'], throughput].map(String),
    ),
  );
  expect(rows.map(({ busiestLink }) => busiestLink)).toEqual(
    [0, 1].map(() => expect.stringMatching(/^(node )?\d -> \d$/) as string),
  );
});

it('a table of simulated placements that is there is replaced, and what somebody else wrote is not', async () => {
  const directory = folder({ 'a.place': simulated });
  const write = () => cli.run(['simulate', 'a.place', '--csv', 'a.csv'], directory);
  expect([(await write()).code, (await write()).code]).toEqual([0, 0]);
  writeFileSync(join(directory, 'a.csv'), 'mine\n');
  expect(await write()).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^placewright: a\.csv exists, and was edited or not written by Placewright\./) as string,
  });
});
