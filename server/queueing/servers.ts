/**
 * The servers that a message passes in the model of Soryani et al. 2013: how fast they are on a machine
 * (`clusterFigures`), and how long a message is served and waits at one (`serviceTime`, `waitingTime`).
 */
import { inWords } from '../model/quantities.ts';
import { itemAt } from '../numeric/elements.ts';
import type { Machine, QueuePairTime } from '../model/machine.ts';

/** What the queueing model knows of a cluster; bytes per second and seconds. */
export interface ClusterFigures {
  /** Bandwidth of the memory of a socket. */
  readonly memory: number;
  /** Bandwidth of the network interface of a node, each way. */
  readonly interface: number;
  /** Time in and time out of the switch, whatever the size of the message. */
  readonly switchTime: number;
  /** Seconds that a queue pair, and as long the hardware behind it, works on a message of so many bytes. */
  readonly messageHandling: (bytes: number) => number;
}

/**
 * Seconds of a queue pair for a message of so many bytes, by times at some sizes in ascending order: straight lines between them. Below the
 * first size its line goes on, and above the last one time grows with the size. A single time holds for messages of all sizes. The result is 0 if there are no times.
 */
export function queuePairTime(times: readonly QueuePairTime[], bytes: number): number {
  const [last, second] = [times.at(-1), times[1]];
  if (last === undefined) return 0;
  if (second === undefined) return last.seconds;
  if (bytes >= last.bytes) return (bytes / last.bytes) * last.seconds;
  const above = Math.max(
    1,
    times.findIndex((time) => bytes <= time.bytes),
  );
  const [lower, upper] = [itemAt(times, above - 1), itemAt(times, above)];
  const share = (bytes - lower.bytes) / (upper.bytes - lower.bytes);
  return Math.max(0, lower.seconds + share * (upper.seconds - lower.seconds));
}

/**
 * Times of a queue pair (QP), and of Processing-HW, of the InfiniHost MT23108 of Soryani et al. 2013. The paper does not print them: these
 * four times make the model agree with its table 1 and section 3 (`slowdowns.test.ts`).
 */
export const infiniHostTimes: readonly QueuePairTime[] = [
  { bytes: 2 ** 10, seconds: 2.95e-6 },
  { bytes: 2 ** 16, seconds: 57.9e-6 },
  { bytes: 2 ** 19, seconds: 343.8e-6 },
  { bytes: 2 ** 20, seconds: 687.6e-6 },
];

/** The cluster of Soryani et al. 2013, section 3, in the units of the language. */
export const paperFigures: ClusterFigures = {
  memory: 4e9,
  interface: 1e9,
  switchTime: 100e-9,
  messageHandling: (bytes) => queuePairTime(infiniHostTimes, bytes),
};

/**
 * The machine's own figures. The paper's for the bandwidths and the switch time that it does not give; `missing` says which those are.
 * Without `queue-pair` messages take no time there.
 */
export function clusterFigures({ figures }: Machine): { readonly figures: ClusterFigures; readonly missing: string[] } {
  const missing: string[] = [];
  if (figures.memory === undefined) missing.push('`memory 4 GB/s`');
  if (figures.interface === undefined) missing.push('`interface 1 GB/s`');
  if (figures.switchTime === undefined) missing.push('`switch 100 ns`');
  return {
    figures: {
      memory: figures.memory ?? paperFigures.memory,
      interface: figures.interface ?? paperFigures.interface,
      switchTime: figures.switchTime ?? paperFigures.switchTime,
      messageHandling: (bytes) => queuePairTime(figures.queuePair ?? [], bytes),
    },
    missing,
  };
}

/** For users: which figures are those of the paper. */
export const missingFiguresNote = (missing: readonly string[]): string =>
  `The machine does not define ${inWords(missing)}; the values of Soryani et al. (2013) are used.`;

/**
 * Mean waiting time at a server that all who use it keep busy for the share `utilisation` of the
 * time, for a message whose own service takes `service` seconds; infinite from 1 on. `variation`
 * is the coefficient of variation of the times between arrivals: 1 for a Poisson stream.
 * Soryani et al. 2013, equation 6 (G/M/1, approximated). O(1).
 */
export function waitingTime(utilisation: number, service: number, variation: number): number {
  if (utilisation <= 0 || service === 0) return 0;
  if (utilisation >= 1) return Infinity;
  const squared = utilisation * utilisation;
  return ((variation * variation + squared) / (1 + squared)) * ((utilisation * service) / (1 - utilisation));
}

/**
 * The servers that a message between two nodes passes, in the order of equations 2 to 4 of
 * Soryani et al. 2013: at its source, in the switch, at its destination.
 */
export const pathServers = [
  'source queue pair',
  'source memory',
  'source processing',
  'port out',
  'switch in',
  'switch out',
  'port in',
  'destination processing',
  'destination queue pair',
  'destination memory',
] as const;
export type PathServer = (typeof pathServers)[number];

/**
 * Share of the time that a memory serves the accesses of cores that are no messages. The paper
 * speaks of 100,000 a second for each core; its table 1 comes out with 0.8 % in all.
 */
export const normalMemoryUse = 0.008;

/** Seconds that one message of `bytes` keeps a server busy. O(1). */
export function serviceTime(server: PathServer, bytes: number, figures: ClusterFigures): number {
  switch (server) {
    case 'source memory':
    case 'destination memory':
      return bytes / figures.memory;
    case 'port out':
    case 'port in':
      return bytes / figures.interface;
    case 'switch in':
    case 'switch out':
      return figures.switchTime;
    case 'source queue pair':
    case 'source processing':
    case 'destination queue pair':
    case 'destination processing':
      return figures.messageHandling(bytes);
  }
}
