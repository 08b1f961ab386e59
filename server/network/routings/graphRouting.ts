/**
 * Routing by the shortest ways through a graph of states, shared by `minimal` and `up-down`: hops, routes, shares of
 * links and the loads of all flows. `graphRouting` is the entry.
 */
import { intAt, realAt } from '../../numeric/elements.ts';
import { workingRouters, type RouteGraph, type Routing, type Topology, type RouterFlows } from '../../model/machine.ts';
import { fail } from '../../model/result.ts';
import { formatNumber } from '../../model/quantities.ts';
import { disconnection } from '../topologies/cableGraph.ts';
import { groupedBy } from '../../numeric/grouping.ts';
import { reversedGraph, type ReverseGraph, RouteSearch } from './routeGraph.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { asLinkId, type LinkId } from '../../model/identifiers.ts';

/** Above this many routers a routing is refused that keeps something for all pairs of them, as `valiant` does. */
export const graphRouterLimit = 8192;

/** Bytes of rows of hops that are kept at most: all of them up to some 11,000 routers. */
export const hopRowMemory = 2 ** 27;

/** What a routing by a graph of states says of itself. */
interface GraphRoutingFacts {
  readonly kind: string;
  readonly graph: RouteGraph;
  /** No two routers are farther apart than this; small bounds keep the tables small. */
  readonly longest: number;
  /** True only where it is certain that no pair has two routes. */
  readonly singlePath: boolean;
  /** False if the way back of a route may be none; true where it is left out. */
  readonly symmetric?: boolean;
  readonly hierarchy?: NonNullable<Routing['hierarchy']>;
  /** Hops by a formula, of some pairs or of all: the search is for those of which it knows nothing. */
  readonly knownHops?: (from: number, to: number) => number | undefined;
  /** Adds the loads of flows that a formula gives, and returns the others: the search is for those. */
  readonly knownLoads?: (flows: RouterFlows, loads: Float64Array) => RouterFlows;
}

/**
 * The routing whose routes are the shortest ways through a graph of states, all of them, a flow
 * split evenly among the next links of each state. Every cable goes both ways and so does every
 * route, so hops are symmetric. Building takes O(states + steps); hops (one byte per pair up to 254, else two) are found
 * row by row as they are asked for, and at most {@link hopRowMemory} of them kept.
 */
export function graphRouting(topology: Topology, facts: GraphRoutingFacts): Routing {
  const { kind, graph, longest, singlePath, symmetric = true, hierarchy, knownHops, knownLoads } = facts;
  const reverse = reversedGraph(graph);
  const distanceTo = destinationRowsOf(graph, reverse, longest);
  let shares: RouteShares | undefined;
  return {
    kind,
    ...(hierarchy ? { hierarchy } : {}),
    graph,
    singlePath,
    symmetric,
    hops: hopsAlongGraph(graph, longest, knownHops),
    route: (from, to) => onlyRoute(graph, graph.startOf[from]!, distanceTo(to), longest),
    stepsTo: distanceTo,
    visitShares(from, to, visit) {
      shares ??= new RouteShares(graph, topology.links.routerLinkCount);
      shares.visit(graph.startOf[from]!, distanceTo(to), visit);
    },
    addLoads(flows, loads, cancellation) {
      const others = knownLoads?.(flows, loads) ?? flows;
      if (others.amount.length > 0) addDestinationLoads(graph, reverse, others, loads, cancellation);
    },
  };
}

/**
 * Why a topology cannot have a routing that keeps something for all pairs of routers: `too-many-routers` or
 * `disconnected`; undefined where it can. O(links).
 */
export function graphRoutingRefusal(kind: string, topology: Topology): ReturnType<typeof fail> | undefined {
  const { routerCount } = topology;
  if (routerCount > graphRouterLimit) return tooManyRouters(kind, topology.kind, routerCount);
  return disconnection(topology);
}

export const tooManyRouters = (routing: string, topology: string, routers: number): ReturnType<typeof fail> =>
  fail(
    'too-many-routers',
    `Routing \`${routing}\` supports at most ${formatNumber(graphRouterLimit)} routers; this ${topology} has ${formatNumber(routers)}. Make it smaller, or use \`minimal\`.`,
  );

/** Whether there is exactly one way between any two routers of a connected network. */
export const isTree = (topology: Topology): boolean =>
  topology.links.routerLinkCount === 2 * (workingRouters(topology).length - 1);

/**
 * Adds the loads of flows over all shortest ways of a route graph, split evenly among the next
 * links of each state. All flows to one router travel together: what has gathered in a state is
 * passed on once, farthest states first. O(flows + (states + steps) per router that receives),
 * however many flows there are and however far they travel; a search ends at the farthest sender.
 * Amounts that are not split stay whole. Returns early, with incomplete loads, where cancelled.
 */
function addDestinationLoads(
  graph: RouteGraph,
  reverse: ReverseGraph,
  flows: RouterFlows,
  loads: Float64Array,
  cancellation: Cancellation,
): void {
  const { start, members } = groupedBy(flows.to, graph.startOf.length);
  const gathering: Gathering = {
    graph,
    search: new RouteSearch(graph, reverse),
    amount: new Float64Array(graph.stateCount),
    sends: new Uint8Array(graph.stateCount),
  };
  for (let destination = 0; destination < graph.startOf.length; destination++) {
    const flowsHere = members.subarray(start[destination], start[destination + 1]);
    if (flowsHere.length === 0) continue;
    if (cancellation.isCancelled()) return;
    const senders = gatherFlows(gathering, flows, flowsHere, destination);
    if (senders === 0) continue;
    const missing = gathering.search.run(destination, gathering.sends, senders);
    passLoadsOn(gathering, loads);
    if (missing > 0) dropStranded(gathering, flows, flowsHere);
  }
}

/** What stands in each state on its way to one destination; all 0 between two destinations. */
interface Gathering {
  readonly graph: RouteGraph;
  readonly search: RouteSearch;
  readonly amount: Float64Array;
  /** 1 in the states where flows begin. */
  readonly sends: Uint8Array;
}

/** Puts the flows into the states where they begin; how many states that are. */
function gatherFlows({ graph, amount, sends }: Gathering, flows: RouterFlows, those: Int32Array, to: number): number {
  let senders = 0;
  for (const flow of those) {
    const from = intAt(flows.from, flow);
    if (from === to) continue;
    const state = intAt(graph.startOf, from);
    amount[state] = realAt(amount, state) + realAt(flows.amount, flow);
    if (sends[state] !== 0) continue;
    sends[state] = 1;
    senders++;
  }
  return senders;
}

/** Leaves nothing where no way leads to the destination. */
function dropStranded({ graph, amount, sends }: Gathering, flows: RouterFlows, those: Int32Array): void {
  for (const flow of those) {
    const state = intAt(graph.startOf, intAt(flows.from, flow));
    amount[state] = 0;
    sends[state] = 0;
  }
}

/** Passes everything on to the destination, farthest states first, and leaves the gathering empty. */
function passLoadsOn({ graph, search, amount, sends }: Gathering, loads: Float64Array): void {
  const { firstStep, stepLink, stepTo } = graph;
  const { distance, order } = search;
  for (let index = search.count - 1; index >= 0; index--) {
    const state = order[index]!;
    const here = amount[state]!;
    sends[state] = 0;
    if (here === 0) continue;
    amount[state] = 0;
    const next = distance[state]! - 1;
    if (next < 0) continue;
    const firstOfState = firstStep[state]!;
    const end = firstStep[state + 1]!;
    let ways = 0;
    for (let step = firstOfState; step < end; step++) if (distance[stepTo[step]!] === next) ways++;
    const share = here / ways;
    for (let step = firstOfState; step < end; step++) {
      const reached = stepTo[step]!;
      if (distance[reached] !== next) continue;
      loads[stepLink[step]!]! += share;
      amount[reached]! += share;
    }
  }
}

/** Above this many bytes the rows kept are dropped and searched for again. */
const memoryLimit = 64 * 2 ** 20;

/**
 * Links from every state to a destination; what lies farther than `longest` reads as a value
 * above it. Rows are kept, so asking for pair after pair costs a search per destination, not
 * per pair. At most 64 MiB.
 */
function destinationRowsOf(
  graph: RouteGraph,
  reverse: ReverseGraph,
  longest: number,
): (destination: number) => Distances {
  const rows = new Map<number, Distances>();
  const noneInParticular = new Uint8Array(graph.stateCount);
  let search: RouteSearch | undefined;
  return (destination) => {
    const known = rows.get(destination);
    if (known) return known;
    search ??= new RouteSearch(graph, reverse);
    search.run(destination, noneInParticular, Infinity);
    const row = distanceRow(search, longest);
    if ((rows.size + 1) * row.byteLength > memoryLimit) rows.clear();
    rows.set(destination, row);
    return row;
  };
}

function distanceRow({ distance, order, count }: RouteSearch, longest: number): Distances {
  const row = distancesOf(distance.length, longest);
  row.fill(2 ** (8 * row.BYTES_PER_ELEMENT) - 1);
  for (let index = 0; index < count; index++) {
    const state = intAt(order, index);
    if (intAt(distance, state) > longest) break;
    row[state] = intAt(distance, state);
  }
  return row;
}

/**
 * The route from a state whose distances to the destination are `distance`; undefined where some
 * state on the way has several next links, or no way leads there. O(hops · degree).
 */
function onlyRoute(
  graph: RouteGraph,
  start: number,
  distance: Distances,
  longest: number,
): readonly LinkId[] | undefined {
  if (distance[start]! > longest) return undefined;
  const { firstStep, stepLink, stepTo } = graph;
  const route: LinkId[] = [];
  let state = start;
  for (let left = distance[start]!; left > 0; left--) {
    let only = -1;
    for (let step = intAt(firstStep, state); step < intAt(firstStep, state + 1); step++) {
      if (distance[intAt(stepTo, step)] !== left - 1) continue;
      if (only >= 0) return undefined;
      only = step;
    }
    route.push(asLinkId(intAt(stepLink, only)));
    state = intAt(stepTo, only);
  }
  return route;
}

/** Walks all routes of a pair at once and splits a flow evenly among the next links of each state. */
export class RouteShares {
  readonly #graph: RouteGraph;
  /** Share that arrives at each state, and that crosses each link; 0 between two calls. */
  readonly #arriving: Float64Array;
  readonly #crossing: Float64Array;
  /** States and links of the walk in order of travel. */
  readonly #states: Int32Array;
  readonly #links: Int32Array;
  #linkCount = 0;

  constructor(graph: RouteGraph, routerLinkCount: number) {
    this.#graph = graph;
    this.#arriving = new Float64Array(graph.stateCount);
    this.#crossing = new Float64Array(routerLinkCount);
    this.#states = new Int32Array(graph.stateCount);
    this.#links = new Int32Array(routerLinkCount);
  }

  /**
   * Calls `visit` once for each link of the routes, in order of travel. O(states and links of the
   * routes · degree). `visit` must not ask for the shares of another pair.
   */
  visit(start: number, distance: ArrayLike<number>, visit: (link: LinkId, share: number) => void): void {
    this.#walk(start, distance);
    const count = this.#linkCount;
    this.#linkCount = 0;
    for (let index = 0; index < count; index++) {
      const link = intAt(this.#links, index);
      const share = realAt(this.#crossing, link);
      this.#crossing[link] = 0;
      visit(asLinkId(link), share);
    }
  }

  /** Breadth first: all that arrives at a state has arrived before the state is left. */
  #walk(start: number, distance: ArrayLike<number>): void {
    const { firstStep, stepTo } = this.#graph;
    this.#states[0] = start;
    this.#arriving[start] = 1;
    let found = 1;
    for (let index = 0; index < found; index++) {
      const state = this.#states[index]!;
      const arriving = this.#arriving[state]!;
      this.#arriving[state] = 0;
      const next = distance[state]! - 1;
      if (next < 0) continue;
      let ways = 0;
      for (let step = firstStep[state]!; step < firstStep[state + 1]!; step++) {
        if (distance[stepTo[step]!] === next) ways++;
      }
      const share = arriving / ways;
      for (let step = firstStep[state]!; step < firstStep[state + 1]!; step++) {
        const reached = stepTo[step]!;
        if (distance[reached] !== next) continue;
        if (this.#arriving[reached] === 0) this.#states[found++] = reached;
        this.#arriving[reached]! += share;
        this.#cross(step, share);
      }
    }
  }

  #cross(step: number, share: number): void {
    const link = this.#graph.stepLink[step]!;
    if (this.#crossing[link] === 0) this.#links[this.#linkCount++] = link;
    this.#crossing[link]! += share;
  }
}

/** Small distances in one byte each; the largest value stands for none. */
type Distances = Uint8Array | Uint16Array;

/** Room for `length` distances up to `longest`, and one value above that. */
const distancesOf = (length: number, longest: number): Distances =>
  longest < 0xff ? new Uint8Array(length) : new Uint16Array(length);

/**
 * Hops between all routers, a row per source that is found when it is first asked for: so that a machine is built at
 * once, and all rows cost O(routers · (states + steps)). Where no more may be kept, the row found longest ago goes.
 * `longest` bounds the hops between any two routers.
 */
function hopsAlongGraph(
  graph: RouteGraph,
  longest: number,
  known: GraphRoutingFacts['knownHops'],
): (from: number, to: number) => number {
  const routerCount = graph.startOf.length;
  const unreached = longest < 0xff ? 0xff : 0xffff;
  const rows = new Array<Distances | undefined>(routerCount).fill(undefined);
  const kept: number[] = [];
  const mostKept = Math.max(1, Math.floor(hopRowMemory / (routerCount * (unreached === 0xff ? 1 : 2))));
  let oldest = 0;
  let fillRow: ReturnType<typeof rowFiller> | undefined;
  const newRow = (from: number): Distances => {
    let row: Distances;
    if (kept.length < mostKept) {
      row = distancesOf(routerCount, longest);
      kept.push(from);
    } else {
      row = rows[kept[oldest]!]!;
      rows[kept[oldest]!] = undefined;
      kept[oldest] = from;
      oldest = (oldest + 1) % mostKept;
    }
    row.fill(unreached);
    row[from] = 0;
    fillRow ??= rowFiller(graph);
    fillRow(from, row);
    return (rows[from] = row);
  };
  return (from, to) => {
    const formula = known?.(from, to);
    if (formula !== undefined) return formula;
    const found = (rows[from] ?? newRow(from))[to]!;
    return found === unreached ? Infinity : found;
  };
}

/** Breadth-first search forwards from a router; it ends when it has seen every router. */
function rowFiller(graph: RouteGraph): (from: number, row: Distances) => void {
  const { stateCount, routerOf, startOf, firstStep, stepTo } = graph;
  const depth = new Int32Array(stateCount);
  const seen = new Uint8Array(stateCount);
  const routerSeen = new Uint8Array(startOf.length);
  const queue = new Int32Array(stateCount);
  return (from, row) => {
    seen.fill(0);
    routerSeen.fill(0);
    const start = intAt(startOf, from);
    queue[0] = start;
    depth[start] = 0;
    seen[start] = 1;
    routerSeen[from] = 1;
    let missing = startOf.length - 1;
    let found = 1;
    for (let index = 0; index < found && missing > 0; index++) {
      const state = intAt(queue, index);
      const next = intAt(depth, state) + 1;
      const end = intAt(firstStep, state + 1);
      for (let step = intAt(firstStep, state); step < end; step++) {
        const reached = intAt(stepTo, step);
        if (seen[reached] !== 0) continue;
        seen[reached] = 1;
        depth[reached] = next;
        queue[found++] = reached;
        const router = intAt(routerOf, reached);
        if (routerSeen[router] !== 0) continue;
        routerSeen[router] = 1;
        row[router] = next;
        missing--;
      }
    }
  };
}
