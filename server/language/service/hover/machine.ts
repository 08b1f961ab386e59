import type { MachineDescription } from '../../../network/contract.ts';
import type { MachineDetails, MachineFacts } from '../../../study/report.ts';
import { fileNameOf } from '../../uris.ts';
import { countOf, formatNumber, formatRate, formatSeconds, hopsOf } from '../../../model/quantities.ts';
import { code, facts, plain } from './markdown.ts';

/** What a user asks of a machine before placing anything on it. */
export function machineMarkdown(description: MachineDescription | undefined, found: MachineFacts | undefined): string {
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
    ['Topology', `${topologyText(found)}, routing ${found.routing}`],
    ['Root', found.root === undefined ? undefined : plain(found.root)],
    ['Routers', formatNumber(found.routers, 0)],
    ['Tiers', tiers === undefined || tiers.length < 2 ? undefined : tiersText(tiers)],
    ['Groups', groups === undefined ? undefined : formatNumber(groups, 0)],
    ['Nodes', `${formatNumber(found.nodes, 0)} with ${countOf(found.cores, 'core')} in all`],
    ['Cables', `${formatNumber(found.cables, 0)}, two links each`],
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
  const { names, format, numaNodes } = details ?? {};
  return [
    ['Read from', argument?.kind === 'file' ? fileText(argument.uri, format) : undefined],
    ['Switch names', names && examplesText(names.routers)],
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
  const { figures, hosts = 1, socketsPerNode, coresPerSocket } = description;
  const [sockets, cores] =
    details === undefined ? [socketsPerNode, coresPerSocket] : [details.sockets, details.coresPerSocket];
  return [
    ['Per router', hosts === 1 ? undefined : countOf(hosts, 'node')],
    ['Per node', sockets * cores === 1 ? undefined : `${countOf(sockets, 'socket')} of ${countOf(cores, 'core')}`],
    ['Bandwidth', rate(figures.bandwidth)],
    ['Latency', time(figures.latency)],
    ['Memory', rate(figures.memory)],
    ['Interface', rate(figures.interface)],
    ['Switch', time(figures.switchTime)],
  ];
}

const rate = (value: number | undefined): string | undefined => (value === undefined ? undefined : formatRate(value));

const time = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : formatSeconds(value);
