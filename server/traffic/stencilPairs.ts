import type { Cancellation } from '../model/cancellation.ts';
import type { Shape } from '../model/shape.ts';
import type { AddPair, Stencil, StencilOffset } from './contract.ts';

/** Tasks between two looks at the cancellation. */
const tasksPerLook = 2 ** 12;

/**
 * Visits the pairs of a stencil row by row; without wrapping, receivers ascend within a row.
 * False where it was cancelled on the way.
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
    if (task % tasksPerLook === 0 && cancellation.isCancelled()) return false;
    for (let axis = 0; axis < grid.length; axis++) {
      coordinates[axis] = Math.floor(task / strides[axis]!) % grid[axis]!;
    }
    for (const { offset, weight } of offsets) {
      const receiver = taskAt(coordinates, offset, grid, strides, periodic);
      if (receiver >= 0) add(task, receiver, weight);
    }
  }
  return true;
}

function stridesOf(grid: Shape): number[] {
  let stride = 1;
  return grid.map((side) => {
    const own = stride;
    stride *= side;
    return own;
  });
}

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
    const side = grid[axis]!;
    let position = coordinates[axis]! + (offset[axis] ?? 0);
    if (position < 0 || position >= side) {
      if (!periodic) return -1;
      position = ((position % side) + side) % side;
    }
    task += position * strides[axis]!;
  }
  return task;
}
