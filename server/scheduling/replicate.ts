/** A replication of a stream, from its declaration to its metrics. */
import type { NodeFinder } from '../allocation/contract.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { type Choice, findEntry } from '../model/catalogue.ts';
import type { JobLog, RefusedLines } from '../model/jobLog.ts';
import { type RandomSource, seededRandom } from '../model/random.ts';
import { fail, quote, type Result, succeed } from '../model/result.ts';
import type { StreamDescription } from '../model/stream.ts';
import { intAt } from '../numeric/elements.ts';
import type { PacketSource, StreamNetwork } from '../simulation/messages.ts';
import {
  allToAll,
  nearNeighbour,
  nodesOfProcesses,
  oneToAll,
  type ProcessOrder,
  randomPairs,
} from '../simulation/patterns.ts';
import { schedulers } from './catalogue.ts';
import type { SchedulerEntry } from './contract.ts';
import { type JobSource, type JobTable, streamJobs } from './jobs.ts';
import { measureStream, type StreamMetrics } from './metrics.ts';
import { type JobNetwork, type Limits, simulateStream } from './simulate.ts';
import type { StreamRun } from './streamRun.ts';

export type PlaceProcesses = (job: number, jobs: JobTable, nodes: Int32Array, source: PacketSource) => Int32Array;

export interface ReplicationRequest {
  readonly stream: StreamDescription;
  /** Where the stream has one. */
  readonly log?: JobLog;
  /** Of the replication: the same seed gives the same jobs with every scheduler and allocator. */
  readonly seed: number;
  readonly nodeCount: number;
  /** 1 for each node that runs nothing. */
  readonly broken?: Uint8Array | undefined;
  /** An entry of the catalogue of schedulers. */
  readonly schedule: Choice;
  /** Absent: jobs are counted only. */
  readonly allocator?: {
    readonly contiguous: boolean;
    readonly finder: (random: RandomSource) => Result<NodeFinder>;
  };
  /** Where the service comes from it: a new network, in which nothing has happened yet. */
  readonly network?: StreamNetwork;
  /** Which processor of a job a process runs on; by number of the node where absent. */
  readonly processOrder?: ProcessOrder;
  /** NodeId of each process of a job that runs on these nodes, in the place of `processOrder`. */
  readonly placeProcesses?: PlaceProcesses;
  readonly keepNodes?: boolean;
  readonly limits?: Limits;
  readonly cancellation: Cancellation;
  /** Told of the jobs that have left, whenever some do. */
  readonly progress?: (completed: number) => void;
}

export interface ReplicationOutcome {
  readonly metrics: StreamMetrics;
  readonly run: StreamRun;
  /** Lines of the log that are no jobs of the stream. */
  readonly refused: readonly RefusedLines[];
  /** Jobs of the log that stand behind one that was submitted later; they were sorted. */
  readonly disordered: number;
  /** The least that a time of service counts as in slowdowns. */
  readonly shortestService: number;
  /** Whether another seed may give another run. */
  readonly drewRandom: boolean;
}

/** A log's clock tells seconds: a job of less counts as one in slowdowns. */
const resolutionOfLogs = 1;

/**
 * Simulates one replication and measures it. Fails with `bad-stream` or `bad-distribution` where the stream makes no jobs,
 * `unknown-scheduler`, `no-estimates` where the scheduler plans by run times that nobody knows, what the allocator says of the machine,
 * and where it is cancelled.
 */
export function replicate(request: ReplicationRequest): Result<ReplicationOutcome> {
  const { stream, schedule, allocator, keepNodes, limits, progress } = request;
  const entry = findEntry(schedulers, schedule.name);
  if (entry === undefined) return fail('unknown-scheduler', `Unknown scheduler ${quote(schedule.name)}.`);
  const network = networkFor(request, entry);
  if (!network.ok) return network;
  const source = streamJobs(stream, request.seed, request.log);
  if (!source.ok) return source;
  const finder = allocator?.finder(source.value.allocatorRandom);
  if (finder?.ok === false) return finder;
  const run = simulateStream({
    source: source.value,
    nodeCount: request.nodeCount,
    broken: request.broken,
    scheduler: entry.make(schedule.options),
    end: stream.end,
    cancellation: request.cancellation,
    ...(finder && { allocator: { finder: finder.value, contiguous: allocator?.contiguous === true } }),
    ...(network.value && { network: network.value }),
    ...(keepNodes !== undefined && { keepNodes }),
    ...(limits && { limits }),
    ...(progress && { progress }),
  });
  if (!run.ok) return run;
  // Messages are drawn where they are made.
  const drewRandom = network.value !== undefined || source.value.drewRandom();
  return succeed(replicationOutcome(stream, source.value, run.value, drewRandom));
}

function replicationOutcome(
  { jobs, warmUp }: StreamDescription,
  { refused, disordered }: JobSource,
  run: StreamRun,
  drewRandom: boolean,
): ReplicationOutcome {
  const shortestService = jobs.kind === 'log' ? resolutionOfLogs : 0;
  return {
    run,
    metrics: measureStream(run, warmUp, shortestService),
    refused,
    disordered,
    shortestService,
    drewRandom,
  };
}

/** The network that serves the stream; undefined where none does. */
function networkFor(
  { stream, network, processOrder = 'row-major', placeProcesses }: ReplicationRequest,
  scheduler: SchedulerEntry,
): Result<JobNetwork | undefined> {
  if (stream.service.kind !== 'network') return succeed(undefined);
  if (scheduler.needsEstimates && stream.jobs.kind === 'distributions') {
    return fail(
      'no-estimates',
      `Scheduler ${scheduler.name} needs run-time estimates; stream ${stream.name} has none. Use ssd or window(4), or another service.`,
    );
  }
  if (network === undefined || stream.messageLength.unit !== 'flits') {
    return fail(
      'bad-stream',
      `Stream ${stream.name} is served by the network. It needs a network and a message length in flits.`,
    );
  }
  const byNumber: PlaceProcesses = (_, __, nodes) => nodesOfProcesses(nodes, processOrder);
  return succeed(jobNetwork(stream, network, placeProcesses ?? byNumber));
}

/** What the jobs of a stream send through a network. */
function jobNetwork(stream: StreamDescription, network: StreamNetwork, placeProcesses: PlaceProcesses): JobNetwork {
  const packetsOf = (job: number, jobs: JobTable): PacketSource => packetsOfJob(stream, job, jobs);
  return {
    network,
    demandOf: (job, jobs) => packetsOf(job, jobs).packetCount,
    transmissionOf: (job, jobs, nodes) => {
      const source = packetsOf(job, jobs);
      const processors = intAt(jobs.processors, job);
      const used = nodes.length === processors ? nodes : nodes.subarray(0, processors);
      return { source, nodeOfProcess: placeProcesses(job, jobs, used, source), flits: stream.messageLength.amount };
    },
  };
}

/** The packets of a job: its pattern, `messages` times over. A job without a grid has its processes in one row. */
function packetsOfJob({ traffic, messages }: StreamDescription, job: number, jobs: JobTable): PacketSource {
  const processors = intAt(jobs.processors, job);
  const random = (): RandomSource => seededRandom(intAt(jobs.seed, job));
  switch (traffic?.name) {
    case 'one-to-all':
      return oneToAll(processors, traffic.options['root'] === 'first' ? 0 : random().integer(processors), messages);
    case 'all-to-all':
      return allToAll(processors, traffic.options['order'] === 'ring' ? 'ring' : 'ascending', messages);
    case 'random':
      return randomPairs(processors, messages, random());
    case 'near-neighbour': {
      const [width, height] = [intAt(jobs.width, job), intAt(jobs.height, job)];
      return nearNeighbour(height === 0 ? [processors] : [width, height], messages);
    }
    default:
      return { processCount: processors, packetCount: 0, packetsOf: () => 0, destinationOf: () => 0 };
  }
}
