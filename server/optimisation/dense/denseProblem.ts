import { intAt, realAt } from '../../numeric/elements.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { SearchCore } from '../problem/searchProblem.ts';

/**
 * A quadratic assignment problem as two full matrices: put every task on a site with room for it and
 * minimise the sum of flow · cost. Plain data, so that it crosses threads. All entries are whole
 * numbers and every sum stays below 2^53, so that increments are exact.
 */
export interface DenseProblem {
  readonly taskCount: number;
  readonly siteCount: number;
  /** Tasks that a site has room for; their sum is at least taskCount. */
  readonly capacity: Int32Array;
  /** Row-major, taskCount × taskCount, 0 on the diagonal. */
  readonly flow: Float64Array;
  /** Row-major, siteCount × siteCount, 0 on the diagonal. */
  readonly cost: Int32Array;
  /**
   * Tasks of one kind may be exchanged without any effect, and so may what is on sites of one kind. A site with room
   * for several tasks is of no other's kind: an exchange of one of its tasks parts it from the others there.
   */
  readonly kindOfTask: Int32Array;
  readonly kindOfSite: Int32Array;
  /** Both matrices are symmetric and every pair counts once; otherwise every ordered pair does. */
  readonly symmetric: boolean;
}

/** Tasks that dense searches take: beyond, their tables leave the processor's cache and sparse searches do better. */
export const denseTaskLimit = 256;
/** Sites that they take, so that the table of costs is made within a few tens of milliseconds. */
export const denseSiteLimit = 2048;
/** Tasks times sites that they take, so that the table of exchanges is too. */
export const denseProductLimit = 2 ** 17;

/** Whether dense searches take so many tasks on so many sites. */
export const isDense = (taskCount: number, siteCount: number): boolean =>
  taskCount <= denseTaskLimit && siteCount <= denseSiteLimit && taskCount * siteCount <= denseProductLimit;

/** The problem as matrices, in the units of the core; undefined where it is too large. O(tasks² + sites²). */
export function denseProblemOf(core: SearchCore): DenseProblem | undefined {
  const { graph, places, costs } = core;
  if (!isDense(graph.taskCount, places.siteCount)) return undefined;
  const { taskCount, rowStart, partner, weight } = graph;
  const { siteCount, firstPlace } = places;
  const flow = new Float64Array(taskCount * taskCount);
  for (let task = 0; task < taskCount; task++) {
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      flow[task * taskCount + intAt(partner, edge)] = realAt(weight, edge);
    }
  }
  const cost = new Int32Array(siteCount * siteCount);
  for (let from = 0; from < siteCount; from++) {
    for (let to = 0; to < siteCount; to++) cost[from * siteCount + to] = costBetween(costs, from, to);
  }
  const capacity = Int32Array.from(
    { length: siteCount },
    (_, site) => intAt(firstPlace, site + 1) - intAt(firstPlace, site),
  );
  return withKinds({ taskCount, siteCount, capacity, flow, cost, symmetric: true });
}

/**
 * The problem of two plain square matrices of whole numbers with zero diagonals, one task per site at
 * most: the sum over ordered pairs of flow · cost. Where one matrix is symmetric the other is made
 * so, which leaves every sum as it is and halves the work: f(u, v) · d + f(v, u) · d = (f(u, v) + f(v, u)) · d.
 */
export function denseProblemOfMatrices(flow: Float64Array, cost: Int32Array): DenseProblem {
  const taskCount = Math.sqrt(flow.length);
  const siteCount = Math.sqrt(cost.length);
  const problem = { taskCount, siteCount, capacity: new Int32Array(siteCount).fill(1), flow, cost, symmetric: true };
  if (isSymmetric(cost, siteCount)) return withKinds({ ...problem, flow: flow.map(addMirrored(taskCount)) });
  if (isSymmetric(flow, taskCount)) return withKinds({ ...problem, cost: cost.map(addMirrored(siteCount)) });
  return withKinds({ ...problem, symmetric: false });
}

function withKinds(problem: Omit<DenseProblem, 'kindOfTask' | 'kindOfSite'>): DenseProblem {
  const { flow, taskCount, cost, siteCount, capacity } = problem;
  const kindOfSite = kindsOf(cost, siteCount).map((kind, site) => (capacity[site] === 1 ? kind : siteCount + site));
  return { ...problem, kindOfTask: kindsOf(flow, taskCount), kindOfSite };
}

type Matrix = Float64Array | Int32Array;

const mirrored = (index: number, size: number): number => (index % size) * size + Math.floor(index / size);

const isSymmetric = (matrix: Matrix, size: number): boolean =>
  matrix.every((entry: number, index: number) => entry === matrix[mirrored(index, size)]);

const addMirrored =
  (size: number) =>
  (entry: number, index: number, matrix: Matrix): number =>
    entry + matrix[mirrored(index, size)]!;

/** What an assignment costs, from nothing. O(tasks²). */
export function denseValue(
  { taskCount, siteCount, flow, cost, symmetric }: DenseProblem,
  siteOfTask: Int32Array,
): number {
  let value = 0;
  for (let task = 0; task < taskCount; task++) {
    const row = intAt(siteOfTask, task) * siteCount;
    for (let other = symmetric ? task + 1 : 0; other < taskCount; other++) {
      value += realAt(flow, task * taskCount + other) * intAt(cost, row + intAt(siteOfTask, other));
    }
  }
  return value;
}

/**
 * Numbers the kinds of tasks or sites of a matrix: two are of one kind, interchangeable, if exchanging them leaves the
 * matrix as it is. Hosts of one switch are interchangeable, and so are tasks without partners, or all tasks of an
 * all-to-all. Their exchange changes nothing, and a search that counted it as a step would do little else. The relation
 * is transitive, so each is compared with the first of every kind only. O(size² · kinds) at worst; rows that differ
 * mostly do so early.
 */
export function kindsOf(matrix: Matrix, size: number): Int32Array {
  const firsts: number[] = [];
  return Int32Array.from({ length: size }, (_, entry) => {
    const kind = firsts.findIndex((first) => areInterchangeable(matrix, size, first, entry));
    return kind < 0 ? firsts.push(entry) - 1 : kind;
  });
}

function areInterchangeable(matrix: Matrix, size: number, one: number, other: number): boolean {
  if (matrix[one * size + other] !== matrix[other * size + one]) return false;
  for (let entry = 0; entry < size; entry++) {
    if (entry === one || entry === other) continue;
    if (matrix[one * size + entry] !== matrix[other * size + entry]) return false;
    if (matrix[entry * size + one] !== matrix[entry * size + other]) return false;
  }
  return true;
}
