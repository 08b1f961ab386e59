/**
 * The table of all metrics: those of placements, then those that experiments measure of streams, simulated jobs and
 * traffic. A new one is a row here and the function that measures it, in `study/metrics/catalogue.ts` or
 * `experiments/measures.ts`; everything that names or shows a metric reads its row.
 */
import { type MetricEntry, type PlacementMetric, type RunMetric, type SubjectKind } from './metricEntry.ts';
import { formatBytes, formatSeconds, hopsOf } from './quantities.ts';

/** The model is that of Soryani et al. 2013, equations 5 to 12. */
const queueing = {
  basis: 'placement',
  group: 'queueing',
  needs: 'a `cluster` with `memory`, `interface` and `switch`, and the `rate` of every job',
} as const;

/** Times of jobs in a stream, of messages, and of all messages together. */
const jobTime = { stream: 'cycles', log: 's' } as const;
const runTime = { packets: 'cycles', servers: 's' } as const;
const messageTime = { packets: 'cycles', servers: 'us' } as const;
const waitTime = { packets: 'cycles', servers: 'ms' } as const;

const table = [
  {
    key: 'averageHops',
    basis: 'placement',
    label: 'Average hops',
    unit: 'hops',
    definition: 'mean hops between communicating tasks, unweighted',
    headline: { place: 3 },
    column: { place: 2 },
    summary: { place: 1 },
    sort: { word: 'average-hops', place: 4 },
    line: { place: 1, words: (hops) => `${hopsOf(hops)} on average` },
    reportedFor: { stream: 8, job: 4 },
  },
  {
    key: 'hopVariance',
    basis: 'placement',
    label: 'Hop variance',
    unit: 'hops²',
    definition: 'population variance of the hops between communicating tasks',
    isPictured: false,
    reportedFor: { job: 5 },
  },
  {
    key: 'maximumHops',
    basis: 'placement',
    label: 'Maximum hops',
    unit: 'hops',
    definition: 'maximum hops between communicating tasks',
    column: { place: 3 },
    summary: { place: 2, header: 'Maximum' },
    reportedFor: { job: 6 },
  },
  {
    key: 'hopBytes',
    basis: 'placement',
    label: 'Hop-bytes',
    unit: 'bytes',
    definition: 'sum of bytes × hops, including `insideHopBytes` if distances inside nodes count',
    headline: { place: 4 },
    column: { place: 1 },
    summary: { place: 3 },
    sort: { word: 'hop-bytes', place: 1 },
    line: { place: 2, words: (bytes) => `${formatBytes(bytes)} hop-bytes` },
    reportedFor: { job: 8 },
  },
  {
    key: 'weightedHops',
    basis: 'placement',
    label: 'Weighted hops',
    unit: 'hops',
    definition: 'mean hops of a byte: hop-bytes / bytes',
    reportedFor: { job: 7 },
  },
  {
    key: 'mappingCoefficient',
    basis: 'placement',
    label: 'Mapping coefficient',
    unit: 'bytes',
    definition:
      'sum of bytes × equivalent distance (Orduña et al. 2004): 0 within a node, else the router distance, plus 2 with host links. With one route per pair, it is the number of links',
    needs: 'a number of router pairs whose distances can be computed',
    column: { place: 6 },
    reportedFor: { job: 11 },
  },
  {
    key: 'maximumLinkLoad',
    basis: 'placement',
    label: 'Maximum link load',
    unit: 'bytes',
    definition: 'load of the directed link with the most bytes',
    headline: { place: 2 },
    column: { place: 4 },
    summary: { place: 4 },
    sort: { word: 'maximum-link-load', place: 2 },
    line: { place: 3, words: (bytes) => `maximum link load ${formatBytes(bytes)}` },
    reportedFor: { job: 9 },
  },
  {
    key: 'meanLinkLoad',
    basis: 'placement',
    label: 'Mean link load',
    unit: 'bytes',
    definition: 'mean over all directed links of the machine, except those of failed switches and nodes',
  },
  {
    key: 'interNodeBytes',
    basis: 'placement',
    label: 'Bytes between nodes',
    shortLabel: 'Between nodes',
    unit: 'bytes',
    definition: 'Σ w over pairs in different nodes',
  },
  {
    key: 'insideHopBytes',
    basis: 'placement',
    isDerived: true,
    label: 'Hop-bytes inside nodes',
    shortLabel: 'Inside nodes',
    unit: 'bytes',
    definition:
      'Σ w · distance inside nodes, part of `hopBytes`: between two GPUs of a node, or from GPUs of two nodes to their NICs',
    needs: 'distances inside nodes: `gpus`, or `inside counted`',
  },
  {
    key: 'congestionTime',
    basis: 'placement',
    label: 'Congestion time',
    unit: 'seconds',
    definition:
      'time of the bottleneck link: maximum of load / bandwidth, host links included; on a torus, mesh or hypercube those of `interface`',
    needs: '`bandwidth` or `interface` of the machine',
    headline: { place: 1 },
    column: { place: 5, onlyWhereKnown: true },
    // Without a bandwidth all links are alike: the order by load is that by time, whatever it is.
    sort: { word: 'congestion-time', place: 3, instead: 'maximumLinkLoad' },
    line: { place: 3, words: (seconds) => `congestion time ${formatSeconds(seconds)}` },
    reportedFor: { job: 10 },
  },
  {
    key: 'linkTime',
    basis: 'placement',
    isDerived: true,
    label: 'Link time',
    unit: 'seconds',
    definition: 'Σ over links of load / bandwidth: total busy time of all links, or time-weighted hops',
    needs: '`bandwidth` of the machine',
    isPictured: false,
  },
  {
    key: 'weightedLatency',
    basis: 'placement',
    isDerived: true,
    label: 'Latency',
    unit: 'seconds',
    definition:
      'zero-load latency, averaged over all bytes: `latency` of each link on the route, plus `switch` of each router or ' +
      'switch; 0 within a node',
    needs: '`latency` or `switch` of the machine',
    isPictured: false,
  },
  {
    key: 'memoryTime',
    basis: 'placement',
    isDerived: true,
    label: 'Memory time',
    unit: 'seconds',
    definition: 'maximum over nodes of the bytes between its tasks / `memory`',
    needs: '`memory` of the machine',
    isPictured: false,
  },
  {
    ...queueing,
    key: 'waiting',
    label: 'Waiting per message',
    shortLabel: 'Waiting',
    unit: 'seconds',
    definition:
      'mean wait time of a message in the queueing model of Soryani et al. (2013, equations 5 to 12); `null` if a server ' +
      'is overloaded',
    column: { place: 7, onlyWhereKnown: true },
    sort: { word: 'waiting', place: 5, instead: 'hopBytes' },
  },
  {
    ...queueing,
    key: 'memoryWaiting',
    unit: 'seconds',
    definition: 'the part of `waiting` in the queues of memories',
  },
  {
    ...queueing,
    key: 'networkWaiting',
    unit: 'seconds',
    definition: 'the part of `waiting` in the queues of interfaces and of the switch',
  },
  {
    ...queueing,
    key: 'messageTime',
    label: 'Time per message',
    unit: 'seconds',
    definition: 'mean time from the sending of a message to its arrival: service and waiting (equation 1)',
    isPictured: false,
  },
  {
    ...queueing,
    key: 'highestUtilisation',
    label: 'Busiest server',
    unit: 'share',
    definition: 'utilisation of the busiest server',
    column: { place: 8, onlyWhereKnown: true },
    sort: { word: 'busiest-server', place: 6, instead: 'hopBytes' },
  },
  {
    ...queueing,
    key: 'memoryUtilisation',
    label: 'Busiest memory',
    unit: 'share',
    definition: 'highest utilisation of memories of sockets',
    isPictured: false,
  },
  {
    ...queueing,
    key: 'portUtilisation',
    label: 'Busiest port',
    unit: 'share',
    definition: 'highest utilisation of ports of nodes, out and in',
    isPictured: false,
  },
  {
    ...queueing,
    key: 'queuePairUtilisation',
    label: 'Busiest queue pair',
    unit: 'share',
    definition: 'highest utilisation of queue pairs of cores, and of the hardware behind them',
    isPictured: false,
  },
  {
    ...queueing,
    key: 'switchUtilisation',
    label: 'Busiest switch port',
    unit: 'share',
    definition: 'highest utilisation of ports of the switch',
    isPictured: false,
  },
  {
    ...queueing,
    key: 'overloadedServers',
    label: 'Overloaded servers',
    unit: 'count',
    definition: 'number of servers with a utilisation of 100 % or more',
    isPictured: false,
  },
  {
    key: 'turnaround',
    basis: 'simulation',
    label: 'Turnaround',
    unit: jobTime,
    definition: 'mean time from the arrival of a job to its end',
    reportedFor: { stream: 1 },
  },
  {
    key: 'waiting',
    basis: 'simulation',
    label: 'Waiting',
    unit: jobTime,
    definition: 'mean time from the arrival of a job to its start',
    reportedFor: { stream: 2 },
  },
  {
    key: 'slowdown',
    basis: 'simulation',
    label: 'Slowdown',
    unit: '',
    definition:
      'mean of turnaround / service; for several jobs, latency of the first job / its latency without the others',
    reportedFor: { stream: 3, job: 13 },
    isBesideOthers: true,
  },
  {
    key: 'utilisation',
    basis: 'simulation',
    label: 'Utilisation',
    unit: '',
    better: 'more',
    definition: 'share of the processors that jobs requested and use, over time',
    reportedFor: { stream: 4 },
  },
  {
    key: 'makespan',
    basis: 'simulation',
    label: 'Makespan',
    unit: { ...jobTime, ...runTime },
    definition: 'time when the last job ends',
    reportedFor: { stream: 5, job: 1 },
  },
  {
    key: 'latency',
    basis: 'simulation',
    label: 'Latency',
    unit: { ...messageTime, stream: 'cycles', log: 'cycles' },
    definition: 'mean time from the sending of a message to its arrival',
    reportedFor: { stream: 6, job: 2, traffic: 1 },
  },
  {
    key: 'throughput',
    basis: 'simulation',
    label: 'Throughput',
    // A flit of a message between servers is a byte, and a cycle a nanosecond.
    unit: { packets: 'flits/node/cycle', servers: 'bytes/node/ns', stream: 'jobs/cycle', log: 'jobs/s' },
    better: 'more',
    definition: 'completed jobs per time; for a job or traffic, arrived flits per node and cycle',
    reportedFor: { stream: 7, job: 3, traffic: 2 },
  },
  {
    key: 'totalFinish',
    basis: 'simulation',
    label: 'Total finish',
    unit: runTime,
    definition: 'sum of the end times of all jobs',
    reportedFor: { job: 12 },
  },
  {
    key: 'totalWaiting',
    basis: 'servers',
    label: 'Total waiting',
    unit: waitTime,
    definition: 'sum of the wait times of all messages at NICs and memories',
    reportedFor: { job: 14 },
  },
  {
    key: 'totalInterfaceWaiting',
    basis: 'servers',
    label: 'Total interface waiting',
    unit: waitTime,
    definition: 'the part of `totalWaiting` at queue pairs, their hardware and the ports of nodes',
    reportedFor: { job: 15 },
  },
  {
    key: 'totalMemoryWaiting',
    basis: 'servers',
    label: 'Total memory waiting',
    unit: waitTime,
    definition: 'the part of `totalWaiting` at memories and caches',
    reportedFor: { job: 16 },
  },
  {
    key: 'portUtilisation',
    basis: 'servers',
    label: 'Port utilisation',
    unit: '',
    definition: 'utilisation of the busiest node port',
    reportedFor: { job: 17 },
  },
  {
    key: 'predictedLatency',
    basis: 'prediction',
    label: 'Predicted latency',
    unit: messageTime,
    definition: 'the latency that the queueing model predicts',
    reportedFor: { job: 18 },
  },
  {
    key: 'predictedSlowdown',
    basis: 'prediction',
    label: 'Predicted slowdown',
    unit: '',
    definition: 'the slowdown that the queueing model predicts',
    reportedFor: { job: 19 },
    isBesideOthers: true,
  },
  {
    key: 'predictedPortUtilisation',
    basis: 'prediction',
    label: 'Predicted port utilisation',
    unit: '',
    definition: 'the utilisation of the busiest node port that the queueing model predicts',
    reportedFor: { job: 20 },
  },
] as const satisfies readonly MetricEntry[];

type Row = (typeof table)[number];
type ReportedRow = Extract<Row, { readonly reportedFor: object }>;

/** The keys of metrics that experiments report. */
export type ExperimentMetric = ReportedRow['key'];

/** Of those the ones that are computed from `Basis` for such a subject. */
export type MetricFor<Kind extends SubjectKind, Basis extends MetricEntry['basis']> = Extract<
  ReportedRow,
  { readonly basis: Basis; readonly reportedFor: Readonly<Record<Kind, number>> }
>['key'];

/** The keys of metrics of placements, and of those that have a function of their own. */
export type PlacementMetricKey = Extract<Row, { readonly basis: 'placement' }>['key'];
export type DerivedMetricKey = Extract<Row, { readonly isDerived: true }>['key'];

const entries: readonly MetricEntry[] = table;
const isOfPlacement = (entry: MetricEntry): entry is PlacementMetric => entry.basis === 'placement';

/** Those of placements, in the order of JSON and hovers. */
export const placementMetrics: readonly PlacementMetric[] = entries.filter(isOfPlacement);

const placementEntries = Object.fromEntries(placementMetrics.map((entry) => [entry.key, entry])) as Readonly<
  Record<PlacementMetricKey, PlacementMetric>
>;

export const placementMetric = (key: PlacementMetricKey): PlacementMetric => placementEntries[key];

/** The metrics that have such a property, in the order of its places. */
const placed = <Key extends 'headline' | 'column' | 'summary' | 'sort'>(
  property: Key,
): readonly (PlacementMetric & Required<Pick<PlacementMetric, Key>>)[] =>
  placementMetrics
    .filter((entry): entry is PlacementMetric & Required<Pick<PlacementMetric, Key>> => entry[property] !== undefined)
    .toSorted((one, other) => (one[property]?.place ?? 0) - (other[property]?.place ?? 0));

/** The labels of those that one looks at first. */
export const headlineLabels: readonly string[] = placed('headline').map(({ key, label = key }) => label);

/** Those in the table of `compare`. */
export const metricColumns = placed('column');

/** Those in the table of `run`. */
export const summaryMetrics = placed('summary');

/** Those that the rows of a comparison can be sorted by, the least first. */
export const sortMetrics = placed('sort');

/** What replaces such a metric where some placement lacks it. */
export const sortedInstead = ({ sort }: PlacementMetric): PlacementMetric | undefined =>
  placementMetrics.find(({ key }) => key === sort?.instead);

const isReported = (entry: Row): entry is ReportedRow => 'reportedFor' in entry;
const reported = table.filter(isReported);
const reportedEntries = Object.fromEntries(reported.map((entry) => [entry.key, entry])) as Readonly<
  Record<ExperimentMetric, MetricEntry>
>;
const reportedEntry = (key: string): MetricEntry | undefined => reported.find((entry) => entry.key === key);

export const experimentMetric = (key: ExperimentMetric): MetricEntry => reportedEntries[key];

/** Of a metric in results of experiments; undefined where this version does not know it. */
export const metricLabel = (key: string): string | undefined => reportedEntry(key)?.label;

const reportedFor = (kind: SubjectKind): readonly ExperimentMetric[] =>
  reported
    .flatMap(({ key, reportedFor }) => {
      const place = (reportedFor as NonNullable<RunMetric['reportedFor']>)[kind];
      return place === undefined ? [] : [{ key, place }];
    })
    .toSorted((one, other) => one.place - other.place)
    .map(({ key }) => key);

/** What can be measured for each kind of subject, the default first. */
export const metricsOfSubject: Readonly<Record<SubjectKind, readonly ExperimentMetric[]>> = {
  stream: reportedFor('stream'),
  job: reportedFor('job'),
  traffic: reportedFor('traffic'),
};

export const experimentMetrics: readonly ExperimentMetric[] = [...new Set(Object.values(metricsOfSubject).flat())];

/** Known of a mapping without a simulation. */
export const isStaticMetric = (key: string): boolean => reportedEntry(key)?.basis === 'placement';

/** Only servers have it, which are the network of `queueing`. */
export function isServerMetric(key: string): boolean {
  const basis = reportedEntry(key)?.basis;
  return basis === 'servers' || basis === 'prediction';
}

/** Whether it compares a job beside others with the job alone, so that it needs several. */
export function isBesideOthers(key: string, basis?: RunMetric['basis']): boolean {
  const entry = reportedEntry(key);
  return entry !== undefined && 'isBesideOthers' in entry && (basis === undefined || entry.basis === basis);
}
