import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Job } from '../model/job.ts';
import { paperFigures, pathServers, waitingTime } from './servers.ts';
import { normalAccesses, ownUtilisations, pathTimes, sumUtilisations } from './testing/pathTimes.ts';
import { predictWaiting } from './predict.ts';
import { megabyte, paperCluster, patternJob } from './testing/paperWorkloads.ts';

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
