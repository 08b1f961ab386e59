/** `placewright experiment`: what is measured and varied, by row, by job and in comparisons. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { lineCells } from '../../server/interchange/csv.ts';
import { experimentFolders, experimentsOf, machine, stream, experiment } from './experimentFolder.ts';

const { cli, folder } = experimentFolders();

describe('what placewright experiment measures', () => {
  it('gives the steady state of one long run, with the interval of its batches and their correlation', async () => {
    // M/M/1 with load 1/2: 2 in the system for 2 times of service, half of it waiting.
    const text =
      'machine one { topology mesh 2 }\n' +
      'stream q { arrivals exponential(rate 0.5) processors constant(2) service exponential(mean 1) jobs 20000 completed }\n' +
      'experiment e { stream q machine one allocate first-fit steady-state delete(20%, batches 30) report turnaround, waiting, utilisation }\n';
    const directory = folder({ 'a.place': text });
    const { code, out, err } = await cli.run(['experiment', 'a.place', '--json'], directory);
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
      // 16,000 jobs in batches of 533, and what does not fill them.
      expect(metric.deleted).toEqual([4010]);
      expect(Math.abs(metric.lag1![0]!)).toBeLessThan(0.5);
    }
    // The last of five batches ends where the run does: the mean is that of the jobs that are kept.
    expect([utilisation!.deleted, utilisation!.halfWidth]).toEqual([undefined, null]);
    expect((await cli.run(['experiment', 'a.place'], directory)).out).toMatch(
      /Experiment e \(1 replication of each row\)/,
    );
    // A stream whose jobs wait ever longer has batches that depend on each other.
    writeFileSync(
      join(directory, 'a.place'),
      text.replace('rate 0.5', 'rate 0.98').replace('delete(20%, batches 30)', 'mser-5'),
    );
    expect((await cli.run(['experiment', 'a.place'], directory)).out).toMatch(
      /correlation of batches 0\.\d{3} +are correlated; use longer runs/,
    );
  });

  it('tells entries of one name apart, in rows, comparisons and quoted numbers', async () => {
    const crossed = experiment(
      'schedule window(2), window( 8 ) allocate first-fit replications 4 compare paired-ratio(to window(2)) quoted { turnaround window(8) / window(2) : 0.9  turnaround window(size 8) : 100 }',
    );
    const directory = folder({ 'a.place': machine + stream.replace('mean 40', 'mean 20') + crossed });
    const { code, out, err } = await cli.run(['experiment', 'a.place', '--json', '-o', 'a.svg'], directory);
    expect([code, err]).toEqual([0, expect.not.stringContaining('error')]);
    const [result] = experimentsOf(out);
    expect(result?.rows.map(({ scheduler }) => scheduler)).toEqual(['window(size 2)', 'window(size 8)']);
    expect(result?.comparisons).toMatchObject([{ of: 'window(size 8)', to: 'window(size 2)' }]);
    expect(result?.quoted).toMatchObject([{ row: 1, over: 0 }, { row: 1 }]);
    expect(result?.quoted[0]?.ours).toBe(result?.comparisons[0]?.ratio);
    const drawn = readFileSync(join(directory, 'a.svg'), 'utf8');
    for (const name of ['window(size 2)', 'window(size 8)']) expect(drawn).toContain(name);
    expect((await cli.run(['experiment', 'a.place'], directory)).out).toMatch(/^ *(\S+ +)*window\(size 8\)/m);
  });

  it('compares mappings of one job beside others, by the time of the busiest link, without a network', async () => {
    const text =
      'machine torus { topology torus 8 x 8 bandwidth 4 GB/s, 2 GB/s }\n' +
      'job j { grid 4 x 4 stencil five-point bytes 1 kB }\n' +
      'experiment e { job j machine torus busy 50% allocate curve(order snake) map baseline, rcb, rcb(rotate no) seeds 1 .. 6 report congestionTime, averageHops }\n';
    const directory = folder({ 'a.place': text });
    const { code, out, err } = await cli.run(['experiment', 'a.place', '--json'], directory);
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
    expect(await draw('congestionTime by averageHops', 'points.csv')).toMatchObject({ code: 0, err: '' });
    const hops = result!.rows.map(({ metrics }) => metrics['averageHops']!.values as number[]);
    expect(readFileSync(join(directory, 'points.csv'), 'utf8')).toBe(
      ['scheduler,allocator,mapper,replication,averageHops,congestionTime']
        .concat(
          result!.rows.flatMap(({ allocator, mapper }, row) =>
            times[row]!.map(
              (time, one) => `,${allocator ?? ''},${mapper ?? ''},${one + 1},${hops[row]![one]!},${time}`,
            ),
          ),
        )
        .concat('')
        .join('\n'),
    );
    expect((await draw('congestionTime by averageHops', 'points.svg')).code).toBe(0);
    const points = readFileSync(join(directory, 'points.svg'), 'utf8');
    expect(points).toMatch(/e: congestion time by average hops.*Spearman[^<]*coefficient −?0\.\d+ of 18 runs/s);
    // A marker of each replication, and of each mapper beside them.
    expect(points.match(/<circle/g)).toHaveLength(7);
    expect(await draw('makespan by averageHops', 'none.svg')).toMatchObject({
      code: 1,
      err: expect.stringContaining("Metric 'makespan by averageHops' has no results.") as string,
    });
    writeFileSync(join(directory, 'a.place'), text.replace('busy 50%', 'busy 90%'));
    const crowded = await cli.run(['experiment', 'a.place'], directory);
    expect([crowded.code, crowded.err]).toEqual([1, expect.stringMatching(/6 free nodes|free/)]);
    for (const network of ['flow', 'cut-through(packet 8, channels 2)', 'wormhole(packet 8, channels 2)']) {
      writeFileSync(join(directory, 'a.place'), text.replace('report ', `network ${network} report makespan, `));
      const simulated = experimentsOf(
        (await cli.run(['experiment', 'a.place', '--json', '--force'], directory)).out,
      )[0];
      // What must cross longest link time no less.
      for (const { metrics } of simulated!.rows) {
        metrics['makespan']!.values.forEach((cycles, seed) => {
          expect(cycles!).toBeGreaterThanOrEqual((metrics['congestionTime']!.values[seed]! * 4e9) / 4 - 1);
        });
      }
    }
  });

  it('varies over the numbers of a list, in their order', async () => {
    const varied = experiment(
      'allocate rbs vary arrivals.mean [70, 30, 40] quoted { turnaround at arrivals.mean 30 : 60 } replications 2',
    );
    const directory = folder({ 'a.place': machine + stream + varied });
    const rowsOf = (out: string) => experimentsOf(out)[0]?.rows.map(({ point }) => point['arrivals.mean']);
    expect(rowsOf((await cli.run(['experiment', 'a.place', '--json'], directory)).out)).toEqual([70, 30, 40]);
    expect(rowsOf((await cli.run(['experiment', 'a.place', '--json', '--short'], directory)).out)).toEqual([30]);
  });

  it('runs several jobs that are placed together, and varies what one of them sends', async () => {
    const text = `machine c { topology cluster 4  sockets 2  cores 2  memory 4 GB/s  interface 1 GB/s  switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
      job all { tasks 8  pattern all-to-all  bytes 64 KiB  rate 20/s  messages 20 }
      job row { tasks 8  pattern linear  bytes 1 MiB  rate 10/s  messages 20 }
      experiment e { jobs all, row  machine c  network queueing  replay open  map blocked, cyclic
        vary row.rate [10, 200]  replications 3  report totalWaiting, makespan, latency, predictedLatency
        quoted { totalWaiting blocked / cyclic at row.rate 200 : 2 } }`;
    const directory = folder({ 'a.place': text });
    const { code, out, err } = await cli.run(['experiment', 'a.place'], directory);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/mapper +totalWaiting \(ms\) +makespan \(s\) +latency \(us\) +predictedLatency \(us\)$/m);
    const [found] = experimentsOf((await cli.run(['experiment', 'a.place', '--json'], directory)).out);
    const waits = found?.rows.map(({ metrics }) => metrics['totalWaiting']?.mean ?? Number.NaN) ?? [];
    expect(waits).toHaveLength(4);
    // More messages of the one job wait longer by either mapper.
    expect(waits[2]).toBeGreaterThan(waits[0] ?? 0);
    expect(waits[3]).toBeGreaterThan(waits[1] ?? 0);
    expect(found?.quoted[0]?.ours).toBeGreaterThan(0);
    // What belongs to a job belongs to its results: another size is another experiment.
    writeFileSync(join(directory, 'a.place'), text.replace('64 KiB', '32 KiB'));
    expect(await cli.run(['experiment', 'a.place', '--resume'], directory)).toMatchObject({ code: 1 });
  });

  it('writes a line for each job', async () => {
    const crossed = experiment(
      'schedule fcfs, out-of-order allocate rbs, first-fit map rcb replications 2 report averageHops',
    );
    const directory = folder({ 'a.place': machine + stream + crossed });
    const { code, err } = await cli.run(['experiment', 'a.place', '--jobs', 'jobs.csv'], directory);
    expect([code, err]).toEqual([0, '']);
    const [head, ...lines] = readFileSync(join(directory, 'jobs.csv'), 'utf8').trimEnd().split('\n');
    expect(head).toBe(
      'replication,job,submit,start,end,processors,nodes,hops,refused,line,number,experiment,stream,machine,scheduler,allocator,mapper',
    );
    const jobs = lines.map((line) => lineCells(line, ','));
    expect(new Set(jobs.map(([seed, , , , , , , , , , ...names]) => [seed, ...names].join(' '))).size).toBe(8);
    for (const [, , submit, start, end, processors, nodes = '', hops, refused, , , , , , , allocator] of jobs) {
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
    expect((await cli.run(['experiment', 'a.place', '--resume', '--jobs', 'jobs.csv'], directory)).code).toBe(0);
    writeFileSync(join(directory, 'jobs.csv'), 'my notes\n');
    expect(await cli.run(['experiment', 'a.place', '--resume', '--jobs', 'jobs.csv'], directory)).toMatchObject({
      code: 2,
    });
  });

  it('runs a log that is packed, and tells of the lines that are no jobs', async () => {
    const line = (job: number, processors: number) => `${job} ${job * 10} 0 25 ${processors}${' -1'.repeat(13)}`;
    const log = [...Array(20).keys()].map((job) => line(job + 1, job === 7 ? -1 : (job % 6) + 1));
    const text = [...log, '21 1 2', line(22, 100)].join('\r\n');
    const logged = 'stream s { log "jobs.swf.gz" measure where processors > 1 }\n';
    const crossed = experiment(
      'schedule easy allocate mc1x1, curve map rcb, row-major replications 1 report averageHops, makespan',
    );
    const directory = folder({ 'a.place': machine + logged + crossed, 'jobs.swf.gz': gzipSync(text) });
    const { code, out, err } = await cli.run(['experiment', 'a.place', '--json'], directory);
    expect(err).toMatch(/^placewright: jobs\.swf\.gz: 1 line is refused: .*\(line 21\)\.$/m);
    expect(err).toMatch(/^placewright: jobs\.swf\.gz: 1 line is refused: its processors are unknown .*\(line 8\)\.$/m);
    expect(err).toMatch(/^placewright: jobs\.swf\.gz: 1 line is refused: it has 3 fields instead of 18 \(line 21\)\./m);
    expect(code).toBe(0);
    const [result] = experimentsOf(out);
    const makespans = result?.rows.map(({ metrics }) => metrics['makespan']);
    expect(makespans?.[0]).toMatchObject({ mean: 215, unit: 's', halfWidth: null });
    expect(new Set(makespans?.map((makespan) => makespan?.mean)).size).toBe(1);
    expect(result?.rows.every(({ metrics }) => metrics['averageHops']!.mean! >= 1)).toBe(true);
  });
});
