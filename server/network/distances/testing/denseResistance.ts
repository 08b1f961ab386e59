/**
 * The definition, done the slow way: for the tests to hold the real thing against.
 */
import type { Machine } from '../../../model/machine.ts';
import { reverseLinks } from '../../links.ts';

/**
 * Cables on the shortest routes between two routers, each once, as pairs of routers; undefined
 * where no route leads. A step is on one where the ways before and after it add up.
 */
export function cablesOnRoutes(
  { topology, routing }: Machine,
  from: number,
  to: number,
): [number, number][] | undefined {
  const graph = routing.graph!;
  const steps = Array.from({ length: graph.stateCount }, (_, state) =>
    Array.from({ length: graph.firstStep[state + 1]! - graph.firstStep[state]! }, (_, at) => {
      const step = graph.firstStep[state]! + at;
      return { from: state, to: graph.stepTo[step]!, link: graph.stepLink[step]! };
    }),
  ).flat();
  const ends = Array.from(graph.routerOf.keys()).filter((state) => graph.routerOf[state] === to);
  const before = relaxed(graph.stateCount, [graph.startOf[from]!], steps);
  const after = relaxed(
    graph.stateCount,
    ends,
    steps.map((step) => ({ from: step.to, to: step.from })),
  );
  const length = after[graph.startOf[from]!]!;
  if (length === Infinity) return undefined;
  const reverse = reverseLinks(topology.links);
  const cables = new Set<number>();
  for (const step of steps) {
    if (before[step.from]! + 1 + after[step.to]! === length) cables.add(Math.min(step.link, reverse[step.link]!));
  }
  return [...cables].map((link) => [topology.links.from[link]!, topology.links.to[link]!]);
}

/** Steps from the nearest of `starts` to each state, by relaxing all steps until nothing changes. */
function relaxed(states: number, starts: readonly number[], steps: readonly { from: number; to: number }[]): number[] {
  const distance = new Array<number>(states).fill(Infinity);
  for (const start of starts) distance[start] = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (const { from, to } of steps) {
      if (distance[from]! + 1 >= distance[to]!) continue;
      distance[to] = distance[from]! + 1;
      changed = true;
    }
  }
  return distance;
}

/**
 * Resistance between two routers of cables of one ohm: the potentials for a current of one ampere,
 * from the grounded Laplacian by Gauss–Jordan elimination with pivots.
 */
export function denseResistance(cables: readonly (readonly [number, number])[], from: number, to: number): number {
  if (from === to) return 0;
  const routers = [...new Set(cables.flat())].filter((router) => router !== to);
  const row = new Map(routers.map((router, index) => [router, index]));
  const size = routers.length;
  const matrix = routers.map((router) => [...new Array<number>(size).fill(0), router === from ? 1 : 0]);
  for (const [one, other] of cables) {
    for (const [own, far] of [
      [one, other],
      [other, one],
    ] as const) {
      if (own === to) continue;
      matrix[row.get(own)!]![row.get(own)!]! += 1;
      if (far !== to) matrix[row.get(own)!]![row.get(far)!]! -= 1;
    }
  }
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let at = column; at < size; at++) {
      if (Math.abs(matrix[at]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = at;
    }
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    for (let at = 0; at < size; at++) {
      if (at === column) continue;
      const factor = matrix[at]![column]! / matrix[column]![column]!;
      for (let cell = column; cell <= size; cell++) matrix[at]![cell]! -= factor * matrix[column]![cell]!;
    }
  }
  const own = row.get(from)!;
  return matrix[own]![size]! / matrix[own]![own]!;
}
