import { asNodeId, type LinkId } from '../model/identifiers.ts';
import type { Topology } from '../model/machine.ts';
import type { LinkEnd } from '../model/report.ts';

interface WithLinks {
  readonly topology: Pick<Topology, 'links' | 'routerOfNode'>;
}

/** The two ends of a directed link as users name them: routers by number, nodes as hosts. O(1). */
export function linkEnds(machine: WithLinks, link: LinkId): { readonly from: LinkEnd; readonly to: LinkEnd } {
  const { links, routerOfNode } = machine.topology;
  if (link < links.routerLinkCount) return { from: links.from[link]!, to: links.to[link]! };
  const ordinal = link - links.routerLinkCount;
  const node = asNodeId(Math.floor(ordinal / 2));
  const host = { host: node };
  const router = routerOfNode[node]!;
  return ordinal % 2 === 0 ? { from: host, to: router } : { from: router, to: host };
}
