/** Dragonfly+: groups of leaves and spines, the spines cabled to those of other groups. */
import type { Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { integerOption } from './argument.ts';
import { buildCableGraph, measureCableGraph, cableSizeRefusal, type CableList } from './cableGraph.ts';
import {
  forEachGlobalCable,
  globalDetails,
  globalFormOf,
  globalOptions,
  routerOfPort,
  unusedPorts,
  type GlobalForm,
} from './globalCables.ts';

export const dragonflyPlus: TopologyEntry = {
  name: 'dragonfly-plus',
  summary: 'groups of leaves and spines; spines connect all groups to each other',
  source: 'Shpiner et al. 2017, Dragonfly+: low cost topology for scaling datacenters, section II',
  details:
    'Router id = group · (leaves + spines) + index, the leaves of a group first. Each leaf has a link to each ' +
    'spine of its group and p nodes on their own host links. Spines have no nodes. Node id = (group · leaves + ' +
    `leaf) · p + host. ${globalDetails}`,
  options: [
    { name: 'p', summary: 'nodes on each leaf', kind: 'integer', minimum: 1, maximum: 1024 },
    { name: 'leaves', summary: 'leaves in each group', kind: 'integer', minimum: 1, maximum: 4096 },
    { name: 'spines', summary: 'spines in each group', kind: 'integer', minimum: 1, maximum: 4096 },
    { name: 'h', summary: 'ports of each spine to other groups', kind: 'integer', minimum: 0, maximum: 4096 },
    ...globalOptions,
  ],
  skeleton: 'dragonfly-plus(p ${1:4}, leaves ${2:4}, spines ${3:4}, h ${4:4}, g ${5:5})',
  linkGroups: ['local', 'global'],
  remark: (request) => {
    const form = dragonflyPlusForm(request);
    return form.ok ? unusedPorts(form.value.global) : undefined;
  },
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  measure: (request) => {
    const form = dragonflyPlusForm(request);
    return form.ok ? measureDragonflyPlus(form.value) : undefined;
  },
  build: buildDragonflyPlus,
};

interface Form {
  readonly nodesPerLeaf: number;
  readonly leaves: number;
  readonly spines: number;
  readonly global: GlobalForm;
}

function dragonflyPlusForm({ options }: TopologyRequest): Result<Form> {
  const [p, leaves, spines, h] = ['p', 'leaves', 'spines', 'h'].map((name) => integerOption(options, name));
  if (p === undefined || leaves === undefined || spines === undefined || h === undefined) {
    return fail(
      'missing-option',
      'A dragonfly-plus needs `p`, `leaves`, `spines` and `h`. Example: `dragonfly-plus(p 4, leaves 4, spines 4, h 4)`.',
    );
  }
  const ports = spines * h;
  const global = globalFormOf(options, ports, `spines · h = ${spines} · ${h} = ${ports}`);
  return global.ok ? succeed({ nodesPerLeaf: p, leaves, spines, global: global.value }) : global;
}

function measureDragonflyPlus({ nodesPerLeaf, leaves, spines, global: { groups, perPair } }: Form): TopologySize {
  const cables = groups * leaves * spines + (groups * (groups - 1) * perPair) / 2;
  return measureCableGraph(groups * (leaves + spines), groups * leaves * nodesPerLeaf, cables);
}

/** Fails with `missing-option`, `invalid-groups` or `machine-too-large`. */
function buildDragonflyPlus(request: TopologyRequest): Result<Topology> {
  const form = dragonflyPlusForm(request);
  if (!form.ok) return form;
  const size = measureDragonflyPlus(form.value);
  const refusal = cableSizeRefusal('This dragonfly-plus', size);
  if (refusal) return refusal;
  const { leaves, spines, nodesPerLeaf } = form.value;
  const routersPerGroup = leaves + spines;
  const routerOfNode = Int32Array.from({ length: size.nodes }, (_, node) => {
    const leaf = Math.floor(node / nodesPerLeaf);
    return Math.floor(leaf / leaves) * routersPerGroup + (leaf % leaves);
  });
  return buildCableGraph({
    kind: 'dragonfly-plus',
    routerCount: size.routers,
    routerOfNode,
    cables: dragonflyPlusCables(form.value, size.links / 2 - size.nodes),
    groups: Int32Array.from({ length: size.routers }, (_, router) => Math.floor(router / routersPerGroup)),
  });
}

function dragonflyPlusCables({ leaves, spines, global }: Form, cableCount: number): CableList {
  const from = new Int32Array(cableCount);
  const to = new Int32Array(cableCount);
  const routersPerGroup = leaves + spines;
  let next = 0;
  const connect = (one: number, other: number): void => {
    from[next] = one;
    to[next++] = other;
  };
  for (let group = 0; group < global.groups; group++) {
    const first = group * routersPerGroup;
    for (let leaf = 0; leaf < leaves; leaf++) {
      for (let spine = 0; spine < spines; spine++) connect(first + leaf, first + leaves + spine);
    }
  }
  const spineOf = (group: number, port: number): number =>
    group * routersPerGroup + leaves + routerOfPort(port, spines, global);
  forEachGlobalCable(global, (here, there, portHere, portThere) => {
    connect(spineOf(here, portHere), spineOf(there, portThere));
  });
  return { from, to };
}
