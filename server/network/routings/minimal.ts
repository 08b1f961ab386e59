/**
 * `minimal`: all shortest routes. The larger part of this file is about networks whose routers form groups (dragonflies).
 *
 * Without failures a packet crosses one global link, between its two groups (Kim et al. 2008, section 4.1, "MIN"). A failure can leave
 * two groups without a link between them, or cut a group into parts. Only the pairs of routers that lost all their routes take a detour
 * then, and no detour has fewer hops than the longest minimal route before the failure. So no failure shortens a route.
 */
import {
  type LinkTable,
  type RouteGraph,
  type Routing,
  type Topology,
  hasAllCables,
  nodeOfPort,
  nodeWorks,
  routersOfPorts,
  workingRouters,
} from '../../model/machine.ts';
import { asRouterId } from '../../model/identifiers.ts';
import { fail, type Result, succeed } from '../../model/result.ts';
import { distancesFrom } from '../../numeric/breadthFirst.ts';
import { intAt } from '../../numeric/elements.ts';
import { groupStarts } from '../../numeric/grouping.ts';
import { type RoutingEntry } from '../contract.ts';
import { onlyLinks } from '../links.ts';
import { routerName } from '../names.ts';
import { componentsOf, disconnection } from '../topologies/cableGraph.ts';
import { gridPathsOf } from './dimensionOrder.ts';
import { givenRouting } from './givenRoutes.ts';
import { graphRouting, isTree } from './graphRouting.ts';
import { type LeafRoutes, leafRoutes } from './leafRoutes.ts';
import { type Phases, depthOf, levelsFrom, onePhase, routeGraphOf } from './routeGraph.ts';

export const minimal: RoutingEntry = {
  name: 'minimal',
  summary: 'all shortest routes; a flow splits evenly among the next hops at each router',
  source: 'Placewright; on dragonflies Kim et al. 2008, section 4.1; on fat trees Petrini and Vanneschi 1997',
  details:
    'Parallel links count as several next hops. In a fat tree, minimal routes go up to any nearest common ' +
    'ancestor and down again. In a dragonfly, packets use a link between the two groups, with at most one local ' +
    'link before it and one after it. They never cross a third group, even if that were shorter. After a ' +
    'failure, only pairs without a route use more groups, with at least as many hops as the longest minimal ' +
    'route had. If groups are grids or have spines (`group 16 x 6`, `dragonfly-plus`), routes inside them are ' +
    'minimal. If the network file gives the routes between hosts (`simgrid`), these are the routes.',
  options: [],
  searchesGraph: true,
  build: buildMinimal,
};

/** Fails with `disconnected`. */
function buildMinimal(topology: Topology): Result<Routing> {
  const isOfGroups = topology.givenRoutes === undefined && topology.passive === undefined;
  const inGroups = isOfGroups && disconnection(topology) === undefined ? groupRoutesOf(topology) : undefined;
  return inGroups ? succeed(graphRouting(topology, { kind: 'minimal', ...inGroups })) : allShortestRoutes(topology);
}

/** All shortest routes, in a network of groups through any group. Fails with `disconnected`. */
export function allShortestRoutes(topology: Topology): Result<Routing> {
  const refusal = disconnection(topology);
  if (refusal) return refusal;
  if (topology.givenRoutes !== undefined)
    return givenRouting(topology, topology.givenRoutes, routersWithNodes(topology));
  if (topology.passive !== undefined) return routesRoundHosts(topology, topology.passive);
  return succeed(
    graphRouting(topology, {
      kind: 'minimal',
      graph: routeGraphOf(topology, onePhase),
      longest: 2 * depthOf(levelsFrom(topology, workingRouters(topology)[0] ?? 0)),
      singlePath: isTree(topology),
      ...knownRoutesOf(topology),
    }),
  );
}

/** Shortest routes that lead through no host. Fails with `disconnected` where hosts have no other route to each other. */
function routesRoundHosts(topology: Topology, passive: Uint8Array): Result<Routing> {
  const { links, routerCount } = topology;
  const [atStart, onTheWay] = [0, 1];
  const graph = routeGraphOf(topology, {
    count: 2,
    next: (phase, link) => (phase === atStart || passive[intAt(links.from, link)] === 0 ? onTheWay : -1),
  });
  const lost = lostPair(topology, graph);
  if (lost !== undefined) {
    const [one, other] = lost.map((router) => routerName({ topology }, asRouterId(router)));
    return fail('disconnected', `Only hosts connect ${one} and ${other}, and hosts do not forward.`);
  }
  return succeed(
    graphRouting(topology, { kind: 'minimal', graph, longest: Math.min(0xfffe, routerCount), singlePath: false }),
  );
}

/**
 * Two routers with nodes without a route between them, if there are any. `from`: the routers to search from; all, if it is absent.
 * O(routers · (states + steps)).
 */
function lostPair(
  topology: Topology,
  { firstStep, stepTo, startOf, routerOf }: RouteGraph,
  from: (router: number) => boolean = () => true,
): readonly [number, number] | undefined {
  const hosting = routersWithNodes(topology);
  for (const [start, hosts] of hosting.entries()) {
    if (hosts === 0 || !from(start)) continue;
    const reached = new Uint8Array(hosting.length);
    distancesFrom(firstStep, stepTo, [intAt(startOf, start)]).forEach((hops, state) => {
      if (hops >= 0) reached[intAt(routerOf, state)] = 1;
    });
    const to = hosting.findIndex((wanted, router) => wanted === 1 && reached[router] === 0);
    if (to >= 0) return [start, to];
  }
  return undefined;
}

/** What coordinates and levels say of routes without a search. */
function knownRoutesOf(topology: Topology): Partial<LeafRoutes> {
  const { shape, wraps } = topology;
  if (shape === undefined || wraps === undefined || !hasAllCables(topology)) return leafRoutes(topology);
  return {
    knownHops: gridPathsOf(
      shape,
      wraps,
      shape.map((_, axis) => axis),
    ).hops as (from: number, to: number) => number,
  };
}

/** The routes are the shortest ways through a graph. */
interface GroupRoutes {
  readonly graph: RouteGraph;
  /** Upper bound of the hops between two routers. */
  readonly longest: number;
  /** True only if each pair has one route. */
  readonly singlePath: boolean;
  readonly symmetric: boolean;
}

/** Routers in groups. Two parts of a group that a failure separated are two groups. */
interface Groups {
  readonly links: LinkTable;
  /** By RouterId; −1 for a failed router. */
  readonly of: Int32Array;
  readonly count: number;
  /** By LinkId: 1 for a link within a group, 0 for a global link. */
  readonly isLocal: Int32Array;
  /** Every two routers of a group have a link. */
  readonly areComplete: boolean;
  /** 1 at group · count + other if the two are one group, or have a link. */
  readonly joined: Uint8Array;
  readonly areAllJoined: boolean;
  /** Each two groups and each two routers of a group have one link, not several. */
  readonly haveSingleLinks: boolean;
}

/**
 * Undefined if the topology has no groups, or if its groups were not all joined before any failure: then all shortest ways are routes.
 * O(links + routers + groups²); with detours also a search from each router that lost a route.
 */
function groupRoutesOf(topology: Topology): GroupRoutes | undefined {
  const whole = withoutFailures(topology);
  const before = routerGroups(whole);
  if (before?.areAllJoined !== true || before.count !== groupCountOf(topology)) return undefined;
  const groups = whole === topology ? before : routerGroups(topology);
  if (groups === undefined) return undefined;
  return groups.areAllJoined
    ? directRoutes(topology, groups)
    : detourRoutes(topology, groups, longestDirectRoute(whole, before));
}

const groupCountOf = ({ groups = [] }: { readonly groups?: ArrayLike<number> }): number =>
  Array.from(groups).reduce((most, group) => Math.max(most, group + 1), 0);

function withoutFailures(topology: Topology): Topology {
  const { faults, allLinks, ...others } = topology;
  return faults === undefined || allLinks === undefined || allLinks === topology.links
    ? topology
    : { ...others, links: allLinks };
}

/** Pairs of groups of which a small network may have more than links, once failures have cut its groups into parts. */
const mostPairs = 2 ** 20;

/** Undefined if there are no groups, or so many that they cannot all be joined. O(links + routers + groups²). */
function routerGroups({ groups: numbers, links, routerCount, faults }: Topology): Groups | undefined {
  if (numbers === undefined) return undefined;
  const isLocal = Int32Array.from({ length: links.routerLinkCount }, (_, link) =>
    intAt(numbers, intAt(links.from, link)) === intAt(numbers, intAt(links.to, link)) ? 1 : 0,
  );
  const { of, count } = componentsOf(onlyLinks(links, isLocal), faults?.routers);
  if (count * count > Math.max(2 * links.routerLinkCount, mostPairs)) return undefined;
  const joined = new Uint8Array(count * count);
  for (let group = 0; group < count; group++) joined[group * count + group] = 1;
  const lastSeenBy = new Int32Array(routerCount).fill(-1);
  let [joinedPairs, localLinks, localNeighbours] = [0, 0, 0];
  for (let link = 0; link < links.routerLinkCount; link++) {
    const [from, to] = [intAt(links.from, link), intAt(links.to, link)];
    const pair = intAt(of, from) * count + intAt(of, to);
    if (isLocal[link] === 1) {
      localLinks++;
      if (lastSeenBy[to] !== from) localNeighbours++;
      lastSeenBy[to] = from;
    } else if (joined[pair] === 0) {
      joined[pair] = 1;
      joinedPairs++;
    }
  }
  const allPairs = count * (count - 1);
  const localPairs = pairsWithin(of, count);
  return {
    ...{ links, of, count, isLocal, joined },
    areComplete: localNeighbours === localPairs,
    areAllJoined: joinedPairs === allPairs,
    haveSingleLinks: localLinks === localPairs && links.routerLinkCount - localLinks === allPairs,
  };
}

/** Ordered pairs of different routers in one group. */
function pairsWithin(of: Int32Array, count: number): number {
  const start = groupStarts(
    of.filter((group) => group >= 0),
    count,
  );
  let pairs = 0;
  for (let group = 0; group < count; group++) {
    const size = intAt(start, group + 1) - intAt(start, group);
    pairs += size * (size - 1);
  }
  return pairs;
}

/** Routes over at most one global link. */
function directRoutes(topology: Topology, groups: Groups): GroupRoutes {
  const { routerCount } = topology;
  const { count, areComplete, haveSingleLinks } = groups;
  const graph = routeGraphOf(topology, directPhases(groups));
  if (areComplete) {
    return {
      graph,
      longest: count > 1 ? Math.min(3, routerCount - 1) : 1,
      singlePath: haveSingleLinks,
      symmetric: true,
    };
  }
  // Twice the depth from one router bounds the hops between any two of a group.
  const depth = localDepth(groups, routerCount);
  const longest = Math.min(count > 1 ? 4 * depth + 1 : 2 * depth, Math.max(1, routerCount - 1));
  return { graph, longest, singlePath: false, symmetric: true };
}

/** The depth of a search over local links from the first router of each group. O(links). */
function localDepth({ links, of, count, isLocal }: Groups, routerCount: number): number {
  const { firstLink, to } = onlyLinks(links, isLocal);
  const first = new Int32Array(count).fill(-1);
  for (let router = routerCount - 1; router >= 0; router--)
    if (intAt(of, router) >= 0) first[intAt(of, router)] = router;
  return distancesFrom(firstLink, to, first).reduce((most, depth) => Math.max(most, depth), 0);
}

/** Phases of a packet in complete groups: before its global link, and behind it, each time without and with a local link. */
const begun = 0;
const atGate = 1;
const crossed = 2;
const arrived = 3;

/** Local, global, local in complete groups; in others as many local links as the way within the group takes. */
function directPhases({ isLocal, areComplete }: Groups): Phases {
  if (!areComplete) return { count: 2, next: (phase, link) => (isLocal[link] === 1 ? phase : phase === 0 ? 1 : -1) };
  return {
    count: 4,
    next(phase, link) {
      if (isLocal[link] === 1) return phase === begun ? atGate : phase === crossed ? arrived : -1;
      return phase <= atGate ? crossed : -1;
    },
  };
}

/** Steps of a graph with detours at most: 128 MiB. */
const mostDetourSteps = 2 ** 24;

/**
 * If no detours of enough hops connect all nodes, as in some networks of a few small groups, shorter ones are taken. Undefined if these
 * do not either: then all shortest ways are routes.
 */
function detourRoutes(topology: Topology, groups: Groups, longestDirect: number): GroupRoutes | undefined {
  for (const leastHops of [longestDirect, 2]) {
    const phases = detourPhases(groups, leastHops);
    if (phases.count * groups.links.routerLinkCount > mostDetourSteps) continue;
    const graph = routeGraphOf(topology, phases);
    // A detour counts the hops of its beginning: the way back may be another.
    const facts = { longest: Math.min(0xfffe, graph.stateCount), singlePath: false, symmetric: false };
    const isLeft = (router: number): boolean => groups.of[router]! >= 0 && hasLost(groups, groups.of[router]!);
    if (lostPair(topology, graph, isLeft) === undefined) return { graph, ...facts };
  }
  return undefined;
}

/**
 * Direct routes, and detours between two groups that are not joined, by way of a group that is joined to the first.
 *
 * A packet counts its hops, and remembers the group that it left if that group lost a neighbour. Behind its first global link it enters
 * only groups which that one has lost, and only after `leastHops − 1` hops. So every detour has at least `leastHops` hops, and no
 * detour leads to a router that has a direct route. Phases are the counts before the first global link, one behind it for packets of all
 * other groups, and for each group with a lost neighbour the counts behind it, the second half of them after a local link there.
 */
function detourPhases(groups: Groups, leastHops: number): Phases {
  const { links, of, count, isLocal, joined } = groups;
  const origins = Int32Array.from({ length: count }, (_, group) => group).filter((group) => hasLost(groups, group));
  const originOf = new Int32Array(count).fill(-1);
  origins.forEach((group, origin) => (originOf[group] = origin));
  const counts = Math.max(1, leastHops);
  const hasOneLocal = groups.areComplete && leastHops <= 3;
  const direct = counts;
  const afterLocal = hasOneLocal ? 1 : 0;
  const ofOrigin = direct + 1 + afterLocal;
  const perOrigin = counts * (1 + afterLocal);
  const nextCount = (hops: number): number => Math.min(hops + 1, counts - 1);
  return {
    count: ofOrigin + origins.length * perOrigin,
    next(phase, link) {
      const local = isLocal[link] === 1;
      if (phase < counts) {
        if (local) return hasOneLocal && phase > 0 ? -1 : nextCount(phase);
        const origin = intAt(originOf, intAt(of, intAt(links.from, link)));
        return origin < 0 ? direct : ofOrigin + origin * perOrigin + nextCount(phase);
      }
      if (phase < ofOrigin) return !local || (hasOneLocal && phase > direct) ? -1 : phase + afterLocal;
      const place = (phase - ofOrigin) % perOrigin;
      const hops = place % counts;
      const first = phase - place;
      if (local) return hasOneLocal && place >= counts ? -1 : first + afterLocal * counts + nextCount(hops);
      const origin = intAt(origins, (first - ofOrigin) / perOrigin);
      const isLost = joined[origin * count + intAt(of, intAt(links.to, link))] === 0;
      return isLost && hops === counts - 1 ? first + hops : -1;
    },
  };
}

/** Whether a group is not joined to all others. */
const hasLost = ({ joined, count }: Groups, group: number): boolean =>
  joined.subarray(group * count, (group + 1) * count).includes(0);

/** By RouterId: 1 for a router with a node that works. */
function routersWithNodes(topology: Topology): Uint8Array {
  const hosting = new Uint8Array(topology.routerCount);
  routersOfPorts(topology).forEach((router, port) => {
    if (nodeWorks(topology, nodeOfPort(topology, port))) hosting[router] = 1;
  });
  return hosting;
}

/** The most hops of a direct route between two routers with nodes, or an upper bound of it. O(routers · (routers + links of a group)). */
function longestDirectRoute(whole: Topology, { links, of, count, isLocal }: Groups): number {
  const hosting = routersWithNodes(whole);
  const isGate = new Uint8Array(hosting.length);
  for (let link = 0; link < links.routerLinkCount; link++) if (isLocal[link] === 0) isGate[intAt(links.from, link)] = 1;
  const { firstLink, to } = onlyLinks(links, isLocal);
  let [withinGroup, toGate] = [0, 0];
  hosting.forEach((hosts, router) => {
    if (hosts === 0) return;
    distancesFrom(firstLink, to, [router]).forEach((hops, other) => {
      if (of[other] !== of[router]) return;
      if (hosting[other] === 1) withinGroup = Math.max(withinGroup, hops);
      if (isGate[other] === 1) toGate = Math.max(toGate, hops);
    });
  });
  return count > 1 ? Math.max(withinGroup, 2 * toGate + 1) : withinGroup;
}
