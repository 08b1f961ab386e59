/** Networks of switches as the user cables them, and the least of them: a cluster round one switch. */
import { fail, type Result } from '../../model/result.ts';
import type { Topology } from '../../model/machine.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { attachedNodes, countAttached, integerOfArgument, evenlyAttached } from './argument.ts';
import { cableRefusal, buildCableGraph, measureCableGraph, cableSizeRefusal } from './cableGraph.ts';

export const switches: TopologyEntry = {
  name: 'switches',
  summary: 'irregular network of switches, with links `link a -- b, c`',
  source: 'Orduña et al. 2004, section 2',
  details:
    'Parallel links between two switches are separate links. Each node is connected to its switch by its own ' +
    'host link: two nodes on one switch are 2 hops apart. Node id = switch · hosts + host. With `hosts 4 on ' +
    '0..15` the other switches have no nodes and are not counted.',
  argument: { kind: 'integer', summary: 'the number of switches', required: true, minimum: 1 },
  options: [],
  skeleton: 'switches ${1:4}\nlink 0 -- ${2:1, 2}\nlink 3 -- ${3:1, 2}',
  defaultRouting: 'up-down',
  takesCables: true,
  takesHosts: true,
  takesHostsOn: true,
  measure: measureSwitches,
  build: buildSwitches,
};

/** Undefined where it is not known which switches have hosts. */
function measureSwitches(request: TopologyRequest): TopologySize | undefined {
  const count = integerOfArgument(request.argument);
  const nodes = countAttached(request, { count });
  return nodes === undefined ? undefined : measureCableGraph(count, nodes, request.cables.length);
}

/** Fails with `invalid-count`, `machine-too-large`, `out-of-range`, `self-cable` or `disconnected`. */
function buildSwitches(request: TopologyRequest): Result<Topology> {
  const { cables } = request;
  const routerCount = integerOfArgument(request.argument);
  if (routerCount === 0) return fail('invalid-count', 'The number of switches is missing. Example: `switches 10`.');
  const size = measureSwitches(request);
  const refusal = (size && cableSizeRefusal('This network', size)) ?? cableRefusal(cables, routerCount);
  if (refusal) return refusal;
  const routerOfNode = attachedNodes(request, { count: routerCount });
  if (!routerOfNode.ok) return routerOfNode;
  return buildCableGraph({
    kind: 'switches',
    routerCount,
    routerOfNode: routerOfNode.value,
    cables: { from: Int32Array.from(cables, ({ from }) => from), to: Int32Array.from(cables, ({ to }) => to) },
    speeds: { cables, areDeclared: true },
    partsAllowed: request.partsAllowed,
  });
}

export const cluster: TopologyEntry = {
  name: 'cluster',
  summary: 'nodes attached to one switch',
  source: 'Soryani et al. 2013, section 3',
  details:
    'Each node is connected to the switch, router 0, by its own host link. Two nodes are 2 hops apart. Nodes are ' +
    'numbered 0 to N − 1.',
  argument: { kind: 'integer', summary: 'the number of nodes', required: true, minimum: 1 },
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
  if (nodes === 0) return fail('invalid-count', 'The number of nodes is missing. Example: `cluster 16`.');
  const refusal = cableSizeRefusal('This cluster', measureCluster(request));
  if (refusal) return refusal;
  const none = new Int32Array(0);
  return buildCableGraph({
    kind: 'cluster',
    routerCount: 1,
    routerOfNode: evenlyAttached(1, nodes),
    cables: { from: none, to: none },
  });
}
