/**
 * The servers that a message passes in the model of Soryani et al. 2013: how fast they are on a machine
 * (`clusterFigures`), and how long a message is served and waits at one (`serviceTime`, `waitingTime`).
 */
import { itemAt } from '../numeric/elements.ts';
import type { Machine } from '../model/machine.ts';

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
 * Time of a queue pair (QP) and of Processing-HW per message. Soryani et al. do not print it:
 * these four times make the model agree with their table 1 and section 3 (`slowdowns.test.ts`).
 * Straight lines between them; below, the first line goes on; above, time grows with the size.
 */
const calibration: readonly (readonly [bytes: number, seconds: number])[] = [
  [2 ** 10, 2.95e-6],
  [2 ** 16, 57.9e-6],
  [2 ** 19, 343.8e-6],
  [2 ** 20, 687.6e-6],
];

/** {@link ClusterFigures.messageHandling} of the interface in Soryani et al. 2013 (InfiniHost MT23108). */
export function infiniHostHandling(bytes: number): number {
  const [largest, longest] = calibration.at(-1)!;
  if (bytes >= largest) return (bytes / largest) * longest;
  const above = Math.max(
    1,
    calibration.findIndex(([size]) => bytes <= size),
  );
  const [lower, before] = itemAt(calibration, above - 1);
  const [upper, after] = itemAt(calibration, above);
  return before + ((bytes - lower) / (upper - lower)) * (after - before);
}

/** The cluster of Soryani et al. 2013, section 3, in the units of the language. */
export const paperFigures: ClusterFigures = {
  memory: 4e9,
  interface: 1e9,
  switchTime: 100e-9,
  messageHandling: infiniHostHandling,
};

/** The machine's own figures, and the paper's for those that it does not give; `missing` says which those are. */
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
      messageHandling: infiniHostHandling,
    },
    missing,
  };
}

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
