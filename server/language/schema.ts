import type { CatalogueEntry } from '../model/catalogue.ts';
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
  | 'node-sources';

/** What stands after the word of a property. */
export type PropertyForm =
  | { readonly form: 'choice'; readonly source: ChoiceSource }
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
    word: 'trace',
    summary: 'Who talks to whom is read from a recorded trace.',
    takes: 'a file in double quotes',
    example: 'trace "run.otf2"',
    content: { form: 'file' },
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
