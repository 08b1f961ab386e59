import type { TopologyEntry } from '../contract.ts';
import { buildGridGraph, measureGridGraph } from './gridGraph.ts';
import { shapeOfArgument } from './argument.ts';

export const mesh: TopologyEntry = {
  name: 'mesh',
  summary: 'n-dimensional grid of routers without wrap-around cables',
  source: 'Bunde et al. 2014, section 5; Alsardia 2017, section 1.1 (two dimensions)',
  details:
    'Router id = x + X·(y + Y·z), x fastest; node id = router · hosts + host. There are no host links: two nodes on ' +
    'one router are 0 hops apart.',
  argument: { kind: 'shape', summary: 'the sides of the mesh', required: true, minimum: 1 },
  options: [],
  skeleton: 'mesh ${1:4 x 4}',
  defaultRouting: 'dimension-order',
  takesCables: false,
  takesHosts: true,
  measure: ({ argument, hosts }) => measureGridGraph(shapeOfArgument(argument), false, hosts),
  build: ({ argument, hosts }) => buildGridGraph('mesh', shapeOfArgument(argument), false, hosts),
};
