/** Dragonflies: groups in which routers are cabled all to all, or along the rows and columns of a grid. */
import type { Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { type Shape, volumeOf } from '../../model/shape.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { evenlyAttached, integerOption, shapeOption } from './argument.ts';
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
import { eachCompleteCable, completeCables } from './hyperx.ts';

export const dragonfly: TopologyEntry = {
  name: 'dragonfly',
  summary: 'groups of routers cabled all to all, the groups cabled all to all in turn',
  source:
    'Kim et al. 2008, Technology-driven, highly-scalable dragonfly topology, section 3; groups as grids: Faanes et al. ' +
    '2012, Cray Cascade; arrangements of global cables: Hastings et al. 2015, section II',
  details:
    'Router id = group · a + index; node id = router · p + host. Each node is connected to its router by its own ' +
    'host link. With `group X x Y` instead of `a`, the routers of a group are a grid; router id in the group = x ' +
    '+ X·y. Each router has a link to all others of its row and of its column, as in a Cray XC (`group 16 x 6`, ' +
    `three parallel links in each column: \`cables(y 3)\`). ${globalDetails}`,
  options: [
    { name: 'p', summary: 'nodes on each router', kind: 'integer', minimum: 1, maximum: 1024 },
    { name: 'a', summary: 'routers in each group, all to all', kind: 'integer', minimum: 1, maximum: 4096 },
    {
      name: 'group',
      summary: 'routers of each group as a grid with rows and columns all to all, instead of `a`',
      kind: 'shape',
    },
    { name: 'h', summary: 'ports of each router to other groups', kind: 'integer', minimum: 0, maximum: 4096 },
    ...globalOptions,
  ],
  skeleton: 'dragonfly(p ${1:2}, a ${2:4}, h ${3:2})',
  linkGroups: ['local', 'axis', 'global'],
  axes: ({ options }) => shapeOption(options, 'group')?.length,
  remark: (request) => {
    const form = dragonflyForm(request);
    return form.ok ? unusedPorts(form.value.global) : undefined;
  },
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  measure: (request) => {
    const form = dragonflyForm(request);
    return form.ok ? measureDragonfly(form.value) : undefined;
  },
  build: buildDragonfly,
};

/** The parameters as Kim et al. name them, and what follows. */
interface Form {
  readonly nodesPerRouter: number;
  /** Sides of a group: `a` alone where it is cabled all to all. */
  readonly group: Shape;
  readonly routersPerGroup: number;
  readonly global: GlobalForm;
}

/** A group of more sides than this can only have sides of 1. */
const mostSides = 16;

function dragonflyForm({ options }: TopologyRequest): Result<Form> {
  const [p, a, h] = ['p', 'a', 'h'].map((name) => integerOption(options, name));
  const grid = shapeOption(options, 'group');
  if (p === undefined || h === undefined || (a === undefined && grid === undefined)) {
    return fail('missing-option', 'A dragonfly needs `p`, `a` and `h`. Example: `dragonfly(p 2, a 4, h 2)`.');
  }
  if (a !== undefined && grid !== undefined) {
    return fail('invalid-groups', '`a` and `group` both set the routers per group. Remove one of them.');
  }
  const group = grid ?? [a ?? 1];
  if (group.length > mostSides) return fail('invalid-groups', `\`group\` may have at most ${mostSides} sides.`);
  const routersPerGroup = volumeOf(group);
  const ports = routersPerGroup * h;
  const global = globalFormOf(options, ports, `${grid ? 'routers' : 'a'} · h = ${routersPerGroup} · ${h} = ${ports}`);
  return global.ok ? succeed({ nodesPerRouter: p, group, routersPerGroup, global: global.value }) : global;
}

function measureDragonfly({ nodesPerRouter, group, routersPerGroup, global }: Form): TopologySize {
  const routers = global.groups * routersPerGroup;
  const between = (global.groups * (global.groups - 1) * global.perPair) / 2;
  return measureCableGraph(routers, routers * nodesPerRouter, global.groups * completeCables(group) + between);
}

/** Fails with `missing-option`, `invalid-groups` or `machine-too-large`. */
function buildDragonfly(request: TopologyRequest): Result<Topology> {
  const form = dragonflyForm(request);
  if (!form.ok) return form;
  const size = measureDragonfly(form.value);
  const refusal = cableSizeRefusal('This dragonfly', size);
  if (refusal) return refusal;
  const { routersPerGroup, nodesPerRouter, group } = form.value;
  return buildCableGraph({
    kind: 'dragonfly',
    routerCount: size.routers,
    routerOfNode: evenlyAttached(size.routers, nodesPerRouter),
    cables: dragonflyCables(form.value, size.links / 2 - size.nodes),
    groups: Int32Array.from({ length: size.routers }, (_, router) => Math.floor(router / routersPerGroup)),
    ...(shapeOption(request.options, 'group') && { groupShape: [...group] }),
  });
}

function dragonflyCables({ group, routersPerGroup, global }: Form, cableCount: number): CableList {
  const from = new Int32Array(cableCount);
  const to = new Int32Array(cableCount);
  let next = 0;
  const connect = (one: number, other: number): void => {
    from[next] = one;
    to[next++] = other;
  };
  for (let first = 0; first < global.groups * routersPerGroup; first += routersPerGroup) {
    eachCompleteCable(group, (one, other) => {
      connect(first + one, first + other);
    });
  }
  forEachGlobalCable(global, (here, there, portHere, portThere) => {
    connect(
      here * routersPerGroup + routerOfPort(portHere, routersPerGroup, global),
      there * routersPerGroup + routerOfPort(portThere, routersPerGroup, global),
    );
  });
  return { from, to };
}
