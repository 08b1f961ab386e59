/**
 * Whether packets may come to wait for one another in a circle, and how many virtual lanes keep them from it (`virtualLanesOf`).
 *
 * A link depends on another where a packet that holds the first may ask for the second; without a circle of links that depend on one
 * another there is no deadlock (Dally and Seitz 1987). Where there is one, packets are kept apart on lanes that have none: by a
 * dateline in the rings of tori (Dally and Seitz 1987), by the halves of the way under Valiant, on dragonflies by the groups that were left
 * (Kim et al. 2008, section 4.1). Where packets choose among several ways one lane more is enough, to which they can always escape
 * and which is routed up and down (Duato 1993; Silla and Duato 2000). Routes without a choice are shared out among lanes by
 * their destinations, in the way of LASH (Skeie et al. 2002): the first lane takes all whose routes close no circle in it, the next
 * one those that are left.
 */
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { LinkId } from '../model/identifiers.ts';
import { routersOfPorts, workingRouters, type Machine, type RouteGraph } from '../model/machine.ts';
import type { LaneRule } from '../model/quantities.ts';
import { closesToRing } from '../model/shape.ts';
import { OrderedDependencies } from './linkDependencies.ts';
import { dependenciesOfRoutes, dependenciesOfSteps, followersOnRoutes, routeEndsOf } from './routeDependencies.ts';

export interface VirtualLanes {
  /** So many are enough; 1 where packets never wait in a circle; absent where there are too many routes to share them out. */
  readonly lanes?: number;
  /** What tells packets which lane they take. */
  readonly rule: LaneRule;
  /** Links of a circle that there is with one lane, in order of travel; absent where the rule is of the topology and none was looked for. */
  readonly circle?: readonly LinkId[];
}

/** States and steps, and routes, that are looked at, at most: about a second. */
const mostWork = 2 ** 27;
const mostRoutes = 2 ** 21;
/** Routes that are shared out among lanes, at most. */
const mostShared = 2 ** 17;

/** On a ring of so many routers some shortest way takes two links in one direction. */
const shortestCircle = 4;

/**
 * Lanes that are enough for the routing of a machine; undefined where the network is too large to say, or cancelled. O(1) on grids under
 * dimension order and for up/down routing.
 */
export function virtualLanesOf(machine: Machine, cancellation: Cancellation): VirtualLanes | undefined {
  const { routing } = machine;
  const known = byConstruction(machine);
  if (known !== undefined) return known;
  const { graph } = routing.straight ?? routing;
  const straight = graph === undefined ? sharedOut(machine, cancellation) : escaping(machine, graph, cancellation);
  if (straight === undefined || routing.straight === undefined) return straight;
  return { ...straight, ...(straight.lanes && { lanes: 2 * straight.lanes }), rule: 'halves' };
}

/** What follows from topology and routing alone. */
function byConstruction({ topology, routing }: Machine): VirtualLanes | undefined {
  const { shape, wraps, groups, routerCount } = topology;
  if (routing.hierarchy !== undefined) return { lanes: 1, rule: 'none' };
  if (routing.kind === 'dimension-order' && shape !== undefined) {
    const hasRing = shape.some((side, axis) => side >= shortestCircle && closesToRing(side, wraps?.[axis] === true));
    return hasRing ? { lanes: 2, rule: 'dateline' } : { lanes: 1, rule: 'none' };
  }
  // Local, global, local: what came from another group takes the second lane, after a detour the third.
  const hasGates = (routing.straight ?? routing).graph?.stateCount === gatePhases * routerCount;
  if (!hasGates || groups?.some((group) => group > 0) !== true) return undefined;
  return { lanes: routing.straight === undefined ? 2 : 3, rule: 'groups' };
}

/** Phases of the routes of a dragonfly, see `routings/minimal.ts`. */
const gatePhases = 4;

/** Destinations one after the other into the first lane that they close no circle in. O(routes · hops · lanes), and mending of orders. */
function sharedOut(machine: Machine, cancellation: Cancellation): VirtualLanes | undefined {
  const { routing, topology } = machine;
  const meter = new WorkMeter(cancellation);
  const ends = routeEndsOf(machine);
  const { senders, receivers } = ends;
  const routes = senders.length * receivers.length;
  if (routes > mostRoutes) return undefined;
  const circle = dependenciesOfRoutes(machine, ends, Infinity, meter)?.circle(meter) as readonly LinkId[] | undefined;
  if (cancellation.isCancelled()) return undefined;
  if (circle === undefined) return { lanes: 1, rule: 'none' };
  if (routes > mostShared) return { rule: 'destinations', circle };
  const lanes: OrderedDependencies[] = [];
  for (const receiver of receivers) {
    const pairs = followersOnRoutes(routing, senders, receiver);
    let lane = 0;
    while (!(lanes[lane] ??= new OrderedDependencies(topology.links)).addAll(pairs)) lane++;
    if (cancellation.isCancelled()) return undefined;
  }
  return { lanes: lanes.length, rule: 'destinations', circle };
}

/** Routes with a choice. O(destinations · steps · words of a set of links). */
function escaping(machine: Machine, graph: RouteGraph, cancellation: Cancellation): VirtualLanes | undefined {
  const { topology, routing } = machine;
  const meter = new WorkMeter(cancellation);
  const targets = [...new Set(routersOfPorts(topology))];
  if (targets.length * (graph.stateCount + 2 * graph.stepTo.length) > mostWork) return undefined;
  // The second half of a way by a group begins at any of its routers.
  const sources = routing.straight === undefined ? targets : workingRouters(topology);
  const routes = { graph, routing: routing.straight ?? routing, sources, targets, isAdaptive: true };
  const circle = dependenciesOfSteps(machine, routes, Infinity, meter)?.circle(meter);
  if (cancellation.isCancelled()) return undefined;
  return circle === undefined
    ? { lanes: 1, rule: 'none' }
    : { lanes: 2, rule: 'escape', circle: circle as readonly LinkId[] };
}
