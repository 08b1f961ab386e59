import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/** Rows up to which the proof is tried: a sixth of a cube of multiplications, some 20 ms. */
export const proofLimit = 512;

/** How much of ones is added, in shares of the mean row. */
const dominance = 256;

/** Half the distance from 1 to the next larger number. */
const roundoff = Number.EPSILON / 2;

/**
 * Whether no eigenvalue of the weights of a graph, bordered with zeros to `size` rows, on the vectors orthogonal to
 * ones is above `limit`: proven by a Cholesky factorisation of limit · I − A + t · J, which runs through in floating
 * point where something is taken off the diagonal first only if the matrix is positive definite (Rump, BIT 46,
 * 2006, theorem 2.3). J, all ones, is 0 on those vectors; t makes up for what A does to ones. False where it
 * cannot be proven, where there are too many rows, and where it was cancelled. O(size³ / 6).
 */
export function isProvenLimit(graph: TaskGraph, size: number, limit: number, cancellation: Cancellation): boolean {
  if (size > proofLimit) return false;
  const matrix = shifted(graph, size, limit);
  for (let row = 0; row < size; row++) {
    if ((row & 31) === 0 && cancellation.isCancelled()) return false;
    const start = row * size;
    for (let column = 0; column < row; column++) {
      matrix[start + column] = remainder(matrix, start, column * size, column) / matrix[column * size + column]!;
    }
    const left = remainder(matrix, start, start, row);
    if (!(left > 0)) return false;
    matrix[start + row] = Math.sqrt(left);
  }
  return true;
}

/** The last entry of a row less the product of what stands before it in two rows. */
function remainder(matrix: Float64Array, row: number, other: number, length: number): number {
  let sum = matrix[row + length]!;
  for (let column = 0; column < length; column++) sum -= matrix[row + column]! * matrix[other + column]!;
  return sum;
}

/** The lower triangle of limit · I − A + t · J, less what rounding may be worth; the rest is 0. */
function shifted({ taskCount, rowStart, partner, weight }: TaskGraph, size: number, limit: number): Float64Array {
  const total = weight.reduce((sum, each) => sum + each, 0);
  // Far more than A can do to ones, so that no room is lost to what it mixes in of them; a power of two keeps sums exact.
  const everywhere = 2 ** Math.ceil(Math.log2(dominance * ((total + Math.abs(limit)) / size)));
  // Rump's term for the factorisation is (size + 1) · roundoff · trace; twice that for it and for the sums here.
  const slack = 4 * (size + 1) * roundoff * size * (Math.abs(limit) + everywhere);
  const matrix = new Float64Array(size * size).fill(everywhere);
  for (let row = 0; row < size; row++) matrix[row * size + row] = limit - slack + everywhere;
  for (let task = 0; task < taskCount; task++) {
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      matrix[task * size + partner[edge]!]! -= weight[edge]!;
    }
  }
  return matrix;
}
