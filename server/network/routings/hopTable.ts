import type { RouteGraph } from '../../model/machine.ts';

/** Small distances in one byte each; the largest value stands for none. */
export type Distances = Uint8Array | Uint16Array;

/** Room for `length` distances up to `longest`, and one value above that. */
export const distancesOf = (length: number, longest: number): Distances =>
  longest < 0xff ? new Uint8Array(length) : new Uint16Array(length);

/**
 * Hops between all routers, a row per source that is filled when it is first asked for: so that
 * a machine is built at once, and a whole table costs O(routers · (states + steps)).
 * `longest` bounds the hops between any two routers.
 */
export function hopTableOf(graph: RouteGraph, longest: number): (from: number, to: number) => number {
  const routerCount = graph.startOf.length;
  const hops = distancesOf(routerCount * routerCount, longest);
  const filled = new Uint8Array(routerCount);
  const fillRow = rowFiller(graph);
  return (from, to) => {
    if (filled[from] === 0) {
      fillRow(from, hops.subarray(from * routerCount, (from + 1) * routerCount));
      filled[from] = 1;
    }
    return hops[from * routerCount + to]!;
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
    const start = startOf[from]!;
    queue[0] = start;
    depth[start] = 0;
    seen[start] = 1;
    routerSeen[from] = 1;
    let missing = startOf.length - 1;
    let found = 1;
    for (let index = 0; index < found && missing > 0; index++) {
      const state = queue[index]!;
      const next = depth[state]! + 1;
      const end = firstStep[state + 1]!;
      for (let step = firstStep[state]!; step < end; step++) {
        const reached = stepTo[step]!;
        if (seen[reached] !== 0) continue;
        seen[reached] = 1;
        depth[reached] = next;
        queue[found++] = reached;
        const router = routerOf[reached]!;
        if (routerSeen[router] !== 0) continue;
        routerSeen[router] = 1;
        row[router] = next;
        missing--;
      }
    }
  };
}
