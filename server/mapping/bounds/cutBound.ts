import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costSumsOfPlaces, gridSumOf } from './gridSum.ts';
import { largestEigenvalueBound } from './largestEigenvalue.ts';
import { isProvenLimit, proofLimit } from './provenEigenvalue.ts';

/**
 * Links between places of a grid, whole or scattered, wrapped or not, are counts of cuts: of planes of a mesh, of pairs of
 * opposite planes of a torus (for an odd side, half of all pairs that part it as evenly as may be). So the
 * matrix B of links is negative semidefinite on vectors orthogonal to ones, and what a graph without a good
 * bisection must send through those cuts is bounded by its spectrum, as in Fiedler 1973 and Donath and Hoffman
 * 1973: in the projection bound (`projectionBound.ts`) no eigenvalue of A counts more than the largest, λ, and those
 * of −B have the sum s(B)/n there, which leaves
 *
 *   (2/n) · aᵀ X b − s(A) s(B) / n² − λ · s(B)/n.
 *
 * In whole units, rounded up. What λ is at most is all but certain (`largestEigenvalue.ts`), and then proven. Undefined
 * where costs are no links of a grid, where there are more places than the proof may take, where it would not
 * be above `toBeat`, and where it was cancelled. O(edges) per step of 120 and O(places³ / 6) for the proof.
 */
export function cutBound(
  core: SearchCore,
  machine: Machine,
  toBeat: number,
  cancellation: Cancellation,
): number | undefined {
  const grid = gridSumOf(core, machine);
  const size = core.places.placeCount;
  if (grid === undefined || size < 2 || size > proofLimit) return undefined;
  const costSums = costSumsOfPlaces(grid, core).sort();
  const flowSums = flowSumsOf(core).sort().reverse();
  const costTotal = costSums.reduce((sum, cost) => sum + cost, 0);
  const flowTotal = flowSums.reduce((sum, flow) => sum + flow, 0);
  if (costTotal === 0) return undefined;
  let together = 0;
  for (let task = 0; task < flowSums.length; task++) together += flowSums[task]! * costSums[task]!;
  const evenly = (2 / size) * together - (flowTotal / size) * (costTotal / size);
  const limit = (evenly - 2 * toBeat) / (costTotal / size);
  const eigenvalue = largestEigenvalueBound(core.graph, size, limit, cancellation);
  if (eigenvalue === undefined || !isProvenLimit(core.graph, size, eigenvalue, cancellation)) return undefined;
  const twice = evenly - eigenvalue * (costTotal / size);
  return Math.ceil((twice - rounding * Math.abs(evenly)) / 2);
}

/** More than what sums in floating point are off by. */
const rounding = 1e-12;

function flowSumsOf({ graph: { taskCount, rowStart, weight } }: SearchCore): Float64Array {
  return Float64Array.from({ length: taskCount }, (_, task) => {
    let sum = 0;
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) sum += weight[edge]!;
    return sum;
  });
}
