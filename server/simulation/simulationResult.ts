/**
 * What a simulation of programs, or of messages at given times, says: plain data, which crosses threads and is drawn, written and compared.
 * Channels are numbered as in `messages.ts`.
 */
import type { Carried } from '../model/simulation.ts';
import type { BackgroundCarried } from './background.ts';
import type { MessageNetwork, WaitingPacket } from './messages.ts';
import type { ServerNetwork } from './engines/servers/servers.ts';
import { serverKinds, type ServerKind, type ServerUse } from './engines/servers/serverStates.ts';
import type { LatencyHistogram, LinkUse, PacketSeries, TimeSeries } from './recording.ts';
import type { WaitingTask } from './runningPrograms.ts';
import type { WaitingMoments } from './waitingMoments.ts';

/** A packet in a circle, and the tasks that it travels between, counted over all jobs: −1 of the background. */
export interface CirclingPacket extends WaitingPacket {
  readonly task: number;
  readonly partner: number;
}

export interface SimulationResult {
  /** Cycles that were simulated, or more where it ended early: the last one plus 1. */
  readonly cycles: number;
  /** Cycle in which the last task ended. Undefined where not all did: a deadlock, a budget, a receive without its send, cancelled. */
  readonly makespan: number | undefined;
  /** Cycle in which each task ended, job after job; NaN of those that have not. */
  readonly finish: Float64Array;
  /** What is called a packet below. */
  readonly carried: Carried;
  /** Of packets, from the cycle in which they were made (of messages at given times: from their time) to that in which they arrived. */
  readonly latency: LatencyHistogram;
  /** Flits that arrived. */
  readonly flits: number;
  /** Links between routers that packets crossed which arrived. */
  readonly hops: number;
  readonly overTime: TimeSeries;
  /** Where `Simulation.pointEvery` asks for it. */
  readonly byPackets?: PacketSeries;
  readonly links: LinkUse;
  /** What came of each job. */
  readonly jobs: readonly JobResult[];
  /** Of engines with servers: visits and cycles waited, summed, of each kind of server. */
  readonly waits?: ServerWaits;
  /** Where there is one. */
  readonly background?: BackgroundCarried;
  /** As the network tells it. */
  readonly deadlock: { readonly since: number; readonly waits: readonly CirclingPacket[] } | undefined;
  /** Tasks that have not ended, and what they wait for. */
  readonly waiting: readonly WaitingTask[];
  /** Where the machine has a bandwidth. */
  readonly secondsPerCycle: number | undefined;
  /** Where they were asked for. */
  readonly moments?: WaitingMoments;
}

export interface ServerWaits {
  /** What the servers are called. */
  readonly server: readonly ServerKind[];
  readonly visits: Float64Array;
  readonly waited: Float64Array;
  /** Cycles that the busiest server of the kind has worked. */
  readonly busiest: Float64Array;
  /** The same one by one. */
  readonly each: ServerUse;
}

export interface JobResult {
  /** Cycle in which its last task ended; undefined where not all did. */
  readonly finish: number | undefined;
  /** Packets that arrived, and their mean latency in cycles; NaN where none did. */
  readonly packets: number;
  readonly latency: number;
}

/** Visits and waits of an engine that has servers. */
export function serverWaits(network: MessageNetwork): ServerWaits | undefined {
  const { secondsPerCycle } = network;
  if (!('serverFigures' in network) || secondsPerCycle === undefined) return undefined;
  const figures = (network as ServerNetwork).serverFigures();
  const kinds = serverKinds.filter((kind) => figures[kind].visits > 0);
  return {
    server: kinds,
    visits: Float64Array.from(kinds, (kind) => figures[kind].visits),
    waited: Float64Array.from(kinds, (kind) => figures[kind].waiting / secondsPerCycle),
    busiest: Float64Array.from(kinds, (kind) => figures[kind].busiest / secondsPerCycle),
    each: (network as ServerNetwork).serverUse(),
  };
}
