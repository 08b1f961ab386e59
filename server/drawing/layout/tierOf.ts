import type { Topology } from '../../model/machine.ts';
import { nodesOfRouters } from './frames.ts';

/**
 * Tier of each switch above the leaves, where the network is a tree of switches: what the
 * topology says, else the distance from the nearest switch with nodes, provided that every cable
 * then leads from one tier to the next. Undefined for other networks. O(routers + links).
 */
export function tiersOf(topology: Topology): Int32Array | undefined {
  if (topology.tiers !== undefined) return topology.tiers;
  const { firstLink, to, from, routerLinkCount } = topology.links;
  const first = nodesOfRouters(topology);
  const tier = new Int32Array(topology.routerCount).fill(-1);
  const queue: number[] = [];
  for (let router = 0; router < topology.routerCount; router++) {
    if (first[router + 1] === first[router]) continue;
    tier[router] = 0;
    queue.push(router);
  }
  if (queue.length < 2 || queue.length === topology.routerCount) return undefined;
  for (let head = 0; head < queue.length; head++) {
    const router = queue[head]!;
    for (let link = firstLink[router]!; link < firstLink[router + 1]!; link++) {
      if (tier[to[link]!]! >= 0) continue;
      tier[to[link]!] = tier[router]! + 1;
      queue.push(to[link]!);
    }
  }
  for (let link = 0; link < routerLinkCount; link++) {
    if (Math.abs(tier[from[link]!]! - tier[to[link]!]!) !== 1) return undefined;
  }
  return tier;
}
