import type { LinkId, RouterId } from '../../model/identifiers.ts';
import type { Machine, RouteGraph, Routing } from '../../model/machine.ts';
import { stepsBackwards } from './stepsBackwards.ts';

/** Which pairs of routers have a route over one link. */
export interface Crossing {
  /** False where no route from this router crosses. */
  takesFrom(router: RouterId): boolean;
  /** Exact. */
  crosses(from: RouterId, to: RouterId): boolean;
}

/** The crossing of a link between two routers. */
export function crossingOf(machine: Machine, link: LinkId): Crossing {
  const { graph } = machine.routing;
  return graph === undefined ? crossingOfRoutes(machine, link) : crossingOfGraph(machine, graph, link);
}

/**
 * One route per pair. A route through the link from u to v begins with the route to v, which ends
 * with the link, and ends with the route from u, which begins with it: parts of a route are the
 * routes of their ends. Few routers pass on both sides; for those that do, hops tell whether the
 * way through the link is as short as the route, and then the route is walked, since another way
 * round a ring may be as short. A side's answer is found when it is first asked for. O(hops).
 */
function crossingOfRoutes({ routing, topology }: Machine, link: LinkId): Crossing {
  const start = topology.links.from[link]! as RouterId;
  const end = topology.links.to[link]! as RouterId;
  const from = remembered(topology.routerCount, (router) => routing.route(router, end)?.at(-1) === link);
  const to = remembered(topology.routerCount, (router) => routing.route(start, router)?.[0] === link);
  return {
    takesFrom: from,
    crosses: (sender, receiver) =>
      from(sender) &&
      to(receiver) &&
      routing.hops(sender, start) + 1 + routing.hops(end, receiver) === routing.hops(sender, receiver) &&
      visits(routing, sender, receiver, link),
  };
}

/** Answers of `ask`, each worked out once. */
function remembered(routerCount: number, ask: (router: RouterId) => boolean): (router: RouterId) => boolean {
  /** 0 unknown, 1 no, 2 yes. */
  const known = new Uint8Array(routerCount);
  return (router) => {
    const answer = known[router]!;
    if (answer !== 0) return answer === 2;
    const found = ask(router);
    known[router] = found ? 2 : 1;
    return found;
  };
}

function visits(routing: Routing, from: RouterId, to: RouterId, link: LinkId): boolean {
  let found = false;
  routing.visitShares(from, to, (visited) => {
    found ||= visited === link;
  });
  return found;
}

/** A step of the routing that takes the link: hops from each router to it, and from it to each router. */
interface Step {
  readonly before: Int32Array;
  readonly behind: Int32Array;
}

/** More than any number of hops, and twice that is still a 32-bit number. */
const unreachable = 1 << 29;

/**
 * Routes are the shortest ways through a graph of states: one crosses where the hops to a step that
 * takes the link, the step, and the hops from it add up to the pair's. O(steps) for each such step.
 */
function crossingOfGraph({ routing, topology }: Machine, graph: RouteGraph, link: LinkId): Crossing {
  const { routerCount } = topology;
  const backwards = stepsBackwards(graph);
  const steps: Step[] = [];
  for (let state = 0; state < graph.stateCount; state++) {
    for (let step = graph.firstStep[state]!; step < graph.firstStep[state + 1]!; step++) {
      if (graph.stepLink[step] !== link) continue;
      const toState = hopsFrom(state, graph.stateCount, backwards);
      const behind = hopsFrom(graph.stepTo[step]!, graph.stateCount, graph);
      steps.push({
        before: Int32Array.from({ length: routerCount }, (_, router) => toState[graph.startOf[router]!]!),
        behind: nearestState(graph, behind, routerCount),
      });
    }
  }
  return {
    takesFrom: (router) => steps.some(({ before }) => before[router]! < unreachable),
    crosses(from, to) {
      if (from === to) return false;
      const hops = routing.hops(from, to);
      for (const { before, behind } of steps) if (before[from]! + 1 + behind[to]! === hops) return true;
      return false;
    },
  };
}

/** Steps from one state to every other, breadth first. O(states + steps). */
function hopsFrom(
  state: number,
  stateCount: number,
  { firstStep, stepTo }: Pick<RouteGraph, 'firstStep' | 'stepTo'>,
): Int32Array {
  const hops = new Int32Array(stateCount).fill(unreachable);
  const queue = new Int32Array(stateCount);
  hops[state] = 0;
  queue[0] = state;
  let last = 1;
  for (let next = 0; next < last; next++) {
    const current = queue[next]!;
    for (let step = firstStep[current]!; step < firstStep[current + 1]!; step++) {
      const reached = stepTo[step]!;
      if (hops[reached] !== unreachable) continue;
      hops[reached] = hops[current]! + 1;
      queue[last++] = reached;
    }
  }
  return hops;
}

/** Of each router the hops of its nearest state. */
function nearestState({ routerOf }: RouteGraph, hops: Int32Array, routerCount: number): Int32Array {
  const nearest = new Int32Array(routerCount).fill(unreachable);
  for (let state = 0; state < hops.length; state++) {
    const router = routerOf[state]!;
    if (hops[state]! < nearest[router]!) nearest[router] = hops[state]!;
  }
  return nearest;
}
