import { asRouterId } from '../../model/identifiers.ts';
import { hasAllCables, type Machine } from '../../model/machine.ts';
import { succeed } from '../../model/result.ts';
import { dimensionOrder } from '../routings/dimensionOrder.ts';
import { minimal } from '../routings/minimal.ts';
import type { DistanceModelEntry, RouterDistances } from './contract.ts';

export const hops: DistanceModelEntry = {
  name: 'hops',
  summary: 'links on the route between two routers',
  source: 'Pascual et al. 2010, equations 3 to 6',
  details:
    'On a torus the sum of the ring distances min(d, side − d). The paper prints `mod ⌊n/2⌋` in equations 4 and 5, ' +
    'a misprint that would make opposite routers neighbours.',
  options: [],
  between: (machine) => succeed(hopDistances(machine)),
  criterion: {
    name: 'distance',
    summary: 'bytes times the links between routers',
    details: 'Links of hosts are not counted: nodes on one router are 0 apart.',
    countsHostLinks: false,
  },
};

/** Links between two routers, from their coordinates where the routing takes the fewest there are on a grid. */
export function hopDistances({ topology, routing }: Machine): RouterDistances {
  const { shape, wraps } = topology;
  const isShortest = (routing.kind === dimensionOrder.name || routing.kind === minimal.name) && hasAllCables(topology);
  if (shape && wraps && isShortest) return { grid: { shape, wraps, cost: distanceSum, isSum: true } };
  const hops = (from: number, to: number): number => routing.hops(asRouterId(from), asRouterId(to));
  // Tables may lead another way back: a distance is the mean of both.
  if (!routing.symmetric) return { cost: (from, to) => (hops(from, to) + hops(to, from)) / 2, isWhole: false };
  return { cost: hops, isWhole: routing.hopShares === undefined };
}

function distanceSum(distances: Int32Array): number {
  let sum = 0;
  for (const distance of distances) sum += distance;
  return sum;
}
