/** Which flows cross one link and with what share, answered pair by pair without routing all pairs: `linkUseOf`. */
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { LinkId, RouterId } from '../../model/identifiers.ts';
import type { Machine, RouteGraph, Routing } from '../../model/machine.ts';
import { visitNodeShares } from '../../network/links.ts';
import { distancesFrom } from '../../numeric/breadthFirst.ts';
import { transposedRows } from '../../numeric/grouping.ts';

/**
 * Which flows cross one directed link, a host link or one between routers; from and to what `PlacedTasks.end` holds, nodes unless
 * tasks have rails of their own.
 */
export interface LinkUse {
  readonly link: LinkId;
  /** False where nothing that this node sends can cross: a quick way past whole rows of pairs. */
  takesFrom(node: number): boolean;
  /** Whether a flow between two nodes crosses, with all or a part of it; exact. */
  crosses(from: number, to: number): boolean;
  /**
   * Present where all routers can be asked for at once, which is quicker than pair by pair for a sender to most of them: 1 at those
   * that flows from a node cross to, by RouterId, until the next call. O(`routers`).
   */
  readonly receivers?: { readonly routers: number; of(from: number): Uint8Array };
  /**
   * For so many receiving routers the shares are remembered, so whoever asks for many pairs had
   * better ask for those of so many at a time.
   */
  readonly receiversAtATime: number;
  /**
   * The part of a flow that crosses, 0 … 1. Where there are several routes, all pairs with one
   * receiving router together cost at most O(states + steps).
   */
  share(from: number, to: number): number;
}

/** Bytes of shares that are remembered for each link. */
const rememberedBytes = 32 * 2 ** 20;

/**
 * The use of `link`, ready to be asked for many pairs. Set up in O(routers), or in the states and
 * steps of the routing where that is a graph; a pair is then answered without its route.
 * Shares take up to `remembered` bytes.
 */
export function linkUseOf(
  machine: Machine,
  link: LinkId,
  remembered = rememberedBytes,
  rows = new HopRow(machine),
): LinkUse {
  const { routerLinkCount } = machine.topology.links;
  if (machine.rails !== undefined) return alongRoutes(machine, link);
  return link < routerLinkCount
    ? betweenRouters(machine, link, remembered, rows)
    : ofHost(link, link - routerLinkCount);
}

/** Of many links at once; what they all need to know of a sender is asked once. */
export function linkUsesOf(machine: Machine, links: readonly LinkId[]): readonly LinkUse[] {
  const rows = new HopRow(machine);
  return links.map((link) => linkUseOf(machine, link, rememberedBytes, rows));
}

/** Hops from the router that was asked for last to every router, −1 where no route leads. */
class HopRow {
  readonly #machine: Machine;
  readonly #hops: Int32Array;
  #from = -1;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#hops = new Int32Array(machine.topology.routerCount);
  }

  /** O(routers), or nothing where it is the one of before. */
  from(router: RouterId): Int32Array {
    const { routing } = this.#machine;
    if (router !== this.#from) {
      for (let to = 0; to < this.#hops.length; to++) {
        const hops = routing.hops(router, to as RouterId);
        this.#hops[to] = hops === Infinity ? -1 : hops;
      }
      this.#from = router;
    }
    return this.#hops;
  }
}

/** From node n to its router is host link 2n, the way back 2n + 1; nothing within a node takes them. */
function ofHost(link: LinkId, hostLink: number): LinkUse {
  const node = hostLink >> 1;
  const leaves = (hostLink & 1) === 0;
  const crosses = (from: number, to: number): boolean => from !== to && (leaves ? from : to) === node;
  return {
    link,
    takesFrom: (from) => !leaves || from === node,
    crosses,
    receiversAtATime: Infinity,
    share: (from, to) => (crosses(from, to) ? 1 : 0),
  };
}

function betweenRouters(machine: Machine, link: LinkId, remembered: number, rows: HopRow): LinkUse {
  const { routing } = machine;
  if (routing.byNode !== undefined) return alongRoutes(machine, link);
  if (routing.weigh !== undefined) return weighed(machine, link);
  const { routerOfNode } = machine.topology;
  const crossing = crossingOf(machine, link, rows);
  const { receivers } = crossing;
  const shares =
    routing.singlePath || routing.graph === undefined
      ? undefined
      : new SharesOver(routing, routing.graph, link, remembered);
  const crosses = (from: number, to: number): boolean =>
    crossing.crosses(intAt(routerOfNode, from) as RouterId, intAt(routerOfNode, to) as RouterId);
  return {
    link,
    takesFrom: (from) => crossing.takesFrom(intAt(routerOfNode, from) as RouterId),
    crosses,
    ...(receivers && {
      receivers: {
        routers: machine.topology.routerCount,
        of: (from: number) => receivers(intAt(routerOfNode, from) as RouterId),
      },
    }),
    receiversAtATime: shares?.receiversAtATime ?? Infinity,
    share: (from, to) => {
      if (!crosses(from, to)) return 0;
      return shares === undefined
        ? 1
        : shares.of(intAt(routerOfNode, from) as RouterId, intAt(routerOfNode, to) as RouterId);
    },
  };
}

/** Where nodes have routes of their own each route is walked. O(hops). */
function alongRoutes(machine: Machine, link: LinkId): LinkUse {
  const share = (from: number, to: number): number => {
    let found = 0;
    // Several rails of a node may come together on a link.
    visitNodeShares(machine, from, to, (visited, part) => {
      if (visited === link) found += part;
    });
    return found;
  };
  return { link, takesFrom: () => true, crosses: (from, to) => share(from, to) > 0, receiversAtATime: Infinity, share };
}

/** Where routes lead over many links, a pair meets as much of one as it weighs where that link alone has a weight. */
function weighed({ topology, routing }: Machine, link: LinkId): LinkUse {
  const { routerOfNode, links } = topology;
  const weight = new Float64Array(links.routerLinkCount);
  weight[link] = 1;
  const over = routing.weigh?.(weight);
  // What every router sends to one is worked out together, and kept for so many.
  const receiversAtATime = Math.max(1, Math.floor(rememberedBytes / (8 * topology.routerCount)));
  const share = (from: number, to: number): number => {
    const [start, end] = [intAt(routerOfNode, from) as RouterId, intAt(routerOfNode, to) as RouterId];
    return start === end ? 0 : (over?.(start, end) ?? 0);
  };
  return { link, takesFrom: () => true, crosses: (from, to) => share(from, to) > 0, receiversAtATime, share };
}

/** What is known of the flows to one router: from each state the share that takes the link, or NaN. */
interface Receiver {
  readonly stepsTo: ArrayLike<number>;
  readonly share: Float64Array;
  /** No way from a state with as few steps left leads over the link. */
  readonly behind: number;
}

/**
 * The share of flows between two routers that takes a link. A flow is split evenly among the next
 * steps of each state, so the share from a state is the mean over its next steps of what takes the
 * link from there, and 1 for a step that takes it. It does not depend on where the flow began:
 * states are worked out when a route first comes by, and known to all other senders.
 */
class SharesOver {
  readonly receiversAtATime: number;
  readonly #routing: Routing;
  readonly #graph: RouteGraph;
  readonly #link: LinkId;
  /** States to which a step over the link leads. */
  readonly #ends: readonly number[];
  readonly #receivers = new Map<RouterId, Receiver>();
  /** States that are being worked out, in order of travel. */
  readonly #states: Int32Array;

  constructor(routing: Routing, graph: RouteGraph, link: LinkId, remembered: number) {
    this.#routing = routing;
    this.#graph = graph;
    this.#link = link;
    const ends: number[] = [];
    for (const [step, taken] of graph.stepLink.entries()) if (taken === link) ends.push(intAt(graph.stepTo, step));
    this.#ends = ends;
    this.#states = new Int32Array(graph.stateCount);
    this.receiversAtATime = Math.max(1, Math.floor(remembered / (8 * graph.stateCount)));
  }

  of(from: RouterId, to: RouterId): number {
    const start = intAt(this.#graph.startOf, from);
    const receiver = this.#receivers.get(to) ?? this.#newReceiver(to);
    if (Number.isNaN(realAt(receiver.share, start))) this.#workOut(start, receiver);
    return realAt(receiver.share, start);
  }

  #newReceiver(to: RouterId): Receiver {
    if (this.#receivers.size >= this.receiversAtATime) this.#receivers.clear();
    const stepsTo = this.#routing.stepsTo(to)!;
    const behind = this.#ends.reduce((least, end) => Math.min(least, stepsTo[end]!), Infinity);
    const receiver = { stepsTo, share: new Float64Array(this.#graph.stateCount).fill(NaN), behind };
    this.#receivers.set(to, receiver);
    return receiver;
  }

  /** The states on the way from `start` that are not known yet, breadth first, then backwards. */
  #workOut(start: number, { stepsTo, share, behind }: Receiver): void {
    const { firstStep, stepLink, stepTo } = this.#graph;
    const states = this.#states;
    // Each is set to 0 when it is found, so that it is found once.
    share[start] = 0;
    states[0] = start;
    let found = 1;
    for (let index = 0; index < found; index++) {
      const state = intAt(states, index);
      const next = stepsTo[state]! - 1;
      if (next < behind) continue;
      for (let step = intAt(firstStep, state); step < intAt(firstStep, state + 1); step++) {
        const reached = intAt(stepTo, step);
        if (stepsTo[reached] !== next || !Number.isNaN(realAt(share, reached))) continue;
        share[reached] = 0;
        states[found++] = reached;
      }
    }
    for (let index = found - 1; index >= 0; index--) {
      const state = intAt(states, index);
      const next = stepsTo[state]! - 1;
      if (next < behind) continue;
      let ways = 0;
      let taken = 0;
      for (let step = intAt(firstStep, state); step < intAt(firstStep, state + 1); step++) {
        if (stepsTo[intAt(stepTo, step)] !== next) continue;
        ways++;
        taken += (stepLink[step] === this.#link ? 1 : 0) + realAt(share, intAt(stepTo, step));
      }
      share[state] = taken / ways;
    }
  }
}

/** Which pairs of routers have a route over one link. */
interface Crossing {
  /** False where no route from this router crosses. */
  takesFrom(router: RouterId): boolean;
  /** Exact. */
  crosses(from: RouterId, to: RouterId): boolean;
  /** As `receivers` of a {@link LinkUse}. */
  readonly receivers?: (from: RouterId) => Uint8Array;
}

/** The crossing of a link between two routers. */
function crossingOf(machine: Machine, link: LinkId, rows: HopRow): Crossing {
  const { graph } = machine.routing;
  return graph === undefined ? crossingOfRoutes(machine, link) : crossingOfGraph(machine, graph, link, rows);
}

/**
 * One route per pair. A route through the link from u to v begins with the route to v, which ends
 * with the link, and ends with the route from u, which begins with it: parts of a route are the
 * routes of their ends. Few routers pass on both sides; for those that do, hops tell whether the
 * way through the link is as short as the route, and then the route is walked, since another way
 * round a ring may be as short. A side's answer is found when it is first asked for. O(hops).
 */
function crossingOfRoutes({ routing, topology }: Machine, link: LinkId): Crossing {
  const start = intAt(topology.links.from, link) as RouterId;
  const end = intAt(topology.links.to, link) as RouterId;
  const from = rememberedAnswers(topology.routerCount, (router) => routing.route(router, end)?.at(-1) === link);
  const to = rememberedAnswers(topology.routerCount, (router) => routing.route(start, router)?.[0] === link);
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
function rememberedAnswers(routerCount: number, ask: (router: RouterId) => boolean): (router: RouterId) => boolean {
  /** 0 unknown, 1 no, 2 yes. */
  const known = new Uint8Array(routerCount);
  return (router) => {
    const answer = byteAt(known, router);
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
function crossingOfGraph({ routing, topology }: Machine, graph: RouteGraph, link: LinkId, rows: HopRow): Crossing {
  const { routerCount } = topology;
  const backwards = stepsBackwards(graph);
  const steps: Step[] = [];
  for (let state = 0; state < graph.stateCount; state++) {
    for (let step = intAt(graph.firstStep, state); step < intAt(graph.firstStep, state + 1); step++) {
      if (graph.stepLink[step] !== link) continue;
      const toState = hopsFrom(state, backwards);
      const behind = hopsFrom(intAt(graph.stepTo, step), graph);
      steps.push({
        before: Int32Array.from({ length: routerCount }, (_, router) => intAt(toState, intAt(graph.startOf, router))),
        behind: nearestState(graph, behind, routerCount),
      });
    }
  }
  const marks = new Uint8Array(routerCount);
  return {
    receivers(from) {
      const hops = rows.from(from);
      marks.fill(0);
      for (const { before, behind } of steps) {
        const first = intAt(before, from) + 1;
        if (first > unreachable) continue;
        // From a router to itself it takes no hops, and no way over the link is so short.
        for (let to = 0; to < routerCount; to++) if (first + intAt(behind, to) === intAt(hops, to)) marks[to] = 1;
      }
      return marks;
    },
    takesFrom: (router) => steps.some(({ before }) => intAt(before, router) < unreachable),
    crosses(from, to) {
      if (from === to) return false;
      const hops = routing.hops(from, to);
      for (const { before, behind } of steps) if (intAt(before, from) + 1 + intAt(behind, to) === hops) return true;
      return false;
    },
  };
}

/** Steps from one state to every other. O(states + steps). */
const hopsFrom = (state: number, { firstStep, stepTo }: Pick<RouteGraph, 'firstStep' | 'stepTo'>): Int32Array =>
  distancesFrom(firstStep, stepTo, [state]).map((hops) => (hops < 0 ? unreachable : hops));

/** Of each router the hops of its nearest state. */
function nearestState({ routerOf }: RouteGraph, hops: Int32Array, routerCount: number): Int32Array {
  const nearest = new Int32Array(routerCount).fill(unreachable);
  for (let state = 0; state < hops.length; state++) {
    const router = intAt(routerOf, state);
    if (intAt(hops, state) < intAt(nearest, router)) nearest[router] = intAt(hops, state);
  }
  return nearest;
}

/** The steps of a graph of routes turned round: those that lead to each state, by where they come from. O(steps). */
function stepsBackwards({ firstStep, stepTo }: RouteGraph): Pick<RouteGraph, 'firstStep' | 'stepTo'> {
  const { start, row } = transposedRows(firstStep, stepTo);
  return { firstStep: start, stepTo: row };
}
