import { intAt, realAt } from '../../numeric/elements.ts';
import type { Places } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/**
 * Edges between tasks that cannot be at no cost from each other. At most `room` tasks are together at no
 * cost, so a connected part of m tasks lies in ⌈m / room⌉ groups at least; the edges between groups
 * connect them, so that as many less one of them form a forest, and none weighs less than the lightest
 * forest of so many edges. Each costs `least` or more. In whole units. With room for one this is below the
 * shell bound, and with more it holds where all partners of a task could share its node. O(edges log edges).
 */
export function edgeBound(graph: TaskGraph, room: number, least: number): number {
  const lightestFirst = edgesOf(graph);
  const parts = new Parts(graph.taskCount);
  for (const { task, other } of lightestFirst) parts.join(task, other);
  const edgesLeft = new Map<number, number>();
  for (let task = 0; task < graph.taskCount; task++) {
    if (parts.partOf(task) === task) edgesLeft.set(task, Math.ceil(parts.sizeOf(task) / room) - 1);
  }
  const forest = new Parts(graph.taskCount);
  let weights = 0;
  for (const { task, other, weight } of lightestFirst) {
    const part = parts.partOf(task);
    const left = edgesLeft.get(part)!;
    if (left === 0 || !forest.join(task, other)) continue;
    edgesLeft.set(part, left - 1);
    weights += weight;
  }
  return weights * least;
}

/**
 * The most places that are together at no cost: those of a node, or of a router whose nodes are at no cost from each
 * other.
 */
export function roomAtNoCost({ places, costs }: SearchCore): number {
  const placesAtRouter = new Map<number, { readonly site: number; places: number }>();
  let most = 0;
  for (let site = 0; site < places.siteCount; site++) {
    const own = placesOf(places, site);
    const router = placesAtRouter.get(intAt(places.routerOfSite, site));
    const isTogether = router !== undefined && costBetween(costs, router.site, site) === 0;
    if (isTogether) router.places += own;
    else if (router === undefined) placesAtRouter.set(intAt(places.routerOfSite, site), { site, places: own });
    most = Math.max(most, isTogether ? router.places : own);
  }
  return most;
}

const placesOf = ({ firstPlace }: Places, site: number): number =>
  intAt(firstPlace, site + 1) - intAt(firstPlace, site);

interface Edge {
  readonly task: number;
  readonly other: number;
  readonly weight: number;
}

function edgesOf({ taskCount, rowStart, partner, weight }: TaskGraph): Edge[] {
  const edges: Edge[] = [];
  for (let task = 0; task < taskCount; task++) {
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      if (intAt(partner, edge) > task) edges.push({ task, other: intAt(partner, edge), weight: realAt(weight, edge) });
    }
  }
  return edges.sort((a, b) => a.weight - b.weight);
}

/** Disjoint sets of tasks, joined by size. */
class Parts {
  readonly #above: Int32Array;
  readonly #size: Int32Array;

  constructor(taskCount: number) {
    this.#above = Int32Array.from({ length: taskCount }, (_, task) => task);
    this.#size = new Int32Array(taskCount).fill(1);
  }

  /** One task that stands for the set. */
  partOf(task: number): number {
    let top = task;
    while (this.#above[top] !== top) {
      this.#above[top] = intAt(this.#above, intAt(this.#above, top));
      top = intAt(this.#above, top);
    }
    return top;
  }

  sizeOf(task: number): number {
    return intAt(this.#size, this.partOf(task));
  }

  /** False where both were in one set already. */
  join(task: number, other: number): boolean {
    const one = this.partOf(task);
    const two = this.partOf(other);
    if (one === two) return false;
    const [small, large] = intAt(this.#size, one) < intAt(this.#size, two) ? [one, two] : [two, one];
    this.#above[small] = large;
    this.#size[large]! += intAt(this.#size, small);
    return true;
  }
}
