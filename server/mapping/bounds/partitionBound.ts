import type { Cancellation } from '../../model/cancellation.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { gridCut, type GridOfTasks, type GroupSizes } from './gridCut.ts';
import { symmetricEigenvalues } from './symmetricEigenvalues.ts';

/**
 * What must leave groups of places, level by level. Places whose costs are at most t, directly or by way of
 * others, are the groups of threshold t; two places of different groups cost more than t. So a cost is at
 * least the sum of the steps between thresholds at which its ends are in different groups, and a mapping costs at
 * least the sum over the thresholds of step · (what tasks in groups of that size must send between groups): of a
 * tree of switches the bytes that leave nodes, leaf switches, pods, each by two links more. In whole units; undefined where
 * it was cancelled. O(routers² + edges · levels), and O(tasks³) up to `spectrumLimit` tasks.
 */
export function partitionBound(
  { graph, places, costs }: SearchCore,
  grid: GridOfTasks | undefined,
  cancellation: Cancellation,
): number | undefined {
  const levels = levelsOf({ places, costs });
  if (levels.length === 0) return 0;
  const cuts = [degreeCut, gridCut(graph, grid), spectralCut(graph)];
  let bound = 0;
  for (const { capacity, groups, step } of levels) {
    if (cancellation.isCancelled()) return undefined;
    // Where all other groups are full the last one has the rest.
    const sizes = { fewest: Math.max(1, graph.taskCount - (groups - 1) * capacity), most: capacity };
    bound += step * Math.max(0, ...cuts.map((cut) => cut?.(sizes, graph) ?? 0));
  }
  return bound;
}

/** Weight of the edges that cannot be within groups of these sizes: a bound from below, in whole units. */
export type CutBound = (sizes: GroupSizes, graph: TaskGraph) => number;

/** Places in groups: two places of different groups cost at least `step` more than those within one. */
export interface Level {
  /** Places of the largest group. */
  readonly capacity: number;
  readonly groups: number;
  /** In units of cost. */
  readonly step: number;
}

/** Above this many routers, whose pairs are all looked at, only nodes and routers are levels. */
const routerLimit = 1024;

/** Single linkage: the largest ultrametric that is nowhere above the costs. Levels of one group are left out. */
export function levelsOf({ places, costs }: Pick<SearchCore, 'places' | 'costs'>): Level[] {
  const { siteCount, placeCount, firstPlace, routerOfSite } = places;
  if (siteCount < 2) return [];
  const sitesOf = new Map<number, number[]>();
  for (let site = 0; site < siteCount; site++) {
    const router = routerOfSite[site]!;
    const sites = sitesOf.get(router);
    if (sites === undefined) sitesOf.set(router, [site]);
    else sites.push(site);
  }
  const routers = [...sitesOf.values()];
  if (routers.length > routerLimit) return [];
  // Joins of groups, cheapest first: of the nodes of a router, then of routers.
  const size = (site: number): number => firstPlace[site + 1]! - firstPlace[site]!;
  const joins: Join[] = [];
  for (const sites of routers) {
    const [first, second] = sites;
    if (second === undefined) continue;
    const cost = costBetween(costs, first!, second);
    for (const site of sites.slice(1)) joins.push({ one: first!, other: site, cost });
  }
  joins.push(
    ...spanningJoins(
      routers.map(([first]) => first!),
      (from, to) => costBetween(costs, from, to),
    ),
  );
  joins.sort((a, b) => a.cost - b.cost);
  const groups = new Groups(siteCount, size);
  const levels: Level[] = [];
  let below = 0;
  for (const { one, other, cost } of joins) {
    if (cost > below) {
      levels.push({ capacity: groups.largest, groups: groups.count, step: cost - below });
      below = cost;
    }
    groups.join(one, other);
  }
  return levels.filter(({ capacity }) => capacity < placeCount);
}

interface Join {
  readonly one: number;
  readonly other: number;
  readonly cost: number;
}

/** A minimum spanning tree of the points, by Prim's algorithm. O(points²). */
function spanningJoins(points: readonly number[], cost: (from: number, to: number) => number): Join[] {
  const nearest = new Float64Array(points.length).fill(Infinity);
  const from = new Int32Array(points.length);
  const joins: Join[] = [];
  let last = 0;
  nearest[0] = -1;
  for (let joined = 1; joined < points.length; joined++) {
    let next = -1;
    for (let point = 0; point < points.length; point++) {
      if (nearest[point]! < 0) continue;
      const own = cost(points[last]!, points[point]!);
      if (own < nearest[point]!) {
        nearest[point] = own;
        from[point] = last;
      }
      if (next < 0 || nearest[point]! < nearest[next]!) next = point;
    }
    joins.push({ one: points[from[next]!]!, other: points[next]!, cost: nearest[next]! });
    nearest[next] = -1;
    last = next;
  }
  return joins;
}

/** Disjoint groups of sites, with the places of the largest. */
class Groups {
  largest = 0;
  count: number;
  readonly #above: Int32Array;
  readonly #size: Float64Array;

  constructor(count: number, size: (site: number) => number) {
    this.count = count;
    this.#above = Int32Array.from({ length: count }, (_, site) => site);
    this.#size = Float64Array.from({ length: count }, (_, site) => size(site));
    for (const own of this.#size) this.largest = Math.max(this.largest, own);
  }

  join(one: number, other: number): void {
    const [a, b] = [this.#top(one), this.#top(other)];
    if (a === b) return;
    this.count--;
    this.#above[a] = b;
    this.#size[b]! += this.#size[a]!;
    this.largest = Math.max(this.largest, this.#size[b]!);
  }

  #top(site: number): number {
    let top = site;
    while (this.#above[top] !== top) {
      this.#above[top] = this.#above[this.#above[top]!]!;
      top = this.#above[top]!;
    }
    return top;
  }
}

/** A task can have capacity − 1 partners in its group, at best its heaviest; every edge is counted from both ends. O(edges log degree). */
const degreeCut: CutBound = ({ most: capacity }, { taskCount, rowStart, weight }) => {
  let twice = 0;
  for (let task = 0; task < taskCount; task++) {
    const first = rowStart[task]!;
    const end = rowStart[task + 1]!;
    if (end - first < capacity) continue;
    const lightestFirst = weight.slice(first, end).sort();
    for (let rank = 0; rank <= lightestFirst.length - capacity; rank++) twice += lightestFirst[rank]!;
  }
  return Math.ceil(twice / 2);
};

/** Tasks up to which all eigenvalues are worked out, within some tens of milliseconds. */
const spectrumLimit = 320;

/** Share of the largest eigenvalue by which the others may be wrong through rounding; they are off by far less. */
const rounding = 1e-10;

/**
 * Donath and Hoffman 1973, Lower bounds for the partitioning of graphs: groups of m₁ ≥ m₂ ≥ … tasks are cut by at least
 * ½ Σ m_g λ_g, λ the eigenvalues of the Laplacian in ascending order, for its restriction to the normed
 * indicators of the groups has a trace of at least the sum of as many eigenvalues. With groups of at most
 * `capacity` the least of these sums has them full.
 */
function spectralCut({ taskCount, rowStart, partner, weight }: TaskGraph): CutBound | undefined {
  if (taskCount > spectrumLimit || taskCount < 2) return undefined;
  const matrix = new Float64Array(taskCount * taskCount);
  for (let task = 0; task < taskCount; task++) {
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      matrix[task * taskCount + partner[edge]!] = -weight[edge]!;
      matrix[task * taskCount + task]! += weight[edge]!;
    }
  }
  const eigenvalues = symmetricEigenvalues(matrix, taskCount);
  if (eigenvalues === undefined) return undefined;
  const wrong = rounding * eigenvalues.at(-1)! * taskCount;
  return ({ most: capacity }) => {
    let twice = -wrong;
    for (let group = 0; group * capacity < taskCount; group++) {
      twice += Math.min(capacity, taskCount - group * capacity) * eigenvalues[group]!;
    }
    return Math.max(0, Math.ceil(twice / 2));
  };
}
