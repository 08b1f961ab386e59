import { intAt } from '../../numeric/elements.ts';
import { formatNumber } from '../../model/quantities.ts';
import { linkLimit, slotLimit, type LinkTable, type Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { TopologySize, Cable } from '../contract.ts';
import { disconnection } from './components.ts';
import { accumulated } from '../../numeric/grouping.ts';

/** Undirected cables between routers; parallel ones are repeated. */
export interface CableList {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** A network of routers given cable by cable, with nodes on links of their own. */
interface CableGraph extends Pick<Topology, 'kind' | 'routerCount' | 'routerOfNode'> {
  readonly cables: CableList;
  readonly tiers?: Int32Array;
  readonly groups?: Int32Array;
  readonly names?: NonNullable<Topology['names']>;
}

/** Routers, nodes and directed links, two of them for each cable and for each node. */
export const measureCableGraph = (routers: number, nodes: number, cables: number): TopologySize => ({
  routers,
  nodes,
  links: 2 * (cables + nodes),
});

/** Why a network of this size is refused, for builders to ask before they allocate. */
export function sizeRefusal(
  what: string,
  { routers, nodes, links }: TopologySize,
): ReturnType<typeof fail> | undefined {
  if (routers <= slotLimit && nodes <= slotLimit && links <= linkLimit) return undefined;
  return fail(
    'machine-too-large',
    `${what} has ${formatNumber(routers)} switches, ${formatNumber(nodes)} nodes and ${formatNumber(links)} directed links; at most ` +
      `${formatNumber(slotLimit)} switches or nodes and ${formatNumber(linkLimit)} links are possible: make it smaller.`,
  );
}

/**
 * The topology of a list of cables. Links that leave a router are in ascending order of where
 * they lead, parallel cables one after the other; every node has a host link each way.
 * Fails with `no-hosts` where there is no node, and with `disconnected` where some routers cannot
 * be reached from others. The ends of cables are routers, two different ones. O(routers + cables + nodes).
 */
export function buildCableGraph(graph: CableGraph): Result<Topology> {
  const { kind, routerCount, routerOfNode, tiers, groups, names } = graph;
  if (routerOfNode.length === 0) {
    return fail('no-hosts', 'No compute node hangs on this network: add `hosts N` for N on each switch.');
  }
  const links = linkTableOf(graph);
  const refusal = disconnection(links, names?.routers);
  if (refusal) return refusal;
  return succeed({
    kind,
    routerCount,
    hasHostLinks: true,
    links,
    routerOfNode,
    ...(tiers && { tiers }),
    ...(groups && { groups }),
    ...(names && { names }),
  });
}

function linkTableOf({ routerCount, cables, routerOfNode }: CableGraph): LinkTable {
  const routerLinkCount = 2 * cables.from.length;
  const firstLink = firstLinksOf(routerCount, cables);
  const unsorted = neighbours(cables, firstLink);
  const from = new Int32Array(routerLinkCount);
  const to = new Int32Array(routerLinkCount);
  const next = firstLink.slice();
  // Every cable is listed at both ends, so handing out the routers in ascending order sorts each row.
  for (let router = 0; router < routerCount; router++) {
    for (let entry = intAt(firstLink, router); entry < intAt(firstLink, router + 1); entry++) {
      const link = next[intAt(unsorted, entry)]!++;
      from[link] = intAt(unsorted, entry);
      to[link] = router;
    }
  }
  return { firstLink, from, to, routerLinkCount, linkCount: routerLinkCount + 2 * routerOfNode.length };
}

function firstLinksOf(routerCount: number, { from, to }: CableList): Int32Array {
  const firstLink = new Int32Array(routerCount + 1);
  for (let cable = 0; cable < from.length; cable++) {
    firstLink[intAt(from, cable) + 1]! += 1;
    firstLink[intAt(to, cable) + 1]! += 1;
  }
  return accumulated(firstLink);
}

/** The other end of each cable in the row of each end, in the order of the cables. */
function neighbours({ from, to }: CableList, firstLink: Int32Array): Int32Array {
  const next = firstLink.slice();
  const neighbour = new Int32Array(2 * from.length);
  for (let cable = 0; cable < from.length; cable++) {
    neighbour[next[intAt(from, cable)]!++] = intAt(to, cable);
    neighbour[next[intAt(to, cable)]!++] = intAt(from, cable);
  }
  return neighbour;
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
      return fail('out-of-range', `The cable ${from} -- ${to} ends at switch ${stranger}, and ${known}.`);
    }
    if (from === to) {
      return fail('self-cable', `A cable joins two different switches: ${nameOf(from)} stands on both sides of one.`);
    }
  }
  return undefined;
}

/** Whether a number is an index of a list of `count`. */
export const isBelow = (index: number, count: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < count;
