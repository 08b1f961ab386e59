import type { Cancellation } from '../model/cancellation.ts';
import { asRouterId } from '../model/identifiers.ts';
import type { Machine } from '../model/machine.ts';
import type { Shape } from '../model/shape.ts';
import { gridBisection } from './bisection.ts';
import { dragonflyBisection, dragonflyDistances } from './dragonflyFacts.ts';
import { routerName } from './names.ts';
import { rootCandidates } from './routings/rootCandidates.ts';
import { closesToRing } from './topologies/gridGraph.ts';
import { fatTreeBisection, fatTreeDistances } from './treeFacts.ts';

/** Above this many routers distances without a formula are not measured. */
export const measuredRouterLimit = 4096;

/** What a user asks of a machine before placing anything on it. */
export interface MachineMeasures {
  readonly name: string;
  readonly topology: string;
  readonly routing: string;
  /** What up/down routing starts from, given or chosen: name or number of a router. */
  readonly root?: string;
  /** Of up/down routing: switches at the top of the tree, besides the root: nothing goes over them that does not end there. */
  readonly idleRoots?: number;
  readonly routers: number;
  readonly nodes: number;
  readonly cores: number;
  /** Cables between routers: a directed link and its reverse are one. Host links are not counted. */
  readonly cables: number;
  /** Largest and mean hops over ordered pairs of different nodes, 0 where there is one node; undefined above the limit. */
  readonly diameter: number | undefined;
  readonly meanDistance: number | undefined;
  /**
   * Cables cut by halving the machine, host links included where it has them; a bound from above on
   * some tori and on dragonflies, undefined where no formula is known.
   */
  readonly bisection: number | undefined;
}

interface Distances {
  readonly diameter: number;
  readonly meanDistance: number;
}

/**
 * O(links) at most where there is a formula: grids under dimension-order, fat trees and dragonflies under
 * minimal routing. Elsewhere O(routers²) hops, up to {@link measuredRouterLimit} routers. Distances are
 * undefined above that and where cancelled.
 */
export function machineFactsOf(machine: Machine, cancellation: Cancellation): MachineMeasures {
  const { topology, routing } = machine;
  const distances = knownDistances(machine) ?? measuredDistances(machine, cancellation);
  return {
    name: machine.name,
    topology: topology.kind,
    routing: routing.kind,
    ...(routing.hierarchy && { root: routerName(machine, routing.hierarchy.root) }),
    ...idleRootsOf(machine, cancellation),
    routers: topology.routerCount,
    nodes: machine.nodeCount,
    cores: machine.slotCount,
    cables: topology.links.routerLinkCount / 2,
    diameter: distances?.diameter,
    meanDistance: distances?.meanDistance,
    bisection: bisectionOf(machine),
  };
}

/** With one root the other switches at the top lie below the leaves: no packet goes down to one and up again. */
function idleRootsOf({ topology, routing }: Machine, cancellation: Cancellation): { readonly idleRoots?: number } {
  if (routing.hierarchy === undefined || topology.routerCount > measuredRouterLimit) return {};
  const idle = rootCandidates(topology, cancellation).filter((router) => router !== routing.hierarchy?.root).length;
  return idle === 0 ? {} : { idleRoots: idle };
}

function knownDistances(machine: Machine): Distances | undefined {
  const { topology, routing } = machine;
  const { kind, shape, wraps } = topology;
  if (shape && wraps) return routing.kind === 'dimension-order' ? gridDistances(machine, shape, wraps) : undefined;
  if (routing.kind !== 'minimal') return undefined;
  if (kind === 'fat-tree') return fatTreeDistances(topology);
  return kind === 'dragonfly' ? dragonflyDistances(topology) : undefined;
}

function bisectionOf({ topology, nodeCount }: Machine): number | undefined {
  const { kind, shape, wraps, routerCount } = topology;
  if (shape && wraps) return gridBisection(shape, wraps);
  // Round one switch, a half is cut off by its host links.
  if (routerCount === 1) return Math.floor(nodeCount / 2);
  if (kind === 'fat-tree') return fatTreeBisection(topology);
  return kind === 'dragonfly' ? dragonflyBisection(topology) : undefined;
}

/** Axes are independent: the mean over all pairs of routers, a router and itself included, is the sum of the axes' means. */
function gridDistances(machine: Machine, shape: Shape, wraps: readonly boolean[]): Distances {
  let diameter = 0;
  let meanOverRouters = 0;
  shape.forEach((side, axis) => {
    const ring = closesToRing(side, wraps[axis] === true);
    diameter += ring ? Math.floor(side / 2) : side - 1;
    meanOverRouters += ring ? meanOnRing(side) : (side * side - 1) / (3 * side);
  });
  return { diameter, meanDistance: meanOverRouters * shareOfDifferentNodes(machine) };
}

/** Mean distance from one place of a ring to all, itself included. */
const meanOnRing = (side: number): number => (side % 2 === 0 ? side / 4 : (side * side - 1) / (4 * side));

/** Turns a mean over all ordered pairs of nodes into one over pairs of different nodes. */
function shareOfDifferentNodes({ nodeCount }: Machine): number {
  return nodeCount > 1 ? nodeCount / (nodeCount - 1) : 0;
}

/** The same figures by asking the routing for every pair; undefined where too large or cancelled. */
export function measuredDistances(machine: Machine, cancellation: Cancellation): Distances | undefined {
  const { topology, routing, nodeCount } = machine;
  const hostsOf = new Int32Array(topology.routerCount);
  for (const router of topology.routerOfNode) hostsOf[router]! += 1;
  const { routerCount } = topology;
  if (routerCount > measuredRouterLimit) return undefined;
  const hostLinks = topology.hasHostLinks ? 2 : 0;
  let diameter = machine.hostsPerRouter > 1 ? hostLinks : 0;
  let sum = 0;
  for (let from = 0; from < routerCount; from++) {
    if (cancellation.isCancelled()) return undefined;
    for (let to = 0; to < routerCount; to++) {
      if (from === to || hostsOf[from] === 0 || hostsOf[to] === 0) continue;
      const hops = routing.hops(asRouterId(from), asRouterId(to));
      sum += hops * hostsOf[from]! * hostsOf[to]!;
      diameter = Math.max(diameter, hops + hostLinks);
    }
  }
  const pairs = nodeCount * (nodeCount - 1);
  const total = sum + hostLinks * pairs;
  return { diameter, meanDistance: pairs > 0 ? total / pairs : 0 };
}
