import { slotsText } from '../words.ts';
import type { DeclarationKind, DeclarationNode } from '../../tree.ts';
import type { Declared } from '../../symbols.ts';
import { fileNameOf } from '../../uris.ts';
import type { ServiceInput } from '../input.ts';
import { code, codeBlock, documentationMarkdown, paragraphs, facts, plain } from './markdown.ts';
import { placementMarkdown, simulationMarkdown } from './placement.ts';
import { experimentMarkdown, streamMarkdown } from './stream.ts';
import { degreesText } from './training.ts';
import { declarationSpecification } from '../../schema.ts';
import { stencilMarkdown, stencilOfDeclaration } from './catalogueEntry.ts';
import { sumOfAmounts } from './values.ts';
import { formatShape } from '../../../model/shape.ts';
import { groupName, routingWords, type MachineFigures } from '../../../model/machine.ts';
import { socketsText } from '../../../model/nodeInside.ts';
import type { JobDescription } from '../../../study/program.ts';
import type { InsideFacts, JobFacts, MachineDetails, MachineFacts } from '../../../study/report.ts';
import {
  countOf,
  formatBytes,
  formatExactBytes,
  formatNumber,
  formatRate,
  formatSeconds,
  hopsOf,
  lanesText,
  rootsText,
} from '../../../model/quantities.ts';
import type { MachineDescription } from '../../../network/contract.ts';
import { faultWords } from '../../../model/faults.ts';

/** A declared name, the same at its declaration and wherever it is used: its `///` text, then its facts. */
export function declaredMarkdown(input: ServiceInput, kind: DeclarationKind, name: string): string | undefined {
  const declared = input.checked.symbols.lookup(kind, name);
  if (declared === undefined) return undefined;
  const origin = declared.uri === input.uri ? undefined : `*Declared in ${code(fileNameOf(declared.uri))}*`;
  return paragraphs(
    codeBlock(`${kind} ${name}`),
    documentationMarkdown(input, declared.node),
    declarationFacts(input, kind, declared),
    origin,
  );
}

function declarationFacts(input: ServiceInput, kind: DeclarationKind, declared: Declared): string | undefined {
  const { checked, summary, experiments } = input;
  const { name, node } = declared;
  const isIt = (candidate: { readonly name: string }) => candidate.name === name;
  switch (kind) {
    case 'machine':
      return machineMarkdown(checked.program.machines.get(name), summary?.machines.find(isIt));
    case 'job':
      return jobMarkdown(checked.program.jobs.get(name), summary?.jobs.find(isIt));
    case 'stencil':
      return stencilMarkdown(stencilOfDeclaration(node));
    case 'table':
      return tableMarkdown(node);
    case 'stream':
      return streamMarkdown(checked.experiments.streams.get(name), summary?.streams?.find(isIt));
    case 'network':
      return declarationSpecification(kind)?.summary;
    case 'experiment':
      return experimentMarkdown(checked.experiments.experiments.find(isIt), experiments);
    case 'placement':
      return placementFacts(input, name);
  }
}

function placementFacts({ summary, stale, simulations }: ServiceInput, name: string): string {
  const outline = summary?.placements.find((one) => one.name === name);
  const placed = outline === undefined ? '*Not evaluated yet.*' : placementMarkdown(outline, stale?.has(name) === true);
  return paragraphs(placed, simulationMarkdown(simulations?.get(name)));
}

/** How many tasks, how much they send, to how many partners. */
function jobMarkdown(description: JobDescription | undefined, found: JobFacts | undefined): string {
  const rows = [
    ['Tasks', taskCountText(description, found)],
    ['Traffic', description === undefined ? undefined : trafficDescription(description)],
    ['Bytes in all', found === undefined ? undefined : formatExactBytes(found.bytes)],
    ['Pairs that talk', found === undefined ? undefined : formatNumber(found.pairs, 0)],
    ['Partners of a task', found === undefined ? undefined : degreeText(found)],
    ['Messages', description?.messages === undefined ? undefined : `${formatNumber(description.messages)} per pair`],
    ['Coordinates', description?.coordinates && code(fileNameOf(description.coordinates))],
    ['Rate', description?.rate === undefined ? undefined : `${countOf(description.rate, 'message')} per second`],
  ] as const;
  return facts('Job', rows) ?? '';
}

function taskCountText(description: JobDescription | undefined, found: JobFacts | undefined): string | undefined {
  const count = description?.taskCount ?? found?.tasks;
  if (count === undefined) return undefined;
  const grid = description?.grid === undefined ? '' : `, grid ${formatShape(description.grid)}`;
  return `${formatNumber(count, 0)}${grid}${description?.periodic === true ? ', periodic' : ''}`;
}

function trafficDescription({ source, bytes }: JobDescription): string {
  const size = bytes === undefined ? '' : `, ${formatExactBytes(bytes)} per message`;
  switch (source.kind) {
    case 'stencil':
      return `stencil ${source.stencil.name}${size}`;
    case 'pattern':
      return `pattern ${source.choice.name}${size}`;
    case 'table':
    case 'table-file':
      return `table ${source.name}${size}`;
    case 'skeleton':
      return `skeleton ${source.choice.name}`;
    case 'collective':
      return `collective ${source.choice.name}${size}`;
    case 'parallelism':
      return `training step, ${source.step.choice.name}, ${degreesText(source.step.parallelism)}`;
    case 'trace':
      return `trace ${code(fileNameOf(source.uri))}`;
  }
}

const degreeText = (found: JobFacts): string =>
  `${formatNumber(found.meanDegree)} on average, at most ${formatNumber(found.maximumDegree, 0)}`;

/** What a user asks of a machine before placing anything on it. */
function machineMarkdown(description: MachineDescription | undefined, found: MachineFacts | undefined): string {
  const rows = [
    ...(found === undefined ? [] : rowsOfFacts(found)),
    ...rowsOfFiles(description, found?.details),
    ...rowsOfFigures(description, found?.details),
  ];
  return facts('Machine', rows) ?? '';
}

type Row = readonly [string, string | undefined];

function rowsOfFacts(found: MachineFacts): readonly Row[] {
  const { tiers, groups } = found.details ?? {};
  return [
    ['Topology', `${topologyText(found)}, routing ${routingWords(found.routing)}`],
    [
      found.roots?.length === 1 ? 'Root' : 'Roots',
      found.roots && plain(rootsText(found.roots).replace(/^roots? /, '')),
    ],
    ['Virtual lanes', found.lanes && lanesText(found.lanes)],
    ['Routers', formatNumber(found.routers, 0)],
    ['Tiers', tiers === undefined || tiers.length < 2 ? undefined : tiersText(tiers)],
    ['Groups', groups === undefined ? undefined : formatNumber(groups, 0)],
    ['Nodes', `${formatNumber(found.nodes, 0)} with ${slotsText(found)} in all`],
    ['Cables', `${formatNumber(found.cables, 0)}, two links each`],
    ['Out of order', found.faults && faultWords(found.faults)],
    ['Diameter', hops(found.diameter)],
    ['Mean distance', hops(found.meanDistance)],
    ['Bisection', found.bisection === undefined ? undefined : countOf(found.bisection, 'cable')],
  ];
}

/** A network of a file is called so: its word in the language, `from`, says nothing alone. */
const topologyText = ({ topology, details }: MachineFacts): string =>
  details?.format === undefined ? topology : 'network of a file';

/** `16 leaves, then 16 and 8`. */
function tiersText([leaves = 0, ...above]: readonly number[]): string {
  const counts = above.map((count) => formatNumber(count, 0));
  const last = counts.pop() ?? '';
  return `${countOf(leaves, 'leaf', 'leaves')}, then ${counts.length === 0 ? last : `${counts.join(', ')} and ${last}`}`;
}

const hops = (value: number | undefined): string | undefined => (value === undefined ? undefined : hopsOf(value));

/** Which files it rests on, and what those call its parts. */
function rowsOfFiles(description: MachineDescription | undefined, details: MachineDetails | undefined): readonly Row[] {
  const argument = description?.topology.argument;
  const nodeFile = description?.nodeFile;
  const dump = description?.routing?.argument;
  const { names, format, tablesFormat, numaNodes } = details ?? {};
  return [
    ['Read from', argument?.kind === 'file' ? fileText(argument.uri, format) : undefined],
    ['Tables from', dump?.kind === 'file' ? fileText(dump.uri, tablesFormat) : undefined],
    ['Switch names', names && names.routers.length > 0 ? examplesText(names.routers) : undefined],
    ['Host names', names && examplesText(names.nodes)],
    [
      'Nodes as in',
      nodeFile && fileText(nodeFile, numaNodes === undefined ? undefined : countOf(numaNodes, 'NUMA node')),
    ],
  ];
}

const fileText = (uri: string, more: string | undefined): string =>
  `${code(fileNameOf(uri))}${more === undefined ? '' : ` (${more})`}`;

const examplesText = (names: readonly string[]): string => `${names.map(code).join(', ')}, …`;

function rowsOfFigures(
  description: MachineDescription | undefined,
  details: MachineDetails | undefined,
): readonly Row[] {
  if (description === undefined) return [];
  const { figures, hosts = 1 } = description;
  return [
    ['Per router', hosts === 1 ? undefined : countOf(hosts, 'node')],
    ...rowsOfInside(description, details),
    ['Bandwidth', speedText(figures, 'bandwidth', formatRate)],
    ['Latency', speedText(figures, 'latency', formatSeconds)],
    ['Cables side by side', speedText(figures, 'cables', formatNumber)],
    ['Memory', rate(figures.memory)],
    ['Interface', rate(figures.interface)],
    ['Switch', time(figures.switchTime)],
    ['Queue pair', queuePairWords(figures.queuePair)],
  ];
}

/** `1 µs`, `2.95 µs for 1 KiB, 57.9 µs for 64 KiB`. */
function queuePairWords(times: MachineDescription['figures']['queuePair']): string | undefined {
  const [first, second] = times ?? [];
  if (first !== undefined && second === undefined) return formatSeconds(first.seconds);
  return times?.map(({ bytes, seconds }) => `${formatSeconds(seconds)} for ${formatBytes(bytes)}`).join(', ');
}

/** What a node is made of, and how far apart: as declared, until it is known what a file says. */
function rowsOfInside(description: MachineDescription, details: MachineDetails | undefined): readonly Row[] {
  const { socketsPerNode, coresPerSocket, coresOfSockets } = description;
  const equal = `${countOf(socketsPerNode, 'socket')} of ${countOf(coresPerSocket, 'core')}`;
  const declared = coresOfSockets === undefined ? equal : socketsText(coresOfSockets);
  const { sockets, gpus, between, toAdapters, railOfGpu }: InsideFacts = details?.inside ?? { sockets: declared };
  const spread = ([least, mean, most]: readonly [number, number, number]): string =>
    least === most ? hopsOf(least) : `${formatNumber(least)} to ${hopsOf(most)}, ${formatNumber(mean)} on average`;
  const tasks = gpus && `${countOf(gpus.length, 'GPU')}, where tasks run, and `;
  return [
    ['Per node', tasks === undefined && sockets === '1 socket of 1 core' ? undefined : `${tasks ?? ''}${sockets}`],
    ['Inside a node', between && spread(between)],
    ['GPU to adapter', toAdapters && spread(toAdapters)],
    ['Rail of each GPU', railOfGpu?.join(', ')],
  ];
}

/** What is said of all links, and of groups: `4.7 GB/s in global, 5.25 GB/s in local`. */
function speedText(
  figures: MachineFigures,
  word: 'bandwidth' | 'latency' | 'cables',
  write: (value: number) => string,
): string | undefined {
  const { groups = [] } = figures;
  const ofGroups = groups.flatMap(({ group, ...figure }) =>
    figure[word] === undefined ? [] : [`${write(figure[word])} in ${groupName(group)}`],
  );
  const ofAll = figures[word] === undefined ? [] : [write(figures[word])];
  return ofAll.length + ofGroups.length === 0 ? undefined : [...ofAll, ...ofGroups].join(', ');
}

const rate = (value: number | undefined): string | undefined => (value === undefined ? undefined : formatRate(value));

const time = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : formatSeconds(value);

/** Entries of a table and their sum, as its text says; of a table in a file, which file. */
function tableMarkdown(declaration: DeclarationNode): string {
  const { entries, from, as } = declaration;
  const unit = tableUnit(declaration);
  if (from !== undefined)
    return `From ${code(from.text)}${as === undefined ? '' : ` as ${code(as.text)}`}, in ${plain(unit)}`;
  const sum = sumOfAmounts(declaration);
  const tasks = entries.reduce((most, entry) => Math.max(most, entry.from.value + 1, entry.to.value + 1), 0);
  return (
    facts('Table', [
      ['Entries', formatNumber(entries.length, 0)],
      ['Sum', `${formatNumber(sum)} ${plain(unit)}`],
      ['Tasks', `at least ${formatNumber(tasks, 0)}`],
    ]) ?? ''
  );
}

function tableUnit({ properties }: DeclarationNode): string {
  const content = properties.find(({ word }) => word.text === 'unit')?.content;
  if (content?.kind === 'choice') return content.choice.name.text;
  return content?.kind === 'value' && content.value?.kind === 'name' ? content.value.text : 'bytes';
}
