import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { symmetricEigen, symmetricEigenvalues } from './symmetricEigen.ts';
import { dot } from './vectors.ts';

type Rows = readonly (readonly number[])[];

const flat = (rows: Rows): Float64Array => Float64Array.from(rows.flat());

function randomSymmetric(size: number, seed: number): Rows {
  const random = seededRandom(seed);
  const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const value = random.integer(3) === 0 ? 0 : 10 * random.fraction() - 5;
      matrix[row]![column] = value;
      matrix[column]![row] = value;
    }
  }
  return matrix;
}

/** The Laplacian of a ring, whose eigenvalues 2 − 2 cos(2πk/n) come in pairs. */
const ring = (size: number): Rows =>
  Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => {
      const apart = Math.abs(row - column);
      return apart === 0 ? 2 : apart === 1 || apart === size - 1 ? -1 : 0;
    }),
  );

const same = (size: number, diagonal: number, beside: number): Rows =>
  Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => (row === column ? diagonal : beside)),
  );

const sizes = [2, 3, 5, 8, 13, 24, 40];

const known: readonly { readonly what: string; readonly matrix: Rows; readonly values: readonly number[] }[] = [
  { what: 'none', matrix: [], values: [] },
  { what: 'one row', matrix: [[3]], values: [3] },
  {
    what: 'two by two',
    matrix: [
      [2, 1],
      [1, 2],
    ],
    values: [1, 3],
  },
  {
    what: 'a pair',
    matrix: [
      [0, 1],
      [1, 0],
    ],
    values: [-1, 1],
  },
  {
    what: 'a diagonal',
    matrix: [
      [1, 0, 0],
      [0, 5, 0],
      [0, 0, -2],
    ],
    values: [-2, 1, 5],
  },
  {
    what: 'a path of three',
    matrix: [
      [1, -1, 0],
      [-1, 2, -1],
      [0, -1, 1],
    ],
    values: [0, 1, 3],
  },
  { what: 'zero', matrix: same(4, 0, 0), values: [0, 0, 0, 0] },
  { what: 'the unit', matrix: same(3, 1, 0), values: [1, 1, 1] },
  { what: 'all ones', matrix: same(4, 1, 1), values: [0, 0, 0, 4] },
  {
    what: 'a ring of 24',
    matrix: ring(24),
    values: Array.from({ length: 24 }, (_, mode) => 2 - 2 * Math.cos((2 * Math.PI * mode) / 24)).sort((a, b) => a - b),
  },
];

describe('eigenvalues of a symmetric matrix', () => {
  it.each(known)('are known of $what', ({ matrix, values }) => {
    const found = symmetricEigenvalues(flat(matrix), matrix.length)!;
    expect(found).toHaveLength(values.length);
    for (const [index, value] of values.entries()) expect(found[index]).toBeCloseTo(value, 12);
  });

  it.each(sizes)('of %i rows are those of Jacobi rotations', (size) => {
    const matrix = randomSymmetric(size, size);
    const found = symmetricEigenvalues(flat(matrix), size)!;
    for (const [index, value] of jacobiEigenvalues(matrix).entries()) expect(found[index]).toBeCloseTo(value, 10);
  });

  it('are none where there are no numbers', () => {
    expect(symmetricEigenvalues(Float64Array.of(1, NaN, NaN, 1), 2)).toBeUndefined();
    expect(symmetricEigen(Float64Array.of(1, Infinity, Infinity, 1), 2)).toBeUndefined();
  });
});

describe('eigenvectors of a symmetric matrix', () => {
  const random = sizes.map((size) => ({
    what: `${String(size)} random rows`,
    matrix: randomSymmetric(size, 7 * size),
  }));
  const scaled = [2 ** -300, 2 ** 300].map((scale) => ({
    what: `random rows times ${String(scale)}`,
    matrix: randomSymmetric(12, 5).map((row) => row.map((entry) => scale * entry)),
  }));

  it.each([...known, ...random, ...scaled])(
    'of $what: residuals are rounding, at right angles, signs fixed',
    (sample) => {
      const { matrix } = sample;
      const { values, vectors } = symmetricEigen(flat(matrix), matrix.length)!;
      expect(values).toEqual(symmetricEigenvalues(flat(matrix), matrix.length));
      expect(vectors).toHaveLength(matrix.length);
      const scale = Math.max(...values.map(Math.abs), Number.MIN_VALUE);
      for (const [index, vector] of vectors.entries()) {
        const image = matrix.map((row) => dot(Float64Array.from(row), vector));
        for (const [row, entry] of image.entries()) {
          expect((entry - values[index]! * vector[row]!) / scale).toBeCloseTo(0, 12);
        }
        for (const [other, second] of vectors.entries()) {
          expect(dot(vector, second)).toBeCloseTo(Number(other === index), 12);
        }
        const largest = Math.max(...vector.map(Math.abs));
        expect(vector.find((component) => Math.abs(component) > 0.999_999 * largest)).toBeGreaterThan(0);
      }
    },
  );

  it.each([
    { what: 'a ring of 24', matrix: ring(24) },
    { what: 'all ones', matrix: same(9, 1, 1) },
    { what: 'the unit', matrix: same(5, 1, 0) },
  ])('of repeated eigenvalues of $what are the same when every entry is off by rounding', ({ matrix }) => {
    const random = seededRandom(3);
    const size = matrix.length;
    const { vectors } = symmetricEigen(flat(matrix), size)!;
    const off = flat(matrix);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column <= row; column++) {
        off[row * size + column]! += 1e-14 * random.fraction();
        off[column * size + row] = off[row * size + column]!;
      }
    }
    for (const [index, vector] of symmetricEigen(off, size)!.vectors.entries()) {
      expect(dot(vector, vectors[index]!)).toBeCloseTo(1, 9);
    }
  });

  it('take the sign from the first of equal components', () => {
    const { vectors } = symmetricEigen(flat(same(2, 2, 1)), 2)!;
    expect(vectors.map((vector) => [...vector].map(Math.sign))).toEqual([
      [1, -1],
      [1, 1],
    ]);
  });
});

/** Plain reference: rotates entries beside the diagonal away, each in its turn, until nothing is left of them. */
function jacobiEigenvalues(matrix: Rows): number[] {
  const work = matrix.map((row) => [...row]);
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < work.length; p++) {
      for (let q = p + 1; q < work.length; q++) {
        const angle = 0.5 * Math.atan2(2 * work[p]![q]!, work[p]![p]! - work[q]![q]!);
        const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
        for (const row of work) {
          [row[p], row[q]] = [cosine * row[p]! + sine * row[q]!, cosine * row[q]! - sine * row[p]!];
        }
        const [first, second] = [work[p]!, work[q]!];
        work[p] = first.map((entry, column) => cosine * entry + sine * second[column]!);
        work[q] = second.map((entry, column) => cosine * entry - sine * first[column]!);
      }
    }
  }
  return work.map((row, index) => row[index]!).sort((a, b) => a - b);
}
