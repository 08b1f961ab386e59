import type { ArgumentValue } from '../../model/catalogue.ts';
import type { Shape } from '../../model/shape.ts';
import type { TopologyEntry } from '../contract.ts';
import { buildGridGraph, largestDimensionCount } from './gridGraph.ts';
import { integerOfArgument } from './argument.ts';

export const hypercube: TopologyEntry = {
  name: 'hypercube',
  summary: '2^D routers; those whose numbers differ in one bit are cabled',
  source: 'Placewright',
  details:
    'A mesh of D sides of 2: bit b of the router id is its coordinate on axis b. Node id = router · hosts + host. ' +
    'Dimension-order routing corrects the bits from the lowest to the highest. There are no host links: two nodes ' +
    'on one router are 0 hops apart.',
  argument: { kind: 'integer', summary: 'the number of dimensions D', required: true, minimum: 1 },
  options: [],
  skeleton: 'hypercube ${1:4}',
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: ({ argument, hosts = 1 }) => {
    const dimensions = integerOfArgument(argument);
    const routers = 2 ** dimensions;
    return { routers, nodes: routers * hosts, links: dimensions * routers };
  },
  build: ({ argument, hosts }) => buildGridGraph('hypercube', hypercubeShape(argument), false, hosts),
};

/** One dimension more than can be built keeps the refusal and spares an array of an absurd length. */
function hypercubeShape(argument: ArgumentValue | undefined): Shape {
  const dimensions = Math.min(integerOfArgument(argument), largestDimensionCount + 1);
  return new Array<number>(dimensions).fill(2);
}
