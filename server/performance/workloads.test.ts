import { describe, expect, it } from 'vitest';
import { operationKind } from '../model/workload.ts';
import { checkMatching, workloadTraffic } from '../simulation/workloads/programs.ts';
import { builtJob, gridJob, jobOf } from '../study/testing/programs.ts';
import { messagesAtRate, workloadOfTraffic } from './workloads.ts';

describe('the workload of a job that is known by its traffic', () => {
  it.each([
    ['once', gridJob('heat', [4, 4], 'five-point')],
    ['several times', { ...gridJob('heat', [4, 4], 'five-point'), bytes: 100, messages: 7 }],
    [
      'all to all',
      jobOf({ name: 'all', taskCount: 9, source: { kind: 'pattern', choice: { name: 'all-to-all', options: {} } } }),
    ],
  ])('sends all of it, and receives what is sent: %s', (_, description) => {
    const job = builtJob(description);
    const workload = workloadOfTraffic(job);
    if (!workload.ok) throw new Error(workload.failure.message);
    expect(workloadTraffic(workload.value)).toEqual(job.traffic);
    expect(checkMatching(workload.value).ok).toBe(true);
  });

  it('begins with the next higher task, so that not all send to task 0 at once', () => {
    const job = builtJob(
      jobOf({ name: 'all', taskCount: 4, source: { kind: 'pattern', choice: { name: 'all-to-all', options: {} } } }),
    );
    const workload = workloadOfTraffic(job);
    if (!workload.ok) throw new Error(workload.failure.message);
    const sends = (list: number): number[] => {
      const { offsets, kinds, partners } = workload.value;
      const found: number[] = [];
      for (let at = offsets[list] ?? 0; at < (offsets[list + 1] ?? 0); at++) {
        if (kinds[at] === operationKind.send) found.push(partners[at] ?? -1);
      }
      return found;
    };
    expect([0, 1, 3].map(sends)).toEqual([
      [1, 2, 3],
      [2, 3, 0],
      [0, 1, 2],
    ]);
  });
});

describe('messages at a rate', () => {
  const job = builtJob({
    ...jobOf({ name: 'ring', taskCount: 8, source: { kind: 'pattern', choice: { name: 'ring', options: {} } } }),
    bytes: 64,
    messages: 500,
    rate: 100,
  });

  it('come at exponential times of that rate, each pair its own number', () => {
    const made = messagesAtRate(job, 5);
    if (!made.ok) throw new Error(made.failure.message);
    const { times, from, bytes } = made.value;
    const pairs = job.traffic.partner.length;
    expect(times.length).toBe(500 * pairs);
    expect([...times]).toEqual([...times].sort((one, other) => one - other));
    expect(bytes.every((amount) => amount === 64)).toBe(true);
    const ofTask0 = [...times].filter((_, message) => from[message] === 0);
    const perPair = job.traffic.rowStart[1] ?? 1;
    // 500 gaps of mean 10 ms: within five standard errors.
    expect(Math.abs(((ofTask0.at(-1) ?? 0) * perPair) / (500 * perPair) - 0.01)).toBeLessThan(
      (0.01 * 5) / Math.sqrt(500),
    );
  });

  it('are refused of a job without a rate', () => {
    const { rate, ...without } = job;
    expect(rate).toBe(100);
    expect(messagesAtRate(without, 1)).toMatchObject({ ok: false, failure: { code: 'no-times' } });
  });
});
