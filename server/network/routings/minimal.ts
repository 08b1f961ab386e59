import type { Routing, Topology } from '../../model/machine.ts';
import { succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { dragonflyRoutes } from './dragonflyPhases.ts';
import { graphRouterLimit, graphRouting, graphRoutingRefusal, isTree } from './graphRouting.ts';
import { depthOf, levelsFrom } from './levels.ts';
import { onePhase, routeGraphOf } from './routeGraph.ts';

export const minimal: RoutingEntry = {
  name: 'minimal',
  summary: 'all shortest routes; a flow splits evenly among the next hops at each router',
  source: 'Placewright; on dragonflies Kim et al. 2008, section 4.1; on fat trees Petrini and Vanneschi 1997',
  details:
    'Parallel cables count as several next hops. In a fat tree the shortest routes go up to a nearest common ancestor, ' +
    'any of them, and down again. In a dragonfly packets go over a cable between the two groups, with at most one ' +
    'local cable before it and one after it, never through a third group, even where that were shorter; the shortest of ' +
    'these ways are used. ' +
    'At most 8,192 routers.',
  options: [],
  routerLimit: graphRouterLimit,
  build: buildMinimal,
};

/** Fails with `too-many-routers` or `disconnected`. */
function buildMinimal(topology: Topology): Result<Routing> {
  const refusal = graphRoutingRefusal('minimal', topology);
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
      longest: 2 * depthOf(levelsFrom(topology, 0)),
      singlePath: isTree(topology),
    }),
  );
}
