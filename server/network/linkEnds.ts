import { asNodeId, type LinkId } from '../model/identifiers.ts';
import { routerOfNode, type Machine } from '../model/machine.ts';
import type { LinkEnd } from '../model/report.ts';

/** The two ends of a directed link as users name them: routers by number, nodes as hosts. O(1). */
export function linkEnds(machine: Machine, link: LinkId): { readonly from: LinkEnd; readonly to: LinkEnd } {
  const { links } = machine.topology;
  if (link < links.routerLinkCount) return { from: links.from[link]!, to: links.to[link]! };
  const ordinal = link - links.routerLinkCount;
  const node = asNodeId(Math.floor(ordinal / 2));
  const host = { host: node };
  const router = routerOfNode(machine, node);
  return ordinal % 2 === 0 ? { from: host, to: router } : { from: router, to: host };
}
