import type { Machine } from '../../model/machine.ts';
import { fail, type Result } from '../../model/result.ts';
import { coordinatesOf, type Shape, axisDistance } from '../../model/shape.ts';
import type { DistanceModelEntry } from '../contract.ts';
import { routerTable } from './routerTable.ts';

export const trafficDistribution: DistanceModelEntry = {
  name: 'traffic-distribution',
  summary: 'hops, plus a penalty where the axes share them unevenly',
  source: 'Pascual et al. 2010, equations 7 and 8',
  details:
    'dist + |dist_x − dist_y| in two dimensions, which is 2 · max(dist_x, dist_y). In n dimensions, which the paper ' +
    'does not treat, the sum of the axes plus the longest minus the shortest: equation 7 where n = 2, the hops ' +
    'where n = 1. Axes with a side of 1 are axes with 0 hops.',
  options: [],
  distances,
};

function distances(machine: Machine): Result<Float64Array> {
  const { shape, wraps } = machine.topology;
  if (!shape || !wraps) {
    return fail(
      'no-coordinates',
      `Distances \`traffic-distribution\` need a topology with coordinates (torus, mesh, hypercube), ` +
        `not ${machine.topology.kind}.`,
    );
  }
  const cost = costBetween(shape, wraps, machine.topology.routerCount);
  return routerTable(machine, cost);
}

function costBetween(shape: Shape, wraps: readonly boolean[], routers: number): (from: number, to: number) => number {
  const dimensions = shape.length;
  const coordinates = new Int32Array(Math.min(routers, 4096) * dimensions);
  for (let router = 0; router * dimensions < coordinates.length; router++) {
    coordinatesOf(shape, router, coordinates.subarray(router * dimensions));
  }
  const hops = new Int32Array(dimensions);
  return (from, to) => {
    for (let axis = 0; axis < dimensions; axis++) {
      const [one, other] = [coordinates[from * dimensions + axis]!, coordinates[to * dimensions + axis]!];
      hops[axis] = axisDistance(shape[axis]!, wraps[axis] === true, one, other);
    }
    return unevenHops(hops);
  };
}

/** Equation 7, extended to any number of axes, of the hops along each: their sum, and the longest minus the shortest. */
export function unevenHops(hopsOfAxes: Int32Array): number {
  let sum = 0;
  let longest = 0;
  let shortest = Infinity;
  for (const hops of hopsOfAxes) {
    sum += hops;
    longest = Math.max(longest, hops);
    shortest = Math.min(shortest, hops);
  }
  return sum + longest - shortest;
}
