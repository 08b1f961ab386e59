/**
 * Which link follows which on the routes of a machine: routes are walked where there is one of each pair, steps where there are
 * several.
 */
import { asRouterId, type AddressId } from '../model/identifiers.ts';
import type { WorkMeter } from '../model/cancellation.ts';
import {
  receiverOf,
  routerOfAddress,
  senderOf,
  workingPorts,
  type ForwardingTables,
  type Machine,
  type RouteGraph,
  type Routing,
  type Topology,
} from '../model/machine.ts';
import { intAt } from '../numeric/elements.ts';
import { LinkDependencies } from './linkDependencies.ts';

/** Addresses that routes begin at, and those that they end at, each once. */
export interface RouteEnds {
  readonly senders: readonly AddressId[];
  readonly receivers: readonly AddressId[];
}

/** Those of ports that work: nothing is sent from failed nodes or to them. O(ports). */
export function routeEndsOf(machine: Machine): RouteEnds {
  const ports = workingPorts(machine.topology);
  return {
    senders: [...new Set(ports.map((port) => senderOf(machine, port)))],
    receivers: [...new Set(ports.map((port) => receiverOf(machine, port)))],
  };
}

/**
 * Links and those that come next on the routes to one address, in pairs: O(routers) by the tree that tables make, each pair once; else
 * O(routes · hops).
 */
export function followersTo(
  { topology, routing }: Machine,
  { senders }: Pick<RouteEnds, 'senders'>,
): (receiver: AddressId) => number[] {
  const { tables, byNode } = routing;
  if (tables === undefined || byNode === 'both') return (receiver) => followersOnRoutes(routing, senders, receiver);
  return followersInTree(topology, tables, senders);
}

/** Senders are routers, and of each router one link leads on to a receiver. */
function followersInTree(
  topology: Topology,
  { port }: ForwardingTables,
  senders: readonly AddressId[],
): (receiver: AddressId) => number[] {
  const { routerCount, links } = topology;
  const seen = new Int32Array(routerCount).fill(-1);
  return (receiver) => {
    const pairs: number[] = [];
    const end = routerOfAddress(topology, receiver);
    for (const sender of senders) {
      let router: number = sender;
      for (let before = -1; router !== end;) {
        const link = intAt(links.firstLink, router) + (port[receiver * routerCount + router] ?? Infinity);
        // The table has a hole.
        if (link >= intAt(links.firstLink, router + 1)) break;
        if (before >= 0) pairs.push(before, link);
        if (seen[router] === receiver) break;
        seen[router] = receiver;
        router = intAt(links.to, link);
        before = link;
      }
    }
    return pairs;
  };
}

function followersOnRoutes(routing: Routing, senders: readonly AddressId[], receiver: AddressId): number[] {
  const pairs: number[] = [];
  for (const sender of senders) {
    const links = routing.route(sender, receiver) ?? [];
    links.forEach((link, at) => {
      const next = links[at + 1];
      if (next !== undefined) pairs.push(link, next);
    });
  }
  return pairs;
}

/**
 * Each link of a route is followed by the next. Receivers behind `mostWork` routes and links are left out. Undefined if cancelled.
 * As {@link followersTo} for each receiver.
 */
export function dependenciesOfRoutes(
  machine: Machine,
  { senders, receivers }: RouteEnds,
  mostWork: number,
  meter: WorkMeter,
): LinkDependencies | undefined {
  const follows = new LinkDependencies(machine.topology.links);
  const pairsTo = followersTo(machine, { senders });
  let work = 0;
  for (const receiver of receivers) {
    if (work >= mostWork) break;
    const pairs = pairsTo(receiver);
    for (let at = 0; at < pairs.length; at += 2) follows.add(pairs[at] ?? 0, pairs[at + 1] ?? 0);
    const done = senders.length + pairs.length;
    work += done;
    if (meter.isCancelledAfter(done)) return undefined;
  }
  return follows;
}

/** Packets by the steps of a graph. */
export interface StepRoutes {
  readonly graph: RouteGraph;
  /** Whose `stepsTo` tells the shortest ways. */
  readonly routing: Routing;
  /** Routers that packets start from, and those that they go to. */
  readonly sources: readonly number[];
  readonly targets: readonly number[];
  /** They take any of the shortest ways, not the first. */
  readonly isAdaptive: boolean;
}

/**
 * A link is followed by those that packets may take behind it, to one router after the other. Targets behind `mostWork` steps are
 * left out. Undefined if cancelled. O(targets · steps).
 */
export function dependenciesOfSteps(
  { topology }: Machine,
  { graph, routing, sources, targets, isAdaptive }: StepRoutes,
  mostWork: number,
  meter: WorkMeter,
): LinkDependencies | undefined {
  const follows = new LinkDependencies(topology.links);
  const routes = new RoutesToOne(graph, follows, isAdaptive, meter);
  for (const target of targets) {
    if (routes.work >= mostWork) break;
    const left = routing.stepsTo(asRouterId(target)) ?? [];
    if (!routes.walk(sources, target, left) || !routes.tie(target)) return undefined;
  }
  return follows;
}

/** All that packets for one router do. */
class RoutesToOne {
  /** Steps that were looked at. */
  work = 0;
  readonly #graph: RouteGraph;
  readonly #follows: LinkDependencies;
  readonly #isAdaptive: boolean;
  readonly #meter: WorkMeter;
  /** Links that a packet in each state may take, as those that follow a link to its router. */
  readonly #taken: Int32Array = new Int32Array(0);
  /** States that packets come to, and for which router each was last among them. */
  readonly #states: Int32Array = new Int32Array(0);
  readonly #target: Int32Array = new Int32Array(0);
  #count = 0;

  constructor(graph: RouteGraph, follows: LinkDependencies, isAdaptive: boolean, meter: WorkMeter) {
    this.#graph = graph;
    this.#follows = follows;
    this.#isAdaptive = isAdaptive;
    this.#meter = meter;
    this.#taken = new Int32Array(graph.stateCount * follows.words);
    this.#states = new Int32Array(graph.stateCount);
    this.#target = new Int32Array(graph.stateCount).fill(-1);
  }

  /** Finds the states that packets from the routers `from` come to, and what they take there. `left` as of the routing. False where cancelled. */
  walk(from: readonly number[], target: number, left: ArrayLike<number>): boolean {
    const { startOf, firstStep, stepLink, stepTo } = this.#graph;
    const { words } = this.#follows;
    if (this.#meter.isCancelledAfter(left.length)) return false;
    this.#count = 0;
    for (const router of from) this.#meet(intAt(startOf, router), target);
    for (let each = 0; each < this.#count; each++) {
      const state = intAt(this.#states, each);
      const [begin, end] = [intAt(firstStep, state), intAt(firstStep, state + 1)];
      if (this.#meter.isCancelledAfter(1 + 2 * (end - begin))) return false;
      this.work += end - begin;
      this.#taken.fill(0, state * words, (state + 1) * words);
      for (let step = begin; step < end; step++) {
        if (left[intAt(stepTo, step)] !== (left[state] ?? 0) - 1) continue;
        this.#follows.mark(this.#taken, state * words, intAt(stepLink, step));
        this.#meet(intAt(stepTo, step), target);
        if (!this.#isAdaptive) break;
      }
    }
    return true;
  }

  #meet(state: number, target: number): void {
    if (this.#target[state] === target || intAt(this.#graph.routerOf, state) === target) return;
    this.#target[state] = target;
    this.#states[this.#count++] = state;
  }

  /** Whatever may be taken behind a link that is taken follows it. False where cancelled. */
  tie(target: number): boolean {
    const { firstStep, stepLink, stepTo } = this.#graph;
    const { words } = this.#follows;
    for (let each = 0; each < this.#count; each++) {
      const state = intAt(this.#states, each);
      const [begin, end] = [intAt(firstStep, state), intAt(firstStep, state + 1)];
      if (this.#meter.isCancelledAfter(1 + 2 * (end - begin))) return false;
      for (let step = begin; step < end; step++) {
        const [link, next] = [intAt(stepLink, step), intAt(stepTo, step)];
        if (this.#target[next] !== target || !this.#follows.has(this.#taken, state * words, link)) continue;
        this.#follows.addSet(link, this.#taken, next * words);
      }
    }
    return true;
  }
}
