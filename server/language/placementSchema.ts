/** What may stand in declarations of what is placed: machines, jobs with stencils and tables, placements. */
import { taskLimit } from '../model/job.ts';
import { mostGpus, slotKinds } from '../model/nodeInside.ts';
import { mostRails } from '../model/rails.ts';
import { type PropertySpecification, amountLimit, dimensionLimit, countLimit } from './propertyForms.ts';

/** What `parallelism` may spread over tasks, and what each does. */
export const parallelismMeanings = {
  tensor: 'Matrices of each layer are split over so many tasks.',
  context: 'Sequences are split over so many tasks, which exchange keys and values of attention.',
  pipeline: 'Layers are split over so many stages, one behind the other.',
  data: 'The batch is split over so many copies of the model, whose gradients are summed.',
  expert: 'Experts of a layer are split over so many of the tasks of data and context parallelism.',
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
    summary: 'How the routers or switches are connected.',
    takes: 'the name of a topology',
    example: 'topology torus 4 x 4',
    content: { form: 'choice', source: 'topologies' },
    required: true,
  },
  {
    word: 'link',
    summary:
      'Undirected cables from one switch to others, on the same line with a `bandwidth` and `latency` of their own; only with `topology switches`.',
    takes: 'a switch, `--` and the switches at the other ends',
    example: 'link 0 -- 2, 4, 9',
    content: { form: 'link' },
    repeatable: true,
    ofTopologies: {
      have: 'takesCables',
      says: '`link` does not fit `topology {topology}`, which has its own links: remove it, or use `topology switches`.',
    },
  },
  {
    word: 'hosts',
    summary: 'Compute nodes on each router or switch (default 1); node id = router · hosts + host.',
    takes: 'a whole number',
    example: 'hosts 4',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    ofTopologies: {
      have: 'takesHosts',
      says: '`hosts` does not fit `topology {topology}`, which says itself how many compute nodes there are: remove it.',
    },
  },
  {
    word: 'on',
    summary:
      'Which switches have those `hosts`, the others having none: `on leaves` of a file with tiers, numbers with ranges, or names of the file; default all.',
    takes: '`leaves`, or numbers, ranges or names of switches with commas between them',
    example: 'on 0..15, 20',
    content: { form: 'phrase', words: ['leaves'] },
    ofTopologies: {
      have: 'takesHostsOn',
      says: 'All routers of `topology {topology}` that can have nodes have as many: remove `on`, and take out nodes by `without node`.',
    },
  },
  {
    word: 'names',
    summary:
      'What the nodes are called, in the order of their numbers, for launchers and pictures: a hostlist as Slurm writes it, or a pattern with `%d` or `%05d` for the number; in the place of the names of a file.',
    takes: 'host names in double quotes, as Slurm lists them: `"node[001-128]"`',
    example: 'names "node[01-16]"',
    content: { form: 'phrase', words: [] },
  },
  {
    word: 'rails',
    summary: 'Network adapters of each node (default 1), each with a link and routes of its own.',
    takes: 'a whole number',
    example: 'rails 4',
    content: { form: 'integer', minimum: 1, maximum: mostRails },
  },
  {
    word: 'rail-optimised',
    summary:
      'Rail r of the nodes of a block of so many leaves as there are rails is on leaf r of the block; without it all rails of a node are on one switch.',
    takes: 'nothing',
    example: 'rail-optimised',
    content: { form: 'flag' },
  },
  {
    word: 'rail-only',
    summary:
      'Each rail has a network of its own: as many copies of `topology` as there are rails, rail r of all nodes on the r-th, and no cable between them.',
    takes: 'nothing',
    example: 'rail-only',
    content: { form: 'flag' },
  },
  {
    word: 'without',
    summary:
      'What does not work: cables `3 -- 4, 5`, of several the second alone `3 -- 4 cable 2`, `switch 7`, `node 12, 20..24`; switches and hosts of a file by name. Numbers and coordinates stay.',
    takes:
      'a switch, `--` and other switches, and `cable` and a number for one of several, or `switch` or `node` with numbers, ranges or names',
    example: 'without 3 -- 4',
    content: { form: 'phrase', words: ['switch', 'node', 'cable'] },
    repeatable: true,
  },
  {
    word: 'sockets',
    summary: 'Sockets of each compute node (default 1).',
    takes: 'a whole number',
    example: 'sockets 2',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    notWith: { words: ['node'], says: 'The file of `node` says how many sockets there are: remove one of the two.' },
  },
  {
    word: 'cores',
    summary:
      'Cores of each socket (default 1); with commas, of one socket after the other: `cores 24, 16`. Beside `node` how many of those of the file tasks may run on.',
    takes: 'a whole number, or one for each socket with commas between them',
    example: 'cores 8',
    content: { form: 'phrase', words: [] },
  },
  {
    word: 'gpus',
    summary:
      'GPUs of each compute node, dealt to its sockets and rails in order; tasks run on them, one on each, and distances inside the node count.',
    takes: 'a whole number',
    example: 'gpus 8',
    content: { form: 'integer', minimum: 1, maximum: mostGpus },
    notWith: { words: ['node'], says: 'The file of `node` says how many GPUs there are: remove one of the two.' },
  },
  {
    word: 'gpu-link',
    summary:
      'GPUs of a node that are linked directly, by NVLink, NVSwitch or Infinity Fabric, and by how many links side by side (default 1): `0 -- 1, 2 links 2`, or `all links 12` for every two of them.',
    takes: 'a GPU, `--` and other GPUs, or `all`, and `links` with their number',
    example: 'gpu-link 0 -- 1 links 4',
    content: { form: 'phrase', words: ['all', 'links'] },
    repeatable: true,
    notWith: { words: ['node'] },
  },
  {
    word: 'slots',
    summary:
      'What tasks run on: `cores`, or the `gpus` of the nodes (default `gpus` where there is `gpus`, else `cores`).',
    takes: '`cores` or `gpus`',
    example: 'slots gpus',
    content: { form: 'word', choices: slotKinds },
  },
  {
    word: 'inside',
    summary:
      'Whether distances inside a node count: `counted` or `free` (default `counted` where tasks run on GPUs, else `free`).',
    takes: '`counted` or `free`',
    example: 'inside counted',
    content: { form: 'word', choices: ['counted', 'free'] },
  },
  {
    word: 'node',
    summary:
      'The inside of a compute node as a file tells it, instead of `sockets` and `cores` (which may leave some of its cores out), and instead of `gpus` where `slots gpus` stands.',
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
    summary:
      'Bytes per second over one cable, over one along each axis, or of groups of links in parentheses; gives the congestion time.',
    takes: 'a rate, one for each axis with commas between them, or groups of links with their rates in parentheses',
    example: 'bandwidth 10 GB/s',
    content: { form: 'link-figure', unit: 'rate' },
  },
  {
    word: 'latency',
    summary: 'Time of one hop, along each axis, or of groups of links in parentheses; gives the latency of a byte.',
    takes: 'a time, one for each axis with commas between them, or groups of links with their times in parentheses',
    example: 'latency 100 ns',
    content: { form: 'link-figure', unit: 'time' },
  },
  {
    word: 'cables',
    summary:
      'Cables side by side where the topology has one link between two routers, by axis or by group of links (default 1): a link carries as much as all of them.',
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
    summary: 'Bandwidth of the network interface of a node: of its link to the router, also where that is no hop.',
    takes: 'a rate',
    example: 'interface 1 GB/s',
    content: { form: 'rate' },
  },
  {
    word: 'switch',
    summary: 'Time a message spends in a switch or router; part of the latency of a byte.',
    takes: 'a time',
    example: 'switch 100 ns',
    content: { form: 'time' },
  },
  {
    word: 'queue-pair',
    summary:
      'Time of a queue pair of the network interface for a message, and as long of the hardware behind it, in the queueing model of clusters (default none): one time for all messages, or times at ascending sizes.',
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
    onlyWith: { words: ['grid'] },
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
    example: 'trace "cg.goal" as goal(computing ignored)',
    content: { form: 'choice', source: 'traces' },
  },
  {
    word: 'collective',
    summary:
      'The messages of a collective operation, of all tasks or of those of a list; `bytes` is what a rank gives.',
    takes: 'the name of a collective operation',
    example: 'collective all-reduce [0..7](algorithm ring)',
    content: { form: 'choice', source: 'collectives' },
  },
  {
    word: 'parallelism',
    summary:
      'The traffic of a training step of a large language model: how tensors, sequences, pipeline stages, data and experts are spread over the tasks. Needs `layers`, `hidden`, `sequence` and `batch`.',
    takes: '`tensor`, `context`, `pipeline`, `data` and `expert` with their degrees, and commas between them',
    example: 'parallelism tensor 8, pipeline 4, data 16, expert 8',
    content: { form: 'phrase', words: parallelismWords },
  },
  {
    word: 'layers',
    summary: 'Layers of the model that is trained.',
    takes: 'a whole number',
    example: 'layers 96',
    content: { form: 'integer', minimum: 1, maximum: 2 ** 20 },
    onlyWith: aTrainingStep,
  },
  {
    word: 'hidden',
    summary: 'Numbers of a token between two layers of the model.',
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
      'How a training step keeps its state and sends it: micro batches, sizes, experts, algorithms (default `replicated`).',
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
    summary: 'The grid wraps: the last task of an axis is a neighbour of the first.',
    takes: 'nothing',
    example: 'periodic',
    content: { form: 'flag' },
    onlyWith: { words: ['grid'] },
  },
  {
    word: 'coordinates',
    summary: 'A file with a line `x y [z]` per task: where it lives in the problem; mappers may use it.',
    takes: 'a file in double quotes',
    example: 'coordinates "positions.txt"',
    content: { form: 'file' },
  },
];

export const stencilProperties: readonly PropertySpecification[] = [
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
    summary: 'When the messages of a job are sent: as what they wait for arrives (the usual), or at given times.',
    takes: '`causal`, `open` or, in an experiment, `saturation`',
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
    word: 'rails',
    summary: 'How tasks use the rails of their nodes, where nodes have several (default `stripe`).',
    takes: 'the name of a way',
    example: 'rails own',
    content: { form: 'choice', source: 'rail-uses' },
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
  ...simulationProperties.map((row) => ({
    ...row,
    onlyWith: {
      words: ['simulate'],
      says: '`{word}` says how a placement is simulated, and this one is not: write `simulate` with a network too, or remove it.',
    },
  })),
];
