import type { RouteGraph, Routing, Topology } from '../../model/machine.ts';
import { fail } from '../../model/result.ts';
import { disconnection } from '../topologies/components.ts';
import { addDestinationLoads } from './destinationLoads.ts';
import { destinationRowsOf } from './destinationRows.ts';
import { hopTableOf } from './hopTable.ts';
import { reverseOf } from './routeGraph.ts';
import { onlyRoute, RouteShares } from './routeShares.ts';

/** Above this many routers a routing that needs a table of all pairs is refused: 128 MiB at most. */
export const graphRouterLimit = 8192;

/** What a routing by a graph of states says of itself. */
export interface GraphRoutingFacts {
  readonly kind: string;
  readonly graph: RouteGraph;
  /** No two routers are farther apart than this; small bounds keep the tables small. */
  readonly longest: number;
  /** True only where it is certain that no pair has two routes. */
  readonly singlePath: boolean;
  readonly hierarchy?: NonNullable<Routing['hierarchy']>;
}

/**
 * The routing whose routes are the shortest ways through a graph of states, all of them, a flow
 * split evenly among the next links of each state. Every cable goes both ways and so does every
 * route, so hops are symmetric. Building takes O(states + steps); the table of hops (one byte per
 * pair up to 254 hops, else two) fills row by row as it is asked for.
 */
export function graphRouting(topology: Topology, facts: GraphRoutingFacts): Routing {
  const { kind, graph, longest, singlePath, hierarchy } = facts;
  const reverse = reverseOf(graph);
  const distanceTo = destinationRowsOf(graph, reverse, longest);
  let shares: RouteShares | undefined;
  return {
    kind,
    ...(hierarchy ? { hierarchy } : {}),
    graph,
    singlePath,
    symmetric: true,
    hops: hopTableOf(graph, longest),
    route: (from, to) => onlyRoute(graph, graph.startOf[from]!, distanceTo(to)),
    stepsTo: distanceTo,
    visitShares(from, to, visit) {
      shares ??= new RouteShares(graph, topology.links.routerLinkCount);
      shares.visit(graph.startOf[from]!, distanceTo(to), visit);
    },
    addLoads(flows, loads, cancellation) {
      addDestinationLoads(graph, reverse, flows, loads, cancellation);
    },
  };
}

/**
 * Why a topology cannot have such a routing: `too-many-routers` or `disconnected`;
 * undefined where it can. O(links).
 */
export function graphRoutingRefusal(kind: string, topology: Topology): ReturnType<typeof fail> | undefined {
  const { routerCount } = topology;
  if (routerCount > graphRouterLimit) return tooManyRouters(kind, topology.kind, routerCount);
  return disconnection(routerCount, topology.links, topology.names?.routers);
}

export const tooManyRouters = (routing: string, topology: string, routers: number): ReturnType<typeof fail> =>
  fail(
    'too-many-routers',
    `Routing \`${routing}\` keeps a table of all pairs of routers, for at most ${graphRouterLimit.toLocaleString('en-US')} ` +
      `of them; this ${topology} has ${routers.toLocaleString('en-US')}: make it smaller, or use ` +
      '`dimension-order` where there are dimensions.',
  );

/** Whether there is exactly one way between any two routers of a connected network. */
export const isTree = ({ routerCount, links }: Topology): boolean => links.routerLinkCount === 2 * (routerCount - 1);
