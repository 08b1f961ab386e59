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
  /** The part of a flow that crosses, 0 … 1; where there are several routes a walk along them, once per pair of routers. */
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
  const { routing } = machine;
  const { routerOfNode } = machine.topology;
  const crossing = crossingOf(machine, link);
  const shareOf = routing.singlePath ? () => 1 : rememberedShares(machine, link);
  const crosses = (from: number, to: number): boolean =>
    crossing.crosses(routerOfNode[from]! as RouterId, routerOfNode[to]! as RouterId);
  return {
    link,
    takesFrom: (from) => crossing.takesFrom(routerOfNode[from]! as RouterId),
    crosses,
    share: (from, to) =>
      crosses(from, to) ? shareOf(routerOfNode[from]! as RouterId, routerOfNode[to]! as RouterId) : 0,
  };
}

/** Pairs of routers whose share is remembered: switches have many hosts, which all send the same way. */
const sharesRemembered = 1 << 18;

/** The share of a flow between two routers that takes the link: a walk along all its routes, done once. */
function rememberedShares({ routing, topology }: Machine, link: LinkId): (from: RouterId, to: RouterId) => number {
  const known = new Map<number, number>();
  return (from, to) => {
    const key = from * topology.routerCount + to;
    const before = known.get(key);
    if (before !== undefined) return before;
    let total = 0;
    routing.visitShares(from, to, (visited, share) => {
      if (visited === link) total += share;
    });
    if (known.size < sharesRemembered) known.set(key, total);
    return total;
  };
}
