/**
 * Whether packets may come to wait for one another in a circle, from the channel dependency graph (Dally and Seitz 1987; for adaptive
 * routing Duato 1993): a channel depends on another where a packet that holds the first may ask for the second. Without a
 * circle of channels there is no deadlock; with one there may be, as the traffic happens to be.
 *
 * On grids what there is to find is known. Dimension order has circles along rings alone, on which some route takes two links or
 * more; a bubble or two classes of channels with a dateline open them. Adaptive routing has circles round squares, which are
 * harmless where packets can always escape to channels in dimension order that have none: one escape channel, on rings with a bubble, or
 * two with a dateline. Up/down has none by design, nor has dimension order on a HyperX, which takes one link along each axis. Of other
 * routings the graph of their steps is searched, or what their routes make, whatever the channels: packets may take any of them.
 */
import { neverCancelled, WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { routersOfWorkingPorts, type LinkTable, type Machine } from '../model/machine.ts';
import type { NetworkRouting } from '../model/networkModel.ts';
import { volumeOf } from '../model/shape.ts';
import { dependenciesOfRoutes, dependenciesOfSteps, routeEndsOf } from '../network/routeDependencies.ts';
import { linkTowards } from '../network/topologies/grids.ts';
import { intAt } from '../numeric/elements.ts';
import { gridAxesOf, type GridAxes } from './engines/packetStations.ts';

export interface DependencyRules {
  /** Virtual channels of a link. */
  readonly channels: number;
  readonly routing: NetworkRouting;
  /** Whether rings are entered by the rule of the bubble. */
  readonly hasBubble: boolean;
}

/** Steps that are looked at, at most: about a second. */
const mostWork = 2 ** 27;

/** On a ring of so many routers some shortest way takes two links in one direction. */
const shortestCircle = 4;

/**
 * Links between routers that may come to depend on one another in a circle, in order of travel; undefined where there are none. Of
 * routings without a closed form above {@link mostWork} only the routes to some of the routers are looked at. O(1) on
 * grids, else O(routers · steps). Undefined where it is cancelled, too.
 */
export function dependencyCircle(
  machine: Machine,
  rules: DependencyRules,
  cancellation: Cancellation = neverCancelled,
): readonly number[] | undefined {
  const axes = gridAxesOf(machine);
  if (axes !== undefined) return circleOnGrid({ ...axes, links: machine.topology.links }, rules);
  const meter = new WorkMeter(cancellation);
  const { routing, topology } = machine;
  const { graph, hierarchy } = routing;
  if (hierarchy !== undefined) return undefined;
  if (graph === undefined) {
    if (routing.kind === 'dimension-order' && topology.twist === undefined) return undefined;
    return dependenciesOfRoutes(machine, routeEndsOf(machine), mostWork, meter)?.circle(meter);
  }
  // Packets go from routers with nodes that work to such routers.
  const ends = routersOfWorkingPorts(machine.topology);
  const routes = { graph, routing, sources: ends, targets: ends, isAdaptive: rules.routing === 'adaptive' };
  return dependenciesOfSteps(machine, routes, mostWork, meter)?.circle(meter);
}

interface Grid extends GridAxes {
  readonly links: LinkTable;
}

function circleOnGrid(grid: Grid, { channels, routing, hasBubble }: DependencyRules): readonly number[] | undefined {
  const lengths = Array.from(grid.sides);
  const isRing = (axis: number): boolean => grid.rings[axis] === 1 && (lengths[axis] ?? 0) >= shortestCircle;
  const ring = lengths.findIndex((_, axis) => isRing(axis));
  const around = (): readonly number[] | undefined => (ring < 0 ? undefined : linksAround(grid, ring));
  if (routing === 'deterministic') return hasBubble || channels > 1 ? undefined : around();
  const crossed = lengths.flatMap((side, axis) => (side > 1 ? [axis] : []));
  const [first, second] = crossed;
  if (channels === 1) {
    // Nothing to escape to: turns go both ways round a square.
    return first !== undefined && second !== undefined ? linksOfSquare(grid, first, second) : around();
  }
  return hasBubble || channels > 2 ? undefined : around();
}

/** The links onwards of the first ring along an axis. */
function linksAround(grid: Grid, axis: number): readonly number[] {
  const links: number[] = [];
  let router = 0;
  do {
    const next = gridNeighbour(grid, router, axis, 0);
    links.push(linkTowards(grid.links, router, next));
    router = next;
  } while (router !== 0);
  return links;
}

/** Onwards along both axes and back, from the first router. */
function linksOfSquare(grid: Grid, first: number, second: number): readonly number[] {
  const links: number[] = [];
  let router = 0;
  for (const [axis, back] of [
    [first, 0],
    [second, 0],
    [first, 1],
    [second, 1],
  ] as const) {
    const next = gridNeighbour(grid, router, axis, back);
    links.push(linkTowards(grid.links, router, next));
    router = next;
  }
  return links;
}

/** The router next to one along an axis, onwards or back. */
function gridNeighbour({ sides }: Grid, router: number, axis: number, back: 0 | 1): number {
  const stride = volumeOf([...sides.subarray(0, axis)]);
  const side = intAt(sides, axis);
  const position = Math.floor(router / stride) % side;
  const next = (position + (back === 0 ? 1 : side - 1)) % side;
  return router + (next - position) * stride;
}
