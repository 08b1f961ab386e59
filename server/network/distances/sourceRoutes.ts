import { groupedBy } from '../routings/routeGraph.ts';
import type { RouteCircuits } from './routeCircuits.ts';

/** No state, and no distance yet. */
export const none = -1;

/**
 * All shortest routes from one router at a time, as a graph without cycles: a step belongs to it
 * where it leads one farther. Arrays are made once and used for every source.
 */
export class SourceRoutes {
  /** Steps that lead to each state, sorted by the state they come from; compressed rows. */
  readonly firstArrival: Int32Array;
  readonly arrivalFrom: Int32Array;
  readonly arrivalCable: Int32Array;
  /** Steps from the source to each state, or `none`. */
  readonly distance: Int32Array;
  /**
   * The last state before each state that every shortest way to it goes through (its immediate
   * dominator); `none` at the start and where no way leads.
   */
  readonly gate: Int32Array;
  start = none;

  readonly #circuits: RouteCircuits;
  readonly #order: Int32Array;

  constructor(circuits: RouteCircuits) {
    const { stateCount, firstStep, stepTo } = circuits.graph;
    this.#circuits = circuits;
    this.#order = new Int32Array(stateCount);
    this.distance = new Int32Array(stateCount);
    this.gate = new Int32Array(stateCount);
    const origin = new Int32Array(stepTo.length);
    for (let state = 0; state < stateCount; state++) origin.fill(state, firstStep[state], firstStep[state + 1]);
    const arrivals = groupedBy(stepTo, stateCount);
    this.firstArrival = arrivals.first;
    this.arrivalFrom = arrivals.members.map((step) => origin[step]!);
    this.arrivalCable = arrivals.members.map((step) => circuits.stepCable[step]!);
  }

  /** Finds the shortest routes from `source`: one breadth-first search. O(states + steps · gates between). */
  explore(source: number): void {
    this.start = this.#circuits.graph.startOf[source]!;
    const reached = this.#search();
    this.#findGates(reached);
  }

  /** The last gate that two states share; either may be `none`, which leaves the other. */
  sharedGate(one: number, other: number): number {
    if (one === none) return other;
    if (other === none) return one;
    const { distance, gate } = this;
    let a = one;
    let b = other;
    while (a !== b) {
      const ahead = distance[a]! - distance[b]!;
      if (ahead >= 0) a = gate[a]!;
      if (ahead <= 0) b = gate[b]!;
    }
    return a;
  }

  /** Number of states reached, which stand in `#order` nearest first. */
  #search(): number {
    const { firstStep, stepTo } = this.#circuits.graph;
    const { distance } = this;
    const order = this.#order;
    distance.fill(none);
    distance[this.start] = 0;
    order[0] = this.start;
    let reached = 1;
    for (let at = 0; at < reached; at++) {
      const state = order[at]!;
      const next = distance[state]! + 1;
      const end = firstStep[state + 1]!;
      for (let step = firstStep[state]!; step < end; step++) {
        const to = stepTo[step]!;
        if (distance[to] !== none) continue;
        distance[to] = next;
        order[reached++] = to;
      }
    }
    return reached;
  }

  /** Cooper, Harvey and Kennedy 2001, A simple, fast dominance algorithm; one pass, as there is no cycle. */
  #findGates(reached: number): void {
    const { firstArrival, arrivalFrom, distance, gate } = this;
    gate.fill(none);
    for (let at = 1; at < reached; at++) {
      const state = this.#order[at]!;
      const before = distance[state]! - 1;
      let shared = none;
      const end = firstArrival[state + 1]!;
      for (let arrival = firstArrival[state]!; arrival < end; arrival++) {
        const from = arrivalFrom[arrival]!;
        if (distance[from] === before) shared = this.sharedGate(shared, from);
      }
      gate[state] = shared;
    }
  }
}
