/** `placewright sweep`: an experiment made of options: its rows, that it goes on after any end, and what it says of bad input. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { lineCells } from '../../server/interchange/csv.ts';
import { binary } from './binary.ts';
import { experimentFolders, experimentsOf, journalLines, killed } from './experimentFolder.ts';

const { cli, folder } = experimentFolders();
const built = binary();

const declarations = `machine small { topology torus 4 x 4  bandwidth 1 GB/s }
job heat { grid 4 x 4 stencil five-point bytes 64 KiB }
`;
const place = `${declarations}placement p { job heat machine small map row-major seed 3 }\n`;
const grid = [
  '--over',
  'map=row-major, random, grasp(iterations 20)',
  '--over',
  'heat.bytes=1024..3072 step 1024',
  '--over',
  'seed=1..3',
];
const sweep = (directory: string, words: readonly string[]) => cli.run(['sweep', 'a.place', ...words], directory);

describe('placewright sweep', () => {
  it('prints the rows and the best cell, and keeps them beside the file', async () => {
    const directory = folder({ 'a.place': place });
    const { code, out, err } = await sweep(directory, ['--over', 'map=row-major,random', '--over', 'seed=1..5']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^Experiment p-sweep \(5 replications of each row\)\n.*allocator +mapper +hopBytes \(bytes\).*\n +all +row-major +3,145,728 .*\n +all +random +[\d,]+ ± /,
    );
    expect(out).toMatch(
      /\n\nBest hopBytes: 3,145,728 bytes\n {2}placement: job heat {2}machine small {2}allocate all {2}map row-major {2}seed 1\n$/,
    );
    expect(readdirSync(join(directory, 'a.place.results')).sort()).toEqual(['p-sweep.journal', 'p-sweep.json']);
  });

  it('gives the same bytes with 1 and 3 threads, and a line for each cell', async () => {
    const outputs = [];
    for (const threads of [1, 3]) {
      const directory = folder({ 'a.place': place });
      const words = [
        ...grid,
        '--json',
        '--threads',
        `${threads}`,
        '--csv',
        'rows.csv',
        '--cells',
        'cells.csv',
        '-o',
        'a.svg',
      ];
      // The process of the tests has one thread.
      const { code, out, err } =
        threads === 1 ? await sweep(directory, words) : built.run(['sweep', 'a.place', ...words], directory);
      const [rows = '', cells = '', figure = ''] = ['rows.csv', 'cells.csv', 'a.svg'].map((name) =>
        readFileSync(join(directory, name), 'utf8'),
      );
      const done = journalLines(directory, 'p-sweep')
        .map((line) => line.slice(line.indexOf(' ')))
        .sort();
      expect(new Set(done).size).toBe(done.length);
      outputs.push({ code, out, err, rows, cells, figure, done });
    }
    const [first] = outputs;
    expect(outputs[1]).toEqual(first);
    expect([first?.code, first?.err]).toEqual([0, '']);
    expect(first?.figure).toMatch(/<svg[\s\S]*heat\.bytes/);
    expect(experimentsOf(first?.out ?? '')[0]?.rows).toHaveLength(9);
    const [head, ...cells] = first?.cells.trimEnd().split('\n') ?? [];
    expect(head).toBe(
      'experiment,heat.bytes,job,machine,allocator,mapper,seed,hopBytes (bytes),averageHops (hops),maximumLinkLoad (bytes)',
    );
    expect(cells).toHaveLength(3 * 3 * 3);
    expect(new Set(cells.map((line) => lineCells(line, ',').slice(0, 7).join())).size).toBe(27);
    expect(first?.rows.trimEnd().split('\n')).toHaveLength(1 + 9 * 3);
  });

  it('measures each cell as `run` does', async () => {
    const directory = folder({ 'a.place': place });
    await sweep(directory, [
      '--over',
      'map=random,grasp',
      '--over',
      'allocate=all,random',
      '--over',
      'seed=4..5',
      '--report',
      'hopBytes,congestionTime',
      '--cells',
      'cells.csv',
    ]);
    const cells = readFileSync(join(directory, 'cells.csv'), 'utf8').trimEnd().split('\n').slice(1);
    expect(cells).toHaveLength(8);
    const alone = cells.map((line, cell) => {
      const [, job, machine, allocator = '', mapper = '', seed = ''] = lineCells(line, ',');
      expect([job, machine]).toEqual(['heat', 'small']);
      return `placement c${cell} { job heat machine small allocate ${allocator} map ${mapper} seed ${seed} }\n`;
    });
    writeFileSync(join(directory, 'b.place'), declarations + alone.join(''));
    const { out } = await cli.run(['run', 'b.place', '--json'], directory);
    const { placements } = JSON.parse(out) as {
      placements: { metrics: { hopBytes: number; congestionTime: number } }[];
    };
    expect(cells.map((line) => lineCells(line, ',').slice(6).map(Number))).toEqual(
      placements.map(({ metrics: { hopBytes, congestionTime } }) => [hopBytes, congestionTime]),
    );
  });

  it('crosses machines, routings, jobs, figures with units and listed seeds, and says what of the best cell to write where', async () => {
    const text = `${declarations}machine big { topology mesh 8 x 4  bandwidth 2 GB/s }
job light { tasks 8 pattern ring bytes 1 KiB }
job wide { grid 4 x 4 stencil nine-point bytes 64 KiB }
placement p { job light machine small map row-major seed 3 }\n`;
    const directory = folder({ 'a.place': text });
    const [machines, routings] = [
      ['--over', 'machine=small, big'],
      ['--over', 'routing=minimal,dimension-order(order y, x)'],
    ] as const;
    const figures = ['--over', 'bandwidth=1,2.5 GB/s', '--over', 'tasks=8..16 step 8', '--over', 'seed=2,5,9'];
    const report = ['--report', 'congestionTime,hopBytes'];
    const mapped = ['--over', 'map=random, grasp(iterations 20, alpha 30%)'];
    const { code, out, err } = await sweep(directory, [
      ...machines,
      ...routings,
      ...figures,
      ...mapped,
      ...report,
      '--cells',
      'cells.csv',
      '--csv',
      'rows.csv',
    ]);
    expect([code, err]).toEqual([0, '']);
    const cells = readFileSync(join(directory, 'cells.csv'), 'utf8').trimEnd().split('\n');
    expect(cells[0]).toBe(
      'experiment,machine.bandwidth,light.tasks,job,machine,routing,allocator,mapper,seed,congestionTime (s),hopBytes (bytes)',
    );
    expect(cells).toHaveLength(1 + 2 * 2 * 2 * 2 * 2 * 3);
    expect(cells[1]).toMatch(/^p-sweep,1000000000,8,light,small,minimal,all,random,2,/);
    expect(readFileSync(join(directory, 'rows.csv'), 'utf8')).toMatch(
      /^p-sweep,2500000000,16,light,big,"dimension-order\(order \[1, 0\]\)",all,,"grasp\(.*iterations 20.*\)",hopBytes,bytes,[\d.]+,[\d.]+,3,2 5 9$/m,
    );
    expect(out).toMatch(/\n +1 GB\/s +8 +small +minimal +all +random /);
    // What it says of the best cell, written into the file, gives the value of that cell.
    const [, told = '', ...owners] =
      /\nBest congestionTime: .*\n {2}placement: (.*)\n {2}(machine \w+): (.*)\n {2}(job light): (tasks \d+)\n$/.exec(
        out,
      ) ?? [];
    expect(told).toMatch(
      /^job light {2}machine (small|big) {2}allocate all {2}map (random|grasp\(iterations 20, alpha 30%\)) {2}seed [259]$/,
    );
    const [machine = '', figuresOfMachine = '', , tasks = ''] = owners;
    expect(figuresOfMachine).toMatch(/^routing (minimal|dimension-order\(order y, x\)) {2}bandwidth [\d.]+ GB\/s$/);
    const rewritten = text
      .replace(new RegExp(`(${machine} \\{.*?) {2}bandwidth.*\\}`), `$1  ${figuresOfMachine} }`)
      .replace('tasks 8', tasks)
      .replace(/placement p \{.*\}/, `placement p { ${told} }`);
    writeFileSync(join(directory, 'b.place'), rewritten);
    const alone = await cli.run(['run', 'b.place', '--json'], directory);
    const { placements } = JSON.parse(alone.out) as { placements: { metrics: { congestionTime: number } }[] };
    const times = cells.slice(1).map((line) => Number(lineCells(line, ',')[9]));
    expect(placements[0]?.metrics.congestionTime).toBe(Math.min(...times));
  });

  it('runs several jobs one by one, as experiments do that are written', async () => {
    const jobs = 'job wide { grid 4 x 4 stencil nine-point bytes 64 KiB }\njob small-one { tasks 4 pattern ring }\n';
    const directory = folder({ 'a.place': declarations + jobs + place.split('\n')[2]! });
    const { out, code } = await sweep(directory, [
      '--over',
      'job=heat,wide,small-one',
      '--over',
      'map=rcb,random',
      '--json',
    ]);
    const rows = experimentsOf(out)[0]?.rows ?? [];
    expect([code, rows.map(({ job, mapper }) => `${job} ${mapper}`)]).toEqual([
      0,
      ['heat rcb', 'heat random', 'wide rcb', 'wide random', 'small-one rcb', 'small-one random'],
    ]);
  });

  it('prints the experiment that it is, which gives the same rows', async () => {
    const directory = folder({ 'a.place': place });
    const printed = await sweep(directory, [...grid, '--print']);
    expect(printed).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(directory, 'a.place.results'))).toBe(false);
    const swept = await sweep(directory, [...grid, '--json']);
    const kept = folder({ 'a.place': place + printed.out });
    expect(await cli.run(['experiment', 'a.place', '--json'], kept)).toEqual(swept);
    expect(await sweep(kept, grid)).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /Experiment 'p-sweep' already exists\. Use `placewright experiment`, or another --name\./,
      ) as string,
    });
    expect((await sweep(kept, [...grid, '--name', 'again', '--json'])).out).toBe(
      swept.out.replace('"p-sweep"', '"again"'),
    );
  });

  it('simulates where it reports what only messages tell, as the placement says', async () => {
    const network = 'network own { switching cut-through packet 8 channels 2 bubble 2 }\n';
    const simulated =
      network + place.replace('seed 3', 'simulate own  replay causal  seed 3').replace('64 KiB', '256 B');
    const printed = await sweep(folder({ 'a.place': simulated }), [
      '--over',
      'map=random,rcb',
      '--report',
      'makespan, hopBytes',
      '--print',
    ]);
    expect(printed.out).toBe(
      'experiment p-sweep {\n  job heat\n  machine small\n  allocate all\n  map random,rcb\n  seeds 3\n  network own\n  replay causal\n  report makespan, hopBytes\n}\n',
    );
    const { code, out } = await sweep(folder({ 'a.place': simulated }), [
      '--over',
      'map=random,rcb',
      '--report',
      'makespan',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/Best makespan: [\d,]+ cycles\n {2}placement: job heat .* map rcb {2}seed 3\n$/);
  });

  it('reads standard input, without a journal', async () => {
    expect(await cli.run(['sweep', '-', '--over', 'map=rcb', '--resume'], folder({ 'a.place': place }))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--resume needs a file, not standard input\./) as string,
    });
    expect((await cli.run(['sweep', '-', '--over', 'map=rcb', '--slurm'], folder({ 'a.place': place }))).code).toBe(2);
  });

  const many = ['--over', 'map=random,grasp(iterations 20)', '--over', 'seed=1..20', '--json'];

  it('goes on where it was killed: the same bytes, nothing lost or done twice', async () => {
    const directory = folder({ 'a.place': place });
    expect(killed(built, ['sweep', 'a.place', ...many, '--threads', '2'], directory).code).toBe(null);
    const kept = journalLines(directory, 'p-sweep');
    expect(kept).toHaveLength(5);
    appendFileSync(join(directory, 'a.place.results/p-sweep.journal'), kept[0]!.slice(0, 40));
    // Another grid is none of this journal.
    expect(await sweep(directory, ['--over', 'map=random', '--resume'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^a\.place:3:11: error: .*\[other-experiment\]\n$/) as string,
    });
    const resumed = await sweep(directory, [...many, '--resume']);
    expect(resumed.err).toMatch(/^placewright: 5 replications of 'p-sweep' were finished before/);
    const lines = journalLines(directory, 'p-sweep');
    expect(lines.slice(0, 5)).toEqual(kept);
    expect(new Set(lines.map((line) => /"point":\d+,"seed":\d+/.exec(line)?.[0])).size).toBe(lines.length);
    expect(resumed.out).toBe((await sweep(folder({ 'a.place': place }), many)).out);
  });

  it('ends at Ctrl-C with what was done, and says how to go on, as a shell takes it', async () => {
    const event = {
      after: 200,
      act: (interrupt: () => void) => {
        interrupt();
      },
    };
    const { code, err } = await cli.runWith(event, ['sweep', 'a.place', ...many], folder({ 'a.place': place }));
    expect(code).toBe(0);
    expect(err).toMatch(
      /interrupted; \d+ replications of 'p-sweep' are done\. Resume: placewright sweep a\.place p --over 'map=random,grasp\(iterations 20\)' --over seed=1\.\.20 --resume\n$/,
    );
  });
});

describe('where nothing can be kept beside the file', () => {
  it('evaluates the grid all the same, and says that it cannot be resumed', async () => {
    const directory = folder({ 'a.place': place, 'a.place.results': 'a file of that name' });
    const { code, out, err } = await sweep(directory, ['--over', 'map=row-major,random', '--over', 'seed=1..2']);
    expect(code).toBe(0);
    expect(out).toContain('Best hopBytes: 3,145,728 bytes');
    expect(err).toMatch(
      /^placewright: .*p-sweep\.journal cannot be read and written: .*a\.place\.results is not a folder\./m,
    );
    expect(readFileSync(join(directory, 'a.place.results'), 'utf8')).toBe('a file of that name');
  });

  it('says that Slurm is not there, or that no answer comes of it, and what is missing', async () => {
    const { code, err } = await sweep(folder({ 'a.place': place }), ['--over', 'map=row-major,random', '--slurm']);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^placewright: --slurm: No job was submitted: this host belongs to no cluster\./m),
    ]);
  });
});

describe('placewright sweep --slurm', () => {
  it('names its output where a folder has a % in its name, which Slurm would replace', async () => {
    const tools = folder({ sbatch: `#!/bin/sh\nprintf '%s\\n' "$@" > "$SBATCH_ARGUMENTS"\nexit 1\n` });
    chmodSync(join(tools, 'sbatch'), 0o755);
    const directory = join(folder({ 'a.place': '' }), '100%j');
    mkdirSync(directory);
    writeFileSync(join(directory, 'a.place'), place);
    const words = join(tools, 'words.txt');
    vi.stubEnv('PATH', `${tools}:${process.env['PATH'] ?? ''}`);
    vi.stubEnv('SBATCH_ARGUMENTS', words);
    await sweep(directory, ['--over', 'map=row-major,random', '--slurm']);
    vi.unstubAllEnvs();
    const output = readFileSync(words, 'utf8')
      .split('\n')
      .find((word) => word.startsWith('--output='));
    expect(output).toMatch(/\/100%%j\/.*-%a\.out$/);
  });
});

describe('what placewright sweep refuses', () => {
  const rcb = ['--over', 'map=rcb'];
  it.each<[string, string, readonly string[], number, string]>([
    ['nothing to vary', place, [], 2, 'required option'],
    ['no values', place, ['--over', 'map'], 2, 'expected PARAMETER=VALUES. Example: map=rcb,grasp or seed=1..100.'],
    ['empty values', place, ['--over', 'seed='], 2, '`--over seed` has no values'],
    ['an unknown mapper', place, ['--over', 'map=rbc'], 2, '--over map: There is no mapper `rbc`. Did you mean `rcb`?'],
    ['an unknown allocator', place, ['--over', 'allocate=some'], 2, '--over allocate: There is no allocator `some`.'],
    [
      'an unknown axis',
      place,
      ['--over', 'phase=1,2'],
      2,
      "Unknown 'phase' to sweep over. Expected one of: `job`, `machine`, `routing`, `allocate`, `map`, `see",
    ],
    [
      'an unknown machine',
      place,
      ['--over', 'machine=smal'],
      2,
      '--over machine: There is no machine `smal`. Did you mean `small`?',
    ],
    [
      'a routing of another topology',
      `${declarations}machine tree { topology fat-tree(k 4, n 2) }\nplacement p { job heat machine small }\n`,
      ['--over', 'machine=small,tree', '--over', 'routing=dimension-order'],
      2,
      '--over routing: `dimension-order` needs a topology with dimensions, not `fat-tree`',
    ],
    [
      'a bandwidth without a unit',
      place,
      ['--over', 'bandwidth=1,2'],
      2,
      '--over bandwidth: `vary` needs a unit: write',
    ],
    ['a unit of another kind', place, ['--over', 'bandwidth=1,2 ns'], 2, '`ns` is no unit of rates'],
    ['a figure that the machine has not', place, ['--over', 'latency=1,2 us'], 2, 'give machine `small` `latency`'],
    ['tasks of a grid', place, ['--over', 'tasks=4,16'], 2, 'declare another one and write both, `job heat, other`'],
    [
      'a figure of one of several jobs',
      `${declarations}job b { tasks 4 pattern ring }\nplacement p { job heat machine small }\n`,
      ['--over', 'job=heat,b', '--over', 'bytes=1,2'],
      2,
      '--over bytes: `heat.bytes` varies one of several jobs that run separately.',
    ],
    ['a seed twice', place, ['--over', 'seed=1,5,1'], 2, '--over seed: Seed 1 is listed twice'],
    [
      'an unknown number',
      place,
      ['--over', 'heat.byte=1,2'],
      2,
      '--over heat.byte: There is no number of this job that could be varied `heat.byte`. Did you mean `heat.bytes`?',
    ],
    ['an axis twice', place, [...rcb, ...rcb], 2, '`--over map` is written twice. Join the values'],
    ['a range that leads down', place, ['--over', 'seed=5..1'], 2, '--over seed: `seeds` must be at least 5, not 1.'],
    [
      'a range of numbers that leads down',
      place,
      ['--over', 'heat.bytes=5..1'],
      2,
      '--over heat.bytes: The step moves away from 1',
    ],
    ['a billion seeds', place, ['--over', 'seed=1..1000000000'], 2, 'the grid has 1,000,000,000 cells'],
    [
      'a billion cells',
      place,
      ['--over', 'seed=1..100000', '--over', 'heat.bytes=1..10000'],
      2,
      '--over: the grid has 1,000,000,000 cells (10000 x 100000); the maximum is 1,000,000.',
    ],
    ['a billion numbers', place, ['--over', 'heat.bytes=1..1000000000'], 2, 'at most 10,000 points'],
    [
      'another property in a value',
      place,
      ['--over', 'map=rcb busy 20%'],
      2,
      '--over: each expects the values of one parameter. Example: map=rcb,grasp.',
    ],
    ['a declaration in a value', place, ['--over', 'map=rcb } job x {'], 2, 'without braces and comments'],
    ['an unknown metric', place, [...rcb, '--report', 'hops'], 2, '--report: There is no metric `hops`'],
    [
      'a metric of messages without a network',
      place,
      [...rcb, '--report', 'makespan'],
      2,
      "give placement 'p' a network, `simulate cut-through(packet 8)`, or report `averageHops`",
    ],
    ['a name that is none', place, [...rcb, '--name', 'a b'], 2, 'use letters'],
    ['an unknown placement', place, ['q', ...rcb], 2, "No placement 'q': expected one of p."],
    ['a file without a placement', declarations, rcb, 2, 'a.place declares no placement. Nothing to sweep.'],
    [
      'several placements',
      place + place.split('\n')[2]!.replace(' p ', ' q '),
      rcb,
      2,
      'several placements. Name one of p, q',
    ],
    ['a file with errors', place.replace('torus', 'tours'), rcb, 1, 'a.place:1:'],
    [
      'choices of a single job',
      place.replace('job heat machine', 'jobs heat(map rcb) machine'),
      rcb,
      2,
      "Placement 'p' gives job 'heat' its own choices, but a sweep gives all jobs the same ones.",
    ],
    [
      'nodes of another placement',
      `${place}placement q { job heat machine small allocate same-as p }\n`,
      ['q', ...rcb],
      2,
      'uses the nodes of another placement (`same-as`).',
    ],
    [
      'nodes of another placement as a choice',
      place,
      ['--over', 'allocate=same-as p'],
      2,
      'uses the nodes of another placement (`same-as`).',
    ],
    [
      'a row that fails',
      place,
      ['--over', 'map=given [0..3], rcb'],
      1,
      'p-sweep, all, given: error: with seed 3: The given mapping has 4 slots',
    ],
  ])('%s', async (_, text, words, code, message) => {
    const refused = await sweep(folder({ 'a.place': text }), words);
    expect(refused.err).toContain(message);
    expect(refused.err).not.toContain('Internal error in Placewright');
    expect(refused.code).toBe(code);
  });

  it('a metric that there is none of, which needs no network', async () => {
    const { err } = await sweep(folder({ 'a.place': place }), ['--over', 'map=rcb', '--report', 'hops']);
    expect(err).toMatch(/^placewright: --report: There is no metric `hops`\. .*\n$/);
  });

  it('a placement of another file', async () => {
    const directory = folder({ 'b.place': place, 'a.place': 'import "b.place"\n' });
    expect(await sweep(directory, ['--over', 'map=rcb'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Placement 'p' is in b\.place\. Run the sweep with that file\./) as string,
    });
  });
});
