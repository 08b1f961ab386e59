import { fail, succeed, type Result } from './result.ts';
import type { LinkId, NodeId, SlotId, TaskId } from './identifiers.ts';
import type { Machine } from './machine.ts';
import type { ReportedJob } from './placement.ts';

/** What is measured of a placement; `metrics.ts` has the definitions and units. */
export interface Metrics {
  readonly averageHops: number;
  readonly hopVariance: number;
  readonly maximumHops: number;
  readonly hopBytes: number;
  readonly weightedHops: number;
  /** Undefined where pairs have several routes and their equivalent distances are not known. */
  readonly mappingCoefficient: number | undefined;
  readonly maximumLinkLoad: number;
  readonly meanLinkLoad: number;
  readonly interNodeBytes: number;
  /** Seconds; present where the machine gives a bandwidth. */
  readonly congestionTime: number | undefined;
  /** Present on clusters that give `memory`, `interface` and `switch`, where every job gives its `rate`. */
  readonly queueing?: QueueingMetrics;
  /** By key, what metrics of the catalogue work out from the placement as a whole; absent where none does. */
  readonly derived?: Readonly<Record<string, number>>;
}

/** How long messages wait, by the queueing model of Soryani et al. 2013; seconds, means over all messages. */
export interface QueueingMetrics {
  /** Infinite where some messages come faster than they go. */
  readonly waiting: number;
  /** Parts of `waiting`: in the queues of memories, and of interfaces, queue pairs and the switch. */
  readonly memoryWaiting: number;
  readonly networkWaiting: number;
  /** From the sending of a message to its arrival: served and waiting (equation 1). */
  readonly messageTime: number;
  /** Largest share of its time that a server is busy; from 1 on messages come faster than they go. */
  readonly highestUtilisation: number;
  /** The same of the servers of one kind: memories; ports of nodes; queue pairs and Processing-HW; ports of the switch. */
  readonly memoryUtilisation: number;
  readonly portUtilisation: number;
  readonly queuePairUtilisation: number;
  readonly switchUtilisation: number;
  /** Servers to which messages come faster than they go. */
  readonly overloadedServers: number;
  /** The busiest of the servers that messages use, at most {@link listedServers}, the busiest first. */
  readonly busiest: readonly BusyServer[];
}

/** So many of the busiest servers are told. */
export const listedServers = 5;

/** A server of the queueing model, and the share of its time that it works. */
export interface BusyServer {
  readonly server:
    'memory' | 'port out' | 'port in' | 'send queue pair' | 'receive queue pair' | 'switch in' | 'switch out';
  readonly node: number;
  /** Of a memory: the socket of its node. */
  readonly socket?: number;
  /** Of a queue pair: the core of its node. */
  readonly core?: number;
  readonly utilisation: number;
}

/** One pair of tasks that sends over a hot link. */
export interface Flow {
  /** Index into PlacementReport.jobs. */
  readonly job: number;
  readonly from: TaskId;
  readonly to: TaskId;
  /** Bytes of this flow that cross the link. */
  readonly bytes: number;
}

export interface HotLink {
  readonly link: LinkId;
  /** Bytes. */
  readonly load: number;
  /** How long it works / mean of the used links; its load against their mean load where links are all as fast. */
  readonly timesMean: number;
  /** How long it works / the same of the link that works longest; absent where links are all as fast. */
  readonly busyShare?: number;
  /** The heaviest flows over it, heaviest first, at most `flowsPerHotLink`; further hot links have none. */
  readonly flows: readonly Flow[];
  /** Ordered pairs of tasks that send over it; undefined where the flows were not gathered. */
  readonly flowCount: number | undefined;
  /** Changes of the mapping that would take most off this link, best first; empty where none was found or sought. */
  readonly improvements: readonly SuggestedImprovement[];
  /** Bytes over it of each job of the placement, by index; absent where the flows were not gathered. */
  readonly jobBytes?: readonly number[];
}

/** Two tasks exchange their slots, or one task moves to a free slot, and a link carries less. */
export interface SuggestedImprovement {
  readonly job: number;
  readonly task: TaskId;
  /** The task it changes places with; undefined for a move into the free slot `slot`. */
  readonly with: { readonly job: number; readonly task: TaskId } | undefined;
  readonly slot: SlotId;
  /** Load of the link afterwards, in bytes. */
  readonly load: number;
  /** Largest link load of the placement afterwards, in bytes. */
  readonly maximumLinkLoad: number;
  /** Change of the placement's hop-bytes; negative is better. */
  readonly hopBytesChange: number;
}

/** Flows kept of each hot link that is explained. */
export const flowsPerHotLink = 5;

export interface PlacementReport {
  readonly name: string;
  readonly machine: Machine;
  readonly seed: number;
  readonly jobs: readonly ReportedJob[];
  readonly metrics: Metrics;
  /** Bytes over each directed link, indexed by LinkId; length linkCount. */
  readonly linkLoads: Float64Array;
  /** Ordered pairs of tasks that communicate, and their bytes, by the hops between their nodes; absent in reports made by hand. */
  readonly hops?: HopCounts;
  /**
   * Bytes from which on a link is hot: so many times the mean of the used links; 0 where no link carries anything. Where
   * links are not all as fast, bytes over the fastest that take as long.
   */
  readonly hotFrom: number;
  /** Those that work longest first, which are the heaviest where all are as fast; equal ones by LinkId. */
  readonly hotLinks: readonly HotLink[];
  /** What the allocator and mapper have to say: which mapper `auto` chose, and why. */
  readonly notes: readonly string[];
  readonly milliseconds: { readonly allocate: number; readonly map: number; readonly evaluate: number };
}

/** How far traffic goes; indexed by hops, as long as the most hops need. */
export interface HopCounts {
  readonly pairs: Float64Array;
  readonly bytes: Float64Array;
}

/**
 * The report with one of its jobs, which `export` gives ranks from 0: metrics and loads stay those of all. Fails with `unknown-name`, a sentence
 * with the names.
 */
export function reportOfJob(report: PlacementReport, name: string): Result<PlacementReport> {
  const jobs = report.jobs.filter(({ job }) => job.name === name);
  if (jobs.length > 0) return succeed({ ...report, jobs });
  const known = report.jobs.map(({ job }) => job.name).join(', ');
  return fail('unknown-name', `Placement "${report.name}" has no job "${name}". Expected one of ${known}.`);
}

/** The name of the job that a flow, a suggested improvement or a share belongs to. */
export const jobName = ({ jobs }: Pick<PlacementReport, 'jobs'>, job: number): string => jobs[job]!.job.name;

/** The two ends of a directed link, as users name them. */
export type LinkEnd =
  | number
  | {
      readonly host: NodeId;
      /** Where nodes have several adapters. */
      readonly rail?: number;
    };
