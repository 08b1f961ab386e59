/**
 * Networks that are given cable by cable, each node on a link of its own: `buildCableGraph` makes the topology, after
 * builders have asked whether sizes, cables and parts that are not connected speak against it.
 */
import { appendAll } from '../../model/lists.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';
import { formatNumber } from '../../model/quantities.ts';
import {
  linkLimit,
  nodeLimit,
  portCount,
  type LinkSpeed,
  type LinkTable,
  type OwnSpeeds,
  type Subnet,
  type Topology,
} from '../../model/machine.ts';
import type { FabricCable, FabricNode, SubnetAddress } from '../../model/fabric.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { Shape } from '../../model/shape.ts';
import type { TopologySize, Cable } from '../contract.ts';
import { accumulated } from '../../numeric/grouping.ts';
import { componentOfVertices, connectedComponents } from '../../numeric/breadthFirst.ts';

/** Undirected cables between routers; parallel ones are repeated. */
export interface CableList {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** A network of routers given cable by cable, with nodes on links of their own. */
interface CableGraph extends Pick<Topology, 'kind' | 'routerCount' | 'routerOfNode' | 'rails'> {
  readonly cables: CableList;
  readonly tiers?: Int32Array;
  readonly groups?: Int32Array;
  /** As of {@link Topology.passive}. */
  readonly passive?: Uint8Array;
  /** As of {@link Topology.givenRoutes}. */
  readonly givenRoutes?: Topology['givenRoutes'];
  readonly groupShape?: Shape;
  readonly shape?: Shape;
  readonly names?: NonNullable<Topology['names']>;
  /** What single cables, in their order, and the links of nodes by their ports say of themselves; `areDeclared` as of {@link OwnSpeeds}. */
  readonly speeds?: {
    readonly cables: readonly LinkSpeed[];
    readonly nodes?: readonly LinkSpeed[];
    readonly areDeclared?: true;
  };
  /** What a subnet manager calls routers, then nodes, and the numbers of ports where cables and nodes are plugged in. */
  readonly subnet?: {
    readonly addresses: readonly SubnetAddress[];
    readonly cables: readonly Pick<FabricCable, 'fromPort' | 'toPort'>[];
    readonly nodes: readonly Pick<FabricNode, 'port'>[];
  };
  /** As of a `TopologyRequest`. */
  readonly partsAllowed?: true | undefined;
}

/** Routers, nodes and directed links, two of them for each cable and for each node. */
export const measureCableGraph = (routers: number, nodes: number, cables: number): TopologySize => ({
  routers,
  nodes,
  links: 2 * (cables + nodes),
});

/** Why a network of this size is refused, for builders to ask before they allocate. */
export function cableSizeRefusal(
  what: string,
  { routers, nodes, links }: TopologySize,
): ReturnType<typeof fail> | undefined {
  if (routers <= nodeLimit && nodes <= nodeLimit && links <= linkLimit) return undefined;
  return fail(
    'machine-too-large',
    `${what} is too large: ${formatNumber(routers)} switches, ${formatNumber(nodes)} nodes, ${formatNumber(links)} directed links. The maximum is ${formatNumber(nodeLimit)} switches or nodes and ${formatNumber(linkLimit)} links.`,
  );
}

/**
 * The topology of a list of cables. Links that leave a router are in ascending order of where
 * they lead, parallel cables one after the other; every node has a host link each way.
 * Fails with `no-hosts` where there is no node, and with `disconnected` where some routers cannot
 * be reached from others. The ends of cables are routers, two different ones. O(routers + cables + nodes).
 */
export function buildCableGraph(graph: CableGraph): Result<Topology> {
  const {
    kind,
    routerCount,
    routerOfNode,
    tiers,
    groups,
    passive,
    givenRoutes,
    groupShape,
    shape,
    names,
    partsAllowed,
  } = graph;
  if (routerOfNode.length === 0) {
    return fail(
      'no-hosts',
      'No nodes in this network. Add `hosts N` for N on each switch, or `hosts N on 0..3` for N on some.',
    );
  }
  const links = graphLinkTable(graph);
  const refusal = partsAllowed === true ? undefined : disconnection({ links, ...(names && { names }) });
  if (refusal) return refusal;
  const ownSpeeds = ownSpeedsOf(graph, links);
  const subnet = subnetOf(graph, links);
  return succeed({
    kind,
    routerCount,
    hasHostLinks: true,
    links,
    routerOfNode,
    ...(tiers && { tiers }),
    ...(groups && { groups }),
    ...(passive && { passive }),
    ...(givenRoutes && { givenRoutes }),
    ...(groupShape && { groupShape }),
    ...(shape && { shape }),
    ...(names && { names }),
    ...(graph.rails && { rails: graph.rails }),
    ...(ownSpeeds && { ownSpeeds }),
    ...(subnet && { subnet }),
  });
}

/** What cables say of themselves, by their links; undefined where none says anything. O(routers + cables + nodes). */
function ownSpeedsOf(graph: CableGraph, links: LinkTable): OwnSpeeds | undefined {
  const { cables = [], nodes = [], areDeclared } = graph.speeds ?? {};
  const speeds: LinkSpeed[] = [{}];
  const known = new Map([['undefined undefined', 0]]);
  const indexOf = ({ bandwidth, latency }: LinkSpeed): number => {
    const key = `${bandwidth} ${latency}`;
    const found = known.get(key) ?? speeds.length;
    if (found === speeds.length) {
      known.set(key, found);
      speeds.push({ ...(bandwidth === undefined ? {} : { bandwidth }), ...(latency === undefined ? {} : { latency }) });
    }
    return found;
  };
  const ofCable = Int32Array.from(cables, indexOf);
  const ofNode = Int32Array.from(nodes, indexOf);
  if (speeds.length === 1) return undefined;
  const of = new Int32Array(links.linkCount);
  eachCableLink(graph, links.firstLink, (link, cable) => (of[link] = ofCable[cable] ?? 0));
  for (let node = 0; node < ofNode.length; node++) {
    of.fill(intAt(ofNode, node), links.routerLinkCount + 2 * node, links.routerLinkCount + 2 * node + 2);
  }
  return { speeds, of, ...(areDeclared && { areDeclared }) };
}

/** By addresses and links; undefined where no port has a number. O(routers + cables + nodes). */
function subnetOf(graph: CableGraph, links: LinkTable): Subnet | undefined {
  const { addresses = [], cables = [], nodes = [] } = graph.subnet ?? {};
  const ports = new Uint8Array(links.linkCount);
  const numberOf = (port: number | undefined): number => (port !== undefined && port <= largestPort ? port : 0);
  eachCableLink(graph, links.firstLink, (link, cable, to) => {
    const plugged = cables[cable];
    ports[link] = numberOf(graph.cables.to[cable] === to ? plugged?.fromPort : plugged?.toPort);
  });
  nodes.forEach(({ port }, node) => (ports[links.routerLinkCount + 2 * node + 1] = numberOf(port)));
  if (ports.every((port) => port === 0)) return undefined;
  const lids = new Int32Array(graph.routerCount + portCount(graph));
  addresses.forEach(({ lid = 0 }, address) => (lids[address] = lid));
  return { guids: Array.from(lids, (_, address) => addresses[address]?.guid ?? ''), lids, ports };
}

/** Of InfiniBand: port 255 stands for none. */
const largestPort = 254;

function graphLinkTable(graph: CableGraph): LinkTable {
  const { routerCount, cables } = graph;
  const routerLinkCount = 2 * cables.from.length;
  const firstLink = firstLinksOf(routerCount, cables);
  const from = new Int32Array(routerLinkCount);
  const to = new Int32Array(routerLinkCount);
  eachCableLink({ routerCount, cables }, firstLink, (link, cable, router) => {
    const end = intAt(cables.from, cable);
    from[link] = end === router ? intAt(cables.to, cable) : end;
    to[link] = router;
  });
  return { firstLink, from, to, routerLinkCount, linkCount: routerLinkCount + 2 * portCount(graph) };
}

function firstLinksOf(routerCount: number, { from, to }: CableList): Int32Array {
  const firstLink = new Int32Array(routerCount + 1);
  for (let cable = 0; cable < from.length; cable++) {
    firstLink[intAt(from, cable) + 1] = intAt(firstLink, intAt(from, cable) + 1) + 1;
    firstLink[intAt(to, cable) + 1] = intAt(firstLink, intAt(to, cable) + 1) + 1;
  }
  return accumulated(firstLink);
}

/**
 * Calls `visit` for both links of each cable with the router that the link leads to. Links of a router are in ascending
 * order of where they lead, then of their cables: the links of parallel cables are in one order both ways.
 */
function eachCableLink(
  { routerCount, cables }: Pick<CableGraph, 'routerCount' | 'cables'>,
  firstLink: Int32Array,
  visit: (link: number, cable: number, to: number) => void,
): void {
  const { from, to } = cables;
  const next = firstLink.slice();
  const cableAt = new Int32Array(2 * from.length);
  for (let cable = 0; cable < from.length; cable++) {
    cableAt[next[intAt(from, cable)]!++] = cable;
    cableAt[next[intAt(to, cable)]!++] = cable;
  }
  next.set(firstLink);
  // Every cable is listed at both ends, so handing out the routers in ascending order sorts each row.
  for (let router = 0; router < routerCount; router++) {
    for (let entry = intAt(firstLink, router); entry < intAt(firstLink, router + 1); entry++) {
      const cable = intAt(cableAt, entry);
      const other = intAt(from, cable) === router ? intAt(to, cable) : intAt(from, cable);
      visit(next[other]!++, cable, router);
    }
  }
}

/**
 * Refuses cables whose ends are not two different routers, naming the first: `out-of-range` or
 * `self-cable`. `nameOf` says what users call a router. O(cables).
 */
export function cableRefusal(
  cables: readonly Cable[],
  routerCount: number,
  nameOf: (router: number) => string = String,
): ReturnType<typeof fail> | undefined {
  for (const { from, to } of cables) {
    const stranger = [from, to].find((end) => !isBelow(end, routerCount));
    if (stranger !== undefined) {
      const known = routerCount === 1 ? 'the only switch is 0' : `the switches are 0 to ${routerCount - 1}`;
      return fail('out-of-range', `Link ${from} -- ${to} ends at unknown switch ${stranger}; ${known}.`);
    }
    if (from === to) {
      return fail('self-cable', `A link connects two different switches; ${nameOf(from)} is on both sides.`);
    }
  }
  return undefined;
}

/** Whether a number is an index of a list of `count`. */
export const isBelow = (index: number, count: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < count;

/** Components that a message names before it says how many more there are. */
const namedComponents = 4;
/** Routers or ranges of routers that it names of each. */
const namedMembers = 6;

/** Parts of a network. */
interface Components {
  /** Component of each router, numbered in the order of their first routers; −1 for those that are absent. */
  readonly of: Int32Array;
  readonly count: number;
}

/** Components of the routers that are not marked `absent`, which have no links. O(routers + links). */
export function componentsOf({ firstLink, to }: LinkTable, absent?: Uint8Array): Components {
  const components = connectedComponents(firstLink, to);
  const all = componentOfVertices(components);
  if (absent === undefined) return { of: all, count: components.count };
  const numberOf = new Int32Array(components.count).fill(-1);
  let count = 0;
  const of = all.map((component, router) => {
    if (absent[router] === 1) return -1;
    if (numberOf[component] === -1) numberOf[component] = count++;
    return intAt(numberOf, component);
  });
  return { of, count };
}

/**
 * Refuses a network in several parts and names them, switches without hosts too: whether a lone
 * switch is spare or its cable was forgotten, only the user knows. Routers that are out of order are no parts.
 */
export function disconnection({
  links,
  names,
  faults,
  planes,
}: Pick<Topology, 'links' | 'names' | 'faults' | 'planes'>): ReturnType<typeof fail> | undefined {
  const { of, count } = componentsOf(links, faults?.routers);
  if (count <= (planes === undefined ? 1 : workingPlanes(planes, of))) return undefined;
  const parts = membersByComponent(of, Math.min(count, namedComponents));
  const [first = '', second = ''] = parts.map((members) => nameMembers(members, names?.routers));
  const [one, other] = [itemAt(itemAt(parts, 0), 0), itemAt(itemAt(parts, 1), 0)];
  const cable = `link ${one} -- ${other}`;
  const isBroken = faults !== undefined;
  const remedy = isBroken
    ? 'remove the component that is not needed with `without switch`.'
    : names
      ? 'add the missing cables to the file.'
      : `add the missing cables, such as \`${cable}\`.`;
  const refuse = (message: string): ReturnType<typeof fail> => {
    const refusal = fail('disconnected', message);
    return names || isBroken ? refusal : { ...refusal, failure: { ...refusal.failure, remedy: cable } };
  };
  const missing = isBroken ? ' without what is taken out' : '';
  if (count === 2) {
    const subject = itemAt(parts, 0).length === 1 ? `Switch ${first} is` : `Switches ${first} are`;
    return refuse(`${subject} not connected to ${second}${missing}: ${remedy}`);
  }
  const listed = parts.map((members) => nameMembers(members, names?.routers)).join('; ');
  const more = count > namedComponents ? `; and ${count - namedComponents} more` : '';
  return refuse(`No cable joins these ${count} parts of the network${missing}: ${listed}${more}: ${remedy}`);
}

/** Rails of which some router works: each is a part of its own. */
function workingPlanes({ plane }: NonNullable<Topology['planes']>, of: Int32Array): number {
  const rails = Array.from(of.keys()).flatMap((router) =>
    intAt(of, router) < 0 ? [] : [Math.floor(router / plane.routerCount)],
  );
  return new Set(rails).size;
}

function membersByComponent(componentOf: Int32Array, count: number): readonly (readonly number[])[] {
  const members = Array.from({ length: count }, (): number[] => []);
  componentOf.forEach((component, router) => members[component]?.push(router));
  return members;
}

/** `0–3, 7`, or `leaf-0, leaf-1 and 6 more` where a file names the routers. */
function nameMembers(members: readonly number[], names: readonly string[] | undefined): string {
  const words = names ? members.map((router) => names[router] ?? String(router)) : memberRanges(members);
  const shown = words.slice(0, namedMembers).join(', ');
  return words.length > namedMembers ? `${shown} and ${words.length - namedMembers} more` : shown;
}

/** [0, 1, 2, 3, 7] as `0–3`, `7`. */
function memberRanges(members: readonly number[]): string[] {
  const ranges: string[] = [];
  let start = 0;
  for (let index = 1; index <= members.length; index++) {
    if (members[index] === itemAt(members, index - 1) + 1) continue;
    const [low, high] = [itemAt(members, start), itemAt(members, index - 1)];
    if (high - low >= 2) ranges.push(`${low}–${high}`);
    else appendAll(ranges, members.slice(start, index).map(String));
    start = index;
  }
  return ranges;
}
