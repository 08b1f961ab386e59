/** Inverses of lists of different whole numbers: of permutations, and of mappings into a larger range. */

/**
 * At every value of `values` its index, −1 elsewhere. Values differ and are from 0 up to, not including, `length`.
 * O(length).
 */
export function inverseOf(values: ArrayLike<number>, length = values.length): Int32Array<ArrayBuffer> {
  const inverse = new Int32Array(length);
  fillInverse(values, inverse);
  return inverse;
}

/** {@link inverseOf} into memory that is there. O(inverse). */
export function fillInverse(values: ArrayLike<number>, inverse: Int32Array): void {
  inverse.fill(-1);
  for (let index = 0; index < values.length; index++) inverse[values[index]!] = index;
}
