import type { LinkId, NodeId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { visitNodeShares } from '../../network/nodeShares.ts';

/** A share (0 … 1] of a flow on one directed link. */
export interface LinkShare {
  readonly link: LinkId;
  readonly share: number;
}

/**
 * All links that a flow between two nodes takes, each once with its share, host links included, in
 * the order in which the routing visits them. Empty within one node. O(links of the routes).
 */
export function routeShares(machine: Machine, from: NodeId, to: NodeId): readonly LinkShare[] {
  const shares = new Map<LinkId, number>();
  visitNodeShares(machine, from, to, (link, share) => {
    shares.set(link, (shares.get(link) ?? 0) + share);
  });
  return Array.from(shares, ([link, share]) => ({ link, share }));
}
