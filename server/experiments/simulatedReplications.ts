/**
 * Replications of a job: a point of an experiment is placed with a seed, simulated, and measured.
 *
 * A replication of jobs has their mapping by its seed, and runs it `repeat` times with the random numbers of backgrounds 1, 2, 3 …, which
 * are the same for all mappings (common random numbers). A mapping that was simulated before is not simulated again.
 */
import { mappers } from '../mapping/catalogue.ts';
import { secondsOfMapping } from '../mapping/contract.ts';
import { findEntry, type Choice } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { namesOfChoices, type ExperimentDescription } from '../model/experiment.ts';
import { keyOfSource, type GivenFile } from '../model/given.ts';
import type { TaskPositions } from '../model/job.ts';
import { workingNodeCount, type Machine } from '../model/machine.ts';
import { experimentMetric, isBesideOthers, isStaticMetric, type ExperimentMetric } from '../model/metrics.ts';
import { slotNoun } from '../model/nodeInside.ts';
import type { PlacementReport } from '../model/report.ts';
import { cancelled, fail, quote, succeed, type Failure, type Result } from '../model/result.ts';
import { causal, settingsAt, type SimulationDescription } from '../model/simulation.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { MachineFiles } from '../network/contract.ts';
import { fingerprintOf } from '../numeric/fingerprint.ts';
import { countOf } from '../model/quantities.ts';
import { messageNetwork } from '../simulation/engines.ts';
import type { PacketSeries } from '../simulation/recording.ts';
import type {
  JobDescription,
  PlacementDescription,
  Program,
  RecordedWorkload,
  StudyFiles,
  StudyProblem,
} from '../study/program.ts';
import { defaultStudySettings } from '../study/report.ts';
import { OfferedLoad, saturationSpeed, type SaturationWanted } from '../performance/saturation.ts';
import {
  predictMessages,
  prepareSimulation,
  problemsOfJobs,
  simulatePlacement,
  type SimulatedPlacement,
  type SimulationContext,
} from '../performance/simulate.ts';
import { whyNotComplete } from '../performance/simulationWords.ts';
import { secondsOfWork, workOfPlacement } from '../performance/simulationTime.ts';
import { createStudyCache, runStudy } from '../study/study.ts';
import { JobMapper } from './jobMapping.ts';
import { placementMeans, predictedMeans, RepeatedRuns, simulatedMeans, type Means } from './measures.ts';
import { variedAt, type Point } from './plan.ts';
import type { ReplicationResult } from './run.ts';
import type { VariedMachines } from './variedMachines.ts';

/** A job, and what the files hold that it and its allocators and mappers name. Plain data. */
export interface JobInputs {
  readonly description: JobDescription;
  readonly table?: Result<TableEntries>;
  readonly coordinates?: Result<TaskPositions>;
  readonly trace?: Result<RecordedWorkload>;
  /** By {@link keyOfSource}. */
  readonly given: ReadonlyMap<string, Result<GivenFile>>;
}

/** What a replication of a job is made of. */
export interface SimulatedJobExperiment {
  readonly experiment: ExperimentDescription;
  readonly machines: VariedMachines;
  readonly machineFiles: MachineFiles;
  /** Placed together, or each by itself where the experiment crosses them; at least one. */
  readonly jobs: readonly JobInputs[];
}

/** Simulations that are remembered of one point: mappings that do not depend on the seed, and those that come again. */
const mostRemembered = 64;

const inOrder: Choice = { name: 'consecutive', options: {} };
const everywhere: Choice = { name: 'all', options: {} };
const atRandom: Choice = { name: 'random', options: {} };

/** No name that a user can write. */
const othersName = 'other jobs';

/** Other jobs as one that has all cores of its nodes and sends nothing; none where the share of nodes is 0. */
function othersOn(machine: Machine, share: number): readonly JobDescription[] {
  const taskCount = Math.round(share * workingNodeCount(machine)) * machine.coresPerNode;
  if (taskCount === 0) return [];
  const entries = { size: taskCount, from: new Int32Array(0), to: new Int32Array(0), amount: new Float64Array(0) };
  const source = { kind: 'table', name: othersName, unit: 'bytes', entries } as const;
  return [
    { name: othersName, taskCount, periodic: false, source, bytes: undefined, messages: undefined, rate: undefined },
  ];
}

/** Why no allocator finds room for the jobs; the others hold whole nodes. */
function faultOfJobSizes(machine: Machine, jobs: readonly JobDescription[], busy: number): Failure | undefined {
  const taken = othersOn(machine, busy).reduce((sum, { taskCount }) => sum + taskCount, 0);
  const free = workingNodeCount(machine) * machine.coresPerNode - taken;
  const needed = jobs.reduce((sum, { taskCount }) => sum + taskCount, 0);
  if (needed <= free) return undefined;
  const others = taken === 0 ? '' : ' beside the other jobs';
  const [who, verb] = jobs.length === 1 ? ['the job', 'needs'] : ['the jobs', 'need'];
  return {
    code: 'does-not-fit',
    message: `Machine ${quote(machine.name)} has ${countOf(free, `free ${slotNoun(machine.inside.slots)}`)}${others}, and ${who} ${verb} ${needed}. Use a larger machine or fewer tasks.`,
  };
}

/** Processor seconds of a replication. */
export interface PointTime {
  /** Of one simulation; 0 where nothing is simulated. */
  readonly simulating: number;
  /** Of placing its jobs and measuring where they are. */
  readonly placing: number;
  /** Each seed places them anew. */
  readonly isDrawn: boolean;
}

/** A mapper that takes less is run for an estimate. */
const mostSecondsOfLook = 0.05;
/** Of a placement without its mapper, and of each pair of tasks in it: seconds. */
const [perPlacement, perPair] = [5e-4, 1e-6];

export class JobReplications {
  readonly #given: SimulatedJobExperiment;
  readonly #lists: { readonly allocator: ReadonlyMap<string, Choice>; readonly mapper: ReadonlyMap<string, Choice> };
  readonly #files: StudyFiles;
  readonly #cache = createStudyCache();
  readonly #known = new Map<string, Result<Simulated>>();

  constructor(given: SimulatedJobExperiment) {
    const { allocate, map } = given.experiment;
    this.#given = given;
    this.#lists = { allocator: namesOfChoices(allocate), mapper: namesOfChoices(map) };
    this.#files = experimentFiles(given);
  }

  get names() {
    const { allocator, mapper } = this.#lists;
    return { schedulers: [], allocators: [...allocator.keys()], mappers: [...mapper.keys()] };
  }

  /** What is wrong with the jobs and the files that they name, as a study says it: errors and warnings. */
  problemsAt(point: Point, stop: Cancellation): readonly StudyProblem[] {
    return problemsOfJobs(this.#program(point, this.#settingsAt(point).jobs, []), this.#files, this.#context(stop));
  }

  /** What would fail at once: the mapper, too few cores, the network, or times that nobody gave. */
  faultOf(point: Point, stop: Cancellation): Failure | undefined {
    const { machines, jobs } = this.#given;
    const machine = machines.at(point, stop);
    if (!machine.ok) return machine.failure;
    const mapper = JobMapper.of(machine.value, this.#lists.mapper.get(point.mapper ?? ''));
    if (!mapper.ok) return mapper.failure;
    const { simulation, jobs: descriptions } = this.#settingsAt(point);
    const crowded = faultOfJobSizes(machine.value, descriptions, this.#given.experiment.busy ?? 0);
    if (crowded !== undefined) return crowded;
    if (!this.#isStatic) {
      const made = messageNetwork(simulation.network, machine.value, undefined, undefined, stop);
      if (!made.ok) return made.failure;
      if (simulation.replay.kind === 'open' && made.value.secondsPerCycle === undefined) {
        return {
          code: 'no-times',
          message: `Send times in seconds need a link bandwidth. Add \`bandwidth\` to machine \`${machine.value.name}\`.`,
        };
      }
    }
    const contents = jobs.flatMap(({ table, coordinates, trace }) => [table, coordinates, trace]);
    for (const content of contents) if (content?.ok === false) return content.failure;
    const predicted = this.#predicted;
    const restless = descriptions.find(({ rate }) => rate === undefined);
    if (predicted === undefined || restless === undefined) return undefined;
    return {
      code: 'no-times',
      message: `\`${predicted}\` needs a message rate; job ${quote(restless.name)} has none. Add \`rate\`.`,
    };
  }

  /** The speed at which the network is saturated with each of the mappings of a seed. One job alone. */
  findSpeed(block: readonly Point[], seed: number, stop: Cancellation): Result<number> {
    const loads: OfferedLoad[] = [];
    let wanted: SaturationWanted = { delivered: 1, mappings: 'all' };
    for (const point of block) {
      const placed = this.#place(point, seed, stop);
      if (!placed.ok) return placed;
      const { simulation, jobs, wanted: wantedHere = wanted } = this.#settingsAt(point);
      wanted = wantedHere;
      const program = this.#program(point, jobs, []);
      const prepared = prepareSimulation(program, this.#files, placed.value, simulation, this.#context(stop));
      if (!prepared.ok) return prepared;
      const load = OfferedLoad.of(prepared.value.simulation, stop);
      if (!load.ok) return load;
      loads.push(load.value);
    }
    return saturationSpeed(loads, wanted, stop);
  }

  replicate(point: Point, seed: number, stop: Cancellation, speed?: number): Result<ReplicationResult> {
    const placed = this.#place(point, seed, stop);
    if (!placed.ok) return placed;
    const { report, repeat, busy = 0 } = this.#given.experiment;
    const simulated: Result<Partial<Simulated>> = this.#isStatic
      ? succeed({})
      : this.#simulated(point, placed.value, stop, speed);
    if (!simulated.ok) return simulated;
    const predicted = this.#predictedOf(point, placed.value, stop);
    if (predicted === undefined) return cancelled();
    const { means, runs, overTime } = simulated.value;
    // Which nodes are free is drawn too.
    const isFixed = busy === 0 && placed.value.jobs.every(({ drewRandom }) => drewRandom !== true);
    return succeed({
      metrics: { ...placementMeans(report, placed.value.metrics), ...means, ...predicted },
      jobs: repeat,
      ...(runs && repeat > 1 && { runs }),
      ...(isFixed && { isFixed }),
      ...(overTime && { overTime }),
    });
  }

  /**
   * How a point is simulated, and its jobs, with what is varied. Messages that saturate the network are sent at the speed that was
   * found, where less arrives than is wanted.
   */
  #settingsAt(
    { values, job }: Point,
    speed = 1,
  ): SimulatedJobs & {
    readonly wanted?: SaturationWanted;
  } {
    const { experiment, jobs } = this.#given;
    const all = jobs.map(({ description }) => description);
    const own = { ...experiment, jobs: job === undefined ? all : all.filter(({ name }) => name === job) };
    const varied = variedAt(experiment, values, own, settingsAt);
    const { network = { switching: 'cut-through' }, replay = causal, background, budget, jobs: descriptions } = varied;
    const others = { network, ...(background && { background }), ...(budget && { budget }) };
    if (replay.kind !== 'saturation') return { simulation: { ...others, replay }, jobs: descriptions };
    const { delivered, mappings = 'all', ...rest } = replay;
    const wanted: SaturationWanted = { delivered, mappings };
    return { simulation: { ...others, replay: { ...rest, kind: 'open', speed } }, jobs: descriptions, wanted };
  }

  /** Nothing is reported that only a simulation tells. */
  get #isStatic(): boolean {
    return this.#given.experiment.report.every(isStaticMetric);
  }

  /** The first metric that the queueing model gives. */
  get #predicted(): ExperimentMetric | undefined {
    return this.#given.experiment.report.find((metric) => experimentMetric(metric).basis === 'prediction');
  }

  /** Whether each simulation is run once more with the first job alone. */
  get #runsAlone(): boolean {
    return this.#given.experiment.report.some((metric) => isBesideOthers(metric, 'simulation'));
  }

  /** What the queueing model says of a placement, without the simulation; nothing where nobody asks. Undefined if cancelled. */
  #predictedOf(point: Point, report: PlacementReport, stop: Cancellation): Means | undefined {
    if (this.#predicted === undefined) return {};
    const { replay } = this.#settingsAt(point).simulation;
    const variation = replay.kind === 'open' ? (replay.variation ?? 1) : 1;
    const predicted = predictMessages(report, variation, stop);
    if (predicted === undefined) return undefined;
    return predictedMeans(this.#given.experiment.report, predicted);
  }

  /** The placement of a point with a seed: nodes and slots draw from it. */
  #place(
    point: Point,
    seed: number,
    stop: Cancellation,
    map = this.#lists.mapper.get(point.mapper ?? '') ?? inOrder,
  ): Result<PlacementReport> {
    const { experiment, machines } = this.#given;
    const { jobs } = this.#settingsAt(point);
    const names = jobs.map(({ name }) => name);
    const machine = machines.at(point, stop);
    if (!machine.ok) return machine;
    const others = othersOn(machine.value, experiment.busy ?? 0);
    const placement: PlacementDescription = {
      name: experiment.name,
      machine: machines.descriptionAt(point).name,
      jobs: [...others.map(({ name }) => name), ...names],
      own: others.map(() => ({ allocate: atRandom, map: inOrder })),
      allocate: this.#lists.allocator.get(point.allocator ?? '') ?? everywhere,
      map,
      seed,
    };
    const study = runStudy(this.#program(point, [...others, ...jobs], [placement]), this.#files, defaultStudySettings, {
      cancellation: stop,
      cache: this.#cache,
      progress: () => undefined,
      // Budgets are in steps.
      now: () => 0,
    });
    if (stop.isCancelled()) return cancelled();
    const [report] = study.placements;
    if (report !== undefined) return succeed({ ...report, jobs: report.jobs.slice(others.length) });
    const problem = study.problems.find(({ severity }) => severity === 'error');
    return fail(
      problem?.code ?? 'bad-experiment',
      problem?.message ?? `${names.map(quote).join(', ')} could not be placed.`,
    );
  }

  /**
   * What a replication of a point takes, as far as that is known without searching and simulating; undefined where it would fail. Tasks
   * lie where the mapper puts them, where that takes next to no time, else in order.
   */
  timeOf(point: Point, seed: number, stop: Cancellation): PointTime | undefined {
    const { busy = 0 } = this.#given.experiment;
    const machine = this.#given.machines.at(point, stop);
    const { simulation, jobs } = this.#settingsAt(point);
    const mapper = this.#lists.mapper.get(point.mapper ?? '') ?? inOrder;
    const entry = findEntry(mappers, mapper.name);
    if (!machine.ok || entry === undefined) return undefined;
    const mapping = jobs.reduce(
      (sum, { taskCount }) => sum + secondsOfMapping(entry, mapper.options, taskCount, machine.value),
      0,
    );
    const isQuick = mapping < mostSecondsOfLook;
    const placed = this.#place(point, seed, stop, isQuick ? mapper : inOrder);
    if (!placed.ok) return undefined;
    const pairs = placed.value.jobs.reduce((sum, { job }) => sum + job.traffic.partner.length, 0);
    const isDrawn = busy > 0 || !isQuick || placed.value.jobs.some(({ drewRandom }) => drewRandom === true);
    const time = { placing: mapping + perPlacement + perPair * pairs, isDrawn };
    if (this.#isStatic) return { ...time, simulating: 0 };
    const program = this.#program(point, jobs, []);
    const context = this.#context(stop);
    const secondsOf = (among: PlacementReport): number => {
      const work = workOfPlacement(program, this.#files, among, simulation, context);
      return work.ok ? secondsOfWork(simulation.network, among.machine, work.value, 'few') : 0;
    };
    const alone = this.#runsAlone ? secondsOf(firstJobOf(placed.value)) : 0;
    return { ...time, simulating: secondsOf(placed.value) + alone };
  }

  #program(point: Point, jobs: readonly JobDescription[], placements: readonly PlacementDescription[]): Program {
    const machine = this.#given.machines.descriptionAt(point);
    return {
      machines: new Map([[machine.name, machine]]),
      jobs: new Map(jobs.map((job) => [job.name, job])),
      placements,
    };
  }

  /** Means of the runs of a placement, remembered by where its tasks lie. */
  #simulated(point: Point, report: PlacementReport, stop: Cancellation, speed: number | undefined): Result<Simulated> {
    const { experiment } = this.#given;
    const { simulation, jobs } = this.#settingsAt(point, speed);
    // Without a background nothing is left to chance that the seed of the placement decides, but messages at a rate.
    const isOpen = simulation.replay.kind === 'open';
    const mappings = report.jobs.map(({ mapping }) => mapping);
    const { values, job, machine, routing } = point;
    const key = JSON.stringify([values, job, machine, routing, fingerprintOf(...mappings), isOpen ? report.seed : 0]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const runs = new RepeatedRuns(experiment.repeat);
    let series: PacketSeries | undefined;
    for (let run = 1; run <= experiment.repeat; run++) {
      const simulated = this.#runOnce(
        { ...report, seed: isOpen ? report.seed * experiment.repeat + run : run },
        { point, simulation, jobs },
        stop,
      );
      if (!simulated.ok) {
        if (!stop.isCancelled()) this.#remember(key, simulated);
        return simulated;
      }
      series ??= simulated.value.overTime;
      runs.add(simulated.value.means);
    }
    const found = succeed({ means: runs.means, runs: runs.values, ...(series && { overTime: series }) });
    this.#remember(key, found);
    return found;
  }

  #remember(key: string, simulated: Result<Simulated>): void {
    if (this.#known.size >= mostRemembered) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(key, simulated);
  }

  #runOnce(report: PlacementReport, run: PlacedJobs, stop: Cancellation): Result<OneRun> {
    const whole = this.#resultOf(report, run, stop);
    if (!whole.ok) return whole;
    const alone = this.#runsAlone ? this.#resultOf(firstJobOf(report), run, stop) : undefined;
    if (alone?.ok === false) return alone;
    const { result, isSaturated } = whole.value;
    const measured = { result, isSaturated, nodeCount: report.machine.nodeCount };
    const means = simulatedMeans(
      this.#given.experiment.report,
      { ...measured, ...(alone && { alone: alone.value.result }) },
      run.simulation.network,
    );
    return succeed({ means, ...(result.byPackets && { overTime: result.byPackets }) });
  }

  #context(stop: Cancellation): SimulationContext {
    const { overTime } = this.#given.experiment;
    const points = overTime === undefined ? {} : { pointEvery: overTime };
    return { cancellation: stop, now: () => 0, cache: this.#cache, figures: 'few', ...points };
  }

  /** What one simulation gives that comes to its end. */
  #resultOf(
    report: PlacementReport,
    { point, simulation, jobs }: PlacedJobs,
    stop: Cancellation,
  ): Result<SimulatedPlacement> {
    const program = this.#program(point, jobs, []);
    const simulated = simulatePlacement(program, this.#files, report, simulation, this.#context(stop));
    if (!simulated.ok) return simulated;
    const { end } = simulated.value;
    const why = whyNotComplete(report, simulated.value);
    if (why === undefined) return simulated;
    return fail(end === 'deadlock' ? 'deadlock' : end === 'stuck' ? 'stuck' : 'over-budget', why);
  }
}

interface SimulatedJobs {
  readonly simulation: SimulationDescription;
  readonly jobs: readonly JobDescription[];
}

interface PlacedJobs extends SimulatedJobs {
  readonly point: Point;
}

/** With traffic and latency over time, where they are asked for. */
interface OneRun {
  readonly means: Means;
  readonly overTime?: PacketSeries;
}
/** Means of all runs, and each run of them; over time the first one. */
type Simulated = OneRun & { readonly runs: RepeatedRuns['values'] };

const firstJobOf = (report: PlacementReport): PlacementReport => ({ ...report, jobs: report.jobs.slice(0, 1) });

function experimentFiles({ machineFiles, jobs }: SimulatedJobExperiment): StudyFiles {
  const missing = fail('file-unreadable', 'The file was not read.');
  const sourceOf = (wanted: (source: JobDescription['source']) => boolean): JobInputs | undefined =>
    jobs.find(({ description }) => wanted(description.source));
  return {
    ...machineFiles,
    table: (uri, format) =>
      sourceOf((source) => source.kind === 'table-file' && source.uri === uri && source.format === format)?.table ??
      missing,
    coordinates: (uri) => jobs.find(({ description }) => description.coordinates === uri)?.coordinates ?? missing,
    trace: (uri) => sourceOf((source) => source.kind === 'trace' && source.uri === uri)?.trace ?? missing,
    given: (source) => jobs[0]?.given.get(keyOfSource(source)) ?? missing,
  };
}
