/** What may stand in declarations of what is placed: machines, jobs with stencils and tables, placements. */
import { taskLimit } from '../model/job.ts';
import { mostGpus, slotKinds } from '../model/nodeInside.ts';
import { mostRails } from '../model/rails.ts';
import { type PropertySpecification, amountLimit, dimensionLimit, countLimit } from './propertyForms.ts';

/** What `parallelism` may spread over tasks, and what each does. */
export const parallelismMeanings = {
  tensor: 'Number of tasks that share the matrices of each layer.',
  context: 'Number of tasks that share a sequence and exchange attention keys and values.',
  pipeline: 'Number of consecutive stages that share the layers.',
  data: 'Number of model replicas that share the batch and sum their gradients.',
  expert: 'Number of data- and context-parallel tasks that share the experts of a layer.',
} as const;

export const parallelismWords = [
  'tensor',
  'context',
  'pipeline',
  'data',
  'expert',
] as const satisfies readonly (keyof typeof parallelismMeanings)[];

export const machineProperties: readonly PropertySpecification[] = [
  {
    word: 'topology',
    summary: 'How routers or switches are connected.',
    takes: 'the name of a topology',
    example: 'topology torus 4 x 4',
    content: { form: 'choice', source: 'topologies' },
    required: true,
  },
  {
    word: 'link',
    summary:
      'Undirected links from one switch to others. `bandwidth` and `latency` may follow on the same line. Only ' +
      'with `topology switches`.',
    takes: 'a switch, `--` and the switches at the other ends',
    example: 'link 0 -- 2, 4, 9',
    content: { form: 'link' },
    repeatable: true,
    ofTopologies: {
      have: 'takesCables',
      says: '`link` does not fit `topology {topology}`, which defines its links. Remove it, or use `topology switches`.',
    },
  },
  {
    word: 'hosts',
    summary: 'Nodes on each router or switch (default 1). Node number = router · hosts + host.',
    takes: 'a whole number',
    example: 'hosts 4',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    ofTopologies: {
      have: 'takesHosts',
      says: '`hosts` does not fit `topology {topology}`, which sets the number of nodes. Remove it.',
    },
  },
  {
    word: 'on',
    summary:
      'Switches that have these `hosts` (default all); the others have none. `on leaves` of a file with tiers, ' +
      'numbers and ranges, or names in the file.',
    takes: '`leaves`, or numbers, ranges or names of switches with commas between them',
    example: 'on 0..15, 20',
    content: { form: 'phrase', words: ['leaves'] },
    ofTopologies: {
      have: 'takesHostsOn',
      says: '`on` does not fit `topology {topology}`: each router has equally many nodes. Remove it, or use `without node`.',
    },
  },
  {
    word: 'names',
    summary:
      'Host names in the order of node numbers, for launchers and diagrams. A Slurm hostlist, or a pattern with ' +
      '`%d` or `%05d`. Replaces the names of a file.',
    takes: 'host names in double quotes, as Slurm lists them: `"node[001-128]"`',
    example: 'names "node[01-16]"',
    content: { form: 'phrase', words: [] },
  },
  {
    word: 'rails',
    summary: 'NICs of each node (default 1), each with its own link and routes.',
    takes: 'a whole number',
    example: 'rails 4',
    content: { form: 'integer', minimum: 1, maximum: mostRails },
  },
  {
    word: 'rail-optimised',
    summary:
      'Rail r of a block of leaves is on leaf r of the block. A block has as many leaves as there are rails. Without it, all rails of a node are on one switch.',
    takes: 'nothing',
    example: 'rail-optimised',
    content: { form: 'flag' },
  },
  {
    word: 'rail-only',
    summary:
      'Each rail has its own copy of `topology`, with rail r of all nodes on copy r. No link connects two copies.',
    takes: 'nothing',
    example: 'rail-only',
    content: { form: 'flag' },
  },
  {
    word: 'without',
    summary:
      'Failed hardware: links `3 -- 4, 5`, one of several parallel links `3 -- 4 cable 2`, `switch 7`, `node 12, 20..24`, or names in a file. Numbers and coordinates stay.',
    takes:
      'a switch, `--` and other switches, and `cable` and a number for one of several, or `switch` or `node` with numbers, ranges or names',
    example: 'without 3 -- 4',
    content: { form: 'phrase', words: ['switch', 'node', 'cable'] },
    repeatable: true,
  },
  {
    word: 'sockets',
    summary: 'Sockets of each node (default 1).',
    takes: 'a whole number',
    example: 'sockets 2',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    notWith: { words: ['node'], says: '`sockets` conflicts with the file of `node`. Remove one of them.' },
  },
  {
    word: 'cores',
    summary:
      'Cores of each socket (default 1), or of one socket after the other: `cores 24, 16`. With `node`, the cores of the file that tasks may use.',
    takes: 'a whole number, or one for each socket with commas between them',
    example: 'cores 8',
    content: { form: 'phrase', words: [] },
  },
  {
    word: 'gpus',
    summary:
      'GPUs of each node, assigned to its sockets and rails in order. One task runs on each, and distances inside the node count.',
    takes: 'a whole number',
    example: 'gpus 8',
    content: { form: 'integer', minimum: 1, maximum: mostGpus },
    notWith: { words: ['node'], says: '`gpus` conflicts with the file of `node`. Remove one of them.' },
  },
  {
    word: 'gpu-link',
    summary:
      'GPUs with direct links (NVLink, NVSwitch, Infinity Fabric). A number of parallel links may follow (default ' +
      '1): `0 -- 1, 2 links 2`, or `all links 12` for every pair.',
    takes: 'a GPU, `--` and other GPUs, or `all`, and `links` with their number',
    example: 'gpu-link 0 -- 1 links 4',
    content: { form: 'phrase', words: ['all', 'links'] },
    repeatable: true,
    notWith: { words: ['node'] },
  },
  {
    word: 'slots',
    summary: 'What a task runs on: `cores` or `gpus` (default `gpus` if the machine has `gpus`, else `cores`).',
    takes: '`cores` or `gpus`',
    example: 'slots gpus',
    content: { form: 'word', choices: slotKinds },
  },
  {
    word: 'inside',
    summary: 'Whether distances inside a node count. The default is `counted` if tasks run on GPUs, else `free`.',
    takes: '`counted` or `free`',
    example: 'inside counted',
    content: { form: 'word', choices: ['counted', 'free'] },
  },
  {
    word: 'node',
    summary:
      'The inside of a node, read from a file instead of `sockets` and `cores`, and of `gpus` with `slots gpus`. `cores` may limit the cores of the file.',
    takes: '`from` and a file in double quotes',
    example: 'node from "node.xml"',
    content: { form: 'choice', source: 'node-sources' },
  },
  {
    word: 'routing',
    summary:
      'Routes of packets. Default: `dimension-order` for `torus`, `mesh` and `hypercube`, `up-down` for `switches` and `irregular`, else `minimal`.',
    takes: 'the name of a routing',
    example: 'routing dimension-order',
    content: { form: 'choice', source: 'routings' },
  },
  {
    word: 'bandwidth',
    summary:
      'Bytes per second of a link: of all links, by axis, or by group in parentheses. Gives the congestion time.',
    takes: 'a rate, one for each axis with commas between them, or groups of links with their rates in parentheses',
    example: 'bandwidth 10 GB/s',
    content: { form: 'link-figure', unit: 'rate' },
  },
  {
    word: 'latency',
    summary: 'Time of one hop: of all links, by axis, or by group in parentheses. Gives the latency of a byte.',
    takes: 'a time, one for each axis with commas between them, or groups of links with their times in parentheses',
    example: 'latency 100 ns',
    content: { form: 'link-figure', unit: 'time' },
  },
  {
    word: 'cables',
    summary:
      'Parallel links for each link of the topology, by axis or group (default 1). The link has their combined ' +
      'bandwidth.',
    takes:
      'a whole number, one for each axis with commas between them, or groups of links with their numbers in parentheses',
    example: 'cables(x 2, z 2)',
    content: { form: 'link-figure', unit: 'count' },
  },
  {
    word: 'memory',
    summary: 'Memory bandwidth of a node; gives the memory time.',
    takes: 'a rate',
    example: 'memory 4 GB/s',
    content: { form: 'rate' },
  },
  {
    word: 'interface',
    summary:
      'Bandwidth of the link between a node and its router. It also applies if this link does not count as a hop.',
    takes: 'a rate',
    example: 'interface 1 GB/s',
    content: { form: 'rate' },
  },
  {
    word: 'switch',
    summary: 'Delay of a message in a switch or router, part of the latency of a byte.',
    takes: 'a time',
    example: 'switch 100 ns',
    content: { form: 'time' },
  },
  {
    word: 'queue-pair',
    summary:
      'Service time of a queue pair for a message, in the queueing model (default none). One time, or times at ' +
      'ascending sizes. The hardware behind it has the same service time.',
    takes: 'a time, or sizes with their times and commas between them',
    example: 'queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us',
    content: { form: 'phrase', words: [] },
  },
];

/** It says itself what is sent. */
const whatIsRecorded = { words: ['skeleton', 'trace', 'parallelism'] };
const aTrainingStep = {
  words: ['parallelism'],
  says: '`{word}` has no effect on a job without `parallelism`.',
  isWarning: true,
} as const;

export const jobProperties: readonly PropertySpecification[] = [
  {
    word: 'tasks',
    summary: 'Number of tasks, for a job without a grid.',
    takes: 'a whole number',
    example: 'tasks 64',
    content: { form: 'integer', minimum: 1, maximum: taskLimit },
  },
  {
    word: 'grid',
    summary: 'Sides of the grid of tasks. Task number = i + I · (j + J · k).',
    takes: 'a shape',
    example: 'grid 4 x 4',
    content: { form: 'shape', maximum: taskLimit },
  },
  {
    word: 'stencil',
    summary: 'Each task sends to its grid neighbours, by a built-in or declared stencil.',
    takes: 'the name of a stencil',
    example: 'stencil five-point',
    content: { form: 'choice', source: 'stencils' },
    onlyWith: { words: ['grid'] },
  },
  {
    word: 'pattern',
    summary: 'A built-in pattern of communicating pairs.',
    takes: 'the name of a pattern',
    example: 'pattern all-to-all',
    content: { form: 'choice', source: 'patterns' },
  },
  {
    word: 'table',
    summary: 'A declared table of communicating pairs.',
    takes: 'the name of a table',
    example: 'table ring8',
    content: { form: 'choice', source: 'tables' },
  },
  {
    word: 'skeleton',
    summary: 'Messages of a benchmark in order, with dependencies. Their sum is the traffic.',
    takes: 'the name of a skeleton',
    example: 'skeleton cg(class A, iterations 10)',
    content: { form: 'choice', source: 'skeletons' },
  },
  {
    word: 'trace',
    summary: 'Messages of a recorded run in order, from a file. Their sum is the traffic.',
    takes: 'a file in double quotes',
    example: 'trace "cg.goal" as goal(computing ignored)',
    content: { form: 'choice', source: 'traces' },
  },
  {
    word: 'collective',
    summary:
      'Messages of a collective operation, among all tasks or those in a list. `bytes` is the contribution of a rank.',
    takes: 'the name of a collective operation',
    example: 'collective all-reduce [0..7](algorithm ring)',
    content: { form: 'choice', source: 'collectives' },
  },
  {
    word: 'parallelism',
    summary:
      'Traffic of a training step of a large language model, by degrees of parallelism. Needs `layers`, `hidden`, `sequence` and `batch`.',
    takes: '`tensor`, `context`, `pipeline`, `data` and `expert` with their degrees, and commas between them',
    example: 'parallelism tensor 8, pipeline 4, data 16, expert 8',
    content: { form: 'phrase', words: parallelismWords },
  },
  {
    word: 'layers',
    summary: 'Layers of the model.',
    takes: 'a whole number',
    example: 'layers 96',
    content: { form: 'integer', minimum: 1, maximum: 2 ** 20 },
    onlyWith: aTrainingStep,
  },
  {
    word: 'hidden',
    summary: 'Width of the model: numbers of a token between two layers.',
    takes: 'a whole number',
    example: 'hidden 12288',
    content: { form: 'integer', minimum: 1, maximum: 2 ** 24 },
    onlyWith: aTrainingStep,
  },
  {
    word: 'sequence',
    summary: 'Tokens of a sequence.',
    takes: 'a whole number',
    example: 'sequence 4096',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    onlyWith: aTrainingStep,
  },
  {
    word: 'batch',
    summary: 'Sequences of a training step, over all tasks.',
    takes: 'a whole number',
    example: 'batch 1024',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    onlyWith: aTrainingStep,
  },
  {
    word: 'training',
    summary:
      'How the training step stores and sends its state (default `replicated`). Options: micro-batches, sizes, ' +
      'experts and algorithms.',
    takes: 'the name of a way to keep state',
    example: 'training zero-1(micro-batch 2, sequence-parallel on)',
    content: { form: 'choice', source: 'trainings' },
    onlyWith: aTrainingStep,
  },
  {
    word: 'bytes',
    summary: 'Size of one message (default 1 byte).',
    takes: 'a size',
    example: 'bytes 64 KiB',
    content: { form: 'size' },
    notWith: whatIsRecorded,
  },
  {
    word: 'messages',
    summary: 'Messages that each pair sends (default 1).',
    takes: 'a number',
    example: 'messages 2000',
    content: { form: 'number', minimum: 0, maximum: amountLimit },
    notWith: whatIsRecorded,
  },
  {
    word: 'rate',
    summary: 'Messages per second.',
    takes: 'a frequency',
    example: 'rate 100/s',
    content: { form: 'frequency' },
    notWith: whatIsRecorded,
  },
  {
    word: 'periodic',
    summary: 'The grid wraps: the last task along an axis is a neighbour of the first.',
    takes: 'nothing',
    example: 'periodic',
    content: { form: 'flag' },
    onlyWith: { words: ['grid'] },
  },
  {
    word: 'coordinates',
    summary: 'A file with a line `x y [z]` for each task, its position in the problem. Some mappers use it.',
    takes: 'a file in double quotes',
    example: 'coordinates "positions.txt"',
    content: { form: 'file' },
  },
];

export const stencilProperties: readonly PropertySpecification[] = [
  {
    word: 'dimensions',
    summary: 'Number of dimensions of the grid.',
    takes: 'a whole number',
    example: 'dimensions 3',
    content: { form: 'integer', minimum: 1, maximum: dimensionLimit },
    required: true,
  },
  {
    word: 'offset',
    summary: 'Each task sends to the task at this offset. `weight` multiplies the bytes (default 1).',
    takes: 'one whole number per dimension in parentheses',
    example: 'offset (1, 0, 0) weight 0.5',
    content: { form: 'offset' },
    required: true,
    repeatable: true,
  },
];

export const tableProperties: readonly PropertySpecification[] = [
  {
    word: 'unit',
    summary: 'What the amounts count (default bytes).',
    takes: '`bytes`, `messages` or `packets`',
    example: 'unit messages',
    content: { form: 'word', choices: ['bytes', 'messages', 'packets'] },
  },
];

export const simulationProperties: readonly PropertySpecification[] = [
  {
    word: 'replay',
    summary: 'When messages are sent: after their dependencies (`causal`, default), or at given times.',
    takes: '`causal`, `open` or, in an experiment, `saturation`',
    example: 'replay open(speed 8)',
    content: { form: 'choice', source: 'replays' },
  },
  {
    word: 'background',
    summary: 'Messages of other jobs at the same time.',
    takes: 'the name of a kind of background',
    example: 'background uniform(rate 0.016, nodes idle)',
    content: { form: 'choice', source: 'backgrounds' },
  },
  {
    word: 'budget',
    summary: 'End of a longer simulation: `cycles` of the network, or computing time.',
    takes: 'a time or a number of `cycles`',
    example: 'budget 10000000 cycles',
    content: { form: 'phrase', words: ['cycles', 'us', 'ms', 's'] },
  },
];

export const placementProperties: readonly PropertySpecification[] = [
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
      'The jobs to place, in order. Each may have its own nodes, mapper and limits: `a(allocate nodes [0..15], map rcb)`.',
    takes: 'names of jobs, with commas between them',
    example: 'jobs scatter, shuffle',
    content: { form: 'names', of: 'job', several: true },
  },
  {
    word: 'machine',
    summary: 'The machine of the jobs.',
    takes: 'the name of a machine',
    example: 'machine small',
    content: { form: 'names', of: 'machine', several: false },
    required: true,
  },
  {
    word: 'allocate',
    summary: 'How nodes are allocated to jobs (default `all`).',
    takes: 'the name of an allocator',
    example: 'allocate random(count 512)',
    content: { form: 'choice', source: 'allocators' },
    ofJob: true,
  },
  {
    word: 'map',
    summary: 'How tasks are mapped to slots of these nodes (default `auto`).',
    takes: 'the name of a mapper',
    example: 'map rcb',
    content: { form: 'choice', source: 'mappers' },
    ofJob: true,
  },
  {
    word: 'cores-per-task',
    summary:
      'Neighbouring cores of each task (default 1), one for each thread. They are of one socket if a socket has as many. The slot of a task is its first core.',
    takes: 'a whole number',
    example: 'cores-per-task 8',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    ofJob: true,
  },
  {
    word: 'tasks-per-node',
    summary:
      'Most tasks of a job on a node, spread over its sockets. `even` spreads the tasks over all allocated nodes.',
    takes: 'a whole number or `even`',
    example: 'tasks-per-node 4',
    content: { form: 'phrase', words: ['even'] },
    ofJob: true,
  },
  {
    word: 'tasks-per-socket',
    summary: 'Most tasks of a job on a socket.',
    takes: 'a whole number',
    example: 'tasks-per-socket 2',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    ofJob: true,
  },
  {
    word: 'exclude',
    summary:
      'Nodes that take no tasks of this placement. Their links still carry messages; `without node` means failed nodes.',
    takes: 'numbers, ranges and host names in double quotes, in brackets',
    example: 'exclude ["n07"]',
    content: { form: 'phrase', words: [] },
  },
  {
    word: 'rails',
    summary: 'How tasks use several rails of their nodes (default `stripe`).',
    takes: 'the name of a way',
    example: 'rails own',
    content: { form: 'choice', source: 'rail-uses' },
  },
  {
    word: 'seed',
    summary: 'Seed of the random numbers (default 1). The same file gives the same result on every computer.',
    takes: 'a whole number',
    example: 'seed 7',
    content: { form: 'integer', minimum: -amountLimit, maximum: amountLimit },
  },
  {
    word: 'simulate',
    summary: 'Network of a simulation: a declared one, or one written in place.',
    takes: 'the name of a network, or a switching with its figures',
    example: 'simulate torus-2010',
    content: { form: 'choice', source: 'networks' },
  },
  ...simulationProperties.map((row) => ({
    ...row,
    onlyWith: {
      words: ['simulate'],
      says: '`{word}` needs `simulate` with a network. Add it, or remove this property.',
    },
  })),
];
