import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unbalancedTags } from '../../server/drawing/testing/figures.ts';
import { commandLine } from './commandLine.ts';

/** `draw` of an experiment: what its panel shows, as files. */

const text = `machine mesh { topology mesh 8 x 8 }
stream rectangles {
  arrivals exponential(rate 0.05)
  width    uniform(1, 8)
  height   uniform(1, 8)
  service  exponential(mean 20)
  jobs     60 completed
}
experiment crossed {
  stream rectangles  machine mesh
  schedule fcfs
  allocate gabl, first-fit
  vary arrivals.rate 0.02 .. 0.04 step 0.02
  seeds 1 .. 3
  report turnaround, utilisation
}
experiment alone { stream rectangles  machine mesh  allocate gabl  seeds 1 .. 2  report turnaround }
job ring { tasks 4  pattern ring  bytes 1 KiB }
placement p { job ring  machine mesh  map baseline }
`;

const cli = commandLine();
const run = (...words: readonly string[]) => cli.run(words, cli.scratch());
const file = (name: string): string => readFileSync(join(cli.scratch(), name), 'utf8');

beforeAll(() => {
  writeFileSync(join(cli.scratch(), 'a.place'), text);
  writeFileSync(join(cli.scratch(), 'new.place'), text);
});

describe('results', () => {
  beforeAll(async () => {
    expect((await run('experiment', 'a.place')).code).toBe(0);
  });

  it('are curves with the metric that is asked for', async () => {
    const { code, out, err } = await run('draw', 'a.place', 'crossed', '--metric', 'utilisation', '-o', '-');
    expect([code, err]).toEqual([0, '']);
    expect(unbalancedTags(out)).toEqual([]);
    for (const part of [
      'crossed: utilisation',
      'gabl',
      'first-fit',
      'arrivals.rate',
      '3 replications, 95 % confidence intervals',
    ])
      expect(out).toContain(`>${part}<`);
  });

  it('are the numbers of the figure in a file that ends in .csv', async () => {
    expect((await run('draw', 'a.place', 'crossed', '-o', 'crossed.csv')).code).toBe(0);
    const [head, first, ...others] = file('crossed.csv').trim().split('\n');
    expect(head).toBe('arrivals.rate,scheduler,allocator,turnaround (cycles),half width,replications');
    expect(first).toMatch(/^0\.02,fcfs,gabl,\d+\.\d+,\d+\.\d+,3$/);
    expect(others).toHaveLength(3);
  });

  it('have a curve for each pattern of traffic', async () => {
    const load = `machine t { topology torus 4 x 4 }
experiment load { machine t  network cut-through(packet 8)  traffic uniform, transpose  vary rate [0.1, 0.3]  warm-up 50  sample 50  samples 2  seeds 1 .. 2 }
`;
    writeFileSync(join(cli.scratch(), 'load.place'), load);
    expect((await run('experiment', 'load.place')).code).toBe(0);
    expect((await run('draw', 'load.place', 'load', '-o', 'load.csv')).code).toBe(0);
    const [head, ...rows] = file('load.csv').trim().split('\n');
    expect(head).toBe('rate,pattern,latency (cycles),half width,replications');
    expect(rows.map((row) => row.split(',').slice(0, 2).join())).toEqual([
      '0.1,uniform',
      '0.1,transpose',
      '0.3,uniform',
      '0.3,transpose',
    ]);
    const { out } = await run('draw', 'load.place', 'load', '-o', '-');
    for (const name of ['uniform', 'transpose', 'rate (flits/node/cycle)']) expect(out).toContain(`>${name}<`);
  });

  it('take the place of the same figure, and of no other file', async () => {
    const line = ['draw', 'a.place', 'crossed', '-o', 'crossed.pdf'];
    expect(await run(...line)).toMatchObject({ code: 0, err: '' });
    const bytes = readFileSync(join(cli.scratch(), 'crossed.pdf'));
    expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    expect((await run(...line)).code).toBe(0);
    writeFileSync(join(cli.scratch(), 'crossed.pdf'), bytes.subarray(0, 40));
    expect(await run(...line)).toMatchObject({ code: 2, err: expect.stringContaining('--force') as string });
  });

  it.each([
    ['results', ['--width', '84mm']],
    ['results', ['--width', '3.30709in']],
    ['jobs', ['--width', '84mm', '--figure', 'jobs']],
  ])('%s are as wide as %j says', async (_, words) => {
    const { code, out, err } = await run('draw', 'a.place', 'crossed', ...words, '-o', '-');
    expect([code, err]).toEqual([0, '']);
    expect(/<svg[^>]* width="([^"]+)" height="([^"]+)"/.exec(out)?.slice(1)).toEqual([
      '84mm',
      expect.stringMatching(/mm$/) as string,
    ]);
  });

  it('are written by the run itself, in the format that the file is named after', async () => {
    expect((await run('experiment', 'a.place', 'alone', '-o', 'run.pdf')).code).toBe(0);
    expect((await run('draw', 'a.place', 'alone', '-o', 'drawn.pdf')).code).toBe(0);
    const [written, drawn] = ['run.pdf', 'drawn.pdf'].map((name) => readFileSync(join(cli.scratch(), name)));
    expect(written!.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    expect(written!.equals(drawn!)).toBe(true);
  });

  it('are those of the run: nothing is simulated anew', async () => {
    const kept = JSON.parse(file('a.place.results/crossed.json')) as {
      readonly result: {
        readonly rows: readonly { readonly metrics: { readonly turnaround: { readonly mean: number } } }[];
      };
    };
    await run('draw', 'a.place', 'crossed', '-o', 'again.csv');
    const means = file('again.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',')[3]));
    expect(means).toEqual(kept.result.rows.map(({ metrics }) => metrics.turnaround.mean));
  });

  it('of an older text are drawn, and said to be old', async () => {
    expect((await run('experiment', 'new.place', 'alone')).code).toBe(0);
    writeFileSync(join(cli.scratch(), 'new.place'), text.replace('mean 20', 'mean 30'));
    const { code, out, err } = await run('draw', 'new.place', 'alone', '-o', '-');
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('the results are out of date. Run the experiment again.') as string,
    ]);
    expect(out).toContain('alone: turnaround');
  });

  it('that are not there yet are asked for', async () => {
    const { code, out, err } = await run('draw', 'new.place', 'crossed', '-o', '-');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      "Experiment 'crossed' has no results yet. Run it first. Run it: placewright experiment new.place crossed",
    );
  });
});

describe('one replication', () => {
  it.each([
    [
      'jobs',
      ['--point', 'first-fit, arrivals.rate 0.04', '--replication', '2'],
      'crossed: jobs by node',
      'first-fit, arrivals.rate 0.04, replication 2',
    ],
    ['jobs', ['--between', '100..400'], 'Time (cycles)', 'gabl, arrivals.rate 0.02, replication 1'],
    ['machine', ['--time', '250'], 'crossed at 250 cycles', 'fragmentation'],
    ['queue', [], 'Utilisation (%)', 'Waiting jobs'],
  ])('is drawn without results: %s %j', async (figure, words, ...parts) => {
    const { code, out, err } = await run('draw', 'new.place', 'crossed', '--figure', figure, ...words, '-o', '-');
    expect([code, err]).toEqual([0, '']);
    expect(unbalancedTags(out)).toEqual([]);
    for (const part of parts) expect(out).toContain(`>${part}<`);
  });

  it('gives the same bytes every time', async () => {
    const words = ['draw', 'a.place', 'crossed', '--figure', 'jobs', '-o', '-'];
    expect((await run(...words)).out).toBe((await run(...words)).out);
  });

  it('is a table of its jobs', async () => {
    expect((await run('draw', 'a.place', 'alone', '--figure', 'jobs', '-o', 'jobs.csv')).code).toBe(0);
    const [head, first] = file('jobs.csv').split('\n');
    expect(head).toBe('job,submit,start,end,processors,nodes');
    expect(first).toMatch(/^0,[\d.]+,[\d.]+,[\d.]+,\d+,\d+(-\d+)?( \d+(-\d+)?)*$/);
  });
});

describe('what cannot be drawn', () => {
  const draw = ['draw', 'a.place', 'crossed'];
  it.each([
    ['a moment of all jobs', [...draw, '--figure', 'jobs', '--time', '5'], /--time needs --figure machine/],
    [
      'a metric of a replication',
      [...draw, '--figure', 'queue', '--metric', 'turnaround'],
      /--metric needs --figure results/,
    ],
    [
      'a point that is not there',
      [...draw, '--figure', 'jobs', '--point', 'rbs'],
      /No row 'rbs'. Expected one of 'gabl, arrivals\.rate 0\.02', /,
    ],
    [
      'several points',
      [...draw, '--figure', 'jobs', '--point', 'gabl'],
      /'gabl' matches several rows. Choose one of 'gabl, arrivals\.rate 0\.02', 'gabl, arrivals\.rate 0\.04'/,
    ],
    ['times that run backwards', [...draw, '--figure', 'jobs', '--between', '9..5'], /Expected a time window/],
    ['half a replication', [...draw, '--figure', 'jobs', '--replication', '1.5'], /whole number/],
    ['another figure', [...draw, '--figure', 'pie'], /results, jobs, machine, queue/],
    [
      'a figure of a placement',
      ['draw', 'a.place', 'p', '--figure', 'jobs'],
      /--figure applies to experiments only; 'p' is not one\./,
    ],
    ['labels of nodes', [...draw, '--labels', 'node'], /--labels applies to diagrams of placements/],
    [
      'a width without a unit',
      [...draw, '--width', '84'],
      /--width '84' must be a length from 30mm to 5000mm\. Example: 84mm, 3\.3in or 240pt\./,
    ],
    ['the width of a table', [...draw, '--width', '84mm', '-o', 'x.csv'], /x\.csv is a table/],
    ['a result of a placement', [...draw, '--from', 'x.json'], /--from applies to placements only/],
    [
      'a name that is neither',
      ['draw', 'a.place', 'q'],
      /No placement, machine or experiment 'q'. Expected one of p, mesh, crossed, alone/,
    ],
    ['a picture of another kind', [...draw, '-o', 'x.jpg'], /Unsupported image format JPG/],
  ])('%s is wrong usage', async (_, words, message) => {
    const { code, out, err } = await run(...words, ...(words.includes('-o') ? [] : ['-o', '-']));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it.each([
    [
      'a metric that was not measured',
      [...draw, '--metric', 'latency'],
      /Metric 'latency' has no results\. Expected one of turnaround, utilisation\./,
    ],
    [
      'a replication that there is not',
      [...draw, '--figure', 'jobs', '--replication', '4'],
      /Replication 4 does not exist\. Replications are 1 to 3\./,
    ],
  ])('%s ends with 1', async (_, words, message) => {
    const { code, out, err } = await run(...words, '-o', '-');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(message);
  });

  it('the results themselves are not overwritten', async () => {
    expect((await run('experiment', 'a.place', 'alone')).code).toBe(0);
    const before = file('a.place.results/alone.json');
    const { code, err } = await run('draw', 'a.place', 'alone', '-o', 'a.place.results/alone.json');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('a.place.results/alone.json is an input file. Name another file for -o.') as string,
    ]);
    expect(file('a.place.results/alone.json')).toBe(before);
    expect(readdirSync(join(cli.scratch(), 'a.place.results')).sort()).toContain('alone.json');
  });
});
