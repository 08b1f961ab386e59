import type { TopologyEntry } from '../contract.ts';
import { buildGridGraph, measureGridGraph } from './gridGraph.ts';
import { shapeOfArgument } from './argument.ts';

export const torus: TopologyEntry = {
  name: 'torus',
  summary: 'n-dimensional grid of routers whose rows close to rings',
  source: 'Pascual et al. 2010, section 4.1 (two dimensions); Bunde et al. 2014, section 5',
  details:
    'Router id = x + X·(y + Y·z), x fastest; node id = router · hosts + host. A side of 2 has one cable between ' +
    'the two routers, not two parallel ones; a side of 1 has none. There are no host links: two nodes on one router ' +
    'are 0 hops apart.',
  argument: { kind: 'shape', summary: 'the sides of the torus', required: true, minimum: 1 },
  options: [],
  skeleton: 'torus ${1:4 x 4}',
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: ({ argument, hosts }) => measureGridGraph(shapeOfArgument(argument), true, hosts),
  build: ({ argument, hosts }) => buildGridGraph('torus', shapeOfArgument(argument), true, hosts),
};
