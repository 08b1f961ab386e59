import { buildSiteCosts } from '../../optimisation/problem/buildSiteCosts.ts';
import { additiveCriterion } from './additive.ts';
import type { RouterId } from '../../model/identifiers.ts';
import { hostHops, type Machine } from '../../model/machine.ts';
import { hops } from '../../network/distances/hops.ts';
import { dimensionOrder } from '../../network/routings/dimensionOrder.ts';
import { minimal } from '../../network/routings/minimal.ts';
import type { GridMetric } from '../../optimisation/problem/gridCosts.ts';

export const distance = additiveCriterion({
  name: 'distance',
  summary: 'bytes times the links between routers',
  source: hops.source,
  details: 'Links of hosts are not counted: nodes on one router are 0 apart.',
  options: [],
  siteCosts: (machine, places, { cancellation }) =>
    buildSiteCosts(places, { criterion: 'distance', unit: 1, between: 0, ...routerHops(machine) }, cancellation),
});

/** Links between two routers, from their coordinates where the routing takes the fewest there are on a grid. */
export function routerHops({
  topology,
  routing,
}: Machine): { readonly grid: GridMetric } | { readonly cost: (from: number, to: number) => number } {
  const { shape, wraps } = topology;
  const isShortest = routing.kind === dimensionOrder.name || routing.kind === minimal.name;
  if (shape && wraps && isShortest) return { grid: { shape, wraps, cost: sumOf, isSum: true } };
  return { cost: (from, to) => routing.hops(from as RouterId, to as RouterId) };
}

function sumOf(distances: Int32Array): number {
  let sum = 0;
  for (const distance of distances) sum += distance;
  return sum;
}

export const hopBytes = additiveCriterion({
  name: 'hop-bytes',
  summary: 'bytes times the links they travel, those of hosts included',
  source: 'Placewright, as its reports count hop-bytes',
  details: '0 within a node; `distance` where the machine has no links of hosts.',
  options: [],
  siteCosts: (machine, places, { cancellation }) =>
    buildSiteCosts(
      places,
      { criterion: 'hop-bytes', unit: 1, between: hostHops(machine), ...routerHops(machine) },
      cancellation,
    ),
});
