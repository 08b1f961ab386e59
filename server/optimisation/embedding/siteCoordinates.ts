import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import { type Shape, coordinatesOf, closesToRing } from '../../model/shape.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { principalComponents } from './coordinates.ts';
import { embeddingParameters } from './parameters.ts';

/**
 * Where each of the `used` sites stands: the machine's own coordinates on grids, elsewhere the
 * principal components of what sites cost from some of them. At least one axis, none on which all
 * sites are the same unless there is no other; other sites are at 0. Undefined if cancelled.
 * O(sites · (landmarks² + axes)).
 */
export function siteCoordinatesOf(
  problem: SearchProblem,
  used: Int32Array,
  cancellation: Cancellation,
): Float64Array[] | undefined {
  const { shape } = problem.machine.topology;
  const axes =
    shape === undefined ? networkCoordinates(problem, used, cancellation) : gridCoordinates(problem, used, shape);
  if (axes === undefined) return undefined;
  const { siteCount } = problem.places;
  if (axes.length === 0) return [new Float64Array(siteCount)];
  return axes.map((values) => {
    const ofSite = new Float64Array(siteCount);
    for (const [index, site] of used.entries()) ofSite[site] = realAt(values, index);
    return ofSite;
  });
}

/**
 * Positions on each axis on which sites differ; a ring is cut open where fewest sites stand on both sides of the cut.
 */
function gridCoordinates({ places, machine }: SearchProblem, used: Int32Array, shape: Shape): Float64Array[] {
  const { wraps } = machine.topology;
  const axes = shape.map(() => new Float64Array(used.length));
  const position = new Int32Array(shape.length);
  for (const [index, site] of used.entries()) {
    coordinatesOf(shape, intAt(places.coordinateOfSite ?? places.routerOfSite, site), position);
    for (const [axis, values] of axes.entries()) values[index] = intAt(position, axis);
  }
  const opened = axes.map((values, axis) => {
    const side = itemAt(shape, axis);
    const cut = closesToRing(side, wraps?.[axis] === true) ? emptiestCut(values, side) : 0;
    return values.map((value) => (value - cut + side) % side);
  });
  return opened.filter((values) => values.some((value) => value !== values[0]));
}

/** The position p such that fewest pairs of sites stand at p − 1 and p; the first of equal ones. */
function emptiestCut(values: Float64Array, side: number): number {
  const sitesAt = new Float64Array(side);
  for (const value of values) sitesAt[value]! += 1;
  let best = 0;
  let fewest = Infinity;
  for (let cut = 0; cut < side; cut++) {
    const pairs = realAt(sitesAt, cut) * realAt(sitesAt, (cut + side - 1) % side);
    if (pairs < fewest) {
      fewest = pairs;
      best = cut;
    }
  }
  return best;
}

/**
 * Farthest-point landmarks under the criterion's own costs (de Silva and Tenenbaum 2004): each is as far from those
 * before it as there is one, the first of equal ones, until every site is 0 from a landmark.
 */
function networkCoordinates(
  { costs }: SearchProblem,
  used: Int32Array,
  cancellation: Cancellation,
): Float64Array[] | undefined {
  const nearest = new Float64Array(used.length).fill(Infinity);
  const fromLandmarks: Float64Array[] = [];
  let landmark = 0;
  while (fromLandmarks.length < Math.min(embeddingParameters.siteLandmarks, used.length)) {
    if (cancellation.isCancelled()) return undefined;
    const row = Float64Array.from(used, (site) => costBetween(costs, intAt(used, landmark), site));
    fromLandmarks.push(row);
    landmark = 0;
    for (let index = 0; index < row.length; index++) {
      nearest[index] = Math.min(realAt(nearest, index), realAt(row, index));
      if (realAt(nearest, index) > realAt(nearest, landmark)) landmark = index;
    }
    if (nearest[landmark] === 0) break;
  }
  return principalComponents(fromLandmarks, embeddingParameters.siteAxes, new WorkMeter(cancellation));
}
