/**
 * The largest eigenvalue of the weights of a graph, bordered with zeros to `size` rows, on the vectors orthogonal to
 * ones: bounded from above (`graphEigenvalueBound`), and the bound proven (`isProvenLimit`).
 */
import { intAt, realAt } from '../../numeric/elements.ts';
import { largestEigenvalueBound } from '../../numeric/largestEigenvalue.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/**
 * An upper bound, all but certain; its start vector is drawn from a fixed seed. Undefined if cancelled, and as soon as
 * the eigenvalue is known to be above `limit`. O(edges) per step of 120.
 */
export function graphEigenvalueBound(
  graph: TaskGraph,
  size: number,
  limit: number,
  cancellation: Cancellation,
): number | undefined {
  const meter = new WorkMeter(cancellation);
  const matrix = {
    size,
    lowest: -largestRowSum(graph),
    times: (vector: Float64Array) => timesWeights(graph, vector, meter),
  };
  return largestEigenvalueBound(matrix, seededRandom(1), limit);
}

/** No eigenvalue is larger, nor, with a minus, smaller (Gershgorin). */
function largestRowSum({ taskCount, rowStart, weight }: TaskGraph): number {
  let largest = 0;
  for (let task = 0; task < taskCount; task++) {
    let sum = 0;
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) sum += realAt(weight, edge);
    largest = Math.max(largest, sum);
  }
  return largest;
}

/** Weights · vector. Undefined if cancelled. */
function timesWeights(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  vector: Float64Array,
  meter: WorkMeter,
): Float64Array<ArrayBuffer> | undefined {
  const product = new Float64Array(vector.length);
  for (let task = 0; task < taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    const first = intAt(rowStart, task);
    if (meter.isCancelledAfter(end - first + 1)) return undefined;
    let sum = 0;
    for (let edge = first; edge < end; edge++) sum += realAt(weight, edge) * realAt(vector, intAt(partner, edge));
    product[task] = sum;
  }
  return product;
}

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
 * cannot be proven, where there are too many rows, and if cancelled. O(size³ / 6).
 */
export function isProvenLimit(graph: TaskGraph, size: number, limit: number, cancellation: Cancellation): boolean {
  if (size > proofLimit) return false;
  const matrix = shifted(graph, size, limit);
  for (let row = 0; row < size; row++) {
    if ((row & 31) === 0 && cancellation.isCancelled()) return false;
    const start = row * size;
    for (let column = 0; column < row; column++) {
      matrix[start + column] = remainder(matrix, start, column * size, column) / realAt(matrix, column * size + column);
    }
    const left = remainder(matrix, start, start, row);
    if (!(left > 0)) return false;
    matrix[start + row] = Math.sqrt(left);
  }
  return true;
}

/** The last entry of a row less the product of what stands before it in two rows. */
function remainder(matrix: Float64Array, row: number, other: number, length: number): number {
  let sum = realAt(matrix, row + length);
  for (let column = 0; column < length; column++) sum -= realAt(matrix, row + column) * realAt(matrix, other + column);
  return sum;
}

/** The lower triangle of limit · I − A + t · J, less what rounding may be worth; the rest is 0. */
function shifted({ taskCount, rowStart, partner, weight }: TaskGraph, size: number, limit: number): Float64Array {
  const total = weight.reduce((sum, each) => sum + each, 0);
  // Far more than A can do to ones, so that no room is lost to what it mixes in of them; a power of two keeps sums
  // exact.
  const everywhere = 2 ** Math.ceil(Math.log2(dominance * ((total + Math.abs(limit)) / size)));
  // Rump's term for the factorisation is (size + 1) · roundoff · trace; twice that for it and for the sums here.
  const slack = 4 * (size + 1) * roundoff * size * (Math.abs(limit) + everywhere);
  const matrix = new Float64Array(size * size).fill(everywhere);
  for (let row = 0; row < size; row++) matrix[row * size + row] = limit - slack + everywhere;
  for (let task = 0; task < taskCount; task++) {
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      matrix[task * size + intAt(partner, edge)]! -= realAt(weight, edge);
    }
  }
  return matrix;
}
