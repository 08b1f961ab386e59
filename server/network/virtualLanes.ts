/**
 * Whether packets may come to wait for one another in a circle, and how many virtual lanes keep them from it (`virtualLanesOf`).
 *
 * A link depends on another where a packet that holds the first may ask for the second; without a circle of links that depend on one
 * another there is no deadlock (Dally and Seitz 1987). Where there is one, packets are kept apart on lanes that have none: by a
 * dateline in the rings of tori (Dally and Seitz 1987), by the halves of the way under Valiant, on dragonflies by the groups that were left
 * (Kim et al. 2008, section 4.1). Where packets choose among several ways one lane more is enough, to which they can always escape
 * and which is routed up and down (Duato 1993; Silla and Duato 2000). Routes without a choice are shared out among lanes
 * one by one (`sharedLanes.ts`).
 */
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { LinkId } from '../model/identifiers.ts';
import { routersOfWorkingPorts, workingRouters, type Machine, type RouteGraph } from '../model/machine.ts';
import type { LaneRule } from '../model/quantities.ts';
import { closesToRing } from '../model/shape.ts';
import { dependenciesOfRoutes, dependenciesOfSteps, routeEndsOf, type RouteEnds } from './routeDependencies.ts';
import { DependencyNumbers, lanesOfRoutes, type RouteFollowers } from './sharedLanes.ts';

export interface VirtualLanes {
  /** So many are enough; 1 where packets never wait in a circle; absent where there are too many dependencies to share them out. */
  readonly lanes?: number;
  /** What tells packets which lane they take. */
  readonly rule: LaneRule;
  /** Links of a circle that there is with one lane, in order of travel; absent where the rule is of the topology and none was looked for. */
  readonly circle?: readonly LinkId[];
}

/** States and steps, and routes, that are looked at, at most: about a second. */
const mostWork = 2 ** 27;
const mostRoutes = 2 ** 21;
/** Dependencies of all routes together that are shared out among lanes, at most, and pairs of links: about a second. */
const mostShared = 2 ** 21;

/** On a ring of so many routers some shortest way takes two links in one direction. */
const shortestCircle = 4;

/**
 * Lanes that are enough for the routing of a machine; undefined where the network is too large to say, or cancelled. O(1) on grids under
 * dimension order, on fat trees under minimal routing and for up/down routing.
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
  const { kind, shape, wraps, twist, groups, routerCount, faults } = topology;
  if (routing.hierarchy !== undefined) return { lanes: 1, rule: 'none' };
  // Shortest ways between leaves of a whole tree lead up and then down: no packet that holds a link down asks for one up.
  if (kind === 'fat-tree' && routing.kind === 'minimal' && faults === undefined) return { lanes: 1, rule: 'none' };
  // Ways round a twisted torus lead on along other axes: their circles are no rings of one axis.
  if (routing.kind === 'dimension-order' && shape !== undefined && twist === undefined) {
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

/** O(destinations · routers) by tables, else O(routes · hops), and what sharing takes. */
function sharedOut(machine: Machine, cancellation: Cancellation): VirtualLanes | undefined {
  const { routing, topology } = machine;
  const meter = new WorkMeter(cancellation);
  const ends = routeEndsOf(machine);
  const { senders, receivers } = ends;
  const isTooLarge =
    routing.tables === undefined
      ? senders.length * receivers.length > mostRoutes
      : receivers.length * topology.routerCount > mostWork;
  if (isTooLarge) return undefined;
  const circle = dependenciesOfRoutes(machine, ends, Infinity, meter)?.circle(meter) as readonly LinkId[] | undefined;
  if (cancellation.isCancelled()) return undefined;
  if (circle === undefined) return { lanes: 1, rule: 'none' };
  const numbers = new DependencyNumbers(topology.links);
  const followers = numbers.count > mostShared ? undefined : followersOf(machine, ends, numbers, meter);
  const laneOf = followers && lanesOfRoutes(topology.links, numbers, followers, meter);
  if (cancellation.isCancelled()) return undefined;
  const lanes = laneOf?.reduce((most, lane) => Math.max(most, lane + 1), 1);
  return { ...(lanes !== undefined && { lanes }), rule: 'routes', circle };
}

/** Of all routes over two links and more; undefined where there are more than {@link mostShared}, or cancelled. O(routes · hops). */
function followersOf(
  { routing }: Machine,
  { senders, receivers }: RouteEnds,
  numbers: DependencyNumbers,
  meter: WorkMeter,
): RouteFollowers | undefined {
  const start: number[] = [0];
  const dependency: number[] = [];
  for (const receiver of receivers) {
    for (const sender of senders) {
      const links = routing.route(sender, receiver) ?? [];
      for (let at = 0; at + 1 < links.length; at++) dependency.push(numbers.of(links[at] ?? 0, links[at + 1] ?? 0));
      if (links.length > 1) start.push(dependency.length);
      if (meter.isCancelledAfter(1 + links.length)) return undefined;
    }
    if (dependency.length > mostShared) return undefined;
  }
  return { start: Int32Array.from(start), dependency: Int32Array.from(dependency) };
}

/** Routes with a choice. O(destinations · steps · words of a set of links). */
function escaping(machine: Machine, graph: RouteGraph, cancellation: Cancellation): VirtualLanes | undefined {
  const { topology, routing } = machine;
  const meter = new WorkMeter(cancellation);
  const targets = routersOfWorkingPorts(topology);
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
