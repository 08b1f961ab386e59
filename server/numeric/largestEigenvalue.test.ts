import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { largestEigenvalueBound } from './largestEigenvalue.ts';
import { symmetricEigenvalues } from './symmetricEigen.ts';

/** Rows that add up to 0, so that ones are an eigenvector and all others stand across them. */
function randomLaplacian(size: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const matrix = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) {
      const weight = random.fraction() < 0.3 ? 1 + random.integer(5) : 0;
      for (const entry of [row * size + column, column * size + row]) matrix[entry] = -weight;
      for (const place of [row, column]) matrix[place * size + place]! += weight;
    }
  }
  return matrix;
}

const operator = (matrix: Float64Array, size: number, lowest: number) => ({
  size,
  lowest,
  times: (vector: Float64Array) =>
    Float64Array.from(vector, (_, row) => vector.reduce((sum, entry, at) => sum + entry * matrix[row * size + at]!, 0)),
});

describe('the bound on the largest eigenvalue', () => {
  it.each([2, 5, 17, 60])('is above it, and by little: %i rows', (size) => {
    for (let seed = 1; seed <= 10; seed++) {
      const matrix = randomLaplacian(size, seed);
      const largest = symmetricEigenvalues(matrix.slice(), size)!.at(-1)!;
      // Of a Laplacian no eigenvalue is below 0; the interval must begin somewhat lower.
      const bound = largestEigenvalueBound(operator(matrix, size, -1), seededRandom(1), Infinity)!;
      expect(bound).toBeGreaterThanOrEqual(largest);
      expect(bound).toBeLessThan(largest * 1.1 + 0.1);
    }
  });

  it('is not worked out where the eigenvalue is known to be above the limit, or where products are stopped', () => {
    const matrix = randomLaplacian(20, 1);
    expect(largestEigenvalueBound(operator(matrix, 20, -1), seededRandom(1), 1e-3)).toBeUndefined();
    const stopped = { size: 20, lowest: -1, times: () => undefined };
    expect(largestEigenvalueBound(stopped, seededRandom(1), Infinity)).toBeUndefined();
  });
});
