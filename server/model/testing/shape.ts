import { type Shape } from '../shape.ts';

/** The index of a coordinate vector. O(dimensions). */
export function indexOf(shape: Shape, coordinates: ArrayLike<number>): number {
  let index = 0;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index = index * (shape[axis] ?? 1) + (coordinates[axis] ?? 0);
  }
  return index;
}
