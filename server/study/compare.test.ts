import { describe, expect, it } from 'vitest';
import { gridDescription } from '../network/testing/machines.ts';
import { ignoreProgress, neverCancelled } from '../model/cancellation.ts';
import { asWritten, comparableMappers, compareMappers, type ComparedMapper, type Comparison } from './compare.ts';
import { comparisonToJson } from './compareJson.ts';
import type { Program, StudyFiles } from './program.ts';
import type { SortKey } from './report.ts';
import { createStudyCache, type StudyContext } from './study.ts';
import { choiceOf, filesOf, gridJob, jobOf, numbers, placementOf, programOf, run, sameAs } from './testing/programs.ts';

const machine = gridDescription('torus', [8, 4], { name: 'm' });
const heat = gridJob('heat', [4, 4], 'five-point');
const scattered = choiceOf('random', { count: 18 });
const base = placementOf({ name: 'base', machine: 'm', jobs: ['heat'], allocate: scattered, seed: 3 });
const wanted = placementOf({
  name: 'p',
  machine: 'm',
  jobs: ['heat'],
  allocate: sameAs('base'),
  map: choiceOf('random'),
});
const program = programOf([machine], [heat], [wanted, base]);

const named = (...names: readonly string[]): readonly ComparedMapper[] =>
  names.map((name) => ({ text: name, choice: choiceOf(name) }));

interface Options extends Partial<StudyContext> {
  readonly files?: StudyFiles;
  readonly limit?: number;
  readonly sort?: SortKey;
}

/** Compares on a clock that counts its own readings. */
function compare(of: Program, mappers: readonly ComparedMapper[], options: Options = {}): Comparison {
  const { files = filesOf(), limit = Infinity, sort, ...more } = options;
  let time = 0;
  const context = {
    cancellation: neverCancelled,
    progress: ignoreProgress,
    now: () => time++,
    cache: createStudyCache(),
    ...more,
  };
  return compareMappers(of, files, { placement: 'p', mappers, limit, ...(sort && { sort }) }, context);
}

describe('mappers compared', () => {
  const names = ['random', 'baseline', 'rcb', 'row-major'];
  const comparison = compare(program, named(...names));

  it('give what a study of each of them gives, on the nodes of the placement', () => {
    expect(comparison.placed).toHaveLength(names.length);
    for (const { mapper, outline } of comparison.placed) {
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
    const { placed } = compare(programOf([machine], [job], [placement]), named('random', 'baseline'));
    const alone = run(
      programOf([machine], [job], [{ ...placement, own: [{ allocate: nodes }], map: choiceOf('random') }]),
    );
    expect(placed.find(({ mapper }) => mapper === 'random')?.outline.metrics).toEqual(alone.placements[0]?.metrics);
    expect(placed.every(({ outline }) => outline.jobs[0]?.nodes === 4)).toBe(true);
  });

  it('are sorted by their hop-bytes, with the ratio to the best', () => {
    const costs = comparison.placed.map(({ outline }) => outline.metrics.hopBytes);
    expect(costs).toEqual(costs.toSorted((a, b) => a - b));
    expect(new Set(costs).size).toBeGreaterThan(2);
    expect(comparison.placed.map(({ ratio }) => ratio)).toEqual(costs.map((cost) => cost / costs[0]!));
  });

  it('stand beside the placement as it is written', () => {
    const alone = run(program).placements[0]!;
    const { placed } = compare(program, [asWritten(wanted), ...named('baseline')]);
    const own = placed.find((trial) => trial.asWritten)!;
    expect(own.mapper).toBe('as written (random)');
    expect(own.outline.metrics).toEqual(alone.metrics);
    expect(own.mappings).toEqual([Array.from(alone.jobs[0]!.mapping)]);
    const load = Math.max(...alone.linkLoads);
    expect(own.heaviestLink).toMatchObject({ load });
    expect(placed.filter((trial) => !trial.asWritten).map(({ mapper }) => mapper)).toEqual(['baseline']);
  });

  it('can be sorted by other figures, with the ratio of hop-bytes as ever', () => {
    const sorted = compare(program, named(...names), { sort: 'maximum-link-load' }).placed;
    const loads = sorted.map(({ outline }) => outline.metrics.maximumLinkLoad);
    expect(loads).toEqual(loads.toSorted((a, b) => a - b));
    expect(Math.min(...sorted.map(({ ratio }) => ratio!))).toBe(1);
    // The clock counts its readings: `auto` reads it often.
    const slowest = compare(program, named('auto', 'baseline'), { sort: 'milliseconds' }).placed;
    expect(slowest.map(({ mapper }) => mapper)).toEqual(['baseline', 'auto']);
  });

  it('that come to the same keep the order they were asked for in', () => {
    const { placed } = compare(program, named('row-major', 'baseline', 'row-major'));
    const order = placed.map(({ mapper }) => mapper).filter((mapper) => mapper === 'row-major');
    expect(order).toHaveLength(2);
    const quiet = programOf([machine], [jobOf({ name: 'job', taskCount: 1 })], [{ ...base, name: 'p', jobs: ['job'] }]);
    const still = compare(quiet, named('rcb', 'baseline', 'random'));
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
    const { placed, refused } = compare(program, [given, ...named('rcb')]);
    expect(placed.map(({ mapper }) => mapper)).toEqual(['rcb']);
    expect(refused).toMatchObject([
      { mapper: 'given [0]', failure: { message: expect.stringMatching(/16/) as string } },
    ]);
  });

  it('that take too long are stopped, whatever the evaluation takes', () => {
    // Every reading of the clock is a millisecond: `auto` polls often, `baseline` hardly.
    const { placed, stopped } = compare(program, named('auto', 'baseline'), { limit: 3 });
    expect(placed.map(({ mapper }) => mapper)).toEqual(['baseline']);
    expect(stopped.map(({ mapper }) => mapper)).toEqual(['auto']);
    expect(stopped[0]!.milliseconds).toBeGreaterThan(3);
  });

  it('are none where the machine, the job or the nodes are at fault', () => {
    const source = { kind: 'table-file', name: 't', unit: 'bytes', uri: 't.csv' } as const;
    const broken = programOf([machine], [jobOf({ name: 'job', source })], [{ ...base, name: 'p', jobs: ['job'] }]);
    expect(compare(broken, named('rcb', 'random'))).toMatchObject({
      placed: [],
      refused: [],
      problems: [{ code: 'file-not-found', subject: { kind: 'table', name: 't' } }],
      left: 0,
    });
    const large = { ...program, placements: [{ ...wanted, allocate: choiceOf('random', { count: 99 }) }] };
    expect(compare(large, named('rcb')).problems).toMatchObject([{ subject: { property: 'allocate' } }]);
  });

  it('are those that were done when it is cancelled', () => {
    let begun = 0;
    const progress = (_: number, message: string) => {
      if (message.startsWith('rcb')) begun++;
    };
    const cancelled = compare(program, named('baseline', 'rcb', 'random'), {
      progress,
      cancellation: { isCancelled: () => begun > 0 },
    });
    expect(cancelled.placed.map(({ mapper }) => mapper)).toEqual(['baseline']);
    expect(cancelled).toMatchObject({ refused: [], stopped: [], problems: [], left: 2 });
  });

  it('say which of them is at work, and how far all are', () => {
    const told: [number, string][] = [];
    compare(program, named('baseline', 'rcb'), { progress: (share, message) => told.push([share, message]) });
    expect(told.map(([, message]) => message)).toEqual(expect.arrayContaining(['rcb: p: mapping heat']));
    const shares = told.map(([share]) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it('on nodes that depend on the mapper are marked', () => {
    // Two cores per node: in order the first job fills eight nodes, at random it leaves cores on most.
    const twin = gridDescription('torus', [4, 4], { name: 'm', cores: 2 });
    const jobs = [gridJob('one', [4, 4], 'five-point'), gridJob('two', [2, 2], 'five-point')];
    const both = programOf([twin], jobs, [placementOf({ name: 'p', machine: 'm', jobs: ['one', 'two'] })]);
    const { placed, bound } = compare(both, named('baseline', 'random'));
    expect(placed.map(({ mapper, otherNodes }) => [mapper, otherNodes])).toEqual([
      ['baseline', false],
      ['random', true],
    ]);
    expect(bound).toBeUndefined();
  });

  it('are plain data, and JSON with the keys of the language', () => {
    expect(structuredClone(comparison)).toEqual(comparison);
    const json = comparisonToJson(comparison, { machine: 'm', seed: 1 });
    expect(json).toMatchObject({ placement: 'p', machine: 'm', seed: 1 });
    expect(json.mappers.map(({ mapper }) => mapper)).toEqual(comparison.placed.map(({ mapper }) => mapper));
    expect(Object.keys(json.mappers[0]!)).toEqual([
      'mapper',
      'ratio',
      'metrics',
      'heaviestLink',
      'jobs',
      'notes',
      'milliseconds',
    ]);
    const failure = { code: 'no-grid', message: 'Needs a grid.' };
    const partly = {
      ...comparison,
      refused: [{ mapper: 'a', failure }],
      stopped: [{ mapper: 'b', milliseconds: 5 }],
      left: 3,
    };
    const rest = comparisonToJson(partly, { machine: 'm', seed: 1 });
    expect(rest.mappers.slice(names.length)).toEqual([
      { mapper: 'a', refused: failure },
      { mapper: 'b', stopped: { milliseconds: 5 } },
    ]);
    expect(rest.left).toBe(3);
  });
});
