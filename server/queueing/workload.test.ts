import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Job } from '../model/job.ts';
import { tableTraffic } from '../traffic/build.ts';
import { largeFrom, jobMessages, sizeClassOf, smallUpTo, contentionOf, mappingOrder } from './messages.ts';
import { fixedWorkload, kilobyte, megabyte, mixedWorkload, patternJob } from './testing/paperWorkloads.ts';

const messages = (job: Job, variation = 1) => jobMessages(job, variation, neverCancelled)!;
const all = (jobs: readonly Job[]) => jobs.map((job) => messages(job));

describe('size classes', () => {
  it.each([
    [largeFrom, 'large'],
    [largeFrom - 1, 'medium'],
    [smallUpTo + 1, 'medium'],
    [smallUpTo, 'small'],
    [1, 'small'],
  ] as const)('%s bytes are %s', (bytes, sizeClass) => {
    expect(sizeClassOf(bytes)).toBe(sizeClass);
  });

  it('of a job: the largest message counts', () => {
    const entries = {
      size: 3,
      from: Int32Array.of(0, 1),
      to: Int32Array.of(1, 2),
      amount: Float64Array.of(100, megabyte),
    };
    const traffic = tableTraffic(entries, 3, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const job = { name: 'table', taskCount: 3, periodic: false, traffic: traffic.value };
    expect(messages(job)).toMatchObject({ sizeClass: 'large', largestBytes: megabyte, meanRate: 1, adjacency: 2 / 3 });
    expect(messages(job).meanBytes).toBe((megabyte + 100) / 2);
  });
});

describe('messages of a job', () => {
  const ring = patternJob('ring', 'ring', 8, 50, 64 * kilobyte);

  it('have the size and rate that the job gives', () => {
    expect(messages(ring)).toMatchObject({ meanBytes: 64 * kilobyte, meanRate: 50, sizeClass: 'medium' });
  });

  it('do not depend on how many times each is sent', () => {
    const { traffic } = ring;
    const many = { ...ring, messages: 20, traffic: { ...traffic, bytes: traffic.bytes.map((amount) => 20 * amount) } };
    expect(messages(many)).toEqual(messages(ring));
  });

  it('of a program have the sizes and the rates that it says', () => {
    const { traffic, rate, messageBytes, ...rest } = ring;
    expect([rate, messageBytes]).toEqual([50, 64 * kilobyte]);
    const program = { counts: traffic.bytes.map(() => 16), largestBytes: 5 * kilobyte, seconds: 0.5 };
    const job = { ...rest, traffic, program };
    expect(messages(job)).toMatchObject({
      ...{ meanBytes: 4 * kilobyte, meanRate: 32, largestBytes: 5 * kilobyte, sizeClass: 'medium' },
      pairDemand: traffic.bytes.map((amount) => (2 * amount * 100.12) / 100),
    });
    expect(messages({ ...job, rate: 7 })).toMatchObject({ meanBytes: 4 * kilobyte, meanRate: 7 });
  });

  it('go once a second where no rate is given, and in a table of messages as often as it says', () => {
    const { traffic, rate, ...rest } = ring;
    expect(rate).toBe(50);
    const counted = {
      ...rest,
      messageBytes: kilobyte,
      traffic: { ...traffic, bytes: traffic.bytes.map(() => 3 * kilobyte) },
    };
    expect(messages(counted)).toMatchObject({ meanBytes: kilobyte, meanRate: 3, largestBytes: kilobyte });
  });

  it.each([
    { bytes: 2 * megabyte, variation: 2, growth: 1 + (0.85 * 4 + 0.02) / 100 },
    { bytes: 64 * kilobyte, variation: 2, growth: 1 + (0.12 * 4) / 100 },
    { bytes: kilobyte, variation: 2, growth: 1 },
  ])('ask for L · λ · (1 + f(CV)/100), equation 13: $bytes bytes', ({ bytes, variation, growth }) => {
    const { demand, pairDemand } = messages(patternJob('job', 'one-to-all', 5, 10, bytes), variation);
    for (const pair of pairDemand) expect(pair).toBeCloseTo(10 * bytes * growth, 6);
    expect([...demand]).toEqual([4 * pairDemand[0]!, 0, 0, 0, 0]);
  });
});

describe('contention between jobs (section 4.2)', () => {
  it.each([
    // "average adjacency is equal to 1" of one sender to 31 others is 31/32.
    { name: 'Bcast/Scatter', jobs: fixedWorkload('one-to-all'), mean: 31 / 32, severe: false },
    { name: 'All-to-All', jobs: fixedWorkload('all-to-all'), mean: 31, severe: true },
    { name: 'Linear', jobs: fixedWorkload('linear'), mean: 31 / 32, severe: false },
    // 16.49, and the paper calls it not significant on 16 cores.
    { name: 'Mixed_1', jobs: mixedWorkload('Mixed_1'), mean: (63 + 3 * (63 / 64)) / 4, severe: false },
    { name: 'Mixed_5', jobs: mixedWorkload('Mixed_5'), mean: (31 + 3 * (31 / 32)) / 4, severe: false },
    { name: 'Mixed_6', jobs: mixedWorkload('Mixed_6'), mean: (23 + 3 * (23 / 24)) / 4, severe: false },
  ])('$name: WL_ADJ_avg is $mean, severe $severe', ({ jobs, mean, severe }) => {
    const contention = contentionOf(all(jobs), 16);
    expect(contention.meanAdjacency).toBeCloseTo(mean, 12);
    expect(contention.severe).toBe(severe);
  });

  it('is never severe for one job alone', () => {
    const [job] = mixedWorkload('Mixed_1');
    expect(contentionOf(all([job!]), 16)).toEqual({ meanAdjacency: 63, severe: false });
    expect(contentionOf(all([job!, job!]), 16).severe).toBe(true);
  });

  it('leaves out jobs of small messages', () => {
    const small = patternJob('small', 'all-to-all', 64, 10, kilobyte);
    const linear = patternJob('linear', 'linear', 64, 10, megabyte);
    expect(contentionOf(all([small, linear]), 16).meanAdjacency).toBe(63 / 64);
    expect(contentionOf(all([small]), 16)).toEqual({ meanAdjacency: 0, severe: false });
  });
});

describe('order of the jobs', () => {
  it('is class, then adjacency, then demand, then as given', () => {
    const jobs = [
      patternJob('small', 'all-to-all', 16, 1e6, kilobyte),
      patternJob('light', 'linear', 16, 10, 64 * kilobyte),
      patternJob('heavy', 'linear', 16, 20, 64 * kilobyte),
      patternJob('twin', 'linear', 16, 20, 64 * kilobyte),
      patternJob('large', 'linear', 16, 1, megabyte),
      patternJob('dense', 'all-to-all', 16, 1, 3 * kilobyte),
    ];
    expect(mappingOrder(all(jobs)).map((position) => jobs[position]!.name)).toEqual([
      'large',
      'dense',
      'heavy',
      'twin',
      'light',
      'small',
    ]);
  });
});
