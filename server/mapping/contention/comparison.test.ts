import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Job } from '../../model/job.ts';
import { paperFigures } from '../../queueing/servers.ts';
import { predictWaiting } from '../../queueing/predict.ts';
import { kilobyte, megabyte, mixedWorkload, paperCluster, patternJob } from '../../queueing/testing/paperWorkloads.ts';
import type { MapperEntry } from '../contract.ts';
import { blocked, cyclic } from '../mappers/slotOrders.ts';
import { mapWith } from '../testing/problems.ts';
import { mapTogether, problemsOf } from './testing/paperWorkloads.ts';

const cluster = paperCluster();

const predict = (jobs: readonly Job[], mappings: readonly Int32Array[]) =>
  predictWaiting(
    cluster,
    jobs.map((job, position) => ({ job, mapping: mappings[position]! })),
    paperFigures,
    1,
    neverCancelled,
  )!;

describe('contention-free against Blocked and Cyclic, by the model', () => {
  /** One job after the other onto the slots that the earlier ones left. */
  function inTurn(entry: MapperEntry, jobs: readonly Job[]): Int32Array[] {
    const taken = new Set<number>();
    return problemsOf(cluster, jobs).map((problem) => {
      const slots = problem.slots.filter((slot) => !taken.has(slot));
      const { mapping } = mapWith(entry, { ...problem, slots });
      for (const slot of mapping) taken.add(slot);
      return mapping;
    });
  }

  const ours = (jobs: readonly Job[]) => mapTogether(problemsOf(cluster, jobs)).answers.map(({ mapping }) => mapping);

  const names = ['Mixed_1', 'Mixed_2', 'Mixed_3', 'Mixed_4', 'Mixed_5', 'Mixed_6'] as const;

  // As printed, to each partner, most of them saturate whatever is done; a steady state needs lower rates.
  it.each(names.flatMap((name) => [0.01, 0.003].map((share) => ({ name, share }))))(
    '$name at $share of its rates: messages wait less',
    ({ name, share }) => {
      const jobs = mixedWorkload(name, share);
      const { waiting } = predict(jobs, ours(jobs));
      expect(waiting).toBeLessThan(predict(jobs, inTurn(blocked, jobs)).waiting);
      expect(waiting).toBeLessThan(predict(jobs, inTurn(cyclic, jobs)).waiting);
    },
  );

  it.each(names)('%s as printed: the busiest server has less to do', (name) => {
    const jobs = mixedWorkload(name);
    const { highestUtilisation } = predict(jobs, ours(jobs));
    expect(highestUtilisation).toBeLessThan(predict(jobs, inTurn(blocked, jobs)).highestUtilisation);
    expect(highestUtilisation).toBeLessThan(predict(jobs, inTurn(cyclic, jobs)).highestUtilisation);
  });

  it('Mixed_6 as printed is the one that only contention-free keeps up with', () => {
    const jobs = mixedWorkload('Mixed_6');
    expect(predict(jobs, ours(jobs)).highestUtilisation).toBeLessThan(1);
    expect(predict(jobs, inTurn(blocked, jobs)).waiting).toBe(Infinity);
    expect(predict(jobs, inTurn(cyclic, jobs)).waiting).toBe(Infinity);
  });

  it('the sizes of jobs are told apart: kilobytes do not wait for megabytes within another node', () => {
    const jobs = [patternJob('large', 'linear', 2, 400, megabyte), patternJob('small', 'linear', 2, 400, kilobyte)];
    const [large, small] = ours(jobs);
    expect(Math.floor(large![0]! / 16)).not.toBe(Math.floor(small![0]! / 16));
  });
});
