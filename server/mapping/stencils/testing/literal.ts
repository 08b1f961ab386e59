import { hopsBetweenNodes } from '../../../model/machine.ts';
import type { NodeId } from '../../../model/identifiers.ts';
import type { Mapping } from '../../../model/placement.ts';
import { coordinatesOf, type Shape } from '../../../model/shape.ts';
import type { MappingProblem } from '../../contract.ts';
import { mapWith } from '../../testing/problems.ts';
import { rcb } from '../../mappers/rcb.ts';

/**
 * Section 3 of Bunde et al. 2014 read word by word, in plain lists, with scans where the mappers
 * search, and without rotation: what the fast code is held against. Each answers the slot of every task.
 */

/** A task or a rank: an id with its coordinates on all axes. */
interface Point {
  readonly id: number;
  readonly at: readonly number[];
}

function pointsOf({ machine, job, slots }: MappingProblem): { tasks: Point[]; ranks: Point[]; dimensions: number } {
  const shape = machine.topology.shape!;
  const grid = job.grid ?? [job.taskCount];
  const dimensions = Math.max(shape.length, grid.length);
  const slotsPerRouter = machine.hostsPerRouter * machine.coresPerNode;
  const at = (sides: Shape, index: number): number[] => {
    const coordinates = new Array<number>(dimensions).fill(0);
    coordinatesOf(sides, index, coordinates);
    return coordinates;
  };
  return {
    tasks: Array.from({ length: job.taskCount }, (_, id) => ({ id, at: at(grid, id) })),
    ranks: Array.from(slots.slice(0, job.taskCount), (id) => ({ id, at: at(shape, Math.floor(id / slotsPerRouter)) })),
    dimensions,
  };
}

/** CORNER: both sorted by their distance from the first corner. */
export function literalCorner(problem: MappingProblem): number[] {
  const { tasks, ranks, dimensions } = pointsOf(problem);
  const origin = new Array<number>(dimensions).fill(0);
  return pairUp(tasks.toSorted(byDistanceFrom(origin)), ranks.toSorted(byDistanceFrom(origin)));
}

/** ALLCORNERS: each corner in turn takes the nearest of those that are left. */
export function literalAllCorners(problem: MappingProblem): number[] {
  const { tasks, ranks, dimensions } = pointsOf(problem);
  const corners = cornersInTurn(dimensions);
  const inTurn = (points: readonly Point[]): Point[] => {
    const lowest = extreme(points, Math.min);
    const highest = extreme(points, Math.max);
    const free = [...points];
    return points.map((_, turn) => {
      const ends = corners[turn % corners.length]!;
      return takeNearest(
        free,
        ends.map((end, axis) => (end === 0 ? lowest[axis]! : highest[axis]!)),
      );
    });
  };
  return pairUp(inTurn(tasks), inTurn(ranks));
}

/** The four corners of the paper, then the same again for each further axis. */
function cornersInTurn(dimensions: number): number[][] {
  if (dimensions === 1) return [[0], [1]];
  let corners = [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
  ];
  for (let axis = 2; axis < dimensions; axis++) {
    corners = [0, 1].flatMap((end) => corners.map((ends) => [...ends, end]));
  }
  return corners;
}

/** OVERLAY, and TWOWAYOVERLAY with `bothWays`: a scan of all free ranks for each task. */
export function literalOverlay(problem: MappingProblem, bothWays: boolean): number[] {
  const { tasks, ranks, dimensions } = pointsOf(problem);
  const waiting = tasks.toSorted(byAxes(columnMajorAxes(dimensions), 0));
  const front = extreme(ranks, Math.min);
  const back = extreme(ranks, Math.max);
  const last = extreme(tasks, Math.max);
  const mapping: number[] = [];
  for (let step = 0; waiting.length > 0; step++) {
    const fromBack = bothWays && step % 2 === 1;
    const { id, at } = (fromBack ? waiting.pop() : waiting.shift())!;
    const desired = at.map((position, axis) =>
      fromBack ? back[axis]! - (last[axis]! - position) : front[axis]! + position,
    );
    mapping[id] = takeNearest(ranks, desired).id;
  }
  return mapping;
}

/** ORDERED: the first of the best of two majors with every set of axes backwards, 2 · 2^d orders. */
export function literalOrdered(problem: MappingProblem): number[] {
  const { tasks, ranks, dimensions } = pointsOf(problem);
  const orders = [[...new Array(dimensions).keys()], columnMajorAxes(dimensions)].flatMap((axes) =>
    Array.from({ length: 2 ** dimensions }, (_, backwards) =>
      pairUp(tasks.toSorted(byAxes(axes, 0)), ranks.toSorted(byAxes(axes, backwards))),
    ),
  );
  const costs = orders.map((mapping) => hopsOfAllPairs(problem, mapping));
  return orders[costs.indexOf(Math.min(...costs))]!;
}

/** INCIMPROVE, section 5.2, with the sum worked out anew for each pair. */
export function literalIncremental(problem: MappingProblem): number[] {
  const mapping = [...mapWith(rcb, problem, { options: { rotate: 'no' } }).mapping];
  for (let best = hopsOfAllPairs(problem, mapping), before = Infinity; best < before;) {
    before = best;
    for (let task = 0; task < mapping.length; task++) {
      for (let other = task + 1; other < mapping.length; other++) {
        exchange(mapping, task, other);
        const hops = hopsOfAllPairs(problem, mapping);
        if (hops < best) best = hops;
        else exchange(mapping, task, other);
      }
    }
  }
  return mapping;
}

/** Hops of all ordered pairs with traffic, each pair once. */
export function hopsOfAllPairs({ machine, job }: MappingProblem, mapping: Mapping | readonly number[]): number {
  const { rowStart, partner } = job.traffic;
  const nodeOf = (task: number): NodeId => Math.floor(mapping[task]! / machine.coresPerNode) as NodeId;
  let sum = 0;
  for (let task = 0; task < job.taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      sum += hopsBetweenNodes(machine, nodeOf(task), nodeOf(partner[pair]!));
    }
  }
  return sum;
}

function exchange(mapping: number[], task: number, other: number): void {
  [mapping[task], mapping[other]] = [mapping[other]!, mapping[task]!];
}

const manhattan = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, position, axis) => sum + Math.abs(position - b[axis]!), 0);

/** The paper's basepoints: the lowest or the highest coordinate on each axis. */
const extreme = (points: readonly Point[], of: (...positions: number[]) => number): number[] =>
  points[0]!.at.map((_, axis) => of(...points.map(({ at }) => at[axis]!)));

/** y fastest, then x, then z and the rest. */
const columnMajorAxes = (dimensions: number): number[] =>
  dimensions === 1 ? [0] : [1, 0, ...[...new Array(dimensions).keys()].slice(2)];

/** The order in which the first of `axes` varies fastest; the axes whose bit is set in `backwards` descend. */
const byAxes =
  (axes: readonly number[], backwards: number) =>
  (a: Point, b: Point): number => {
    const axis = axes.findLast((each) => a.at[each] !== b.at[each]);
    if (axis === undefined) return a.id - b.id;
    return ((backwards >> axis) & 1) === 1 ? b.at[axis]! - a.at[axis]! : a.at[axis]! - b.at[axis]!;
  };

/** By Manhattan distance from `location`, ties by z, then y, then x. */
const byDistanceFrom =
  (location: readonly number[]) =>
  (a: Point, b: Point): number =>
    manhattan(a.at, location) - manhattan(b.at, location) || byAxes([...location.keys()], 0)(a, b);

/** Takes the point nearest to `location` out of `free`. */
function takeNearest(free: Point[], location: readonly number[]): Point {
  const nearest = free.toSorted(byDistanceFrom(location))[0]!;
  free.splice(free.indexOf(nearest), 1);
  return nearest;
}

/** The k-th rank of one order for the k-th task of another. */
function pairUp(tasks: readonly Point[], ranks: readonly Point[]): number[] {
  const mapping: number[] = [];
  tasks.forEach((task, index) => (mapping[task.id] = ranks[index]!.id));
  return mapping;
}
