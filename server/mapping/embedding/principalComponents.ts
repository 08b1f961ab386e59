import type { Coordinates } from './coordinates.ts';
import { meanOf, transformed } from './coordinates.ts';
import { symmetricEigen } from './symmetricEigen.ts';

/** Components that spread less than this share of the widest one are left out: they are noise. */
const negligible = 1e-9;

/**
 * The directions in which points spread most, as new axes: at most `dimensions` of them, widest
 * first; fewer where the points lie in fewer. O(points · axes²).
 */
export function principalComponents(points: Coordinates, dimensions: number): Float64Array[] {
  const centred = points.map((axis) => {
    const middle = meanOf(axis);
    return axis.map((value) => value - middle);
  });
  const { values, vectors } = symmetricEigen(scatterOf(centred));
  const widest = values[0] ?? 0;
  const kept = vectors.slice(0, dimensions).filter((_, component) => values[component]! > negligible * widest);
  return widest > 0 ? transformed(centred, kept) : [];
}

/** Sums of products of every two axes. */
function scatterOf(centred: Coordinates): number[][] {
  const scatter = centred.map(() => new Array<number>(centred.length).fill(0));
  for (const [row, first] of centred.entries()) {
    for (let column = 0; column <= row; column++) {
      const sum = dot(first, centred[column]!);
      scatter[row]![column] = sum;
      scatter[column]![row] = sum;
    }
  }
  return scatter;
}

function dot(first: Float64Array, second: Float64Array): number {
  let sum = 0;
  for (let point = 0; point < first.length; point++) sum += first[point]! * second[point]!;
  return sum;
}
