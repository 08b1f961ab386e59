import type { Cancellation } from '../../model/cancellation.ts';
import type { Shape } from '../../model/shape.ts';
import { coordinatesOf } from '../../model/shape.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { closesToRing } from '../../network/topologies/gridGraph.ts';
import { principalComponents } from './principalComponents.ts';

/**
 * Where each site stands: the machine's own coordinates on grids, elsewhere the principal components
 * of what sites cost from some of them. At least one axis, none on which all sites are the same
 * unless there is no other. Undefined where it was cancelled. O(sites · (landmarks² + axes)).
 */
export function siteCoordinatesOf(problem: SearchProblem, cancellation: Cancellation): Float64Array[] | undefined {
  const { shape, wraps } = problem.machine.topology;
  const axes =
    shape === undefined
      ? networkCoordinates(problem, cancellation)
      : gridCoordinates(
          problem,
          shape,
          shape.map((side, axis) => closesToRing(side, wraps?.[axis] === true)),
        );
  return axes?.length === 0 ? [new Float64Array(problem.places.siteCount)] : axes;
}

/** Positions on each axis on which sites differ; a ring is cut open where fewest sites stand on both sides of the cut. */
function gridCoordinates({ places }: SearchProblem, shape: Shape, rings: readonly boolean[]): Float64Array[] {
  const { routerOfSite, siteCount } = places;
  const axes = shape.map(() => new Float64Array(siteCount));
  const position = new Int32Array(shape.length);
  for (let site = 0; site < siteCount; site++) {
    coordinatesOf(shape, routerOfSite[site]!, position);
    for (const [axis, values] of axes.entries()) values[site] = position[axis]!;
  }
  for (const [axis, values] of axes.entries()) {
    const side = shape[axis]!;
    const cut = rings[axis] ? emptiestCut(values, side) : 0;
    for (let site = 0; site < siteCount; site++) values[site] = (values[site]! - cut + side) % side;
  }
  return axes.filter((values) => values.some((value) => value !== values[0]));
}

/** The position p such that fewest pairs of sites stand at p − 1 and p; the first of equal ones. */
function emptiestCut(values: Float64Array, side: number): number {
  const sitesAt = new Float64Array(side);
  for (const value of values) sitesAt[value]! += 1;
  let best = 0;
  let fewest = Infinity;
  for (let cut = 0; cut < side; cut++) {
    const pairs = sitesAt[cut]! * sitesAt[(cut + side - 1) % side]!;
    if (pairs < fewest) {
      fewest = pairs;
      best = cut;
    }
  }
  return best;
}

const landmarkLimit = 32;
const networkAxes = 6;

/** Farthest-point landmarks under the criterion's own costs. */
function networkCoordinates({ places, costs }: SearchProblem, cancellation: Cancellation): Float64Array[] | undefined {
  const { siteCount } = places;
  const nearest = new Float64Array(siteCount).fill(Infinity);
  const fromLandmarks: Float64Array[] = [];
  let landmark = 0;
  while (fromLandmarks.length < Math.min(landmarkLimit, siteCount)) {
    if (cancellation.isCancelled()) return undefined;
    const row = Float64Array.from({ length: siteCount }, (_, site) => costBetween(costs, landmark, site));
    fromLandmarks.push(row);
    for (let site = 0; site < siteCount; site++) {
      nearest[site] = Math.min(nearest[site]!, row[site]!);
      if (nearest[site]! > nearest[landmark]!) landmark = site;
    }
  }
  return principalComponents(fromLandmarks, networkAxes);
}
