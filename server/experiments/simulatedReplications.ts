/**
 * Replications of a job and of traffic: a point of an experiment is placed or sent with a seed, simulated, and measured.
 *
 * A replication of a job has its mapping by its seed, and runs it `repeat` times with the random numbers of backgrounds 1, 2, 3 …, which
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
import { measureRate, trafficDestination, uniformDestination, type Destination } from '../simulation/rates.ts';
import type { JobDescription, PlacementDescription, Program, RecordedWorkload, StudyFiles } from '../study/program.ts';
import { defaultStudySettings } from '../study/report.ts';
import { simulatePlacement } from '../study/simulate.ts';
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
  readonly job: JobMaterials;
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
    const { machine, job } = this.#given;
    const mapper = JobMapper.of(machine, this.#lists.mapper.get(point.mapper ?? ''));
    if (!mapper.ok) return mapper.failure;
    const { network } = this.#simulationAt(point);
    const made = messageNetwork(network, machine);
    if (!made.ok) return made.failure;
    for (const content of [job.table, job.coordinates, job.trace]) if (content?.ok === false) return content.failure;
    return undefined;
  }

  replicate(point: Point, seed: number, stop: Cancellation): Result<ReplicationResult> {
    const placed = this.#place(point, seed, stop);
    if (!placed.ok) return placed;
    const figures = this.#simulated(point, placed.value, stop);
    if (!figures.ok) return figures;
    const { metrics } = placed.value;
    const { runs, ...means } = figures.value;
    const { repeat } = this.#given.experiment;
    const isFixed = placed.value.jobs.every(({ drewRandom }) => drewRandom !== true);
    const values: Partial<Record<ExperimentMetric, number>> = {
      ...means,
      averageHops: metrics.averageHops,
      weightedHops: metrics.weightedHops,
      hopBytes: metrics.hopBytes,
      maximumLinkLoad: metrics.maximumLinkLoad,
      ...(metrics.mappingCoefficient !== undefined && { mappingCoefficient: metrics.mappingCoefficient }),
    };
    return succeed({ metrics: values, jobs: repeat, ...(repeat > 1 && { runs }), ...(isFixed && { isFixed }) });
  }

  #simulationAt({ values }: Point): SimulationDescription {
    const { experiment } = this.#given;
    let varied = experiment;
    experiment.vary.forEach(({ path }, axis) => {
      varied = settingsAt(varied, path, itemAt(values, axis));
    });
    const { network = { switching: 'cut-through' }, replay = causal, background, budget } = varied;
    return { network, replay, ...(background && { background }), ...(budget && { budget }) };
  }

  /** The placement of a point with a seed: nodes and slots draw from it. */
  #place(point: Point, seed: number, stop: Cancellation): Result<PlacementReport> {
    const { experiment, machineDescription, job } = this.#given;
    const placement: PlacementDescription = {
      name: experiment.name,
      machine: machineDescription.name,
      jobs: [job.description.name],
      allocate: this.#lists.allocator.get(point.allocator ?? '') ?? everywhere,
      map: this.#lists.mapper.get(point.mapper ?? '') ?? inOrder,
      seed,
    };
    const study = runStudy(this.#program([placement]), this.#files, defaultStudySettings, {
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
    return fail(problem?.code ?? 'bad-experiment', problem?.message ?? `Job ${quote(job.description.name)} could not be placed.`); // prettier-ignore
  }

  #program(placements: readonly PlacementDescription[]): Program {
    const { machineDescription, job } = this.#given;
    return {
      machines: new Map([[machineDescription.name, machineDescription]]),
      jobs: new Map([[job.description.name, job.description]]),
      placements,
    };
  }

  /** Means of the runs of a placement, remembered by where its tasks lie. */
  #simulated(point: Point, report: PlacementReport, stop: Cancellation): Result<Figures> {
    const { experiment } = this.#given;
    const simulation = this.#simulationAt(point);
    // Without a background nothing is left to chance that the seed of the placement decides, but messages at a rate.
    const isOpen = simulation.replay.kind === 'open';
    const mappings = report.jobs.map(({ mapping }) => mapping);
    const key = JSON.stringify([point.values, fingerprintOf(...mappings), isOpen ? report.seed : 0]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const sums = { makespan: 0, latency: 0, throughput: 0 };
    const runs: Record<FigureKey, number[]> = { makespan: [], latency: [], throughput: [] };
    for (let run = 1; run <= experiment.repeat; run++) {
      const figures = this.#runOnce(
        { ...report, seed: isOpen ? report.seed * experiment.repeat + run : run },
        simulation,
        stop,
      );
      if (!figures.ok) {
        if (!stop.isCancelled()) this.#remember(key, figures);
        return figures;
      }
      for (const metric of figureKeys) {
        sums[metric] += figures.value[metric] / experiment.repeat;
        runs[metric].push(figures.value[metric]);
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

  #runOnce(
    report: PlacementReport,
    simulation: SimulationDescription,
    stop: Cancellation,
  ): Result<Record<FigureKey, number>> {
    const program = this.#program([]);
    const context = { cancellation: stop, now: () => 0, cache: this.#cache, figures: 'few' } as const;
    const simulated = simulatePlacement(program, this.#files, report, simulation, context);
    if (!simulated.ok) return simulated;
    const { end, result } = simulated.value;
    const why = endWords(report.machine, simulated.value);
    if (why !== undefined)
      return fail(end === 'deadlock' ? 'deadlock' : end === 'stuck' ? 'stuck' : 'over-budget', why);
    return succeed({
      makespan: result.makespan ?? Number.NaN,
      latency: result.latency.mean,
      throughput: throughputOf(result, report.machine.nodeCount),
    });
  }
}

/** What runs are averaged of. */
const figureKeys = ['makespan', 'latency', 'throughput'] as const;
type FigureKey = (typeof figureKeys)[number];
/** Their means, and each run of them. */
type Figures = Readonly<Record<FigureKey, number>> & { readonly runs: Readonly<Record<FigureKey, readonly number[]>> };

function filesOf({ machineFiles, job }: SimulatedJobExperiment): StudyFiles {
  const missing = fail('file-unreadable', 'The file was not read.');
  return {
    ...machineFiles,
    table: () => job.table ?? missing,
    coordinates: () => job.coordinates ?? missing,
    trace: () => job.trace ?? missing,
    given: (uri) => job.given.get(uri) ?? missing,
  };
}

const units: Readonly<Partial<Record<ExperimentMetric, string>>> = {
  ...{
    makespan: 'cycles',
    latency: 'cycles',
    throughput: 'flits/node/cycle',
    averageHops: 'hops',
    weightedHops: 'hops',
  },
  ...{ hopBytes: 'bytes', maximumLinkLoad: 'bytes', mappingCoefficient: 'bytes' },
};

/** Units of the metrics of jobs and of traffic. */
export const simulatedMetrics = (report: readonly ExperimentMetric[]): MetricDescription[] =>
  report.map((name) => ({ name, unit: units[name] ?? '', better: name === 'throughput' ? 'more' : 'less' }));

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
