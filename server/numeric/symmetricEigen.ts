import { itemAt, realAt } from './elements.ts';
import { hypotenuse, sine as sineOf } from './elementary.ts';
import { axpy, dot } from './vectors.ts';

/**
 * Eigenvalues and eigenvectors of dense symmetric matrices: Householder reflections to three diagonals, then QL steps
 * with implicit shifts (Golub and Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3), which turn the vectors
 * along where they are asked for. Enter by {@link symmetricEigen}, by {@link symmetricEigenvalues} for a third of the
 * work, or by {@link tridiagonalEigenvalues}. Only basic operations and square roots are used, so results are the same
 * to the last bit on every machine. `largestEigenvalue.ts` has what needs products with a matrix alone.
 */
interface EigenSystem {
  /** Ascending. */
  readonly values: Float64Array;
  /**
   * The unit eigenvector of each. Its largest component is positive; of components that are equally large but for
   * rounding, the first. An eigenvalue that there is several times has a space of eigenvectors and no single ones: the
   * last of them is the projection of a fixed wave onto that space, the one before it that of another wave onto what
   * is at right angles to it, and so on, so that they too depend on the matrix and not on the algorithm.
   */
  readonly vectors: readonly Float64Array[];
}

/**
 * All eigenvalues of a real symmetric matrix and their eigenvectors; `matrix` (row-major) is overwritten. Errors of
 * values, and of what a vector is from right angles and from being an eigenvector, are a few units of rounding of the
 * largest value. Undefined where the steps do not converge, as with entries that are not finite. O(size³).
 */
export function symmetricEigen(matrix: Float64Array, size: number): EigenSystem | undefined {
  const { diagonal, beside, scales } = tridiagonalise(matrix, size);
  const vectors = reflectedAxes(matrix, size, scales);
  if (!diagonalise(diagonal, beside, vectors)) return undefined;
  const order = Array.from(diagonal.keys()).sort((a, b) => realAt(diagonal, a) - realAt(diagonal, b));
  const system = { values: diagonal.sort(), vectors: order.map((row) => itemAt(vectors, row)) };
  fixBases(system);
  for (const vector of system.vectors) fixSign(vector);
  return system;
}

/** {@link symmetricEigen} without the vectors. */
export function symmetricEigenvalues(matrix: Float64Array, size: number): Float64Array | undefined {
  const { diagonal, beside } = tridiagonalise(matrix, size);
  return tridiagonalEigenvalues(diagonal, beside);
}

/**
 * Eigenvalues, ascending, of the symmetric matrix with this diagonal and, beside it, `beside[i]` between i and i + 1
 * (the last entry is not used). Overwrites both; undefined where the steps do not converge. O(size²).
 */
export function tridiagonalEigenvalues(diagonal: Float64Array, beside: Float64Array): Float64Array | undefined {
  return diagonalise(diagonal, beside, []) ? diagonal.sort() : undefined;
}

/** Three diagonals of H A H, where H is the product of reflections. */
interface Tridiagonal {
  readonly diagonal: Float64Array;
  readonly beside: Float64Array;
  /** Reflection `last` is I − scales[last] · v vᵀ, v being left in row `last` of the matrix, left of the diagonal. */
  readonly scales: Float64Array;
}

function tridiagonalise(matrix: Float64Array, size: number): Tridiagonal {
  const diagonal = new Float64Array(size);
  const beside = new Float64Array(size);
  const scales = new Float64Array(size);
  for (let last = size - 1; last > 0; last--) beside[last - 1] = reflect(matrix, size, last, scales);
  for (let row = 0; row < size; row++) diagonal[row] = realAt(matrix, row * size + row);
  return { diagonal, beside, scales };
}

/**
 * Reflects rows and columns 0 … last − 1 so that row `last` has nothing left of its last neighbour, and
 * returns that neighbour. Works on the lower triangle alone.
 */
function reflect(matrix: Float64Array, size: number, last: number, scales: Float64Array): number {
  const vector = matrix.subarray(last * size, last * size + last);
  const others = vector.subarray(0, last - 1);
  const squares = dot(others, others);
  const neighbour = realAt(vector, last - 1);
  if (squares === 0) return neighbour;
  const length = (neighbour > 0 ? -1 : 1) * Math.sqrt(squares + neighbour * neighbour);
  vector[last - 1] = neighbour - length;
  const scale = 2 / (squares + realAt(vector, last - 1) * realAt(vector, last - 1));
  scales[last] = scale;
  const product = timesLower(matrix, size, vector, scale);
  axpy((-scale / 2) * dot(product, vector), vector, product);
  for (let row = 0; row < last; row++) {
    const start = row * size;
    const own = realAt(vector, row);
    const ownProduct = realAt(product, row);
    for (let column = 0; column <= row; column++) {
      matrix[start + column]! -= own * realAt(product, column) + ownProduct * realAt(vector, column);
    }
  }
  return length;
}

/** The axes as the reflections of {@link tridiagonalise} leave them, one to a row. */
function reflectedAxes(matrix: Float64Array, size: number, scales: Float64Array): Float64Array[] {
  const axes = Array.from({ length: size }, (_, row) => new Float64Array(size).fill(1, row, row + 1));
  for (let last = 2; last < size; last++) {
    const scale = realAt(scales, last);
    if (scale === 0) continue;
    const vector = matrix.subarray(last * size, last * size + last);
    for (let row = 0; row < last; row++) {
      const axis = itemAt(axes, row);
      axpy(-scale * dot(axis, vector), vector, axis);
    }
  }
  return axes;
}

/** Eigenvalues that differ by less than this share of the largest are the same but for rounding. */
const repeated = 1e-10;

/** Turns the vectors of each repeated eigenvalue among themselves, to what {@link EigenSystem.vectors} says. */
function fixBases({ values, vectors }: EigenSystem): void {
  const near = repeated * Math.max(Math.abs(values.at(0) ?? 0), Math.abs(values.at(-1) ?? 0));
  for (let start = 0, end = 1; start < values.length; start = end++) {
    while (end < values.length && realAt(values, end) - realAt(values, end - 1) <= near) end++;
    for (let last = end - 1; last > start; last--) alignLast(vectors.slice(start, last + 1));
  }
}

/**
 * Reflects orthogonal unit vectors among themselves so that the last is along the projection of a wave onto their
 * space. A wave has no symmetry: where points are on a tree with equal branches it parts all of them, while projections
 * of axes part one from the rest.
 */
function alignLast(vectors: readonly Float64Array[]): void {
  const size = itemAt(vectors, 0).length;
  const wave = Float64Array.from({ length: size }, (_, index) => sineOf((index + 1) * (vectors.length + 1)));
  const mirror = Float64Array.from(vectors, (vector) => dot(vector, wave));
  const last = mirror.length - 1;
  mirror[last]! += (realAt(mirror, last) < 0 ? -1 : 1) * Math.sqrt(dot(mirror, mirror));
  const length = dot(mirror, mirror);
  if (length === 0) return;
  const along = new Float64Array(size);
  for (const [row, vector] of vectors.entries()) axpy(realAt(mirror, row), vector, along);
  for (const [row, vector] of vectors.entries()) axpy((-2 * realAt(mirror, row)) / length, along, vector);
}

/** Components that differ by less than this share are equally large but for rounding. */
const tie = 1e-6;

function fixSign(vector: Float64Array): void {
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  const first = vector.find((component) => Math.abs(component) >= (1 - tie) * largest);
  if (first === undefined || first >= 0) return;
  for (let index = 0; index < vector.length; index++) vector[index] = -realAt(vector, index);
}

/** The leading block of the symmetric matrix, kept as its lower triangle, times `vector`, times `scale`. */
function timesLower(matrix: Float64Array, size: number, vector: Float64Array, scale: number): Float64Array {
  const product = new Float64Array(vector.length);
  for (let row = 0; row < vector.length; row++) {
    const start = row * size;
    const own = realAt(vector, row);
    let sum = 0;
    for (let column = 0; column < row; column++) {
      const entry = realAt(matrix, start + column);
      sum += entry * realAt(vector, column);
      product[column]! += entry * own;
    }
    product[row]! += sum + realAt(matrix, start + row) * own;
  }
  for (let row = 0; row < product.length; row++) product[row]! *= scale;
  return product;
}

/** Steps that an eigenvalue may take; it takes two or three. */
const stepLimit = 60;

/**
 * Turns a matrix of three diagonals into its eigenvalues, in no order, and rows of `vectors`, if there are any, in the
 * same planes. False where the steps do not converge.
 */
function diagonalise(diagonal: Float64Array, beside: Float64Array, vectors: readonly Float64Array[]): boolean {
  const size = diagonal.length;
  if (size > 0) beside[size - 1] = 0;
  for (let first = 0; first < size; first++) {
    for (let steps = 0; ; steps++) {
      let end = first;
      while (end + 1 < size && !isNegligible(diagonal, beside, end)) end++;
      if (end === first) break;
      if (steps === stepLimit) return false;
      stepQL(diagonal, beside, vectors, first, end);
    }
  }
  return true;
}

function isNegligible(diagonal: Float64Array, beside: Float64Array, index: number): boolean {
  const near = Math.abs(realAt(diagonal, index)) + Math.abs(realAt(diagonal, index + 1));
  return Math.abs(realAt(beside, index)) <= Number.EPSILON * near;
}

/** One QL step with Wilkinson's shift on rows first … end. */
function stepQL(
  diagonal: Float64Array,
  beside: Float64Array,
  vectors: readonly Float64Array[],
  first: number,
  end: number,
): void {
  const slope = (realAt(diagonal, first + 1) - realAt(diagonal, first)) / (2 * realAt(beside, first));
  const root = hypotenuse(slope, 1);
  let carried =
    realAt(diagonal, end) - realAt(diagonal, first) + realAt(beside, first) / (slope + (slope < 0 ? -root : root));
  let sine = 1;
  let cosine = 1;
  let shift = 0;
  for (let row = end - 1; row >= first; row--) {
    const off = sine * realAt(beside, row);
    const along = cosine * realAt(beside, row);
    const length = hypotenuse(off, carried);
    beside[row + 1] = length;
    if (length === 0) {
      diagonal[row + 1]! -= shift;
      beside[end] = 0;
      return;
    }
    sine = off / length;
    cosine = carried / length;
    const before = realAt(diagonal, row + 1) - shift;
    const turned = (realAt(diagonal, row) - before) * sine + 2 * cosine * along;
    shift = sine * turned;
    diagonal[row + 1] = before + shift;
    carried = cosine * turned - along;
    if (vectors.length > 0) rotateColumns(itemAt(vectors, row), itemAt(vectors, row + 1), cosine, sine);
  }
  diagonal[first]! -= shift;
  beside[first] = carried;
  beside[end] = 0;
}

/** Turns two vectors in their plane. */
function rotateColumns(one: Float64Array, other: Float64Array, cosine: number, sine: number): void {
  for (let index = 0; index < one.length; index++) {
    const ofOne = realAt(one, index);
    const ofOther = realAt(other, index);
    one[index] = cosine * ofOne - sine * ofOther;
    other[index] = sine * ofOne + cosine * ofOther;
  }
}
