/**
 * Replications of a job and of traffic: a point of an experiment is placed or sent with a seed, simulated, and measured.
 *
 * A replication of jobs has their mapping by its seed, and runs it `repeat` times with the random numbers of backgrounds 1, 2, 3 …, which
 * are the same for all mappings (common random numbers). A mapping that was simulated before is not simulated again.
 */
import { findEntry, type Choice } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import {
  namesOfChoices,
  type ExperimentDescription,
  type ExperimentMetric,
  type Sampling,
} from '../model/experiment.ts';
import type { GivenFile } from '../model/given.ts';
import type { TaskPositions } from '../model/job.ts';
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { seededRandom } from '../model/random.ts';
import type { PlacementReport } from '../model/report.ts';
import { cancelled, fail, quote, succeed, type Failure, type Result } from '../model/result.ts';
import { causal, settingsAt, type SimulationDescription } from '../model/simulation.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { MachineDescription, MachineFiles } from '../network/contract.ts';
import { fingerprintOf } from '../numeric/fingerprint.ts';
import { itemAt } from '../numeric/elements.ts';
import { messageNetwork } from '../simulation/engines.ts';
import type { ServerWaits, SimulationResult } from '../simulation/replay.ts';
import { measureRate, trafficDestination, uniformDestination, type Destination } from '../simulation/rates.ts';
import type { JobDescription, PlacementDescription, Program, RecordedWorkload, StudyFiles } from '../study/program.ts';
import { defaultStudySettings } from '../study/report.ts';
import { predictMessages, simulatePlacement } from '../study/simulate.ts';
import { endWords, throughputOf } from '../study/simulationJson.ts';
import { createStudyCache, runStudy } from '../study/study.ts';
import { patternTraffic } from '../traffic/build.ts';
import { patterns } from '../traffic/catalogue.ts';
import { JobMapper } from './jobMapping.ts';
import type { MetricDescription, Point } from './plan.ts';
import type { ReplicationResult } from './run.ts';

/** A job, and what the files hold that it and its allocators and mappers name. Plain data. */
export interface JobMaterials {
  readonly description: JobDescription;
  readonly table?: Result<TableEntries>;
  readonly coordinates?: Result<TaskPositions>;
  readonly trace?: Result<RecordedWorkload>;
  readonly given: ReadonlyMap<string, Result<GivenFile>>;
}

/** What a replication of a job is made of. */
export interface SimulatedJobExperiment {
  readonly experiment: ExperimentDescription;
  readonly machine: Machine;
  readonly machineDescription: MachineDescription;
  readonly machineFiles: MachineFiles;
  /** Placed together, at least one. */
  readonly jobs: readonly JobMaterials[];
}

/** Simulations that are remembered of one point: mappings that do not depend on the seed, and those that come again. */
const mostRemembered = 64;

const inOrder: Choice = { name: 'consecutive', options: {} };
const everywhere: Choice = { name: 'all', options: {} };

export class JobReplications {
  readonly #given: SimulatedJobExperiment;
  readonly #lists: { readonly allocator: ReadonlyMap<string, Choice>; readonly mapper: ReadonlyMap<string, Choice> };
  readonly #files: StudyFiles;
  readonly #cache = createStudyCache();
  readonly #known = new Map<string, Result<Figures>>();

  constructor(given: SimulatedJobExperiment) {
    const { allocate, map } = given.experiment;
    this.#given = given;
    this.#lists = { allocator: namesOfChoices(allocate), mapper: namesOfChoices(map) };
    this.#files = filesOf(given);
  }

  get names() {
    const { allocator, mapper } = this.#lists;
    return { schedulers: [], allocators: [...allocator.keys()], mappers: [...mapper.keys()] };
  }

  /** What would fail at once: the mapper, the network, or times that nobody gave. */
  faultOf(point: Point): Failure | undefined {
    const { machine, jobs } = this.#given;
    const mapper = JobMapper.of(machine, this.#lists.mapper.get(point.mapper ?? ''));
    if (!mapper.ok) return mapper.failure;
    const { simulation, jobs: descriptions } = this.#settingsAt(point);
    const made = messageNetwork(simulation.network, machine);
    if (!made.ok) return made.failure;
    const contents = jobs.flatMap(({ table, coordinates, trace }) => [table, coordinates, trace]);
    for (const content of contents) if (content?.ok === false) return content.failure;
    const [predicted] = this.#predicted;
    const restless = descriptions.find(({ rate }) => rate === undefined);
    if (predicted === undefined || restless === undefined) return undefined;
    return { code: 'no-times', message: `\`${predicted}\` is of messages at a rate, and job ${quote(restless.name)} has none: give it a \`rate\`.` }; // prettier-ignore
  }

  replicate(point: Point, seed: number, stop: Cancellation): Result<ReplicationResult> {
    const placed = this.#place(point, seed, stop);
    if (!placed.ok) return placed;
    const figures = this.#simulated(point, placed.value, stop);
    if (!figures.ok) return figures;
    const predicted = this.#predictedOf(point, placed.value, stop);
    if (predicted === undefined) return cancelled();
    const { metrics } = placed.value;
    const { runs, ...means } = figures.value;
    const { repeat } = this.#given.experiment;
    const isFixed = placed.value.jobs.every(({ drewRandom }) => drewRandom !== true);
    const values: Partial<Record<ExperimentMetric, number>> = {
      ...means,
      ...predicted,
      averageHops: metrics.averageHops,
      weightedHops: metrics.weightedHops,
      hopBytes: metrics.hopBytes,
      maximumLinkLoad: metrics.maximumLinkLoad,
      ...(metrics.mappingCoefficient !== undefined && { mappingCoefficient: metrics.mappingCoefficient }),
    };
    return succeed({ metrics: values, jobs: repeat, ...(repeat > 1 && { runs }), ...(isFixed && { isFixed }) });
  }

  /** How a point is simulated, and its jobs, with what is varied. */
  #settingsAt({ values }: Point): {
    readonly simulation: SimulationDescription;
    readonly jobs: readonly JobDescription[];
  } {
    const { experiment, jobs } = this.#given;
    let varied = { ...experiment, jobs: jobs.map(({ description }) => description) };
    experiment.vary.forEach(({ path }, axis) => {
      varied = settingsAt(varied, path, itemAt(values, axis));
    });
    const { network = { switching: 'cut-through' }, replay = causal, background, budget } = varied;
    const simulation = { network, replay, ...(background && { background }), ...(budget && { budget }) };
    return { simulation, jobs: varied.jobs };
  }

  get #predicted(): readonly ExperimentMetric[] {
    return this.#given.experiment.report.filter((metric) => metric.startsWith('predicted'));
  }

  /** What the queueing model says of a placement, without the simulation; nothing where nobody asks. Undefined if cancelled. */
  #predictedOf(
    point: Point,
    report: PlacementReport,
    stop: Cancellation,
  ): Partial<Record<ExperimentMetric, number>> | undefined {
    if (this.#predicted.length === 0) return {};
    const { replay } = this.#settingsAt(point).simulation;
    const variation = replay.kind === 'open' ? (replay.variation ?? 1) : 1;
    const predicted = predictMessages(report, variation, stop);
    if (predicted === undefined) return undefined;
    // What waits without end has no value.
    const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);
    return {
      predictedLatency: finite(predicted.time * units.queueing.latency.ofSecond),
      predictedSlowdown: finite(predicted.slowdown),
      predictedPortUtilisation: predicted.portUtilisation,
    };
  }

  /** The placement of a point with a seed: nodes and slots draw from it. */
  #place(point: Point, seed: number, stop: Cancellation): Result<PlacementReport> {
    const { experiment, machineDescription } = this.#given;
    const { jobs } = this.#settingsAt(point);
    const names = jobs.map(({ name }) => name);
    const placement: PlacementDescription = {
      name: experiment.name,
      machine: machineDescription.name,
      jobs: names,
      allocate: this.#lists.allocator.get(point.allocator ?? '') ?? everywhere,
      map: this.#lists.mapper.get(point.mapper ?? '') ?? inOrder,
      seed,
    };
    const study = runStudy(this.#program(jobs, [placement]), this.#files, defaultStudySettings, {
      cancellation: stop,
      cache: this.#cache,
      progress: () => undefined,
      // Budgets are in steps.
      now: () => 0,
    });
    if (stop.isCancelled()) return cancelled();
    const [report] = study.placements;
    if (report !== undefined) return succeed(report);
    const problem = study.problems.find(({ severity }) => severity === 'error');
    return fail(problem?.code ?? 'bad-experiment', problem?.message ?? `${names.map(quote).join(', ')} could not be placed.`); // prettier-ignore
  }

  #program(jobs: readonly JobDescription[], placements: readonly PlacementDescription[]): Program {
    const { machineDescription } = this.#given;
    return {
      machines: new Map([[machineDescription.name, machineDescription]]),
      jobs: new Map(jobs.map((job) => [job.name, job])),
      placements,
    };
  }

  /** Means of the runs of a placement, remembered by where its tasks lie. */
  #simulated(point: Point, report: PlacementReport, stop: Cancellation): Result<Figures> {
    const { experiment } = this.#given;
    const { simulation, jobs } = this.#settingsAt(point);
    // Without a background nothing is left to chance that the seed of the placement decides, but messages at a rate.
    const isOpen = simulation.replay.kind === 'open';
    const mappings = report.jobs.map(({ mapping }) => mapping);
    const key = JSON.stringify([point.values, fingerprintOf(...mappings), isOpen ? report.seed : 0]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const sums: Means = {};
    const runs: Runs = {};
    for (let run = 1; run <= experiment.repeat; run++) {
      const figures = this.#runOnce(
        { ...report, seed: isOpen ? report.seed * experiment.repeat + run : run },
        { simulation, jobs },
        stop,
      );
      if (!figures.ok) {
        if (!stop.isCancelled()) this.#remember(key, figures);
        return figures;
      }
      for (const [metric, value] of Object.entries(figures.value) as [ExperimentMetric, number][]) {
        sums[metric] = (sums[metric] ?? 0) + value / experiment.repeat;
        (runs[metric] ??= []).push(value);
      }
    }
    const found = succeed({ ...sums, runs });
    this.#remember(key, found);
    return found;
  }

  #remember(key: string, figures: Result<Figures>): void {
    if (this.#known.size >= mostRemembered) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(key, figures);
  }

  #runOnce(report: PlacementReport, run: SimulatedJobs, stop: Cancellation): Result<Means> {
    const whole = this.#resultOf(report, run, stop);
    if (!whole.ok) return whole;
    const { makespan = Number.NaN, latency, jobs, waits } = whole.value;
    const isQueueing = run.simulation.network.switching === 'queueing';
    const { secondsPerCycle = 1 } = whole.value;
    const timed = (metric: TimedMetric, cycles: number): number =>
      isQueueing ? cycles * secondsPerCycle * units.queueing[metric].ofSecond : cycles;
    const figures: Means = {
      makespan: timed('makespan', makespan),
      latency: timed('latency', latency.mean),
      throughput: throughputOf(whole.value, report.machine.nodeCount),
      totalFinish: timed('totalFinish', jobs.reduce((sum, { finish = Number.NaN }) => sum + finish, 0)), // prettier-ignore
      ...(waits && waitingFigures(waits, makespan, timed)),
    };
    if (!this.#given.experiment.report.includes('slowdown')) return succeed(figures);
    const alone = this.#resultOf({ ...report, jobs: report.jobs.slice(0, 1) }, run, stop);
    if (!alone.ok) return alone;
    return succeed({ ...figures, slowdown: itemAt(jobs, 0).latency / alone.value.latency.mean });
  }

  /** What one simulation gives that comes to its end. */
  #resultOf(
    report: PlacementReport,
    { simulation, jobs }: SimulatedJobs,
    stop: Cancellation,
  ): Result<SimulationResult> {
    const context = { cancellation: stop, now: () => 0, cache: this.#cache, figures: 'few' } as const;
    const simulated = simulatePlacement(this.#program(jobs, []), this.#files, report, simulation, context);
    if (!simulated.ok) return simulated;
    const { end, result } = simulated.value;
    const why = endWords(report.machine, simulated.value);
    if (why === undefined) return succeed(result);
    return fail(end === 'deadlock' ? 'deadlock' : end === 'stuck' ? 'stuck' : 'over-budget', why);
  }
}

interface SimulatedJobs {
  readonly simulation: SimulationDescription;
  readonly jobs: readonly JobDescription[];
}

/** What runs are averaged of. */
type Means = Partial<Record<ExperimentMetric, number>>;
type Runs = Partial<Record<ExperimentMetric, number[]>>;
/** Their means, and each run of them. */
type Figures = Means & { readonly runs: Runs };

/** Sums over all messages (Soryani et al. 2013, section 5.1), and how busy the busiest port was. */
function waitingFigures(
  { server, waited, busiest }: ServerWaits,
  makespan: number,
  timed: (metric: TimedMetric, cycles: number) => number,
): Means {
  const sumOf = (kinds: ServerWaits['server']): number =>
    kinds.reduce((sum, kind) => sum + (waited[server.indexOf(kind)] ?? 0), 0);
  const [atInterfaces, atMemories] = [sumOf(['queuePair', 'processing', 'port']), sumOf(['memory', 'cache'])];
  return {
    totalWaiting: timed('totalWaiting', atInterfaces + atMemories),
    totalInterfaceWaiting: timed('totalInterfaceWaiting', atInterfaces),
    totalMemoryWaiting: timed('totalMemoryWaiting', atMemories),
    portUtilisation: (busiest[server.indexOf('port')] ?? 0) / makespan,
  };
}

function filesOf({ machineFiles, jobs }: SimulatedJobExperiment): StudyFiles {
  const missing = fail('file-unreadable', 'The file was not read.');
  const sourceOf = (wanted: (source: JobDescription['source']) => boolean): JobMaterials | undefined =>
    jobs.find(({ description }) => wanted(description.source));
  return {
    ...machineFiles,
    table: (uri) => sourceOf((source) => source.kind === 'table-file' && source.uri === uri)?.table ?? missing,
    coordinates: (uri) => jobs.find(({ description }) => description.coordinates === uri)?.coordinates ?? missing,
    trace: (uri) => sourceOf((source) => source.kind === 'trace' && source.uri === uri)?.trace ?? missing,
    given: (uri) => jobs[0]?.given.get(uri) ?? missing,
  };
}

/** Of times between servers: how many of the unit a second has. Networks of packets count cycles. */
const units = {
  queueing: {
    makespan: { unit: 's', ofSecond: 1 },
    totalFinish: { unit: 's', ofSecond: 1 },
    latency: { unit: 'us', ofSecond: 1e6 },
    predictedLatency: { unit: 'us', ofSecond: 1e6 },
    totalWaiting: { unit: 'ms', ofSecond: 1e3 },
    totalInterfaceWaiting: { unit: 'ms', ofSecond: 1e3 },
    totalMemoryWaiting: { unit: 'ms', ofSecond: 1e3 },
  },
  others: {
    ...{ averageHops: 'hops', weightedHops: 'hops' },
    ...{ hopBytes: 'bytes', maximumLinkLoad: 'bytes', mappingCoefficient: 'bytes' },
  },
} as const;
type TimedMetric = keyof typeof units.queueing;

const isTimed = (metric: string): metric is TimedMetric => metric in units.queueing;

function unitOf(metric: ExperimentMetric, isQueueing: boolean): string {
  if (isTimed(metric)) return isQueueing ? units.queueing[metric].unit : 'cycles';
  // A flit of a message between servers is a byte.
  if (metric === 'throughput') return isQueueing ? 'bytes/node/ns' : 'flits/node/cycle';
  return metric in units.others ? units.others[metric as keyof typeof units.others] : '';
}

/** Units of the metrics of jobs and of traffic on a network. */
export const simulatedMetrics = (
  report: readonly ExperimentMetric[],
  network: NetworkModel | undefined,
): MetricDescription[] =>
  report.map((name) => ({
    name,
    unit: unitOf(name, network?.switching === 'queueing'),
    better: name === 'throughput' ? 'more' : 'less',
  }));

/** What a replication of traffic is made of. */
export interface SimulatedTraffic {
  readonly experiment: ExperimentDescription;
  readonly machine: Machine;
}

/** Bytes of a flit, and flits of a packet; 4 and 8 where the network does not say. */
const packetOf = ({ flit = 4, packet = 8 }: NetworkModel) => ({ flit, packet });

export const usualSampling: Sampling = { warmUp: 10_000, sample: 1000, samples: 30 };

/** Messages of one packet between all nodes, at the rate that is varied, in flits of a node and cycle. */
export class TrafficReplications {
  readonly #given: SimulatedTraffic;
  readonly #patterns: ReadonlyMap<string, Choice>;

  constructor(given: SimulatedTraffic) {
    const { subject } = given.experiment;
    this.#given = given;
    this.#patterns = namesOfChoices(subject.kind === 'traffic' ? subject.patterns : []);
  }

  get names() {
    return { schedulers: [], allocators: [], mappers: [], patterns: [...this.#patterns.keys()] };
  }

  faultOf(point: Point): Failure | undefined {
    const settings = this.#settingsAt(point);
    const made = messageNetwork(settings.network, this.#given.machine);
    if (!made.ok) return made.failure;
    const destination = this.#destinationOf(point, made.value.endpoints);
    return destination.ok ? undefined : destination.failure;
  }

  replicate(point: Point, seed: number, stop: Cancellation): Result<ReplicationResult> {
    const { experiment, machine } = this.#given;
    const { network, rate } = this.#settingsAt(point);
    const { flit, packet } = packetOf(network);
    const made = messageNetwork(network, machine);
    if (!made.ok) return made;
    const destination = this.#destinationOf(point, made.value.endpoints);
    if (!destination.ok) return destination;
    const sampling = experiment.sampling ?? usualSampling;
    const random = seededRandom(seed);
    const measured = measureRate(
      (observer) => messageNetwork(network, machine, observer, random.copy()),
      {
        ends: made.value.endpoints === 'slots' ? machine.slotCount : machine.nodeCount,
        destination: destination.value,
        bytes: flit * packet,
        messagesPerCycle: rate / packet,
      },
      sampling,
      random,
      stop,
    );
    if (!measured.ok) return measured;
    const { end, latency, throughput, deadlock } = measured.value;
    if (end === 'deadlock') {
      return fail('deadlock', `Nothing can move any more since cycle ${deadlock?.since ?? 0}: give the network more \`channels\`, a \`bubble\`, or the machine another routing.`); // prettier-ignore
    }
    const isSaturated = end === 'saturated';
    const notices = [`Beyond saturation at ${rate} flits of a node and cycle: the latency grows for as long as it is measured.`]; // prettier-ignore
    const metrics = { latency: isSaturated ? Number.NaN : meanOf(latency), throughput: meanOf(throughput) };
    return succeed({ metrics, jobs: 1, ...(isSaturated && { notices }) });
  }

  #settingsAt({ values }: Point) {
    const { experiment } = this.#given;
    let varied = experiment;
    let rate = 0;
    experiment.vary.forEach(({ path }, axis) => {
      if (path === 'rate') rate = itemAt(values, axis);
      else varied = settingsAt(varied, path, itemAt(values, axis));
    });
    return { network: varied.network ?? ({ switching: 'cut-through' } as const), rate };
  }

  /** `transpose` needs a square number of ends, as a job of so many tasks does. */
  #destinationOf({ pattern = 'uniform' }: Point, endpoints: 'nodes' | 'slots'): Result<Destination> {
    const { machine } = this.#given;
    const ends = endpoints === 'slots' ? machine.slotCount : machine.nodeCount;
    if (ends < 2)
      return fail('bad-experiment', `Machine ${quote(machine.name)} has one node: nobody is there to send to.`);
    const name = this.#patterns.get(pattern)?.name ?? 'uniform';
    if (name === 'uniform') return succeed(uniformDestination(ends));
    const entry = findEntry(patterns, name);
    if (entry === undefined)
      return fail('unknown-pattern', `There is no pattern ${quote(name)} of traffic without jobs.`);
    const request = { taskCount: ends, periodic: false, random: seededRandom(1), options: {}, cancellation: never };
    const traffic = patternTraffic(entry, request, 1);
    return traffic.ok ? succeed(trafficDestination(traffic.value)) : traffic;
  }
}

const never: Cancellation = { isCancelled: () => false };

function meanOf(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
