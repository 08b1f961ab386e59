import { unrotated } from './rotation.ts';

/** Axes from the fastest to the slowest in column-major order: y, then x, then z and the rest, as the paper has it. */
export function columnFirst(dimensions: number): readonly number[] {
  return dimensions < 2 ? unrotated(dimensions) : [1, 0, ...unrotated(dimensions).slice(2)];
}
