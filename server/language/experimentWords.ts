import type { CatalogueEntry, OptionSpecification } from '../model/catalogue.ts';
import { experimentMetrics, usualSteadyState, type ExperimentMetric, type FormPart } from '../model/experiment.ts';
import { networkProperties, switchings, type Switching } from '../model/networkModel.ts';
import { traceOptions } from '../simulation/workloads/catalogue.ts';
import { distributions } from '../scheduling/distributions.ts';
import type { quotedAdditions } from './propertyForms.ts';

/**
 * Words of streams, networks and experiments that no algorithm stands behind, as entries of catalogues, so that they
 * are parsed, checked, completed and explained like all others.
 */

const countLimit = 2 ** 31 - 1;
const sheet = 'Placewright';

/** Who sends to whom in a job of a stream, or between the nodes of a machine without jobs. */
export const trafficPatterns: readonly CatalogueEntry[] = [
  {
    name: 'one-to-all',
    summary: 'one process sends to every other, in their order',
    source: 'Alsardia 2017, section 4.1',
    skeleton: 'one-to-all(root ${1|random,first|})',
    options: [
      {
        name: 'root',
        summary: 'the process that sends',
        kind: 'choice',
        choices: ['random', 'first'],
        default: 'random',
      },
    ],
  },
  {
    name: 'all-to-all',
    summary: 'every process sends to every other',
    source: 'Alsardia 2017, section 4.1',
    details: 'All processes begin at once, and each sends the next message when the last one has left its node.',
    options: [
      {
        name: 'order',
        summary: 'whom each sends to first: process 0, or the one behind it',
        kind: 'choice',
        choices: ['ascending', 'ring'],
        default: 'ascending',
      },
    ],
  },
  {
    name: 'random',
    summary: 'each message goes from one process at random to another',
    source: 'Alsardia 2017, section 4.1',
    options: [],
  },
  {
    name: 'near-neighbour',
    summary: 'every process sends to its neighbours in the grid of its job: left, right, up, down',
    source: 'Alsardia 2017, section 4.5',
    options: [],
  },
];

/** Patterns of messages between the nodes of a machine without jobs: `traffic` of an experiment. */
export const openTraffic: readonly CatalogueEntry[] = [
  {
    name: 'uniform',
    summary: 'every node sends to all others with the same probability',
    source: 'Dally and Towles 2004, section 3.2',
    options: [],
  },
  {
    name: 'transpose',
    summary: 'the node at (x, y) sends to the one at (y, x)',
    source: 'Dally and Towles 2004, section 3.2',
    options: [],
  },
];

/** What may stand after `processors` of a stream: a distribution, or which field of a log. */
export const jobSizes: readonly CatalogueEntry[] = [
  ...distributions,
  {
    name: 'allocated',
    summary: 'of a log: the processors that the job was given, field 5; where unknown those it asked for',
    source: 'Standard Workload Format 2.2',
    options: [],
  },
  {
    name: 'requested',
    summary: 'of a log: the processors that the job asked for, field 8; where unknown those it was given',
    source: 'Standard Workload Format 2.2',
    options: [],
  },
];

/** What may stand after `service` of a stream. */
export const services: readonly CatalogueEntry[] = [
  {
    name: 'from-network',
    summary: 'until the last message of the job has arrived; `+` and a distribution add time for computing',
    source: 'Alsardia 2017, section 4.1',
    options: [],
  },
  { name: 'from-log', summary: 'the run time of the log', source: 'Bunde et al. 2014, section 5', options: [] },
  ...distributions,
];

export const estimateKinds: readonly CatalogueEntry[] = [
  {
    name: 'at-least-run',
    summary: 'what the user estimated, field 9, but never less than the run time',
    source: 'Bunde et al. 2014, section 5',
    options: [
      {
        name: 'missing',
        summary: 'for jobs without an estimate: the run time, or the double of it',
        kind: 'choice',
        choices: ['run', 'double'],
        default: 'run',
      },
    ],
  },
  { name: 'run', summary: 'the run time itself: perfect estimates', source: sheet, options: [] },
];

const meaningOf: Readonly<Record<Switching, string>> = {
  wormhole: 'a packet holds a channel from its header to its tail; blocked packets hold all that they have',
  'cut-through': 'a header moves on where there is room for its whole packet',
  'store-and-forward': 'a packet moves on when all of it has arrived',
  flow: 'messages share links evenly, as fluids do: quick and rough',
  queueing: 'the servers of the nodes of a cluster: memory, interface, switch',
};

const figure = (name: string, minimum: 0 | 1, summary: string) =>
  ({ name, summary, kind: 'integer', minimum, maximum: countLimit }) as const;

/** Figures of a network that may stand in parentheses, delays in cycles; others take a declaration. */
export const figuresInPlace = [
  figure('router', 0, 'cycles to route a header, at every channel'),
  figure('link', 0, 'cycles to cross a link'),
  figure('buffer', 1, 'flits that a channel buffers'),
  figure('channels', 1, 'virtual channels of a link'),
  figure('packet', 1, 'flits of a packet'),
];

/** Those that mean something with a switching. */
const figuresOf = (switching: Switching): readonly OptionSpecification[] =>
  figuresInPlace.filter(({ name }) =>
    networkProperties.some(({ word, goesWith }) => word === name && goesWith.includes(switching)),
  );

/** The model of a network, which an experiment may also write in place, with its figures in parentheses. */
export const switchingEntries: readonly (CatalogueEntry & { readonly name: Switching })[] = switchings.map((name) => ({
  name,
  summary: meaningOf[name],
  source: name === 'wormhole' ? 'Dally and Seitz 1987; Alsardia 2017, section 4.1' : sheet,
  options: figuresOf(name),
}));

const metricMeanings: Readonly<Record<ExperimentMetric, string>> = {
  turnaround: 'mean time from the arrival of a job to its end',
  waiting: 'mean time from the arrival of a job to its start',
  slowdown:
    'mean of turnaround over service; of several jobs the latency of the first one’s messages over that without the others',
  utilisation: 'share of the processors that jobs have asked for and hold, over time',
  makespan: 'time of the last end',
  latency: 'mean time from the sending of a message to its arrival',
  throughput: 'jobs that end per time; of a job or of traffic, flits that arrive at a node per cycle',
  averageHops: 'mean hops between the processes of a job that talk',
  hopVariance: 'variance of the hops between the processes of a job that talk',
  maximumHops: 'most hops between two processes of a job that talk',
  weightedHops: 'mean hops of a byte',
  hopBytes: 'bytes times the hops that they travel, summed',
  maximumLinkLoad: 'bytes that cross the most loaded link',
  congestionTime: 'time that the busiest link takes for the bytes that cross it; needs a `bandwidth`',
  mappingCoefficient: 'bytes times the equivalent distances that they travel, summed',
  totalFinish: 'times of the last end of each job, summed',
  totalWaiting: 'what messages wait at the servers of interfaces and memories, summed over all messages',
  totalInterfaceWaiting: 'the part of `totalWaiting` at queue pairs, their hardware and the ports of nodes',
  totalMemoryWaiting: 'the part of `totalWaiting` at memories and caches',
  portUtilisation: 'share of the time that the busiest port of a node works',
  predictedLatency: 'the latency that the queueing model predicts',
  predictedSlowdown: 'the slowdown that the queueing model predicts',
  predictedPortUtilisation: 'the share that the queueing model predicts of the busiest port',
};

export const metricEntries: readonly (CatalogueEntry & { readonly name: ExperimentMetric })[] = experimentMetrics.map(
  (name) => ({ name, summary: metricMeanings[name], source: sheet, options: [] }),
);

/** What may stand behind a quoted number and a comma, in words. */
export const additionMeanings: Readonly<Record<(typeof quotedAdditions)[number], string>> = {
  best: 'the best of all runs of the row',
  deviation: 'the standard deviation of all runs of the row',
  differs: 'the paper marks the row as different from the best one',
};

/** The parts of smaller runs, in words. */
export const formPartMeanings: Readonly<Record<FormPart, string>> = {
  replications: 'replications of each row',
  repeat: 'runs of each replication with other random numbers',
  iterations: 'iterations of the skeleton',
  messages: 'messages of each pair of a job without a skeleton',
  packets: 'packets that are sent of messages with times, the first of them',
  machines: 'machines of those that are varied, the first of them',
  jobs: 'jobs of the stream',
  samples: 'samples of traffic',
};

export const comparisonEntries: readonly CatalogueEntry[] = [
  {
    name: 'paired-ratio',
    summary: 'ratio of the means of runs with the same jobs, with its interval',
    source: 'Cochran 1977, section 2.11',
    skeleton: 'paired-ratio(to ${1:fcfs})',
    options: [
      {
        name: 'to',
        summary: 'the scheduler, allocator or mapper of the experiment that is divided by',
        kind: 'name',
        required: true,
      },
    ],
  },
  ...[
    ['kruskal-wallis', 'whether several samples come from one distribution', 'Kruskal and Wallis 1952'] as const,
    ['wilcoxon', 'whether the differences of pairs are around 0', 'Wilcoxon 1945'] as const,
  ].map(([name, summary, source]): CatalogueEntry => ({
    name,
    summary,
    source,
    options: [
      {
        name: 'level',
        summary: 'the level of significance',
        kind: 'fraction',
        minimum: 0.0001,
        maximum: 0.5,
        default: 0.05,
      },
    ],
  })),
];

const batches: OptionSpecification = {
  name: 'batches',
  summary: 'parts of equal length that the rest is cut into',
  kind: 'integer',
  minimum: 2,
  maximum: 10_000,
  default: usualSteadyState.batches,
};

/** What may stand after `steady-state`: how the start of a run is left out. */
export const steadyStates: readonly CatalogueEntry[] = [
  {
    name: 'delete',
    summary: 'leaves out the first share of the jobs',
    source: 'Law 2015, section 9.5',
    skeleton: 'delete(${1:20%})',
    options: [
      {
        name: 'share',
        summary: 'what is left out',
        kind: 'fraction',
        minimum: 0,
        maximum: 0.9,
        default: usualSteadyState.delete,
        positional: true,
      },
      batches,
    ],
  },
  {
    name: 'mser-5',
    summary: 'leaves out as much as makes the mean of the rest most certain, at most half',
    source: 'White, Cobb and Spratt 2000',
    options: [batches],
  },
];

/** What may stand after `trace`: a file, which has no name before it. */
export const traces: readonly CatalogueEntry[] = [
  {
    name: 'trace',
    summary: 'the messages of a recorded run',
    source: sheet,
    details: 'Where no format is named, the content of the file tells.',
    argument: { kind: 'file', summary: 'the file of the trace', required: true, describes: 'trace' },
    options: traceOptions,
  },
];

const firstPackets: OptionSpecification = {
  name: 'first',
  summary: 'so many packets are sent, the first of them by their times; all of them where it is left out',
  kind: 'integer',
  minimum: 1,
  maximum: countLimit,
};

/** What may stand after `replay`. */
export const replays: readonly CatalogueEntry[] = [
  {
    name: 'causal',
    summary: 'every task does its list in order, and waits where it receives',
    source: 'Pascual et al. 2010, section 4',
    details: 'Messages go on when what they wait for has arrived, so that the network decides how long the job takes.',
    options: [],
  },
  {
    name: 'open',
    summary: 'messages are sent at the times of their trace, or of their rate, whatever was received',
    source: 'Orduña et al. 2004, section 5',
    skeleton: 'open(speed ${1:1})',
    options: [
      {
        name: 'speed',
        summary: 'times are divided by this',
        kind: 'number',
        minimum: 1e-9,
        maximum: 1e9,
        default: 1,
      },
      {
        name: 'variation',
        summary:
          'coefficient of variation of the times between messages at a rate: 1 for a Poisson stream, 0 for equal times',
        kind: 'number',
        minimum: 0,
        maximum: 100,
        default: 1,
      },
      firstPackets,
    ],
  },
  {
    name: 'saturation',
    summary:
      'as `open`, at the least speed that is too much for the network with every mapping of the experiment, or with one',
    source: 'Orduña et al. 2004, section 5.1',
    details:
      'The speed is looked for by bisection before anything else, once for each value of what is varied, with the mappings ' +
      'of the first seed, and is then the same for all of them. A network is saturated where, when the last message of a burst would have ' +
      'left its host, less than the share `delivered` of the burst has arrived. A burst ends where nobody sends for longer than it has ' +
      'lasted, and for at least 1 % of the whole time: where there is no such pause, the whole is one burst.',
    skeleton: 'saturation(delivered ${1:95%})',
    options: [
      {
        name: 'delivered',
        summary: 'share of what is sent that arrives meanwhile, at most',
        kind: 'fraction',
        minimum: 0.01,
        maximum: 1,
        default: 0.95,
      },
      {
        name: 'mappings',
        summary: 'with which of the mappings it is too much: the others may be far from it where it is `any`',
        kind: 'choice',
        choices: ['all', 'any'],
        default: 'all',
      },
      firstPackets,
    ],
  },
];

/** Messages that other jobs send meanwhile. */
export const backgrounds: readonly CatalogueEntry[] = [
  {
    name: 'uniform',
    summary: 'nodes without a job send to each other at random',
    source: 'Pascual et al. 2010, section 4',
    options: [
      {
        name: 'rate',
        summary: 'packets of a node in a cycle',
        kind: 'number',
        minimum: 0,
        maximum: 1,
        required: true,
      },
      { name: 'nodes', summary: 'which nodes send', kind: 'choice', choices: ['idle', 'all'], default: 'idle' },
    ],
  },
];
