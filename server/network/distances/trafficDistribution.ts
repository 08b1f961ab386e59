import { fail, succeed } from '../../model/result.ts';
import type { DistanceModelEntry } from './contract.ts';

type OfMachine = Parameters<DistanceModelEntry['between']>[0];

export const trafficDistribution: DistanceModelEntry = {
  name: 'traffic-distribution',
  summary: 'hops, plus a penalty where the axes share them unevenly',
  source: 'Pascual et al. 2010, equations 7 and 8',
  details:
    'dist + |dist_x − dist_y| in two dimensions, equal to 2 · max(dist_x, dist_y). In n dimensions, an extension: the sum of the axes plus the longest minus the shortest. This is equation 7 for n = 2 and the hops for n = 1. Axes with a side of 1 have 0 hops.',
  options: [],
  between: (machine) => onGrid(machine, 'traffic-distribution', unevenHops),
  criterion: {
    summary: 'bytes times links, with a penalty where the axes share the links unevenly',
    details:
      'In two dimensions 2 · max(dist_x, dist_y). In n dimensions, an extension of the paper, the sum of the axes ' +
      'plus the longest minus the shortest. For tori, meshes and hypercubes, for any routing.',
    countsHostLinks: false,
  },
};

export const evenHops: DistanceModelEntry = {
  name: 'even-hops',
  summary: 'hops, plus a penalty where the axes share them more unevenly than they must',
  source: 'Pascual et al. 2010, equation 7, of which it leaves out what an odd distance cannot avoid',
  details:
    'As `traffic-distribution`, but the penalty is one less if the hops cannot be shared evenly. A neighbour costs 1; by equation 7 it costs 2, as much as a diagonal node. In two dimensions: dist + |dist_x − dist_y| − (dist mod 2). Tables 2 and 3 of the paper match this, but not all match equation 7 as printed.',
  options: [],
  between: (machine) => onGrid(machine, 'even-hops', avoidablyUnevenHops),
  criterion: {
    summary: 'bytes times links, with a penalty where the axes share the links more unevenly than they must',
    details:
      'One hop has no penalty, as it cannot be shared. Otherwise as `traffic-distribution`. For tori, meshes and hypercubes, with any routing.',
    countsHostLinks: false,
  },
};

function onGrid({ name, topology }: OfMachine, model: string, cost: (hopsOfAxes: Int32Array) => number) {
  const { shape, wraps } = topology;
  if (shape && wraps) return succeed({ grid: { shape, wraps, cost, isSum: false } });
  return fail(
    'no-coordinates',
    `Distances \`${model}\` need a machine with coordinates (torus, mesh, hypercube), and \`${name}\` is a ${topology.kind}.`,
  );
}

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

/** The same, less the one hop that the longest axis must have more where the sum is no multiple of the axes. */
function avoidablyUnevenHops(hopsOfAxes: Int32Array): number {
  const sum = hopsOfAxes.reduce((total, hops) => total + hops, 0);
  return unevenHops(hopsOfAxes) - (sum % hopsOfAxes.length === 0 ? 0 : 1);
}
