import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { StreamDescription, WarmUp } from '../model/stream.ts';
import { measureStream, timelineOf } from './metrics.ts';
import { replicate } from './replicate.ts';
import type { StreamRun } from './streamRun.ts';
import { drawnStream } from './testing/streams.ts';

const whole = (values: readonly number[]) =>
  ({
    name: 'weighted',
    options: {},
    argument: { kind: 'weights', values, shares: values.map(() => 1) },
  }) as const;

/** Jobs whose times are whole numbers, so that sums over instants are exact. */
const stream = (jobs: number): StreamDescription =>
  drawnStream(
    { arrivals: whole([0, 1, 2, 5]), size: { kind: 'processors', processors: whole([1, 2, 3, 9]) } },
    { service: { kind: 'distribution', distribution: whole([1, 2, 4, 11]) }, end: { kind: 'completed', jobs } },
  );

function runOf(seed: number, jobs = 60): StreamRun {
  const result = replicate({
    stream: stream(jobs),
    seed,
    nodeCount: 8,
    schedule: { name: 'out-of-order', options: {} },
    cancellation: neverCancelled,
  });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.run;
}

/** Jobs that wait and processors that are busy between an instant and the next. */
function stateAt({ jobs, starts, ends, refusedJobs }: StreamRun, time: number) {
  let [waiting, busy] = [0, 0];
  for (let job = 0; job < jobs.count; job++) {
    if (refusedJobs[job] === 1 || jobs.submit[job]! > time) continue;
    if (!(starts[job]! <= time)) waiting++;
    else if (!(ends[job]! <= time)) busy += jobs.processors[job]!;
  }
  return { waiting, busy };
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

describe('a timeline', () => {
  it.each([1, 3, 7, 50])('of %d stretches has the means of what waits and what is busy', (stretches) => {
    for (const seed of seeds) {
      const run = runOf(seed);
      const { begin, length, queueLength, busyProcessors } = timelineOf(run, stretches);
      expect([begin, length * stretches]).toEqual([0, expect.closeTo(run.endTime, 9)]);
      const [queued, busy] = [new Float64Array(stretches), new Float64Array(stretches)];
      for (let time = 0; time < run.endTime; time++) {
        const state = stateAt(run, time);
        for (let stretch = 0; stretch < stretches; stretch++) {
          const shared = Math.min(time + 1, (stretch + 1) * length) - Math.max(time, stretch * length);
          if (shared <= 0) continue;
          queued[stretch]! += (shared * state.waiting) / length;
          busy[stretch]! += (shared * state.busy) / length;
        }
      }
      queued.forEach((expected, stretch) => {
        expect(queueLength[stretch]).toBeCloseTo(expected, 9);
      });
      busy.forEach((expected, stretch) => {
        expect(busyProcessors[stretch]).toBeCloseTo(expected, 9);
      });
    }
  });
});

/** The definition, without sums that go on: White, Cobb and Spratt 2000. */
function plainMser5(turnarounds: readonly number[]): number {
  const batches = Array.from({ length: Math.floor(turnarounds.length / 5) }, (_, batch) =>
    turnarounds.slice(5 * batch, 5 * batch + 5).reduce((sum, value) => sum + value / 5, 0),
  );
  let best = { dropped: 0, error: Infinity };
  for (let dropped = 0; dropped <= batches.length / 2; dropped++) {
    const kept = batches.slice(dropped);
    const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
    const error = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / kept.length ** 2;
    if (error < best.error - 1e-9) best = { dropped, error };
  }
  return 5 * best.dropped;
}

describe('the measures of a run', () => {
  it('are sums over instants and jobs', () => {
    for (const seed of seeds) {
      const run = runOf(seed);
      const metrics = measureStream(run, { kind: 'jobs', jobs: 0 });
      let [busy, queued] = [0, 0];
      for (let time = 0; time < run.endTime; time++) {
        const state = stateAt(run, time);
        busy += state.busy;
        queued += state.waiting;
      }
      const done = [...run.completed];
      const mean = (value: (job: number) => number): number =>
        done.reduce((sum, job) => sum + value(job), 0) / done.length;
      expect(metrics.utilisation).toBeCloseTo(busy / (8 * run.endTime), 9);
      expect(metrics.queueLength).toBeCloseTo(queued / run.endTime, 9);
      expect(metrics.turnaround).toBeCloseTo(
        mean((job) => run.ends[job]! - run.jobs.submit[job]!),
        9,
      );
      expect(metrics.waiting).toBeCloseTo(
        mean((job) => run.starts[job]! - run.jobs.submit[job]!),
        9,
      );
      expect(metrics.longestWaiting).toBe(Math.max(...done.map((job) => run.starts[job]! - run.jobs.submit[job]!)));
      expect(metrics.slowdown).toBeCloseTo(
        mean((job) => (run.ends[job]! - run.jobs.submit[job]!) / (run.ends[job]! - run.starts[job]!)),
        9,
      );
      expect([metrics.makespan, metrics.throughput * run.endTime]).toEqual([run.endTime, expect.closeTo(60, 9)]);
    }
  });

  it('leave out what MSER-5 says', () => {
    let dropped = 0;
    for (const seed of seeds) {
      const run = runOf(seed, 157);
      const expected = plainMser5([...run.completed].map((job) => run.ends[job]! - run.jobs.submit[job]!));
      expect(measureStream(run, { kind: 'mser-5' }).warmUpJobs, `seed ${seed}`).toBe(expected);
      if (expected > 0) dropped++;
    }
    expect(dropped).toBeGreaterThan(10);
  });

  it.each<{ warmUp: WarmUp; dropped: number }>([
    { warmUp: { kind: 'jobs', jobs: 12 }, dropped: 12 },
    { warmUp: { kind: 'share', share: 0.25 }, dropped: 15 },
    { warmUp: { kind: 'jobs', jobs: 999 }, dropped: 59 },
  ])('begin when the last job of the warm-up $warmUp has left', ({ warmUp, dropped }) => {
    const run = runOf(3);
    const metrics = measureStream(run, warmUp);
    const begin = run.ends[run.completed[dropped - 1]!]!;
    expect([metrics.warmUpJobs, metrics.measuredJobs]).toEqual([dropped, 60 - dropped]);
    let busy = 0;
    for (let time = begin; time < run.endTime; time++) busy += stateAt(run, time).busy;
    expect(metrics.utilisation).toBeCloseTo(busy / (8 * (run.endTime - begin)), 9);
  });
});
