import { asLinkId, type LinkId } from '../../model/identifiers.ts';
import type { RouteGraph } from '../../model/machine.ts';
import type { Distances } from './hopTable.ts';

/**
 * The route from a state whose distances to the destination are `distance`; undefined where some
 * state on the way has several next links. O(hops · degree).
 */
export function onlyRoute(graph: RouteGraph, start: number, distance: Distances): readonly LinkId[] | undefined {
  const { firstStep, stepLink, stepTo } = graph;
  const route: LinkId[] = [];
  let state = start;
  for (let left = distance[start]!; left > 0; left--) {
    let only = -1;
    for (let step = firstStep[state]!; step < firstStep[state + 1]!; step++) {
      if (distance[stepTo[step]!] !== left - 1) continue;
      if (only >= 0) return undefined;
      only = step;
    }
    route.push(asLinkId(stepLink[only]!));
    state = stepTo[only]!;
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
  visit(start: number, distance: Distances, visit: (link: LinkId, share: number) => void): void {
    this.#walk(start, distance);
    const count = this.#linkCount;
    this.#linkCount = 0;
    for (let index = 0; index < count; index++) {
      const link = this.#links[index]!;
      const share = this.#crossing[link]!;
      this.#crossing[link] = 0;
      visit(asLinkId(link), share);
    }
  }

  /** Breadth first: all that arrives at a state has arrived before the state is left. */
  #walk(start: number, distance: Distances): void {
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
