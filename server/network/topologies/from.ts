import { itemAt } from '../../numeric/elements.ts';
import { fabricFormats, type Fabric, type FabricNode, type SubnetAddress } from '../../model/fabric.ts';
import type { Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { buildCableGraph, measureCableGraph, sizeRefusal, cableRefusal, isBelow } from './cableGraph.ts';
import { evenlyAttached } from './argument.ts';

export const fromFile: TopologyEntry = {
  name: 'from',
  summary: 'a real fabric, read from the file of another tool',
  source: 'Placewright',
  details:
    'Switches and hosts keep the names of the file. Routers are numbered as the file lists its switches; nodes in the ' +
    'order of their switches, those of one switch as the file lists them. Every node hangs on its switch by a host link ' +
    'of its own. `hosts N` gives a file without hosts N on each switch.',
  argument: { kind: 'file', summary: 'the file that describes the fabric', required: true, formats: fabricFormats },
  options: [],
  skeleton: 'from "${1:fabric.txt}"',
  linkGroups: ['tier'],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: true,
  measure: measureFabric,
  build: buildFabric,
};

function measureFabric({ fabric, hosts = 0 }: TopologyRequest): TopologySize | undefined {
  if (!fabric) return undefined;
  const routers = fabric.routers.length;
  return measureCableGraph(routers, fabric.nodes.length || routers * hosts, fabric.cables.length);
}

/**
 * Fails with `missing-file`, `no-switches`, `no-hosts`, `does-not-apply` (`hosts` where the file has some),
 * `self-cable`, `out-of-range`, `machine-too-large` or `disconnected`.
 */
function buildFabric(request: TopologyRequest): Result<Topology> {
  const { fabric } = request;
  if (!fabric) return fail('missing-file', 'The file of this fabric was not read: write `topology from "FILE"`.');
  const refusal = fabricRefusal(fabric, request.hosts) ?? sizeRefusal('This fabric', measureFabric(request)!);
  if (refusal) return refusal;
  const nodes = nodesOf(fabric, request.hosts ?? 0);
  if (!nodes.ok) return nodes;
  return buildCableGraph({
    kind: 'from',
    routerCount: fabric.routers.length,
    routerOfNode: nodes.value.routerOfNode,
    cables: {
      from: Int32Array.from(fabric.cables, ({ from }) => from),
      to: Int32Array.from(fabric.cables, ({ to }) => to),
    },
    names: {
      routers: fabric.routers,
      nodes: nodes.value.names,
      ...(fabric.nodes.length === 0 ? { nodesAreCounted: true } : {}),
    },
    speeds: { cables: fabric.cables, nodes: nodes.value.hosts },
    subnet: {
      addresses: fabric.routers
        .map((_, router): SubnetAddress => fabric.addresses?.[router] ?? {})
        .concat(nodes.value.hosts.map(({ address = {} }) => address)),
      cables: fabric.cables,
      nodes: nodes.value.hosts,
    },
    partsAllowed: request.partsAllowed,
    ...(fabric.tiers ? { tiers: Int32Array.from(fabric.tiers) } : {}),
  });
}

function fabricRefusal(fabric: Fabric, hosts: number | undefined): ReturnType<typeof fail> | undefined {
  const { routers, nodes, cables } = fabric;
  if (routers.length === 0) {
    return fail('no-switches', 'The file describes no switch: a fabric needs at least one.');
  }
  if (nodes.length > 0 && hosts !== undefined) {
    return fail('does-not-apply', `The file itself says where its ${nodes.length} hosts are: remove \`hosts\`.`);
  }
  if (nodes.length === 0 && hosts === undefined) {
    return fail('no-hosts', 'The file describes no hosts: add `hosts N` to put N compute nodes on each switch.');
  }
  const stray = nodes.find(({ router }) => !isBelow(router, routers.length));
  if (stray) {
    return fail('out-of-range', `Host ${stray.name} hangs on switch ${stray.router}, which the file does not have.`);
  }
  return cableRefusal(cables, routers.length, (router) => itemAt(routers, router));
}

interface Nodes {
  readonly routerOfNode: Int32Array;
  readonly names: readonly string[];
  /** What the file says of each; none where it names no hosts. */
  readonly hosts: readonly FabricNode[];
}

/** The hosts of the file in the order of their switches, or the same number on each switch. */
function nodesOf({ routers, nodes }: Fabric, hosts: number): Result<Nodes> {
  if (nodes.length > 0) {
    const sorted = nodes.toSorted((a, b) => a.router - b.router);
    return succeed({
      routerOfNode: Int32Array.from(sorted, ({ router }) => router),
      names: sorted.map(({ name }) => name),
      hosts: sorted,
    });
  }
  const routerOfNode = evenlyAttached(routers.length, hosts);
  return succeed({
    routerOfNode,
    names: Array.from(routerOfNode, (router, node) => `${itemAt(routers, router)}:${node % hosts}`),
    hosts: [],
  });
}
