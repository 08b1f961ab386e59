/** What simulations and the queueing model give for the metrics of an experiment, and the units of all of them. */
import type { ExperimentMetric } from '../model/experiment.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { ServerWaits, SimulationResult } from '../simulation/simulationResult.ts';
import type { PredictedMessages } from '../performance/simulate.ts';
import { nodeThroughput } from '../performance/channelUse.ts';
import type { MetricDescription } from './plan.ts';

/** What runs are averaged of. */
export type Means = Partial<Record<ExperimentMetric, number>>;

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
    ...{ averageHops: 'hops', hopVariance: 'hops²', maximumHops: 'hops', weightedHops: 'hops', congestionTime: 's' },
    ...{ hopBytes: 'bytes', maximumLinkLoad: 'bytes', mappingCoefficient: 'bytes' },
  },
} as const;
type TimedMetric = keyof typeof units.queueing;

const isTimed = (metric: string): metric is TimedMetric => metric in units.queueing;

function metricUnit(metric: ExperimentMetric, isQueueing: boolean): string {
  if (isTimed(metric)) return isQueueing ? units.queueing[metric].unit : 'cycles';
  // A flit of a message between servers is a byte.
  if (metric === 'throughput') return isQueueing ? 'bytes/node/ns' : 'flits/node/cycle';
  return metric in units.others ? units.others[metric as keyof typeof units.others] : '';
}

/** What one simulation gives, on a machine of so many nodes: times between servers in units of theirs, cycles in other networks. */
export function simulatedMeans(result: SimulationResult, network: NetworkModel, nodeCount: number): Means {
  const { makespan = Number.NaN, latency, jobs, waits, secondsPerCycle = 1 } = result;
  const isQueueing = network.switching === 'queueing';
  const timed = (metric: TimedMetric, cycles: number): number =>
    isQueueing ? cycles * secondsPerCycle * units.queueing[metric].ofSecond : cycles;
  return {
    makespan: timed('makespan', makespan),
    latency: timed('latency', latency.mean),
    throughput: nodeThroughput(result, nodeCount),
    totalFinish: timed(
      'totalFinish',
      jobs.reduce((sum, { finish = Number.NaN }) => sum + finish, 0),
    ),
    ...(waits && waitingMeans(waits, makespan, timed)),
  };
}

/** Sums over all messages (Soryani et al. 2013, section 5.1), and how busy the busiest port was. */
function waitingMeans(
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

/** What the queueing model says of the messages of a placement. What waits without end has no value. */
export function predictedMeans({ time, slowdown, portUtilisation }: PredictedMessages): Means {
  const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);
  return {
    predictedLatency: finite(time * units.queueing.latency.ofSecond),
    predictedSlowdown: finite(slowdown),
    predictedPortUtilisation: portUtilisation,
  };
}

/** Units of the metrics of jobs and of traffic on a network. */
export const simulatedMetrics = (
  report: readonly ExperimentMetric[],
  network: NetworkModel | undefined,
): MetricDescription[] =>
  report.map((name) => ({
    name,
    unit: metricUnit(name, network?.switching === 'queueing'),
    better: name === 'throughput' ? 'more' : 'less',
  }));
