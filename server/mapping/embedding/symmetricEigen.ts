/** Eigenvalues of a real symmetric matrix, largest first, and the unit eigenvector of each. */
export interface EigenSystem {
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
      for (let q = p + 1; q < size; q++) if (work[p]![q] !== 0) rotate(work, vectors, p, q);
    }
  }
  const order = work.map((_, row) => row).sort((a, b) => work[b]![b]! - work[a]![a]!);
  return {
    values: order.map((row) => work[row]![row]!),
    vectors: order.map((column) => vectors.map((row) => row[column]!)),
  };
}

/** Turns the plane of axes p and q so that work[p][q] becomes 0. */
function rotate(work: readonly Float64Array[], vectors: readonly Float64Array[], p: number, q: number): void {
  const slope = (work[q]![q]! - work[p]![p]!) / (2 * work[p]![q]!);
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(slope, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  for (const row of work) turn(row, p, q, cosine, sine);
  const rowP = work[p]!;
  const rowQ = work[q]!;
  for (let column = 0; column < work.length; column++) {
    const ofP = rowP[column]!;
    const ofQ = rowQ[column]!;
    rowP[column] = cosine * ofP - sine * ofQ;
    rowQ[column] = sine * ofP + cosine * ofQ;
  }
  for (const row of vectors) turn(row, p, q, cosine, sine);
}

function turn(row: Float64Array, p: number, q: number, cosine: number, sine: number): void {
  const ofP = row[p]!;
  const ofQ = row[q]!;
  row[p] = cosine * ofP - sine * ofQ;
  row[q] = sine * ofP + cosine * ofQ;
}

const squaredNorm = (work: readonly Float64Array[]): number =>
  work.reduce((sum, row) => row.reduce((total, value) => total + value * value, sum), 0);

function squaredOffDiagonal(work: readonly Float64Array[]): number {
  let sum = 0;
  for (const [row, values] of work.entries()) {
    for (let column = 0; column < row; column++) sum += values[column]! * values[column]!;
  }
  return 2 * sum;
}
