import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { symmetricEigenvalues } from './symmetricEigen.ts';

const power = (matrix: Float64Array, size: number): Float64Array =>
  matrix.map((_, index) => {
    let sum = 0;
    for (let middle = 0; middle < size; middle++) {
      sum += matrix[Math.floor(index / size) * size + middle]! * matrix[middle * size + (index % size)]!;
    }
    return sum;
  });

const trace = (matrix: Float64Array, size: number): number =>
  Array.from({ length: size }, (_, row) => matrix[row * size + row]!).reduce((sum, entry) => sum + entry, 0);

describe('eigenvalues of symmetric matrices', () => {
  it.each([
    { what: 'one row', entries: [3], values: [3] },
    { what: 'a diagonal', entries: [2, 0, 0, 0, -1, 0, 0, 0, 5], values: [-1, 2, 5] },
    { what: 'a pair', entries: [0, 1, 1, 0], values: [-1, 1] },
    { what: 'nothing', entries: new Array<number>(16).fill(0), values: [0, 0, 0, 0] },
    { what: 'all ones', entries: new Array<number>(16).fill(1), values: [0, 0, 0, 4] },
  ])('are those of $what', ({ entries, values }) => {
    const found = symmetricEigenvalues(Float64Array.from(entries), values.length)!;
    values.forEach((value, index) => {
      expect(found[index]).toBeCloseTo(value, 12);
    });
  });

  it('are those of a ring, 2 − 2 cos(2πk/n)', () => {
    const size = 24;
    const ring = Float64Array.from({ length: size * size }, (_, index) => {
      const apart = Math.abs(Math.floor(index / size) - (index % size));
      return apart === 0 ? 2 : apart === 1 || apart === size - 1 ? -1 : 0;
    });
    const expected = Array.from({ length: size }, (_, mode) => 2 - 2 * Math.cos((2 * Math.PI * mode) / size));
    const found = symmetricEigenvalues(ring, size)!;
    expected
      .sort((a, b) => a - b)
      .forEach((value, index) => {
        expect(found[index]).toBeCloseTo(value, 12);
      });
  });

  it('are none where there are no numbers', () => {
    expect(symmetricEigenvalues(Float64Array.of(1, NaN, NaN, 1), 2)).toBeUndefined();
  });

  it('have the sums of powers that traces give, of random matrices', () => {
    const random = seededRandom(5);
    for (let size = 2; size < 30; size++) {
      const matrix = new Float64Array(size * size);
      for (let row = 0; row < size; row++) {
        for (let column = 0; column <= row; column++) {
          const entry = random.integer(3) === 0 ? 0 : random.fraction() - 0.5;
          matrix[row * size + column] = entry;
          matrix[column * size + row] = entry;
        }
      }
      const squared = power(matrix, size);
      const traces = [matrix, squared, power(squared, size)].map((each) => trace(each, size));
      const found = symmetricEigenvalues(matrix, size)!;
      [1, 2, 4].forEach((exponent, index) => {
        expect(found.reduce((sum, value) => sum + value ** exponent, 0)).toBeCloseTo(traces[index]!, 10);
      });
      expect(found).toEqual(found.toSorted());
    }
  });
});
