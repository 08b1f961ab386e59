/** The two loops over dense vectors of doubles that linear algebra is made of, by their names in the BLAS. */
import { realAt } from './elements.ts';

/** The sum of products of entries, in order, over the entries of the second, which may be the shorter one. */
export function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < other.length; index++) sum += realAt(one, index) * realAt(other, index);
  return sum;
}

/** Adds `factor` times the first to the second, over the entries of the first, which may be the shorter one. */
export function axpy(factor: number, one: Float64Array, other: Float64Array): void {
  for (let index = 0; index < one.length; index++) other[index]! += factor * realAt(one, index);
}
