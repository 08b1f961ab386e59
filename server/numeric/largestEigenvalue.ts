/**
 * The largest eigenvalue of a symmetric matrix that is known by its products with vectors alone, on the vectors
 * orthogonal to ones. Where all eigenvalues and vectors of a small matrix are wanted, `symmetricEigen.ts` has them.
 */
import { hyperbolicCosine, inverseHyperbolicCosine, normalDeviate } from './elementary.ts';
import { realAt } from './elements.ts';
import { tridiagonalEigenvalues } from './symmetricEigen.ts';
import { dot } from './vectors.ts';

type Vector = Float64Array<ArrayBuffer>;

/** A symmetric matrix of `size` rows. */
interface SymmetricMatrix {
  readonly size: number;
  /** No eigenvalue is below. */
  readonly lowest: number;
  /** Matrix · vector, in memory of its own; undefined where the computation was stopped. */
  times(vector: Vector): Vector | undefined;
}

/** Steps that find about where the eigenvalue is, and steps that bound it. */
const searchSteps = 24;
const filterSteps = 96;

/** Over start vectors, the probability that the bound is too low. */
const failureProbability = 1e-15;

/**
 * An upper bound on the largest eigenvalue λ on the vectors orthogonal to ones. A Chebyshev polynomial p of degree k
 * that is at most 1 on all eigenvalues up to some t grows like cosh(k · arcosh) beyond; and a start vector b, uniform
 * on the sphere, has a share of at least γ of the eigenvector of λ but for a probability of γ · √(2 size / π). Then
 * p(λ) · γ ≤ |p(A) b|, which bounds λ. (The argument of Kuczyński and Woźniakowski, SIAM J. Matrix Anal. Appl. 13,
 * 1992, with the polynomial applied in place of Ritz values, which rounding may spoil.) γ is taken for a probability of
 * 10⁻¹⁵; t, which may be anything, comes from a few steps of Lanczos. Undefined where it was stopped, and as soon as
 * the eigenvalue is known to be above `limit`. 120 products.
 */
export function largestEigenvalueBound(
  matrix: SymmetricMatrix,
  random: { fraction(): number },
  limit: number,
): number | undefined {
  const { size, lowest } = matrix;
  const start = randomDirection(size, random);
  const found = largestRitzValue(matrix, start);
  if (found === undefined || found > limit || lowest === 0) return undefined;
  // Any interval from the lowest on will do; where all eigenvalues are the same it must not be a point.
  const radius = Math.max((found - lowest) / 2, -lowest / 1024);
  const filtered = chebyshev(matrix, start, lowest + radius, radius);
  if (filtered === undefined) return undefined;
  const share = failureProbability / Math.sqrt((2 * size) / Math.PI);
  const growth = Math.max(1, (filtered * (1 + rounding)) / share);
  const bound = lowest + radius * (1 + hyperbolicCosine(inverseHyperbolicCosine(growth) / filterSteps));
  return bound * (1 + Math.sign(bound) * rounding);
}

/** Far more than the recurrence of the polynomials is off by. */
const rounding = 1e-9;

/** After some steps of Lanczos's method: at most the largest eigenvalue, and mostly close to it. */
function largestRitzValue(matrix: SymmetricMatrix, start: Vector): number | undefined {
  const diagonal: number[] = [];
  const beside: number[] = [];
  let before: Vector = new Float64Array(start.length);
  let vector = start;
  for (let step = 0; step < searchSteps; step++) {
    const next = acrossOnes(matrix, vector);
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
function chebyshev(matrix: SymmetricMatrix, start: Vector, middle: number, radius: number): number | undefined {
  let before = start;
  let vector = filteredVector(matrix, start, middle, radius);
  for (let step = 1; step < filterSteps && vector !== undefined; step++) {
    const next = filteredVector(matrix, vector, middle, radius);
    if (next === undefined) return undefined;
    for (let row = 0; row < next.length; row++) next[row] = 2 * realAt(next, row) - realAt(before, row);
    before = vector;
    vector = next;
  }
  return vector && Math.sqrt(dot(vector, vector));
}

function filteredVector(matrix: SymmetricMatrix, vector: Vector, middle: number, radius: number): Vector | undefined {
  const product = acrossOnes(matrix, vector);
  if (product === undefined) return undefined;
  for (let row = 0; row < product.length; row++)
    product[row] = (realAt(product, row) - middle * realAt(vector, row)) / radius;
  // What rounding leaves along ones would grow where all other eigenvalues are on one side of 0.
  removeMean(product);
  return product;
}

/** Matrix · vector, with what is along ones taken off. */
function acrossOnes(matrix: SymmetricMatrix, vector: Vector): Vector | undefined {
  const product = matrix.times(vector);
  if (product !== undefined) removeMean(product);
  return product;
}

/** Uniform on the unit sphere of the vectors orthogonal to ones. */
function randomDirection(size: number, random: { fraction(): number }): Vector {
  const direction = new Float64Array(size);
  for (let row = 0; row < size; row++) direction[row] = normalDeviate(random);
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
