/** Routes that the file of a network gives, as SimGrid's platforms do: each pair has one, which need not be the shortest. */
import { asRouterId } from '../../model/identifiers.ts';
import type { RouteGraph, Routing, Topology } from '../../model/machine.ts';
import { fail, type Result, succeed } from '../../model/result.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';
import { routerName } from '../names.ts';
import { graphRouting } from './graphRouting.ts';

/** States with their steps, while routes are added. */
class RouteTrees {
  readonly #routerOf: number[];
  /** By state: the next state by link. */
  readonly #next: Map<number, number>[];
  readonly #routerCount: number;

  constructor(routerCount: number) {
    this.#routerCount = routerCount;
    this.#routerOf = Array.from({ length: routerCount }, (_, router) => router);
    this.#next = Array.from({ length: routerCount }, () => new Map<number, number>());
  }

  /** Routes from one router share the states of their common beginning, so that no two ways lead to one router. O(hops). */
  add(from: number, links: readonly number[], topology: Topology): void {
    let state = from;
    for (const link of links) {
      const steps = itemAt(this.#next, state);
      let next = steps.get(link);
      if (next === undefined) {
        next = this.#routerOf.push(intAt(topology.links.to, link)) - 1;
        this.#next.push(new Map());
        steps.set(link, next);
      }
      state = next;
    }
  }

  graph(): RouteGraph {
    const firstStep = new Int32Array(this.#next.length + 1);
    for (const [state, steps] of this.#next.entries()) firstStep[state + 1] = intAt(firstStep, state) + steps.size;
    const steps = this.#next.flatMap((next) => Array.from(next));
    return {
      stateCount: this.#routerOf.length,
      routerOf: Int32Array.from(this.#routerOf),
      startOf: Int32Array.from({ length: this.#routerCount }, (_, router) => router),
      firstStep,
      stepLink: Int32Array.from(steps, ([link]) => link),
      stepTo: Int32Array.from(steps, ([, state]) => state),
    };
  }
}

/**
 * The routing of given routes. `hosting`: 1 for each router with a node that works. Fails with `disconnected` where two of these have no
 * route, or what failed is on theirs: the file gives no other. O(hops of all routes).
 */
export function givenRouting(
  topology: Topology,
  given: NonNullable<Topology['givenRoutes']>,
  hosting: Uint8Array,
): Result<Routing> {
  const { routerCount, links } = topology;
  const trees = new RouteTrees(routerCount);
  const hops = new Map<number, number>();
  let longest = 1;
  for (const route of given) {
    const [from = 0, to = 0] = [route[0], route.at(-1)];
    if (hosting[from] === 0 || hosting[to] === 0) continue;
    const taken = linksOfRoute(links, route);
    if (taken === undefined) continue;
    trees.add(from, taken, topology);
    hops.set(from * routerCount + to, taken.length);
    longest = Math.max(longest, taken.length);
  }
  let isSymmetric = true;
  const ends = Array.from(hosting.keys()).filter((router) => hosting[router] === 1);
  for (const from of ends) {
    for (const to of ends) {
      if (from === to) continue;
      const own = hops.get(from * routerCount + to);
      if (own === undefined) return noRoute(topology, from, to);
      if (own !== hops.get(to * routerCount + from)) isSymmetric = false;
    }
  }
  if (longest > longestRoute)
    return fail(
      'machine-too-large',
      `A route of the file has ${longest} hops; ${longestRoute} are the most that are possible.`,
    );
  return succeed(
    graphRouting(topology, {
      kind: 'minimal',
      graph: trees.graph(),
      longest,
      singlePath: true,
      symmetric: isSymmetric,
    }),
  );
}

/** Hops are kept in two bytes. */
const longestRoute = 0xfffe;

/** The links between routers in a row; undefined where one is missing. O(links of the routers). */
function linksOfRoute({ firstLink, to }: Topology['links'], routers: readonly number[]): number[] | undefined {
  const taken: number[] = [];
  for (let place = 1; place < routers.length; place++) {
    const [here, next] = [itemAt(routers, place - 1), itemAt(routers, place)];
    const own = to.subarray(firstLink[here], firstLink[here + 1]).indexOf(next);
    if (own < 0) return undefined;
    taken.push(intAt(firstLink, here) + own);
  }
  return taken;
}

function noRoute(topology: Topology, from: number, to: number): Result<never> {
  const [one, other] = [from, to].map((router) => routerName({ topology }, asRouterId(router)));
  const reason =
    topology.faults === undefined ? 'The file gives no route' : 'What failed is on the only route of the file';
  return fail('disconnected', `${reason} from ${one} to ${other}.`);
}
