import { findEntry } from '../../model/catalogue.ts';
import type { Job } from '../../model/job.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { infiniHostTimes, queuePairTime } from '../servers.ts';
import { patternTraffic } from '../../traffic/build.ts';
import { patterns } from '../../traffic/catalogue.ts';

/** The cluster of Soryani et al. 2013: 16 nodes of 4 sockets of 4 cores; smaller or larger where asked. */
export const paperCluster = (nodes = 16, sockets = 4, cores = 4): Machine => ({
  ...networkMachine('cluster', { count: nodes, sockets, cores }),
  figures: { memory: 4e9, interface: 1e9, switchTime: 100e-9, queuePair: infiniHostTimes },
});

/** Seconds of a queue pair of the paper's cluster. */
export const infiniHostHandling = (bytes: number): number => queuePairTime(infiniHostTimes, bytes);

export const kilobyte = 1024;

export const megabyte = 1024 * kilobyte;

/** `pattern NAME  tasks N  bytes B  rate R`. */
export function patternJob(name: string, pattern: string, taskCount: number, rate: number, bytes: number): Job {
  const request = { taskCount, periodic: false, random: seededRandom(1), options: {} };
  const traffic = patternTraffic(findEntry(patterns, pattern)!, request, bytes);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return { name, taskCount, periodic: false, traffic: traffic.value, messageBytes: bytes, rate };
}

/** The paper's patterns by our names: All-to-All, Bcast/Scatter, Gather/Reduce, Linear. */
const paperPatterns = ['all-to-all', 'one-to-all', 'all-to-one', 'linear'] as const;

/** Tables 4 and 5; `share` of the printed rates. */
export function mixedWorkload(name: `Mixed_${1 | 2 | 3 | 4 | 5 | 6}`, share = 1): readonly Job[] {
  const jobsOf = (taskCount: number, rate: number, bytes: number) =>
    paperPatterns.map((pattern) => patternJob(`${pattern}-${bytes}`, pattern, taskCount, rate * share, bytes));
  switch (name) {
    case 'Mixed_1':
      return jobsOf(64, 100, 64 * kilobyte);
    case 'Mixed_2':
      return jobsOf(64, 1000, 64 * kilobyte);
    case 'Mixed_3':
      return jobsOf(64, 10, 2 * megabyte);
    case 'Mixed_4':
      return jobsOf(64, 100, 2 * megabyte);
    case 'Mixed_5':
      return [...jobsOf(32, 10, 2 * megabyte), ...jobsOf(32, 10, 64 * kilobyte)];
    case 'Mixed_6':
      return [...jobsOf(24, 10, 2 * megabyte), ...jobsOf(24, 10, 64 * kilobyte)];
  }
}

/** Table 3: rates and sizes of the eight jobs of the workloads with one pattern. */
const fixedJobs: readonly (readonly [rate: number, bytes: number])[] = [
  [500, 2 * megabyte],
  [500, 2 * megabyte],
  [100, 2 * megabyte],
  [10, 2 * megabyte],
  [1000, 64 * kilobyte],
  [100, 64 * kilobyte],
  [10, 64 * kilobyte],
  [1000, kilobyte],
];

export const fixedWorkload = (pattern: (typeof paperPatterns)[number]): readonly Job[] =>
  fixedJobs.map(([rate, bytes], position) => patternJob(`${pattern}-${position}`, pattern, 32, rate, bytes));
