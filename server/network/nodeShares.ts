import type { LinkId, NodeId } from '../model/identifiers.ts';
import { routerOfNode, type Machine } from '../model/machine.ts';

/**
 * Calls `visit` for each link that carries a share (0 … 1] of a flow between two nodes, host links
 * included: first the sender's, then those between routers, then the receiver's. Nothing is
 * visited within one node. O(links of the routes).
 */
export function visitNodeShares(
  machine: Machine,
  from: NodeId,
  to: NodeId,
  visit: (link: LinkId, share: number) => void,
): void {
  if (from === to) return;
  const { hasHostLinks, links } = machine.topology;
  if (hasHostLinks) visit((links.routerLinkCount + 2 * from) as LinkId, 1);
  const [start, end] = [routerOfNode(machine, from), routerOfNode(machine, to)];
  if (start !== end) machine.routing.visitShares(start, end, visit);
  if (hasHostLinks) visit((links.routerLinkCount + 2 * to + 1) as LinkId, 1);
}
