/**
 * From a placement to what happens when its messages travel: the programs of its jobs, their tasks where the placement has
 * them, and the network that it names, as one simulation; and what was predicted without one beside it.
 */
import type { Choice } from '../model/catalogue.ts';
import { type Cancellation } from '../model/cancellation.ts';
import { fastestBandwidth, type Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { drawSeed, seededRandom } from '../model/random.ts';
import { formatShare } from '../model/quantities.ts';
import type { PlacementReport } from '../model/report.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import type { OpenReplay, SimulationDescription } from '../model/simulation.ts';
import { nodeOfSlot } from '../model/slots.ts';
import type { TimedMessages, Workload } from '../model/workload.ts';
import { itemAt, realAt } from '../numeric/elements.ts';
import { fingerprintOf } from '../numeric/fingerprint.ts';
import { predictWaiting } from '../queueing/predict.ts';
import { clusterFigures, missingFiguresNote } from '../queueing/servers.ts';
import {
  approximationOf,
  latencyAlone,
  onlyFirstWays,
  unsimulatedLatency,
  packetsInModel,
  possibleDeadlock,
} from '../simulation/engines.ts';
import { lastCycle } from '../simulation/runningPrograms.ts';
import { simulateWorkloads, type Simulation } from '../simulation/replay.ts';
import type { SimulationResult } from '../simulation/simulationResult.ts';
import { checkMatching, computingOf, fingerprintOfWorkload } from '../simulation/workloads/programs.ts';
import { timedMessages } from '../simulation/workloads/timed.ts';
import { channelUseOf, loadsOfPackets, type ChannelUse } from './channelUse.ts';
import { createStudyCache, type BuiltJob, type StudyCache } from '../study/cache.ts';
import { buildJob } from '../study/jobs.ts';
import { MemoryPlan } from '../study/memory.ts';
import {
  ProblemList,
  type JobDescription,
  type Program,
  type StudyFiles,
  type StudyProblem,
} from '../study/program.ts';
import { defaultStudySettings } from '../study/report.ts';
import type { Run } from '../study/run.ts';
import { messagesAtRate, workloadOfTraffic } from './workloads.ts';

/** How far a simulation is: the cycle that it is in, and the share of what is to be done, 0 … 1. */
export type ReportCycle = (cycle: number, share: number) => void;

export interface SimulationContext {
  readonly cancellation: Cancellation;
  /** Milliseconds of some clock, for budgets in time. */
  readonly now: () => number;
  /** Of the study of the same program, which has its jobs; left out, they are built. */
  readonly cache?: StudyCache | undefined;
  readonly progress?: ReportCycle;
  /** `few` leaves the use of links and queues out, which takes time to record. */
  readonly figures?: 'all' | 'few';
  /** Packets that make a point of traffic and latency; none are told where it is left out. */
  readonly pointEvery?: number;
  /** As of {@link Simulation}. */
  readonly keepsMoments?: boolean;
}

/** How a simulation ended. `stuck`: tasks wait for messages that nobody sends. */
export type SimulationEnd = 'complete' | 'deadlock' | 'stuck' | 'budget';

/** A figure that is known without a simulation, beside the simulated one, in the same unit. */
export interface Prediction {
  readonly key: 'congestion' | 'waiting' | 'latency';
  readonly unit: 'cycles' | 'seconds';
  readonly predicted: number;
  readonly simulated: number;
  /** (predicted − simulated) / simulated. */
  readonly error: number;
}

export interface SimulatedPlacement {
  readonly end: SimulationEnd;
  readonly result: SimulationResult;
  readonly network: NetworkModel;
  /** The makespan that was predicted, as {@link predictedMakespan} says. */
  readonly predictedCycles: number | undefined;
  /**
   * Cycles that each channel is busy by what it carries alone, as {@link channelUseOf} says. Undefined of a run that did not come to its end,
   * in which channels have not carried it.
   */
  readonly predictedBusy: Float64Array | undefined;
  readonly predictions: readonly Prediction[];
  /** Messages at a rate keep a link busy for longer than they are sent: their latency grows with their number, and has no value. */
  readonly isSaturated: boolean;
  /** What the user should know, a sentence each: that messages are sent and never received. */
  readonly notices: readonly string[];
}

/**
 * Simulates a placement that was evaluated. Fails with what is wrong with its jobs, its network or the times of its
 * messages, and with `cancelled`.
 */
export function simulatePlacement(
  program: Program,
  files: StudyFiles,
  report: PlacementReport,
  simulation: SimulationDescription,
  context: SimulationContext,
): Result<SimulatedPlacement> {
  const prepared = prepareSimulation(program, files, report, simulation, context);
  return prepared.ok ? runPrepared(prepared.value, report, simulation, context) : prepared;
}

/** Runs what is ready; fails as {@link simulatePlacement} does. */
export function runPrepared(
  prepared: PreparedSimulation,
  report: PlacementReport,
  simulation: SimulationDescription,
  { cancellation, now, progress }: SimulationContext,
): Result<SimulatedPlacement> {
  const { budget } = simulation;
  const lastTime = budget?.unit === 'seconds' ? now() + 1000 * budget.amount : Infinity;
  let isOver = false;
  const isTimeOver = (): boolean => lastTime < Infinity && (isOver ||= now() >= lastTime);
  const ran = simulateWorkloads(prepared.simulation, cancellation, { progress, isTimeOver });
  if (!ran.ok) return ran;
  const result = ran.value;
  const loads = loadsOfPackets(report, prepared.simulation.jobs, simulation.network, cancellation);
  const use = loads && channelUseOf(loads, simulation.network, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  const predictedCycles = predictedMakespan(use, simulation, prepared.ownSeconds, result.secondsPerCycle);
  return succeed({
    end: simulationOutcome(result, simulation, isOver),
    result,
    network: simulation.network,
    predictedCycles,
    predictedBusy: result.makespan === undefined ? undefined : use?.busy,
    predictions: comparePredictions(
      report,
      predictedCycles,
      meanAlone(report.machine, simulation.network, result),
      result,
    ),
    isSaturated: isSaturated(use, prepared, result),
    notices: [...prepared.notices, ...overloadNotice(result)],
  });
}

/** Only of messages at a rate: those of a trace or a program are a given number, whatever they take. */
function isSaturated(
  use: ChannelUse | undefined,
  { hasRates, ownSeconds }: PreparedSimulation,
  { secondsPerCycle }: SimulationResult,
): boolean {
  return hasRates && use !== undefined && secondsPerCycle !== undefined && use.longest * secondsPerCycle > ownSeconds;
}

/** Less than this share of the background arrives: the network does not carry it. By chance it is some deviations less. */
const carriedShare = 0.95;
const deviationsOfChance = 4;
/** Packets of a node that may be under way in a network that carries them. */
const underWayOfNode = 64;

function overloadNotice({ background, deadlock }: SimulationResult): readonly string[] {
  if (background === undefined || deadlock !== undefined) return [];
  const { nodes, arrived, asked } = background;
  const expected = asked - nodes * underWayOfNode - deviationsOfChance * Math.sqrt(asked);
  if (arrived >= Math.min(carriedShare * asked, expected)) return [];
  return [
    `Background traffic saturates the network: ${formatShare(arrived / asked)} of packets arrived. Lower \`rate\`.`,
  ];
}

/** A simulation that is ready to be run, and what is known of it beforehand. */
export interface PreparedSimulation {
  readonly simulation: Simulation;
  readonly notices: readonly string[];
  /**
   * Seconds that it takes whatever the network does: where messages have times, the last of these; else the computing of the task that
   * computes most.
   */
  readonly ownSeconds: number;
  /** All messages are sent at rates. */
  readonly hasRates: boolean;
}

type JobContext = Pick<SimulationContext, 'cancellation' | 'now' | 'cache'>;

const runOf = (
  program: Program,
  files: StudyFiles,
  { cancellation, now, cache = createStudyCache() }: JobContext,
): Run => ({
  program,
  files,
  settings: defaultStudySettings,
  context: { cancellation, now, cache, progress: () => undefined },
  problems: new ProblemList(),
  memory: new MemoryPlan(),
});

/** The jobs of a placement with what they send, in its order. Fails where one is not there, and as {@link buildJob}. */
export function buildPlacedJobs(
  program: Program,
  files: StudyFiles,
  { jobs, seed }: Pick<PlacementReport, 'jobs' | 'seed'>,
  context: JobContext,
): Result<readonly BuiltJob[]> {
  const run = runOf(program, files, context);
  const found: BuiltJob[] = [];
  for (const { job } of jobs) {
    const description = program.jobs.get(job.name);
    const built = description === undefined ? missingJob(job.name) : buildJob(run, description, seed);
    if (!built.ok) return built;
    found.push(built.value);
  }
  return succeed(found);
}

/** A job that no placement need have, with what it sends. Fails as {@link buildJob}. */
export function buildJobAlone(
  description: JobDescription,
  files: StudyFiles,
  seed: number,
  context: JobContext,
): Result<BuiltJob> {
  const program: Program = { machines: new Map(), jobs: new Map([[description.name, description]]), placements: [] };
  return buildJob(runOf(program, files, context), description, seed);
}

/** What is wrong with the jobs of a program and the files that they name, as a study says it. The jobs stay in the cache. */
export function problemsOfJobs(program: Program, files: StudyFiles, context: JobContext): readonly StudyProblem[] {
  const run = runOf(program, files, context);
  for (const description of program.jobs.values()) buildJob(run, description, 1);
  return run.problems.all();
}

/** Makes the programs of the jobs and what is simulated with them; fails as {@link simulatePlacement} does. */
export function prepareSimulation(
  program: Program,
  files: StudyFiles,
  { machine, jobs, seed }: PlacementReport,
  { network, replay, background, budget }: SimulationDescription,
  { cancellation, now, cache, figures = 'all', pointEvery, keepsMoments }: SimulationContext,
): Result<PreparedSimulation> {
  const built = buildPlacedJobs(program, files, { jobs, seed }, { cancellation, now, cache });
  if (!built.ok) return built;
  const random = seededRandom(seed);
  const simulated: Simulation['jobs'][number][] = [];
  const notices = networkNotices(network, machine, cancellation);
  for (const [index, job] of built.value.entries()) {
    const seedOfJob = drawSeed(random);
    const made =
      replay.kind === 'open'
        ? openJob(job, machine, { seed: seedOfJob, replay, network, cancellation })
        : causalJob(job, notices, cancellation);
    if (!made.ok) return made;
    simulated.push({ slotOfTask: itemAt(jobs, index).mapping, ...made.value });
  }
  const besides = backgroundOf(background);
  if (besides?.nodes === 'idle' && idleNodes(machine, simulated) < 2) {
    notices.push('Background traffic needs two nodes without tasks. Write `nodes all` to let every node send.');
  }
  return succeed({
    simulation: {
      model: network,
      machine,
      jobs: simulated,
      seed,
      ...{ figures, keepsMoments },
      ...(pointEvery !== undefined && { pointEvery }),
      ...(besides && { background: besides }),
      ...(budget?.unit === 'cycles' && { untilCycle: budget.amount }),
    },
    notices,
    hasRates: replay.kind === 'open' && built.value.every(({ recorded }) => recorded === undefined),
    ownSeconds: simulated.reduce((most, job) => Math.max(most, ownSecondsOf(job, cancellation)), 0),
  });
}

function ownSecondsOf(job: Simulation['jobs'][number], cancellation: Cancellation): number {
  if (job.kind === 'open') return (job.messages.times.at(-1) ?? 0) / job.speed;
  return computingOf(job.workload, cancellation).seconds;
}

/** What is known of a network before anything is sent. */
const networkNotices = (network: NetworkModel, machine: Machine, cancellation: Cancellation): string[] =>
  [
    approximationOf(network),
    onlyFirstWays(network, machine),
    figuresOfPaper(network, machine),
    unsimulatedLatency(network, machine),
    possibleDeadlock(network, machine, cancellation)?.message,
  ].filter((notice) => notice !== undefined);

/** Which figures of a cluster are those of the paper; undefined where its machine has them all, or none is needed. */
function figuresOfPaper({ switching }: NetworkModel, machine: Machine): string | undefined {
  const { missing } = clusterFigures(machine);
  return switching === 'queueing' && missing.length > 0 ? missingFiguresNote(missing) : undefined;
}

/** The background as a simulation takes it. */
export function backgroundOf(background: Choice | undefined): Simulation['background'] {
  const rate = background?.options['rate'];
  if (typeof rate !== 'number') return undefined;
  return { rate, nodes: background?.options['nodes'] === 'all' ? 'all' : 'idle' };
}

/** How many nodes have no task. */
function idleNodes(machine: Machine, jobs: Simulation['jobs']): number {
  const busy = new Set(jobs.flatMap(({ slotOfTask }) => Array.from(slotOfTask, (slot) => nodeOfSlot(machine, slot))));
  return machine.nodeCount - busy.size;
}

const missingJob = (name: string) => fail('bad-workload', `Job \`${name}\` does not exist, or has errors.`);

function causalJob(
  { job, recorded }: BuiltJob,
  notices: string[],
  cancellation: Cancellation,
): Result<{ readonly kind: 'causal'; readonly workload: Workload }> {
  const workload = recorded === undefined ? workloadOfTraffic(job, cancellation) : succeed(recorded.workload);
  if (!workload.ok) return workload;
  const matching = checkMatching(workload.value, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  if (!matching.ok) notices.push(`Job \`${job.name}\`: ${matching.failure.message}`);
  return succeed({ kind: 'causal', workload: workload.value });
}

/** What an ideal network has where its machine does not say: seconds, and bytes per second. */
const usualNetwork = { latency: 1e-6, bandwidth: 1e9 };

const idealNetwork = (machine: Machine) => ({
  latency: machine.figures.latency ?? usualNetwork.latency,
  // What is said of all links comes first: on a cluster only links of nodes are there, and they may have another.
  bandwidth: machine.figures.bandwidth ?? fastestBandwidth(machine) ?? usualNetwork.bandwidth,
});

/**
 * The times of a trace; of a skeleton, or a trace without times, those at which a network of the machine's latency and
 * bandwidth would see them if nothing were in the way of anything; of other jobs those of their rate.
 */
function openJob(
  { job, recorded }: BuiltJob,
  machine: Machine,
  {
    seed,
    replay,
    network,
    cancellation,
  }: {
    readonly seed: number;
    readonly replay: OpenReplay;
    readonly network: NetworkModel;
    readonly cancellation: Cancellation;
  },
) {
  const timesOf = (): Result<TimedMessages> => {
    if (recorded === undefined) return messagesAtRate(job, seed, replay.variation, cancellation);
    return recorded.timed === undefined
      ? timedMessages(recorded.workload, idealNetwork(machine), cancellation)
      : succeed(recorded.timed);
  };
  const messages = timesOf();
  if (!messages.ok) return messages;
  const { speed, first } = replay;
  return succeed({ kind: 'open' as const, messages: firstMessages(messages.value, network, first), speed });
}

/** The first messages, until they have so many packets. O(messages). */
function firstMessages(messages: TimedMessages, network: NetworkModel, packets = Infinity): TimedMessages {
  let [count, left] = [0, packets];
  while (count < messages.bytes.length && left > 0)
    left -= packetsInModel(network, realAt(messages.bytes, count++)).packets;
  if (count === messages.bytes.length) return messages;
  const { taskCount, times, from, to, bytes } = messages;
  return {
    taskCount,
    times: times.subarray(0, count),
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    bytes: bytes.subarray(0, count),
  };
}

/** What the queueing model says of messages at a rate. Infinite where messages come faster than they go. */
export interface PredictedMessages {
  /** Seconds from the sending of a message to its arrival, mean over all. */
  readonly time: number;
  /** The same of the first job's messages, over what it is without the other jobs. */
  readonly slowdown: number;
  /** Share of the time that the busiest port of a node works. */
  readonly portUtilisation: number;
}

/**
 * Predicts, by the figures of the machine or those of Soryani et al. 2013, what a simulation of a placement in a cluster will find.
 * `variation` is that of the times between messages. Undefined if cancelled. O(pairs + slots).
 */
export function predictMessages(
  { machine, jobs }: Pick<PlacementReport, 'machine' | 'jobs'>,
  variation: number,
  cancellation: Cancellation,
): PredictedMessages | undefined {
  const { figures } = clusterFigures(machine);
  const first = jobs.slice(0, 1);
  const all = predictWaiting(machine, jobs, figures, variation, cancellation);
  const beside = predictWaiting(machine, jobs, figures, variation, cancellation, first);
  const alone = predictWaiting(machine, first, figures, variation, cancellation);
  if (all === undefined || beside === undefined || alone === undefined) return undefined;
  const { messageTime: time, portUtilisation } = all;
  return { time, slowdown: beside.messageTime / alone.messageTime, portUtilisation };
}

/**
 * Equal only where a simulation would find the same: of the mapping, the loads on links, the messages and how they are sent. Some 2 ns a number,
 * without a look at a cancellation: the thread that asks is ended where nobody waits for it any more.
 */
export function fingerprintOfSimulation(
  { machine, jobs, linkLoads, seed }: PlacementReport,
  description: SimulationDescription,
  { simulation }: PreparedSimulation,
): string {
  const messages = simulation.jobs.map((job) => {
    if (job.kind === 'causal') return fingerprintOfWorkload(job.workload);
    const { times, from, to, bytes } = job.messages;
    return fingerprintOf(times, from, to, bytes);
  });
  const mappings = jobs.map(({ mapping }) => mapping);
  return JSON.stringify([description, seed, machine.figures, fingerprintOf(linkLoads, ...mappings), messages]);
}

function simulationOutcome(
  { makespan, deadlock, cycles }: SimulationResult,
  { budget }: SimulationDescription,
  isOver: boolean,
): SimulationEnd {
  if (makespan !== undefined) return 'complete';
  if (deadlock !== undefined) return 'deadlock';
  const isSpent = cycles > lastCycle || (budget?.unit === 'cycles' && cycles > budget.amount);
  return isOver || isSpent ? 'budget' : 'stuck';
}

/**
 * What channels carry and what tasks do by themselves say of the makespan: a program computes and then waits for the busiest channel, messages
 * at times end no sooner than the last of them and the busiest channel. Undefined where that says nothing.
 */
function predictedMakespan(
  use: ChannelUse | undefined,
  { replay }: SimulationDescription,
  ownSeconds: number,
  secondsPerCycle: number | undefined,
): number | undefined {
  const own = secondsPerCycle === undefined ? 0 : ownSeconds / secondsPerCycle;
  if (use === undefined || use.longest + own === 0) return undefined;
  return replay.kind === 'open' ? Math.max(use.longest, own) : use.longest + own;
}

/** The mean of what the packets that arrived would have taken if none had waited, in cycles; undefined where {@link latencyAlone} is. */
const meanAlone = (machine: Machine, network: NetworkModel, { latency: { count }, hops, flits }: SimulationResult) =>
  latencyAlone(network, machine, { hops: hops / count, flits: flits / count });

/** The makespan; what packets take, against those that never wait; waits and time of messages in a cluster against the queueing model. */
function comparePredictions(
  { metrics }: PlacementReport,
  predictedCycles: number | undefined,
  alone: number | undefined,
  { makespan, waits, latency, secondsPerCycle }: SimulationResult,
): readonly Prediction[] {
  const found: Prediction[] = [];
  const add = (key: Prediction['key'], unit: Prediction['unit'], predicted: number, simulated: number): void => {
    if (simulated > 0 && Number.isFinite(predicted))
      found.push({ key, unit, predicted, simulated, error: predicted / simulated - 1 });
  };
  if (predictedCycles !== undefined && makespan !== undefined) add('congestion', 'cycles', predictedCycles, makespan);
  if (alone !== undefined && latency.count > 0) add('latency', 'cycles', alone, latency.mean);
  if (metrics.queueing !== undefined && waits !== undefined && secondsPerCycle !== undefined && latency.count > 0) {
    const waited = waits.waited.reduce((sum, cycles) => sum + cycles, 0);
    add('waiting', 'seconds', metrics.queueing.waiting, (waited * secondsPerCycle) / latency.count);
    add('latency', 'seconds', metrics.queueing.messageTime, latency.mean * secondsPerCycle);
  }
  return found;
}
