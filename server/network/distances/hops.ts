import type { Machine } from '../../model/machine.ts';
import type { Result } from '../../model/result.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { DistanceModelEntry } from '../contract.ts';
import { routerTable } from './routerTable.ts';

export const hops: DistanceModelEntry = {
  name: 'hops',
  summary: 'links on the route between two routers',
  source: 'Pascual et al. 2010, equations 3 to 6',
  details:
    'On a torus the sum of the ring distances min(d, side − d). The paper prints `mod ⌊n/2⌋` in equations 4 and 5, ' +
    'a misprint that would make opposite routers neighbours.',
  options: [],
  distances: hopTable,
};

/** Hops between all routers. O(routers² · dimensions). */
export function hopTable(machine: Machine): Result<Float64Array> {
  return routerTable(machine, (from, to) => machine.routing.hops(asRouterId(from), asRouterId(to)));
}
