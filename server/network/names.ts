/**
 * What users call routers, nodes and the ends of links, and the host names of nodes in files of other tools: names of the
 * declaration or of the fabric's file where there are some, else numbers.
 */
import { type LinkId, type NodeId, type RouterId, asLinkId, asNodeId, asRouterId } from '../model/identifiers.ts';
import type { Machine, Topology } from '../model/machine.ts';
import type { LinkEnd } from '../model/report.ts';
import { itemAt } from '../numeric/elements.ts';
import { hostNameLimit, namesForNodes } from '../model/hostlist.ts';
import { quote, fail, succeed, type Result } from '../model/result.ts';
import { arrowText } from '../model/words.ts';
import { numberOfCable, parallelTo } from './bundles.ts';
import { cablesOfLink } from './linkClasses.ts';
import { endsOfLink } from './links.ts';

type Named = Pick<Machine, 'topology'>;

/** What host names are made of. */
type Hosted = Pick<Machine, 'topology' | 'nodeCount'>;

/** What users call a router: its name in the fabric's file, else its number. `leaf-3` or `12`. */
export const routerName = ({ topology }: Named, router: RouterId): string =>
  topology.names?.routers[router] ?? String(router);

/** What users call a node: its name in the fabric's file, else its number. */
export const nodeName = ({ topology }: Named, node: NodeId): string => topology.names?.nodes[node] ?? String(node);

/** What users call the end of a link: `leaf-3` or `12` for a router, `node 7` or a host's own name for a node, with its rail or adapter. */
export function endName(machine: Named, end: LinkEnd): string {
  if (typeof end === 'number') return routerName(machine, asRouterId(end));
  const name = nodeName(machine, asNodeId(end.host));
  const host = machine.topology.names ? name : `node ${name}`;
  return end.rail === undefined ? host : `${host} ${railName(machine, end.host, end.rail)}`;
}

/** What users call the two ends of a directed link. */
export function channelEnds(machine: Named, channel: number): readonly [from: string, to: string] {
  const { from, to } = endsOfLink(machine, asLinkId(channel));
  return [endName(machine, from), endName(machine, to)];
}

/** What users call a directed link: `3 → 7`, `node 4 → 4`, `leaf-3 → spine-1`. */
export const channelName = (machine: Named, channel: number): string => arrowText(...channelEnds(machine, channel));

/** The names of both ends of a link, for JSON; nothing if the machine has numbers only. */
export const namesOfEnds = (
  machine: Named,
  { from, to }: { readonly from: LinkEnd; readonly to: LinkEnd },
): { readonly fromName?: string; readonly toName?: string } =>
  machine.topology.names === undefined ? {} : { fromName: endName(machine, from), toName: endName(machine, to) };

/** What users call an adapter of a node: its name in the fabric's file, else `rail 2`. */
function railName({ topology: { rails } }: Named, node: number, rail: number): string {
  const port = rails?.portOfRail[node * rails.count + rail] ?? -1;
  const name = rails?.adapters?.[port] ?? '';
  return name === '' ? `rail ${rail}` : name;
}

/**
 * Host names of all nodes, by NodeId: those of the declaration or of the fabric's file, else `node0000`, `node0001`, …: as wide as
 * the last needs, at least four digits, so that they sort. A file that names no hosts gives no names either.
 */
export const hostNames = (machine: Hosted): readonly string[] => knownNames(machine) ?? placeholderNames(machine);

/** `node0000`, `node0001`, … for all nodes, whatever a file calls them. */
export const placeholderNames = (machine: Hosted): readonly string[] =>
  Array.from({ length: machine.nodeCount }, (_, node) => patternName(machine, node));

/** The host name of one node: see {@link hostNames}. */
export const hostName = (machine: Hosted, node: number): string =>
  knownNames(machine)?.[node] ?? patternName(machine, node);

/** Whether the declaration of the machine names its hosts, or a file that it was read from. */
export const hasHostNames = (machine: Named): boolean => knownNames(machine) !== undefined;

const knownNames = ({ topology: { names } }: Named): readonly string[] | undefined =>
  names === undefined || (names.nodesAreCounted === true && names.nodesAreDeclared !== true) ? undefined : names.nodes;

/**
 * The topology whose nodes are called as `names` of a declaration says, in the place of what a file calls them. Fails with
 * `names-do-not-fit`, as {@link namesForNodes}.
 */
export function withNames(topology: Topology, written: string): Result<Topology> {
  const nodes = namesForNodes(written, topology.routerOfNode.length);
  if (!nodes.ok) return fail('names-do-not-fit', nodes.failure);
  return succeed({
    ...topology,
    names: { routers: [], ...topology.names, nodes: nodes.value, nodesAreDeclared: true },
  });
}

const patternName = ({ nodeCount }: Hosted, node: number): string =>
  `node${String(node).padStart(Math.max(4, String(nodeCount - 1).length), '0')}`;

/** Names that a message lists. */
const listedNames = 3;

/**
 * The nodes of host names, in their order. Fails with `no-such-host`: which is the first that is unknown, what is
 * nearest to it, and how many are; `lineOf` tells where in a file a name stands. O(nodes + names), and once more
 * over the nodes for the message.
 */
export function nodesOfHosts(
  machine: Hosted & Pick<Machine, 'name'>,
  hosts: readonly string[],
  lineOf: (position: number) => number | undefined = () => undefined,
): Result<Int32Array> {
  const nodeOf = nodeFinder(machine);
  const nodes = new Int32Array(hosts.length);
  const unknown: string[] = [];
  let line: number | undefined;
  for (const [at, host] of hosts.entries()) {
    const node = nodeOf(host);
    if (node !== undefined) nodes[at] = node;
    else if (unknown.push(host) === 1) line = lineOf(at);
  }
  if (unknown.length === 0) return succeed(nodes);
  const place = line === undefined ? '' : `Line ${line}: `;
  return fail('no-such-host', place + unknownHosts(machine, hosts, unknown));
}

/**
 * Names of declaration or file; where these name none, `node0000` and what the switches of the file call their hosts. A name with a domain,
 * `n1.example.org`, is that of `n1` too, and the other way round if one node alone has that short name: launchers and schedulers differ there.
 */
function nodeFinder(machine: Hosted): (host: string) => number | undefined {
  const { names } = machine.topology;
  const nodeOf = new Map<string, number>();
  /** Short names of nodes that have names with domains; −1 of several nodes. */
  const nodeOfShort = new Map<string, number>();
  for (const [node, name] of names?.nodes.entries() ?? []) {
    if (!nodeOf.has(name)) nodeOf.set(name, node);
    const short = withoutDomain(name);
    if (short !== name) nodeOfShort.set(short, nodeOfShort.has(short) ? -1 : node);
  }
  const named = (host: string): number | undefined =>
    nodeOf.get(host) ?? (hasHostNames(machine) ? undefined : nodeOfPattern(machine, host));
  return (host) => {
    const exact = named(host);
    if (exact !== undefined) return exact;
    const short = withoutDomain(host);
    if (short !== host) return named(short);
    const node = nodeOfShort.get(host) ?? -1;
    return node < 0 ? undefined : node;
  };
}

/** `n1` of `n1.example.org`; addresses of IP are whole. */
const withoutDomain = (host: string): string => (/^[\d.]+$|:/.test(host) ? host : host.replace(/\..*$/, ''));

function nodeOfPattern(machine: Hosted, host: string): number | undefined {
  const node = Number(/^node(\d{4,10})$/.exec(host)?.[1] ?? Number.NaN);
  return node < machine.nodeCount && patternName(machine, node) === host ? node : undefined;
}

function unknownHosts(
  machine: Hosted & Pick<Machine, 'name'>,
  hosts: readonly string[],
  unknown: readonly string[],
): string {
  const [first = ''] = unknown;
  const names = hostNames(machine);
  const nearest = nearestName(first, names);
  const known =
    names.length === 1
      ? `its host is called ${quote(itemAt(names, 0))}`
      : `its hosts are called ${quote(names[0] ?? '')} to ${quote(names.at(-1) ?? '')}`;
  const meant = nearest === undefined ? known : `did you mean ${quote(nearest)}? (${known})`;
  const sentence = `Unknown host ${quote(first)} of machine \`${machine.name}\`; ${meant}`;
  if (unknown.length === 1) return `${sentence}.`;
  const others = unknown.slice(1, listedNames).map(quote);
  const rest = unknown.length > listedNames ? ', …' : '';
  return `${sentence}. Unknown are ${unknown.length} of ${hosts.length} names: ${[quote(first), ...others].join(', ')}${rest}.`;
}

/** The name with most letters in common at both ends; undefined where fewer than half agree. O(letters). */
function nearestName(name: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let best = name.length / 2;
  for (const candidate of names.slice(0, hostNameLimit)) {
    const shorter = Math.min(name.length, candidate.length);
    let agreeing = 0;
    while (agreeing < shorter && name[agreeing] === candidate[agreeing]) agreeing++;
    let behind = 0;
    while (behind < shorter - agreeing && name.at(-1 - behind) === candidate.at(-1 - behind)) behind++;
    const agreement = agreeing + behind - Math.abs(name.length - candidate.length) / 2;
    if (agreement <= best) continue;
    best = agreement;
    nearest = candidate;
  }
  return nearest;
}

/**
 * Nodes in the order of their host names, in which schedulers and launchers count them: numbers in names count as numbers, `n2` before `n10`.
 * O(nodes · log(nodes) · letters).
 */
export function inOrderOfNames(nodes: readonly number[], nameOf: (node: number) => string): readonly number[] {
  const keyed = nodes.map((node) => ({ node, parts: nameOf(node).split(/(\d+)/) }));
  return keyed.sort((a, b) => compareParts(a.parts, b.parts) || a.node - b.node).map(({ node }) => node);
}

/** Letters and digits by turns; whoever has fewer of both is first. */
function compareParts(one: readonly string[], other: readonly string[]): number {
  for (const [at, part] of one.entries()) {
    const against = other[at];
    if (against === undefined) return 1;
    const difference = at % 2 === 1 ? Number(part) - Number(against) : 0;
    if (difference !== 0) return difference;
    if (part !== against) return part < against ? -1 : 1;
  }
  return one.length - other.length;
}

/**
 * What is said behind the ends of a link of which there are several: `, cable 2 of 3`, `, cable 2` where others of them are missing,
 * ` (2 cables)` where it stands for as many, or nothing.
 */
export function cableWords(machine: Pick<Machine, 'topology' | 'linkClasses'>, link: LinkId): string {
  const { topology } = machine;
  if (link >= topology.links.routerLinkCount) return '';
  const cables = cablesOfLink(machine, link);
  if (cables > 1) return ` (${cables} cables)`;
  const all = parallelTo(topology, link);
  if (all === 1) return '';
  const number = numberOfCable(topology, link, () => 1);
  return topology.faults?.lastCables === undefined ? `, cable ${number} of ${all}` : `, cable ${number}`;
}
