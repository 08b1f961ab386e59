/** Links as users and flows meet them: their two ends, the link back of a cable, and the links between two nodes. */
import type { LinkId } from '../model/identifiers.ts';
import {
  type Topology,
  type LinkTable,
  hasLinksOfNodes,
  nodeOfEnd,
  nodeOfPort,
  receiverOf,
  routersOfPorts,
  senderOf,
  type Machine,
} from '../model/machine.ts';
import type { LinkEnd } from '../model/report.ts';
import { sortedByKey } from '../numeric/grouping.ts';
import { intAt } from '../numeric/elements.ts';

interface WithLinks {
  readonly topology: Pick<Topology, 'links' | 'routerOfNode' | 'rails'>;
}

/** The two ends of a directed link as users name them: routers by number, nodes as hosts. O(1). */
export function endsOfLink(machine: WithLinks, link: LinkId): { readonly from: LinkEnd; readonly to: LinkEnd } {
  const { links } = machine.topology;
  if (link < links.routerLinkCount) return { from: intAt(links.from, link), to: intAt(links.to, link) };
  const ordinal = link - links.routerLinkCount;
  const port = Math.floor(ordinal / 2);
  const { rails } = machine.topology;
  const host = { host: nodeOfPort(machine.topology, port), ...(rails && { rail: intAt(rails.railOfPort, port) }) };
  const router = intAt(routersOfPorts(machine.topology), port);
  return ordinal % 2 === 0 ? { from: host, to: router } : { from: router, to: host };
}

/**
 * The link back of every link between routers, by LinkId: the two are one cable. Of parallel
 * cables the first link one way belongs to the first the other way, and so on. O(routers + links).
 */
export function reverseLinks(links: LinkTable): Int32Array {
  const identity = Int32Array.from({ length: links.routerLinkCount }, (_, link) => link);
  // Both are stable, so links are ordered by (to, from, id) and then by (from, to, id).
  const arriving = sortedByKey(identity, links.to, links.firstLink.length);
  const leaving = sortedByKey(arriving, links.from, links.firstLink.length);
  const reverse = new Int32Array(links.routerLinkCount);
  for (let place = 0; place < reverse.length; place++) reverse[intAt(leaving, place)] = intAt(arriving, place);
  return reverse;
}

/** The table of the links that are kept, in their order. O(routers + links). */
export function onlyLinks(links: LinkTable, kept: Int32Array): LinkTable {
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

/**
 * Calls `visit` for each link that carries a share (0 … 1] of a flow between two ends of messages, which are nodes unless tasks have
 * rails of their own; links of hosts included: first the sender's, then those between routers, then the receiver's. Nothing is
 * visited within one node. O(links of the routes).
 */
export function visitNodeShares(
  machine: Machine,
  from: number,
  to: number,
  visit: (link: LinkId, share: number) => void,
): void {
  if (nodeOfEnd(machine, from) === nodeOfEnd(machine, to)) return;
  const { links } = machine.topology;
  const [sender, receiver] = [senderOf(machine, from), receiverOf(machine, to)];
  if (machine.rails !== undefined) {
    machine.routing.visitShares(sender, receiver, visit);
    return;
  }
  const hasHostLinks = hasLinksOfNodes(machine.topology);
  if (hasHostLinks) visit((links.routerLinkCount + 2 * from) as LinkId, 1);
  if (machine.topology.routerOfNode[from] !== machine.topology.routerOfNode[to])
    machine.routing.visitShares(sender, receiver, visit);
  if (hasHostLinks) visit((links.routerLinkCount + 2 * to + 1) as LinkId, 1);
}
