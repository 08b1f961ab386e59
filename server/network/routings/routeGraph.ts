/** Graphs of states that packets go through (`routeGraphOf`), and the searches in them that routings rest on. */
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { RouteGraph, Topology } from '../../model/machine.ts';
import { distancesFrom } from '../../numeric/breadthFirst.ts';
import { groupedBy, transposedRows } from '../../numeric/grouping.ts';

/**
 * What a packet remembers of its way, as a phase from 0 to `count − 1`; every route begins in
 * phase 0. `next` gives the phase after a link, or −1 where the link is forbidden in that phase.
 */
export interface Phases {
  readonly count: number;
  readonly next: (phase: number, link: number) => number;
}

/** A packet remembers nothing and may take every link: all shortest ways are routes. */
export const onePhase: Phases = { count: 1, next: () => 0 };

/**
 * The graph of states (router, phase), state = router · phases + phase, steps in order of links.
 * O(links · phases) time and memory.
 */
export function routeGraphOf({ links, routerCount }: Topology, phases: Phases): RouteGraph {
  const stateCount = routerCount * phases.count;
  const firstStep = new Int32Array(stateCount + 1);
  const stepLink = new Int32Array(links.routerLinkCount * phases.count);
  const stepTo = new Int32Array(stepLink.length);
  let step = 0;
  for (let state = 0; state < stateCount; state++) {
    firstStep[state] = step;
    const router = Math.floor(state / phases.count);
    const phase = state - router * phases.count;
    for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
      const next = phases.next(phase, link);
      if (next < 0) continue;
      stepLink[step] = link;
      stepTo[step++] = intAt(links.to, link) * phases.count + next;
    }
  }
  firstStep[stateCount] = step;
  return {
    stateCount,
    routerOf: Int32Array.from({ length: stateCount }, (_, state) => Math.floor(state / phases.count)),
    startOf: Int32Array.from({ length: routerCount }, (_, router) => router * phases.count),
    firstStep,
    stepLink: stepLink.slice(0, step),
    stepTo: stepTo.slice(0, step),
  };
}

/** A route graph seen from where routes end. Compressed sparse rows. */
export interface ReverseGraph {
  /** Steps that lead to state s come from `stepFrom[firstStep[s]] …`. */
  readonly firstStep: Int32Array;
  readonly stepFrom: Int32Array;
  /** States of router r are `states[firstState[r]] …`. */
  readonly firstState: Int32Array;
  readonly states: Int32Array;
}

/** O(states + steps). */
export function reversedGraph(graph: RouteGraph): ReverseGraph {
  const { routerOf, startOf, firstStep, stepTo } = graph;
  const steps = transposedRows(firstStep, stepTo);
  const states = groupedBy(routerOf, startOf.length);
  return {
    firstStep: steps.start,
    stepFrom: steps.row,
    firstState: states.start,
    states: states.members,
  };
}

/** Distance of a state from which the search has found no way. */
const unreached = -1;

/**
 * Breadth-first search backwards from a destination over the states of a route graph: how many
 * links each state is away from it. The workspace is allocated once and used for any number of
 * destinations.
 */
export class RouteSearch {
  /** Links from each state to the destination of the last search, or {@link unreached}. */
  readonly distance: Int32Array;
  /** The first `count` are the states found, in order of ascending distance. */
  readonly order: Int32Array;
  count = 0;
  readonly #reverse: ReverseGraph;

  constructor({ stateCount }: RouteGraph, reverse: ReverseGraph) {
    this.#reverse = reverse;
    this.distance = new Int32Array(stateCount).fill(unreached);
    this.order = new Int32Array(stateCount);
  }

  /**
   * Searches until `wantedCount` states that are marked in `wanted` have been found: every state
   * that is nearer to the destination is known by then. How many have no way to it. O(states + steps) at most.
   */
  run(destination: number, wanted: Uint8Array, wantedCount: number): number {
    const { distance, order } = this;
    const { firstStep, stepFrom } = this.#reverse;
    this.#begin(destination);
    let found = this.count;
    let missing = wantedCount;
    for (let index = 0; index < found && missing > 0; index++) {
      const state = intAt(order, index);
      const next = intAt(distance, state) + 1;
      const end = intAt(firstStep, state + 1);
      for (let step = intAt(firstStep, state); step < end; step++) {
        const before = intAt(stepFrom, step);
        if (distance[before] !== unreached) continue;
        distance[before] = next;
        order[found++] = before;
        missing -= byteAt(wanted, before);
      }
    }
    this.count = found;
    return missing;
  }

  /** Forgets the last search; only what it had found needs to be cleared. */
  #begin(destination: number): void {
    const { distance, order } = this;
    const { firstState, states } = this.#reverse;
    for (let index = 0; index < this.count; index++) distance[intAt(order, index)] = unreached;
    this.count = 0;
    for (let index = intAt(firstState, destination); index < intAt(firstState, destination + 1); index++) {
      distance[intAt(states, index)] = 0;
      order[this.count++] = intAt(states, index);
    }
  }
}

/** Bytes of rows that are kept. */
const rowMemoryLimit = 64 * 2 ** 20;

/**
 * The mean weight of the routes to one router after the other: Σ share · weight over the links of a flow, which is split evenly among
 * the next links of each state as loads are. Rows are kept up to 64 MiB, so whoever asks for many pairs had better
 * ask for those of one receiver after the other.
 */
export class RouteWeights {
  readonly #graph: RouteGraph;
  readonly #search: RouteSearch;
  readonly #nobody: Uint8Array;
  readonly #cost: Float64Array;
  readonly #rows = new Map<number, Float64Array>();
  readonly #weights: Float64Array;

  /** `weights` by LinkId. */
  constructor(graph: RouteGraph, reverse: ReverseGraph, weights: Float64Array) {
    this.#graph = graph;
    this.#search = new RouteSearch(graph, reverse);
    this.#nobody = new Uint8Array(graph.stateCount);
    this.#cost = new Float64Array(graph.stateCount);
    this.#weights = weights;
  }

  /** The weight from each router to `to`, by RouterId; Infinity where there is no way. O(states + steps), or nothing where it is kept. */
  rowTo(to: number): Float64Array {
    const known = this.#rows.get(to);
    if (known !== undefined) return known;
    const row = new Float64Array(this.#graph.startOf.length);
    this.fillRow(to, row);
    if ((this.#rows.size + 1) * row.byteLength > rowMemoryLimit) this.#rows.clear();
    this.#rows.set(to, row);
    return row;
  }

  /** The same into a row of the caller's. O(states + steps). */
  fillRow(to: number, row: Float64Array): void {
    const { startOf, firstStep, stepLink, stepTo } = this.#graph;
    const { distance, order } = this.#search;
    const cost = this.#cost;
    const weights = this.#weights;
    this.#search.run(to, this.#nobody, Infinity);
    const { count } = this.#search;
    for (let index = 0; index < count; index++) {
      const state = intAt(order, index);
      const next = intAt(distance, state) - 1;
      const end = next < 0 ? 0 : intAt(firstStep, state + 1);
      let sum = 0;
      let ways = 0;
      for (let step = intAt(firstStep, state); step < end; step++) {
        const reached = intAt(stepTo, step);
        if (distance[reached] !== next) continue;
        sum += realAt(weights, intAt(stepLink, step)) + realAt(cost, reached);
        ways++;
      }
      cost[state] = ways === 0 ? 0 : sum / ways;
    }
    for (let router = 0; router < row.length; router++) {
      const start = intAt(startOf, router);
      row[router] = intAt(distance, start) < 0 ? Infinity : realAt(cost, start);
    }
  }
}

/** Links from one router to every router by the shortest way, −1 where there is none. O(links). */
export const levelsFrom = ({ links }: Topology, start: number): Int32Array =>
  distancesFrom(links.firstLink, links.to, [start]);

/** The deepest level there is. */
export const depthOf = (level: Int32Array): number => level.reduce((deepest, own) => Math.max(deepest, own), 0);
