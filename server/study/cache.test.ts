import { describe, expect, it } from 'vitest';
import { gridDescription } from '../network/testing/machines.ts';
import type { Program } from './program.ts';
import type { StudyReport } from './report.ts';
import { createStudyCache, type StudyCache } from './study.ts';
import {
  slotsFile,
  choiceOf,
  filesOf,
  gridJob,
  jobOf,
  placementOf,
  programOf,
  run,
  sameAs,
  tableOf,
} from './testing/programs.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const machine = gridDescription('torus', [6, 6], { name: 'm' });
const heat = gridJob('heat', [4, 4], 'five-point');
const noise = jobOf({ name: 'noise', taskCount: 16, source: { kind: 'pattern', choice: choiceOf('random') } });
const one = placementOf({ name: 'one', machine: 'm', jobs: ['heat'], allocate: choiceOf('random', { count: 18 }) });
const two = placementOf({ name: 'two', machine: 'm', jobs: ['noise'], map: choiceOf('random') });
const three = placementOf({
  name: 'three',
  machine: 'm',
  jobs: ['heat'],
  allocate: sameAs('one'),
  map: choiceOf('rcb'),
});
const program = programOf([machine], [heat, noise], [one, two, three]);

/** A program with one of its placements changed. */
const withPlacement = (changed: typeof one): Program => ({
  ...program,
  placements: program.placements.map((placement) => (placement.name === changed.name ? changed : placement)),
});

/** Names of the placements that `after` did not simply take from `before`. */
const recomputed = (before: StudyReport, after: StudyReport): string[] =>
  after.placements.filter((report) => !before.placements.includes(report)).map(({ name }) => name);

const sizeOf = (cache: StudyCache): number =>
  [cache.machines, cache.machineFacts, cache.jobs, cache.jobFacts, cache.placements].reduce(
    (sum, memory) => sum + memory.size,
    0,
  );

describe('the memory of a study', () => {
  it('computes nothing twice for the same program', () => {
    const cache = createStudyCache();
    const before = run(program, { cache });
    const copy = structuredClone(program);
    expect(before.placements).toHaveLength(3);
    expect(recomputed(before, run(copy, { cache }))).toEqual([]);
  });

  it('gives what a fresh run gives', () => {
    const cache = createStudyCache();
    run(program, { cache });
    const changed = withPlacement({ ...one, seed: 9 });
    expect(run(changed, { cache, now: () => 0 }).placements.map(({ metrics }) => metrics)).toEqual(
      run(changed, { now: () => 0 }).placements.map(({ metrics }) => metrics),
    );
  });

  it('computes again exactly what a change touches', () => {
    const cache = createStudyCache();
    const before = run(program, { cache });
    const touched = (changed: Program, files = filesOf()) => recomputed(before, run(changed, { cache, files }));
    expect(touched(withPlacement({ ...two, seed: 2 }))).toEqual(['two']);
    // `three` takes the nodes of `one`, and those are the same under another mapper.
    expect(touched(withPlacement({ ...one, map: choiceOf('baseline') }))).toEqual(['one']);
    expect(touched(withPlacement({ ...one, seed: 2 }))).toEqual(['one', 'three']);
    run(program, { cache });
    expect(touched({ ...program, jobs: new Map([...program.jobs, ['noise', { ...noise, bytes: 7 }]]) })).toEqual([
      'two',
    ]);
  });

  it('measures again where another factor makes links hot', () => {
    const cache = createStudyCache();
    const hotAt = (hotLinkFactor: number) =>
      run(program, { cache, settings: { hotLinkFactor } }).placements[0]!.hotLinks.length;
    expect(hotAt(1)).toBeGreaterThan(hotAt(1000));
  });

  it('notices a file that changed', () => {
    const cache = createStudyCache();
    const source = { kind: 'table-file', name: 't', unit: 'bytes', uri: 't.csv' } as const;
    const fromFile = programOf(
      [machine],
      [jobOf({ name: 'job', taskCount: 2, source })],
      [placementOf({ name: 'p', machine: 'm', map: choiceOf('given', {}, { kind: 'file', uri: 'map.txt' }) })],
    );
    const bytesAt = (amount: number, slots: readonly number[]) => {
      const files = filesOf({ 't.csv': tableOf([[0, 1, amount]]) }, { 'map.txt': slotsFile(slots) });
      return run(fromFile, { cache, files }).placements[0]!.metrics.hopBytes;
    };
    expect([bytesAt(5, [0, 1]), bytesAt(6, [0, 1]), bytesAt(6, [0, 2]), bytesAt(5, [0, 1])]).toEqual([5, 6, 12, 5]);
  });

  it('does not grow with the number of saves', () => {
    const cache = createStudyCache();
    run(program, { cache });
    const start = sizeOf(cache);
    for (let save = 0; save < casesOf(40, 100); save++) {
      run(
        {
          ...withPlacement({ ...two, seed: save }),
          machines: new Map([['m', { ...machine, figures: { latency: save } }]]),
        },
        { cache },
      );
    }
    expect(sizeOf(cache)).toBeLessThanOrEqual(4 * start);
  });
});

describe('a memory with little room', () => {
  it('keeps what the last run needed, and nothing else', () => {
    const cache = createStudyCache(0);
    run(program, { cache });
    const one = sizeOf(cache);
    const before = run(program, { cache });
    expect(recomputed(before, run(program, { cache }))).toEqual([]);
    for (let save = 0; save < 5; save++) run(withPlacement({ ...two, seed: save }), { cache });
    expect(sizeOf(cache)).toBe(one);
  });

  it('lets go of what a cancelled run made, but not of what was there before', () => {
    const cache = createStudyCache(0);
    run(program, { cache });
    const before = sizeOf(cache);
    const larger = {
      ...program,
      jobs: new Map([
        ['heat', { ...heat, bytes: 7 }],
        ['noise', { ...noise, bytes: 7 }],
      ]),
    };
    for (let allowed = 0; allowed < 40; allowed += 5) {
      let left = allowed;
      run(larger, { cache, cancellation: { isCancelled: () => left-- <= 0 } });
      expect(sizeOf(cache)).toBe(before);
    }
  });
});

describe('a study that is watched', () => {
  const search = choiceOf('random-search');
  const slow = placementOf({ name: 'slow', machine: 'm', jobs: ['heat'], map: search });
  const after = placementOf({ name: 'after', machine: 'm', jobs: ['heat'], allocate: sameAs('slow') });
  const watched = (watchedProgram: Program, cache: StudyCache): string[] => {
    const told: string[] = [];
    run(watchedProgram, {
      cache,
      watcher: {
        begun: (name) => told.push(`begins ${name}`),
        progressed: () => undefined,
        ended: (name) => told.push(`ends ${name}`),
        described: () => told.push('described'),
      },
    });
    return told;
  };

  it('tells first of what is known, then of what takes no time, then of searches and what needs them', () => {
    const cache = createStudyCache();
    const all = { ...program, placements: [slow, after, one, two] };
    expect(watched(all, cache)).toEqual([
      ...['begins one', 'ends one', 'begins two', 'ends two', 'described'],
      ...['begins slow', 'ends slow', 'begins after', 'ends after'],
    ]);
    const changed = { ...all, placements: [slow, after, { ...one, seed: 7 }, two] };
    expect(watched(changed, cache)).toEqual([
      'ends two',
      'ends slow',
      'ends after',
      'begins one',
      'ends one',
      'described',
    ]);
  });
});

describe('a search that the user ended', () => {
  const searched = placementOf({ name: 'two', machine: 'm', jobs: ['noise'], map: choiceOf('random-search') });
  const both = { ...program, placements: [one, searched] };
  /** The user wants the best after so many looks of the search. */
  const study = (cache: StudyCache, looks: number, again?: readonly string[]) => {
    let left = looks;
    const report = run(both, {
      cache,
      cancellationOfMapper: () => ({ isCancelled: () => false, isFinishWanted: () => left-- <= 0 }),
      ...(again === undefined ? {} : { again: new Set(again) }),
    });
    const { end, value } = report.placements[1]!.jobs[0]!.search!;
    return { report, end, value };
  };

  it('stays as it is, until the user wants it to be worked out again', () => {
    const cache = createStudyCache();
    const first = study(cache, 0);
    expect(first.end).toBe('stopped');
    expect(recomputed(first.report, study(cache, Infinity).report)).toEqual([]);
    expect(recomputed(first.report, study(cache, Infinity, ['one']).report)).toEqual([]);
    const again = study(cache, Infinity, ['one', 'two']);
    expect(recomputed(first.report, again.report)).toEqual(['two']);
    expect(again).toMatchObject({ end: 'steps', value: study(createStudyCache(), Infinity).value });
    expect(again.value).toBeLessThan(first.value);
    // It has done all its steps: there is nothing to work out again.
    expect(recomputed(again.report, study(cache, 0, ['one', 'two']).report)).toEqual([]);
  });

  it('keeps the better of two answers, if it is ended twice', () => {
    const cache = createStudyCache();
    const long = study(cache, 40);
    const short = study(createStudyCache(), 0);
    expect([long.end, short.end]).toEqual(['stopped', 'stopped']);
    expect(long.value).toBeLessThan(short.value);
    expect(recomputed(long.report, study(cache, 0, ['two']).report)).toEqual([]);
    const other = createStudyCache();
    study(other, 0);
    expect(study(other, 40, ['two']).value).toBe(long.value);
  });

  it('is remembered over many runs of a program without it, as while its text has a mistake', () => {
    const cache = createStudyCache();
    const { report } = study(cache, 0);
    for (let save = 0; save < 10; save++) run({ ...program, placements: [one] }, { cache });
    expect(recomputed(report, study(cache, Infinity).report)).toEqual([]);
  });

  it('stays where it is cancelled while it is worked out again', () => {
    const cache = createStudyCache();
    const first = study(cache, 0);
    let looks = 20;
    run(both, { cache, again: new Set(['two']), cancellation: { isCancelled: () => looks-- <= 0 } });
    expect(recomputed(first.report, study(cache, Infinity).report)).toEqual([]);
  });
});

describe('a cancelled study', () => {
  it('leaves out what it did not finish, without a problem, and keeps what it knew', () => {
    let looks = 0;
    const cache = createStudyCache();
    const whole = run(program, { cache, cancellation: { isCancelled: () => (looks++, false) } });
    for (let allowed = 0; allowed < looks; allowed += casesOf(5, 1)) {
      let left = allowed;
      const { placements, problems } = run(program, { cancellation: { isCancelled: () => left-- <= 0 } });
      expect(problems).toEqual([]);
      expect(placements.length).toBeLessThanOrEqual(3);
    }
    for (let again = 0; again < 10; again++) run(program, { cache, cancellation: { isCancelled: () => true } });
    expect(recomputed(whole, run(program, { cache }))).toEqual([]);
  });

  it('is not remembered as if it had come to an end', () => {
    for (let allowed = 0; allowed < 30; allowed++) {
      const cache = createStudyCache();
      let left = allowed;
      run(program, { cache, cancellation: { isCancelled: () => left-- <= 0 } });
      expect(run(program, { cache }).placements).toHaveLength(3);
    }
  });

  it('names its placements while it works', () => {
    const messages: string[] = [];
    run(program, { progress: (_, message) => messages.push(message) });
    expect(messages).toEqual(['one: mapping heat', 'two: mapping noise', 'three: mapping heat']);
  });

  it('says to a watcher how far a placement is without its name, which it gives beside', () => {
    const progress: [string, string][] = [];
    const watcher = {
      begun: () => undefined,
      progressed: (name: string, _: number, message: string) => progress.push([name, message]),
      ended: () => undefined,
      described: () => undefined,
    };
    run(program, { watcher });
    expect(progress).toEqual([
      ['one', 'mapping heat'],
      ['two', 'mapping noise'],
      ['three', 'mapping heat'],
    ]);
  });
});
