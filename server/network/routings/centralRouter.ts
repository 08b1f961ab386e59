import type { Topology } from '../../model/machine.ts';

/**
 * The router, of all or of those named in `among` in ascending order, with the least mean distance to all others by
 * shortest ways, ties to the lowest id.
 * The network is connected and every cable goes both ways.
 *
 * Breadth-first searches from 32 routers at a time, one bit each (Then et al. 2014, The more the
 * merrier: efficient multi-source graph traversal), so that searches that stand in one router
 * look at its links together: O(routers · links / 32) on networks of small diameter,
 * O(routers · links) at worst.
 */
export function centralRouter(topology: Topology, among?: readonly number[]): number {
  const sums = distanceSums(topology);
  const choices = among ?? Array.from(sums, (_, router) => router);
  return choices.reduce((best, router) => (sums[router]! < sums[best]! ? router : best));
}

/** Sum of the distances from each router to all. */
export function distanceSums(topology: Topology): Float64Array {
  const { routerCount } = topology;
  const sums = new Float64Array(routerCount);
  const front: Front = {
    seen: new Int32Array(routerCount),
    here: new Int32Array(routerCount),
    next: new Int32Array(routerCount),
    routers: new Int32Array(routerCount),
    nextRouters: new Int32Array(routerCount),
  };
  for (let first = 0; first < routerCount; first += 32) {
    addDistances(topology, front, first, Math.min(32, routerCount - first), sums);
  }
  return sums;
}

/** Where 32 searches stand: one bit per search. */
interface Front {
  readonly seen: Int32Array;
  here: Int32Array;
  next: Int32Array;
  routers: Int32Array;
  nextRouters: Int32Array;
}

/** Adds the distances from `count` routers, the first of them `first`; they equal those to them. */
function addDistances(topology: Topology, front: Front, first: number, count: number, sums: Float64Array): void {
  front.seen.fill(0);
  for (let search = 0; search < count; search++) {
    front.routers[search] = first + search;
    front.here[first + search] = 1 << search;
    front.seen[first + search] = 1 << search;
  }
  let standing = count;
  for (let depth = 1; standing > 0; depth++) {
    standing = settle(front, spread(topology, front, standing), depth, sums);
    [front.here, front.next] = [front.next, front.here];
    [front.routers, front.nextRouters] = [front.nextRouters, front.routers];
  }
}

/** Sends every search over the links of the routers where it stands; how many routers were touched. */
function spread({ links }: Topology, front: Front, standing: number): number {
  const { here, next, routers, nextRouters } = front;
  let touched = 0;
  for (let index = 0; index < standing; index++) {
    const router = routers[index]!;
    const searches = here[router]!;
    here[router] = 0;
    const end = links.firstLink[router + 1]!;
    for (let link = links.firstLink[router]!; link < end; link++) {
      const to = links.to[link]!;
      if (next[to] === 0) nextRouters[touched++] = to;
      next[to]! |= searches;
    }
  }
  return touched;
}

/** Keeps the searches that are in a router for the first time; how many routers have such. */
function settle({ seen, next, nextRouters }: Front, touched: number, depth: number, sums: Float64Array): number {
  let kept = 0;
  for (let index = 0; index < touched; index++) {
    const router = nextRouters[index]!;
    const fresh = next[router]! & ~seen[router]!;
    next[router] = fresh;
    if (fresh === 0) continue;
    seen[router]! |= fresh;
    sums[router]! += depth * bitCount(fresh);
    nextRouters[kept++] = router;
  }
  return kept;
}

/** Ones among the 32 bits (Warren, Hacker's Delight, section 5-1). */
function bitCount(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((pairs + (pairs >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
