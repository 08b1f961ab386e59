import { seededRandom } from '../../../model/random.ts';
import type { RandomSource } from '../../../model/random.ts';
import { denseProblemOfMatrices } from '../denseProblem.ts';
import type { DenseProblem } from '../denseProblem.ts';

/** Whole numbers from 0 to 20, 0 on the diagonal. */
function randomMatrix(size: number, symmetric: boolean, random: RandomSource): number[] {
  const matrix = Array.from({ length: size * size }, (_, index) => (index % (size + 1) === 0 ? 0 : random.integer(21)));
  if (!symmetric) return matrix;
  return matrix.map((entry, index) => {
    const row = Math.floor(index / size);
    const column = index % size;
    return row <= column ? entry : matrix[column * size + row]!;
  });
}

export function randomMatrices(
  taskCount: number,
  siteCount: number,
  symmetric: { readonly flow: boolean; readonly cost: boolean },
): DenseProblem {
  const random = seededRandom(31 * taskCount + siteCount);
  return denseProblemOfMatrices(
    Float64Array.from(randomMatrix(taskCount, symmetric.flow, random)),
    Int32Array.from(randomMatrix(siteCount, symmetric.cost, random)),
  );
}
