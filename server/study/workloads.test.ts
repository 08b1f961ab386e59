import { describe, expect, it } from 'vitest';
import { operationKind, WorkloadBuilder, type Workload } from '../model/workload.ts';
import { checkMatching, workloadTraffic } from '../simulation/workloads/programs.ts';
import type { JobDescription } from './program.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { gridJob, jobOf, placementOf, programOf, run } from './testing/programs.ts';
import { messagesAtRate, recordedFor, workloadOfTraffic } from './workloads.ts';

const machine = gridDescription('torus', [4, 4], { name: 'small' });
const skeleton = (taskCount: number) =>
  jobOf({
    name: 'cg',
    taskCount,
    source: { kind: 'skeleton', choice: { name: 'cg', options: { class: 'S', iterations: 1, version: 'npb2' } } },
  });

/** The job of a description as a study builds it. */
function built(description: JobDescription) {
  const placement = placementOf({ name: 'p', machine: 'small', jobs: [description.name] });
  const report = run(programOf([machine], [description], [placement]));
  const job = report.placements[0]?.jobs[0]?.job;
  if (job === undefined) throw new Error(report.problems.map(({ message }) => message).join());
  return job;
}

describe('a job with a skeleton', () => {
  it('has the sum of its messages as its traffic', () => {
    const { traffic } = built(skeleton(16));
    expect(traffic.taskCount).toBe(16);
    // Partners of CG on 4 x 4: two of the row, and the transposed one.
    expect(traffic.rowStart[1]).toBeGreaterThanOrEqual(2);
    expect(traffic.bytes.every((bytes) => bytes > 0)).toBe(true);
  });

  it('is refused, at its skeleton, where the benchmark does not run on so many tasks', () => {
    const placement = placementOf({ name: 'p', machine: 'small', jobs: ['cg'] });
    const { placements, problems } = run(programOf([machine], [skeleton(15)], [placement]));
    expect(placements).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'illegal-ranks', severity: 'error', subject: { kind: 'job', name: 'cg', property: 'skeleton' } },
    ]);
  });
});

describe('a job with a formula', () => {
  const choice = { name: 'replicated', options: {} };
  const step = {
    parallelism: { tensor: 2, context: 1, pipeline: 1, data: 2 },
    layers: 4,
    hidden: 8,
    sequence: 4,
    batch: 4,
    choice,
  };

  it('has the traffic of its training step, in bytes', () => {
    const { traffic, messageBytes } = built(
      jobOf({ name: 'gpt', taskCount: 4, source: { kind: 'parallelism', step } }),
    );
    // Two micro batches, four layers, four all-reduces of 64 bytes; gradients of 1,536 numbers of 2 bytes.
    expect([...traffic.partner]).toEqual([1, 2, 0, 3, 0, 3, 1, 2]);
    expect([...traffic.bytes]).toEqual([2048, 3072, 2048, 3072, 3072, 2048, 3072, 2048]);
    expect(messageBytes).toBeUndefined();
  });

  it('has that of a collective operation, as often as it has messages', () => {
    const argument = { kind: 'numbers', numbers: [3, 1] } as const;
    const source = { kind: 'collective', choice: { name: 'all-to-all', argument, options: {} } } as const;
    const { traffic } = built(jobOf({ name: 'all', taskCount: 4, source, bytes: 10, messages: 3 }));
    expect([[...traffic.rowStart], [...traffic.partner], [...traffic.bytes]]).toEqual([
      [0, 0, 1, 1, 2],
      [3, 1],
      [30, 30],
    ]);
  });
});

describe('the workload of a job that is known by its traffic', () => {
  it.each([
    ['once', gridJob('heat', [4, 4], 'five-point')],
    ['several times', { ...gridJob('heat', [4, 4], 'five-point'), bytes: 100, messages: 7 }],
    [
      'all to all',
      jobOf({ name: 'all', taskCount: 9, source: { kind: 'pattern', choice: { name: 'all-to-all', options: {} } } }),
    ],
  ])('sends all of it, and receives what is sent: %s', (_, description) => {
    const job = built(description);
    const workload = workloadOfTraffic(job);
    if (!workload.ok) throw new Error(workload.failure.message);
    expect(workloadTraffic(workload.value)).toEqual(job.traffic);
    expect(checkMatching(workload.value).ok).toBe(true);
  });

  it('begins with the next higher task, so that not all send to task 0 at once', () => {
    const job = built(
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
  const job = built({
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

describe('a trace for a job', () => {
  const recorded = (): { workload: Workload; warnings: readonly string[] } => {
    const builder = new WorkloadBuilder(2);
    builder.list(0);
    builder.repeat(3);
    builder.send(1, 8, 0);
    builder.end();
    builder.list(1);
    builder.repeat(3);
    builder.receive(0, 8, 0);
    builder.end();
    const made = builder.finished();
    if (!made.ok) throw new Error(made.failure.message);
    return { workload: made.value, warnings: [] };
  };

  it('may have fewer ranks than the job has tasks', () => {
    const made = recordedFor(jobOf({ name: 'j', taskCount: 4 }), recorded());
    if (!made.ok) throw new Error(made.failure.message);
    expect(made.value.warnings).toEqual(['The trace has 2 ranks: the last 2 of the 4 tasks neither send nor receive.']);
    expect(made.value.workload.taskCount).toBe(4);
    expect(checkMatching(made.value.workload).ok).toBe(true);
    expect([...workloadTraffic(made.value.workload).bytes]).toEqual([24]);
  });

  it('is refused where it has ranks beyond the job', () => {
    const made = recordedFor(jobOf({ name: 'j', taskCount: 1 }), recorded());
    expect(made).toMatchObject({ ok: false, failure: { code: 'trace-exceeds-tasks' } });
  });
});
