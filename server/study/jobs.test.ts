import { describe, expect, it } from 'vitest';
import { WorkloadBuilder, type Workload } from '../model/workload.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { checkMatching, workloadTraffic } from '../simulation/workloads/programs.ts';
import { recordedFor } from './jobs.ts';
import { builtJob, jobOf, placementOf, programOf, run } from './testing/programs.ts';

const machine = gridDescription('torus', [4, 4], { name: 'small' });
const skeleton = (taskCount: number) =>
  jobOf({
    name: 'cg',
    taskCount,
    source: { kind: 'skeleton', choice: { name: 'cg', options: { class: 'S', iterations: 1, version: 'npb2' } } },
  });

describe('a job with a skeleton', () => {
  it('has the sum of its messages as its traffic', () => {
    const { traffic } = builtJob(skeleton(16));
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
    const { traffic, messageBytes } = builtJob(
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
    const { traffic } = builtJob(jobOf({ name: 'all', taskCount: 4, source, bytes: 10, messages: 3 }));
    expect([[...traffic.rowStart], [...traffic.partner], [...traffic.bytes]]).toEqual([
      [0, 0, 1, 1, 2],
      [3, 1],
      [30, 30],
    ]);
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
