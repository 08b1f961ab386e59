import type { Machine, RouteGraph } from '../../model/machine.ts';
import { reverseLinks } from '../links.ts';

/** What the circuits of all pairs of routers are cut out of. Plain arrays: it crosses threads as it is. */
export interface RouteCircuits {
  readonly routerCount: number;
  readonly graph: RouteGraph;
  /** Cable that each step of the graph takes, below `cableLimit`; a link and the one back are one cable. */
  readonly stepCable: Int32Array;
  readonly cableLimit: number;
}

/** Undefined where the routing has no graph: then every pair has one route. O(links + steps). */
export function routeCircuitsOf({ topology, routing }: Machine): RouteCircuits | undefined {
  const { graph } = routing;
  if (graph === undefined) return undefined;
  const reverse = reverseLinks(topology.links);
  return {
    routerCount: topology.routerCount,
    graph,
    stepCable: graph.stepLink.map((link) => Math.min(link, reverse[link]!)),
    cableLimit: topology.links.routerLinkCount,
  };
}

/** Distances that are asked for, source after source. Plain arrays as well. */
export interface WantedDistances {
  /** RouterIds. */
  readonly sources: Int32Array;
  /** Targets of source s are `targets[firstTarget[s]] … targets[endTarget[s] − 1]`, RouterIds. */
  readonly targets: Int32Array;
  readonly firstTarget: Int32Array;
  readonly endTarget: Int32Array;
  /** Where the value of the first target of source s goes; those of its other targets follow. */
  readonly firstValue: Int32Array;
  /** Length of the array that takes the values. */
  readonly valueCount: number;
}
