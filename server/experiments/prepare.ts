/**
 * From a declared experiment to what is run: the plan of its points, the function that does one replication, what its
 * results depend on, and how long it may take. It knows models and catalogues; text, files and threads are not here.
 */
import { neverCancelled, type Cancellation } from '../model/cancellation.ts';
import { crossedJobs, tableNamesOf, type ExperimentDescription, type Remark } from '../model/experiment.ts';
import { refusedLinesText, type JobLog } from '../model/jobLog.ts';
import type { Machine } from '../model/machine.ts';
import type { RunKind } from '../model/metricEntry.ts';
import { isStaticMetric } from '../model/metrics.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import { cancelled, fail, quote, succeed, type Failure, type Result } from '../model/result.ts';
import type { MachineFiles } from '../network/contract.ts';
import { buildMachine } from '../network/machine.ts';
import { machineOfFirstRail } from '../network/rails.ts';
import { itemAt } from '../numeric/elements.ts';
import type { JobSource } from '../scheduling/jobs.ts';
import { possibleDeadlock, unsimulatedLatency } from '../simulation/engines.ts';
import type { StudyProblem } from '../study/program.ts';
import {
  expectedReplications,
  replicationJobs,
  sampleJobs,
  secondsOfJobs,
  secondsOfReplication,
  secondsOfTraffic,
  type StreamExperiment,
} from './expectedTime.ts';
import { cutJob, cutRuns, cutTo, formWords, notesOfForm, shortVariant, shortRuns, writtenForm } from './forms.ts';
import { fingerprintOfExperiment } from './journal.ts';
import { dependenciesOfSimulated, dependenciesOfStream, filesWith, type ExperimentInputs } from './inputs.ts';
import { describeMetrics, runOfNetwork, runOfStream } from './measures.ts';
import { planExperiment, seedOf, type ExperimentPlan, type Point } from './plan.ts';
import type { Replicator } from './run.ts';
import { JobReplications } from './simulatedReplications.ts';
import { StreamReplications, type ReplicationTrace, type TraceOptions } from './streamReplications.ts';
import { TrafficReplications } from './trafficReplications.ts';
import { VariedMachines } from './variedMachines.ts';

export interface PreparedExperiment extends Replicator {
  readonly plan: ExperimentPlan;
  readonly machine: Machine;
  /** Of all that results depend on: what a journal begins with. */
  readonly fingerprint: string;
  /** About how long all replications take on one thread. Of jobs and traffic it is worked out when it is asked for. */
  readonly seconds: number;
  /** What the user should know before it is run, a sentence each: `remarks` among them. */
  readonly notices: readonly string[];
  /** Of them, what is so in whatever form it is run. */
  readonly remarks: readonly Remark[];
  /** Warnings of the jobs and the files that they name, as a study has them. */
  readonly problems: readonly StudyProblem[];
  /** All that happens in one replication, counted from 0. Fails as the replication does. */
  readonly traceReplication: (
    point: Point,
    replication: number,
    stop: Cancellation,
    options?: TraceOptions,
  ) => Result<ReplicationTrace>;
  /** Jobs that leave in a replication, where that is known; about as many where it ends after so many arrivals. */
  readonly jobsOfReplication?: number;
}

interface Preparation {
  readonly isTried?: boolean;
  readonly cancellation?: Cancellation;
}

/**
 * Makes an experiment ready. Fails with a sentence where it could not be run: a machine that cannot be built, an
 * allocator, scheduler, mapper or network that does not go with it, a stream without jobs, a metric that nobody measures, or what
 * this version does not simulate; and where cancelled. With `isTried` that is known not to be so. O(points + jobs of the log · log jobs).
 */
export function prepareExperiment(
  inputs: ExperimentInputs,
  { isTried = false, cancellation = neverCancelled }: Preparation = {},
): Result<PreparedExperiment> {
  const machineFiles = filesWith(inputs.machineContents);
  const built = buildMachine(inputs.machine, machineFiles, cancellation);
  if (!built.ok) return built;
  if (inputs.experiment.subject.kind === 'stream') {
    const machine = machineOfFirstRail(built.value);
    return machine.ok ? prepareStream(inputs, machine.value, { isTried, cancellation }) : machine;
  }
  const prepared = prepareSimulated(inputs, built.value, machineFiles, { isTried, cancellation });
  // The search for what may come to a deadlock ends early then.
  return cancellation.isCancelled() ? cancelled() : prepared;
}

function prepareStream(
  inputs: ExperimentInputs,
  machine: Machine,
  { isTried, cancellation }: Required<Preparation>,
): Result<PreparedExperiment> {
  const { experiment, stream, log, form } = inputs;
  if (stream === undefined) return fail('bad-experiment', `Experiment ${quote(experiment.name)} has no stream.`);
  const written = writtenForm(inputs);
  if (!written.ok) return written;
  const whole = { experiment, stream, log };
  const sample = sampleJobs(whole, machine);
  if (!sample.ok) return sample;
  const given = written.value
    ? cutTo(whole, written.value)
    : form === 'short'
      ? shortVariant(whole, sample.value)
      : whole;
  const simulated = { ...given, machine };
  const replications = new StreamReplications(simulated);
  const plan = planStream(simulated, replications);
  if (!plan.ok) return plan;
  const fault = isTried ? undefined : faultOfPoints(plan.value, replications, cancellation);
  if (fault !== undefined) return fault;
  const seedAt = (replication: number): number => seedOf(plan.value.replications, replication);
  const expectedJobs = replicationJobs(given.stream, sample.value.source);
  const shares = {
    points: plan.value.points.length,
    replications: expectedReplications(given.experiment.replications),
  };
  return succeed({
    plan: plan.value,
    machine,
    replicate: (point, seed, stop) => replications.replicate(point, seed, stop),
    fingerprint: fingerprintOfExperiment(plan.value, dependenciesOfStream(inputs, given)),
    seconds: secondsOfReplication(given, sample.value) * shares.points * shares.replications,
    notices: [...refusalsOf(inputs.log, sample.value.source), ...notesOfForm(inputs, plan.value, given)],
    remarks: [],
    problems: [],
    traceReplication: (point, replication, stop, options) =>
      replications.trace(point, seedAt(replication), stop, options),
    ...(Number.isFinite(expectedJobs) && { jobsOfReplication: Math.round(expectedJobs) }),
  });
}

function planStream({ experiment, stream }: StreamExperiment, { names }: StreamReplications): Result<ExperimentPlan> {
  const { name, report, steadyState } = experiment;
  const isWithoutNetwork = stream.service.kind !== 'network';
  if (report.includes('latency') && isWithoutNetwork) {
    return fail(
      'bad-experiment',
      `Experiment ${quote(name)}: \`latency\` needs messages in a network; stream ${quote(stream.name)} has none.`,
    );
  }
  return planExperiment({
    ...declaredPlan(experiment, runOfStream(stream)),
    ...names,
    ...(steadyState && { steadyState }),
  });
}

/** What a plan takes over from its declaration. */
function declaredPlan(experiment: ExperimentDescription, run: RunKind) {
  const { name, vary, replications, report, compare, quoted } = experiment;
  const metrics = describeMetrics(report, run);
  return { name, vary, replications, metrics, compare, quoted, tableNames: tableNamesOf(experiment) };
}

/** A job or traffic: what one replication of it is, and how long that may take. */
function prepareSimulated(
  inputs: ExperimentInputs,
  machine: Machine,
  machineFiles: MachineFiles,
  { isTried, cancellation }: Required<Preparation>,
): Result<PreparedExperiment> {
  const { form, jobs: given = [] } = inputs;
  const written = writtenForm(inputs);
  if (!written.ok) return written;
  const cut = written.value ?? (form === 'short' ? shortRuns(inputs) : {});
  const experiment = cutRuns(inputs.experiment, cut);
  const { name, subject, network, replay } = experiment;
  const jobs = given.map((job) => ({ ...job, description: cutJob(job.description, cut) }));
  if (subject.kind === 'job' && jobs.length === 0)
    return fail('bad-experiment', `Experiment ${quote(name)} has no job.`);
  const machines = new VariedMachines([inputs.machine, ...(inputs.otherMachines ?? [])], machineFiles, experiment);
  const replicator: JobReplications | TrafficReplications =
    jobs.length === 0
      ? new TrafficReplications({ experiment, machines })
      : new JobReplications({ experiment, machines, machineFiles, jobs });
  const plan = planExperiment({
    ...declaredPlan(experiment, runOfNetwork(network)),
    ...crossedWith(experiment, machines),
    ...replicator.names,
    ...(replay?.kind === 'saturation' && { findsSpeed: true }),
  });
  if (!plan.ok) return plan;
  const found = isTried ? nothingFound : lookInto(experiment, { plan: plan.value, machines, replicator }, cancellation);
  if (!found.ok) return found;
  const { problems, remarks } = found.value;
  let seconds: number | undefined;
  const descriptions = jobs.map(({ description }) => description);
  const notices = [
    ...(form === undefined ? [] : [formWords(form, plan.value, descriptions, cut)]),
    ...remarks.map(({ message }) => message),
  ];
  return succeed({
    plan: plan.value,
    machine,
    replicate: (...asked) => replicator.replicate(...asked),
    findSpeed: (...asked) => (replicator instanceof JobReplications ? replicator.findSpeed(...asked) : succeed(1)),
    fingerprint: fingerprintOfExperiment(plan.value, dependenciesOfSimulated(inputs, experiment, descriptions)),
    get seconds() {
      return (seconds ??=
        replicator instanceof JobReplications
          ? secondsOfJobs(plan.value, experiment, replicator, cancellation)
          : secondsOfTraffic(plan.value, experiment, replicator, cancellation));
    },
    notices,
    remarks,
    problems,
    traceReplication: () =>
      fail(
        'does-not-apply',
        `Experiment ${quote(name)} runs no stream. Use \`placewright simulate\` for a single run.`,
      ),
  });
}

/** What a plan has blocks of, where there are several. */
function crossedWith({ subject, machines }: ExperimentDescription, { routings }: VariedMachines) {
  const jobs = crossedJobs(subject);
  return {
    ...(jobs.length > 0 && { jobs }),
    ...(machines && { machines }),
    ...(routings.length > 0 && { routings }),
  };
}

type Found = Pick<PreparedExperiment, 'problems' | 'remarks'>;
const nothingFound: Result<Found> = succeed({ problems: [], remarks: [] });

/** What jobs and traffic that were not tried are told of. Fails where they cannot be run, or a job not be made of what is written. */
function lookInto(
  experiment: ExperimentDescription,
  made: {
    readonly plan: ExperimentPlan;
    readonly machines: VariedMachines;
    readonly replicator: JobReplications | TrafficReplications;
  },
  cancellation: Cancellation,
): Result<Found> {
  const { plan, machines, replicator } = made;
  const fault = faultOfPoints(plan, replicator, cancellation);
  if (fault !== undefined) return fault;
  const problems = replicator instanceof JobReplications ? problemsOfPoints(plan, replicator, cancellation) : [];
  const worst = problems.find(({ severity }) => severity === 'error');
  if (worst !== undefined) return fail(worst.code, `Experiment ${quote(experiment.name)}: ${worst.message}`);
  const overloads = replicator instanceof JobReplications ? [] : overloadsOf(plan, replicator, cancellation);
  return succeed({ problems, remarks: [...risksOf(experiment, plan, machines, cancellation), ...overloads] });
}

/** The first point of each, in the order of the plan. */
function firstOfEach(points: readonly Point[], keyOf: (point: Point) => string): readonly Point[] {
  const found = new Map<string, Point>();
  for (const point of points) if (!found.has(keyOf(point))) found.set(keyOf(point), point);
  return [...found.values()];
}

/** Of all jobs, each once. */
function problemsOfPoints(
  { points }: ExperimentPlan,
  replicator: JobReplications,
  cancellation: Cancellation,
): readonly StudyProblem[] {
  return firstOfEach(points, ({ job = '' }) => job).flatMap((point) => replicator.problemsAt(point, cancellation));
}

/** What a network may come to when it is simulated, and what it leaves out: of each kind that of the first machine and routing. */
function risksOf(
  { report, network }: ExperimentDescription,
  { points }: ExperimentPlan,
  machines: VariedMachines,
  cancellation: Cancellation,
): readonly Remark[] {
  if (report.every(isStaticMetric) || network === undefined) return [];
  const found = new Map<string, Remark>();
  const add = (remark: Remark): void => {
    if (!found.has(remark.code)) found.set(remark.code, remark);
  };
  for (const point of firstOfEach(points, ({ machine, routing }) => JSON.stringify([machine, routing]))) {
    const machine = machines.at(point, cancellation);
    if (!machine.ok) continue;
    const risk = found.has('possible-deadlock') ? undefined : possibleDeadlock(network, machine.value, cancellation);
    if (risk !== undefined) add({ code: 'possible-deadlock', severity: 'warning', message: risk.message });
    const latency = unsimulatedLatency(network, machine.value);
    if (latency !== undefined) add({ code: 'latency-not-simulated', severity: 'warning', message: latency });
  }
  return [...found.values()];
}

/** Hops are those of some messages, so that a little more than all links carry is not told. */
const leastOverload = 1.05;

/** Rates that no network of so many links carries: of each pattern the least of them. Curves go there on purpose. */
function overloadsOf(
  { points }: ExperimentPlan,
  replicator: TrafficReplications,
  cancellation: Cancellation,
): readonly Remark[] {
  const found = new Map<string, { readonly rate: number; readonly share: number }>();
  for (const point of points) {
    if (cancellation.isCancelled()) return [];
    const asked = replicator.shareOfLinks(point, cancellation);
    const pattern = point.pattern ?? 'uniform';
    if (asked === undefined || asked.share < leastOverload || asked.rate >= (found.get(pattern)?.rate ?? Infinity))
      continue;
    found.set(pattern, asked);
  }
  return [...found].map(([pattern, { rate, share }]) => ({
    code: 'beyond-saturation',
    severity: 'information',
    message: `Offered load ${rate} on \`${pattern}\` exceeds the network capacity of about ${formatNumber(rate / share)} flits per node and cycle. The latency has no finite value.`,
  }));
}

/** Tries what differs between points, each value with one scheduler and allocator, and each of those with one value. */
function faultOfPoints(
  { name, blocks }: ExperimentPlan,
  replications: { faultOf(point: Point, stop: Cancellation): Failure | undefined },
  cancellation: Cancellation,
): Result<never> | undefined {
  const tried = [...itemAt(blocks, 0), ...blocks.slice(1).map((block) => itemAt(block, 0))];
  for (const point of tried) {
    if (cancellation.isCancelled()) return cancelled();
    const fault = replications.faultOf(point, cancellation);
    if (fault !== undefined) return fail(fault.code, `Experiment ${quote(name)}: ${fault.message}`);
  }
  return undefined;
}

/** Lines of the log that are no jobs, with why. */
function refusalsOf(log: JobLog | undefined, { refused, disordered }: JobSource): string[] {
  if (log === undefined) return [];
  const sorted =
    disordered === 0
      ? []
      : [`${log.fileName}: ${countOf(disordered, 'job')} not in submission order. Jobs were sorted.`];
  return [...refused.map((lines) => refusedLinesText(log.fileName, lines)), ...sorted];
}
