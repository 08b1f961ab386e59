/** `placewright experiment`: what it prints and writes, that it goes on after any end, and what it says of bad input. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { root } from '../../tools/run.ts';
import { commandLine } from './commandLine.ts';

const cli = commandLine();
const sample = readFileSync(join(root, 'samples/jobs-over-time.place'), 'utf8');

/** A folder of its own, so that the results beside the files are of one test. */
function folder(files: Readonly<Record<string, string | Uint8Array>> = { 'a.place': sample }): string {
  const directory = mkdtempSync(join(cli.scratch(), 'experiment-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

const experimentsOf = (out: string): ExperimentJson[] => (JSON.parse(out) as { experiments: ExperimentJson[] }).experiments; // prettier-ignore
const journalLines = (directory: string, name = 'allocators'): string[] =>
  readFileSync(join(directory, `a.place.results/${name}.journal`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);

const machine = 'machine mesh { topology mesh 6 x 6 }\n';
const stream = 'stream s { arrivals exponential(mean 40) width uniform(1, 4) height uniform(1, 4) service constant(50) jobs 50 completed }\n'; // prettier-ignore
const network = 'stream s { arrivals exponential(mean 400) width uniform(1, 4) height uniform(1, 4) traffic random jobs 50 completed }\n'; // prettier-ignore
const experiment = (properties: string): string => `experiment e { stream s machine mesh ${properties} }\n`;

describe('placewright experiment', () => {
  it('prints rows with intervals, comparisons and why', async () => {
    const { code, out, err } = cli.run(['experiment', 'a.place'], folder());
    await expect(out).toMatchFileSnapshot(join(import.meta.dirname, 'golden/jobs-over-time.experiment.txt'));
    expect(err).toBe(
      'placewright: allocators, 3 of 6 rows: Beyond saturation: at the end many jobs wait, so turnaround grows with the length of the run.\n',
    );
    expect(code).toBe(0);
  });

  it('gives the same bytes with 1, 2 and 3 threads, and keeps them beside the file', () => {
    const outputs = [1, 2, 3].map((threads) => {
      const directory = folder();
      const { out, err } = cli.run(['experiment', 'a.place', '--json', '--csv', 'a.csv', '-o', 'a.svg', '--threads', `${threads}`], directory); // prettier-ignore
      const done = journalLines(directory).map((line) => line.slice(line.indexOf(' ')));
      expect(new Set(done).size).toBe(done.length);
      const kept = readFileSync(join(directory, 'a.place.results/allocators.json'), 'utf8');
      return [
        out,
        err,
        readFileSync(join(directory, 'a.csv'), 'utf8'),
        done.sort(),
        kept,
        readFileSync(join(directory, 'a.svg'), 'utf8'),
      ];
    });
    expect(outputs[1]).toEqual(outputs[0]);
    expect(outputs[2]).toEqual(outputs[0]);
    const [[out, , csv, done, , figure] = []] = outputs;
    expect(String(figure)).toMatch(/<svg[\s\S]*Turnaround[\s\S]*first-fit/);
    const [result] = experimentsOf(String(out));
    expect(result).toMatchObject({ name: 'allocators', complete: true, replicationsDone: 20 });
    expect(result?.rows).toHaveLength(6);
    expect(result?.rows[0]?.metrics['turnaround']).toMatchObject({ unit: 'cycles' });
    expect(done).toHaveLength(result!.rows.reduce((sum, { replications }) => sum + replications, 0));
    expect(String(csv).split('\n')[0]).toBe(
      'arrivals.rate,allocator,scheduler,mapper,metric,unit,mean,halfWidth,n,seeds',
    );
    expect(String(csv).trimEnd().split('\n')).toHaveLength(1 + 6 * 2);
  });

  /** Starts a run and waits until its journal has some lines. */
  async function begun(directory: string, words: readonly string[] = []) {
    const program = join(cli.scratch(), 'dist/cli.cjs');
    const child = spawn(process.execPath, [program, 'experiment', 'a.place', '--json', ...words], { cwd: directory });
    const text = { out: '', err: '' };
    child.stdout.on('data', (data: Buffer) => (text.out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (text.err += data.toString()));
    const ended = once(child, 'close');
    const journal = join(directory, 'a.place.results/allocators.journal');
    while (!existsSync(journal) || journalLines(directory).length < 5) await wait(5);
    return { child, text, ended };
  }
  const longer = sample.replace('until 10% at 95% (at most 20)', '60');

  it('goes on where it was killed: the same bytes, nothing done twice', async () => {
    const directory = folder({ 'a.place': longer });
    const { child, ended } = await begun(directory, ['--threads', '2']);
    child.kill('SIGKILL');
    await ended;
    const journal = join(directory, 'a.place.results/allocators.journal');
    const kept = journalLines(directory).filter((line) => line.endsWith('}'));
    expect(kept.length).toBeLessThan(360);
    // A line that was cut off is done again.
    appendFileSync(journal, kept[0]!.slice(0, 40));
    const resumed = cli.run(['experiment', 'a.place', '--json', '--resume', '--threads', '3'], directory);
    expect(resumed.err).toMatch(new RegExp(`^placewright: ${kept.length} replications of 'allocators' were done before`)); // prettier-ignore
    const lines = journalLines(directory);
    expect(lines.slice(0, kept.length)).toEqual(kept);
    expect(lines).toHaveLength(360);
    expect(new Set(lines.map((line) => line.slice(line.indexOf(' ')))).size).toBe(360);
    expect(resumed.out).toBe(cli.run(['experiment', 'a.place', '--json'], folder({ 'a.place': longer })).out);
    // All is done: nothing is run once more.
    expect(cli.run(['experiment', 'a.place', '--json', '--resume'], directory).out).toBe(resumed.out);
    expect(journalLines(directory)).toEqual(lines);
  });

  it('ends at Ctrl-C with what was done, and says how to go on', async () => {
    const directory = folder({ 'a.place': longer });
    const { child, text, ended } = await begun(directory);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(text.err).toMatch(/interrupted; \d+ replications of 'allocators' are done\. To go on: placewright experiment a\.place allocators --resume\n$/); // prettier-ignore
    expect(experimentsOf(text.out)[0]?.complete).toBe(false);
    expect(readFileSync(join(directory, 'a.place.results/allocators.json'), 'utf8')).toContain('"complete":false');
  });

  it('leaves the journal of another experiment, and other files, as they are', () => {
    const directory = folder();
    cli.run(['experiment', 'a.place'], directory);
    const before = journalLines(directory);
    writeFileSync(join(directory, 'a.place'), sample.replace('flits 8', 'flits 9'));
    const other = cli.run(['experiment', 'a.place', '--resume'], directory);
    expect(other.code).toBe(1);
    expect(other.err).toMatch(/^a\.place:\d+:12: error: .*changed.*\[other-experiment\]\n$/);
    expect(journalLines(directory)).toEqual(before);
    const foreign = join(directory, 'a.place.results/allocators.journal');
    writeFileSync(foreign, 'my notes\n');
    for (const words of [[], ['--resume']]) {
      const refused = cli.run(['experiment', 'a.place', ...words], directory);
      expect(refused.code).toBe(1);
      expect(refused.err).toMatch(/no journal of an experiment.*\[not-a-journal\]\n$/);
    }
    expect(readFileSync(foreign, 'utf8')).toBe('my notes\n');
  });

  it('runs without a journal where none can be written, and says so', () => {
    const directory = folder({ 'a.place': machine + stream + experiment('allocate rbs replications 2') });
    writeFileSync(join(directory, 'a.place.results'), '');
    const { code, err, out } = cli.run(['experiment', 'a.place'], directory);
    expect(err).toMatch(/^placewright: .*cannot be read and written.*The run is not kept, and cannot be resumed\.\n$/);
    expect(out).toMatch('Experiment e (2 replications of each row)');
    expect(code).toBe(0);
  });

  it('runs standard input without a journal', () => {
    const directory = folder({ 'b.place': machine + stream + experiment('allocate rbs replications 2') });
    const { status, out, names } = inBash(directory, 'placewright experiment - --json < b.place');
    expect([status, experimentsOf(out)[0]?.replicationsDone, names]).toEqual([0, 2, ['b.place']]);
    expect(cli.run(['experiment', '-', '--resume'], directory)).toMatchObject({ code: 2 });
  });

  it('runs a short variant at the quoted values, and keeps it apart', () => {
    const quoted = sample.replace('compare ', 'quoted { turnaround rbs / first-fit at arrivals.rate 0.001 : 0.9 }\n  compare '); // prettier-ignore
    const directory = folder({ 'a.place': quoted.replace('(at most 20)', '(at most 500)') });
    const { out, err } = cli.run(['experiment', 'a.place', 'allocators', '--short', '--json'], directory);
    expect(err).toBe('placewright: A short run: 20 replications of 3 points, 200 jobs each.\n');
    const [result] = experimentsOf(out);
    expect(result?.rows.map(({ point }) => point['arrivals.rate'])).toEqual([0.001, 0.001, 0.001]);
    const [number] = result?.quoted ?? [];
    expect(number?.paper).toBe(0.9);
    expect(number?.residual).toBeCloseTo(number!.ours! - 0.9, 12);
    expect(readdirSync(join(directory, 'a.place.results')).sort()).toEqual([
      'allocators.short.journal',
      'allocators.short.json',
    ]);
  });

  it('runs the forms that an experiment says, keeps them apart, and quotes the best and the deviation of rows by their names', () => {
    const mapped = `machine torus { topology torus 4 x 4 }
network packets { switching cut-through packet 8 flit 4 B channels 2 bubble 2(here) routing adaptive }
job cg { tasks 16 skeleton cg(class S, iterations 4) }
experiment table {
  job cg machine torus network packets
  map consecutive, random, grasp(criterion distance, iterations 2), grasp(criterion traffic-distribution, iterations 2)
  seeds 1 .. 9 report makespan compare kruskal-wallis
  short replications 2, iterations 1   middle replications 3, iterations 2
  quoted {
    makespan random : 7000, best 6000, deviation 1000, differs
    makespan grasp(criterion distance) / grasp(criterion traffic-distribution) : 1
  }
}
`;
    const directory = folder({ 'a.place': mapped + mapped.slice(mapped.indexOf('experiment')).replace('table', 'whole').replace(/middle .*/, '') }); // prettier-ignore
    const { out, err, code } = cli.run(['experiment', 'a.place', '--middle', '--json'], directory);
    // The one without a middle form is left out.
    expect([code, err]).toEqual([0, 'placewright: A middle run: 3 replications of 4 points, 2 iterations.\n']);
    const [result, second] = experimentsOf(out);
    expect([result?.name, second]).toEqual(['table', undefined]);
    expect(result?.rows.map(({ mapper, deterministic = false }) => [mapper, deterministic])).toEqual([
      ['consecutive', true],
      ['random', false],
      ['grasp(criterion distance)', false],
      ['grasp(criterion traffic-distribution)', false],
    ]);
    const { mean, deviation, values = [] } = result?.rows[1]?.metrics['makespan'] ?? {};
    expect(result?.quoted).toMatchObject([
      { row: 1, paper: 7000, differs: true, ours: mean },
      { row: 1, statistic: 'best', paper: 6000, ours: Math.min(...values.map((value) => value ?? Infinity)) },
      { row: 1, statistic: 'deviation', paper: 1000, ours: deviation },
      { row: 2, over: 3, paper: 1 },
    ]);
    const tested = new Set(result?.comparisons.flatMap(({ of, to }) => [of, to]));
    expect(tested).toEqual(new Set(result?.rows.slice(1).map(({ mapper }) => mapper)));
    const text = cli.run(['experiment', 'a.place', 'table', '--short'], directory);
    expect(text.out).toMatch(/Quoted[\s\S]*best makespan +random[\s\S]*deviation makespan +random/);
    const drawn = cli.run(['draw', 'a.place', 'table', '--middle', '-o', '-'], directory);
    expect(drawn.out).toMatch(/middle run, [\s\S]*grasp\(criterion distance\)/);
    expect(readdirSync(join(directory, 'a.place.results')).filter((name) => name.endsWith('.json'))).toEqual(['table.middle.json', 'table.short.json']); // prettier-ignore
    expect(cli.run(['experiment', 'a.place', 'whole', '--middle'], directory)).toMatchObject({ code: 1, err: expect.stringMatching(/'whole' has no middle form/) as string }); // prettier-ignore
    expect(cli.run(['experiment', 'a.place', '--middle', '--short'], directory).code).toBe(2);
  });

  it('gives the steady state of one long run, with the interval of its batches and their correlation', () => {
    // M/M/1 with load 1/2: 2 in the system for 2 times of service, half of it waiting.
    const text =
      'machine one { topology mesh 2 }\n' +
      'stream q { arrivals exponential(rate 0.5) processors constant(2) service exponential(mean 1) jobs 40000 completed }\n' +
      'experiment e { stream q machine one allocate first-fit steady-state delete(20%, batches 30) report turnaround, waiting, utilisation }\n';
    const directory = folder({ 'a.place': text });
    const { code, out, err } = cli.run(['experiment', 'a.place', '--json'], directory);
    expect([code, err]).toEqual([0, '']);
    const [result] = experimentsOf(out);
    expect(result).toMatchObject({ replicationsDone: 1, steadyState: { delete: 0.2, batches: 30 } });
    const { turnaround, waiting, utilisation } = result!.rows[0]!.metrics;
    for (const [metric, expected] of [
      [turnaround!, 2],
      [waiting!, 1],
    ] as const) {
      expect(Math.abs(metric.mean! - expected)).toBeLessThan(2 * metric.halfWidth!);
      expect(metric.halfWidth!).toBeLessThan(0.2);
      // 32,000 jobs in batches of 1,066, and what does not fill them.
      expect(metric.deleted).toEqual([8020]);
      expect(Math.abs(metric.lag1![0]!)).toBeLessThan(0.5);
    }
    // The last of five batches ends where the run does: the mean is that of the jobs that are kept.
    expect([utilisation!.deleted, utilisation!.halfWidth]).toEqual([undefined, null]);
    expect(cli.run(['experiment', 'a.place'], directory).out).toMatch(/Steady state\n +turnaround +fcfs, first-fit +8,020 jobs left out +correlation of batches -?0\.\d{3}/); // prettier-ignore
    // A stream whose jobs wait ever longer has batches that depend on each other.
    writeFileSync(
      join(directory, 'a.place'),
      text.replace('rate 0.5', 'rate 0.98').replace('delete(20%, batches 30)', 'mser-5'),
    );
    expect(cli.run(['experiment', 'a.place'], directory).out).toMatch(
      /correlation of batches 0\.\d{3} +depend on each other: take longer runs/,
    );
  });

  it('tells entries of one name apart, in rows, comparisons and quoted numbers', () => {
    const crossed = experiment(
      'schedule window(2), window( 8 ) allocate first-fit replications 4 compare paired-ratio(to window(2)) quoted { turnaround window(8) / window(2) : 0.9  turnaround window(size 8) : 100 }',
    );
    const directory = folder({ 'a.place': machine + stream.replace('mean 40', 'mean 20') + crossed });
    const { code, out, err } = cli.run(['experiment', 'a.place', '--json', '-o', 'a.svg'], directory);
    expect([code, err]).toEqual([0, expect.not.stringContaining('error')]);
    const [result] = experimentsOf(out);
    expect(result?.rows.map(({ scheduler }) => scheduler)).toEqual(['window(size 2)', 'window(size 8)']);
    expect(result?.comparisons).toMatchObject([{ of: 'window(size 8)', to: 'window(size 2)' }]);
    expect(result?.quoted).toMatchObject([{ row: 1, over: 0 }, { row: 1 }]);
    expect(result?.quoted[0]?.ours).toBe(result?.comparisons[0]?.ratio);
    const drawn = readFileSync(join(directory, 'a.svg'), 'utf8');
    for (const name of ['window(size 2)', 'window(size 8)']) expect(drawn).toContain(name);
    expect(cli.run(['experiment', 'a.place'], directory).out).toMatch(/^ *(\S+ +)*window\(size 8\)/m);
  });

  it('compares mappings of one job beside others, by the time of the busiest link, without a network', () => {
    const text =
      'machine torus { topology torus 8 x 8 bandwidth 4 GB/s, 2 GB/s }\n' +
      'job j { grid 4 x 4 stencil five-point bytes 1 kB }\n' +
      'experiment e { job j machine torus busy 50% allocate curve(order snake) map baseline, rcb, rcb(rotate no) seeds 1 .. 6 report congestionTime, averageHops }\n';
    const directory = folder({ 'a.place': text });
    const { code, out, err } = cli.run(['experiment', 'a.place', '--json'], directory);
    expect([code, err]).toEqual([0, '']);
    const [result] = experimentsOf(out);
    expect(result?.rows.map(({ mapper }) => mapper)).toEqual(['baseline', 'rcb(rotate yes)', 'rcb(rotate no)']);
    const times = result!.rows.map(({ metrics }) => metrics['congestionTime']!.values as number[]);
    // Whole messages of 1 kB over a link in x or y, and other nodes with every seed.
    for (const time of times.flat()) expect((time * 4e9) / 1e3).toBeCloseTo(Math.round((time * 4e9) / 1e3), 9);
    expect(new Set(times[0]).size).toBeGreaterThan(1);
    expect(result?.rows[0]?.metrics['congestionTime']?.unit).toBe('s');
    expect(result?.correlations).toMatchObject([{ metric: 'congestionTime', to: 'averageHops', count: 18 }]);
    const draw = (metric: string, target: string) =>
      cli.run(['draw', 'a.place', 'e', '--metric', metric, '-o', target], directory);
    expect(draw('congestionTime by averageHops', 'points.csv')).toMatchObject({ code: 0, err: '' });
    const hops = result!.rows.map(({ metrics }) => metrics['averageHops']!.values as number[]);
    expect(readFileSync(join(directory, 'points.csv'), 'utf8')).toBe(
      ['scheduler,allocator,mapper,replication,averageHops,congestionTime']
        .concat(result!.rows.flatMap(({ allocator, mapper }, row) => times[row]!.map((time, one) => `,${allocator ?? ''},${mapper ?? ''},${one + 1},${hops[row]![one]!},${time}`)))
        .concat('')
        .join('\n'),
    ); // prettier-ignore
    expect(draw('congestionTime by averageHops', 'points.svg').code).toBe(0);
    const points = readFileSync(join(directory, 'points.svg'), 'utf8');
    expect(points).toMatch(/e: congestion time by average hops.*Spearman[^<]*coefficient −?0\.\d+ of 18 runs/s);
    // A marker of each replication, and of each mapper beside them.
    expect(points.match(/<circle/g)).toHaveLength(7);
    expect(draw('makespan by averageHops', 'none.svg')).toMatchObject({ code: 1, err: expect.stringContaining('there are: congestionTime, averageHops, congestionTime by averageHops') as string }); // prettier-ignore
    writeFileSync(join(directory, 'a.place'), text.replace('busy 50%', 'busy 90%'));
    const crowded = cli.run(['experiment', 'a.place'], directory);
    expect([crowded.code, crowded.err]).toEqual([1, expect.stringMatching(/6 free nodes|free/)]);
    for (const network of ['flow', 'cut-through(packet 8, channels 2)', 'wormhole(packet 8, channels 2)']) {
      writeFileSync(join(directory, 'a.place'), text.replace('report ', `network ${network} report makespan, `));
      const simulated = experimentsOf(cli.run(['experiment', 'a.place', '--json', '--force'], directory).out)[0];
      // What must cross the busiest link takes no less.
      for (const { metrics } of simulated!.rows) {
        metrics['makespan']!.values.forEach((cycles, seed) => {
          expect(cycles!).toBeGreaterThanOrEqual((metrics['congestionTime']!.values[seed]! * 4e9) / 4 - 1);
        });
      }
    }
  });

  it('is planned by check, which says what a run would say first, and repeats what check says of its files', () => {
    const place = `machine t { topology mesh 4 x 4 }
machine ring { topology torus 4 x 4 }
machine wide { topology mesh 16 x 16 }
job big { tasks 64 skeleton cg(class S, iterations 1) }
job cg { tasks 16 skeleton cg(class S, iterations 1) }
job cut { tasks 4 trace "cut.goal" }
job few { tasks 2 trace "cut.goal" }
experiment crowded { job big machine t map consecutive network cut-through report makespan replications 2 }
experiment timeless { job cg machine t map consecutive network cut-through replay open report makespan replications 2 }
experiment circle { job cg machine ring map consecutive network wormhole(channels 1, buffer 1) report makespan replications 2 }
experiment curve { machine wide network cut-through traffic uniform vary rate [0.1, 0.3, 0.6, 0.8] report latency replications 2 }
experiment once { job cut machine t map consecutive network cut-through report makespan replications 2 }
experiment twice { job cut machine t map consecutive network cut-through report makespan replications 2 }
experiment wrong { job few machine t map consecutive network cut-through report makespan replications 2 }
`;
    const goal = `num_ranks 3
rank 0 {
a: send 100b to 1
b: send 200b to 2
}
rank 1 {
a: recv 100b from 0
}
rank 2 {
}
`;
    const directory = folder({ 'a.place': place, 'cut.goal': goal });
    const checked = cli.run(['check', 'a.place'], directory);
    const told = checked.err.trimEnd().split('\n').map((line) => /^a\.place:(\d+):\d+: (\w+): .*\[(.+)\]$/.exec(line)?.slice(1).join(' ')); // prettier-ignore
    expect(told).toEqual([
      ...['6 warning trace-warning', '6 warning trace-warning', '7 error trace-exceeds-tasks'],
      ...['8 error does-not-fit', '9 error no-times', '10 warning possible-deadlock'],
      '11 information beyond-saturation',
    ]);
    expect(checked.code).toBe(1);
    // 256 nodes, 960 links; a message takes 10.67 of them on average.
    expect(checked.err).toMatch(/From a rate of 0\.6 on `uniform` .* about 0\.3[45]\d* flits/);
    const lineOf = (code: string): string => checked.err.split('\n').find((line) => line.includes(`[${code}]`)) ?? '–';
    for (const [name, code] of [
      ['crowded', 'does-not-fit'],
      ['timeless', 'no-times'],
    ] as const) {
      expect(cli.run(['experiment', 'a.place', name], directory)).toMatchObject({ code: 1, out: '', err: `${lineOf(code)}\n` }); // prettier-ignore
    }
    expect(cli.run(['experiment', 'a.place', 'once'], directory)).toMatchObject({ code: 0, err: `${checked.err.split('\n').slice(0, 2).join('\n')}\n` }); // prettier-ignore
    expect(cli.run(['experiment', 'a.place', 'wrong'], directory).err).toMatch(/^a\.place:14:12: error: .*\[trace-exceeds-tasks\]\n$/); // prettier-ignore
    // Several that read one file say it once.
    const both = cli.run(['experiment', 'a.place'], folder({ 'a.place': place.split('\n').filter((line) => /^(machine t |job cut|experiment (once|twice))/.test(line)).join('\n'), 'cut.goal': goal })); // prettier-ignore
    expect([both.code, both.err.match(/trace-warning/g)]).toEqual([0, ['trace-warning', 'trace-warning']]);
  });

  it('varies over the numbers of a list, in their order', () => {
    const varied = experiment(
      'allocate rbs vary arrivals.mean [70, 30, 40] quoted { turnaround at arrivals.mean 30 : 60 } replications 2',
    );
    const directory = folder({ 'a.place': machine + stream + varied });
    const rowsOf = (out: string) => experimentsOf(out)[0]?.rows.map(({ point }) => point['arrivals.mean']);
    expect(rowsOf(cli.run(['experiment', 'a.place', '--json'], directory).out)).toEqual([70, 30, 40]);
    expect(rowsOf(cli.run(['experiment', 'a.place', '--json', '--short'], directory).out)).toEqual([30]);
  });

  it('runs several jobs that are placed together, and varies what one of them sends', () => {
    const text = `machine c { topology cluster 4  sockets 2  cores 2  memory 4 GB/s  interface 1 GB/s  switch 100 ns }
      job all { tasks 8  pattern all-to-all  bytes 64 KiB  rate 20/s  messages 20 }
      job row { tasks 8  pattern linear  bytes 1 MiB  rate 10/s  messages 20 }
      experiment e { jobs all, row  machine c  network queueing  replay open  map blocked, cyclic
        vary row.rate [10, 200]  replications 3  report totalWaiting, makespan, latency, predictedLatency
        quoted { totalWaiting blocked / cyclic at row.rate 200 : 2 } }`;
    const directory = folder({ 'a.place': text });
    const { code, out, err } = cli.run(['experiment', 'a.place'], directory);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/mapper +totalWaiting \(ms\) +makespan \(s\) +latency \(us\) +predictedLatency \(us\)$/m);
    const [found] = experimentsOf(cli.run(['experiment', 'a.place', '--json'], directory).out);
    const waits = found?.rows.map(({ metrics }) => metrics['totalWaiting']?.mean ?? Number.NaN) ?? [];
    expect(waits).toHaveLength(4);
    // More messages of the one job wait longer by either mapper.
    expect(waits[2]).toBeGreaterThan(waits[0] ?? 0);
    expect(waits[3]).toBeGreaterThan(waits[1] ?? 0);
    expect(found?.quoted[0]?.ours).toBeGreaterThan(0);
    // What belongs to a job belongs to its results: another size is another experiment.
    writeFileSync(join(directory, 'a.place'), text.replace('64 KiB', '32 KiB'));
    expect(cli.run(['experiment', 'a.place', '--resume'], directory)).toMatchObject({ code: 1 });
  });

  it('writes a line for each job', () => {
    const crossed = experiment('schedule fcfs, out-of-order allocate rbs, first-fit map rcb replications 2 report averageHops'); // prettier-ignore
    const directory = folder({ 'a.place': machine + stream + crossed });
    const { code, err } = cli.run(['experiment', 'a.place', '--jobs', 'jobs.csv'], directory);
    expect([code, err]).toEqual([0, '']);
    const [head, ...lines] = readFileSync(join(directory, 'jobs.csv'), 'utf8').trimEnd().split('\n');
    expect(head).toBe('replication,job,submit,start,end,processors,nodes,hops,refused,line,scheduler,allocator,mapper');
    const jobs = lines.map((line) => line.split(','));
    expect(new Set(jobs.map(([seed, , , , , , , , , , ...names]) => [seed, ...names].join(' '))).size).toBe(8);
    for (const [, , submit, start, end, processors, nodes = '', hops, refused, , , allocator] of jobs) {
      expect(refused).toBe('0');
      if (start === '') continue;
      expect(Number(start)).toBeGreaterThanOrEqual(Number(submit));
      if (end !== '') expect(Number(end)).toBeCloseTo(Number(start) + 50, 6);
      const count = nodes.split(' ').reduce((sum, range) => {
        const [first = 0, last = first] = range.split('-').map(Number);
        return sum + last - first + 1;
      }, 0);
      expect(count).toBe(Number(processors));
      // A submesh of its own shape: all neighbours are one hop apart.
      if (allocator === 'first-fit' && hops !== '') expect(Number(hops)).toBeCloseTo(1, 12);
    }
    // The same table may be written again, another file may not.
    expect(cli.run(['experiment', 'a.place', '--resume', '--jobs', 'jobs.csv'], directory).code).toBe(0);
    writeFileSync(join(directory, 'jobs.csv'), 'my notes\n');
    expect(cli.run(['experiment', 'a.place', '--resume', '--jobs', 'jobs.csv'], directory)).toMatchObject({ code: 2 });
  });

  it('runs a log that is packed, and tells of the lines that are no jobs', () => {
    const line = (job: number, processors: number) => `${job} ${job * 10} 0 25 ${processors}${' -1'.repeat(13)}`;
    const log = [...Array(20).keys()].map((job) => line(job + 1, job === 7 ? -1 : (job % 6) + 1));
    const text = [...log, '21 1 2', line(22, 100)].join('\r\n');
    const logged = 'stream s { log "jobs.swf.gz" measure where processors > 1 }\n';
    const crossed = experiment('schedule easy allocate mc1x1, curve map rcb, row-major replications 1 report averageHops, makespan'); // prettier-ignore
    const directory = folder({ 'a.place': machine + logged + crossed, 'jobs.swf.gz': gzipSync(text) });
    const { code, out, err } = cli.run(['experiment', 'a.place', '--json'], directory);
    expect(err).toMatch(/^placewright: jobs\.swf\.gz: 1 line is refused: .*\(line 21\)\.$/m);
    expect(err).toMatch(/^placewright: jobs\.swf\.gz: 1 line is refused: its processors are unknown .*\(line 8\)\.$/m);
    expect(err).toMatch(/^placewright: e, 4 of 4 rows: 1 job was refused: it asks for more processors than the machine's 36/m); // prettier-ignore
    expect(code).toBe(0);
    const [result] = experimentsOf(out);
    const makespans = result?.rows.map(({ metrics }) => metrics['makespan']);
    expect(makespans?.[0]).toMatchObject({ mean: 215, unit: 's', halfWidth: null });
    expect(new Set(makespans?.map((makespan) => makespan?.mean)).size).toBe(1);
    expect(result?.rows.every(({ metrics }) => metrics['averageHops']!.mean! >= 1)).toBe(true);
  });

  it('says which rows failed, and runs the others', () => {
    const torus = 'machine mesh { topology torus 6 x 6 }\n';
    const whole = 'stream s { arrivals constant(100) width uniform(1, 6) height uniform(1, 6) traffic all-to-all(order ring) jobs 30 completed }\n'; // prettier-ignore
    const directory = folder({ 'a.place': torus + whole + experiment('network wormhole allocate rbs replications 3') });
    const { code, err, out } = cli.run(['experiment', 'a.place'], directory);
    expect(err).toMatch(/placewright: e, fcfs, rbs: error: with seed \d+: The network is in a deadlock since cycle \d+.* packet \d+ waits for the link \d+ -> \d+.*\[deadlock\]\n$/); // prettier-ignore
    expect(out).toMatch(/ deadlock\n/);
    expect(code).toBe(1);
  });

  const place = (line: number): string => `a.place:${line}:12: error: `;
  it.each([
    [
      'no network',
      network + experiment('allocate rbs'),
      [],
      1,
      `${place(3)}Experiment 'e': The messages of jobs travel`,
    ],
    [
      'an engine that is not there',
      network + experiment('network cut-through allocate rbs'),
      [],
      1,
      'Streams are simulated with wormhole switching and one channel, and this network has `switching cut-through`',
    ],
    [
      'a machine without coordinates',
      stream.replace('s {', 's {') +
        'machine tree { topology fat-tree(k 4, n 2) }\nexperiment e { stream s machine tree allocate first-fit }\n',
      [],
      1,
      `${place(4)}Experiment 'e': \`allocate first-fit\` needs a topology with coordinates`,
    ],
    [
      'traffic without a rate',
      experiment('network wormhole traffic uniform').replace('stream s ', ''),
      [],
      1,
      `${place(2)}\`e\` needs \`vary rate\``,
    ],
    [
      'a log that is not there',
      `stream s { log "none.swf" }\n${experiment('allocate rbs')}`,
      [],
      1,
      'There is no file',
    ],
    ['an experiment with an error', stream + experiment('allocate none'), [], 1, 'There is no allocator `none`'],
    [
      'an unknown experiment',
      stream + experiment('allocate rbs'),
      ['f'],
      2,
      "There is no experiment 'f'; there are: e.",
    ],
    ['no threads', stream + experiment('allocate rbs'), ['--threads', '0'], 2, 'whole number from 1 to 1024'],
    [
      'one table of two',
      stream + experiment('allocate rbs') + experiment('allocate rbs').replace(' e ', ' f '),
      ['--csv', 'x'],
      2,
      'are of one experiment; name one of: e, f',
    ],
  ])('says what is wrong: %s', (_, text, words, expected, message) => {
    // prettier-ignore
    const { code, err, out } = cli.run(['experiment', 'a.place', ...words], folder({ 'a.place': machine + text }));
    expect(err).toContain(message);
    expect(err).not.toContain('fault of Placewright');
    expect([code, out]).toEqual([expected, '']);
  });

  const torus = 'machine t { topology torus 4 x 4 }\njob j { tasks 16 skeleton cg(class S, iterations 1) }\n';
  it('tells before a run what a network may come to, and of a row without a name why it failed', () => {
    const text = `${torus}network one { switching wormhole packet 16 channels 1 buffer 1 arbiter round-robin }
experiment e { job j machine t network one seeds 1 }\n`;
    const { code, err } = cli.run(['experiment', 'a.place'], folder({ 'a.place': text }));
    expect(err).toMatch(/^placewright: Packets may come to a deadlock: with 1 channel/);
    expect(err).toMatch(/placewright: e: error: with seed 1: Deadlock since cycle \d+/);
    expect(code).toBe(1);
  });

  it('tells before a run that times in seconds are no cycles, and writes large numbers of papers as its own', () => {
    const open = `${torus}experiment e { job j machine t network cut-through(packet 8) replay open }\n`;
    const refused = cli.run(['experiment', 'a.place'], folder({ 'a.place': open }));
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(
      /^a\.place:3:12: error: Experiment 'e': .*give machine `t` a `bandwidth`\. \[no-times\]\n$/,
    );
    const quoted = open.replace('replay open', 'seeds 1 quoted { makespan : 346500 }');
    const { out } = cli.run(['experiment', 'a.place'], folder({ 'a.place': quoted }));
    expect(out).toMatch(/makespan +346,500 +\d{3},\d{3} +-\d{3},000\n/);
  });

  it('says that a file has no experiment', () => {
    const { code, err, out } = cli.run(['experiment', 'a.place'], folder({ 'a.place': machine }));
    expect(err).toBe('placewright: a.place declares no experiment, so there is nothing to run.\n');
    expect([code, out]).toEqual([0, '']);
  });

  function inBash(directory: string, line: string) {
    const here = mkdtempSync(join(cli.scratch(), 'bash-'));
    mkdirSync(join(here, 'work'));
    cpSync(directory, join(here, 'work'), { recursive: true });
    const program = `placewright() { '${process.execPath}' '${join(cli.scratch(), 'dist/cli.cjs')}' "$@"; }; ${line}`;
    const { status, stdout } = spawnSync('bash', ['-c', program], { cwd: join(here, 'work'), encoding: 'utf8' });
    return { status, out: stdout, names: readdirSync(join(here, 'work')).sort() };
  }
});

describe('messages that saturate a network', () => {
  const text = `machine net { topology irregular 8 hosts 2 bandwidth 1 GB/s }
job cg { tasks 16 skeleton cg(class S, iterations 2) }
experiment full {
  job cg machine net network wormhole(packet 16) map random, random-local seeds 1 .. 2
  replay saturation(delivered 90%, first 4000) vary machine.seed 1 .. 2 step 1 over-time 500 messages report throughput, latency
}`;
  const json = (directory: string, ...words: string[]): ExperimentJson =>
    experimentsOf(cli.run(['experiment', 'a.place', '--json', ...words], directory).out)[0]!;

  it('are sent at one speed of each network, which all mappings are too slow for and no much lower one is', () => {
    const { rows } = json(folder({ 'a.place': text }));
    const speeds = rows.map(({ speed = 0 }) => speed);
    expect(new Set(speeds.slice(0, 2)).size).toBe(1);
    expect(new Set(speeds.slice(2)).size).toBe(1);
    expect(speeds[0]).not.toBe(speeds[2]);
    const at = (factor: number): number[] => {
      const slower = text.replace(
        'replay saturation(delivered 90%, first 4000)',
        `replay open(speed ${factor}, first 4000)`,
      );
      return json(folder({ 'a.place': slower })).rows.map(({ metrics }) => metrics['latency']?.mean ?? 0);
    };
    const [speed = 0] = speeds;
    const [slow, there, fast] = [at(speed / 4), at(speed), at(speed * 2)];
    expect(there.slice(0, 2)).toEqual(rows.slice(0, 2).map(({ metrics }) => metrics['latency']?.mean));
    expect(slow[0]).toBeLessThan(there[0]! / 2);
    expect(fast[0]).toBeGreaterThan(there[0]!);
  });

  it('tell traffic and latency over time', () => {
    const { rows } = json(folder({ 'a.place': text }));
    for (const { overTime = [], metrics } of rows) {
      expect(overTime.map(({ seed }) => seed)).toEqual([1, 2]);
      overTime.forEach(({ cycles, traffic, latency }, replication) => {
        // Messages are sent whole: a little more than 4,000 packets, of which the last point has 500.
        expect(cycles).toHaveLength(8);
        expect(cycles).toEqual(cycles.toSorted((one, other) => one - other));
        const flits = traffic.map((one, point) => one * 8 * (cycles[point]! - (cycles[point - 1] ?? 0)));
        for (const one of flits) expect(one).toBeCloseTo(500 * 16, 6);
        const mean = latency.reduce((sum, one) => sum + one, 0) / latency.length;
        expect(mean / metrics['latency']!.values[replication]!).toBeCloseTo(1, 1);
      });
    }
  });

  it('are drawn over time, at each value of what is varied the best replication of each mapper', () => {
    const directory = folder({ 'a.place': text });
    const { rows } = json(directory);
    const draw = (metric: string, target: string) =>
      cli.run(['draw', 'a.place', 'full', '--metric', metric, '-o', target], directory);
    expect(draw('latencyOverTime at machine.seed 2', 'b.csv').code).toBe(0);
    const [head, ...lines] = readFileSync(join(directory, 'b.csv'), 'utf8').trimEnd().split('\n');
    expect(head).toBe('machine.seed,scheduler,allocator,mapper,seed,cycles,traffic,latency');
    const lastCycle = (mapper: string): number =>
      Math.min(...rows.find((row) => row.mapper === mapper && row.point['machine.seed'] === 2)!.overTime!.map(({ cycles }) => cycles.at(-1)!)); // prettier-ignore
    for (const mapper of ['random', 'random-local']) {
      const own = lines.map((line) => line.split(',')).filter((cells) => cells[3] === mapper);
      expect(own).toHaveLength(8);
      // Of the same flits the one that is done first has most traffic.
      expect(Number(own.at(-1)?.[5])).toBe(lastCycle(mapper));
    }
    expect(draw('trafficOverTime', 'a.svg').code).toBe(0);
    expect(readFileSync(join(directory, 'a.svg'), 'utf8')).toMatch(
      /full: traffic over time.*machine\.seed 1, messages .* as fast as/s,
    );
    expect(draw('trafficOverTime at machine.seed 3', 'c.svg')).toMatchObject({
      code: 1,
      err: expect.stringContaining('latencyOverTime at machine.seed 2') as string,
    });
  });

  it('keep the speed in the journal, and what was killed goes on to the same bytes', () => {
    const directory = folder({ 'a.place': text });
    const whole = cli.run(['experiment', 'a.place', '--json', '--threads', '2'], directory);
    const journal = join(directory, 'a.place.results/full.journal');
    const lines = readFileSync(journal, 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('"finds":"speed"'))).toHaveLength(2);
    writeFileSync(journal, `${lines.slice(0, 4).join('\n')}\n`);
    const resumed = cli.run(['experiment', 'a.place', '--json', '--resume', '--threads', '1'], directory);
    expect(resumed.out).toBe(whole.out);
    expect(readFileSync(journal, 'utf8').match(/"finds":"speed"/g)).toHaveLength(2);
  });

  it('may saturate it with one of the mappings alone, which takes less', () => {
    const any = text.replace('delivered 90%', 'delivered 90%, mappings any');
    const directory = folder({ 'a.place': text, 'b.place': any });
    const [all, one] = ['a.place', 'b.place'].map((file) => {
      const { out } = cli.run(['experiment', file, '--json', '--short'], directory);
      return experimentsOf(out)[0]!.rows.map(({ speed }) => speed!);
    });
    expect(one).toHaveLength(all!.length);
    for (const [row, speed] of one!.entries()) expect(speed).toBeLessThan(all![row]!);
  });

  it('are told where nothing can saturate', () => {
    const lone = text
      .replace('irregular 8 hosts 2', 'switches 1 hosts 16')
      .replace(/vary machine.seed \S+ .. \S+ step \S+/, '');
    const { code, err } = cli.run(
      ['experiment', 'a.place'],
      folder({ 'a.place': lone.replace('bandwidth 1 GB/s', '') }),
    );
    expect([code, err]).toEqual([1, expect.stringMatching(/bandwidth.*\[no-times\]/s)]);
  });
});
