/**
 * Entries of arrays by their index, for loops whose bounds the compiler cannot see. An index outside the array throws
 * at once, where `array[index]` would go on with undefined and end as NaN far away. There is one function for each kind
 * of array, and not a generic one, because engines compile a loop well only where each of its accesses meets one kind.
 * They are kept this short because engines write functions of a few bytes of bytecode into every loop that calls them.
 */
export function intAt(values: Int32Array, index: number): number {
  return values[index] ?? outside(values, index);
}

/** {@link intAt} for doubles. */
export function realAt(values: Float64Array, index: number): number {
  return values[index] ?? outside(values, index);
}

/** {@link intAt} for bytes. */
export function byteAt(values: Uint8Array, index: number): number {
  return values[index] ?? outside(values, index);
}

/** {@link intAt} for lists of things that are there. */
export function itemAt<Item>(values: readonly Item[], index: number): NonNullable<Item> {
  return values[index] ?? outside(values, index);
}

function outside({ length }: { readonly length: number }, index: number): never {
  throw new RangeError(`Entry ${index} of ${length} was asked for.`);
}

/** `larger` with the values of `values` at its beginning. */
export function grown<Values extends Float64Array | Int32Array | Uint8Array>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}
