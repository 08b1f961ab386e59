import { itemAt, realAt, intAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import type { NearestCosts } from './nearestCosts.ts';
import { linearAssignment } from './linearAssignment.ts';
import type { Places } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { DisjointSets } from '../../numeric/unionFind.ts';

/**
 * Bounds from what the partners of each task cost it at least, wherever it is: by shells of places round a task, by the
 * cheapest assignment under such costs (Gilmore and Lawler), and by edges that have to leave a node. `lowerBound.ts`
 * chooses among them; those of the graph as a whole stand in files of their own.
 */

/**
 * Wherever tasks go, the partners of each lie in shells round it, and its heaviest can at best have the
 * nearest places (as the rows of the Gilmore–Lawler bound). Which task is where is free for each rank
 * by itself: the tasks whose k-th heaviest partner weighs most get the places whose k-th nearest is
 * nearest (the rearrangement inequality). Halved, since every edge is counted from both ends. In
 * whole units, rounded up; undefined if cancelled. O(edges log degree + places · degree · log places).
 */
export function shellBound(graph: TaskGraph, nearest: NearestCosts, cancellation: Cancellation): number | undefined {
  const twice =
    nearest.rowCount === 1 ? sumOfRow(graph, nearest, cancellation) : sumOfRanks(graph, nearest, cancellation);
  return twice === undefined ? undefined : Math.ceil(twice / 2);
}

/** Places all look alike: no task can have a better one than another. */
function sumOfRow(graph: TaskGraph, { costs }: NearestCosts, cancellation: Cancellation): number | undefined {
  let sum = 0;
  for (let task = 0; task < graph.taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return undefined;
    const lightestFirst = sortedWeights(graph, task);
    for (let rank = 0; rank < lightestFirst.length; rank++) {
      sum += realAt(costs, rank) * realAt(lightestFirst, lightestFirst.length - 1 - rank);
    }
  }
  return sum;
}

function sumOfRanks(graph: TaskGraph, nearest: NearestCosts, cancellation: Cancellation): number | undefined {
  const weights = weightsByRank(graph, nearest.rankCount, cancellation);
  if (weights === undefined) return undefined;
  let sum = 0;
  for (const [rank, ofRank] of weights.entries()) {
    if (cancellation.isCancelled()) return undefined;
    sum += leastOfRank(ofRank, nearest, rank);
  }
  return sum;
}

/**
 * For each rank k the weight of every task's k-th heaviest partner, 0 where it has fewer; the last rank has
 * the sum of all further ones, which cost no less.
 */
function weightsByRank(graph: TaskGraph, rankCount: number, cancellation: Cancellation): Float64Array[] | undefined {
  const ranks = Array.from({ length: rankCount }, () => new Float64Array(graph.taskCount));
  for (let task = 0; task < graph.taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return undefined;
    const lightestFirst = sortedWeights(graph, task);
    for (let rank = 0; rank < lightestFirst.length; rank++) {
      itemAt(ranks, Math.min(rank, rankCount - 1))[task]! += realAt(lightestFirst, lightestFirst.length - 1 - rank);
    }
  }
  return ranks;
}

const sortedWeights = ({ rowStart, weight }: TaskGraph, task: number): Float64Array =>
  weight.slice(rowStart[task], rowStart[task + 1]).sort();

function leastOfRank(weights: Float64Array, { rowCount, rankCount, costs }: NearestCosts, rank: number): number {
  const ofRank = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) ofRank[row] = realAt(costs, row * rankCount + rank);
  ofRank.sort();
  const lightestFirst = weights.sort();
  let sum = 0;
  for (let task = 0; task < lightestFirst.length; task++) {
    sum += realAt(lightestFirst, task) * realAt(ofRank, lightestFirst.length - 1 - task);
  }
  return sum;
}

/** Tasks times places for which the assignment is solved; more would take longer than a bound may. */
const entryLimit = 2 ** 18;

/**
 * The bound of Gilmore (1962) and Lawler (1963): a task at a place costs at least what it would with its
 * heaviest partners on the nearest places, and the tasks cannot all have the best place, so the
 * cheapest assignment under these costs is a bound. Halved, since every edge is counted from both ends;
 * never below the shell bound. In whole units, rounded up; undefined where the problem is too large, where all
 * places look alike (then it is the shell bound) and if cancelled. O(tasks · places · (degree + tasks)).
 */
export function gilmoreLawlerBound(
  graph: TaskGraph,
  nearest: NearestCosts,
  cancellation: Cancellation,
): number | undefined {
  const { rowCount, rankCount, costs } = nearest;
  if (rowCount === 1 || graph.taskCount * rowCount > entryLimit) return undefined;
  const table = new Float64Array(graph.taskCount * rowCount);
  for (let task = 0; task < graph.taskCount; task++) {
    if ((task & 15) === 0 && cancellation.isCancelled()) return undefined;
    const heaviestFirst = graph.weight
      .slice(graph.rowStart[task], graph.rowStart[task + 1])
      .sort()
      .reverse();
    for (let place = 0; place < rowCount; place++) {
      let sum = 0;
      for (let rank = 0; rank < heaviestFirst.length; rank++) {
        sum += realAt(heaviestFirst, rank) * realAt(costs, place * rankCount + Math.min(rank, rankCount - 1));
      }
      table[task * rowCount + place] = sum;
    }
  }
  const cheapest = linearAssignment(table, graph.taskCount, rowCount, cancellation);
  return cheapest && Math.ceil(cheapest.cost / 2);
}

/**
 * Edges between tasks that cannot be at no cost from each other. At most `room` tasks are together at no
 * cost, so a connected part of m tasks lies in ⌈m / room⌉ groups at least; the edges between groups
 * connect them, so that as many less one of them form a forest, and none weighs less than the lightest
 * forest of so many edges. Each costs `least` or more. In whole units. With room for one this is below the
 * shell bound, and with more it holds where all partners of a task could share its node. O(edges log edges).
 */
export function edgeBound(graph: TaskGraph, room: number, least: number): number {
  const lightestFirst = edgesOf(graph);
  const parts = new DisjointSets(graph.taskCount);
  for (const { task, other } of lightestFirst) parts.join(task, other);
  const tasksOfPart = new Int32Array(graph.taskCount);
  for (let task = 0; task < graph.taskCount; task++) tasksOfPart[parts.rootOf(task)]! += 1;
  const edgesLeft = tasksOfPart.map((tasks) => Math.ceil(tasks / room) - 1);
  const forest = new DisjointSets(graph.taskCount);
  let weights = 0;
  for (const { task, other, weight } of lightestFirst) {
    const part = parts.rootOf(task);
    if (edgesLeft[part] === 0 || !forest.join(task, other)) continue;
    edgesLeft[part]! -= 1;
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
    const own = placeCountOfSite(places, site);
    const router = placesAtRouter.get(intAt(places.routerOfSite, site));
    const isTogether = router !== undefined && costBetween(costs, router.site, site) === 0;
    if (isTogether) router.places += own;
    else if (router === undefined) placesAtRouter.set(intAt(places.routerOfSite, site), { site, places: own });
    most = Math.max(most, isTogether ? router.places : own);
  }
  return most;
}

const placeCountOfSite = ({ firstPlace }: Places, site: number): number =>
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
