/**
 * About how long an experiment takes on one thread, before anything of it is run: work is counted (channels that packets take, mappings,
 * jobs of a stream) and multiplied by what a piece of it takes.
 */
import { mappers } from '../mapping/catalogue.ts';
import { secondsOfMapping } from '../mapping/contract.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { findEntry } from '../model/catalogue.ts';
import type { ExperimentDescription, Replications } from '../model/experiment.ts';
import type { JobLog } from '../model/jobLog.ts';
import type { Machine } from '../model/machine.ts';
import { succeed, type Result } from '../model/result.ts';
import type { StreamDescription } from '../model/stream.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import { streamJobs, type JobSource, type JobTable } from '../scheduling/jobs.ts';
import { stencilShape } from './jobMapping.ts';
import { mostOf, seedOf, type ExperimentPlan, type Point } from './plan.ts';
import type { JobReplications, PointTime } from './simulatedReplications.ts';
import { fits } from './streamReplications.ts';
import type { TrafficReplications } from './trafficReplications.ts';

/** What the size of an experiment with a stream is worked out from. */
export interface StreamExperiment {
  readonly experiment: ExperimentDescription;
  readonly stream: StreamDescription;
  readonly log: JobLog | undefined;
}

/** Jobs as they come, for estimates. */
export interface JobSample {
  readonly source: JobSource;
  /** Jobs of a replication. */
  readonly jobs: number;
  /** Of a job on average: channels that its packets take together, and seconds to map it, over the mappers. */
  readonly channels: number;
  readonly mapping: number;
}

const sampleLength = 500;

/** Looks at the first jobs that are drawn, or at jobs all over a log, whose end may be unlike its beginning. Fails where there are none. */
export function sampleJobs({ experiment, stream, log }: StreamExperiment, machine: Machine): Result<JobSample> {
  const made = streamJobs(stream, 1, log);
  if (!made.ok) return made;
  const source = made.value;
  const { table } = source;
  const wanted = stream.jobs.kind === 'log' ? Infinity : sampleLength;
  while (table.count < wanted && source.next());
  const wayOf = wayOnMachine(machine, stream);
  const secondsOfMapping = mappingTimes(experiment, stream, machine);
  const looked = Math.min(sampleLength, table.count);
  let [channels, mapping] = [0, 0];
  for (let index = 0; index < looked; index++) {
    const job = Math.floor(((index + 0.5) * table.count) / looked);
    const size = intAt(table.processors, job);
    // It is refused.
    if (size > machine.nodeCount) continue;
    mapping += secondsOfMapping(job, table) / looked;
    channels += (expectedPackets(stream, size) * stream.messages * (wayOf(size) + 2)) / looked;
  }
  const jobs = replicationJobs(stream, source);
  return succeed({ source, jobs: Math.max(1, jobs), channels, mapping });
}

/** Seconds to map a job, on average over the mappers of the experiment. */
function mappingTimes(
  { map, report }: ExperimentDescription,
  { service }: StreamDescription,
  machine: Machine,
): (job: number, table: JobTable) => number {
  const isOfNetwork = service.kind === 'network';
  if (isOfNetwork ? map.length === 0 : !report.includes('averageHops')) return () => 0;
  const entries = map.flatMap(({ name, options }) => {
    const entry = findEntry(mappers, name);
    return entry === undefined ? [] : [{ entry, options }];
  });
  return (job, table) => {
    const size = intAt(table.processors, job);
    // Without a network jobs are mapped for their hops alone.
    if (!isOfNetwork && (size < 2 || !fits(machine, stencilShape(job, table)))) return 0;
    if (entries.length === 0) return size * perProcess;
    return entries.reduce(
      (sum, { entry, options }) => sum + secondsOfMapping(entry, options, size, machine) / entries.length,
      0,
    );
  };
}

/** Of the hops of processes that go to the nodes of their job in order. */
const perProcess = 1e-6;

/**
 * Links on the way of a packet in a job of so many nodes, about. A job of k nodes is k^(1/d) wide, and two of its nodes are a
 * third of that apart on each axis. Neighbours are 1 apart, or 4 where a strategy scatters jobs.
 */
function wayOnMachine({ topology: { shape } }: Machine, { traffic }: StreamDescription): (size: number) => number {
  if (shape === undefined) return () => 4;
  if (traffic?.name === 'near-neighbour') return () => 2.5;
  const { length: dimensions } = shape;
  return (size) => 0.37 * dimensions * size ** (1 / dimensions);
}

/** Jobs of a replication, as far as those that are in the table tell; Infinity where they do not. */
export function replicationJobs({ end }: StreamDescription, { table, total = Infinity }: JobSource): number {
  if (end.kind === 'all') return total;
  const span = (table.submit[table.count - 1] ?? 0) - (table.submit[0] ?? 0);
  return Math.min(total, end.kind === 'time' ? (end.time * table.count) / span : end.jobs);
}

function expectedPackets({ traffic, service }: StreamDescription, size: number): number {
  if (service.kind !== 'network') return 0;
  switch (traffic?.name) {
    case 'one-to-all':
      return size - 1;
    case 'all-to-all':
      return size * (size - 1);
    case 'near-neighbour':
      return 4 * (size - Math.sqrt(size));
    case 'random':
      return 1;
    default:
      return 0;
  }
}

/**
 * Seconds on a usual machine: of a job, and of a packet in a channel (two events, and its share of waiting and of what the packet
 * costs). Measured on figures 4.1 to 4.8 of Alsardia 2017: 4 to 11 µs, and 70 to 120 ns.
 */
const perJob = 1e-5;
const perChannel = 9e-8;

export function secondsOfReplication({ experiment }: StreamExperiment, { jobs, channels, mapping }: JobSample): number {
  return experiment.repeat * jobs * (perJob + mapping + channels * perChannel);
}

/** As many as most experiments of the literature needed. */
const usualReplications = 60;

export const expectedReplications = (replications: Replications): number =>
  Math.min(mostOf(replications), replications.kind === 'until' ? usualReplications : Infinity);

/** Blocks of points whose work is counted; others are taken to be like them. */
const countedBlocks = 8;

/** Evenly from all of them. */
function someBlocks({ blocks }: ExperimentPlan): readonly (readonly Point[])[] {
  const count = Math.min(countedBlocks, blocks.length);
  return Array.from({ length: count }, (_, index) =>
    itemAt(blocks, Math.floor(((index + 0.5) * blocks.length) / count)),
  );
}

/** How often a mapping is simulated while the speed is looked for that saturates the network: strides of two, then bisection to 2 %. */
const trialsOfSpeed = 13;

/**
 * Of jobs that are placed and simulated. A mapping that comes again is not simulated again: one that draws no random numbers is
 * simulated once for all seeds. Nothing that counts once cancelled.
 */
export function secondsOfJobs(
  plan: ExperimentPlan,
  { replications, repeat, replay }: ExperimentDescription,
  runs: JobReplications,
  cancellation: Cancellation,
): number {
  const count = expectedReplications(replications);
  const seed = seedOf(replications, 0);
  const isOpen = replay !== undefined && replay.kind !== 'causal';
  const blocks = someBlocks(plan);
  const secondsOfBlock = (block: readonly Point[]): number => {
    const times = block.flatMap((point) => runs.timeOf(point, seed, cancellation) ?? []);
    const sum = (of: (time: PointTime) => number): number => times.reduce((total, time) => total + of(time), 0);
    const simulating = sum((time) => (isOpen || time.isDrawn ? count : 1) * repeat * time.simulating);
    // Half of the speeds are refused by the first mapping that is tried with them.
    const trials = replay?.kind === 'saturation' ? (trialsOfSpeed / 2) * (1 + 1 / Math.max(1, times.length)) : 0;
    return simulating + trials * sum((time) => time.simulating) + count * sum((time) => time.placing);
  };
  return (plan.blocks.length / blocks.length) * blocks.reduce((sum, block) => sum + secondsOfBlock(block), 0);
}

/** Of messages at rates. Nothing that counts once cancelled. */
export function secondsOfTraffic(
  plan: ExperimentPlan,
  { replications, repeat }: ExperimentDescription,
  runs: TrafficReplications,
  cancellation: Cancellation,
): number {
  const blocks = someBlocks(plan);
  const seconds = blocks.reduce(
    (sum, block) => sum + block.reduce((ofBlock, point) => ofBlock + runs.secondsOf(point, cancellation), 0),
    0,
  );
  return (plan.blocks.length / blocks.length) * expectedReplications(replications) * repeat * seconds;
}
