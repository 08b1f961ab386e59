import { describe, expect, it } from 'vitest';
import { gridDescription } from '../network/testing/machines.ts';
import { asWritten, comparableMappers, overRuns } from './compare.ts';
import { comparedCluster, comparedHeat, compareByCounts, namedMappers } from './testing/comparisons.ts';
import { choiceOf, gridJob, jobOf, numbers, placementOf, programOf, run, tableJob } from './testing/programs.ts';

const { machine, heat, wanted, base, program } = comparedHeat;

describe('mappers compared', () => {
  const names = ['random', 'baseline', 'rcb', 'row-major'];
  const comparison = compareByCounts(program, namedMappers(...names));

  it('give what a study of each of them gives, on the nodes of the placement', () => {
    expect(comparison.placed).toHaveLength(names.length);
    for (const { mapper, shown } of comparison.placed) {
      const { outline } = shown;
      const alone = run({ ...program, placements: [{ ...wanted, map: choiceOf(mapper) }, base] }).placements[0]!;
      expect(outline.metrics).toEqual(alone.metrics);
      expect(outline.jobs[0]).toMatchObject({ name: 'heat', nodes: 18 });
    }
    expect(comparison).toMatchObject({ refused: [], stopped: [], problems: [], left: 0 });
  });

  it('place every job, also one with a mapper of its own, on the nodes that are its own', () => {
    const nodes = choiceOf('nodes', {}, numbers(30, 31, 28, 29));
    const job = jobOf({ name: 'four', taskCount: 4 });
    const own = [{ allocate: nodes, map: choiceOf('baseline') }];
    const placement = { ...base, name: 'p', jobs: ['four'], own };
    const { placed } = compareByCounts(programOf([machine], [job], [placement]), namedMappers('random', 'baseline'));
    const alone = run(
      programOf([machine], [job], [{ ...placement, own: [{ allocate: nodes }], map: choiceOf('random') }]),
    );
    expect(placed.find(({ mapper }) => mapper === 'random')?.shown.outline.metrics).toEqual(
      alone.placements[0]?.metrics,
    );
    expect(placed.every(({ shown }) => shown.outline.jobs[0]?.nodes === 4)).toBe(true);
  });

  it('are sorted by their hop-bytes, with the ratio to the best', () => {
    const costs = comparison.placed.map(({ shown }) => shown.outline.metrics.hopBytes);
    expect(costs).toEqual(costs.toSorted((a, b) => a - b));
    expect(new Set(costs).size).toBeGreaterThan(2);
    expect(comparison.placed.map(({ ratio }) => ratio)).toEqual(costs.map((cost) => cost / costs[0]!));
  });

  it('stand beside the placement as it is written', () => {
    const alone = run(program).placements[0]!;
    const { placed } = compareByCounts(program, [asWritten(['random']), ...namedMappers('baseline')]);
    const own = placed.find((trial) => trial.asWritten)!;
    expect(own.mapper).toBe('as written (random)');
    expect(own.shown.outline.metrics).toEqual(alone.metrics);
    expect(own.shown.mappings).toEqual([Array.from(alone.jobs[0]!.mapping)]);
    const load = Math.max(...alone.linkLoads);
    expect(own.shown.heaviestLink).toMatchObject({ load });
    expect(placed.filter((trial) => !trial.asWritten).map(({ mapper }) => mapper)).toEqual(['baseline']);
  });

  it('can be sorted by other figures, with the ratio of hop-bytes as ever', () => {
    const sorted = compareByCounts(program, namedMappers(...names), { sort: 'maximum-link-load' }).placed;
    const loads = sorted.map(({ shown }) => shown.outline.metrics.maximumLinkLoad);
    expect(loads).toEqual(loads.toSorted((a, b) => a - b));
    expect(Math.min(...sorted.map(({ ratio }) => ratio!))).toBe(1);
    // The clock counts its readings: `auto` reads it often.
    const slowest = compareByCounts(program, namedMappers('auto', 'baseline'), { sort: 'milliseconds' }).placed;
    expect(slowest.map(({ mapper }) => mapper)).toEqual(['baseline', 'auto']);
  });

  it.each(['hop-bytes', 'maximum-link-load'])(
    'are measured with the split that their own traffic settles on: by %s',
    (sort) => {
      const topology = { name: 'dragonfly', options: { p: 2, a: 2, h: 2 } };
      const on = (routing: string) => ({ ...machine, name: 'm', topology, routing: { name: routing, options: {} } });
      const rows = Array.from({ length: 20 }, (_, node) => [node, (node + 4) % 20, 1024] as const);
      const shift = tableJob('shift', 20, rows);
      const placedBy = (map: string) => placementOf({ name: 'p', machine: 'm', jobs: ['shift'], map: choiceOf(map) });
      const figures = (routing: string, map: string) =>
        run(programOf([on(routing)], [shift], [placedBy(map)])).placements[0]!.metrics;
      const mappers = ['baseline', 'random', 'drb'];
      const { placed } = compareByCounts(
        programOf([on('ugal')], [shift], [placedBy('random')]),
        namedMappers(...mappers),
        { sort },
      );
      expect(placed).toHaveLength(mappers.length);
      for (const { mapper, shown } of placed) {
        expect(shown.outline.metrics).toEqual(figures('ugal', mapper));
        expect(shown.outline.notes.join()).toContain('`ugal` settled in');
      }
      const key = sort === 'hop-bytes' ? 'hopBytes' : 'maximumLinkLoad';
      const values = placed.map(({ shown }) => shown.outline.metrics[key]);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      // Not with the minimal routes, which mappers know.
      expect(values).not.toEqual(placed.map(({ mapper }) => figures('minimal', mapper)[key]));
    },
  );

  it('that come to the same keep the order they were asked for in', () => {
    const { placed } = compareByCounts(program, namedMappers('row-major', 'baseline', 'row-major'));
    const order = placed.map(({ mapper }) => mapper).filter((mapper) => mapper === 'row-major');
    expect(order).toHaveLength(2);
    const quiet = programOf([machine], [jobOf({ name: 'job', taskCount: 1 })], [{ ...base, name: 'p', jobs: ['job'] }]);
    const still = compareByCounts(quiet, namedMappers('rcb', 'baseline', 'random'));
    expect(still.placed.map(({ mapper, ratio }) => [mapper, ratio])).toEqual([
      ['rcb', 1],
      ['baseline', 1],
      ['random', 1],
    ]);
  });

  it('are by default all that run with nothing but their name', () => {
    const all = comparableMappers().map(({ text }) => text);
    expect(all).toEqual(expect.arrayContaining(['auto', 'baseline', 'rcb', 'random']));
    expect(all).not.toContain('given');
  });

  it('that refuse say why, and the others are compared', () => {
    const given = { text: 'given [0]', choice: choiceOf('given', {}, numbers(0)) };
    const { placed, refused } = compareByCounts(program, [given, ...namedMappers('rcb')]);
    expect(placed.map(({ mapper }) => mapper)).toEqual(['rcb']);
    expect(refused).toMatchObject([
      { mapper: 'given [0]', failure: { message: expect.stringMatching(/16/) as string } },
    ]);
  });

  it('that take too long are stopped, whatever the evaluation takes', () => {
    // Every reading of the clock is a millisecond: `auto` polls often, `baseline` hardly.
    const { placed, stopped } = compareByCounts(program, namedMappers('auto', 'baseline'), { limit: 3 });
    expect(placed.map(({ mapper }) => mapper)).toEqual(['baseline']);
    expect(stopped.map(({ mapper }) => mapper)).toEqual(['auto']);
    expect(stopped[0]!.milliseconds).toBeGreaterThan(3);
  });

  it('are none where the machine, the job or the nodes are at fault', () => {
    const source = { kind: 'table-file', name: 't', unit: 'bytes', uri: 't.csv' } as const;
    const broken = programOf([machine], [jobOf({ name: 'job', source })], [{ ...base, name: 'p', jobs: ['job'] }]);
    expect(compareByCounts(broken, namedMappers('rcb', 'random'))).toMatchObject({
      placed: [],
      refused: [],
      problems: [{ code: 'file-not-found', subject: { kind: 'table', name: 't' } }],
      left: 0,
    });
    const large = { ...program, placements: [{ ...wanted, allocate: choiceOf('random', { count: 99 }) }] };
    expect(compareByCounts(large, namedMappers('rcb')).problems).toMatchObject([{ subject: { property: 'allocate' } }]);
  });

  it('are those that were done when it is cancelled', () => {
    let begun = 0;
    const progress = (_: number, message: string) => {
      if (message.startsWith('rcb')) begun++;
    };
    const cancelled = compareByCounts(program, namedMappers('baseline', 'rcb', 'random'), {
      progress,
      cancellation: { isCancelled: () => begun > 0 },
    });
    expect(cancelled.placed.map(({ mapper }) => mapper)).toEqual(['baseline']);
    expect(cancelled).toMatchObject({ refused: [], stopped: [], problems: [], left: 2 });
  });

  it('say which of them is at work, and how far all are', () => {
    const told: [number, string][] = [];
    compareByCounts(program, namedMappers('baseline', 'rcb'), {
      progress: (share, message) => told.push([share, message]),
    });
    expect(told.map(([, message]) => message)).toEqual(expect.arrayContaining(['rcb: p: mapping heat']));
    const shares = told.map(([share]) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it('on nodes that depend on the mapper are marked', () => {
    // Two cores per node: in order the first job fills eight nodes, at random it leaves cores on most.
    const twin = gridDescription('torus', [4, 4], { name: 'm', cores: 2 });
    const jobs = [gridJob('one', [4, 4], 'five-point'), gridJob('two', [2, 2], 'five-point')];
    const both = programOf([twin], jobs, [placementOf({ name: 'p', machine: 'm', jobs: ['one', 'two'] })]);
    const { placed, bound } = compareByCounts(both, namedMappers('baseline', 'random'));
    expect(placed.map(({ mapper, otherNodes }) => [mapper, otherNodes])).toEqual([
      ['baseline', false],
      ['random', true],
    ]);
    expect(bound).toBeUndefined();
  });

  describe('with several seeds', () => {
    const seeds = [3, 1, 8];
    const mappers = namedMappers('random', 'baseline', 'grasp');
    const found = compareByCounts(program, mappers, { seeds });
    const of = (mapper: string) => found.placed.find((trial) => trial.mapper === mapper)!;

    it('are run with each, all with the same, on the nodes of the placement', () => {
      for (const mapper of ['random', 'grasp']) {
        expect(of(mapper).runs.map(({ seed }) => seed)).toEqual(seeds);
        // The nodes are given by the seed of another placement, so that the seed of this one is the mapper's alone.
        for (const { seed, metrics } of of(mapper).runs) {
          const alone = run({ ...program, placements: [{ ...wanted, seed, map: choiceOf(mapper) }, base] });
          expect(metrics).toEqual(alone.placements.find(({ name }) => name === 'p')?.metrics);
        }
      }
      expect(new Set(of('random').runs.map(({ metrics }) => metrics.hopBytes)).size).toBe(3);
    });

    it('leave nodes and traffic alone, also where the placement draws them itself', () => {
      const job = jobOf({ name: 'noisy', taskCount: 8, source: { kind: 'pattern', choice: choiceOf('random') } });
      const own = { ...base, name: 'p', jobs: ['noisy'], map: choiceOf('random') };
      const drawn = programOf([machine], [job], [own]);
      const { placed } = compareByCounts(drawn, namedMappers('random', 'baseline'), { seeds: [5, 6] });
      const alone = run({ ...drawn, placements: [{ ...own, map: choiceOf('baseline') }] }).placements[0]!;
      const steady = placed.find(({ mapper }) => mapper === 'baseline')!;
      expect(steady.shown.outline.metrics).toEqual(alone.metrics);
      expect(placed.every(({ otherNodes }) => !otherNodes)).toBe(true);
    });

    it('are run once where they draw no random number', () => {
      expect(of('baseline')).toMatchObject({ drewRandom: false, runs: [{ seed: 3 }] });
      expect(overRuns(of('baseline'), 'hopBytes')?.deviation).toBeUndefined();
    });

    it('are told with mean and standard deviation, sorted by the mean, and with the best mapping', () => {
      const values = of('random').runs.map(({ metrics }) => metrics.hopBytes);
      const mean = values.reduce((sum, value) => sum + value, 0) / 3;
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2);
      const over = overRuns(of('random'), 'hopBytes')!;
      expect(over).toMatchObject({ minimum: Math.min(...values), maximum: Math.max(...values), values });
      expect(over.mean).toBeCloseTo(mean, 6);
      expect(over.deviation).toBeCloseTo(deviation, 6);
      expect(of('random').shown.outline.metrics.hopBytes).toBe(Math.min(...values));
      expect(overRuns(of('random'), 'congestionTime')).toBeUndefined();
      const means = found.placed.map((trial) => overRuns(trial, 'hopBytes')!.mean);
      expect(means).toEqual(means.toSorted((a, b) => a - b));
      expect(found.placed.map(({ ratio }) => ratio)).toEqual(means.map((one) => one / means[0]!));
    });

    it('keep what was done when it is cancelled: nearly the same seeds of all', () => {
      let runs = 0;
      const cancelled = compareByCounts(program, mappers, {
        seeds,
        progress: (_, message) => {
          if (/grasp, seed 1: .*mapping/.test(message)) runs++;
        },
        cancellation: { isCancelled: () => runs > 0 },
      });
      const done = new Map(cancelled.placed.map(({ mapper, runs: own }) => [mapper, own.map(({ seed }) => seed)]));
      expect(Object.fromEntries(done)).toEqual({ random: [3, 1], baseline: [3], grasp: [3] });
      expect(cancelled.left).toBe(0);
    });

    it('that are stopped with one seed have no figures', () => {
      const { placed, stopped } = compareByCounts(program, namedMappers('auto', 'baseline'), { seeds, limit: 3 });
      expect(placed.map(({ mapper }) => mapper)).toEqual(['baseline']);
      expect(stopped.map(({ mapper }) => mapper)).toEqual(['auto']);
    });
  });

  it('cannot be sorted by a congestion time that there is not', () => {
    const options = { sort: 'congestion-time' } as const;
    const without = compareByCounts(program, namedMappers(...names), options);
    expect(without.sortedBy).toBe('maximum-link-load');
    const fast = programOf([{ ...machine, figures: { bandwidth: 1e9 } }], [heat], [wanted, base]);
    const timed = compareByCounts(fast, namedMappers(...names), options);
    expect(timed.sortedBy).toBe('congestion-time');
    expect(without.placed.map(({ mapper }) => mapper)).toEqual(timed.placed.map(({ mapper }) => mapper));
  });

  it('on a cluster are sorted by what messages wait, without end last, and say how busy the busiest server is', () => {
    // Four nodes of 16 tasks have more for their ports than these can do.
    const sorted = compareByCounts(comparedCluster(), namedMappers('blocked', 'contention-free'), {
      sort: 'waiting',
      seeds: [1, 2],
    });
    expect(sorted.sortedBy).toBe('waiting');
    expect(sorted.placed.map(({ mapper }) => mapper)).toEqual(['contention-free', 'blocked']);
    expect(sorted.placed.map((result) => overRuns(result, 'waiting')?.mean)).toEqual([
      expect.closeTo(80.6e-6, 6),
      Infinity,
    ]);
    expect(overRuns(sorted.placed[1]!, 'waiting')?.deviation).toBeUndefined();
    expect(compareByCounts(program, namedMappers(...names), { sort: 'waiting' }).sortedBy).toBe('hop-bytes');
  });

  it('are plain data', () => {
    expect(structuredClone(comparison)).toEqual(comparison);
  });
});
