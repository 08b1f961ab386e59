import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { symmetricEigen } from './symmetricEigen.ts';

function randomSymmetric(size: number, seed: number): number[][] {
  const random = seededRandom(seed);
  const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const value = 10 * random.fraction() - 5;
      matrix[row]![column] = value;
      matrix[column]![row] = value;
    }
  }
  return matrix;
}

const dot = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, index) => sum + value * other[index]!, 0);

describe('eigenvalues of a symmetric matrix', () => {
  it.each([
    { what: 'two by two', matrix: [[2, 1], [1, 2]], values: [3, 1] }, // prettier-ignore
    { what: 'diagonal', matrix: [[1, 0, 0], [0, 5, 0], [0, 0, -2]], values: [5, 1, -2] }, // prettier-ignore
    { what: 'zero', matrix: [[0, 0], [0, 0]], values: [0, 0] }, // prettier-ignore
    { what: 'a path of three', matrix: [[1, -1, 0], [-1, 2, -1], [0, -1, 1]], values: [3, 1, 0] }, // prettier-ignore
    { what: 'none', matrix: [], values: [] },
  ])('$what: $values', ({ matrix, values }) => {
    const found = symmetricEigen(matrix).values;
    expect(found).toHaveLength(values.length);
    for (const [index, value] of values.entries()) expect(found[index]).toBeCloseTo(value, 12);
  });

  it.each([1, 2, 7, 24])('of %i rows have unit eigenvectors at right angles', (size) => {
    const matrix = randomSymmetric(size, size);
    const { values, vectors } = symmetricEigen(matrix);
    for (const [index, vector] of vectors.entries()) {
      const image = matrix.map((row) => dot(row, vector));
      for (const [row, value] of image.entries()) expect(value).toBeCloseTo(values[index]! * vector[row]!, 9);
      for (const [other, second] of vectors.entries()) {
        expect(dot(vector, second)).toBeCloseTo(Number(other === index), 10);
      }
    }
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });
});
