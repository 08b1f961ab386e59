import { itemAt } from '../../numeric/elements.ts';
import type { Fabric, FabricAdapter, SubnetAddress } from '../../model/fabric.ts';
import type { Topology } from '../../model/machine.ts';
import { railsOf, type Rails } from '../../model/rails.ts';
import { fail, quote, succeed, type Result } from '../../model/result.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { buildCableGraph, measureCableGraph, cableSizeRefusal, cableRefusal, isBelow } from './cableGraph.ts';
import { attachedNodes, countAttached } from './argument.ts';

export const fromFile: TopologyEntry = {
  name: 'from',
  summary: 'a real fabric, read from a file of another tool',
  source: 'Placewright',
  details:
    'Switches and hosts have the names of the file. Routers are numbered in file order. Nodes follow their ' +
    'switches in order, those of one switch in file order. Each node has a host link for each of its adapters. ' +
    'If the switches are disconnected, the machine is the connected component with most hosts, and numbers count ' +
    'its nodes only; `part` selects another. `hosts N` adds N hosts to each switch of a file without hosts, ' +
    '`hosts N on leaves` or `hosts N on "leaf[0-15]"` to some.',
  argument: { kind: 'file', summary: 'the file that describes the fabric', required: true, describes: 'network' },
  options: [
    {
      name: 'part',
      summary: 'of a file with several networks that no cable joins, the one with this switch or host; the largest',
      kind: 'device',
    },
  ],
  skeleton: 'from "${1:fabric.txt}"',
  linkGroups: ['tier'],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: true,
  takesHostsOn: true,
  measure: measureFabric,
  build: buildFabric,
};

function measureFabric(request: TopologyRequest): TopologySize | undefined {
  const { fabric } = request;
  if (!fabric) return undefined;
  const routers = fabric.routers.length;
  const attached = saysHosts(request) ? countAttached(request, fabricRouters(fabric)) : 0;
  if (attached === undefined) return undefined;
  const size = measureCableGraph(routers, fabric.nodes.length || attached, fabric.cables.length);
  const further = fabric.nodes.reduce((sum, node) => sum + (node.further?.length ?? 0), 0);
  return { ...size, links: size.links + 2 * further };
}

const saysHosts = ({ hosts, hostsOn }: TopologyRequest): boolean => hosts !== undefined || hostsOn !== undefined;

const fabricRouters = ({ routers, tiers }: Fabric) => ({ count: routers.length, names: routers, tiers });

/**
 * Fails with `missing-file`, `no-switches`, `no-hosts`, `does-not-apply` (`hosts` where the file has some),
 * `self-cable`, `out-of-range`, `machine-too-large` or `disconnected`.
 */
function buildFabric(request: TopologyRequest): Result<Topology> {
  const { fabric } = request;
  if (!fabric) return fail('missing-file', 'The fabric file was not read. Write `topology from "FILE"`.');
  const size = measureFabric(request);
  const refusal = fabricRefusal(fabric, saysHosts(request)) ?? (size && cableSizeRefusal('This fabric', size));
  if (refusal) return refusal;
  const nodes = fabricNodes(fabric, request);
  if (!nodes.ok) return nodes;
  return buildCableGraph({
    kind: 'from',
    routerCount: fabric.routers.length,
    routerOfNode: nodes.value.routerOfNode,
    ...(nodes.value.rails && { rails: nodes.value.rails }),
    cables: {
      from: Int32Array.from(fabric.cables, ({ from }) => from),
      to: Int32Array.from(fabric.cables, ({ to }) => to),
    },
    names: {
      routers: fabric.routers,
      nodes: nodes.value.names,
      ...(fabric.nodes.length === 0 || fabric.nodesAreCounted ? { nodesAreCounted: true } : {}),
    },
    speeds: { cables: fabric.cables, nodes: nodes.value.adapters },
    subnet: {
      addresses: fabric.routers
        .map((_, router): SubnetAddress => fabric.addresses?.[router] ?? {})
        .concat(nodes.value.adapters.map(({ address = {} }) => address)),
      cables: fabric.cables,
      nodes: nodes.value.adapters,
    },
    partsAllowed: request.partsAllowed,
    ...(fabric.passive && { passive: passiveRouters(fabric.routers, new Set(fabric.passive)) }),
    ...(fabric.routes && { givenRoutes: fabric.routes }),
    ...(fabric.tiers ? { tiers: Int32Array.from(fabric.tiers) } : {}),
  });
}

const passiveRouters = (routers: readonly string[], passive: ReadonlySet<string>): Uint8Array =>
  Uint8Array.from(routers, (router) => (passive.has(router) ? 1 : 0));

function fabricRefusal(fabric: Fabric, hasHosts: boolean): ReturnType<typeof fail> | undefined {
  const { routers, nodes, cables } = fabric;
  if (routers.length === 0) {
    return fail('no-switches', 'The fabric file has no switch. At least one is needed.');
  }
  if (nodes.length > 0 && hasHosts) {
    return fail('does-not-apply', `The file already attaches its ${nodes.length} hosts. Remove \`hosts\` and \`on\`.`);
  }
  if (nodes.length === 0 && !hasHosts) {
    const on = fabric.tiers === undefined ? `on ${quote(routers[0] ?? '')}` : 'on leaves';
    return fail(
      'no-hosts',
      `The file has no hosts. Add \`hosts N\` for N nodes on each switch, or \`hosts N ${on}\` for some.`,
    );
  }
  const isStray = ({ router }: FabricAdapter): boolean => !isBelow(router, routers.length);
  const stray = nodes.find((node) => isStray(node) || node.further?.some(isStray) === true);
  if (stray) {
    const { router } = [stray, ...(stray.further ?? [])].find(isStray) ?? stray;
    return fail('out-of-range', `Host ${stray.name} is attached to switch ${router}, which is not in the file.`);
  }
  return cableRefusal(cables, routers.length, (router) => itemAt(routers, router));
}

interface Nodes {
  readonly routerOfNode: Int32Array;
  readonly names: readonly string[];
  /** What the file says of each port; nothing where it names no hosts. */
  readonly adapters: readonly FabricAdapter[];
  readonly rails?: Rails;
}

/** The hosts of the file in the order of their switches, or the same number on each switch. */
function fabricNodes(fabric: Fabric, request: TopologyRequest): Result<Nodes> {
  const { routers, nodes } = fabric;
  const { hosts = 1 } = request;
  if (nodes.length > 0) {
    const sorted = nodes.toSorted((a, b) => a.router - b.router);
    const routerOfNode = Int32Array.from(sorted, ({ router }) => router);
    const further = sorted.flatMap(({ further: own = [] }, node) =>
      own.map((adapter) => ({ rail: 0, ...adapter, node })),
    );
    const adapters = [...sorted, ...further];
    const words = adapters.map(({ adapter = '' }) => adapter);
    const rails = railsOf(
      routerOfNode,
      Array.from(sorted, ({ rail = 0 }) => rail),
      further,
      words,
    );
    return succeed({ routerOfNode, names: sorted.map(({ name }) => name), adapters, ...(rails && { rails }) });
  }
  const attached = attachedNodes(request, fabricRouters(fabric));
  if (!attached.ok) return attached;
  const routerOfNode = attached.value;
  return succeed({
    routerOfNode,
    names: Array.from(routerOfNode, (router, node) => `${itemAt(routers, router)}:${node % hosts}`),
    adapters: [],
  });
}
