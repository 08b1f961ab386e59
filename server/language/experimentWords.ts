import type { CatalogueEntry, OptionSpecification } from '../model/catalogue.ts';
import { usualSteadyState, type FormPart } from '../model/experiment.ts';
import { experimentMetric, experimentMetrics, type ExperimentMetric } from '../model/metrics.ts';
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
    summary: 'one task sends to every other, in order',
    source: 'Alsardia 2017, section 4.1',
    skeleton: 'one-to-all(root ${1|random,first|})',
    options: [
      {
        name: 'root',
        summary: 'the sending task',
        kind: 'choice',
        choices: ['random', 'first'],
        default: 'random',
      },
    ],
  },
  {
    name: 'all-to-all',
    summary: 'every task sends to every other',
    source: 'Alsardia 2017, section 4.1',
    details: 'All tasks start together. Each sends its next message when the last one has left its node.',
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
    summary: 'each message goes from a random task to another one',
    source: 'Alsardia 2017, section 4.1',
    options: [],
  },
  {
    name: 'near-neighbour',
    summary: 'every task sends to its four neighbours in the grid of its job',
    source: 'Alsardia 2017, section 4.5',
    options: [],
  },
];

/** Patterns of messages between the nodes of a machine without jobs: `traffic` of an experiment. */
export const openTraffic: readonly CatalogueEntry[] = [
  {
    name: 'uniform',
    summary: 'every node sends to all others with equal probability',
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
    summary: 'for a log: allocated processors (field 5), or the requested ones if unknown',
    source: 'Standard Workload Format 2.2',
    options: [],
  },
  {
    name: 'requested',
    summary: 'for a log: requested processors (field 8), or the allocated ones if unknown',
    source: 'Standard Workload Format 2.2',
    options: [],
  },
];

/** What may stand after `service` of a stream. */
export const services: readonly CatalogueEntry[] = [
  {
    name: 'from-network',
    summary: 'until the last message of the job has arrived; `+` and a distribution add computing time',
    source: 'Alsardia 2017, section 4.1',
    options: [],
  },
  { name: 'from-log', summary: 'the run time of the log', source: 'Bunde et al. 2014, section 5', options: [] },
  ...distributions,
];

export const estimateKinds: readonly CatalogueEntry[] = [
  {
    name: 'at-least-run',
    summary: 'the estimate of the user (field 9), but at least the run time',
    source: 'Bunde et al. 2014, section 5',
    options: [
      {
        name: 'missing',
        summary: 'for jobs without an estimate: the run time, or twice the run time',
        kind: 'choice',
        choices: ['run', 'double'],
        default: 'run',
      },
    ],
  },
  { name: 'run', summary: 'the run time itself: perfect estimates', source: sheet, options: [] },
];

const meaningOf: Readonly<Record<Switching, string>> = {
  wormhole: 'a packet holds each channel from its header to its tail; blocked packets keep their channels',
  'cut-through': 'a header advances if the next buffer has space for the whole packet',
  'store-and-forward': 'a packet advances when all of it has arrived',
  flow: 'messages share links evenly (max-min): fast and approximate',
  queueing: 'servers of a cluster: memories, NICs and switch ports',
};

const figureOption = (name: string, minimum: 0 | 1, summary: string) =>
  ({ name, summary, kind: 'integer', minimum, maximum: countLimit }) as const;

/** Figures of a network that may stand in parentheses, delays in cycles; others take a declaration. */
export const figuresInPlace = [
  figureOption('router', 0, 'cycles to route a header, at every channel'),
  figureOption('link', 0, 'cycles to cross a link'),
  figureOption('buffer', 1, 'flits that a channel buffers'),
  figureOption('channels', 1, 'virtual channels of a link'),
  figureOption('packet', 1, 'flits of a packet'),
];

/** Those that mean something with a switching. */
const switchingFigures = (switching: Switching): readonly OptionSpecification[] =>
  figuresInPlace.filter(({ name }) =>
    networkProperties.some(({ word, goesWith }) => word === name && goesWith.includes(switching)),
  );

/** The model of a network, which an experiment may also write in place, with its figures in parentheses. */
export const switchingEntries: readonly (CatalogueEntry & { readonly name: Switching })[] = switchings.map((name) => ({
  name,
  summary: meaningOf[name],
  source: name === 'wormhole' ? 'Dally and Seitz 1987; Alsardia 2017, section 4.1' : sheet,
  options: switchingFigures(name),
}));

/** What may stand after `report`. */
export const metricEntries: readonly (CatalogueEntry & { readonly name: ExperimentMetric })[] = experimentMetrics.map(
  (name) => {
    const entry = experimentMetric(name);
    const needs = 'needs' in entry ? { details: `Needs ${entry.needs}.` } : {};
    return { name, summary: entry.definition, ...needs, source: sheet, options: [] };
  },
);

/** What may stand behind a quoted number and a comma, in words. */
export const additionMeanings: Readonly<Record<(typeof quotedAdditions)[number], string>> = {
  best: 'best of all runs of the row',
  deviation: 'the standard deviation of all runs of the row',
  differs: 'the paper marks the row as different from the best one',
};

/** The parts of smaller runs, in words. */
export const formPartMeanings: Readonly<Record<FormPart, string>> = {
  replications: 'replications of each row',
  repeat: 'runs of each replication with other random numbers',
  iterations: 'iterations of the skeleton',
  messages: 'messages of each pair of a job without a skeleton',
  packets: 'first packets of messages with times',
  machines: 'first machines of a varied machine',
  jobs: 'jobs of the stream',
  samples: 'samples of traffic',
};

export const comparisonEntries: readonly CatalogueEntry[] = [
  {
    name: 'paired-ratio',
    summary: 'ratio of the means of runs with the same jobs, with a confidence interval',
    source: 'Cochran 1977, section 2.11',
    skeleton: 'paired-ratio(to ${1:fcfs})',
    options: [
      {
        name: 'to',
        summary: 'the scheduler, allocator or mapper in the denominator',
        kind: 'name',
        required: true,
      },
    ],
  },
  ...[
    ['kruskal-wallis', 'tests whether several samples have one distribution', 'Kruskal and Wallis 1952'] as const,
    ['wilcoxon', 'tests whether the differences of pairs are symmetric around 0', 'Wilcoxon 1945'] as const,
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
  summary: 'number of equal batches of the other jobs',
  kind: 'integer',
  minimum: 2,
  maximum: 10_000,
  default: usualSteadyState.batches,
};

/** What may stand after `steady-state`: how the start of a run is left out. */
export const steadyStates: readonly CatalogueEntry[] = [
  {
    name: 'delete',
    summary: 'deletes the first share of the jobs',
    source: 'Law 2015, section 9.5',
    skeleton: 'delete(${1:20%})',
    options: [
      {
        name: 'share',
        summary: 'share of deleted jobs',
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
    summary: 'deletes as many jobs as minimise the error of the mean, at most half',
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
    details: 'Without a format, Placewright detects it from the content.',
    argument: { kind: 'file', summary: 'the file of the trace', required: true, describes: 'trace' },
    options: traceOptions,
  },
];

const firstPackets: OptionSpecification = {
  name: 'first',
  summary: 'number of packets to send, the first by time (default: all)',
  kind: 'integer',
  minimum: 1,
  maximum: countLimit,
};

/** What may stand after `replay`. */
export const replays: readonly CatalogueEntry[] = [
  {
    name: 'causal',
    summary: 'each task runs its operations in order, and waits for its receives',
    source: 'Pascual et al. 2010, section 4',
    details: 'Messages are sent when their dependencies have arrived, so the network determines the makespan.',
    options: [],
  },
  {
    name: 'open',
    summary: 'messages are sent at the times of their trace or rate, independent of receives',
    source: 'Orduña et al. 2004, section 5',
    skeleton: 'open(speed ${1:1})',
    options: [
      {
        name: 'speed',
        summary: 'divisor of all times',
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
      'as `open`, at the lowest speed that saturates the network, with every mapping of the experiment or with one',
    source: 'Orduña et al. 2004, section 5.1',
    details:
      'A bisection finds the speed first, once for each varied value, with the mappings of the first seed. ' +
      'All rows then use this speed. A network is saturated if less than the share `delivered` of a burst has arrived ' +
      'when its last message leaves its host. A burst ends with a pause that is longer than the burst and ' +
      'at least 1 % of the total time. Without such a pause, all messages are one burst.',
    skeleton: 'saturation(delivered ${1:95%})',
    options: [
      {
        name: 'delivered',
        summary: 'maximum share of a burst that has arrived at its end',
        kind: 'fraction',
        minimum: 0.01,
        maximum: 1,
        default: 0.95,
      },
      {
        name: 'mappings',
        summary: 'mappings that saturate the network: `all`, or `any` one of them',
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
        summary: 'packets per node and cycle',
        kind: 'number',
        minimum: 0,
        maximum: 1,
        required: true,
      },
      { name: 'nodes', summary: 'sending nodes', kind: 'choice', choices: ['idle', 'all'], default: 'idle' },
    ],
  },
];
