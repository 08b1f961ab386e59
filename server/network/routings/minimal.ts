import { intAt } from '../../numeric/elements.ts';
import { hasAllCables, workingRouters, type Routing, type Topology, type LinkTable } from '../../model/machine.ts';
import { succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { disconnection } from '../topologies/cableGraph.ts';
import { gridPathsOf } from './dimensionOrder.ts';
import { graphRouting, isTree } from './graphRouting.ts';
import { leafRoutes, type LeafRoutes } from './leafRoutes.ts';
import { depthOf, levelsFrom, onePhase, routeGraphOf, type Phases } from './routeGraph.ts';
import { groupStarts } from '../../numeric/grouping.ts';

export const minimal: RoutingEntry = {
  name: 'minimal',
  summary: 'all shortest routes; a flow splits evenly among the next hops at each router',
  source: 'Placewright; on dragonflies Kim et al. 2008, section 4.1; on fat trees Petrini and Vanneschi 1997',
  details:
    'Parallel cables count as several next hops. In a fat tree the shortest routes go up to a nearest common ancestor, ' +
    'any of them, and down again. In a dragonfly packets go over a cable between the two groups, with at most one ' +
    'local cable before it and one after it, never through a third group, even where that were shorter; the shortest of ' +
    'these ways are used. Where groups are grids or have spines (`group 16 x 6`, `dragonfly-plus`) the ways within them are ' +
    'as long as they must be.',
  options: [],
  searchesGraph: true,
  build: buildMinimal,
};

/** Fails with `disconnected`. */
function buildMinimal(topology: Topology): Result<Routing> {
  const refusal = disconnection(topology);
  if (refusal) return refusal;
  const dragonfly = dragonflyRoutes(topology);
  if (dragonfly) {
    const { phases, longest, singlePath } = dragonfly;
    const graph = routeGraphOf(topology, phases);
    return succeed(graphRouting(topology, { kind: 'minimal', graph, longest, singlePath }));
  }
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

/** How a dragonfly is routed minimally. */
interface DragonflyRoutes {
  readonly phases: Phases;
  /** Links of the longest route: local, global, local. */
  readonly longest: number;
  /** True where each two groups have one cable and no cable within a group is doubled. */
  readonly singlePath: boolean;
}

/** What a packet has done: nothing, gone one local link, crossed to the other group, gone local there. */
const begun = 0;
const atGate = 1;
const crossed = 2;
const arrived = 3;

/**
 * Minimal routing of dragonflies: within a group directly; else at most one local link to a
 * router with a cable to the other group, that cable, and at most one local link there, never
 * through a third group (Kim et al. 2008, section 4.1, "MIN"). Where not every two routers of a group are cabled, as many
 * local links as it takes. Undefined where groups are in parts, or two groups have no cable. O(links + routers) time.
 */
function dragonflyRoutes(topology: Topology): DragonflyRoutes | undefined {
  const { groups, links, routerCount } = topology;
  if (!groups) return undefined;
  const groupCount = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const within = distinctNeighbours(topology, groups, groupCount);
  if (!areAllJoined(topology, groups, groupCount)) return undefined;
  if (!within.areComplete) return routesOfSparseGroups(topology, groups, groupCount);
  const globalLinks = links.routerLinkCount - within.localLinks;
  const localPairs = sumOfPairs(groups, groupCount);
  return {
    phases: localGlobalLocal(links, groups),
    longest: groupCount > 1 ? Math.min(3, routerCount - 1) : 1,
    singlePath: globalLinks === groupCount * (groupCount - 1) && within.localLinks === localPairs,
  };
}

/**
 * Within a group as many links as it takes, then one cable to the other group, then within that. Undefined where not
 * everything within a group is reached within it. O(links).
 */
function routesOfSparseGroups(topology: Topology, groups: Int32Array, groupCount: number): DragonflyRoutes | undefined {
  const { links, routerCount } = topology;
  const isLocal = (link: number): boolean => groups[intAt(links.from, link)] === groups[intAt(links.to, link)];
  const seen = new Int32Array(routerCount).fill(-1);
  const queue = new Int32Array(routerCount);
  const levels = new Int32Array(routerCount);
  const isBegun = new Uint8Array(groupCount);
  let [next, found, depth] = [0, 0, 0];
  for (let start = 0; start < routerCount; start++) {
    const group = intAt(groups, start);
    if (seen[start] !== -1) continue;
    // A second start in a group is a second part of it.
    if (isBegun[group] === 1) return undefined;
    isBegun[group] = 1;
    seen[start] = group;
    queue[found++] = start;
    for (; next < found; next++) {
      const router = intAt(queue, next);
      depth = Math.max(depth, intAt(levels, router));
      for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
        const to = intAt(links.to, link);
        if (!isLocal(link) || seen[to] !== -1) continue;
        seen[to] = group;
        levels[to] = intAt(levels, router) + 1;
        queue[found++] = to;
      }
    }
  }
  return {
    phases: { count: 2, next: (phase, link) => (isLocal(link) ? phase : phase === begun ? 1 : -1) },
    // Twice the depth from one router bounds the way between any two of a group.
    longest: Math.min(groupCount > 1 ? 4 * depth + 1 : 2 * depth, Math.max(1, routerCount - 1)),
    singlePath: false,
  };
}

function localGlobalLocal(links: LinkTable, groups: Int32Array): Phases {
  return {
    count: 4,
    next(phase, link) {
      const isLocal = groups[intAt(links.from, link)] === groups[intAt(links.to, link)];
      if (isLocal) return phase === begun ? atGate : phase === crossed ? arrived : -1;
      return phase <= atGate ? crossed : -1;
    },
  };
}

/** Ordered pairs of routers that share a group. */
function sumOfPairs(groups: Int32Array, groupCount: number): number {
  const start = groupStarts(groups, groupCount);
  let pairs = 0;
  for (let group = 0; group < groupCount; group++) {
    const size = intAt(start, group + 1) - intAt(start, group);
    pairs += size * (size - 1);
  }
  return pairs;
}

/** Local links, and whether each router has a cable to every other one of its group. */
function distinctNeighbours({ links, routerCount }: Topology, groups: Int32Array, groupCount: number) {
  const lastSeenBy = new Int32Array(routerCount).fill(-1);
  let localLinks = 0;
  let distinct = 0;
  for (let link = 0; link < links.routerLinkCount; link++) {
    const from = intAt(links.from, link);
    const to = intAt(links.to, link);
    if (groups[from] !== groups[to]) continue;
    localLinks++;
    if (lastSeenBy[to] !== from) distinct++;
    lastSeenBy[to] = from;
  }
  return { localLinks, areComplete: distinct === sumOfPairs(groups, groupCount) };
}

/** Whether every two groups have a cable. */
function areAllJoined({ links }: Topology, groups: Int32Array, groupCount: number): boolean {
  const pairs = groupCount * (groupCount - 1);
  // Fewer links than pairs cannot join them all: so the table below is no larger than the links.
  if (links.routerLinkCount < pairs) return false;
  const joined = new Uint8Array(groupCount * groupCount);
  let found = 0;
  for (let link = 0; link < links.routerLinkCount; link++) {
    const from = intAt(groups, intAt(links.from, link));
    const to = intAt(groups, intAt(links.to, link));
    if (from === to || joined[from * groupCount + to] === 1) continue;
    joined[from * groupCount + to] = 1;
    found++;
  }
  return found === pairs;
}
