/**
 * Whether packets may come to wait for one another in a circle, from the channel dependency graph (Dally and Seitz 1987; for adaptive
 * routing Duato 1993): a channel depends on another where a packet that holds the first may ask for the second. Without a
 * circle of channels there is no deadlock; with one there may be, as the traffic happens to be.
 *
 * On grids what there is to find is known. Dimension order has circles along rings alone, on which some route takes two links or
 * more; a bubble or two classes of channels with a dateline open them. Adaptive routing has circles round squares, which are
 * harmless where packets can always escape to channels in dimension order that have none: one escape channel, on rings with a bubble, or
 * two with a dateline. Up/down has none by design. Of other routings the graph of their steps is searched.
 */
import { asRouterId } from '../model/identifiers.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { LinkTable, Machine, RouteGraph } from '../model/machine.ts';
import type { NetworkRouting } from '../model/networkModel.ts';
import { volumeOf } from '../model/shape.ts';
import { intAt } from '../numeric/elements.ts';
import { linkTowards } from '../network/topologies/grids.ts';
import { gridAxesOf, type GridAxes } from './engines/packetRoutes.ts';

export interface DependencyRules {
  /** Virtual channels of a link. */
  readonly channels: number;
  readonly routing: NetworkRouting;
  /** Whether rings are entered by the rule of the bubble. */
  readonly hasBubble: boolean;
}

/** Dependencies that are looked at, at most: about a second. */
const mostDependencies = 2 ** 27;

/** A dependency is put into a set, which takes as long as so many entries of an array that are read. */
const workOfDependency = 8;

/** On a ring of so many routers some shortest way takes two links in one direction. */
const shortestCircle = 4;

/**
 * Links between routers that may come to depend on one another in a circle, in order of travel; undefined where there are none. Of
 * routings without a closed form above {@link mostDependencies} only the routes to some of the routers are looked at. O(1) on
 * grids, else O(routers · links · degree). Undefined where it is cancelled, too.
 */
export function dependencyCircle(
  machine: Machine,
  rules: DependencyRules,
  cancellation: Cancellation = neverCancelled,
): readonly number[] | undefined {
  const axes = gridAxesOf(machine);
  if (axes !== undefined) return circleOnGrid({ ...axes, links: machine.topology.links }, rules);
  const { graph, hierarchy } = machine.routing;
  if (graph === undefined || hierarchy !== undefined) return undefined;
  return circleOfSteps(machine, graph, rules.routing === 'adaptive', new WorkMeter(cancellation));
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
    const next = neighbour(grid, router, axis, 0);
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
    const next = neighbour(grid, router, axis, back);
    links.push(linkTowards(grid.links, router, next));
    router = next;
  }
  return links;
}

/** The router next to one along an axis, onwards or back. */
function neighbour({ sides }: Grid, router: number, axis: number, back: 0 | 1): number {
  const stride = volumeOf([...sides.subarray(0, axis)]);
  const side = intAt(sides, axis);
  const position = Math.floor(router / stride) % side;
  const next = (position + (back === 0 ? 1 : side - 1)) % side;
  return router + (next - position) * stride;
}

/** Steps on shortest ways to one router after the other: a link depends on those that may follow it. */
function circleOfSteps(
  machine: Machine,
  graph: RouteGraph,
  isAdaptive: boolean,
  meter: WorkMeter,
): readonly number[] | undefined {
  const { routerOfNode, links } = machine.topology;
  // Packets go from routers with nodes to routers with nodes.
  const ends = [...new Set(routerOfNode)];
  const follows = Array.from({ length: links.routerLinkCount }, () => new Set<number>());
  let work = 0;
  for (const target of ends) {
    if (work >= mostDependencies) break;
    if (meter.isCancelledAfter(links.routerLinkCount)) return undefined;
    const left = machine.routing.stepsTo(asRouterId(target)) ?? [];
    /** Steps that a packet in a state may take. */
    const stepsOf = (state: number): number[] => {
      const steps: number[] = [];
      for (let step = intAt(graph.firstStep, state); step < intAt(graph.firstStep, state + 1); step++) {
        if (left[intAt(graph.stepTo, step)] !== (left[state] ?? 0) - 1) continue;
        steps.push(step);
        if (!isAdaptive) break;
      }
      return steps;
    };
    const seen = new Uint8Array(graph.stateCount);
    const pending = ends.map((router) => intAt(graph.startOf, router));
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (seen[state] === 1 || intAt(graph.routerOf, state) === target) continue;
      seen[state] = 1;
      const before = work;
      for (const step of stepsOf(state)) {
        const next = intAt(graph.stepTo, step);
        pending.push(next);
        if (intAt(graph.routerOf, next) === target) continue;
        for (const following of stepsOf(next)) {
          follows[intAt(graph.stepLink, step)]?.add(intAt(graph.stepLink, following));
          work++;
        }
      }
      if (meter.isCancelledAfter(workOfDependency * (1 + work - before))) return undefined;
    }
  }
  return circleAmong(follows, meter);
}

/** A circle in a graph, by depth-first search; undefined where there is none. O(edges). */
function circleAmong(follows: readonly ReadonlySet<number>[], meter: WorkMeter): readonly number[] | undefined {
  const [unseen, onPath, done] = [0, 1, 2] as const;
  const state = new Uint8Array(follows.length).fill(unseen);
  for (let start = 0; start < follows.length; start++) {
    if (state[start] !== unseen) continue;
    const path = [start];
    const iterators = [follows[start]?.values()];
    state[start] = onPath;
    while (path.length > 0) {
      if (meter.isCancelledAfter(1)) return undefined;
      const next = iterators.at(-1)?.next();
      if (next === undefined || next.done === true) {
        state[path.pop() ?? start] = done;
        iterators.pop();
      } else if (state[next.value] === onPath) {
        return path.slice(path.indexOf(next.value));
      } else if (state[next.value] === unseen) {
        state[next.value] = onPath;
        path.push(next.value);
        iterators.push(follows[next.value]?.values());
      }
    }
  }
  return undefined;
}
