/**
 * The route of each packet as channels: injection, links between routers, ejection. Numbering of channels: see `contract.ts`.
 *
 * One fixed route for each pair of routers, on every topology. A routing with one route per pair (dimension order; any
 * routing on a tree) gives that one. Where a routing leaves a choice between several shortest legal ways (up/down, minimal)
 * it is always the first next link that the routing lists: which depends on the router, on what the routing remembers
 * (whether the packet has gone down) and on the destination, and on nothing else.
 */
import { asRouterId, type RouterId } from '../model/identifiers.ts';
import type { Machine, RouteGraph, Routing, Topology } from '../model/machine.ts';
import { intAt, itemAt } from '../numeric/elements.ts';

export interface Routes {
  readonly channelCount: number;
  /** Channels below this number are links between routers. */
  readonly linkCount: number;
  /** Links between routers on the route between two nodes. */
  hops(from: number, to: number): number;
  /** Writes the channels of the route between two nodes, hops + 2 of them, to `into[offset …]`. O(hops) where it is remembered. */
  write(from: number, to: number, into: Int32Array, offset: number): void;
}

/** Next steps are remembered for so many pairs of state and destination, a byte or two each. Beyond it routes are worked out each time. */
const mostRemembered = 2 ** 27;

/** Channel from a node into the network; the next one leads out of it to the node. */
export const injectionOf = (routes: Routes, node: number): number => routes.linkCount + 2 * node;

/** A graph of states whose steps are links: that of the routing, else that of the routers themselves. */
type Steps = Omit<RouteGraph, 'stateCount'>;

export function routesOf({ topology, routing, nodeCount }: Machine): Routes {
  const { routerOfNode, links } = topology;
  const linkCount = links.routerLinkCount;
  const steps = routing.graph ?? graphOfRouters(topology);
  const { routerOf, startOf, firstStep, stepLink, stepTo } = steps;
  const rowOf = rememberedSteps(steps);
  return {
    channelCount: linkCount + 2 * nodeCount,
    linkCount,
    hops: (from, to) => routing.hops(asRouterId(intAt(routerOfNode, from)), asRouterId(intAt(routerOfNode, to))),
    write(from, to, into, offset) {
      const target = intAt(routerOfNode, to);
      const row = rowOf(target);
      let state = intAt(startOf, intAt(routerOfNode, from));
      let at = offset;
      into[at++] = linkCount + 2 * from;
      while (intAt(routerOf, state) !== target) {
        let choice = row[state] ?? 0;
        if (choice === 0) {
          choice = 1 + nextStep(routing, steps, state, asRouterId(target)) - intAt(firstStep, state);
          // Nothing is kept where the row is empty: an entry outside of a typed array is not written.
          row[state] = choice;
        }
        const step = intAt(firstStep, state) + choice - 1;
        into[at++] = intAt(stepLink, step);
        state = intAt(stepTo, step);
      }
      into[at] = linkCount + 2 * to + 1;
    },
  };
}

/** Without a graph a state is a router and a step a link. */
function graphOfRouters({ routerCount, links }: Topology): Steps {
  const routers = Int32Array.from({ length: routerCount }, (_, router) => router);
  const stepLink = Int32Array.from({ length: links.routerLinkCount }, (_, link) => link);
  return { routerOf: routers, startOf: routers, firstStep: links.firstLink, stepLink, stepTo: links.to };
}

/**
 * A row per destination, made when it is first asked for: for each state 1 + the index of its next step among its steps, 0
 * where that was not worked out yet. The rows of destinations that are one too many are empty.
 */
function rememberedSteps({ routerOf, startOf, firstStep }: Steps): (router: number) => Uint8Array | Uint16Array {
  let mostSteps = 0;
  for (let state = 0; state < routerOf.length; state++) {
    mostSteps = Math.max(mostSteps, intAt(firstStep, state + 1) - intAt(firstStep, state));
  }
  const Row = mostSteps < 2 ** 8 ? Uint8Array : Uint16Array;
  const none = new Row(0);
  let rowsLeft = mostSteps < 2 ** 16 ? Math.floor(mostRemembered / routerOf.length) : 0;
  const rows = new Array<Uint8Array | Uint16Array>(startOf.length).fill(none);
  return (router) => {
    const row = itemAt(rows, router);
    if (row.length > 0 || rowsLeft === 0) return row;
    rowsLeft--;
    return (rows[router] = new Row(routerOf.length));
  };
}

/** The first step of a state that is on a shortest way to a router. O(steps of the state), or O(hops) without a graph. */
function nextStep(routing: Routing, { firstStep, routerOf, stepTo }: Steps, state: number, target: RouterId): number {
  if (routing.graph === undefined) {
    // Steps are links there.
    const [link] = routing.route(asRouterId(intAt(routerOf, state)), target) ?? [];
    if (link !== undefined) return link;
  } else {
    const left = routing.stepsTo(target);
    const end = intAt(firstStep, state + 1);
    for (let step = intAt(firstStep, state); step < end; step++) {
      if (left?.[intAt(stepTo, step)] === (left?.[state] ?? 0) - 1) return step;
    }
  }
  throw new RangeError(`No way leads from state ${state} to router ${target}.`);
}
