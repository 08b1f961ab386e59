import { intAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { groupedBy, transposedRows } from '../../numeric/grouping.ts';
import { Circuit, terminals } from './circuit.ts';
import type { RouteCircuits, SolveDistances, WantedDistances } from './contract.ts';

const unknown = -1;

/** Parts behind gates that are remembered, some 16 MB; after so many questions one in eight must have been answered. */
const mostParts = 2 ** 18;
const trialParts = 2 ** 15;

/**
 * Equivalent distances of Orduña et al. 2004, section 3: the resistance between two routers of all
 * cables on the shortest routes between them, one ohm each. A cable counts once, whichever way and
 * however often routes take it; two parallel cables are two resistors.
 *
 * Routes are searched once per source. A state that every route to another goes through (a gate)
 * cuts the circuit in two that are in series, as no shortest route comes to a router twice: so only
 * the part behind the last gate is cut out, reduced and solved, and the resistance up to the gate,
 * which many targets share, is remembered. What lies behind a gate that is not the source is the same from every source
 * that has it, edge by edge, and is remembered as well: under up/down routing nine of ten parts. Every thread has a solver of its own.
 */
export class EquivalentSolver {
  readonly #circuits: RouteCircuits;
  readonly #routes: SourceRoutes;
  readonly #circuit = new Circuit();
  /** States of each router, compressed rows. */
  readonly #firstState: Int32Array;
  readonly #states: Int32Array;
  /** Resistance from the source to each state, or `unknown`. */
  readonly #resistance: Float64Array;
  /** Gates on the way to a state. */
  readonly #gates: Int32Array;
  /** Resistance between a state and its gate, by gate · states + state; and how often one was looked for and found. */
  readonly #parts = new Map<number, number>();
  #asked = 0;
  #answered = 0;
  /** Stamps of the circuit that is being cut out: what bears the current one is in it. */
  #stamp = 0;
  readonly #stateStamp: Int32Array;
  readonly #cableStamp: Int32Array;
  readonly #routerStamp: Int32Array;
  readonly #nodeOfRouter: Int32Array;
  readonly #stack: Int32Array;
  #stackSize = 0;

  constructor(circuits: RouteCircuits) {
    const { graph, routerCount, cableLimit } = circuits;
    this.#circuits = circuits;
    this.#routes = new SourceRoutes(circuits);
    this.#resistance = new Float64Array(graph.stateCount);
    this.#stateStamp = new Int32Array(graph.stateCount);
    this.#stack = new Int32Array(graph.stateCount);
    this.#cableStamp = new Int32Array(cableLimit);
    this.#routerStamp = new Int32Array(routerCount);
    this.#nodeOfRouter = new Int32Array(routerCount);
    this.#gates = new Int32Array(graph.stateCount);
    const { start, members } = groupedBy(graph.routerOf, routerCount);
    this.#firstState = start;
    this.#states = members;
  }

  /**
   * Writes the distances from the source at `position` of `wanted` into `values`; NaN where no route
   * leads. False if cancelled: then some are missing.
   */
  solve(wanted: WantedDistances, position: number, values: Float64Array, cancellation: Cancellation): boolean {
    const source = intAt(wanted.sources, position);
    this.#begin(source);
    let value = intAt(wanted.firstValue, position);
    const end = intAt(wanted.endTarget, position);
    for (let at = intAt(wanted.firstTarget, position); at < end; at++) {
      if (cancellation.isCancelled()) return false;
      const target = intAt(wanted.targets, at);
      values[value++] = target === source ? 0 : this.#distanceTo(target);
    }
    return true;
  }

  #begin(source: number): void {
    this.#routes.explore(source);
    this.#resistance.fill(unknown);
    this.#resistance[this.#routes.start] = 0;
  }

  /** Routes to a router end in the nearest of its states, or in all of the nearest. */
  #distanceTo(target: number): number {
    const { distance } = this.#routes;
    const end = intAt(this.#firstState, target + 1);
    let nearest = none;
    let count = 0;
    for (let at = intAt(this.#firstState, target); at < end; at++) {
      const state = intAt(this.#states, at);
      if (distance[state] === none) continue;
      if (nearest === none || intAt(distance, state) < intAt(distance, nearest)) {
        nearest = state;
        count = 1;
      } else if (distance[state] === distance[nearest]) count++;
    }
    if (nearest === none) return Number.NaN;
    return count === 1 ? this.#resistanceTo(nearest) : this.#throughSeveral(target, intAt(distance, nearest));
  }

  #throughSeveral(target: number, nearest: number): number {
    const { distance } = this.#routes;
    const end = intAt(this.#firstState, target + 1);
    let gate = none;
    for (let at = intAt(this.#firstState, target); at < end; at++) {
      const state = intAt(this.#states, at);
      if (distance[state] === nearest) gate = this.#routes.sharedGate(gate, state);
    }
    const before = this.#resistanceTo(gate);
    this.#beginCircuit(gate, target);
    for (let at = intAt(this.#firstState, target); at < end; at++) {
      const state = intAt(this.#states, at);
      if (distance[state] === nearest) this.#push(state);
    }
    return before + this.#solveCircuit(gate);
  }

  /** Back from gate to gate to the nearest that is known, then forth again, adding up what lies between. */
  #resistanceTo(state: number): number {
    const { gate } = this.#routes;
    const resistance = this.#resistance;
    let unsolved = 0;
    let at = state;
    for (; resistance[at] === unknown; at = intAt(gate, at)) this.#gates[unsolved++] = at;
    while (unsolved > 0) {
      const next = intAt(this.#gates, --unsolved);
      resistance[next] = realAt(resistance, at) + this.#resistanceBehind(at, next);
      at = next;
    }
    return realAt(resistance, state);
  }

  /** Resistance between a state and its gate. */
  #resistanceBehind(gate: number, state: number): number {
    const { firstArrival, arrivalFrom, distance } = this.#routes;
    if (intAt(distance, state) - 1 === distance[gate]) {
      // Every route comes straight from the gate: parallel cables.
      let cables = 0;
      const end = intAt(firstArrival, state + 1);
      for (let arrival = intAt(firstArrival, state); arrival < end; arrival++)
        if (arrivalFrom[arrival] === gate) cables++;
      return 1 / cables;
    }
    const isShared = gate !== this.#routes.start && this.#paysToRemember();
    const part = gate * this.#resistance.length + state;
    const known = isShared ? this.#parts.get(part) : undefined;
    if (isShared) this.#asked++;
    if (known !== undefined) {
      this.#answered++;
      return known;
    }
    this.#beginCircuit(gate, intAt(this.#circuits.graph.routerOf, state));
    this.#push(state);
    const found = this.#solveCircuit(gate);
    if (isShared && this.#parts.size < mostParts) this.#parts.set(part, found);
    return found;
  }

  /** Networks whose sources share few gates are not worth the memory. */
  #paysToRemember(): boolean {
    return this.#asked < trialParts || 8 * this.#answered >= this.#asked;
  }

  #beginCircuit(gate: number, target: number): void {
    this.#stamp++;
    this.#stackSize = 0;
    this.#circuit.clear();
    const start = intAt(this.#circuits.graph.routerOf, gate);
    this.#stateStamp[gate] = this.#stamp;
    this.#routerStamp[start] = this.#stamp;
    this.#nodeOfRouter[start] = terminals.from;
    this.#routerStamp[target] = this.#stamp;
    this.#nodeOfRouter[target] = terminals.to;
  }

  /** A state whose arrivals are still to be gone through. */
  #push(state: number): void {
    if (this.#stateStamp[state] === this.#stamp) return;
    this.#stateStamp[state] = this.#stamp;
    this.#stack[this.#stackSize++] = state;
  }

  /** Goes back from the states on the stack to the gate and solves what it has passed. */
  #solveCircuit(gate: number): number {
    const { routerOf } = this.#circuits.graph;
    const { firstArrival, arrivalFrom, distance } = this.#routes;
    while (this.#stackSize > 0) {
      const state = this.#stack[--this.#stackSize]!;
      const node = this.#nodeOf(routerOf[state]!);
      const before = distance[state]! - 1;
      const end = firstArrival[state + 1]!;
      for (let arrival = firstArrival[state]!; arrival < end;) {
        const from = arrivalFrom[arrival]!;
        if (distance[from] !== before) {
          arrival++;
          continue;
        }
        let cables = 0;
        for (; arrival < end && arrivalFrom[arrival] === from; arrival++) cables += this.#firstPassing(arrival);
        if (cables > 0) this.#circuit.addEdge(this.#nodeOf(routerOf[from]!), node, cables);
        if (from !== gate) this.#push(from);
      }
    }
    return this.#circuit.resistance();
  }

  /** 1 the first time that a cable is passed, then 0. */
  #firstPassing(arrival: number): number {
    const cable = intAt(this.#routes.arrivalCable, arrival);
    if (this.#cableStamp[cable] === this.#stamp) return 0;
    this.#cableStamp[cable] = this.#stamp;
    return 1;
  }

  #nodeOf(router: number): number {
    if (this.#routerStamp[router] === this.#stamp) return intAt(this.#nodeOfRouter, router);
    this.#routerStamp[router] = this.#stamp;
    return (this.#nodeOfRouter[router] = this.#circuit.addNode());
  }
}

/** No state, and no distance yet. */
const none = -1;

/**
 * All shortest routes from one router at a time, as a graph without cycles: a step belongs to it
 * where it leads one farther. Arrays are made once and used for every source.
 */
class SourceRoutes {
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
    const arrivals = transposedRows(firstStep, stepTo);
    this.firstArrival = arrivals.start;
    this.arrivalFrom = arrivals.row;
    this.arrivalCable = arrivals.entry.map((step) => intAt(circuits.stepCable, step));
  }

  /** Finds the shortest routes from `source`: one breadth-first search. O(states + steps · gates between). */
  explore(source: number): void {
    this.start = intAt(this.#circuits.graph.startOf, source);
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

/** All in the calling thread. */
export const solveHere: SolveDistances = (circuits, wanted, cancellation, progress) => {
  const solver = new EquivalentSolver(circuits);
  const values = new Float64Array(wanted.valueCount);
  const sources = wanted.sources.length;
  for (let position = 0; position < sources; position++) {
    if (!solver.solve(wanted, position, values, cancellation)) return undefined;
    progress((position + 1) / sources, 'equivalent distances');
  }
  return values;
};
