import type { RouteGraph } from '../../model/machine.ts';
import type { ReverseGraph } from './routeGraph.ts';

/** Distance of a state from which the search has found no way. */
export const unreached = -1;

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
   * that is nearer to the destination is known by then. O(states + steps) at most.
   */
  run(destination: number, wanted: Uint8Array, wantedCount: number): void {
    const { distance, order } = this;
    const { firstStep, stepFrom } = this.#reverse;
    this.#begin(destination);
    let found = this.count;
    let missing = wantedCount;
    for (let index = 0; index < found && missing > 0; index++) {
      const state = order[index]!;
      const next = distance[state]! + 1;
      const end = firstStep[state + 1]!;
      for (let step = firstStep[state]!; step < end; step++) {
        const before = stepFrom[step]!;
        if (distance[before] !== unreached) continue;
        distance[before] = next;
        order[found++] = before;
        missing -= wanted[before]!;
      }
    }
    this.count = found;
  }

  /** Forgets the last search; only what it had found needs to be cleared. */
  #begin(destination: number): void {
    const { distance, order } = this;
    const { firstState, states } = this.#reverse;
    for (let index = 0; index < this.count; index++) distance[order[index]!] = unreached;
    this.count = 0;
    for (let index = firstState[destination]!; index < firstState[destination + 1]!; index++) {
      distance[states[index]!] = 0;
      order[this.count++] = states[index]!;
    }
  }
}
