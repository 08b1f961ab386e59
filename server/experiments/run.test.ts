import { describe, expect, it } from 'vitest';
import { cancelled, succeed } from '../model/result.ts';
import { planExperiment, type ExperimentPlan } from './plan.ts';
import { experimentToJson } from './results.ts';
import {
  looksEvery,
  runExperiment,
  type ExperimentProgress,
  type FinishedReplication,
  type Replicate,
  type ReplicationPool,
} from './run.ts';
import { poolOfOneThread } from './testing/pool.ts';
import { planOf, queue, environment } from './testing/queues.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

/** Each replication of a point has the next number of its list, the last one ever after; null fails. */
const listed =
  (lists: readonly (readonly (number | null)[])[]): Replicate =>
  (point, seed) => {
    const list = lists[point.index] ?? [];
    const value = list[Math.min(seed, list.length) - 1];
    if (value === null) return { ok: false, failure: { code: 'deadlock', message: 'Nothing moves.' } };
    return succeed({ metrics: { waiting: value, none: undefined }, jobs: 3 });
  };

const until = (precision: number, atMost: number) => ({ kind: 'until', precision, confidence: 0.95, atMost }) as const;
const small = (changes = {}) => planOf({ vary: [], schedulers: [], quoted: [], compare: [], ...changes });
const counts = (plan: ExperimentPlan, replicate: Replicate): number[] =>
  runExperiment(plan, poolOfOneThread(plan, replicate), environment).points.map((point) => point.replications.length);

describe('what an experiment crosses', () => {
  it('all values with all names, the mapper fastest, and the points of each value in a block', () => {
    const vary = [
      { path: 'a', values: [1, 2] },
      { path: 'b', values: [3, 4] },
    ];
    const plan = planOf({ vary, schedulers: [], allocators: ['x'], mappers: ['m', 'n'], compare: [], quoted: [] });
    expect(
      plan.points.map(({ values, scheduler, allocator, mapper }) => [...values, scheduler, allocator, mapper]),
    ).toEqual([1, 2].flatMap((a) => [3, 4].flatMap((b) => ['m', 'n'].map((mapper) => [a, b, undefined, 'x', mapper]))));
    expect(plan.points.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(plan.blocks.map((block) => block.map(({ index }) => index))).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
  });

  it.each([
    { change: { allocators: ['rbs', 'rbs'] }, message: "the allocator 'rbs' is named twice" },
    { change: { vary: [{ path: 'rate', values: [] }] }, message: "'rate' has no values" },
    { change: { vary: [{ path: 'rate', values: [Number.NaN] }] }, message: 'not a number' },
    { change: { vary: [{ path: 'rate', values: [1, 1] }] }, message: "'rate' has the value 1 twice" },
    {
      change: { vary: [{ path: 'rate', values: Array.from({ length: 10_001 }, (_, x) => x) }] },
      message: 'maximum is 10000',
    },
    { change: { metrics: [] }, message: 'reports no metric' },
    { change: { compare: [{ kind: 'paired-ratio' as const, to: 'rbs' }] }, message: "ratio baseline 'rbs'" },
    { change: { replications: { kind: 'seeds' as const, from: 5, to: 4 } }, message: 'must be 1 to' },
    { change: { replications: until(0, 10) }, message: 'above 0 %' },
    { change: { replications: until(0.05, 0) }, message: 'must be 1 to' },
    { change: { replications: { ...until(0.05, 9), confidence: 1 } }, message: 'between 0 % and 100 %' },
    { change: { quoted: [{ metric: 'hops', of: [], at: [], value: 1 }] }, message: 'not a reported metric' },
    { change: { quoted: [{ metric: 'waiting', of: ['rbs'], at: [], value: 1 }] }, message: 'no point' },
    { change: { quoted: [{ metric: 'waiting', of: [], at: [], value: 1 }] }, message: 'several points' },
    { change: { quoted: [{ metric: 'waiting', of: ['plain'], to: ['rbs'], at: [], value: 1 }] }, message: 'ratio to' },
  ])('is refused where $message', ({ change, message }) => {
    const { points, blocks, ...description } = small();
    expect(points.length + blocks.length).toBeGreaterThan(0);
    const plan = planExperiment({ ...description, ...change });
    expect(plan).toMatchObject({ ok: false, failure: { code: 'bad-experiment' } });
    if (!plan.ok) expect(plan.failure.message).toContain(message);
  });
});

describe('the stop rule', () => {
  const noisy: readonly number[] = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 5 : 15));

  it.each([
    { what: 'at the first look where all are precise', lists: [[10], [20]], most: 60, expected: [10, 10] },
    {
      what: 'when the least precise of the points with that value is',
      lists: [[10], [...noisy, 10]],
      most: 60,
      expected: [30, 30],
    },
    { what: 'at the most', lists: [[10], noisy.slice(0, 2).concat(noisy, -1e6, 1e6)], most: 25, expected: [25, 25] },
    { what: 'at a most before the first look', lists: [[10], [20]], most: 4, expected: [4, 4] },
    // Precise after eight, but no more after ten and twenty.
    { what: 'only after tens', lists: [[10], [11, 9, 11, 9, 11, 9, 11, 9, 30, 11, 10]], most: 60, expected: [30, 30] },
    {
      what: 'without a point that fails, which keeps its replications',
      lists: [
        [...noisy, 10],
        [10, 10, null],
      ],
      most: 60,
      expected: [30, 3],
    },
    { what: 'at once when all fail', lists: [[null], [10, null]], most: 60, expected: [1, 2] },
  ])('ends $what', ({ lists, most, expected }) => {
    expect(counts(small({ replications: until(0.15, most) }), listed(lists))).toEqual(expected);
  });

  it('ends after two where no seed has a part in any point', () => {
    const fixed: Replicate = ({ index }) => succeed({ metrics: { waiting: 10 + index }, isFixed: true, jobs: 1 });
    const oneDraws: Replicate = (point, seed, stop) =>
      point.index === 0 ? fixed(point, seed, stop) : succeed({ metrics: { waiting: 10 }, jobs: 1 });
    expect(counts(small({ replications: until(0.15, 60) }), fixed)).toEqual([2, 2]);
    expect(counts(small({ replications: until(0.15, 60) }), oneDraws)).toEqual([10, 10]);
  });

  it('runs all seeds that are named, the same at every point', () => {
    const seeds = new Map<number, number[]>();
    const replicate: Replicate = (point, seed) => {
      seeds.set(point.index, [...(seeds.get(point.index) ?? []), seed]);
      return succeed({ metrics: {}, jobs: 0 });
    };
    expect(counts(small({ replications: { kind: 'seeds', from: 3, to: 17 } }), replicate)).toEqual([15, 15]);
    const expected = Array.from({ length: 15 }, (_, index) => index + 3);
    expect([...seeds.values()]).toEqual([expected, expected]);
  });
});

describe('a run', () => {
  const plan = planOf({ allocators: ['plain', 'slow', 'broken'] });
  const whole = runExperiment(plan, poolOfOneThread(plan, queue), environment);
  const answer = JSON.stringify(experimentToJson(whole));

  it('looks more than once, and not equally often at all values', () => {
    const lengths = whole.points.map(({ replications }) => replications.length);
    expect(Math.max(...lengths)).toBeGreaterThan(2 * looksEvery);
    expect(new Set(lengths).size).toBeGreaterThan(1);
    expect(whole.complete).toBe(true);
  });

  it('answers the same in whatever order replications are done', () => {
    for (const order of [
      (tasks: number[]) => tasks.toReversed(),
      (tasks: number[]) => tasks.toSorted((a, b) => (a % 7) - (b % 7)),
    ]) {
      const pool: ReplicationPool = {
        run: (tasks, stop, finished) => {
          const positions = order(tasks.map((_, position) => position));
          poolOfOneThread(plan, queue).run(
            positions.map((position) => tasks[position]!),
            stop,
            finished,
          );
        },
      };
      expect(JSON.stringify(experimentToJson(runExperiment(plan, pool, environment)))).toBe(answer);
    }
  });

  it('answers the same when it goes on after any number of replications, and does none of them again', () => {
    const all: FinishedReplication[] = [];
    runExperiment(plan, poolOfOneThread(plan, queue), { ...environment, record: (done) => all.push(done) });
    for (let count = 0; count <= all.length; count += casesOf(15, 7)) {
      let here = 0;
      const goneOn = runExperiment(plan, poolOfOneThread(plan, queue), {
        ...environment,
        known: all.slice(0, count),
        record: () => here++,
      });
      // What a point did after it had failed is of no use, and is not done where the failure is known.
      expect(here).toBeLessThanOrEqual(all.length - count);
      expect(here).toBeGreaterThan(all.length - count - 5 * looksEvery);
      expect(JSON.stringify(experimentToJson(goneOn))).toBe(answer);
    }
  });

  it('goes on to a tighter interval with what there is, and back to a wider one', () => {
    const all: FinishedReplication[] = [];
    const tight = planOf({ allocators: ['plain', 'slow', 'broken'], replications: until(0.05, 200) });
    runExperiment(tight, poolOfOneThread(tight, queue), {
      ...environment,
      known: whole.points.flatMap(({ replications }) => replications),
      record: (done) => all.push(done),
    });
    expect(all.length).toBeGreaterThan(0);
    const known = [...whole.points.flatMap(({ replications }) => replications), ...all];
    const again = runExperiment(plan, { run: () => expect.unreachable() }, { ...environment, known });
    expect(JSON.stringify(experimentToJson(again))).toBe(answer);
  });

  it('that is cancelled keeps what is done, as far as all points of a value have it', () => {
    let looks = 0;
    const cancellation = { isCancelled: () => looks++ > 100 };
    const recorded: FinishedReplication[] = [];
    const stopped = runExperiment(plan, poolOfOneThread(plan, queue), {
      ...environment,
      cancellation,
      record: (done) => recorded.push(done),
    });
    const done = stopped.points.map(({ replications }) => replications.length);
    expect(stopped.complete).toBe(false);
    expect(recorded.length).toBeGreaterThan(10);
    // Replications are done in order at all points, so that the last one alone may be incomplete.
    expect(recorded.length - done.reduce((sum, count) => sum + count, 0)).toBeLessThan(plan.points.length);
    expect(new Set(plan.blocks.map((block) => new Set(block.map(({ index }) => done[index])).size))).toEqual(
      new Set([1]),
    );
    expect(experimentToJson(stopped).complete).toBe(false);
  });

  it('that is cancelled before anything is done has no values and no intervals', () => {
    const pool = poolOfOneThread(plan, () => cancelled());
    const nothing = experimentToJson(
      runExperiment(plan, pool, { ...environment, cancellation: { isCancelled: () => true } }),
    );
    expect(nothing).toMatchObject({ complete: false, replicationsDone: 0 });
    expect(nothing.rows[0]).toMatchObject({
      replications: 0,
      metrics: { waiting: { mean: null, halfWidth: null, values: [] } },
    });
    expect(nothing.comparisons.every(({ ratio, p }) => ratio === null && p === null)).toBe(true);
  });

  it('tells how many replications and jobs are done, how long it will take, and what there is by now', () => {
    const told: ExperimentProgress[] = [];
    let clock = 0;
    const two = small({ replications: until(0.15, 60) });
    const replicate = listed([[10], [5, 15, 5, 15, 5, 15, 5, 15, 5, 15, 10]]);
    runExperiment(two, poolOfOneThread(two, replicate), {
      ...environment,
      now: () => (clock += 1000),
      progress: (progress) => told.push(progress),
    });
    expect(told.map(({ done }) => done)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(told.every(({ done, expected }) => done <= expected && expected <= 120)).toBe(true);
    expect(told.at(-1)).toMatchObject({ done: 60, expected: 60, jobs: 180, secondsLeft: 0 });
    // A half width of 0.377 of the mean at ten falls to 0.15 at 63.
    expect(told[20]).toMatchObject({ done: 21, expected: 120, secondsLeft: 99 });
    expect(told[20]!.soFar().complete).toBe(true);
  });
});
