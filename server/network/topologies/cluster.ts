import type { Topology } from '../../model/machine.ts';
import { fail, type Result } from '../../model/result.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { integerOfArgument, evenlyAttached } from './argument.ts';
import { buildCableGraph, measureCableGraph, sizeRefusal } from './cableGraph.ts';

export const cluster: TopologyEntry = {
  name: 'cluster',
  summary: 'compute nodes round one switch',
  source: 'Soryani et al. 2013, section 3',
  details:
    'Each node hangs on the switch, router 0, by a host link of its own: two nodes are 2 hops apart. Nodes are numbered ' +
    '0 to N − 1.',
  argument: { kind: 'integer', summary: 'the number of compute nodes', required: true, minimum: 1 },
  options: [],
  skeleton: 'cluster ${1:16}',
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  measure: measureCluster,
  build: buildCluster,
};

function measureCluster({ argument }: TopologyRequest): TopologySize {
  return measureCableGraph(1, integerOfArgument(argument), 0);
}

/** Fails with `invalid-count` or `machine-too-large`. */
function buildCluster(request: TopologyRequest): Result<Topology> {
  const nodes = integerOfArgument(request.argument);
  if (nodes === 0) return fail('invalid-count', 'Say how many compute nodes there are, as in `cluster 16`.');
  const refusal = sizeRefusal('This cluster', measureCluster(request));
  if (refusal) return refusal;
  const none = new Int32Array(0);
  return buildCableGraph({
    kind: 'cluster',
    routerCount: 1,
    routerOfNode: evenlyAttached(1, nodes),
    cables: { from: none, to: none },
  });
}
