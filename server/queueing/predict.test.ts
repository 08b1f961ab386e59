import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Job } from '../model/job.ts';
import type { MapperEntry } from '../mapping/contract.ts';
import { blocked } from '../mapping/mappers/blocked.ts';
import { cyclic } from '../mapping/mappers/cyclic.ts';
import { mapWith } from '../mapping/testing/problems.ts';
import { paperFigures } from './figures.ts';
import { normalAccesses, ownUtilisations, pathServers, pathTimes, sumUtilisations, waitingTime } from './servers.ts';
import { predictWaiting } from './predict.ts';
import { kilobyte, mapTogether, megabyte, mixedWorkload, paperCluster, patternJob, problemsOf } from '../mapping/contention/testing/paperWorkloads.ts';

const cluster = paperCluster();

const predict = (jobs: readonly Job[], mappings: readonly Int32Array[]) =>
  predictWaiting(
    cluster,
    jobs.map((job, position) => ({ job, mapping: mappings[position]! })),
    paperFigures,
    1,
    neverCancelled,
  )!;

describe('waiting at a server (equation 6)', () => {
  it.each([
    // Poisson: ρS / (1 − ρ).
    { utilisation: 0.5, service: 2, variation: 1, waiting: 2 },
    // Regular arrivals: ρ² / (1 + ρ²) of that.
    { utilisation: 0.5, service: 2, variation: 0, waiting: 0.4 },
    { utilisation: 0.5, service: 2, variation: 3, waiting: (9.25 / 1.25) * 2 },
    { utilisation: 0, service: 2, variation: 3, waiting: 0 },
    { utilisation: 1, service: 2, variation: 1, waiting: Infinity },
  ])('ρ = $utilisation, S = $service, C = $variation: $waiting', ({ utilisation, service, variation, waiting }) => {
    expect(waitingTime(utilisation, service, variation)).toBeCloseTo(waiting, 12);
  });
});

describe('predicted waiting of placed jobs', () => {
  const pair = patternJob('pair', 'linear', 2, 100, megabyte);

  it('of one sender to another node is the waiting along equations 1 to 6', () => {
    const sent = { bytes: megabyte, rate: 100 };
    const { servers } = pathTimes(
      sent,
      sumUtilisations([ownUtilisations(sent, paperFigures), normalAccesses]),
      1,
      paperFigures,
    );
    const expected = pathServers.reduce((sum, server) => sum + servers[server].waiting, 0);
    expect(predict([pair], [Int32Array.of(0, 16)]).waiting).toBeCloseTo(expected, 12);
  });

  it.each([
    // Copied twice by one memory, or once by each of two.
    { name: 'within a socket', slots: [0, 1], copies: 2 },
    { name: 'across sockets', slots: [0, 4], copies: 1 },
  ])('of one sender $name is that of its memories', ({ slots, copies }) => {
    const service = megabyte / 4e9;
    const { waiting, memoryWaiting, networkWaiting } = predict([pair], [Int32Array.from(slots)]);
    expect(waiting).toBeCloseTo(2 * waitingTime(0.008 + copies * 100 * service, service, 1), 12);
    expect(memoryWaiting).toBe(waiting);
    expect(networkWaiting).toBe(0);
  });

  it('is nothing where nothing is sent', () => {
    const silent = patternJob('silent', 'linear', 1, 100, megabyte);
    expect(predict([silent], [Int32Array.of(0)])).toMatchObject({ waiting: 0, highestUtilisation: 0.008 });
  });
});

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
