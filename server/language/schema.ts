/**
 * What may stand in each declaration: the one table that the parser, the checker, completion, hovers and the
 * documentation read. Order of the rows is the order of completion and docs. The rows of properties stand in
 * `placementSchema.ts` and `experimentSchema.ts`.
 */
import type { CatalogueEntry } from '../model/catalogue.ts';
import { allocators } from '../allocation/catalogue.ts';
import { mappers } from '../mapping/catalogue.ts';
import { railUses, routings, topologies } from '../network/catalogue.ts';
import { schedulers } from '../scheduling/catalogue.ts';
import { distributions } from '../scheduling/distributions.ts';
import { jobCollectives, skeletons, trainings } from '../simulation/workloads/catalogue.ts';
import { patterns, stencils } from '../traffic/catalogue.ts';
import {
  backgrounds,
  comparisonEntries,
  estimateKinds,
  jobSizes,
  metricEntries,
  openTraffic,
  replays,
  services,
  steadyStates,
  switchingEntries,
  traces,
  trafficPatterns,
} from './experimentWords.ts';
import type { DeclarationKind } from './tree.ts';
import type { ChoiceSource, DeclarationSpecification, PropertySpecification } from './propertyForms.ts';
import {
  machineProperties,
  jobProperties,
  stencilProperties,
  tableProperties,
  placementProperties,
} from './placementSchema.ts';
import { streamProperties, networkProperties, experimentProperties } from './experimentSchema.ts';

/** The properties of a job that say who sends to whom. */
export const sourcesOfTraffic = ['stencil', 'pattern', 'table', 'skeleton', 'trace', 'collective', 'parallelism'];

export const declarations: readonly DeclarationSpecification[] = [
  {
    kind: 'machine',
    summary: 'The routers, links, nodes and cores that tasks are placed on.',
    example: 'machine small { topology torus 4 x 4 }',
    properties: machineProperties,
  },
  {
    kind: 'job',
    summary: 'A parallel program: its tasks and their traffic.',
    example: 'job heat { grid 4 x 4  stencil five-point }',
    properties: jobProperties,
    oneOf: [
      { words: ['tasks', 'grid'], says: 'A job has `tasks` or a `grid`, not both. Remove one of them.' },
      {
        words: sourcesOfTraffic,
        says: 'A job has one source of traffic, but `{first}` is already given. Remove one of them.',
      },
    ],
  },
  {
    kind: 'stencil',
    summary: 'The neighbours of a task on a grid, by offsets.',
    example: 'stencil right-hand { dimensions 1  offset (1) }',
    properties: stencilProperties,
  },
  {
    kind: 'table',
    summary: 'Traffic between pairs of tasks.',
    example: 'table pair { 0 -> 1 : 40 }',
    properties: tableProperties,
  },
  {
    kind: 'placement',
    summary: 'Jobs on a machine, with an allocation and a mapping.',
    example: 'placement first-try { job heat  machine small  map row-major }',
    properties: placementProperties,
    oneOf: [{ words: ['job', 'jobs'], says: 'A placement has `job` or `jobs`, not both. Join them in `jobs`.' }],
  },
  {
    kind: 'stream',
    summary: 'Jobs over time: drawn from distributions, or read from a log.',
    example: 'stream thesis { arrivals exponential(rate 0.001)  processors uniform(1, 16)  jobs 1000 completed }',
    properties: streamProperties,
  },
  {
    kind: 'network',
    summary: 'How a simulation sends messages through a machine.',
    example: 'network flits { switching wormhole  router 3 cycles }',
    properties: networkProperties,
  },
  {
    kind: 'experiment',
    summary: 'Combines, replicates and compares streams, jobs, schedulers, allocators and mappers.',
    example: 'experiment load { stream thesis  machine small  allocate rbs, gabl }',
    properties: experimentProperties,
    oneOf: [{ words: ['stream', 'job', 'jobs', 'traffic'] }, { words: ['seeds', 'replications', 'until'] }],
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
export function declarationSpecification(keyword: string): DeclarationSpecification | undefined {
  return byKind.get(keyword);
}

/** The property that a word starts in a declaration of this kind, or undefined. */
export function propertyOf(kind: DeclarationKind, word: string): PropertySpecification | undefined {
  return byKindAndWord.get(kind)?.get(word);
}

/** Whether a property may stand, and means something, beside properties of these words. */
export function fitsBeside(kind: DeclarationKind, row: PropertySpecification, given: ReadonlySet<string>): boolean {
  const { oneOf = [], properties = [] } = byKind.get(kind) ?? {};
  const { word, notWith, onlyWith } = row;
  const isOneOf = oneOf.some(
    ({ words }) => words.includes(word) && words.some((one) => one !== word && given.has(one)),
  );
  const excludes = ({ notWith: others, word: one }: PropertySpecification): boolean =>
    given.has(one) && others?.says !== undefined && others.words.includes(word);
  if (isOneOf || properties.some(excludes) || notWith?.words.some((one) => given.has(one)) === true) return false;
  // What it needs may still be written.
  const needed = properties.filter((one) => onlyWith?.words.includes(one.word));
  return needed.length === 0 || needed.some((one) => given.has(one.word) || fitsBeside(kind, one, given));
}

/** The words that start a property in a declaration of this kind. */
export function propertyWords(kind: DeclarationKind): readonly string[] {
  return byKind.get(kind)?.properties.map((property) => property.word) ?? [];
}

/** What a job of a placement may have for itself, in parentheses behind its name. */
export const ownProperties: readonly PropertySpecification[] = (
  declarationSpecification('placement')?.properties ?? []
).filter(({ ofJob }) => ofJob === true);

/** Their words. */
export const ownWords: readonly string[] = ownProperties.map(({ word }) => word);

/** What may follow `node`: where the inside of a compute node is described. */
export const nodeSources: readonly CatalogueEntry[] = [
  {
    name: 'from',
    summary: 'sockets, cores, GPUs and network adapters of a node, read from a file',
    source: 'hwloc, `lstopo --of xml`; NCCL_TOPO_DUMP_FILE; `nvidia-smi topo -m`',
    details:
      'The structure of every node, instead of `sockets`, `cores` and `gpus`. `cores` limits the cores of each socket that tasks use; it is required if the file has no number of cores. With `slots gpus`, tasks run on the GPUs.',
    argument: { kind: 'file', summary: 'an XML file of hwloc or NCCL, or the matrix of nvidia-smi', required: true },
    skeleton: 'from "${1:node.xml}"',
    options: [],
  },
];

/** What a name behind a property is looked up in, and what one of the entries is called in messages. */
interface SourceOfNames {
  readonly noun: string;
  readonly entries: readonly CatalogueEntry[];
}

export const sourcesOfNames: Readonly<Record<ChoiceSource, SourceOfNames>> = {
  topologies: { noun: 'topology', entries: topologies },
  routings: { noun: 'routing', entries: routings },
  stencils: { noun: 'stencil', entries: stencils },
  patterns: { noun: 'pattern', entries: patterns },
  tables: { noun: 'table', entries: [] },
  allocators: { noun: 'allocator', entries: allocators },
  mappers: { noun: 'mapper', entries: mappers },
  'node-sources': { noun: 'description of a node', entries: nodeSources },
  'rail-uses': { noun: 'way to use rails', entries: railUses },
  distributions: { noun: 'distribution', entries: distributions },
  'job-sizes': { noun: 'distribution', entries: jobSizes },
  services: { noun: 'kind of service', entries: services },
  estimates: { noun: 'kind of estimates', entries: estimateKinds },
  'steady-states': { noun: 'rule for a steady state', entries: steadyStates },
  traffic: { noun: 'pattern of traffic', entries: trafficPatterns },
  'open-traffic': { noun: 'pattern of traffic without jobs', entries: openTraffic },
  schedulers: { noun: 'scheduler', entries: schedulers },
  switchings: { noun: 'switching', entries: switchingEntries },
  networks: { noun: 'network', entries: switchingEntries },
  metrics: { noun: 'metric', entries: metricEntries },
  comparisons: { noun: 'comparison', entries: comparisonEntries },
  backgrounds: { noun: 'kind of background', entries: backgrounds },
  replays: { noun: 'kind of replay', entries: replays },
  skeletons: { noun: 'skeleton', entries: skeletons },
  collectives: { noun: 'collective operation', entries: jobCollectives },
  trainings: { noun: 'way to train', entries: trainings },
  traces: { noun: 'trace', entries: traces },
};

/** The entries that may follow a word in any declaration: those of each source that it has somewhere. */
const entriesByWord = new Map<string, readonly CatalogueEntry[]>();
for (const { word, content } of declarations.flatMap(({ properties }) => properties)) {
  if (content.form !== 'choice' && content.form !== 'choices') continue;
  const { entries } = sourcesOfNames[content.source];
  entriesByWord.set(word, [...new Set([...(entriesByWord.get(word) ?? []), ...entries])]);
}

export const catalogueFor = (property: string): readonly CatalogueEntry[] => entriesByWord.get(property) ?? [];
