import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { graphEigenvalueBound, isProvenLimit, proofLimit } from './provenEigenvalue.ts';
import { coordinatesOf, type Shape, axisDistance } from '../../model/shape.ts';
import { type OffsetCosts } from '../problem/gridCosts.ts';

/**
 * Links between places of a grid, whole or scattered, wrapped or not, are counts of cuts: of planes of a mesh, of
 * pairs of opposite planes of a torus (for an odd side, half of all pairs that part it as evenly as may be). So the
 * matrix B of links is negative semidefinite on vectors orthogonal to ones, and what a graph without a good bisection
 * must send through those cuts is bounded by its spectrum, as in Fiedler 1973 and Donath and Hoffman 1973: in the
 * projection bound (`projectionBound.ts`) no eigenvalue of A counts more than the largest, λ, and those of −B have
 * the sum s(B)/n there, which leaves
 *
 *   (2/n) · aᵀ X b − s(A) s(B) / n² − λ · s(B)/n.
 *
 * In whole units, rounded up. What λ is at most is all but certain (`provenEigenvalue.ts`), and then proven. Undefined
 * where costs are no links of a grid, where there are more places than the proof may take, where it would not
 * be above `toBeat`, and if cancelled. O(edges) per step of 120 and O(places³ / 6) for the proof.
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
  for (let task = 0; task < flowSums.length; task++) together += realAt(flowSums, task) * realAt(costSums, task);
  const evenly = (2 / size) * together - (flowTotal / size) * (costTotal / size);
  const limit = (evenly - 2 * toBeat) / (costTotal / size);
  const eigenvalue = graphEigenvalueBound(core.graph, size, limit, cancellation);
  if (eigenvalue === undefined || !isProvenLimit(core.graph, size, eigenvalue, cancellation)) return undefined;
  const twice = evenly - eigenvalue * (costTotal / size);
  return Math.ceil((twice - rounding * Math.abs(evenly)) / 2);
}

/** More than what sums in floating point are off by. */
const rounding = 1e-12;

function flowSumsOf({ graph: { taskCount, rowStart, weight } }: SearchCore): Float64Array {
  return Float64Array.from({ length: taskCount }, (_, task) => {
    let sum = 0;
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) sum += realAt(weight, edge);
    return sum;
  });
}

/** A grid on which costs are links: the sum over the axes of the distances along each. */
interface GridSum {
  readonly shape: Shape;
  readonly wraps: readonly boolean[];
  /** `coordinates[axis][site]`. */
  readonly coordinates: readonly Int32Array[];
}

/**
 * The grid of the machine where the costs are its links and nothing else; undefined elsewhere. O(sites · axes +
 * offsets).
 */
export function gridSumOf({ costs, places }: SearchCore, { topology }: Machine): GridSum | undefined {
  const { shape, wraps } = topology;
  if (shape === undefined || wraps === undefined) return undefined;
  if (costs.kind !== 'axes' && (costs.offsets === undefined || !isSum(costs.offsets, shape, wraps))) return undefined;
  const coordinates = shape.map(() => new Int32Array(places.siteCount));
  const own = new Int32Array(shape.length);
  places.routerOfSite.forEach((router, site) => {
    coordinatesOf(shape, router, own);
    own.forEach((position, axis) => (itemAt(coordinates, axis)[site] = position));
  });
  return { shape, wraps, coordinates };
}

function isSum({ table }: OffsetCosts, shape: Shape, wraps: readonly boolean[]): boolean {
  const widths = shape.map((side) => 2 * side - 1);
  const along = shape.map((side, axis) =>
    Int32Array.from({ length: 2 * side - 1 }, (_, offset) => axisDistance(side, itemAt(wraps, axis), offset, side - 1)),
  );
  const first = itemAt(along, 0);
  const at = new Int32Array(shape.length);
  for (let start = 0; start < table.length; start += first.length) {
    coordinatesOf(widths, start, at);
    let others = 0;
    for (let axis = 1; axis < at.length; axis++) others += intAt(itemAt(along, axis), intAt(at, axis));
    for (let offset = 0; offset < first.length; offset++) {
      if (table[start + offset] !== intAt(first, offset) + others) return false;
    }
  }
  return true;
}

/** The sum of the costs from each place to all places. Axis by axis, so O(places · axes + sides²). */
export function costSumsOfPlaces({ shape, wraps, coordinates }: GridSum, { places }: SearchCore): Float64Array {
  const sums = new Float64Array(places.placeCount);
  for (const [axis, side] of shape.entries()) {
    const positions = itemAt(coordinates, axis);
    const placesAt = new Int32Array(side);
    for (const site of places.siteOfPlace)
      placesAt[intAt(positions, site)] = intAt(placesAt, intAt(positions, site)) + 1;
    const sumAt = placesAt.map((_, from) =>
      placesAt.reduce((sum, count, to) => sum + count * axisDistance(side, itemAt(wraps, axis), from, to), 0),
    );
    for (let place = 0; place < sums.length; place++)
      sums[place] = realAt(sums, place) + intAt(sumAt, intAt(positions, intAt(places.siteOfPlace, place)));
  }
  return sums;
}
