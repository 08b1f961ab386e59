/**
 * Machines in which something does not work: `withFaults` takes cables, switches and nodes out of a topology that keeps
 * its numbers, coordinates and names, so that mappings before and after can be compared.
 */
import { appendAll } from '../model/lists.ts';
import { asRouterId } from '../model/identifiers.ts';
import { expandHostlist } from '../model/hostlist.ts';
import type { TopologyFaults } from '../model/faults.ts';
import {
  nodeOfPort,
  nodeWorks,
  routersOfPorts,
  routerWorks,
  type LinkTable,
  type Machine,
  type Topology,
} from '../model/machine.ts';
import { portsOfNode } from '../model/rails.ts';
import { fail, quote, succeed, type Result } from '../model/result.ts';
import { intAt } from '../numeric/elements.ts';
import { lastCablesOf } from './bundles.ts';
import type { FaultDescription, NodeReferences, NumberRange, RouterReference } from './contract.ts';
import { onlyLinks } from './links.ts';
import { nodesOfHosts, routerName } from './names.ts';
import { componentsOf, disconnection, isBelow } from './topologies/cableGraph.ts';

/**
 * The topology without what is named and without what was taken out before. Switches that no working node can reach any more are out of order as well.
 * Fails with `out-of-range`, `no-such-switch`, `no-such-cable`, `no-such-host`, `bad-hostlist`, `no-hosts` where no
 * node is left, and `disconnected` where nodes that work cannot reach each other. `machine` is for messages, and `cablesOf` tells
 * how many cables a link stands for when none is missing; with `partsAllowed` what is left may be in several parts.
 * O(routers + links + nodes).
 */
export function withFaults(
  machine: string,
  topology: Topology,
  faults: FaultDescription,
  cablesOf: (link: number) => number = () => 1,
  partsAllowed = false,
): Result<Topology> {
  const routers = failedRouters(topology, faults);
  if (!routers.ok) return routers;
  const nodes = failedNodes(machine, topology, faults, routers.value);
  if (!nodes.ok) return nodes;
  if (!nodes.value.includes(0)) {
    return fail('no-hosts', '`without` removes every node of the machine.');
  }
  const before = topology.faults;
  const { lost, numbers, allLinks } = knownBefore(topology, cablesOf);
  const last = lostCables(topology, faults, { links: topology.links, cablesOf, lost, last: numbers });
  if (!last.ok) return last;
  const cables = { links: topology.links, cablesOf, lost };
  loseCablesOf(routers.value, cables);
  const failed = withoutIdleParts(topology, onlyLinks(topology.links, linksLeft(cables)), routers.value, nodes.value);
  loseCablesOf(failed, cables);
  const kept = linksLeft(cables);
  const links = onlyLinks(topology.links, kept);
  const missing: TopologyFaults = {
    routers: failed,
    nodes: nodes.value,
    ...lostOf(before, lost, kept, numbers.some((number) => number > 1) ? last.value : undefined),
  };
  const broken = { ...topology, ...(missing.cables > 0 && leftOf(topology, links, kept)), faults: missing, allLinks };
  return partsAllowed ? succeed(broken) : whole(broken);
}

/** The cables that each link lacks already, the numbers of the last ones that it has, and the links before any failure. */
function knownBefore({ faults, links, allLinks = links }: Topology, cablesOf: (link: number) => number) {
  return {
    lost: faults?.thinned?.of.slice() ?? new Int32Array(links.routerLinkCount),
    numbers: faults?.lastCables ?? lastCablesOf(links, cablesOf),
    allLinks,
  };
}

const whole = (topology: Topology): Result<Topology> =>
  disconnection(topology) ?? withoutCommonRail(topology) ?? succeed(topology);

/** Refuses nodes of which each has rails that work, and no rail works on both. O(ports), and sets of rails squared. */
function withoutCommonRail(topology: Topology): ReturnType<typeof fail> | undefined {
  const { planes, rails } = topology;
  if (planes === undefined || rails === undefined) return undefined;
  const kinds = new Map<string, { readonly node: number; readonly works: readonly number[] }>();
  for (let node = 0; node < topology.routerOfNode.length; node++) {
    if (!nodeWorks(topology, node)) continue;
    const ports = portsOfNode(rails, node).filter((port) => routerWorks(topology, intAt(rails.routerOfPort, port)));
    const works = ports.map((port) => intAt(rails.railOfPort, port));
    if (!kinds.has(works.join())) kinds.set(works.join(), { node, works });
  }
  const all = [...kinds.values()];
  for (const [index, one] of all.entries()) {
    const other = all.slice(0, index).find(({ works }) => !works.some((rail) => one.works.includes(rail)));
    if (other !== undefined)
      return fail(
        'disconnected',
        `Nodes ${other.node} and ${one.node} have no common rail left. Remove one of them with \`without node\`.`,
      );
  }
  return undefined;
}

/** How many cables are missing, and of which links that are kept. `last` as of {@link TopologyFaults.lastCables}, of all links, where some are parallel. */
function lostOf(
  before: TopologyFaults | undefined,
  lost: Int32Array,
  kept: Int32Array,
  last: Int32Array | undefined,
): Pick<TopologyFaults, 'cables' | 'thinned' | 'lastCables'> {
  const isKept = (_: number, link: number): boolean => kept[link] === 1;
  const of = lost.filter(isKept);
  const thin = sum(of) / 2;
  // Links that lacked cables before lack them still.
  const others = before === undefined ? 0 : before.cables - (before.thinned?.cables ?? 0);
  return {
    cables: others + sum(lost) / 2,
    ...(thin > 0 && { thinned: { of, cables: thin } }),
    ...(last && { lastCables: last.filter(isKept) }),
  };
}

const sum = (numbers: Int32Array): number => numbers.reduce((total, one) => total + one, 0);

/** The links that are left, with what is known of each. */
function leftOf({ ownSpeeds, subnet, links: all }: Topology, links: LinkTable, kept: Int32Array): Partial<Topology> {
  const isLeft = (_: number, link: number): boolean => link >= all.routerLinkCount || kept[link] === 1;
  return {
    links,
    ...(ownSpeeds && { ownSpeeds: { ...ownSpeeds, of: ownSpeeds.of.filter(isLeft) } }),
    ...(subnet && { subnet: { ...subnet, ports: subnet.ports.filter(isLeft) } }),
  };
}

function failedRouters(topology: Topology, faults: FaultDescription): Result<Uint8Array> {
  const failed = topology.faults?.routers.slice() ?? new Uint8Array(topology.routerCount);
  for (const reference of faults.routers) {
    const [first, last] = referenceEnds(reference);
    const [router, end] = [routerOf(topology, first), routerOf(topology, last)];
    if (!router.ok) return router;
    if (!end.ok) return end;
    failed.fill(1, router.value, end.value + 1);
  }
  return succeed(failed);
}

/** A reference to one thing is from it to it. */
const referenceEnds = <One extends number | string>(
  reference: One | NumberRange,
): readonly [One | number, One | number] =>
  typeof reference === 'object' ? [reference.first, reference.last] : [reference, reference];

function routerOf({ routerCount, names }: Topology, reference: RouterReference): Result<number> {
  if (typeof reference === 'number') {
    if (isBelow(reference, routerCount)) return succeed(reference);
    const known = routerCount === 1 ? 'the only one is 0' : `there are 0 to ${routerCount - 1}`;
    return fail('out-of-range', `Unknown switch ${reference}; ${known}.`);
  }
  const found = names?.routers.indexOf(reference) ?? -1;
  if (found >= 0) return succeed(found);
  const known =
    names === undefined || names.routers.length === 0
      ? 'its switches have numbers only'
      : `its switches are called ${quote(names.routers[0] ?? '')} to ${quote(names.routers.at(-1) ?? '')}`;
  return fail('no-such-switch', `Unknown switch ${quote(reference)}; ${known}.`);
}

/** Nodes named as broken, and all nodes of broken switches. */
function failedNodes(
  name: string,
  topology: Topology,
  faults: FaultDescription,
  routers: Uint8Array,
): Result<Uint8Array> {
  const nodeCount = topology.routerOfNode.length;
  const named = nodesOfReferences({ name, topology, nodeCount }, faults.nodes);
  if (!named.ok) return named;
  const failed = topology.faults?.nodes.slice() ?? new Uint8Array(nodeCount);
  named.value.forEach((isNamed, node) => {
    if (isNamed === 1) failed[node] = 1;
  });
  // A node of several rails works while one of its switches does.
  const working = new Uint8Array(nodeCount);
  routersOfPorts(topology).forEach((router, port) => {
    if (routers[router] === 0) working[nodeOfPort(topology, port)] = 1;
  });
  working.forEach((works, node) => {
    if (works === 0) failed[node] = 1;
  });
  return succeed(failed);
}

/**
 * 1 for each node, by NodeId, that numbers, ranges or hostlists name. Fails with `bad-hostlist`, `out-of-range` and `no-such-host`.
 * O(nodes + references).
 */
export function nodesOfReferences(
  machine: Pick<Machine, 'name' | 'topology' | 'nodeCount'>,
  references: NodeReferences,
): Result<Uint8Array> {
  const { nodeCount } = machine;
  const isNamed = new Uint8Array(nodeCount);
  const hosts: string[] = [];
  for (const reference of references) {
    if (typeof reference === 'string') {
      const expanded = expandHostlist(reference);
      if (!expanded.ok) return fail('bad-hostlist', expanded.failure);
      appendAll(hosts, expanded.value);
      continue;
    }
    const [first, last] = referenceEnds(reference);
    if (!isBelow(last, nodeCount)) {
      const known = nodeCount === 1 ? 'the only one is 0' : `there are 0 to ${nodeCount - 1}`;
      return fail('out-of-range', `Unknown node ${last}; ${known}.`);
    }
    isNamed.fill(1, first, last + 1);
  }
  const named = nodesOfHosts(machine, hosts);
  if (!named.ok) return named;
  for (const node of named.value) isNamed[node] = 1;
  return succeed(isNamed);
}

/** Cables of the links between routers, by LinkId. */
interface Cables {
  readonly links: LinkTable;
  /** How many a link has when none is missing. */
  readonly cablesOf: (link: number) => number;
  /** How many are missing; those that were missing before among them. */
  readonly lost: Int32Array;
  /** As of {@link TopologyFaults.lastCables}, before anything more is taken out. */
  readonly last: Int32Array;
}

/** Takes the cables out that are named. */
function lostCables(topology: Topology, { cables: named }: FaultDescription, cables: Cables): Result<Int32Array> {
  const { lost, cablesOf } = cables;
  const last = cables.last.slice();
  /** Cables that were named by their number, as `link number`. */
  const taken = new Set<string>();
  for (const { from: here, to: there, cable } of named) {
    const [one, other] = [routerOf(topology, here), routerOf(topology, there)];
    if (!one.ok) return one;
    if (!other.ok) return other;
    const pairs = linksBetween(topology.links, one.value, other.value).filter(
      ([link]) => intAt(lost, link) < cablesOf(link),
    );
    const found =
      cable === undefined
        ? pairs
        : pairs.filter(([link]) => hasCable(cables, link, cable) && !taken.has(`${link} ${cable}`));
    if (found.length === 0) {
      const [a, b] = [one.value, other.value].map((router) => routerName({ topology }, asRouterId(router)));
      return fail(
        'no-such-cable',
        cable === undefined
          ? `No link connects ${a} and ${b}, or all of them are removed already. Remove this entry.`
          : `No link ${cable} connects ${a} and ${b}, or it is removed already. Links are counted from 1.`,
      );
    }
    for (const link of found.flat()) {
      if (cable === undefined) lost[link] = cablesOf(link);
      else {
        lost[link] = intAt(lost, link) + 1;
        taken.add(`${link} ${cable}`);
        while (taken.has(`${link} ${intAt(last, link)}`)) last[link] = intAt(last, link) - 1;
      }
    }
  }
  return succeed(last);
}

/** 1 for each link that has a cable left. */
const linksLeft = ({ cablesOf, lost }: Omit<Cables, 'last'>): Int32Array =>
  lost.map((cables, link) => (cables < cablesOf(link) ? 1 : 0));

/** Takes out the cables of failed routers. */
function loseCablesOf(failed: Uint8Array, { links, cablesOf, lost }: Omit<Cables, 'last'>): void {
  const { from, to, routerLinkCount } = links;
  for (let link = 0; link < routerLinkCount; link++)
    if (failed[intAt(from, link)] === 1 || failed[intAt(to, link)] === 1) lost[link] = cablesOf(link);
}

/** Whether a link stands for the cable of a number, from 1, among those between its routers. */
const hasCable = ({ cablesOf, last }: Cables, link: number, cable: number): boolean =>
  cable <= intAt(last, link) && cable > intAt(last, link) - cablesOf(link);

/** Links from one router to another, ascending, each with that back, which stands at the same place among its own. */
function linksBetween({ firstLink, to }: LinkTable, one: number, other: number): (readonly [number, number])[] {
  const row = (start: number, end: number): number[] => {
    const found: number[] = [];
    for (let link = intAt(firstLink, start); link < intAt(firstLink, start + 1); link++)
      if (to[link] === end) found.push(link);
    return found;
  };
  const back = row(other, one);
  return row(one, other).flatMap((link, place) => {
    const reverse = back[place];
    return reverse === undefined ? [] : [[link, reverse] as const];
  });
}

/** Broken switches, and parts of the network without a node that works: nothing goes there any more. */
function withoutIdleParts(topology: Topology, links: LinkTable, routers: Uint8Array, nodes: Uint8Array): Uint8Array {
  const { of, count } = componentsOf(links);
  const working = new Uint8Array(count);
  routersOfPorts(topology).forEach((router, port) => {
    if (nodes[nodeOfPort(topology, port)] === 0) working[intAt(of, router)] = 1;
  });
  return routers.map((failed, router) => (failed === 1 || working[intAt(of, router)] === 0 ? 1 : 0));
}
