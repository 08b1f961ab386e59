/**
 * The route of each packet as channels: injection, links between routers, ejection. Numbering of channels: see `messages.ts`.
 *
 * One fixed route for each pair of routers, on every topology. A routing with one route per pair (dimension order; any
 * routing on a tree) gives that one. Where a routing leaves a choice between several shortest legal ways (up/down, minimal)
 * it is always the first next link that the routing lists: which depends on the router, on what the routing remembers
 * (whether the packet has gone down) and on the destination, and on nothing else.
 */
import type { EngineRefusal } from '../model/engineRefusals.ts';
import { asAddressId, asRouterId, type RouterId } from '../model/identifiers.ts';
import {
  receiverOf,
  routerOfAddress,
  senderOf,
  type Machine,
  type RouteGraph,
  type Routing,
  type Topology,
} from '../model/machine.ts';
import { volumeOf } from '../model/shape.ts';
import { intAt, itemAt } from '../numeric/elements.ts';

export interface Routes {
  readonly channelCount: number;
  /** Channels below this number are links between routers. */
  readonly linkCount: number;
  /**
   * Writes the channels of the route between two nodes to `into[offset …]`. How many there are, hops + 2, or 0 where there are
   * more than `most`; only these are written over then. O(hops) where it is remembered.
   */
  write(from: number, to: number, into: Int32Array, offset: number, most: number): number;
}

/** A refusal where packets draw where they go first, or choose by how loaded links are: no route between two nodes is theirs. */
export function routesRefusal({ name, routing }: Machine): EngineRefusal | undefined {
  return routing.hopShares === undefined && routing.settled === undefined
    ? undefined
    : { kind: 'no-fixed-routes', routing: routing.kind, machine: name };
}

/** Next steps are remembered for so many pairs of state and destination, a byte or two each. Beyond it routes are worked out each time. */
const mostRemembered = 2 ** 27;

/** Channel from a node into the network; the next one leads out of it to the node. */
export const injectionOf = (routes: Routes, node: number): number => routes.linkCount + 2 * node;

/** A graph of states whose steps are links: that of the routing, else that of the routers themselves. */
type Steps = Omit<RouteGraph, 'stateCount'>;

export function routesOf(machine: Machine): Routes {
  const { links } = machine.topology;
  const linkCount = links.routerLinkCount;
  const writeLinks =
    linksOnMesh(machine) ?? (machine.routing.byNode === undefined ? rememberedLinks(machine) : linksOfNodes(machine));
  return {
    channelCount: linkCount + 2 * machine.nodeCount,
    linkCount,
    write(from, to, into, offset, most) {
      const end = writeLinks(senderOf(machine, from), receiverOf(machine, to), into, offset + 1, offset + most - 1);
      if (end < 0) return 0;
      into[offset] = linkCount + 2 * from;
      into[end] = linkCount + 2 * to + 1;
      return end + 1 - offset;
    },
  };
}

/** Writes the links between two routers to `into[at …]` and returns the index behind them; −1 where that is beyond `end`. */
type WriteLinks = (from: number, to: number, into: Int32Array, at: number, end: number) => number;

/**
 * In dimension order on a grid that does not wrap there is one way along each axis, so that no step need wait for the one before
 * to be looked up. Undefined elsewhere.
 */
function linksOnMesh({ topology, routing }: Machine): WriteLinks | undefined {
  const { shape, wraps, links, routerCount } = topology;
  if (routing.kind !== 'dimension-order' || shape === undefined || wraps === undefined) return undefined;
  if (wraps.some((axisWraps, axis) => axisWraps && (shape[axis] ?? 0) > 1)) return undefined;
  const strides = shape.map((_, axis) => volumeOf(shape.slice(0, axis)));
  // From the first router to the one next to it on every axis: the order in which the routing takes them.
  const corner = strides.reduce((sum, stride, axis) => ((shape[axis] ?? 0) > 1 ? sum + stride : sum), 0);
  const order = (routing.route(asRouterId(0), asRouterId(corner)) ?? []).map((link) =>
    strides.findIndex(
      (stride, axis) => (shape[axis] ?? 0) > 1 && stride === intAt(links.to, link) - intAt(links.from, link),
    ),
  );
  // For each axis in this order: its stride, the position of each router on it, and the links that lead on from a router and back.
  const turns = order.map((axis) => ({ stride: itemAt(strides, axis), side: itemAt(shape, axis) }));
  const stride = Int32Array.from(turns, (turn) => turn.stride);
  const position = new Int32Array(turns.length * routerCount);
  const onwards = new Int32Array(turns.length * routerCount);
  const backwards = new Int32Array(turns.length * routerCount);
  turns.forEach(({ stride: step, side }, turn) => {
    for (let router = 0; router < routerCount; router++)
      position[turn * routerCount + router] = Math.floor(router / step) % side;
  });
  for (let link = 0; link < links.routerLinkCount; link++) {
    const [from, to] = [intAt(links.from, link), intAt(links.to, link)];
    const turn = turns.findIndex(({ stride: step, side }) => side > 1 && step === Math.abs(to - from));
    (to > from ? onwards : backwards)[turn * routerCount + from] = link;
  }
  return (from, to, into, begin, end) => {
    let router = from;
    let at = begin;
    for (let turn = 0; turn < stride.length; turn++) {
      const row = turn * routerCount;
      const steps = position[row + to]! - position[row + router]!;
      const step = stride[turn]!;
      const stop = at + Math.abs(steps);
      if (stop > end) return -1;
      if (steps > 0) for (; at < stop; router += step) into[at++] = onwards[row + router]!;
      else for (; at < stop; router -= step) into[at++] = backwards[row + router]!;
    }
    return at;
  };
}

/** Where nodes have routes of their own these are walked each time. */
function linksOfNodes({ topology, routing }: Machine): WriteLinks {
  return (from, to, into, begin, end) => {
    if (routerOfAddress(topology, from) === routerOfAddress(topology, to)) return begin;
    const links = routing.route(asAddressId(from), asAddressId(to)) ?? [];
    if (begin + links.length > end) return -1;
    into.set(links, begin);
    return begin + links.length;
  };
}

/** Follows the first step that the routing lists, which is remembered for each state and destination. */
function rememberedLinks({ topology, routing }: Machine): WriteLinks {
  const steps = routing.graph ?? graphOfRouters(topology);
  const { routerOf, startOf, firstStep, stepLink, stepTo } = steps;
  const rowOf = rememberedSteps(steps);
  const choose = (state: number, target: number): number =>
    1 + nextStep(routing, steps, state, asRouterId(target)) - intAt(firstStep, state);
  return (from, target, into, begin, end) => {
    const row = rowOf(target);
    let state = intAt(startOf, from);
    let at = begin;
    while (intAt(routerOf, state) !== target) {
      if (at === end) return -1;
      let choice = row[state] ?? 0;
      if (choice === 0) {
        choice = choose(state, target);
        // Nothing is kept where the row is empty: an entry outside of a typed array is not written.
        row[state] = choice;
      }
      const step = intAt(firstStep, state) + choice - 1;
      into[at++] = intAt(stepLink, step);
      state = intAt(stepTo, step);
    }
    return at;
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
  throw new RangeError(`No route from state ${state} to router ${target}.`);
}
