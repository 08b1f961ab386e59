/**
 * Machines in which something does not work: `withFaults` takes cables, switches and nodes out of a topology that keeps
 * its numbers, coordinates and names, so that mappings before and after can be compared.
 */
import { asRouterId } from '../model/identifiers.ts';
import { expandHostlist } from '../model/hostlist.ts';
import type { TopologyFaults } from '../model/faults.ts';
import { nodeOfPort, routersOfPorts, type LinkTable, type Topology } from '../model/machine.ts';
import { fail, quote, succeed, type Result } from '../model/result.ts';
import { intAt } from '../numeric/elements.ts';
import type { FaultDescription, RouterReference } from './contract.ts';
import { nodesOfHosts, routerName } from './names.ts';
import { componentsOf, disconnection, isBelow } from './topologies/cableGraph.ts';

/**
 * The topology without what is named and without what was taken out before. Switches that no working node can reach any more are out of order as well.
 * Fails with `out-of-range`, `no-such-switch`, `no-such-cable`, `no-such-host`, `bad-hostlist`, `no-hosts` where no
 * node is left, and `disconnected` where nodes that work cannot reach each other. `machine` is for messages.
 * O(routers + links + nodes).
 */
export function withFaults(machine: string, topology: Topology, faults: FaultDescription): Result<Topology> {
  const routers = failedRouters(topology, faults);
  if (!routers.ok) return routers;
  const nodes = failedNodes(machine, topology, faults, routers.value);
  if (!nodes.ok) return nodes;
  if (!nodes.value.includes(0)) {
    return fail('no-hosts', 'No node of this machine works: `without` takes all of them out.');
  }
  const kept = keptLinks(topology, faults, routers.value);
  if (!kept.ok) return kept;
  const links = onlyLinks(topology.links, kept.value);
  const cut = withoutIdleParts(topology, links, routers.value, nodes.value);
  const missing: TopologyFaults = {
    routers: cut,
    nodes: nodes.value,
    cables: (topology.faults?.cables ?? 0) + (topology.links.routerLinkCount - links.routerLinkCount) / 2,
  };
  const broken = { ...topology, ...(missing.cables > 0 && leftOf(topology, links, kept.value)), faults: missing };
  return disconnection(broken) ?? succeed(broken);
}

/** The links that are left, with what is known of each. */
function leftOf({ ownSpeeds, subnet, links: all }: Topology, links: LinkTable, kept: Uint8Array): Partial<Topology> {
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
    const router = routerOf(topology, reference);
    if (!router.ok) return router;
    failed[router.value] = 1;
  }
  return succeed(failed);
}

function routerOf({ routerCount, names }: Topology, reference: RouterReference): Result<number> {
  if (typeof reference === 'number') {
    if (isBelow(reference, routerCount)) return succeed(reference);
    const known = routerCount === 1 ? 'the only one is 0' : `there are 0 to ${routerCount - 1}`;
    return fail('out-of-range', `There is no switch ${reference} to take out: ${known}.`);
  }
  const found = names?.routers.indexOf(reference) ?? -1;
  if (found >= 0) return succeed(found);
  const known =
    names === undefined
      ? 'its switches have numbers only'
      : `its switches are called ${quote(names.routers[0] ?? '')} to ${quote(names.routers.at(-1) ?? '')}`;
  return fail('no-such-switch', `There is no switch ${quote(reference)} to take out: ${known}.`);
}

/** Nodes named as broken, and all nodes of broken switches. */
function failedNodes(
  name: string,
  topology: Topology,
  faults: FaultDescription,
  routers: Uint8Array,
): Result<Uint8Array> {
  const nodeCount = topology.routerOfNode.length;
  const failed = topology.faults?.nodes.slice() ?? new Uint8Array(nodeCount);
  const hosts: string[] = [];
  for (const reference of faults.nodes) {
    if (typeof reference === 'string') {
      const expanded = expandHostlist(reference);
      if (!expanded.ok) return fail('bad-hostlist', expanded.failure);
      hosts.push(...expanded.value);
    } else if (isBelow(reference, nodeCount)) failed[reference] = 1;
    else {
      const known = nodeCount === 1 ? 'the only one is 0' : `there are 0 to ${nodeCount - 1}`;
      return fail('out-of-range', `There is no node ${reference} to take out: ${known}.`);
    }
  }
  const named = nodesOfHosts({ name, topology, nodeCount }, hosts);
  if (!named.ok) return named;
  for (const node of named.value) failed[node] = 1;
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

/** 1 for each link between routers that works. */
function keptLinks(topology: Topology, { cables }: FaultDescription, routers: Uint8Array): Result<Uint8Array> {
  const { from, to, routerLinkCount } = topology.links;
  const kept = new Uint8Array(routerLinkCount).fill(1);
  for (const cable of cables) {
    const [one, other] = [routerOf(topology, cable.from), routerOf(topology, cable.to)];
    if (!one.ok) return one;
    if (!other.ok) return other;
    const there = lastLink(topology.links, kept, one.value, other.value);
    const back = lastLink(topology.links, kept, other.value, one.value);
    if (there < 0 || back < 0) {
      const [a, b] = [one.value, other.value].map((router) => routerName({ topology }, asRouterId(router)));
      return fail(
        'no-such-cable',
        `No cable joins ${a} and ${b}, or all of them are taken out already: remove this one.`,
      );
    }
    kept[there] = 0;
    kept[back] = 0;
  }
  for (let link = 0; link < routerLinkCount; link++) {
    if (routers[intAt(from, link)] === 1 || routers[intAt(to, link)] === 1) kept[link] = 0;
  }
  return succeed(kept);
}

/** The last link that is kept from one router to another, −1 where there is none; of parallel cables the last goes first. */
function lastLink({ firstLink, to }: LinkTable, kept: Uint8Array, from: number, target: number): number {
  let found = -1;
  for (let link = intAt(firstLink, from); link < intAt(firstLink, from + 1); link++) {
    if (kept[link] === 1 && to[link] === target) found = link;
  }
  return found;
}

/** The table of the links that are kept, in their order. O(routers + links). */
function onlyLinks(links: LinkTable, kept: Uint8Array): LinkTable {
  const count = kept.reduce((sum, is) => sum + is, 0);
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const firstLink = new Int32Array(links.firstLink.length);
  let next = 0;
  for (let router = 0; router + 1 < firstLink.length; router++) {
    firstLink[router] = next;
    for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
      if (kept[link] === 0) continue;
      from[next] = router;
      to[next++] = intAt(links.to, link);
    }
  }
  firstLink[firstLink.length - 1] = next;
  return { firstLink, from, to, routerLinkCount: count, linkCount: count + links.linkCount - links.routerLinkCount };
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
