import type { LinkId, RouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { crossingOf } from './crossing.ts';

/** Which flows between nodes cross one directed link, a host link or one between routers. */
export interface LinkUse {
  readonly link: LinkId;
  /** False where nothing that this node sends can cross: a quick way past whole rows of pairs. */
  takesFrom(node: number): boolean;
  /** Whether a flow between two nodes crosses, with all or a part of it; exact. */
  crosses(from: number, to: number): boolean;
  /** The part of a flow that crosses, 0 … 1; a walk along its routes where there are several. */
  share(from: number, to: number): number;
}

/**
 * The use of `link`, ready to be asked for many pairs. Set up in O(routers), or in the states and
 * steps of the routing where that is a graph; a pair is then answered without its route.
 */
export function linkUseOf(machine: Machine, link: LinkId): LinkUse {
  const { routerLinkCount } = machine.topology.links;
  return link < routerLinkCount ? betweenRouters(machine, link) : ofHost(link, link - routerLinkCount);
}

/** From node n to its router is host link 2n, the way back 2n + 1; nothing within a node takes them. */
function ofHost(link: LinkId, hostLink: number): LinkUse {
  const node = hostLink >> 1;
  const leaves = (hostLink & 1) === 0;
  const crosses = (from: number, to: number): boolean => from !== to && (leaves ? from : to) === node;
  return {
    link,
    takesFrom: (from) => !leaves || from === node,
    crosses,
    share: (from, to) => (crosses(from, to) ? 1 : 0),
  };
}

function betweenRouters(machine: Machine, link: LinkId): LinkUse {
  const { routing, topology } = machine;
  const { routerOfNode } = topology;
  const crossing = crossingOf(machine, link);
  const crosses = (from: number, to: number): boolean =>
    crossing.crosses(routerOfNode[from]! as RouterId, routerOfNode[to]! as RouterId);
  return {
    link,
    takesFrom: (from) => crossing.takesFrom(routerOfNode[from]! as RouterId),
    crosses,
    share(from, to) {
      if (!crosses(from, to)) return 0;
      if (routing.singlePath) return 1;
      let total = 0;
      routing.visitShares(routerOfNode[from]! as RouterId, routerOfNode[to]! as RouterId, (visited, share) => {
        if (visited === link) total += share;
      });
      return total;
    },
  };
}
