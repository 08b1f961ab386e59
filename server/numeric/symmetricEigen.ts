import { itemAt, realAt } from './elements.ts';
import { hypotenuse } from './elementary.ts';

/** Eigenvalues of a real symmetric matrix, largest first, and the unit eigenvector of each. */
interface EigenSystem {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
}

const sweepLimit = 32;

/**
 * Cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5): exact enough and
 * short, for the few dozen rows that principal components have. O(rows³) per sweep, some eight sweeps.
 */
export function symmetricEigen(matrix: readonly (readonly number[])[]): EigenSystem {
  const size = matrix.length;
  const work = matrix.map((row) => Float64Array.from(row));
  const vectors = matrix.map((_, row) => Float64Array.from({ length: size }, (__, column) => Number(row === column)));
  const enough = 1e-24 * squaredNorm(work);
  for (let sweep = 0; sweep < sweepLimit && squaredOffDiagonal(work) > enough; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) if (itemAt(work, p)[q] !== 0) rotate(work, vectors, p, q);
    }
  }
  const order = work.map((_, row) => row).sort((a, b) => realAt(itemAt(work, b), b) - realAt(itemAt(work, a), a));
  return {
    values: order.map((row) => realAt(itemAt(work, row), row)),
    vectors: order.map((column) => vectors.map((row) => realAt(row, column))),
  };
}

/** Turns the plane of axes p and q so that work[p][q] becomes 0. */
function rotate(work: readonly Float64Array[], vectors: readonly Float64Array[], p: number, q: number): void {
  const slope = (realAt(itemAt(work, q), q) - realAt(itemAt(work, p), p)) / (2 * realAt(itemAt(work, p), q));
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + hypotenuse(slope, 1));
  const cosine = 1 / hypotenuse(tangent, 1);
  const sine = tangent * cosine;
  for (const row of work) turn(row, p, q, cosine, sine);
  const rowP = itemAt(work, p);
  const rowQ = itemAt(work, q);
  for (let column = 0; column < work.length; column++) {
    const ofP = realAt(rowP, column);
    const ofQ = realAt(rowQ, column);
    rowP[column] = cosine * ofP - sine * ofQ;
    rowQ[column] = sine * ofP + cosine * ofQ;
  }
  for (const row of vectors) turn(row, p, q, cosine, sine);
}

function turn(row: Float64Array, p: number, q: number, cosine: number, sine: number): void {
  const ofP = realAt(row, p);
  const ofQ = realAt(row, q);
  row[p] = cosine * ofP - sine * ofQ;
  row[q] = sine * ofP + cosine * ofQ;
}

const squaredNorm = (work: readonly Float64Array[]): number =>
  work.reduce((sum, row) => row.reduce((total, value) => total + value * value, sum), 0);

function squaredOffDiagonal(work: readonly Float64Array[]): number {
  let sum = 0;
  for (const [row, values] of work.entries()) {
    for (let column = 0; column < row; column++) sum += realAt(values, column) * realAt(values, column);
  }
  return 2 * sum;
}

/**
 * All eigenvalues of a real symmetric matrix, ascending; `matrix` (row-major) is overwritten. Householder
 * reflections to three diagonals, then QL steps with implicit shifts (Golub and Van Loan, Matrix Computations,
 * sections 8.3.1 and 8.3.3). Errors are a few units of rounding of the largest one. Undefined where the steps do not
 * converge, as with entries that are not finite. O(size³).
 */
export function symmetricEigenvalues(matrix: Float64Array, size: number): Float64Array | undefined {
  const diagonal = new Float64Array(size);
  const beside = new Float64Array(size);
  for (let last = size - 1; last > 0; last--) {
    beside[last - 1] = last === 1 ? realAt(matrix, size) : reflect(matrix, size, last);
  }
  for (let row = 0; row < size; row++) diagonal[row] = realAt(matrix, row * size + row);
  return tridiagonalEigenvalues(diagonal, beside);
}

/**
 * Reflects rows and columns 0 … last − 1 so that row `last` has nothing left of its last neighbour, and
 * returns that neighbour. Works on the lower triangle alone.
 */
function reflect(matrix: Float64Array, size: number, last: number): number {
  const vector = matrix.subarray(last * size, last * size + last);
  let squares = 0;
  for (let index = 0; index < last - 1; index++) squares += realAt(vector, index) * realAt(vector, index);
  const neighbour = realAt(vector, last - 1);
  if (squares === 0) return neighbour;
  const length = (neighbour > 0 ? -1 : 1) * Math.sqrt(squares + neighbour * neighbour);
  vector[last - 1] = neighbour - length;
  const scale = 2 / (squares + realAt(vector, last - 1) * realAt(vector, last - 1));
  const product = timesLower(matrix, size, vector, scale);
  let half = 0;
  for (let index = 0; index < last; index++) half += realAt(product, index) * realAt(vector, index);
  half *= scale / 2;
  for (let index = 0; index < last; index++) product[index]! -= half * realAt(vector, index);
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
 * Eigenvalues, ascending, of the symmetric matrix with this diagonal and, beside it, `beside[i]` between i and i + 1
 * (the last entry is not used). Overwrites both; undefined where the steps do not converge. O(size²).
 */
export function tridiagonalEigenvalues(diagonal: Float64Array, beside: Float64Array): Float64Array | undefined {
  const size = diagonal.length;
  if (size > 0) beside[size - 1] = 0;
  for (let first = 0; first < size; first++) {
    for (let steps = 0; ; steps++) {
      let end = first;
      while (end + 1 < size && !isNegligible(diagonal, beside, end)) end++;
      if (end === first) break;
      if (steps === stepLimit) return undefined;
      stepQL(diagonal, beside, first, end);
    }
  }
  return diagonal.sort();
}

function isNegligible(diagonal: Float64Array, beside: Float64Array, index: number): boolean {
  const near = Math.abs(realAt(diagonal, index)) + Math.abs(realAt(diagonal, index + 1));
  return Math.abs(realAt(beside, index)) <= Number.EPSILON * near;
}

/** One QL step with Wilkinson's shift on rows first … end. */
function stepQL(diagonal: Float64Array, beside: Float64Array, first: number, end: number): void {
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
  }
  diagonal[first]! -= shift;
  beside[first] = carried;
  beside[end] = 0;
}
