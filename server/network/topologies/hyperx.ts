/** HyperX: switches in a grid, those of each row of each axis cabled all to all. */
import type { Topology } from '../../model/machine.ts';
import { fail, type Result } from '../../model/result.ts';
import { type Shape, volumeOf } from '../../model/shape.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { attachedNodes, countAttached, shapeOfArgument } from './argument.ts';
import { buildCableGraph, measureCableGraph, cableSizeRefusal, type CableList } from './cableGraph.ts';

export const hyperx: TopologyEntry = {
  name: 'hyperx',
  summary: 'switches in a grid, each cabled to all others of its row along every axis',
  source: 'Ahn et al. 2009, HyperX: topology, routing, and packaging of efficient large-scale networks, section 3',
  details:
    'Router id = x + X·(y + Y·z), x fastest; node id = router · hosts + host. Each node has its own host link. ' +
    'HyperX(L, S, K, T) of Ahn et al. has L sides of S, `hosts T` and `cables K`, or `cables(x K1, y K2)`. With ' +
    '`hosts k` on a grid of n − 1 sides of k it is the k-ary n-flat flattened butterfly of Kim et al. 2007. The ' +
    'hops between two switches are the number of coordinates that differ. With sides of 2 it is a hypercube.',
  argument: { kind: 'shape', summary: 'the sides of the grid', required: true, minimum: 1 },
  options: [],
  skeleton: 'hyperx ${1:8 x 8}',
  linkGroups: ['axis'],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: true,
  takesHostsOn: true,
  measure: measureHyperX,
  build: buildHyperX,
};

/** Undefined where it is not known which switches have hosts. */
function measureHyperX(request: TopologyRequest): TopologySize | undefined {
  const shape = shapeOfArgument(request.argument);
  const routers = volumeOf(shape);
  const nodes = countAttached(request, { count: routers });
  return nodes === undefined ? undefined : measureCableGraph(routers, nodes, completeCables(shape));
}

/** More axes than this can only have sides of 1. */
const mostAxes = 32;

/** Fails with `invalid-shape` or `machine-too-large`. */
function buildHyperX(request: TopologyRequest): Result<Topology> {
  const shape = shapeOfArgument(request.argument);
  if (shape.length === 0 || shape.length > mostAxes || !shape.every((side) => Number.isInteger(side) && side >= 1)) {
    return fail(
      'invalid-shape',
      `A hyperx needs 1 to ${mostAxes} whole sides of at least 1, such as \`hyperx 8 x 8\`.`,
    );
  }
  const size = measureHyperX(request);
  const refusal = size && cableSizeRefusal('This hyperx', size);
  if (refusal) return refusal;
  const routerCount = volumeOf(shape);
  const routerOfNode = attachedNodes(request, { count: routerCount });
  if (!routerOfNode.ok) return routerOfNode;
  const count = completeCables(shape);
  const cables: CableList = { from: new Int32Array(count), to: new Int32Array(count) };
  let next = 0;
  eachCompleteCable(shape, (one, other) => {
    cables.from[next] = one;
    cables.to[next++] = other;
  });
  return buildCableGraph({
    kind: 'hyperx',
    routerCount,
    routerOfNode: routerOfNode.value,
    cables,
    shape: [...shape],
  });
}

/** Cables of a grid in which each router has one to all others of its row along every axis. O(axes). */
export const completeCables = (shape: Shape): number =>
  (volumeOf(shape) * shape.reduce((sum, side) => sum + side - 1, 0)) / 2;

/** Calls `visit` for each of these cables, the lower router first. O(cables). */
export function eachCompleteCable(shape: Shape, visit: (one: number, other: number) => void): void {
  const routers = volumeOf(shape);
  for (let router = 0; router < routers; router++) {
    let stride = 1;
    for (const side of shape) {
      const position = Math.floor(router / stride) % side;
      for (let other = position + 1; other < side; other++) visit(router, router + (other - position) * stride);
      stride *= side;
    }
  }
}
