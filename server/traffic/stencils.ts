import { intAt, itemAt } from '../numeric/elements.ts';
import type { StencilEntry, StencilOffset, AddPair, Stencil } from './contract.ts';
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { coordinatesOf, stridesOf, volumeOf, type Shape } from '../model/shape.ts';
import type { Traffic } from '../model/traffic.ts';

/** Tasks one step away on each axis, both ways. */
function axisNeighbours(dimensions: number): StencilOffset[] {
  const offsets: StencilOffset[] = [];
  for (let axis = 0; axis < dimensions; axis++) {
    for (const step of [-1, 1]) {
      offsets.push({
        offset: Array.from({ length: dimensions }, (_, other) => (other === axis ? step : 0)),
        weight: 1,
      });
    }
  }
  return offsets;
}

/** All tasks of the cube of side 3 around a task, but the task itself. */
function cubeNeighbours(dimensions: number): StencilOffset[] {
  const cube = Array.from({ length: 3 ** dimensions }, (_, index) =>
    Array.from({ length: dimensions }, (_, axis) => (Math.floor(index / 3 ** axis) % 3) - 1),
  );
  return cube.filter((offset) => offset.some((step) => step !== 0)).map((offset) => ({ offset, weight: 1 }));
}

function stencilEntry(
  name: string,
  dimensions: number,
  offsets: readonly StencilOffset[],
  summary: string,
): StencilEntry {
  return {
    name,
    summary,
    source: 'Placewright; as in Bunde et al. 2014, section 1',
    details:
      `For grids of ${dimensions} ${dimensions === 1 ? 'dimension' : 'dimensions'}. Every task sends to the ` +
      `${offsets.length} tasks at these offsets; the border of the grid cuts them off unless the job is \`periodic\`. ` +
      'On a periodic side of 2 both directions reach the same task and their bytes add up.',
    options: [],
    stencil: { name, dimensions, offsets },
  };
}

/** The points of the name count the task itself: a five-point stencil has four partners. */
export const stencils: readonly StencilEntry[] = [
  stencilEntry('three-point', 1, axisNeighbours(1), 'two neighbours on a line'),
  stencilEntry('five-point', 2, axisNeighbours(2), 'four neighbours on a plane'),
  stencilEntry('seven-point', 3, axisNeighbours(3), 'six neighbours in space'),
  stencilEntry('nine-point', 2, cubeNeighbours(2), 'eight neighbours on a plane, diagonals included'),
  stencilEntry('twenty-seven-point', 3, cubeNeighbours(3), 'twenty-six neighbours in space, diagonals included'),
];

/** Tasks between two polls of the cancellation. */
const tasksPerPoll = 2 ** 12;

/**
 * Visits the pairs of a stencil row by row; without wrapping, receivers ascend within a row.
 * False if cancelled on the way.
 */
export function addStencilPairs(
  stencil: Stencil,
  grid: Shape,
  periodic: boolean,
  add: AddPair,
  cancellation: Cancellation,
): boolean {
  const strides = stridesOf(grid);
  const offsets = sortedByReceiver(stencil.offsets, strides);
  const coordinates = new Int32Array(grid.length);
  const taskCount = grid.reduce((product, side) => product * side, 1);
  for (let task = 0; task < taskCount; task++) {
    if (task % tasksPerPoll === 0 && cancellation.isCancelled()) return false;
    for (let axis = 0; axis < grid.length; axis++) {
      coordinates[axis] = Math.floor(task / itemAt(strides, axis)) % itemAt(grid, axis);
    }
    for (const { offset, weight } of offsets) {
      const receiver = taskAt(coordinates, offset, grid, strides, periodic);
      if (receiver >= 0) add(task, receiver, weight);
    }
  }
  return true;
}

/**
 * The rows of a stencil on a grid that does not wrap, whose offsets are all different and none of which is 0: written where they will
 * stand, so that the traffic of millions of tasks is never in memory twice. Undefined if cancelled. O(tasks · offsets).
 */
export function stencilRows(
  stencil: Stencil,
  grid: Shape,
  bytesPerPair: number,
  cancellation: Cancellation,
): Traffic | undefined {
  const strides = stridesOf(grid);
  const offsets = sortedByReceiver(stencil.offsets, strides);
  const [side = 1, ...sides] = grid;
  const taskCount = volumeOf(grid);
  const pairCount = offsets.reduce((sum, { offset }) => sum + pairsAt(offset, grid), 0);
  const rowStart = new Int32Array(taskCount + 1);
  const partner = new Int32Array(pairCount);
  const bytes = new Float64Array(pairCount);
  const meter = new WorkMeter(cancellation);
  const amounts = offsets.map(({ weight }) => weight * bytesPerPair);
  const away = offsets.map(({ offset }) => offset.reduce((sum, steps, axis) => sum + steps * itemAt(strides, axis), 0));
  const line = new Array<number>(sides.length).fill(0);
  /** Offsets along which a line of tasks along x has partners. */
  const reaching = new Int32Array(offsets.length);
  let pair = 0;
  for (let first = 0; first < taskCount; first += side) {
    coordinatesOf(sides, first / side, line);
    let count = 0;
    for (const [index, { offset }] of offsets.entries())
      if (line.every((at, axis) => isPositionWithin(at + (offset[axis + 1] ?? 0), itemAt(sides, axis))))
        reaching[count++] = index;
    for (let x = 0; x < side; x++) {
      rowStart[first + x] = pair;
      for (let place = 0; place < count; place++) {
        const index = intAt(reaching, place);
        if (!isPositionWithin(x + (itemAt(offsets, index).offset[0] ?? 0), side)) continue;
        partner[pair] = first + x + itemAt(away, index);
        bytes[pair++] = itemAt(amounts, index);
      }
      if (meter.isCancelledAfter(1 + count)) return undefined;
    }
  }
  rowStart[taskCount] = pair;
  return { taskCount, rowStart, partner, bytes };
}

const isPositionWithin = (position: number, side: number): boolean => position >= 0 && position < side;

/** Tasks of a grid that does not wrap which have a task at an offset. */
const pairsAt = (offset: readonly number[], grid: Shape): number =>
  grid.reduce((product, side, axis) => product * Math.max(0, side - Math.abs(offset[axis] ?? 0)), 1);

/** Sorted offsets meet receivers in ascending order, which spares the sort of all pairs. */
function sortedByReceiver(offsets: readonly StencilOffset[], strides: readonly number[]): StencilOffset[] {
  const distance = ({ offset }: StencilOffset) =>
    offset.reduce((sum, steps, axis) => sum + steps * (strides[axis] ?? 0), 0);
  return [...offsets].sort((a, b) => distance(a) - distance(b));
}

/** The task at an offset, or −1 beyond the border of a grid that does not wrap. */
function taskAt(
  coordinates: Int32Array,
  offset: readonly number[],
  grid: Shape,
  strides: readonly number[],
  periodic: boolean,
): number {
  let task = 0;
  for (let axis = 0; axis < grid.length; axis++) {
    const side = itemAt(grid, axis);
    let position = intAt(coordinates, axis) + (offset[axis] ?? 0);
    if (position < 0 || position >= side) {
      if (!periodic) return -1;
      position = ((position % side) + side) % side;
    }
    task += position * itemAt(strides, axis);
  }
  return task;
}
