/** `placewright experiment`: messages at times, sent so fast that they saturate a network. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { experimentFolders, experimentsOf } from './experimentFolder.ts';

const { cli, folder } = experimentFolders();

describe('messages that saturate a network', () => {
  const text = `machine net { topology irregular 8 hosts 2 bandwidth 1 GB/s }
job cg { tasks 16 skeleton cg(class S, iterations 2) }
experiment full {
  job cg machine net network wormhole(packet 16) map random, random-local seeds 1 .. 2
  replay saturation(delivered 90%, first 4000) vary machine.seed 1 .. 2 step 1 over-time 500 messages report throughput, latency
}`;
  const json = async (directory: string, ...words: string[]): Promise<ExperimentJson> =>
    experimentsOf((await cli.run(['experiment', 'a.place', '--json', ...words], directory)).out)[0]!;

  /** What it comes to, in a folder that keeps its results: run once for all tests that look at them. */
  const run = async () => {
    const directory = folder({ 'a.place': text });
    return { directory, rows: (await json(directory)).rows };
  };
  let ran: ReturnType<typeof run> | undefined;
  const done = () => (ran ??= run());

  it('are sent at one speed of each network, which all mappings are too slow for and no much lower one is', async () => {
    const { rows } = await done();
    const speeds = rows.map(({ speed = 0 }) => speed);
    expect(new Set(speeds.slice(0, 2)).size).toBe(1);
    expect(new Set(speeds.slice(2)).size).toBe(1);
    expect(speeds[0]).not.toBe(speeds[2]);
    const at = async (factor: number): Promise<number[]> => {
      // The first network alone.
      const slower = text
        .replace('replay saturation(delivered 90%, first 4000)', `replay open(speed ${factor}, first 4000)`)
        .replace('machine.seed 1 .. 2 step 1', 'machine.seed [1]');
      return (await json(folder({ 'a.place': slower }))).rows.map(({ metrics }) => metrics['latency']?.mean ?? 0);
    };
    const [speed = 0] = speeds;
    const [slow, there, fast] = [await at(speed / 4), await at(speed), await at(speed * 2)];
    expect(there).toEqual(rows.slice(0, 2).map(({ metrics }) => metrics['latency']?.mean));
    expect(slow[0]).toBeLessThan(there[0]! / 2);
    expect(fast[0]).toBeGreaterThan(there[0]!);
  });

  it('tell traffic and latency over time', async () => {
    const { rows } = await done();
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

  it('are drawn over time, at each value of what is varied the best replication of each mapper', async () => {
    const { directory, rows } = await done();
    const draw = (metric: string, target: string) =>
      cli.run(['draw', 'a.place', 'full', '--metric', metric, '-o', target], directory);
    expect((await draw('latencyOverTime at machine.seed 2', 'b.csv')).code).toBe(0);
    const [head, ...lines] = readFileSync(join(directory, 'b.csv'), 'utf8').trimEnd().split('\n');
    expect(head).toBe('machine.seed,scheduler,allocator,mapper,seed,cycles,traffic,latency');
    const lastCycle = (mapper: string): number =>
      Math.min(
        ...rows
          .find((row) => row.mapper === mapper && row.point['machine.seed'] === 2)!
          .overTime!.map(({ cycles }) => cycles.at(-1)!),
      );
    for (const mapper of ['random', 'random-local']) {
      const own = lines.map((line) => line.split(',')).filter((cells) => cells[3] === mapper);
      expect(own).toHaveLength(8);
      // Of the same flits the one that is done first has most traffic.
      expect(Number(own.at(-1)?.[5])).toBe(lastCycle(mapper));
    }
    expect((await draw('trafficOverTime', 'a.svg')).code).toBe(0);
    expect(readFileSync(join(directory, 'a.svg'), 'utf8')).toMatch(/full: traffic over time.*machine\.seed 1/s);
    expect(await draw('trafficOverTime at machine.seed 3', 'c.svg')).toMatchObject({
      code: 1,
      err: expect.stringContaining('latencyOverTime at machine.seed 2') as string,
    });
  });

  it('keep the speed in the journal, and what was killed goes on to the same bytes', async () => {
    const directory = folder({ 'a.place': text });
    const whole = await cli.run(['experiment', 'a.place', '--json', '--threads', '2'], directory);
    const journal = join(directory, 'a.place.results/full.journal');
    const lines = readFileSync(journal, 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('"finds":"speed"'))).toHaveLength(2);
    writeFileSync(journal, `${lines.slice(0, 4).join('\n')}\n`);
    const resumed = await cli.run(['experiment', 'a.place', '--json', '--resume', '--threads', '1'], directory);
    expect(resumed.out).toBe(whole.out);
    expect(readFileSync(journal, 'utf8').match(/"finds":"speed"/g)).toHaveLength(2);
  });

  it('may saturate it with one of the mappings alone, which takes less', async () => {
    const any = text.replace('delivered 90%', 'delivered 90%, mappings any');
    const [all, one] = [(await done()).rows, (await json(folder({ 'a.place': any }))).rows].map((rows) =>
      rows.map(({ speed }) => speed!),
    ) as [number[], number[]];
    expect(one).toHaveLength(all.length);
    for (const [row, speed] of one.entries()) expect(speed).toBeLessThan(all[row]!);
  });

  it('are told where nothing can saturate', async () => {
    const lone = text
      .replace('irregular 8 hosts 2', 'switches 1 hosts 16')
      .replace(/vary machine.seed \S+ .. \S+ step \S+/, '');
    const { code, err } = await cli.run(
      ['experiment', 'a.place'],
      folder({ 'a.place': lone.replace('bandwidth 1 GB/s', '') }),
    );
    expect([code, err]).toEqual([1, expect.stringMatching(/bandwidth.*\[no-times\]/s)]);
  });
});
