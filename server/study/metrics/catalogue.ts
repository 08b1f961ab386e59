/** The catalogue of metrics: what is measured of a placement, and the orders in which tables show it. */
import { formatBytes, formatSeconds, hopsOf } from '../../model/quantities.ts';
import type { Metrics } from '../../model/report.ts';
import type { MeasuredPlacement, MetricEntry } from './contract.ts';
import { insideHopBytes } from './insideHopBytes.ts';
import { linkTime, memoryTime, weightedLatency } from './times.ts';

const averageHops: MetricEntry = {
  key: 'averageHops',
  label: 'Average hops',
  unit: 'hops',
  definition: 'mean of hops over the pairs, unweighted',
  column: { place: 2 },
  summary: { place: 1 },
  sort: { word: 'average-hops', place: 4 },
  line: { place: 1, words: (hops) => `${hopsOf(hops)} on average` },
  value: (metrics) => metrics.averageHops,
};

const hopVariance: MetricEntry = {
  key: 'hopVariance',
  label: 'Hop variance',
  unit: 'hops²',
  definition: 'population variance of hops over the pairs',
  isPictured: false,
  value: (metrics) => metrics.hopVariance,
};

const maximumHops: MetricEntry = {
  key: 'maximumHops',
  label: 'Maximum hops',
  unit: 'hops',
  definition: 'maximum of hops over the pairs',
  column: { place: 3 },
  summary: { place: 2, header: 'Maximum' },
  value: (metrics) => metrics.maximumHops,
};

export const hopBytes: MetricEntry = {
  key: 'hopBytes',
  label: 'Hop-bytes',
  unit: 'bytes',
  definition: 'Σ w · hops, including `insideHopBytes` if distances inside nodes count',
  column: { place: 1 },
  summary: { place: 3 },
  sort: { word: 'hop-bytes', place: 1 },
  line: { place: 2, words: (bytes) => `${formatBytes(bytes)} hop-bytes` },
  value: (metrics) => metrics.hopBytes,
};

const weightedHops: MetricEntry = {
  key: 'weightedHops',
  label: 'Weighted hops',
  unit: 'hops',
  definition: 'hopBytes / Σ w',
  value: (metrics) => metrics.weightedHops,
};

const mappingCoefficient: MetricEntry = {
  key: 'mappingCoefficient',
  label: 'Mapping coefficient',
  unit: 'bytes',
  definition:
    'Σ w · d, with the equivalent distance d of Orduña et al. (2004): 0 within a node, else the router distance, plus 2 with host links. With one route per pair, d is its number of links',
  needs: 'a number of router pairs whose distances can be computed',
  column: { place: 6 },
  value: (metrics) => metrics.mappingCoefficient,
};

export const maximumLinkLoad: MetricEntry = {
  key: 'maximumLinkLoad',
  label: 'Maximum link load',
  unit: 'bytes',
  definition: 'maximum over all directed links of the machine',
  column: { place: 4 },
  summary: { place: 4 },
  sort: { word: 'maximum-link-load', place: 2 },
  line: { place: 3, words: (bytes) => `maximum link load ${formatBytes(bytes)}` },
  value: (metrics) => metrics.maximumLinkLoad,
};

export const meanLinkLoad: MetricEntry = {
  key: 'meanLinkLoad',
  label: 'Mean link load',
  unit: 'bytes',
  definition: 'mean over all directed links of the machine, except those of failed switches and nodes',
  value: (metrics) => metrics.meanLinkLoad,
};

const interNodeBytes: MetricEntry = {
  key: 'interNodeBytes',
  label: 'Bytes between nodes',
  shortLabel: 'Between nodes',
  unit: 'bytes',
  definition: 'Σ w over pairs in different nodes',
  value: (metrics) => metrics.interNodeBytes,
};

const congestionTime: MetricEntry = {
  key: 'congestionTime',
  label: 'Congestion time',
  unit: 'seconds',
  definition:
    'maximum over links of load / bandwidth, host links included; on a torus, mesh or hypercube those of `interface`',
  needs: '`bandwidth` or `interface` of the machine',
  column: { place: 5, onlyWhereKnown: true },
  // Without a bandwidth all links are alike: the order by load is that by time, whatever it is.
  sort: { word: 'congestion-time', place: 3, instead: maximumLinkLoad },
  line: { place: 3, words: (seconds) => `congestion time ${formatSeconds(seconds)}` },
  value: (metrics) => metrics.congestionTime,
};

/** The model is that of Soryani et al. 2013, equations 5 to 12. */
const queueing = {
  group: 'queueing',
  needs: 'a `cluster` with `memory`, `interface` and `switch`, and the `rate` of every job',
} as const;

export const waiting: MetricEntry = {
  ...queueing,
  key: 'waiting',
  label: 'Waiting per message',
  shortLabel: 'Waiting',
  unit: 'seconds',
  definition:
    'mean wait time of a message in the queueing model of Soryani et al. (2013, equations 5 to 12); `null` if a server ' +
    'is overloaded',
  column: { place: 7, onlyWhereKnown: true },
  sort: { word: 'waiting', place: 5, instead: hopBytes },
  value: (metrics) => metrics.queueing?.waiting,
};

const memoryWaiting: MetricEntry = {
  ...queueing,
  key: 'memoryWaiting',
  unit: 'seconds',
  definition: 'the part of `waiting` in the queues of memories',
  value: (metrics) => metrics.queueing?.memoryWaiting,
};

const networkWaiting: MetricEntry = {
  ...queueing,
  key: 'networkWaiting',
  unit: 'seconds',
  definition: 'the part of `waiting` in the queues of interfaces and of the switch',
  value: (metrics) => metrics.queueing?.networkWaiting,
};

const messageTime: MetricEntry = {
  ...queueing,
  key: 'messageTime',
  label: 'Time per message',
  unit: 'seconds',
  definition: 'mean time from the sending of a message to its arrival: service and waiting (equation 1)',
  isPictured: false,
  value: (metrics) => metrics.queueing?.messageTime,
};

export const highestUtilisation: MetricEntry = {
  ...queueing,
  key: 'highestUtilisation',
  label: 'Busiest server',
  unit: 'share',
  definition: 'utilisation of the busiest server',
  column: { place: 8, onlyWhereKnown: true },
  sort: { word: 'busiest-server', place: 6, instead: hopBytes },
  value: (metrics) => metrics.queueing?.highestUtilisation,
};

const utilisationOf = (kind: 'memory' | 'port' | 'queuePair' | 'switch', label: string, what: string): MetricEntry => ({
  ...queueing,
  key: `${kind}Utilisation`,
  label,
  unit: 'share',
  definition: `highest utilisation of ${what}`,
  isPictured: false,
  value: (metrics) => metrics.queueing?.[`${kind}Utilisation`],
});

const overloadedServers: MetricEntry = {
  ...queueing,
  key: 'overloadedServers',
  label: 'Overloaded servers',
  unit: 'count',
  definition: 'number of servers with a utilisation of 100 % or more',
  isPictured: false,
  value: (metrics) => metrics.queueing?.overloadedServers,
};

/** All metrics, in the order of JSON and hovers: a new one is a file and a line here. */
export const metrics: readonly MetricEntry[] = [
  averageHops,
  hopVariance,
  maximumHops,
  hopBytes,
  weightedHops,
  mappingCoefficient,
  maximumLinkLoad,
  meanLinkLoad,
  interNodeBytes,
  insideHopBytes,
  congestionTime,
  linkTime,
  weightedLatency,
  memoryTime,
  waiting,
  memoryWaiting,
  networkWaiting,
  messageTime,
  highestUtilisation,
  utilisationOf('memory', 'Busiest memory', 'memories of sockets'),
  utilisationOf('port', 'Busiest port', 'ports of nodes, out and in'),
  utilisationOf('queuePair', 'Busiest queue pair', 'queue pairs of cores, and of the hardware behind them'),
  utilisationOf('switch', 'Busiest switch port', 'ports of the switch'),
  overloadedServers,
];

/** Those in the table of `compare`, in its order. */
export const metricColumns: readonly MetricEntry[] = metrics
  .filter(({ column }) => column !== undefined)
  .toSorted((one, other) => (one.column?.place ?? 0) - (other.column?.place ?? 0));

/** Those in the table of `run`, in its order. */
export const summaryMetrics: readonly MetricEntry[] = metrics
  .filter(({ summary }) => summary !== undefined)
  .toSorted((one, other) => (one.summary?.place ?? 0) - (other.summary?.place ?? 0));

/** Those that the rows of a comparison can be sorted by, the least first, in the order of their words. */
export const sortMetrics: readonly (MetricEntry & Required<Pick<MetricEntry, 'sort'>>)[] = metrics
  .flatMap((metric) => (metric.sort === undefined ? [] : [{ ...metric, sort: metric.sort }]))
  .toSorted((one, other) => one.sort.place - other.sort.place);

/** The figure of a comparison that is no metric of a placement: how long the mapper took. */
export const mappingTime = 'milliseconds';

/** What the rows can be sorted by. */
export const sortWords: readonly string[] = [...sortMetrics.map(({ sort }) => sort.word), mappingTime];

/**
 * What a placement costs, in one line: `1.25 hops on average · 3 MiB hop-bytes · heaviest link 128 KiB`. Where the
 * machine has a bandwidth the time of its slowest link stands for the heaviest one. `more` is what stands in
 * parentheses behind a metric.
 */
export function metricLine(measured: Metrics, more: (metric: MetricEntry) => string | undefined): string {
  const words = new Map<number, string>();
  for (const metric of metrics) {
    const value = metric.line && metric.value(measured);
    if (metric.line === undefined || value === undefined) continue;
    const added = more(metric);
    words.set(metric.line.place, metric.line.words(value) + (added === undefined ? '' : ` (${added})`));
  }
  return [...words]
    .toSorted(([one], [other]) => one - other)
    .map(([, written]) => written)
    .join(' · ');
}

/** What was measured, with the metrics of the catalogue that are worked out from it. */
export function withDerived(placement: MeasuredPlacement): Metrics {
  const derived = metrics.flatMap(({ key, measure }): [string, number][] => {
    const value = measure?.(placement);
    return value === undefined ? [] : [[key, value]];
  });
  return derived.length === 0 ? placement.metrics : { ...placement.metrics, derived: Object.fromEntries(derived) };
}
