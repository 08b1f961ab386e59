import { intAt, itemAt } from '../../numeric/elements.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MappingAnswer, MappingContext, MappingProblem, MapperEntry } from '../contract.ts';
import { alignJob } from '../stencils/alignment.ts';
import { columnFirst } from './linearOrder.ts';
import { rankPoints, taskPoints, linearOrder, type GridPoints } from '../stencils/gridPoints.ts';
import { rotateOption } from '../stencils/rotation.ts';

/** What OVERLAY and TWOWAYOVERLAY leave open, for their details. */
const overlayDetails =
  'Nearest is by Manhattan distance without the wrap of a torus; ties by z, then y, then x, lower ones first, then by ' +
  'slot. The paper leaves both open. Desired locations may lie outside the machine.';

export const overlay: MapperEntry = {
  name: 'overlay',
  summary: 'lays the grid over the ranks; each task takes the nearest free rank',
  source: 'Bunde et al. 2014, section 3 (OVERLAY)',
  details: `Tasks in column-major order from the lowest coordinates of the ranks. ${overlayDetails}`,
  options: [rotateOption],
  complexity: 'O(n²)',
  scaling: 'quadratic',
  map: (problem, context) => overlayTasks(problem, context, false),
};

export const twoWayOverlay: MapperEntry = {
  name: 'two-way-overlay',
  summary: 'like overlay, from the front and the back in turn',
  source: 'Bunde et al. 2014, section 3 (TWOWAYOVERLAY)',
  details:
    'A task from the front first, in column-major order from the lowest coordinates of the ranks, then one from the back, ' +
    `in the reverse order from the highest. ${overlayDetails}`,
  options: [rotateOption],
  complexity: 'O(n²)',
  scaling: 'quadratic',
  map: (problem, context) => overlayTasks(problem, context, true),
};

/**
 * The overlay algorithms of Bunde et al. 2014, section 3: tasks are taken in column-major order, and
 * each goes to the free rank nearest to where it lies when the grid is laid over the ranks with its
 * first corner on their basepoint. With `bothWays` every second task is the last one left, of the grid
 * laid with its last corner on the opposite basepoint.
 */
function overlayTasks(problem: MappingProblem, context: MappingContext, bothWays: boolean): Result<MappingAnswer> {
  const aligned = alignJob(problem, context);
  if (!aligned.ok) return aligned;
  const tasks = taskPoints(aligned.value);
  const ranks = rankPoints(aligned.value);
  const order = linearOrder(tasks, columnFirst(tasks.highest.length), []);
  const free = new NearestRank(ranks);
  const beyond = ranks.highest.map((highest, axis) => highest - itemAt(tasks.highest, axis));
  const mapping = new Int32Array(order.length);
  const location = new Int32Array(beyond.length);
  for (let step = 0; step < order.length; step++) {
    if ((step & 15) === 0 && context.cancellation.isCancelled()) return cancelled();
    const fromBack = bothWays && (step & 1) === 1;
    const turn = bothWays ? step >> 1 : step;
    const task = intAt(order, fromBack ? order.length - 1 - turn : turn);
    for (let axis = 0; axis < location.length; axis++) {
      location[axis] = intAt(itemAt(tasks.coordinates, axis), task) + (fromBack ? itemAt(beyond, axis) : 0);
    }
    mapping[intAt(tasks.ids, task)] = intAt(ranks.ids, free.take(location));
  }
  return succeed({ mapping, notes: [] });
}

/**
 * The free rank nearest to a location in Manhattan distance, ties to the first point, which is the
 * lowest z, then y, then x, then slot. A binary tree over the points in their order, each node with
 * the bounding box of the ranks below it that are still free: a branch is left out where its box is
 * no nearer than the best so far. A few hundred nodes per search at 16,384 ranks.
 */
export class NearestRank {
  readonly #dimensions: number;
  /** Leaves of the tree, a power of two; node 1 is the root and nodes 2i and 2i + 1 are below node i. */
  readonly #leaves: number;
  /**
   * `bounds[(node · dimensions + axis) · 2]` and the next: lowest and highest; farther than any rank where none is
   * free.
   */
  readonly #bounds: Int32Array;
  #location: Int32Array = new Int32Array(0);
  #best = 0;
  #nearest = 0;

  constructor({ ids, coordinates }: GridPoints) {
    this.#dimensions = coordinates.length;
    this.#leaves = 2 ** Math.ceil(Math.log2(ids.length));
    this.#bounds = new Int32Array(4 * this.#leaves * this.#dimensions);
    for (let point = 0; point < this.#leaves; point++) {
      for (let axis = 0; axis < this.#dimensions; axis++) {
        const bound = ((this.#leaves + point) * this.#dimensions + axis) * 2;
        this.#bounds[bound] = itemAt(coordinates, axis)[point] ?? nowhere;
        this.#bounds[bound + 1] = itemAt(coordinates, axis)[point] ?? -nowhere;
      }
    }
    for (let node = this.#leaves - 1; node > 0; node--) this.#fit(node);
  }

  /** The point nearest to `location`, which may lie outside all of them; it is no longer free. One must be left. */
  take(location: Int32Array): number {
    this.#location = location;
    this.#best = Infinity;
    this.#nearest = this.#leaves;
    this.#search(1, this.#distanceTo(1), 0, this.#leaves);
    this.#remove(this.#nearest);
    return this.#nearest;
  }

  /** Looks below `node`, whose box is `distance` away and whose leaves are `width` points from `first`. */
  #search(node: number, distance: number, first: number, width: number): void {
    if (distance > this.#best || (distance === this.#best && first > this.#nearest)) return;
    if (width === 1) {
      this.#best = distance;
      this.#nearest = first;
      return;
    }
    const half = width >> 1;
    const low = this.#distanceTo(2 * node);
    const high = this.#distanceTo(2 * node + 1);
    if (low <= high) this.#search(2 * node, low, first, half);
    this.#search(2 * node + 1, high, first + half, half);
    if (low > high) this.#search(2 * node, low, first, half);
  }

  #distanceTo(node: number): number {
    const bounds = this.#bounds;
    const location = this.#location;
    let bound = node * this.#dimensions * 2;
    let distance = 0;
    for (let axis = 0; axis < this.#dimensions; axis++, bound += 2) {
      const position = intAt(location, axis);
      if (position < intAt(bounds, bound)) distance += intAt(bounds, bound) - position;
      else if (position > intAt(bounds, bound + 1)) distance += position - intAt(bounds, bound + 1);
    }
    return distance;
  }

  #remove(point: number): void {
    let node = this.#leaves + point;
    for (let axis = 0; axis < this.#dimensions; axis++) {
      this.#bounds[(node * this.#dimensions + axis) * 2] = nowhere;
      this.#bounds[(node * this.#dimensions + axis) * 2 + 1] = -nowhere;
    }
    do node >>= 1;
    while (node > 0 && this.#fit(node));
  }

  /** Fits a node's box round those below it; false where it did. */
  #fit(node: number): boolean {
    const bounds = this.#bounds;
    const width = this.#dimensions * 2;
    let changed = false;
    for (let own = node * width, low = 2 * own, high = low + width; own < (node + 1) * width; own += 2) {
      const lowest = Math.min(intAt(bounds, low), intAt(bounds, high));
      const highest = Math.max(intAt(bounds, low + 1), intAt(bounds, high + 1));
      changed ||= lowest !== bounds[own] || highest !== bounds[own + 1];
      bounds[own] = lowest;
      bounds[own + 1] = highest;
      low += 2;
      high += 2;
    }
    return changed;
  }
}

/** Farther than any coordinate; 32 axes of it still fit a number. */
const nowhere = 2 ** 28;
