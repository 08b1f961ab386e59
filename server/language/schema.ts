import type { CatalogueEntry } from '../model/catalogue.ts';
import {
  networkArbiters,
  networkEjections,
  networkRoutings,
  networkSelections,
  switchings,
} from '../model/networkModel.ts';
import { jobShapes, logFields, logStatuses, scaledFields } from '../model/stream.ts';
import { oneOf } from './suggestions.ts';
import type { DeclarationKind } from './tree.ts';

/**
 * What may stand in each declaration: the one table that the parser, the checker, completion,
 * hovers and the documentation read. Order of the rows is the order of completion and docs.
 */

/** Catalogues and declarations whose names a choice may take. */
export type ChoiceSource =
  | 'topologies'
  | 'routings'
  | 'stencils' // built in or declared
  | 'patterns'
  | 'tables' // declared
  | 'allocators'
  | 'mappers'
  | 'node-sources'
  | 'distributions'
  | 'job-sizes' // distributions, or a field of a log
  | 'services' // distributions, the network, the log
  | 'estimates'
  | 'traffic'
  | 'schedulers'
  | 'switchings'
  | 'networks' // declared, or a switching with its figures
  | 'metrics'
  | 'comparisons'
  | 'backgrounds'
  | 'replays'
  | 'skeletons'
  | 'traces'; // a file, without a name before it

/** What stands after the word of a property. */
export type PropertyForm =
  | { readonly form: 'choice'; readonly source: ChoiceSource }
  /** Several, with commas or `+` between them. */
  | { readonly form: 'choices'; readonly source: ChoiceSource; readonly separator?: '+' }
  /** Words, numbers and signs in an order of its own; `words` are those that may stand in it. */
  | { readonly form: 'phrase'; readonly words: readonly string[] }
  | { readonly form: 'quoted' }
  | { readonly form: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly form: 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly form: 'shape'; readonly maximum: number }
  | { readonly form: 'size' | 'time' | 'rate' | 'frequency' | 'file' }
  /** One of a few words: `unit packets`. */
  | { readonly form: 'word'; readonly choices: readonly string[] }
  | { readonly form: 'names'; readonly of: DeclarationKind; readonly several: boolean }
  | { readonly form: 'flag' | 'link' | 'offset' };

export interface PropertySpecification {
  readonly word: string;
  /** One line for completion, hovers and docs. */
  readonly summary: string;
  /** What the word takes, for messages: "a whole number". */
  readonly takes: string;
  /** As a user would write it: `hosts 4`. */
  readonly example: string;
  readonly content: PropertyForm;
  readonly required?: true;
  readonly repeatable?: true;
  /** Known to the language, not evaluated by this version. */
  readonly announced?: true;
}

export interface DeclarationSpecification {
  readonly kind: DeclarationKind;
  readonly summary: string;
  /** The least that a user has to write. */
  readonly example: string;
  readonly properties: readonly PropertySpecification[];
}

/** Above this many tasks a job is refused before anything is allocated. */
export const taskLimit = 2 ** 22;
/** Amounts, sizes and weights above this cannot be added up exactly. */
export const amountLimit = 2 ** 53;
const countLimit = 2 ** 31 - 1;
/** Dimensions that a grid, stencil or network may have. */
export const dimensionLimit = 16;

const machineProperties: readonly PropertySpecification[] = [
  {
    word: 'topology',
    summary: 'How the routers or switches are connected.',
    takes: 'the name of a topology',
    example: 'topology torus 4 x 4',
    content: { form: 'choice', source: 'topologies' },
    required: true,
  },
  {
    word: 'link',
    summary: 'Undirected cables from one switch to others; only with `topology switches`.',
    takes: 'a switch, `--` and the switches at the other ends',
    example: 'link 0 -- 2, 4, 9',
    content: { form: 'link' },
    repeatable: true,
  },
  {
    word: 'hosts',
    summary: 'Compute nodes on each router or switch (default 1); node id = router · hosts + host.',
    takes: 'a whole number',
    example: 'hosts 4',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'sockets',
    summary: 'Sockets of each compute node (default 1).',
    takes: 'a whole number',
    example: 'sockets 2',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'cores',
    summary: 'Cores of each socket (default 1).',
    takes: 'a whole number',
    example: 'cores 8',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'node',
    summary: 'The inside of a compute node as hwloc saw it, instead of `sockets` and `cores`.',
    takes: '`from` and a file in double quotes',
    example: 'node from "node.xml"',
    content: { form: 'choice', source: 'node-sources' },
  },
  {
    word: 'routing',
    summary:
      'How packets travel; default: dimension-order where there are dimensions, up-down for `switches`, minimal elsewhere.',
    takes: 'the name of a routing',
    example: 'routing dimension-order',
    content: { form: 'choice', source: 'routings' },
  },
  {
    word: 'bandwidth',
    summary: 'Bytes per second over one link; gives the congestion time.',
    takes: 'a rate',
    example: 'bandwidth 10 GB/s',
    content: { form: 'rate' },
  },
  {
    word: 'latency',
    summary: 'Time of one hop.',
    takes: 'a time',
    example: 'latency 100 ns',
    content: { form: 'time' },
  },
  {
    word: 'memory',
    summary: 'Memory bandwidth of a node.',
    takes: 'a rate',
    example: 'memory 4 GB/s',
    content: { form: 'rate' },
  },
  {
    word: 'interface',
    summary: 'Bandwidth of the network interface of a node.',
    takes: 'a rate',
    example: 'interface 1 GB/s',
    content: { form: 'rate' },
  },
  {
    word: 'switch',
    summary: 'Time a message spends in a switch.',
    takes: 'a time',
    example: 'switch 100 ns',
    content: { form: 'time' },
  },
];

const jobProperties: readonly PropertySpecification[] = [
  {
    word: 'tasks',
    summary: 'How many tasks the job has, where they form no grid.',
    takes: 'a whole number',
    example: 'tasks 64',
    content: { form: 'integer', minimum: 1, maximum: taskLimit },
  },
  {
    word: 'grid',
    summary: 'The tasks form a grid; task id = i + I · (j + J · k).',
    takes: 'a shape',
    example: 'grid 4 x 4',
    content: { form: 'shape', maximum: taskLimit },
  },
  {
    word: 'stencil',
    summary: 'Every task talks to its neighbours on the grid, as a built-in or declared stencil says.',
    takes: 'the name of a stencil',
    example: 'stencil five-point',
    content: { form: 'choice', source: 'stencils' },
  },
  {
    word: 'pattern',
    summary: 'Who talks to whom follows a built-in pattern.',
    takes: 'the name of a pattern',
    example: 'pattern all-to-all',
    content: { form: 'choice', source: 'patterns' },
  },
  {
    word: 'table',
    summary: 'Who talks to whom stands in a declared table.',
    takes: 'the name of a table',
    example: 'table ring8',
    content: { form: 'choice', source: 'tables' },
  },
  {
    word: 'skeleton',
    summary: 'The messages of a benchmark in their order, with what each waits for; their sum is the traffic.',
    takes: 'the name of a skeleton',
    example: 'skeleton cg(class A, iterations 10)',
    content: { form: 'choice', source: 'skeletons' },
  },
  {
    word: 'trace',
    summary: 'The messages of a recorded run in their order, from a file; their sum is the traffic.',
    takes: 'a file in double quotes',
    example: 'trace "cg.goal"(computing ignored)',
    content: { form: 'choice', source: 'traces' },
    announced: true,
  },
  {
    word: 'bytes',
    summary: 'Size of one message (default 1 byte).',
    takes: 'a size',
    example: 'bytes 64 KiB',
    content: { form: 'size' },
  },
  {
    word: 'messages',
    summary: 'Messages that each pair sends (default 1).',
    takes: 'a number',
    example: 'messages 2000',
    content: { form: 'number', minimum: 0, maximum: amountLimit },
  },
  {
    word: 'rate',
    summary: 'Messages per second.',
    takes: 'a frequency',
    example: 'rate 100/s',
    content: { form: 'frequency' },
  },
  {
    word: 'periodic',
    summary: 'The grid wraps: the last task of an axis is a neighbour of the first.',
    takes: 'nothing',
    example: 'periodic',
    content: { form: 'flag' },
  },
  {
    word: 'coordinates',
    summary: 'A file with a line `x y [z]` per task: where it lives in the problem; mappers may use it.',
    takes: 'a file in double quotes',
    example: 'coordinates "positions.txt"',
    content: { form: 'file' },
  },
];

const stencilProperties: readonly PropertySpecification[] = [
  {
    word: 'dimensions',
    summary: 'Dimensions of the grids that the stencil fits.',
    takes: 'a whole number',
    example: 'dimensions 3',
    content: { form: 'integer', minimum: 1, maximum: dimensionLimit },
    required: true,
  },
  {
    word: 'offset',
    summary: 'Every task sends to the task at this offset; `weight` multiplies the bytes (default 1).',
    takes: 'one whole number per dimension in parentheses',
    example: 'offset (1, 0, 0) weight 0.5',
    content: { form: 'offset' },
    required: true,
    repeatable: true,
  },
];

const tableProperties: readonly PropertySpecification[] = [
  {
    word: 'unit',
    summary: 'What the amounts count (default bytes).',
    takes: '`bytes`, `messages` or `packets`',
    example: 'unit messages',
    content: { form: 'word', choices: ['bytes', 'messages', 'packets'] },
  },
];

const simulationProperties: readonly PropertySpecification[] = [
  {
    word: 'replay',
    summary: 'When the messages of a job are sent: as what they wait for arrives (the usual), or at given times.',
    takes: '`causal` or `open`',
    example: 'replay open(speed 8)',
    content: { form: 'choice', source: 'replays' },
  },
  {
    word: 'background',
    summary: 'Messages that other jobs send meanwhile.',
    takes: 'the name of a kind of background',
    example: 'background uniform(rate 0.016, nodes idle)',
    content: { form: 'choice', source: 'backgrounds' },
  },
  {
    word: 'budget',
    summary: 'Where a simulation ends that takes longer: in `cycles` of the network, or a time of computing.',
    takes: 'a time or a number of `cycles`',
    example: 'budget 10000000 cycles',
    content: { form: 'phrase', words: ['cycles', 'us', 'ms', 's'] },
  },
];

const placementProperties: readonly PropertySpecification[] = [
  {
    word: 'job',
    summary: 'The job to place.',
    takes: 'the name of a job',
    example: 'job heat',
    content: { form: 'names', of: 'job', several: false },
  },
  {
    word: 'jobs',
    summary:
      'The jobs to place, in order: later ones take what the earlier left. Each may have nodes and a mapper of its own: `a(allocate nodes [0..15], map rcb)`.',
    takes: 'names of jobs, with commas between them',
    example: 'jobs scatter, shuffle',
    content: { form: 'names', of: 'job', several: true },
  },
  {
    word: 'machine',
    summary: 'The machine that the jobs run on.',
    takes: 'the name of a machine',
    example: 'machine small',
    content: { form: 'names', of: 'machine', several: false },
    required: true,
  },
  {
    word: 'allocate',
    summary: 'Which nodes the jobs get (default `all`).',
    takes: 'the name of an allocator',
    example: 'allocate random(count 512)',
    content: { form: 'choice', source: 'allocators' },
  },
  {
    word: 'map',
    summary: 'Where each task goes among those nodes (default `auto`).',
    takes: 'the name of a mapper',
    example: 'map rcb',
    content: { form: 'choice', source: 'mappers' },
  },
  {
    word: 'seed',
    summary: 'Any integer (default 1); the same file gives the same answer on every machine.',
    takes: 'a whole number',
    example: 'seed 7',
    content: { form: 'integer', minimum: -amountLimit, maximum: amountLimit },
  },
  {
    word: 'simulate',
    summary:
      'Through which network the messages of the jobs travel when they are simulated: a declared one, or one written in place.',
    takes: 'the name of a network, or a switching with its figures',
    example: 'simulate torus-2010',
    content: { form: 'choice', source: 'networks' },
  },
  ...simulationProperties,
];

const distribution = 'a distribution';

const streamProperties: readonly PropertySpecification[] = [
  {
    word: 'arrivals',
    summary: 'Times between the arrivals of jobs, in cycles; `at [..]` gives the times themselves.',
    takes: distribution,
    example: 'arrivals exponential(rate 0.0009)',
    content: { form: 'choice', source: 'distributions' },
  },
  {
    word: 'width',
    summary: 'Columns that a job asks for.',
    takes: distribution,
    example: 'width uniform(1, 16)',
    content: { form: 'choice', source: 'distributions' },
  },
  {
    word: 'height',
    summary: 'Rows that a job asks for.',
    takes: distribution,
    example: 'height uniform(1, 16)',
    content: { form: 'choice', source: 'distributions' },
  },
  {
    word: 'processors',
    summary: 'Processors of a job, where it asks for no submesh; of a log, which field says it.',
    takes: 'a distribution, or `allocated` or `requested` of a log',
    example: 'processors weighted [2: 40%, 4: 60%]',
    content: { form: 'choice', source: 'job-sizes' },
  },
  {
    word: 'traffic',
    summary: 'Who sends to whom in each job; without it nobody does.',
    takes: 'the name of a pattern of traffic',
    example: 'traffic one-to-all(root random)',
    content: { form: 'choice', source: 'traffic' },
  },
  {
    word: 'messages',
    summary: 'How often each job repeats its pattern (default 1).',
    takes: 'a whole number',
    example: 'messages 1',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'flits',
    summary: 'Length of a message in flits (default 8).',
    takes: 'a whole number',
    example: 'flits 8',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'bytes',
    summary: 'Length of a message in bytes, instead of `flits`.',
    takes: 'a size',
    example: 'bytes 64 KiB',
    content: { form: 'size' },
  },
  {
    word: 'service',
    summary: 'How long a job holds its processors; default `from-network`, and `from-log` for a log.',
    takes: '`from-network`, `from-log` or a distribution',
    example: 'service from-network',
    content: { form: 'choices', source: 'services', separator: '+' },
  },
  {
    word: 'jobs',
    summary: 'When a run ends: with so many jobs that are done or have arrived, or after a time. Needed without a log.',
    takes: 'a whole number with `completed` or `arrived`, or `for` and a number of cycles, seconds, hours or days',
    example: 'jobs 1000 completed',
    content: { form: 'phrase', words: ['completed', 'arrived', 'for', 'cycles', 'seconds', 'hours', 'days'] },
  },
  {
    word: 'warm-up',
    summary: 'Jobs that are left out of the measures (default 0): a number, a share, or what the rule MSER-5 finds.',
    takes: 'a whole number, a share such as `20%`, or `mser-5`',
    example: 'warm-up 20%',
    content: { form: 'phrase', words: ['mser-5'] },
  },
  {
    word: 'log',
    summary: 'Jobs of a log in the Standard Workload Format, in the place of distributions.',
    takes: 'a file in double quotes',
    example: 'log "KTH-SP2-1996-2.1-cln.swf.gz"',
    content: { form: 'file' },
  },
  {
    word: 'estimates',
    summary: 'Of a log: what the scheduler is told of run times (default `at-least-run`).',
    takes: '`at-least-run` or `run`',
    example: 'estimates at-least-run(missing run)',
    content: { form: 'choice', source: 'estimates' },
  },
  {
    word: 'where',
    summary: 'Of a log: only jobs for which this holds; more than one with commas.',
    takes: 'a field, a comparison and a number',
    example: 'where processors > 0',
    content: { form: 'phrase', words: logFields },
    repeatable: true,
  },
  {
    word: 'status',
    summary: 'Of a log: only jobs that ended so (default `any`).',
    takes: oneOf(logStatuses),
    example: 'status completed',
    content: { form: 'word', choices: logStatuses },
  },
  {
    word: 'first',
    summary: 'Of a log: only so many jobs, in the order of their submission.',
    takes: 'a whole number',
    example: 'first 5000',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'scale',
    summary: 'Of a log: a field is multiplied by a number; a smaller `submit` is a higher load.',
    takes: `${oneOf(scaledFields)}, and a number`,
    example: 'scale submit 0.8',
    content: { form: 'phrase', words: scaledFields },
    repeatable: true,
  },
  {
    word: 'shape',
    summary: 'Of a log: the submesh that a job asks for (default `squarest`).',
    takes: oneOf(jobShapes),
    example: 'shape squarest',
    content: { form: 'word', choices: jobShapes },
  },
  {
    word: 'measure',
    summary: 'Of a log: `where` and the jobs that are measured; all of them are run.',
    takes: '`where`, a field, a comparison and a number',
    example: 'measure where processors > 1',
    content: { form: 'phrase', words: ['where', ...logFields] },
    repeatable: true,
  },
];

const delay = { form: 'phrase', words: ['cycle', 'cycles', 'ns', 'us', 'ms', 's'] } as const;

const networkProperties: readonly PropertySpecification[] = [
  {
    word: 'switching',
    summary: 'How messages travel.',
    takes: oneOf(switchings),
    example: 'switching wormhole',
    content: { form: 'choice', source: 'switchings' },
    required: true,
  },
  {
    word: 'packet',
    summary: 'Flits of a packet.',
    takes: 'a whole number',
    example: 'packet 8',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'flit',
    summary: 'Bytes of a flit.',
    takes: 'a size',
    example: 'flit 4 B',
    content: { form: 'size' },
  },
  {
    word: 'buffer',
    summary: 'Flits that a channel buffers at each router.',
    takes: 'a whole number',
    example: 'buffer 1',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'queue',
    summary: 'Packets that a channel queues at each router.',
    takes: 'a whole number and `packets`',
    example: 'queue 4 packets',
    content: { form: 'phrase', words: ['packet', 'packets'] },
  },
  {
    word: 'channels',
    summary: 'Virtual channels of each link.',
    takes: 'a whole number',
    example: 'channels 1',
    content: { form: 'integer', minimum: 1, maximum: 64 },
  },
  {
    word: 'bubble',
    summary: 'Packets for which there must be room before one may enter a ring; `(here)`: in this router alone.',
    takes: 'a whole number, and `(here)` behind it or nothing',
    example: 'bubble 2(here)',
    content: { form: 'phrase', words: ['here'] },
  },
  {
    word: 'router',
    summary: 'Time to route a header.',
    takes: 'a time or a number of `cycles`',
    example: 'router 3 cycles',
    content: delay,
  },
  {
    word: 'link',
    summary: 'Time to cross a link.',
    takes: 'a time or a number of `cycles`',
    example: 'link 1 cycle',
    content: delay,
  },
  {
    word: 'routing',
    summary: 'Whether a packet may choose among the links that the routing of the machine allows.',
    takes: oneOf(networkRoutings),
    example: 'routing adaptive',
    content: { form: 'word', choices: networkRoutings },
  },
  {
    word: 'select',
    summary: 'Which of several links a packet takes.',
    takes: oneOf(networkSelections),
    example: 'select first-free',
    content: { form: 'word', choices: networkSelections },
  },
  {
    word: 'arbiter',
    summary: 'Which of several packets gets a link.',
    takes: oneOf(networkArbiters),
    example: 'arbiter round-robin',
    content: { form: 'word', choices: networkArbiters },
  },
  {
    word: 'ejection',
    summary: 'Whether a node takes one packet at a time or several.',
    takes: oneOf(networkEjections),
    example: 'ejection multiple',
    content: { form: 'word', choices: networkEjections },
  },
];

const experimentProperties: readonly PropertySpecification[] = [
  {
    word: 'stream',
    summary: 'The jobs over time that are run.',
    takes: 'the name of a stream',
    example: 'stream thesis',
    content: { form: 'names', of: 'stream', several: false },
  },
  {
    word: 'job',
    summary: 'The job that is run, in the place of a stream.',
    takes: 'the name of a job',
    example: 'job cg',
    content: { form: 'names', of: 'job', several: false },
  },
  {
    word: 'traffic',
    summary: 'Messages without jobs, in the place of a stream.',
    takes: 'names of patterns of traffic, with commas between them',
    example: 'traffic uniform, transpose',
    content: { form: 'choices', source: 'traffic' },
  },
  {
    word: 'machine',
    summary: 'The machine.',
    takes: 'the name of a machine',
    example: 'machine mesh16',
    content: { form: 'names', of: 'machine', several: false },
    required: true,
  },
  {
    word: 'network',
    summary: 'How messages travel: a declared network, or one written in place.',
    takes: 'the name of a network, or a switching with its figures',
    example: 'network wormhole(routing 3, buffer 1)',
    content: { form: 'choice', source: 'networks' },
  },
  {
    word: 'schedule',
    summary: 'Which job runs next (default `fcfs`): each is crossed with everything else.',
    takes: 'names of schedulers, with commas between them',
    example: 'schedule fcfs, easy',
    content: { form: 'choices', source: 'schedulers' },
  },
  {
    word: 'allocate',
    summary: 'Which nodes a job gets: each is crossed with everything else.',
    takes: 'names of allocators, with commas between them',
    example: 'allocate rbs, gabl',
    content: { form: 'choices', source: 'allocators' },
  },
  {
    word: 'map',
    summary: 'Where each process goes among the nodes of its job; without it in the order of the nodes.',
    takes: 'names of mappers, with commas between them',
    example: 'map rcb, row-major',
    content: { form: 'choices', source: 'mappers' },
  },
  {
    word: 'vary',
    summary: 'A number of the stream that is varied: a property, or one of its options behind a dot.',
    takes: 'a path, two numbers with `..` between them, and `step` with a number',
    example: 'vary arrivals.rate 2e-4 .. 1.1e-3 step 1e-4',
    content: { form: 'phrase', words: ['step'] },
    repeatable: true,
  },
  {
    word: 'seeds',
    summary: 'One replication for each of these seeds.',
    takes: 'a whole number, or two with `..` between them',
    example: 'seeds 1 .. 50',
    content: { form: 'phrase', words: [] },
  },
  {
    word: 'replications',
    summary: 'A number of replications, or until the interval of every metric is narrow enough (default 5% at 95%).',
    takes: 'a whole number, or `until` with two shares',
    example: 'replications until 5% at 95% (at most 2000)',
    content: { form: 'phrase', words: ['until', 'at', 'most'] },
  },
  {
    word: 'until',
    summary: 'The same as `replications until`.',
    takes: 'two shares with `at` between them',
    example: 'until 5% at 95%',
    content: { form: 'phrase', words: ['at', 'most'] },
  },
  {
    word: 'repeat',
    summary: 'How often each replication is run, with other random numbers (default 1).',
    takes: 'a whole number',
    example: 'repeat 5',
    content: { form: 'integer', minimum: 1, maximum: 10000 },
  },
  {
    word: 'warm-up',
    summary: 'Of traffic: cycles before the first sample.',
    takes: 'a whole number',
    example: 'warm-up 10000',
    content: { form: 'integer', minimum: 0, maximum: countLimit },
  },
  {
    word: 'sample',
    summary: 'Of traffic: cycles of a sample.',
    takes: 'a whole number',
    example: 'sample 1000',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'samples',
    summary: 'Of traffic: how many samples are taken.',
    takes: 'a whole number',
    example: 'samples 30',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  ...simulationProperties,
  {
    word: 'report',
    summary: 'What is measured (default `turnaround` of streams, `makespan` of jobs, `latency` of traffic).',
    takes: 'names of metrics, with commas between them',
    example: 'report turnaround, utilisation',
    content: { form: 'choices', source: 'metrics' },
  },
  {
    word: 'compare',
    summary: 'How the rows are compared with each other.',
    takes: 'names of comparisons, with commas between them',
    example: 'compare paired-ratio(to rbs)',
    content: { form: 'choices', source: 'comparisons' },
  },
  {
    word: 'quoted',
    summary: 'Numbers of a paper, which are shown beside ours: of a row, or of the ratio of two.',
    takes: 'entries between `{` and `}`',
    example: 'quoted { turnaround rbs / gabl : 1.01 }',
    content: { form: 'quoted' },
  },
];

/** What may follow `node`: where the inside of a compute node is described. */
export const nodeSources: readonly CatalogueEntry[] = [
  {
    name: 'from',
    summary: 'sockets and cores of a node, read from the XML of hwloc',
    source: 'hwloc, `lstopo --of xml`',
    details: 'Takes the place of `sockets` and `cores`: every compute node of the machine is one of these.',
    argument: { kind: 'file', summary: 'the XML file that hwloc wrote', required: true },
    skeleton: 'from "${1:node.xml}"',
    options: [],
  },
];

export const declarations: readonly DeclarationSpecification[] = [
  {
    kind: 'machine',
    summary: 'The routers, links, nodes and cores that tasks are placed on.',
    example: 'machine small { topology torus 4 x 4 }',
    properties: machineProperties,
  },
  {
    kind: 'job',
    summary: 'A parallel program: its tasks and what they say to each other.',
    example: 'job heat { grid 4 x 4  stencil five-point }',
    properties: jobProperties,
  },
  {
    kind: 'stencil',
    summary: 'The neighbours of a task on a grid, by offsets.',
    example: 'stencil right-hand { dimensions 1  offset (1) }',
    properties: stencilProperties,
  },
  {
    kind: 'table',
    summary: 'Who sends how much to whom, pair by pair.',
    example: 'table pair { 0 -> 1 : 40 }',
    properties: tableProperties,
  },
  {
    kind: 'placement',
    summary: 'Jobs placed on a machine: an allocation, a mapping and what they cost.',
    example: 'placement first-try { job heat  machine small  map row-major }',
    properties: placementProperties,
  },
  {
    kind: 'stream',
    summary: 'Jobs over time: drawn from distributions, or read from a log.',
    example: 'stream thesis { arrivals exponential(rate 0.001)  processors uniform(1, 16)  jobs 1000 completed }',
    properties: streamProperties,
  },
  {
    kind: 'network',
    summary: 'How messages travel through a machine, for simulations.',
    example: 'network flits { switching wormhole  router 3 cycles }',
    properties: networkProperties,
  },
  {
    kind: 'experiment',
    summary: 'Streams, schedulers, allocators and mappers crossed, repeated and compared.',
    example: 'experiment load { stream thesis  machine small  allocate rbs, gabl }',
    properties: experimentProperties,
  },
];

const byKind = new Map(declarations.map((declaration) => [declaration.kind as string, declaration]));
const byKindAndWord = new Map(
  declarations.map((declaration) => [
    declaration.kind,
    new Map(declaration.properties.map((property) => [property.word, property])),
  ]),
);

/** The declaration that a keyword starts, or undefined where it starts none. */
export function declarationOf(keyword: string): DeclarationSpecification | undefined {
  return byKind.get(keyword);
}

/** The property that a word starts in a declaration of this kind, or undefined. */
export function propertyOf(kind: DeclarationKind, word: string): PropertySpecification | undefined {
  return byKindAndWord.get(kind)?.get(word);
}

/** The words that start a property in a declaration of this kind. */
export function propertyWords(kind: DeclarationKind): readonly string[] {
  return byKind.get(kind)?.properties.map((property) => property.word) ?? [];
}
