import { neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import { intAt, itemAt } from '../../numeric/elements.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MappingAnswer, MappingContext, MappingProblem, MapperEntry } from '../contract.ts';
import { alignJob } from '../stencils/alignment.ts';
import { rankCells, type RankCells } from '../stencils/rankCells.ts';
import { rotateOption } from '../stencils/rotation.ts';
import { columnFirst, longestAxes } from './linearOrder.ts';

/** What OVERLAY and TWOWAYOVERLAY leave open, for their details. */
const overlayDetails =
  'Nearest by Manhattan distance without wrap-around. Ties: lowest z, then y, then x, then slot. The paper leaves both open. Desired locations may be outside the machine.';

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
    'Tasks are taken alternately from the front and the back. The front is column-major order from the lowest ' +
    `coordinates of the ranks, the back the reverse order from the highest. ${overlayDetails}`,
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
  const { sides, strides } = aligned.value;
  const cells = rankCells(aligned.value, context.cancellation);
  if (cells === undefined) return cancelled();
  const free = new NearestRank(cells, context.cancellation);
  const front = new LaidGrid(sides, cells.highest, false);
  const back = bothWays ? new LaidGrid(sides, cells.highest, true) : front;
  const axes = columnFirst(sides.length);
  const mapping = new Int32Array(cells.slots.length);
  /** Of the task from the front; that from the back is as far from the last corner. */
  const position = new Int32Array(sides.length);
  for (let step = 0; step < mapping.length; step++) {
    if ((step & 15) === 0 && context.cancellation.isCancelled()) return cancelled();
    const fromBack = bothWays && (step & 1) === 1;
    let task = 0;
    for (let axis = 0; axis < sides.length; axis++) {
      const coordinate = fromBack ? itemAt(sides, axis) - 1 - intAt(position, axis) : intAt(position, axis);
      task += coordinate * itemAt(strides, axis);
    }
    mapping[task] = (fromBack ? back : front).take(free, position);
    if (fromBack || !bothWays) nextPosition(position, sides, axes);
  }
  return succeed({ mapping, notes: [] });
}

/** Goes on to the next position, the first of `axes` fastest. */
function nextPosition(position: Int32Array, sides: readonly number[], axes: readonly number[]): void {
  for (const axis of axes) {
    if (intAt(position, axis) + 1 < itemAt(sides, axis)) {
      position[axis] = intAt(position, axis) + 1;
      return;
    }
    position[axis] = 0;
  }
}

/**
 * A grid of tasks laid over the box of the ranks, on their basepoint or on the opposite one. Where it sticks out a task is as well
 * placed at the nearest point of the box: all ranks are nearer to that by as much. So the tasks that stick out share few
 * locations, and each location knows the cell where its last task went: while that has ranks left it is the nearest one, and
 * afterwards none is nearer.
 */
class LaidGrid {
  readonly #sides: readonly number[];
  readonly #highest: readonly number[];
  readonly #fromBack: boolean;
  readonly #location: Int32Array;
  /** By location, the first axis fastest: one more than the cell that was nearest, 0 where none was asked for. At most one for each task. */
  readonly #nearest: Int32Array;

  constructor(sides: readonly number[], highest: readonly number[], fromBack: boolean) {
    this.#sides = sides;
    this.#highest = highest;
    this.#fromBack = fromBack;
    this.#location = new Int32Array(sides.length);
    this.#nearest = new Int32Array(
      sides.reduce((product, side, axis) => product * Math.min(side, itemAt(highest, axis) + 1), 1),
    );
  }

  /** The slot of the free rank nearest to a task so many steps from its corner; it is no longer free. */
  take(free: NearestRank, position: Int32Array): number {
    const location = this.#location;
    let place = 0;
    let stride = 1;
    for (let axis = 0; axis < location.length; axis++) {
      const highest = itemAt(this.#highest, axis);
      const steps = Math.min(intAt(position, axis), highest);
      location[axis] = this.#fromBack ? highest - steps : steps;
      place += steps * stride;
      stride *= Math.min(itemAt(this.#sides, axis), highest + 1);
    }
    const cell = free.nearestTo(location, intAt(this.#nearest, place) - 1);
    this.#nearest[place] = cell + 1;
    return free.takeFrom(cell);
  }
}

/** Cells below a leaf of the tree. */
const cellsPerLeaf = 8;
/** Axes along whose diagonals the tree knows bounds as well. */
const diagonalAxes = 3;
/** Farther than any coordinate; 32 axes of it still fit a number. */
const nowhere = 2 ** 28;

/**
 * The free rank nearest to a location in Manhattan distance, ties to the first cell, which is the lowest z, then y, then x, and
 * in it to the lowest slot. A binary tree over the cells in their order, each node with bounds of the coordinates of the cells
 * below it that have free ranks, and of their sums with all signs over the longest axes: round a place where many tasks went the
 * free cells are those outside an octahedron, whose faces are such sums, while a box round them tells next to nothing. A branch is
 * left out where its bounds are no nearer than the best so far.
 */
export class NearestRank {
  readonly #cells: RankCells;
  /** Per cell, its next free rank. */
  readonly #next: Int32Array;
  /** Leaves of the tree, a power of two; node 1 is the root and nodes 2i and 2i + 1 are below node i. */
  readonly #leaves: number;
  /** All axes, those with sums first. */
  readonly #axes: readonly number[];
  readonly #summed: number;
  /** Per sum and axis with sums: 1 or −1. */
  readonly #signs: Int32Array;
  readonly #sums: number;
  /**
   * `bounds[node · width + 2 · place]` and the next: lowest and highest of the coordinates on each of `#axes`, then of each sum; farther
   * than any rank where none is free.
   */
  readonly #bounds: Int32Array;
  readonly #width: number;
  #location: Int32Array = new Int32Array(0);
  /** The sums of the location. */
  readonly #sumsThere: Int32Array;
  /** None is nearer. */
  #least = 0;
  #best = 0;
  #nearest = 0;

  /** Leaves off where cancelled. O(cells · axes). */
  constructor(cells: RankCells, cancellation = neverCancelled) {
    this.#cells = cells;
    this.#next = cells.firstRank.slice(0, cells.count);
    const longest = longestAxes(cells.highest, Math.min(diagonalAxes, cells.highest.filter((end) => end > 0).length));
    this.#axes = [...longest, ...[...cells.highest.keys()].filter((axis) => !longest.includes(axis))];
    this.#summed = longest.length;
    this.#sums = longest.length < 2 ? 0 : 2 ** (longest.length - 1);
    // A sum with all signs turned is bounded by the same numbers: the first axis always counts up.
    this.#signs = Int32Array.from({ length: this.#sums * this.#summed }, (_, index) => {
      const [sum, place] = [Math.floor(index / this.#summed), index % this.#summed];
      return (((2 * sum) >> place) & 1) === 1 ? -1 : 1;
    });
    this.#sumsThere = new Int32Array(this.#sums);
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.ceil(cells.count / cellsPerLeaf)));
    this.#width = 2 * (this.#axes.length + this.#sums);
    this.#bounds = new Int32Array(2 * this.#leaves * this.#width);
    const meter = new WorkMeter(cancellation);
    for (let leaf = 0; leaf < this.#leaves && !meter.isCancelledAfter(cellsPerLeaf * this.#width); leaf++)
      this.#fitLeaf(leaf);
    for (let node = this.#leaves - 1; node > 0 && !meter.isCancelledAfter(this.#width); node--) this.#fit(node);
  }

  /** The first of the cells with free ranks that are nearest to a location in their box. `last` was it before, or is −1. One must be left. */
  nearestTo(location: Int32Array, last: number): number {
    if (last >= 0 && this.#isFree(last)) return last;
    this.#location = location;
    this.#least = last < 0 ? 0 : this.#distanceOf(last);
    for (let sum = 0; sum < this.#sums; sum++) {
      let there = 0;
      for (let place = 0; place < this.#summed; place++)
        there += intAt(this.#signs, sum * this.#summed + place) * intAt(location, itemAt(this.#axes, place));
      this.#sumsThere[sum] = there;
    }
    this.#best = Infinity;
    this.#nearest = this.#cells.count;
    this.#search(1, this.#boundOf(1), 0, this.#leaves);
    return this.#nearest;
  }

  /** The first free slot of a cell; it is no longer free. */
  takeFrom(cell: number): number {
    const rank = intAt(this.#next, cell);
    this.#next[cell] = rank + 1;
    if (!this.#isFree(cell)) {
      const leaf = Math.floor(cell / cellsPerLeaf);
      this.#fitLeaf(leaf);
      for (let node = (this.#leaves + leaf) >> 1; node > 0 && this.#fit(node); node >>= 1);
    }
    return intAt(this.#cells.slots, rank);
  }

  #isFree(cell: number): boolean {
    return intAt(this.#next, cell) < intAt(this.#cells.firstRank, cell + 1);
  }

  /** Looks below `node`, which is `bound` away at least and has `width` leaves from `first`. */
  #search(node: number, bound: number, first: number, width: number): void {
    if (bound > this.#best || (bound === this.#best && first * cellsPerLeaf > this.#nearest)) return;
    if (width === 1) {
      this.#searchLeaf(first);
      return;
    }
    const half = width >> 1;
    const low = this.#boundOf(2 * node);
    const high = this.#boundOf(2 * node + 1);
    if (low <= high) this.#search(2 * node, low, first, half);
    this.#search(2 * node + 1, high, first + half, half);
    if (low > high) this.#search(2 * node, low, first, half);
  }

  #searchLeaf(leaf: number): void {
    const end = Math.min((leaf + 1) * cellsPerLeaf, this.#cells.count);
    for (let cell = leaf * cellsPerLeaf; cell < end; cell++) {
      if (!this.#isFree(cell)) continue;
      const distance = this.#distanceOf(cell);
      if (distance > this.#best || (distance === this.#best && cell > this.#nearest)) continue;
      this.#best = distance;
      this.#nearest = cell;
    }
  }

  #distanceOf(cell: number): number {
    const { coordinates } = this.#cells;
    let distance = 0;
    for (let axis = 0; axis < coordinates.length; axis++)
      distance += Math.abs(intAt(itemAt(coordinates, axis), cell) - intAt(this.#location, axis));
    return distance;
  }

  /** No free cell below a node is nearer. */
  #boundOf(node: number): number {
    const bounds = this.#bounds;
    let at = node * this.#width;
    /** Along the axes with sums, and along the others. */
    let long = 0;
    let short = 0;
    for (let place = 0; place < this.#axes.length; place++, at += 2) {
      const position = intAt(this.#location, itemAt(this.#axes, place));
      const away = Math.max(intAt(bounds, at) - position, position - intAt(bounds, at + 1), 0);
      if (place < this.#summed) long += away;
      else short += away;
    }
    for (let sum = 0; sum < this.#sums; sum++, at += 2) {
      const there = intAt(this.#sumsThere, sum);
      long = Math.max(long, intAt(bounds, at) - there, there - intAt(bounds, at + 1));
    }
    return Math.max(long + short, this.#least);
  }

  #fitLeaf(leaf: number): void {
    const bounds = this.#bounds;
    const first = (this.#leaves + leaf) * this.#width;
    for (let at = first; at < first + this.#width; at += 2) {
      bounds[at] = nowhere;
      bounds[at + 1] = -nowhere;
    }
    const end = Math.min((leaf + 1) * cellsPerLeaf, this.#cells.count);
    for (let cell = leaf * cellsPerLeaf; cell < end; cell++) {
      if (!this.#isFree(cell)) continue;
      let at = first;
      for (const axis of this.#axes) {
        this.#include(at, intAt(itemAt(this.#cells.coordinates, axis), cell));
        at += 2;
      }
      for (let sum = 0; sum < this.#sums; sum++, at += 2) {
        let there = 0;
        for (let place = 0; place < this.#summed; place++) {
          const positions = itemAt(this.#cells.coordinates, itemAt(this.#axes, place));
          there += intAt(this.#signs, sum * this.#summed + place) * intAt(positions, cell);
        }
        this.#include(at, there);
      }
    }
  }

  #include(at: number, value: number): void {
    const bounds = this.#bounds;
    if (value < intAt(bounds, at)) bounds[at] = value;
    if (value > intAt(bounds, at + 1)) bounds[at + 1] = value;
  }

  /** Fits a node's bounds round those below it; false where they did. */
  #fit(node: number): boolean {
    const bounds = this.#bounds;
    const width = this.#width;
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
