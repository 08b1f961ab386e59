import { fail, succeed } from '../../model/result.ts';
import type { DistanceModelEntry } from './contract.ts';

export const trafficDistribution: DistanceModelEntry = {
  name: 'traffic-distribution',
  summary: 'hops, plus a penalty where the axes share them unevenly',
  source: 'Pascual et al. 2010, equations 7 and 8',
  details:
    'dist + |dist_x − dist_y| in two dimensions, which is 2 · max(dist_x, dist_y). In n dimensions, which the paper ' +
    'does not treat, the sum of the axes plus the longest minus the shortest: equation 7 where n = 2, the hops ' +
    'where n = 1. Axes with a side of 1 are axes with 0 hops.',
  options: [],
  between: ({ name, topology }) => {
    const { shape, wraps } = topology;
    if (shape && wraps) return succeed({ grid: { shape, wraps, cost: unevenHops, isSum: false } });
    return fail(
      'no-coordinates',
      'Distances `traffic-distribution` need a machine with coordinates (torus, mesh, hypercube), and ' +
        `\`${name}\` is a ${topology.kind}.`,
    );
  },
  criterion: {
    summary: 'bytes times links, with a penalty where the axes share the links unevenly',
    details:
      'In two dimensions 2 · max(dist_x, dist_y); in n dimensions, which the paper does not treat, the sum of the axes ' +
      'plus the longest minus the shortest. For tori, meshes and hypercubes, whatever their routing.',
    countsHostLinks: false,
  },
};

/**
 * Equation 7, extended to any number of axes, of the hops along each: their sum, and the longest minus the shortest.
 */
function unevenHops(hopsOfAxes: Int32Array): number {
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
