import { intAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { tridiagonalEigenvalues } from '../../numeric/symmetricEigen.ts';
import { hyperbolicCosine, inverseHyperbolicCosine } from '../../numeric/elementary.ts';
import { normalDeviate } from '../../numeric/normal.ts';

/** Steps that find about where the eigenvalue is, and steps that bound it. */
const searchSteps = 24;
const filterSteps = 96;

/** Over start vectors, the probability that the bound is too low. */
const failureProbability = 1e-15;

/**
 * An upper bound on the largest eigenvalue λ of the weights of a graph, bordered with zeros to `size` rows, on the
 * vectors orthogonal to ones. A Chebyshev polynomial p of degree k that is at most 1 on all eigenvalues up to some t
 * grows like cosh(k · arcosh) beyond; and a start vector b, uniform on the sphere, has a share of at least γ of the
 * eigenvector of λ but for a probability of γ · √(2 size / π). Then p(λ) · γ ≤ |p(A) b|, which bounds λ. (The
 * argument of Kuczyński and Woźniakowski, SIAM J. Matrix Anal. Appl. 13, 1992, with the polynomial applied in place
 * of Ritz values, which rounding may spoil.) γ is taken for a probability of 10⁻¹⁵, and b is drawn from a fixed seed;
 * t, which may be anything, comes from a few steps of Lanczos. Undefined if cancelled, and as soon as the eigenvalue
 * is known to be above `limit`. O(edges) per step.
 */
export function largestEigenvalueBound(
  graph: TaskGraph,
  size: number,
  limit: number,
  cancellation: Cancellation,
): number | undefined {
  const lowest = -largestRowSum(graph);
  const start = randomDirection(size);
  const meter = new WorkMeter(cancellation);
  const found = estimate(graph, start, meter);
  if (found === undefined || found > limit || lowest === 0) return undefined;
  // Any interval from the lowest on will do; where all eigenvalues are the same it must not be a point.
  const radius = Math.max((found - lowest) / 2, -lowest / 1024);
  const filtered = chebyshev(graph, start, lowest + radius, radius, meter);
  if (filtered === undefined) return undefined;
  const share = failureProbability / Math.sqrt((2 * size) / Math.PI);
  const growth = Math.max(1, (filtered * (1 + rounding)) / share);
  const bound = lowest + radius * (1 + hyperbolicCosine(inverseHyperbolicCosine(growth) / filterSteps));
  return bound * (1 + Math.sign(bound) * rounding);
}

/** Far more than the recurrence of the polynomials is off by. */
const rounding = 1e-9;

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

/**
 * The largest Ritz value after some steps of Lanczos's method: at most the largest eigenvalue, and mostly close to
 * it.
 */
function estimate(graph: TaskGraph, start: Vector, meter: WorkMeter): number | undefined {
  const diagonal: number[] = [];
  const beside: number[] = [];
  let before: Vector = new Float64Array(start.length);
  let vector = start;
  for (let step = 0; step < searchSteps; step++) {
    const next = timesWeights(graph, vector, meter);
    if (next === undefined) return undefined;
    const along = dot(next, vector);
    const back = beside.at(-1) ?? 0;
    for (let row = 0; row < next.length; row++) next[row]! -= along * realAt(vector, row) + back * realAt(before, row);
    const length = Math.sqrt(dot(next, next));
    diagonal.push(along);
    beside.push(length);
    if (!(length > rounding * Math.abs(along))) break;
    for (let row = 0; row < next.length; row++) next[row]! /= length;
    before = vector;
    vector = next;
  }
  return tridiagonalEigenvalues(Float64Array.from(diagonal), Float64Array.from(beside))?.at(-1);
}

/** The length of T((A − middle) / radius) · start, with the Chebyshev polynomial of degree `filterSteps`. */
function chebyshev(
  graph: TaskGraph,
  start: Vector,
  middle: number,
  radius: number,
  meter: WorkMeter,
): number | undefined {
  let before = start;
  let vector = mapped(graph, start, middle, radius, meter);
  for (let step = 1; step < filterSteps && vector !== undefined; step++) {
    const next = mapped(graph, vector, middle, radius, meter);
    if (next === undefined) return undefined;
    for (let row = 0; row < next.length; row++) next[row] = 2 * realAt(next, row) - realAt(before, row);
    before = vector;
    vector = next;
  }
  return vector && Math.sqrt(dot(vector, vector));
}

function mapped(
  graph: TaskGraph,
  vector: Vector,
  middle: number,
  radius: number,
  meter: WorkMeter,
): Vector | undefined {
  const product = timesWeights(graph, vector, meter);
  if (product === undefined) return undefined;
  for (let row = 0; row < product.length; row++)
    product[row] = (realAt(product, row) - middle * realAt(vector, row)) / radius;
  // What rounding leaves along ones would grow where all other eigenvalues are on one side of 0.
  removeMean(product);
  return product;
}

type Vector = Float64Array<ArrayBuffer>;

/** Weights · vector, with what is along ones taken off. Undefined if cancelled. */
function timesWeights(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  vector: Vector,
  meter: WorkMeter,
): Vector | undefined {
  const product = new Float64Array(vector.length);
  for (let task = 0; task < taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    const first = intAt(rowStart, task);
    if (meter.isCancelledAfter(end - first + 1)) return undefined;
    let sum = 0;
    for (let edge = first; edge < end; edge++) sum += realAt(weight, edge) * realAt(vector, intAt(partner, edge));
    product[task] = sum;
  }
  removeMean(product);
  return product;
}

/** Uniform on the unit sphere of the vectors orthogonal to ones: normal variates by Box and Muller. */
function randomDirection(size: number): Vector {
  const random = seededRandom(1);
  const direction = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    direction[row] = normalDeviate(random);
  }
  removeMean(direction);
  const length = Math.sqrt(dot(direction, direction));
  for (let row = 0; row < size; row++) direction[row]! /= length;
  return direction;
}

function removeMean(vector: Vector): void {
  let sum = 0;
  for (let row = 0; row < vector.length; row++) sum += realAt(vector, row);
  const mean = sum / vector.length;
  for (let row = 0; row < vector.length; row++) vector[row]! -= mean;
}

function dot(one: Vector, other: Vector): number {
  let sum = 0;
  for (let row = 0; row < one.length; row++) sum += realAt(one, row) * realAt(other, row);
  return sum;
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
