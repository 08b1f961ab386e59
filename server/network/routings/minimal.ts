import { hasAllCables, workingRouters, type Routing, type Topology } from '../../model/machine.ts';
import { succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { disconnection } from '../topologies/cableGraph.ts';
import { gridPathsOf } from './dimensionOrder.ts';
import { graphRouting, isTree } from './graphRouting.ts';
import { leafRoutes, type LeafRoutes } from './leafRoutes.ts';
import { groupRoutesOf } from './groupRoutes.ts';
import { depthOf, levelsFrom, onePhase, routeGraphOf } from './routeGraph.ts';

export const minimal: RoutingEntry = {
  name: 'minimal',
  summary: 'all shortest routes; a flow splits evenly among the next hops at each router',
  source: 'Placewright; on dragonflies Kim et al. 2008, section 4.1; on fat trees Petrini and Vanneschi 1997',
  details:
    'Parallel cables count as several next hops. In a fat tree the shortest routes go up to a nearest common ancestor, ' +
    'any of them, and down again. In a dragonfly packets go over a cable between the two groups, with at most one ' +
    'local cable before it and one after it, never through a third group, even where that were shorter; the shortest of ' +
    'these ways are used. After a failure only pairs that lost all their routes take a detour over more groups, which has at ' +
    'least as many hops as the longest minimal route had. Where groups are grids or have spines (`group 16 x 6`, `dragonfly-plus`) the ways within them are ' +
    'as long as they must be.',
  options: [],
  searchesGraph: true,
  build: buildMinimal,
};

/** Fails with `disconnected`. */
function buildMinimal(topology: Topology): Result<Routing> {
  const refusal = disconnection(topology);
  if (refusal) return refusal;
  const inGroups = groupRoutesOf(topology);
  if (inGroups) return succeed(graphRouting(topology, { kind: 'minimal', ...inGroups }));
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
