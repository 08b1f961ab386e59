import { intAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { fillCostRow } from '../problem/siteCosts.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { symmetricEigenvalues } from '../../numeric/symmetricEigen.ts';
import { axpy, dot } from '../../numeric/vectors.ts';

/** Places up to which all eigenvalues are worked out, within some tens of milliseconds. */
const placeLimit = 512;

/** Share of the norms by which the eigenvalues may be wrong through rounding; they are off by far less. */
const rounding = 1e-10;

/**
 * The projection bound of Hadley, Rendl and Wolkowicz (Math. Oper. Res. 17, 1992) for the flows A between tasks,
 * with tasks without partners on the places that stay free, and the costs B between places. A
 * mapping is a permutation matrix X = J/n + Z, where Z vanishes on the vector of ones, and so
 *
 *   tr A X B Xᵀ = (2/n) · aᵀ X b − s(A) s(B) / n² + tr A Z B Zᵀ
 *
 * with a and b the sums of rows. The first term is least where a descends as b ascends; the last is at least the least
 * scalar product of the eigenvalues of A and B on what is orthogonal to ones. Half of it, because pairs count
 * once. On hops of grids it is the strongest bound here for graphs with many partners. In whole units, rounded up;
 * undefined where there are too many places and if cancelled. O(places³).
 */
export function projectionBound(core: SearchCore, cancellation: Cancellation): number | undefined {
  const size = core.places.placeCount;
  if (size > placeLimit || size < 2) return undefined;
  const costs = costsOfPlaces(core);
  const costSums = denseRowSums(costs, size).sort();
  const costNorm = norm(costs);
  const costSpectrum = projectedSpectrum(costs, size);
  if (cancellation.isCancelled()) return undefined;
  const flows = flowsOfPlaces(core);
  const flowSums = denseRowSums(flows, size).sort().reverse();
  const wrong = rounding * norm(flows) * costNorm;
  const flowSpectrum = projectedSpectrum(flows, size)?.reverse();
  if (costSpectrum === undefined || flowSpectrum === undefined) return undefined;
  const linear = (2 / size) * dot(flowSums, costSums) - (total(flowSums) * total(costSums)) / size ** 2;
  return Math.ceil((linear + dot(flowSpectrum, costSpectrum) - wrong) / 2);
}

function costsOfPlaces({ costs, places }: SearchCore): Float64Array {
  const { placeCount, siteOfPlace } = places;
  const row = new Int32Array(costs.siteCount);
  const matrix = new Float64Array(placeCount * placeCount);
  for (let from = 0; from < placeCount; from++) {
    fillCostRow(costs, intAt(siteOfPlace, from), row);
    for (let to = 0; to < placeCount; to++) matrix[from * placeCount + to] = intAt(row, intAt(siteOfPlace, to));
  }
  return matrix;
}

function flowsOfPlaces({ graph, places }: SearchCore): Float64Array {
  const { taskCount, rowStart, partner, weight } = graph;
  const matrix = new Float64Array(places.placeCount ** 2);
  for (let task = 0; task < taskCount; task++) {
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      matrix[task * places.placeCount + intAt(partner, edge)] = realAt(weight, edge);
    }
  }
  return matrix;
}

/**
 * Eigenvalues, ascending, of a symmetric matrix on the vectors orthogonal to ones. A reflection turns
 * (1, …, 1)/√n into the last axis, whose row and column are then left out. Overwrites the matrix.
 */
function projectedSpectrum(matrix: Float64Array, size: number): Float64Array | undefined {
  const mirror = new Float64Array(size).fill(1 / Math.sqrt(size));
  mirror[size - 1]! += 1;
  const scale = 2 / dot(mirror, mirror);
  const product = Float64Array.from(mirror, (_, row) => scale * dot(matrix.subarray(row * size), mirror));
  axpy((-scale / 2) * dot(product, mirror), mirror, product);
  const projected = new Float64Array((size - 1) ** 2);
  for (let row = 0; row + 1 < size; row++) {
    for (let column = 0; column + 1 < size; column++) {
      projected[row * (size - 1) + column] =
        realAt(matrix, row * size + column) -
        realAt(mirror, row) * realAt(product, column) -
        realAt(product, row) * realAt(mirror, column);
    }
  }
  return symmetricEigenvalues(projected, size - 1);
}

const denseRowSums = (matrix: Float64Array, size: number): Float64Array =>
  Float64Array.from({ length: size }, (_, row) => total(matrix.subarray(row * size, (row + 1) * size)));

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

const norm = (matrix: Float64Array): number => Math.sqrt(dot(matrix, matrix));
