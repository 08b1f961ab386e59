import type { RouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { dimensionOrder } from '../../network/routings/dimensionOrder.ts';
import { minimal } from '../../network/routings/minimal.ts';
import type { GridMetric } from '../problem/gridCosts.ts';

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

/** Links of the two hosts, which two nodes are apart wherever they are. */
export const hostHops = ({ topology }: Machine): number => (topology.hasHostLinks ? 2 : 0);
