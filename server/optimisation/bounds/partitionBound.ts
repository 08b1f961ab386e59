import { appendAll, largestOf, leastOf } from '../../model/lists.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { symmetricEigenvalues } from '../../numeric/symmetricEigen.ts';
import { coordinatesOf, volumeOf, type Shape } from '../../model/shape.ts';
import { DisjointSets } from '../../numeric/unionFind.ts';
import { root, wholePower } from '../../numeric/elementary.ts';

/**
 * What must leave groups of places, level by level. Places whose costs are at most t, directly or by way of others,
 * are the groups of threshold t; two places of different groups cost more than t. So a cost is at least the sum of
 * the steps between thresholds at which its ends are in different groups, and a mapping costs at least the sum over
 * the thresholds of step · (what tasks in groups of that size must send between groups): of a tree of switches the
 * bytes that leave nodes, leaf switches, pods, each by two links more. In whole units; undefined where it was
 * cancelled. O(routers² + edges · levels), and O(tasks³) up to `spectrumLimit` tasks.
 */
export function partitionBound(
  { graph, places, costs }: SearchCore,
  grid: GridOfTasks | undefined,
  cancellation: Cancellation,
): number | undefined {
  const levels = distanceLevels({ places, costs });
  if (levels.length === 0) return 0;
  const cuts = [degreeCut, gridCut(graph, grid), spectralCut(graph)];
  let bound = 0;
  for (const { capacity, groups, step } of levels) {
    if (cancellation.isCancelled()) return undefined;
    // Where all other groups are full the last one has the rest.
    const sizes = { fewest: Math.max(1, graph.taskCount - (groups - 1) * capacity), most: capacity };
    bound += step * Math.max(0, largestOf(cuts.map((cut) => cut?.(sizes, graph) ?? 0)));
  }
  return bound;
}

/** Weight of the edges that cannot be within groups of these sizes: a bound from below, in whole units. */
type CutBound = (sizes: GroupSizes, graph: TaskGraph) => number;

/** Places in groups: two places of different groups cost at least `step` more than those within one. */
interface Level {
  /** Places of the largest group. */
  readonly capacity: number;
  readonly groups: number;
  /** In units of cost. */
  readonly step: number;
}

/** Above this many routers, whose pairs are all looked at, only nodes and routers are levels. */
const routerLimit = 1024;

/** Single linkage: the largest ultrametric that is nowhere above the costs. Levels of one group are left out. */
export function distanceLevels({ places, costs }: Pick<SearchCore, 'places' | 'costs'>): Level[] {
  const { siteCount, placeCount, firstPlace, routerOfSite } = places;
  if (siteCount < 2) return [];
  const sitesOf = new Map<number, number[]>();
  for (let site = 0; site < siteCount; site++) {
    const router = intAt(routerOfSite, site);
    const sites = sitesOf.get(router);
    if (sites === undefined) sitesOf.set(router, [site]);
    else sites.push(site);
  }
  const routers = [...sitesOf.values()];
  if (routers.length > routerLimit) return [];
  // Joins of groups, cheapest first: of the nodes of a router, then of routers.
  const size = (site: number): number => intAt(firstPlace, site + 1) - intAt(firstPlace, site);
  const joins: Join[] = [];
  for (const sites of routers) {
    const [first, second] = sites;
    if (second === undefined) continue;
    const cost = costBetween(costs, first!, second);
    for (const site of sites.slice(1)) joins.push({ one: first!, other: site, cost });
  }
  appendAll(
    joins,
    spanningJoins(
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
      if (realAt(nearest, point) < 0) continue;
      const own = cost(itemAt(points, last), itemAt(points, point));
      if (own < realAt(nearest, point)) {
        nearest[point] = own;
        from[point] = last;
      }
      if (next < 0 || realAt(nearest, point) < realAt(nearest, next)) next = point;
    }
    joins.push({ one: itemAt(points, intAt(from, next)), other: itemAt(points, next), cost: realAt(nearest, next) });
    nearest[next] = -1;
    last = next;
  }
  return joins;
}

/** Disjoint groups of sites, with the places of the largest. */
class Groups {
  largest = 0;
  readonly #sets: DisjointSets;
  /** Places of each group, at its root. */
  readonly #size: Float64Array;

  constructor(count: number, size: (site: number) => number) {
    this.#sets = new DisjointSets(count);
    this.#size = Float64Array.from({ length: count }, (_, site) => size(site));
    for (const own of this.#size) this.largest = Math.max(this.largest, own);
  }

  get count(): number {
    return this.#sets.setCount;
  }

  join(one: number, other: number): void {
    const places = realAt(this.#size, this.#sets.rootOf(one)) + realAt(this.#size, this.#sets.rootOf(other));
    if (!this.#sets.join(one, other)) return;
    this.#size[this.#sets.rootOf(one)] = places;
    this.largest = Math.max(this.largest, places);
  }
}

/**
 * A task can have capacity − 1 partners in its group, at best its heaviest; every edge is counted from both ends.
 * O(edges log degree).
 */
const degreeCut: CutBound = ({ most: capacity }, { taskCount, rowStart, weight }) => {
  let twice = 0;
  for (let task = 0; task < taskCount; task++) {
    const first = intAt(rowStart, task);
    const end = intAt(rowStart, task + 1);
    if (end - first < capacity) continue;
    const lightestFirst = weight.slice(first, end).sort();
    for (let rank = 0; rank <= lightestFirst.length - capacity; rank++) twice += realAt(lightestFirst, rank);
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
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      matrix[task * taskCount + intAt(partner, edge)] = -realAt(weight, edge);
      matrix[task * taskCount + task] = realAt(matrix, task * taskCount + task) + realAt(weight, edge);
    }
  }
  const eigenvalues = symmetricEigenvalues(matrix, taskCount);
  if (eigenvalues === undefined) return undefined;
  const wrong = rounding * eigenvalues.at(-1)! * taskCount;
  return ({ most: capacity }) => {
    let twice = -wrong;
    for (let group = 0; group * capacity < taskCount; group++) {
      twice += Math.min(capacity, taskCount - group * capacity) * realAt(eigenvalues, group);
    }
    return Math.max(0, Math.ceil(twice / 2));
  };
}

/** The edges between tasks that are one offset apart on the grid. */
interface Direction {
  readonly offset: readonly number[];
  edges: number;
  /** Weight of the lightest of them. */
  lightest: number;
  /** Whether some of them go round the grid. */
  wraps: boolean;
}

/** With more offsets than the stencil of all 124 tasks at most two steps away has, it is no grid. */
const directionLimit = 62;

/** Where tasks stand on a grid: `positions[axis][task]`. */
interface GridOfTasks {
  readonly sides: Shape;
  readonly positions: readonly Int32Array[];
}

/** Tasks of a grid in row-major order, where their number is that of its points. */
export function gridInOrder(grid: Shape | undefined, taskCount: number): GridOfTasks | undefined {
  if (grid === undefined || volumeOf(grid) !== taskCount) return undefined;
  const positions = grid.map(() => new Int32Array(taskCount));
  const position = new Int32Array(grid.length);
  for (let task = 0; task < taskCount; task++) {
    coordinatesOf(grid, task, position);
    for (const [axis, along] of positions.entries()) along[task] = intAt(position, axis);
  }
  return { sides: grid, positions };
}

/** Groups of `fewest` to `most` tasks that are all tasks together. */
interface GroupSizes {
  readonly fewest: number;
  readonly most: number;
}

/**
 * Weight that must leave groups of tasks of a grid whose tasks communicate at fixed offsets.
 *
 * Along one offset the tasks lie on lines, and s tasks on p lines have at most s − p edges of that offset between
 * them. Along d linearly independent offsets (a basis) p₁ · … · p_d ≥ s^(d−1) by the inequality of Loomis and Whitney
 * 1949 (tasks that no steps of the basis join are in different classes, and a group does best in one), so that with
 * weights w the lines cost Σ w p ≥ d (w₁ ⋯ w_d)^(1/d) s^((d−1)/d), the inequality of the means: for cubes of a
 * seven-point stencil what a box of the best shape sends out. For equal weights and up to three offsets the most
 * edges that s points can have between them are known exactly ({@link mostEdges}). Each offset is in one basis, or by
 * itself (s − 1 edges at most). What groups keep is at most their tasks times the most that a group of these sizes
 * keeps for each of its own. Where the grid is a cube of nearest neighbours its borders count as well ({@link
 * leastBorder}). Of weights that differ along an offset the lightest counts. Undefined for no grid; 0 where offsets
 * go round a grid that is small enough for a group to close a line, unless it is such a cube.
 */
function gridCut(graph: TaskGraph, grid: GridOfTasks | undefined): ((sizes: GroupSizes) => number) | undefined {
  if (grid === undefined) return undefined;
  const { sides } = grid;
  const directions = directionsOf(graph, grid);
  if (directions === undefined) return undefined;
  const bases = basesOf(directions, sides.length);
  const rounds = directions.filter(({ wraps }) => wraps).map(({ offset }) => closingSteps(offset, sides));
  const shortestRound = Math.min(Infinity, leastOf(rounds));
  const cube = cubeOf(directions, sides);
  return ({ fewest, most }) => {
    const byBorder = cube === undefined ? 0 : borderCut(cube, most);
    if (most >= shortestRound) return byBorder;
    let cut = 0;
    for (const basis of bases) {
      const total = basis.reduce((sum, { edges, lightest }) => sum + edges * lightest, 0);
      cut += Math.max(0, total - graph.taskCount * mostKeptPerTask(basis, { fewest, most }));
    }
    return Math.max(byBorder, Math.ceil(cut * (1 - roundingOfCuts)));
  };
}

/** More than what floating point is off by. */
const roundingOfCuts = 1e-9;

/** The most weight along the offsets of a basis that a group can have within itself, for each of its tasks. */
function mostKeptPerTask(basis: readonly Direction[], { fewest, most }: GroupSizes): number {
  const light = basis.map(({ lightest }) => lightest);
  const d = basis.length;
  if (d <= 3 && light.every((weight) => weight === light[0])) {
    let kept = 0;
    for (let size = Math.max(1, fewest); size <= most; size++) kept = Math.max(kept, mostEdges(d, size) / size);
    return itemAt(light, 0) * kept;
  }
  // Grows with the size of the group.
  const mean = root(
    light.reduce((product, weight) => product * weight, 1),
    d,
  );
  return Math.max(0, light.reduce((sum, weight) => sum + weight, 0) - (d * mean) / root(most, d));
}

/**
 * The most edges between so many points of the infinite grid of up to three dimensions: of the largest box with sides
 * that differ by one at most, and of what is left on one of its faces (Harary and Harborth 1976 for squares, Alonso
 * and Cerf 1996 for cubes). O(dimensions · size^(1/dimensions)).
 */
export function mostEdges(dimensions: number, size: number): number {
  if (dimensions === 0 || size < 2) return 0;
  let side = 1;
  while ((side + 1) ** dimensions <= size) side++;
  let longer = 0;
  while (side ** (dimensions - longer - 1) * (side + 1) ** (longer + 1) <= size) longer++;
  const box = side ** (dimensions - longer) * (side + 1) ** longer;
  const lines = ((dimensions - longer) * box) / side + (longer * box) / (side + 1);
  const rest = size - box;
  return dimensions * box - lines + rest + mostEdges(dimensions - 1, rest);
}

/** All nearest neighbours of a grid of equal sides, each pair of the same weight at least. */
interface Cube {
  readonly side: number;
  readonly dimensions: number;
  readonly isRound: boolean;
  readonly weight: number;
}

function cubeOf(directions: readonly Direction[], sides: Shape): Cube | undefined {
  const long = sides.filter((side) => side > 1);
  const [side] = long;
  if (side === undefined || long.some((other) => other !== side)) return undefined;
  const steps = directions.filter(
    (direction) => directionAxisCount(direction) === 1 && direction.offset.every((step) => step === 0 || step === 1),
  );
  const isRound = steps.some(({ wraps }) => wraps);
  const lines = side ** (long.length - 1);
  const edges = isRound ? side * lines : (side - 1) * lines;
  if (steps.length !== long.length || steps.some((step) => step.edges !== edges || (isRound && !step.wraps)))
    return undefined;
  return { side, dimensions: long.length, isRound, weight: leastOf(steps.map(({ lightest }) => lightest)) };
}

/** Every edge that is cut leaves two groups; what leaves a group for each of its tasks falls with its size. */
function borderCut(cube: Cube, most: number): number {
  const taskCount = cube.side ** cube.dimensions;
  if (2 * most > taskCount) return 0;
  return Math.ceil(((cube.weight * taskCount) / 2) * (leastBorder(cube, most) / most) * (1 - roundingOfCuts));
}

/**
 * Edges that leave any set of at most half of a cube's points, at least: Bollobás and Leader 1991, Edge-isoperimetric
 * inequalities in the grid, theorem 3, and theorem 8 for grids that close to rings.
 */
function leastBorder({ side, dimensions, isRound }: Cube, size: number): number {
  let least = Infinity;
  for (let r = 1; r <= dimensions; r++) {
    least = Math.min(least, (r * (size / root(size, r)) * root(wholePower(side, dimensions), r)) / side);
  }
  return isRound ? 2 * least : least;
}

/** The offsets at which tasks communicate; undefined where there are too many. O(edges · dimensions). */
function directionsOf(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  { sides, positions }: GridOfTasks,
): Direction[] | undefined {
  const found = new Map<string, Direction>();
  for (let task = 0; task < taskCount; task++) {
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      if (intAt(partner, edge) < task) continue;
      const { offset, wraps } = offsetOfPlaces(positions, task, intAt(partner, edge), sides);
      const key = offset.join(' ');
      const direction = found.get(key);
      if (direction === undefined) {
        if (found.size === directionLimit) return undefined;
        found.set(key, { offset, edges: 1, lightest: realAt(weight, edge), wraps });
      } else {
        direction.edges++;
        direction.lightest = Math.min(direction.lightest, realAt(weight, edge));
        direction.wraps ||= wraps;
      }
    }
  }
  return [...found.values()];
}

/**
 * The way from one task to another or back, whichever comes first; round the grid where that is shorter along an
 * axis.
 */
function offsetOfPlaces(
  positions: readonly Int32Array[],
  from: number,
  to: number,
  sides: Shape,
): { offset: number[]; wraps: boolean } {
  let wraps = false;
  const way = sides.map((side, axis) => {
    const straight = intAt(itemAt(positions, axis), to) - intAt(itemAt(positions, axis), from);
    if (2 * Math.abs(straight) <= side) return straight;
    wraps = true;
    return straight - Math.sign(straight) * side;
  });
  const first = way.find((steps) => steps !== 0) ?? 0;
  return { offset: first < 0 ? way.map((steps) => -steps) : way, wraps };
}

/**
 * Offsets in bases of independent ones, those of like weights together. Where lines go round the grid only
 * offsets along an axis are independent of each other: the grid is a product of rings then.
 */
function basesOf(directions: readonly Direction[], dimensions: number): Direction[][] {
  const bases: Direction[][] = [];
  const isRound = directions.some(({ wraps }) => wraps);
  for (const direction of directions.toSorted((a, b) => b.lightest - a.lightest)) {
    const isAlone = isRound && directionAxisCount(direction) > 1;
    const basis = bases.find(
      (some) =>
        !isAlone &&
        some.length < dimensions &&
        !(isRound && some.some((other) => directionAxisCount(other) > 1)) &&
        areIndependent([...some, direction].map(({ offset }) => offset)),
    );
    if (basis === undefined) bases.push([direction]);
    else basis.push(direction);
  }
  return bases;
}

const directionAxisCount = ({ offset }: Direction): number => offset.filter((steps) => steps !== 0).length;

/** By elimination without fractions: offsets are small whole numbers. */
function areIndependent(offsets: readonly (readonly number[])[]): boolean {
  const rows = offsets.map((offset) => [...offset]);
  for (const [rank, row] of rows.entries()) {
    const column = row.findIndex((value) => value !== 0);
    if (column < 0) return false;
    for (const below of rows.slice(rank + 1)) {
      const factor = itemAt(below, column);
      for (const [axis, value] of row.entries())
        below[axis] = itemAt(below, axis) * itemAt(row, column) - factor * value;
    }
  }
  return true;
}

/** Steps of an offset after which a line round the grid is back where it began. */
function closingSteps(offset: readonly number[], grid: Shape): number {
  let steps = 1;
  for (const [axis, side] of grid.entries()) {
    const own = side / greatestDivisor(side, Math.abs(itemAt(offset, axis)));
    steps = (steps * own) / greatestDivisor(steps, own);
  }
  return steps;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
