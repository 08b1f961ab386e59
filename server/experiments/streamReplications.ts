/**
 * Replications of a stream: simulates a point of an experiment with a seed, and measures what the experiment reports.
 *
 * What does not depend on the mapper is simulated once for all mappers: points that differ in it alone come one after the
 * other, and the last run is kept.
 */
import { appendAll, largestOf, leastOf } from '../model/lists.ts';
import { finders } from '../allocation/catalogue.ts';
import type { FinderEntry } from '../allocation/contract.ts';
import { findEntry, type Choice } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { namesOfChoices, type ExperimentDescription } from '../model/experiment.ts';
import type { JobLog } from '../model/jobLog.ts';
import { fastestBandwidth, type Machine } from '../model/machine.ts';
import { beyondStreams, type NetworkModel } from '../model/networkModel.ts';
import { formatNumber } from '../model/quantities.ts';
import { drawSeed, seededRandom } from '../model/random.ts';
import { cancelled, cancelledCode, fail, quote, succeed, type Failure, type Result } from '../model/result.ts';
import { streamAt, type StreamDescription } from '../model/stream.ts';
import { channelName } from '../network/names.ts';
import { byteAt, intAt, realAt } from '../numeric/elements.ts';
import { seriesOf } from '../scheduling/metrics.ts';
import { replicate, type ReplicationOutcome } from '../scheduling/replicate.ts';
import type { StreamRun } from '../scheduling/streamRun.ts';
import { type Deadlock, longestPacket, type StreamNetwork } from '../simulation/messages.ts';
import { streamNetwork } from '../simulation/engines.ts';
import { flitTimes, hasSlowPorts } from '../simulation/engines/flitTimes.ts';
import { thesisOptions } from '../simulation/engines/headers/wormholeOptions.ts';
import { JobMapper, stencilShape } from './jobMapping.ts';
import { RepeatedRuns, streamMeans } from './measures.ts';
import { variedAt, type Point } from './plan.ts';
import type { ReplicationResult } from './run.ts';

/** A replication with all that happened in it, for pictures and tables of jobs. */
export interface ReplicationTrace extends ReplicationOutcome {
  readonly seed: number;
  /**
   * Mean hops between the processes of each job that talk: of its packets where a network carries them, else of its stencil.
   * NaN of jobs that have none, or that are not measured; empty where nobody asked for them.
   */
  readonly hops: Float64Array;
}

/** What is wanted of a trace beside what happened. */
export interface TraceOptions {
  /** Also the hops of each job, which takes as long as mapping them does. */
  readonly withHops?: boolean;
  /** Told of the jobs that have left, whenever some do. */
  readonly progress?: (completed: number) => void;
}

/** What a replication of a stream is made of. */
export interface SimulatedStream {
  readonly experiment: ExperimentDescription;
  readonly machine: Machine;
  readonly stream: StreamDescription;
  readonly log: JobLog | undefined;
}

type Named = ReadonlyMap<string, Choice>;

const noHops = new Float64Array(0);

export class StreamReplications {
  readonly #given: SimulatedStream;
  readonly #lists: { readonly scheduler: Named; readonly allocator: Named; readonly mapper: Named };
  readonly #mappers = new Map<string | undefined, JobMapper>();
  readonly #reportsHops: boolean;
  /** The last run without a network, which all mappers share. */
  #last: { readonly key: string; readonly outcome: ReplicationOutcome } | undefined;

  constructor(given: SimulatedStream) {
    const { schedule, allocate, map, report } = given.experiment;
    this.#given = given;
    this.#lists = {
      scheduler: namesOfChoices(schedule),
      allocator: namesOfChoices(allocate),
      mapper: namesOfChoices(map),
    };
    this.#reportsHops = report.includes('averageHops');
  }

  /** The names of what is crossed, as points have them. */
  get names() {
    const { scheduler, allocator, mapper } = this.#lists;
    return { schedulers: [...scheduler.keys()], allocators: [...allocator.keys()], mappers: [...mapper.keys()] };
  }

  /** What would fail at once: the stream, scheduler, allocator, mapper or network of a point. */
  faultOf(point: Point): Failure | undefined {
    const mapper = this.#mapperOf(point);
    if (!mapper.ok) return mapper.failure;
    const outcome = this.#simulate(point, 1, { isCancelled: () => true }, false);
    return outcome.ok || outcome.failure.code === cancelledCode ? undefined : outcome.failure;
  }

  /** The means of `repeat` runs; the first one has the seed itself. */
  replicate(point: Point, seed: number, stop: Cancellation): Result<ReplicationResult> {
    const { repeat, report, steadyState } = this.#given.experiment;
    const random = seededRandom(seed);
    const runs = new RepeatedRuns(repeat);
    const notices: string[] = [];
    let jobs = 0;
    let isFixed = true;
    let series: ReplicationResult['series'];
    for (let run = 0; run < repeat; run++) {
      const outcome = this.#outcomeOf(point, run === 0 ? seed : drawSeed(random), stop);
      if (!outcome.ok) return outcome;
      const fault = faultOfRun(this.#given.machine, outcome.value.run);
      if (fault !== undefined) return { ok: false, failure: fault };
      const hops = this.#reportsHops ? this.#hopsOf(point, outcome.value, stop) : succeed(noHops);
      if (!hops.ok) return hops;
      runs.add(streamMeans(report, outcome.value, hops.value));
      jobs += outcome.value.run.completed.length;
      isFixed &&= !outcome.value.drewRandom && !this.#mapperDraws(point);
      if (steadyState !== undefined) {
        series = seriesOf(outcome.value.run, outcome.value.metrics.warmUpJobs, outcome.value.shortestService);
      }
      if (run === 0) appendAll(notices, streamNotices(outcome.value));
    }
    return succeed({ metrics: runs.means, jobs, ...whereThereAre({ isFixed, series, notices }) });
  }

  /** The first run of a replication, with the nodes of its jobs. */
  trace(
    point: Point,
    seed: number,
    stop: Cancellation,
    { withHops = false, progress }: TraceOptions = {},
  ): Result<ReplicationTrace> {
    const outcome = this.#simulate(point, seed, stop, true, progress);
    if (!outcome.ok) return outcome;
    const hops = withHops ? this.#hopsOf(point, outcome.value, stop) : succeed(noHops);
    return hops.ok ? succeed({ ...outcome.value, seed, hops: hops.value }) : hops;
  }

  #outcomeOf(point: Point, seed: number, stop: Cancellation): Result<ReplicationOutcome> {
    const { stream, experiment } = this.#given;
    // The network carries messages of mapped processes; without it nodes are kept for the hops alone.
    if (stream.service.kind === 'network') return this.#simulate(point, seed, stop, false);
    const key = JSON.stringify([point.values, point.scheduler, point.allocator, seed]);
    if (this.#last?.key === key) return succeed(this.#last.outcome);
    const outcome = this.#simulate(point, seed, stop, this.#reportsHops);
    if (outcome.ok && experiment.map.length > 1) this.#last = { key, outcome: outcome.value };
    return outcome;
  }

  #simulate(
    point: Point,
    seed: number,
    stop: Cancellation,
    keepNodes: boolean,
    progress?: TraceOptions['progress'],
  ): Result<ReplicationOutcome> {
    const { experiment, machine, log } = this.#given;
    const stream = streamOf(this.#given, point);
    if (!stream.ok) return stream;
    const schedule = this.#lists.scheduler.get(point.scheduler ?? '');
    if (schedule === undefined) return fail('unknown-scheduler', 'The experiment has no scheduler.');
    const allocator = allocatorOf(machine, this.#lists.allocator.get(point.allocator ?? ''));
    if (!allocator.ok) return allocator;
    const network =
      stream.value.service.kind === 'network' ? emptyStreamNetwork(machine, experiment.network) : undefined;
    if (network?.ok === false) return network;
    const mapper = this.#mapperOf(point);
    if (!mapper.ok) return mapper;
    let failure: Failure | undefined;
    const outcome = replicate({
      stream: stream.value,
      ...(log && { log }),
      seed,
      nodeCount: machine.nodeCount,
      broken: machine.topology.faults?.nodes,
      schedule,
      allocator: allocator.value,
      ...(network && { network: network.value }),
      placeProcesses: (job, jobs, nodes, source) => {
        const placed = mapper.value.place(job, jobs, nodes, source, stop);
        if (placed.ok) return placed.value;
        failure ??= placed.failure;
        return nodes;
      },
      keepNodes,
      cancellation: { isCancelled: () => failure !== undefined || stop.isCancelled() },
      ...(progress && { progress }),
    });
    return failure === undefined ? outcome : { ok: false, failure };
  }

  #mapperOf({ mapper: name }: Point): Result<JobMapper> {
    const known = this.#mappers.get(name);
    if (known !== undefined) return succeed(known);
    const made = JobMapper.of(this.#given.machine, name === undefined ? undefined : this.#lists.mapper.get(name));
    if (made.ok) this.#mappers.set(name, made.value);
    return made;
  }

  /** Whether what was mapped by now at the point depends on the seed. */
  #mapperDraws(point: Point): boolean {
    const mapper = this.#mapperOf(point);
    return mapper.ok && mapper.value.drewRandom;
  }

  /** Of each job: see {@link ReplicationTrace}. */
  #hopsOf(point: Point, { run, metrics }: ReplicationOutcome, stop: Cancellation): Result<Float64Array> {
    const { jobs, messages, completed } = run;
    const hops = new Float64Array(jobs.count).fill(Number.NaN);
    const measured = completed.subarray(metrics.warmUpJobs).filter((job) => byteAt(jobs.measured, job) === 1);
    if (messages !== undefined) {
      for (const job of measured) hops[job] = realAt(messages.hops, job) / realAt(messages.packets, job);
      return succeed(hops);
    }
    const mapper = this.#mapperOf(point);
    if (!mapper.ok) return mapper;
    for (const job of measured) {
      const nodes = run.nodes[job]?.subarray(0, intAt(jobs.processors, job));
      if (nodes === undefined || nodes.length < 2 || !fits(this.#given.machine, stencilShape(job, jobs))) continue;
      if (stop.isCancelled()) return cancelled();
      const mean = mapper.value.stencilHops(job, jobs, nodes, stop);
      if (!mean.ok) return mean;
      hops[job] = mean.value;
    }
    return succeed(hops);
  }
}

/** What a replication has besides its metrics. */
const whereThereAre = ({
  isFixed,
  series,
  notices,
}: {
  readonly isFixed: boolean;
  readonly series: ReplicationResult['series'];
  readonly notices: readonly string[];
}): Pick<ReplicationResult, 'isFixed' | 'series' | 'notices'> => ({
  ...(isFixed && { isFixed }),
  ...(series && { series }),
  ...(notices.length > 0 && { notices }),
});

/** The stream of a point, with its messages counted in flits. */
function streamOf({ experiment, stream }: SimulatedStream, { values }: Point): Result<StreamDescription> {
  const varied = variedAt(experiment, values, stream, streamAt);
  const { messages, messageLength } = varied;
  const counts = [messages, messageLength.amount];
  if (counts.some((count) => !Number.isInteger(count) || count < 1)) {
    return fail(
      'bad-stream',
      `Stream ${stream.name} has ${messages} of ${messageLength.amount} ${messageLength.unit}; expected whole numbers from 1.`,
    );
  }
  if (varied.service.kind !== 'network') return succeed(varied);
  if (messageLength.unit === 'flits') return withPackets(varied, messageLength.amount);
  const flit = experiment.network?.flit;
  if (flit === undefined) {
    return fail(
      'bad-stream',
      `Message sizes of stream ${stream.name} are in bytes; the network has no flit size. Write \`flit 4 B\` in the network.`,
    );
  }
  return withPackets(varied, Math.ceil(messageLength.amount / flit));
}

/** Each message of a stream is one packet. */
function withPackets(stream: StreamDescription, flits: number): Result<StreamDescription> {
  if (flits <= longestPacket) return succeed({ ...stream, messageLength: { unit: 'flits', amount: flits } });
  return fail(
    'bad-stream',
    `Messages of stream ${stream.name} have ${formatNumber(flits)} flits; the maximum is ${formatNumber(longestPacket)}. Use shorter and more messages.`,
  );
}

function allocatorOf(machine: Machine, choice: Choice | undefined) {
  const entry: FinderEntry | undefined = choice && findEntry(finders, choice.name);
  if (choice === undefined || entry === undefined) {
    return fail('does-not-apply', `Allocator ${quote(choice?.name ?? 'none')} does not support job streams.`);
  }
  const { contiguous } = entry;
  return succeed({
    contiguous,
    finder: (random: Parameters<FinderEntry['finder']>[2]) => entry.finder(machine, choice.options, random),
  });
}

/**
 * A network of that model, empty. Fails with `not-evaluated-yet` where no engine of this version simulates it, and with `does-not-apply` where links
 * are not all as fast: a channel of header events carries one flit a cycle.
 */
function emptyStreamNetwork(machine: Machine, model: NetworkModel | undefined): Result<StreamNetwork> {
  if (model === undefined) {
    return fail('no-network', 'Messages of jobs need a network. Write `network wormhole(router 3, buffer 1)`.');
  }
  const unknown = beyondStreams(model);
  if (unknown !== undefined) {
    return fail(
      'not-evaluated-yet',
      `\`${unknown}\` does not apply here. Streams use wormhole switching with one virtual channel.`,
    );
  }
  if (flitTimes(machine) !== undefined || hasSlowPorts(machine)) {
    return fail(
      'does-not-apply',
      `Machine ${quote(machine.name)} has different link bandwidths; streams need one \`bandwidth\`. Otherwise simulate placements or jobs.`,
    );
  }
  const routing = model.router === undefined ? thesisOptions.routing : routerDelayCycles(machine, model, model.router);
  if (typeof routing !== 'number') return routing;
  return streamNetwork({ ...model, router: { unit: 'cycles', amount: routing } }, machine);
}

/** A cycle is the time in which a link carries a flit. */
function routerDelayCycles(
  machine: Machine,
  { flit }: NetworkModel,
  { unit, amount }: NonNullable<NetworkModel['router']>,
): number | Result<never> {
  if (unit === 'cycles') return amount;
  const bandwidth = fastestBandwidth(machine);
  if (flit === undefined || bandwidth === undefined) {
    return fail(
      'no-network',
      `A delay in seconds needs \`flit 4 B\` and the bandwidth of machine ${quote(machine.name)}.`,
    );
  }
  return Math.round((amount * bandwidth) / flit);
}

/** Whether a grid of processes fits a machine of two dimensions, turned or not; on others it is not asked. */
export function fits({ topology: { shape } }: Machine, sides: readonly [number, number]): boolean {
  const [columns, rows] = shape ?? [];
  if (columns === undefined || rows === undefined || shape?.length !== 2) return true;
  return largestOf(sides) <= Math.max(columns, rows) && leastOf(sides) <= Math.min(columns, rows);
}

/** Where a run did not come to an end that answers what was asked. */
function faultOfRun(machine: Machine, { end, deadlock, notices }: StreamRun): Failure | undefined {
  if (end === 'as-asked' || end === 'no-more-jobs') return undefined;
  const [message = 'The run was cancelled.'] = notices;
  if (deadlock === undefined) return { code: 'stopped', message };
  return { code: 'deadlock', message: `${message} ${circleOf(machine, deadlock)}` };
}

/** Packets of a circle that are told of. */
const mostWaits = 8;

function circleOf(machine: Machine, { waits }: Deadlock): string {
  const shown = waits.slice(0, mostWaits);
  const told = shown.map(({ packet, wants }) => `packet ${packet} waits for link ${channelName(machine, wants)}`);
  const more = waits.length > shown.length ? `, and ${waits.length - shown.length} more` : '';
  return `Cyclic channel dependency: ${told.join(', ')}${more}.`;
}

/** What the user should know of a run that is an answer. */
function streamNotices({ run: { notices, refusals } }: ReplicationOutcome): string[] {
  return [
    ...notices,
    ...refusals.map(({ reason, count, lines }) => {
      const shown = lines.slice(0, 3).join(', ');
      return `${count} ${count === 1 ? 'job was' : 'jobs were'} rejected: ${reason} (job ${shown}${count > 3 ? ', …' : ''}).`;
    }),
  ];
}
