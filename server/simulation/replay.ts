/**
 * What a simulation of programs on a machine says: plain data, which crosses threads and is drawn, written and compared.
 * Channels are numbered as in `contract.ts`.
 */
import type { Deadlock } from './contract.ts';

export interface SimulationResult {
  /** Cycles that were simulated, or more where it ended early: the last one plus 1. */
  readonly cycles: number;
  /** Cycle in which the last task ended. Undefined where not all did: a deadlock, a budget, a receive without its send, cancelled. */
  readonly makespan: number | undefined;
  /** Cycle in which each task ended, job after job; NaN of those that have not. */
  readonly finish: Float64Array;
  /** Of packets, from the cycle in which they were made to that in which they arrived. */
  readonly latency: LatencyHistogram;
  readonly overTime: TimeSeries;
  readonly links: LinkUse;
  /** Of engines with servers: visits and cycles waited, summed, of each kind of server. */
  readonly waits?: ServerWaits;
  readonly deadlock: Deadlock | undefined;
  /** Tasks that have not ended, and what they wait for. */
  readonly waiting: readonly WaitingTask[];
  /** Where the machine has a bandwidth. */
  readonly secondsPerCycle: number | undefined;
}

/** Logarithmic bins: `counts[b]` of them took `edges[b]` ≤ latency < `edges[b + 1]`. Percentiles are exact to the width of a bin. */
export interface LatencyHistogram {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly maximum: number;
  readonly edges: Float64Array;
  readonly counts: Float64Array;
}

/** At most 2,000 points, each of `step` cycles. */
export interface TimeSeries {
  readonly step: number;
  /** Flits that arrived, per cycle. */
  readonly traffic: Float64Array;
  /** Mean latency of the packets that arrived in it, in cycles; NaN where none did. */
  readonly latency: Float64Array;
}

/** Use of channels over at most 256 intervals of time, as `[interval · channels + channel]`. */
export interface LinkUse {
  /** Cycles of an interval. */
  readonly interval: number;
  readonly intervals: number;
  readonly channels: number;
  /** 255: busy all of the interval. */
  readonly utilisation: Uint8Array;
  /** Packets that waited for the channel, on average over the interval, in eighths; 255 is 31.9 or more. */
  readonly queues: Uint8Array;
  /** Busy cycles of each channel over the whole run. */
  readonly busy: Float64Array;
}

export interface ServerWaits {
  /** What the servers are called. */
  readonly server: readonly string[];
  readonly visits: Float64Array;
  readonly waited: Float64Array;
}

export interface WaitingTask {
  /** Number of the task, counted over all jobs. */
  readonly task: number;
  readonly for: 'receive' | 'send';
  readonly partner: number;
  readonly tag: number;
  readonly bytes: number;
}
