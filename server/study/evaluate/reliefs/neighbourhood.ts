import type { Machine } from '../../../model/machine.ts';

/** How far from a node its neighbourhood reaches, in hops between routers. */
const reach = 2;
/** Routers that are looked at before the search ends: switches have many neighbours. */
const routersLookedAt = 64;
/** Nodes of one router that are offered, so that one full switch does not hide the next. */
const nodesPerRouter = 8;

/**
 * Nodes near a node, the nearest first, itself included: at most `limit` of those that `accepts`.
 * Breadth first over the cables. O(routers looked at · degree).
 */
export function nodesNear(
  machine: Machine,
  firstNode: Int32Array,
  node: number,
  accepts: (node: number) => boolean,
  limit: number,
): readonly number[] {
  const { firstLink, to } = machine.topology.links;
  const start = machine.topology.routerOfNode[node]!;
  const hops = new Map([[start, 0]]);
  const queue = [start];
  const found = accepts(node) ? [node] : [];
  for (let next = 0; next < queue.length && found.length < limit; next++) {
    const router = queue[next]!;
    const end = Math.min(firstNode[router + 1]!, firstNode[router]! + nodesPerRouter);
    for (let other = firstNode[router]!; other < end && found.length < limit; other++) {
      if (other !== node && accepts(other)) found.push(other);
    }
    const distance = hops.get(router)!;
    if (distance === reach) continue;
    for (let link = firstLink[router]!; link < firstLink[router + 1]! && queue.length < routersLookedAt; link++) {
      if (hops.has(to[link]!)) continue;
      hops.set(to[link]!, distance + 1);
      queue.push(to[link]!);
    }
  }
  return found;
}

/** The first node of every router, and behind the last one the node count: nodes of one router follow one another. */
export function firstNodes({ topology, nodeCount }: Machine): Int32Array {
  const first = new Int32Array(topology.routerCount + 1);
  for (let node = 0; node < nodeCount; node++) first[topology.routerOfNode[node]! + 1]! += 1;
  for (let router = 0; router < topology.routerCount; router++) first[router + 1]! += first[router]!;
  return first;
}
