/**
 * The functions that measure what experiments report, by the keys of the rows in `model/metrics.ts`, and the units of
 * their values. Values of what there is none of are NaN.
 */
import { metricUnit, metricValue, perSecond, type RunKind } from '../model/metricEntry.ts';
import { experimentMetric, type ExperimentMetric, type MetricFor } from '../model/metrics.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { Metrics } from '../model/report.ts';
import type { StreamDescription } from '../model/stream.ts';
import { byteAt, itemAt, realAt } from '../numeric/elements.ts';
import { nodeThroughput } from '../performance/channelUse.ts';
import type { PredictedMessages } from '../performance/simulate.ts';
import type { ReplicationOutcome } from '../scheduling/replicate.ts';
import { secondsPerCycle as serverCycle } from '../simulation/engines/servers/serverStates.ts';
import type { RateSamples } from '../simulation/rates.ts';
import type { ServerWaits, SimulationResult } from '../simulation/simulationResult.ts';
import type { MetricDescription } from './plan.ts';

/** By the keys of what is reported. */
export type Means = Partial<Record<ExperimentMetric, number>>;

type Measures<Key extends ExperimentMetric, Run> = Readonly<Record<Key, (run: Run) => number>>;

/** Of a stream: times as the stream counts them. */
interface MeasuredStream extends ReplicationOutcome {
  /** Mean hops of each job; NaN of those that are not measured. */
  readonly hops: Float64Array;
}

const streamMeasures: Measures<MetricFor<'stream', 'placement' | 'simulation'>, MeasuredStream> = {
  turnaround: ({ metrics }) => metrics.turnaround,
  waiting: ({ metrics }) => metrics.waiting,
  slowdown: ({ metrics }) => metrics.slowdown,
  utilisation: ({ metrics }) => metrics.utilisation,
  makespan: ({ metrics }) => metrics.makespan,
  latency: latencyInStream,
  throughput: ({ metrics }) => metrics.throughput,
  averageHops: ({ hops }) => meanOfKnown(hops),
};

/** Over the packets of the jobs that are measured. */
function latencyInStream({ run: { messages, completed, jobs }, metrics: { warmUpJobs } }: MeasuredStream): number {
  let [packets, latency] = [0, 0];
  for (const job of messages === undefined ? [] : completed.subarray(warmUpJobs)) {
    if (messages === undefined || byteAt(jobs.measured, job) === 0) continue;
    packets += realAt(messages.packets, job);
    latency += realAt(messages.latency, job);
  }
  return latency / packets;
}

/** One simulation of placed jobs, on a machine of so many nodes. */
export interface MeasuredSimulation {
  readonly result: SimulationResult;
  /** Then the latency depends on how many messages are sent. */
  readonly isSaturated: boolean;
  readonly nodeCount: number;
  /** The same of the first job alone, where a metric compares with it. */
  readonly alone?: SimulationResult;
}

/** Times in cycles. */
const simulationMeasures: Measures<MetricFor<'job', 'simulation' | 'servers'>, MeasuredSimulation> = {
  makespan: ({ result: { makespan = Number.NaN } }) => makespan,
  latency: ({ result, isSaturated }) => (isSaturated ? Number.NaN : result.latency.mean),
  throughput: ({ result, nodeCount }) => nodeThroughput(result, nodeCount),
  totalFinish: ({ result }) => result.jobs.reduce((sum, { finish = Number.NaN }) => sum + finish, 0),
  slowdown: ({ result, alone }) =>
    alone === undefined ? Number.NaN : itemAt(result.jobs, 0).latency / alone.latency.mean,
  // Sums over all messages: Soryani et al. 2013, section 5.1.
  totalWaiting: ({ result }) => waitedAt(result, interfaces) + waitedAt(result, memories),
  totalInterfaceWaiting: ({ result }) => waitedAt(result, interfaces),
  totalMemoryWaiting: ({ result }) => waitedAt(result, memories),
  portUtilisation: ({ result: { waits, makespan = Number.NaN } }) =>
    waits === undefined ? Number.NaN : (waits.busiest[waits.server.indexOf('port')] ?? 0) / makespan,
};

const interfaces: ServerWaits['server'] = ['queuePair', 'processing', 'port'];
const memories: ServerWaits['server'] = ['memory', 'cache'];

const waitedAt = ({ waits }: SimulationResult, kinds: ServerWaits['server']): number =>
  waits === undefined
    ? Number.NaN
    : kinds.reduce((sum, kind) => sum + (waits.waited[waits.server.indexOf(kind)] ?? 0), 0);

/** Times in seconds; infinite where a server is overloaded. */
const predictionMeasures: Measures<MetricFor<'job', 'prediction'>, PredictedMessages> = {
  predictedLatency: ({ time }) => time,
  predictedSlowdown: ({ slowdown }) => slowdown,
  predictedPortUtilisation: ({ portUtilisation }) => portUtilisation,
};

/** Samples of traffic without jobs: times in cycles. */
interface MeasuredTraffic extends Pick<RateSamples, 'latency' | 'throughput'> {
  readonly isSaturated: boolean;
}

const trafficMeasures: Measures<MetricFor<'traffic', 'simulation'>, MeasuredTraffic> = {
  latency: ({ latency, isSaturated }) => (isSaturated ? Number.NaN : meanOfKnown(latency)),
  throughput: ({ throughput }) => meanOfKnown(throughput),
};

function meanOfKnown(values: Iterable<number>): number {
  let [count, sum] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count++;
    sum += value;
  }
  return sum / count;
}

type Report = readonly ExperimentMetric[];

export const streamMeans = (report: Report, outcome: ReplicationOutcome, hops: Float64Array): Means =>
  measured(report, streamMeasures, { ...outcome, hops });

/** Times between servers in units of theirs, those in other networks in cycles. */
export const simulatedMeans = (report: Report, run: MeasuredSimulation, network: NetworkModel): Means =>
  inUnits(measured(report, simulationMeasures, run), runOfNetwork(network), run.result.secondsPerCycle);

/** What the queueing model says of the messages of a placement. */
export const predictedMeans = (report: Report, predicted: PredictedMessages): Means =>
  inUnits(measured(report, predictionMeasures, predicted), 'servers');

export const trafficMeans = (report: Report, run: MeasuredTraffic, network: NetworkModel): Means =>
  inUnits(measured(report, trafficMeasures, run), runOfNetwork(network), serverCycle);

export const placementMeans = (report: Report, metrics: Metrics): Means =>
  Object.fromEntries(
    report.flatMap((key) => {
      const entry = experimentMetric(key);
      return entry.basis === 'placement' ? [[key, metricValue(entry, metrics) ?? Number.NaN]] : [];
    }),
  );

/** Of what is reported all that can be measured of such a run. */
function measured<Run>(report: Report, measures: Partial<Measures<ExperimentMetric, Run>>, run: Run): Means {
  const means: Means = {};
  for (const metric of report) {
    const measure = measures[metric];
    if (measure !== undefined) means[metric] = measure(run);
  }
  return means;
}

/** Times become those of their units, where these are no cycles. */
function inUnits(means: Means, run: RunKind, secondsPerCycle = 1): Means {
  for (const [metric, value] of entriesOf(means)) {
    const factor = perSecond(metricUnit(experimentMetric(metric), run));
    if (factor !== undefined) means[metric] = value * secondsPerCycle * factor;
  }
  return means;
}

const entriesOf = (means: Means) => Object.entries(means) as [ExperimentMetric, number][];

/** Means over the runs of a replication, and what each of them has. */
export class RepeatedRuns {
  readonly means: Means = {};
  readonly values: Partial<Record<ExperimentMetric, number[]>> = {};
  readonly #repeat: number;

  /** So many runs are added. */
  constructor(repeat: number) {
    this.#repeat = repeat;
  }

  add(run: Means): void {
    for (const [metric, value] of entriesOf(run)) {
      this.means[metric] = (this.means[metric] ?? 0) + value / this.#repeat;
      (this.values[metric] ??= []).push(value);
    }
  }
}

/** Messages of jobs or of traffic. */
export const runOfNetwork = (network: NetworkModel | undefined): RunKind =>
  network?.switching === 'queueing' ? 'servers' : 'packets';

/** Times are in seconds where a log has all of them. */
export const runOfStream = ({ jobs, service }: StreamDescription): RunKind =>
  jobs.kind === 'log' && service.kind !== 'network' ? 'log' : 'stream';

/** What a plan says of its metrics. */
export const describeMetrics = (report: Report, run: RunKind): MetricDescription[] =>
  report.map((name) => {
    const entry = experimentMetric(name);
    return { name, unit: metricUnit(entry, run), better: 'better' in entry ? 'more' : 'less' };
  });
