/**
 * Which routers are the roots of up/down routing (the top of a tree of switches, by tiers or by OpenSM's rule, or the most central
 * one), and whether packets get everywhere from them.
 */
import {
  nodeOfPort,
  nodeWorks,
  routersOfPorts,
  routerWorks,
  workingRouters,
  type Topology,
} from '../../model/machine.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { levelsFrom } from './routeGraph.ts';
import { distancesFrom } from '../../numeric/breadthFirst.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { groupedBy } from '../../numeric/grouping.ts';

/**
 * The router, of all or of those named in `among` in ascending order, with the least mean distance to all others by
 * shortest ways, ties to the lowest id. The network is connected and every cable goes both ways.
 *
 * Breadth-first searches from 32 routers at a time, one bit each (Then et al. 2014, The more the
 * merrier: efficient multi-source graph traversal), so that searches that stand in one router
 * look at its links together: O(routers · links / 32) on networks of small diameter,
 * O(routers · links) at worst. Where that would be more than {@link mostVisits}, the mean is of the distances to some routers, spread evenly over their
 * numbers. Of no use where it was cancelled.
 */
export function centralRouter(
  topology: Topology,
  among?: readonly number[],
  cancellation: Cancellation = neverCancelled,
): number {
  const sums = distanceSums(topology, cancellation);
  const choices = among ?? workingRouters(topology);
  return choices.reduce((best, router) => (realAt(sums, router) < realAt(sums, best) ? router : best));
}

/** Searches times links, about ten seconds: 19,000 switches of three links to others are searched from all. */
const mostVisits = 2 ** 30;

/** A link is looked at several times by searches that come to its router one after the other. */
const workOfLink = 8;

/** Sum of the distances from each router to all, or to as many as {@link centralRouter} says; 0 for some where it was cancelled. */
export function distanceSums(topology: Topology, cancellation: Cancellation = neverCancelled): Float64Array {
  const meter = new WorkMeter(cancellation);
  const { routerCount } = topology;
  const sums = new Float64Array(routerCount);
  const front: Front = {
    seen: new Int32Array(routerCount),
    here: new Int32Array(routerCount),
    next: new Int32Array(routerCount),
    routers: new Int32Array(routerCount),
    nextRouters: new Int32Array(routerCount),
  };
  const searches = Math.min(routerCount, Math.max(32, Math.floor(mostVisits / topology.links.routerLinkCount)));
  for (let first = 0; first < searches; first += 32) {
    const sources = Array.from({ length: Math.min(32, searches - first) }, (_, search) =>
      Math.floor(((first + search) * routerCount) / searches),
    );
    if (!addDistances(topology, front, sources, sums, meter)) break;
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

/** Adds the distances from some routers, which equal those to them; false where it was cancelled. */
function addDistances(
  topology: Topology,
  front: Front,
  sources: readonly number[],
  sums: Float64Array,
  meter: WorkMeter,
): boolean {
  front.seen.fill(0);
  for (const [search, router] of sources.entries()) {
    front.routers[search] = router;
    front.here[router] = 1 << search;
    front.seen[router] = 1 << search;
  }
  let standing = sources.length;
  const workOfRouter = (workOfLink * topology.links.routerLinkCount) / topology.routerCount;
  for (let depth = 1; standing > 0; depth++) {
    if (meter.isCancelledAfter(Math.ceil(standing * workOfRouter))) return false;
    standing = settle(front, spreadSearches(topology, front, standing), depth, sums);
    [front.here, front.next] = [front.next, front.here];
    [front.routers, front.nextRouters] = [front.nextRouters, front.routers];
  }
  return true;
}

/** Sends every search over the links of the routers where it stands; how many routers were touched. */
function spreadSearches({ links }: Topology, front: Front, standing: number): number {
  const { here, next, routers, nextRouters } = front;
  let touched = 0;
  for (let index = 0; index < standing; index++) {
    const router = intAt(routers, index);
    const searches = intAt(here, router);
    here[router] = 0;
    const end = intAt(links.firstLink, router + 1);
    for (let link = intAt(links.firstLink, router); link < end; link++) {
      const to = intAt(links.to, link);
      if (next[to] === 0) nextRouters[touched++] = to;
      next[to] = intAt(next, to) | searches;
    }
  }
  return touched;
}

/** Keeps the searches that are in a router for the first time; how many routers have such. */
function settle({ seen, next, nextRouters }: Front, touched: number, depth: number, sums: Float64Array): number {
  let kept = 0;
  for (let index = 0; index < touched; index++) {
    const router = intAt(nextRouters, index);
    const fresh = intAt(next, router) & ~intAt(seen, router);
    next[router] = fresh;
    if (fresh === 0) continue;
    seen[router] = intAt(seen, router) | fresh;
    sums[router] = realAt(sums, router) + depth * bitCount(fresh);
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

/** Shares of the hosts: one distance has more than the first of them, no other distance more than the second. */
const nearlyAll = 0.9;
const negligible = 0.05;

/**
 * The switches at the top of a tree of switches, by the rule of OpenSM's up/down routing (`updn`, min-hop histograms):
 * a switch is a root where nearly all hosts are equally far from it and no second distance has more than a few of
 * them. Spines of a Clos are roots, a few hosts of their own or not, its leaves are not; a network that is truly irregular
 * has none. Ascending; none if cancelled. O(switches with few hosts · links).
 */
export function rootCandidates(topology: Topology, cancellation: Cancellation): readonly number[] {
  const hostsOf = new Int32Array(topology.routerCount);
  let hostCount = 0;
  routersOfPorts(topology).forEach((router, port) => {
    if (!nodeWorks(topology, nodeOfPort(topology, port))) return;
    hostsOf[router] = intAt(hostsOf, router) + 1;
    hostCount++;
  });
  const withHosts = hostsOf.reduce((count, hosts) => count + (hosts > 0 ? 1 : 0), 0);
  // A switch that has as many hosts as others is a leaf, and need not be looked at.
  const few = Math.min(negligible * hostCount, hostCount / withHosts / 2);
  const candidates: number[] = [];
  for (let router = 0; router < topology.routerCount; router++) {
    if (cancellation.isCancelled()) return [];
    const isAbove = intAt(hostsOf, router) <= few && routerWorks(topology, router);
    if (isAbove && seesHostsAlike(topology, router, hostsOf, hostCount)) candidates.push(router);
  }
  return candidates;
}

function seesHostsAlike(topology: Topology, router: number, hostsOf: Int32Array, hostCount: number): boolean {
  const hostsAt: number[] = [];
  levelsFrom(topology, router).forEach((level, other) => {
    hostsAt[level] = (hostsAt[level] ?? 0) + intAt(hostsOf, other);
  });
  const common = hostsAt.filter((hosts) => hosts > negligible * hostCount);
  return common.length === 1 && itemAt(common, 0) > nearlyAll * hostCount;
}

/** The highest tier of a tree of switches, ascending; none where there are no tiers or only one. */
export function topTier(topology: Topology): readonly number[] {
  const { tiers } = topology;
  if (tiers === undefined) return [];
  const top = tiers.reduce((most, tier) => Math.max(most, tier), 0);
  return top === 0
    ? []
    : Array.from(tiers.keys()).filter((router) => tiers[router] === top && routerWorks(topology, router));
}

/** Whether a link leads to a lower level, or to a lower label on the same level. */
export function goesUp(level: Int32Array, from: number, to: number): boolean {
  return intAt(level, to) < intAt(level, from) || (level[to] === level[from] && to < from);
}

/** Routers by how high they are: links up lead to routers that stand before. */
export interface UpOrder {
  /** Links to the nearest root. */
  readonly level: Int32Array;
  /** All routers, those of lower levels first, equal ones by label. */
  readonly order: Int32Array;
}

/** O(links). */
export function upOrder({ links, routerCount }: Topology, roots: readonly number[]): UpOrder {
  const level = distancesFrom(links.firstLink, links.to, roots);
  // A router that is out of order has no links, and stands anywhere.
  return {
    level,
    order: groupedBy(
      level.map((own) => Math.max(0, own)),
      routerCount,
    ).members,
  };
}

/** Links of the longest way that only goes up. O(links). */
export function longestClimb({ links }: Topology, { level, order }: UpOrder): number {
  const climb = new Int32Array(order.length);
  let longest = 0;
  for (const router of order) {
    let most = 0;
    for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
      const to = intAt(links.to, link);
      if (goesUp(level, router, to)) most = Math.max(most, intAt(climb, to) + 1);
    }
    climb[router] = most;
    longest = Math.max(longest, most);
  }
  return longest;
}

/**
 * Two routers with nodes between which no way leads up and then down; undefined where there are none, or if cancelled. Two
 * routers have such a way where they can climb to a common router, and from there on to one that no link leads up from: so
 * the sets of those that they can climb to are compared. O(links · roots / 32), and a comparison for every two different
 * sets where no such router is above all.
 */
export function switchesApart(
  topology: Topology,
  { level, order }: UpOrder,
  cancellation: Cancellation,
): readonly [number, number] | undefined {
  const { links, routerCount } = topology;
  const meter = new WorkMeter(cancellation);
  const tops = order.filter((router) => !climbsFrom(topology, level, router));
  const words = Math.ceil(tops.length / 32);
  const above = new Int32Array(routerCount * words);
  tops.forEach((router, bit) => (above[router * words + (bit >> 5)] = 1 << (bit & 31)));
  for (const router of order) {
    for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
      const to = intAt(links.to, link);
      if (!goesUp(level, router, to)) continue;
      for (let word = 0; word < words; word++) {
        const at = router * words + word;
        above[at] = intAt(above, at) | intAt(above, to * words + word);
      }
    }
    if (meter.isCancelledAfter(words * (intAt(links.firstLink, router + 1) - intAt(links.firstLink, router))))
      return undefined;
  }
  const setOf = (router: number): Int32Array => above.subarray(router * words, (router + 1) * words);
  /** One router for each different set. */
  const kinds = new Map<string, number>();
  const ends = new Set(routersOfPorts(topology).filter((_, port) => nodeWorks(topology, nodeOfPort(topology, port))));
  for (const router of ends) {
    const key = setOf(router).join();
    if (!kinds.has(key)) kinds.set(key, router);
  }
  const kept = [...kinds.values()];
  const common = kept.reduce(
    (rest, router) => rest.map((word, index) => word & intAt(setOf(router), index)),
    new Int32Array(words).fill(-1),
  );
  if (common.some((word) => word !== 0)) return undefined;
  for (const [index, one] of kept.entries()) {
    const own = setOf(one);
    for (const other of kept.slice(0, index)) {
      const theirs = setOf(other);
      if (!own.some((word, at) => (word & intAt(theirs, at)) !== 0))
        return [Math.min(one, other), Math.max(one, other)];
    }
    if (meter.isCancelledAfter(words * index)) return undefined;
  }
  return undefined;
}

function climbsFrom({ links }: Topology, level: Int32Array, router: number): boolean {
  for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
    if (goesUp(level, router, intAt(links.to, link))) return true;
  }
  return false;
}
