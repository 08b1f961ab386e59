import type { OptionValues } from '../../model/catalogue.ts';
import type { LinkId, RouterId } from '../../model/identifiers.ts';
import type { LinkTable, Routing, Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { linkTowards } from '../topologies/gridGraph.ts';
import { gridPathsOf, stepsAlong, type GridPaths } from './gridPaths.ts';
import { addAxisLoads } from './axisLoads.ts';

export const dimensionOrder: RoutingEntry = {
  name: 'dimension-order',
  summary: 'one axis after the other, the shorter way round each ring',
  source: 'Dimension-order routing as in Pascual et al. 2010, section 4.1, and Alsardia 2017, section 2.3 (XY)',
  details:
    'Half-way round a ring of an even side both ways are equally long: packets then go in the positive direction, ' +
    'whichever way they travel, so the two directions between such routers use different cables. ' +
    'Needs a topology with coordinates: torus, mesh or hypercube.',
  options: [{ name: 'order', summary: 'axes in order of travel; where left out x, y, z, …', kind: 'axes' }],
  build: buildDimensionOrder,
};

/** Fails with `routing-does-not-fit` without coordinates, `invalid-axis-order` where `order` is no permutation. */
function buildDimensionOrder(topology: Topology, options: OptionValues): Result<Routing> {
  if (!topology.shape || !topology.wraps) {
    return fail(
      'routing-does-not-fit',
      `Routing \`dimension-order\` needs a topology with coordinates (torus, mesh, hypercube), not ${topology.kind}.`,
    );
  }
  const order = axisOrderOf(options, topology.shape.length);
  if (!order.ok) return order;
  const paths = gridPathsOf(topology.shape, topology.wraps, order.value);
  const { links } = topology;
  return succeed({
    kind: 'dimension-order',
    singlePath: true,
    symmetric: true,
    hops: paths.hops,
    route(from, to) {
      const route: LinkId[] = [];
      walk(paths, links, from, to, (link) => route.push(link));
      return route;
    },
    stepsTo: () => undefined,
    visitShares(from, to, visit) {
      walk(paths, links, from, to, (link) => {
        visit(link, 1);
      });
    },
    addLoads(flows, loads, cancellation) {
      addAxisLoads(paths, links, flows, loads, cancellation);
    },
  });
}

function axisOrderOf(options: OptionValues, dimensions: number): Result<readonly number[]> {
  const given = options['order'];
  if (given === undefined) return succeed(Array.from({ length: dimensions }, (_, axis) => axis));
  const order = Array.isArray(given) ? (given as readonly number[]) : [];
  const isPermutation =
    order.length === dimensions &&
    new Set(order).size === dimensions &&
    order.every((axis) => Number.isInteger(axis) && axis >= 0 && axis < dimensions);
  if (isPermutation) return succeed(order);
  return fail('invalid-axis-order', `\`order\` must name each of the ${dimensions} axes of the topology once.`);
}

/** Visits the links from one router to another in order of travel. O(hops · dimensions). */
function walk(paths: GridPaths, links: LinkTable, from: RouterId, to: RouterId, visit: (link: LinkId) => void): void {
  let router: number = from;
  for (const axis of paths.axes) {
    let position = paths.positionOf(router, axis);
    let steps = stepsAlong(axis, position, paths.positionOf(to, axis));
    const direction = steps < 0 ? -1 : 1;
    for (; steps !== 0; steps -= direction) {
      const next = (position + direction + axis.side) % axis.side;
      const nextRouter = router + (next - position) * axis.stride;
      visit(linkTowards(links, router, nextRouter));
      position = next;
      router = nextRouter;
    }
  }
}
