import type { Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { integerOption, evenlyAttached } from './argument.ts';
import { buildCableGraph, measureCableGraph, sizeRefusal, type CableList } from './cableGraph.ts';

export const dragonfly: TopologyEntry = {
  name: 'dragonfly',
  summary: 'groups of fully cabled routers, the groups fully cabled in turn',
  source:
    'Kim et al. 2008, Technology-driven, highly-scalable dragonfly topology, section 3; absolute arrangement of global ' +
    'cables: Hastings et al. 2015, section II',
  details:
    'Router id = group · a + index; node id = router · p + host; every node hangs on its router by a host link of its own. ' +
    'Each group has a · h ports to other groups, numbered router by router; each pair of groups has ' +
    'a · h / (g − 1) cables, so g − 1 must divide a · h. Global cables stand in the usual consecutive (absolute) ' +
    'order: port i + c · (g − 1) of a group holds cable c to group i, or to group i + 1 from its own number on.',
  options: [
    { name: 'p', summary: 'nodes on each router', kind: 'integer', minimum: 1, maximum: 1024 },
    { name: 'a', summary: 'routers in each group', kind: 'integer', minimum: 1, maximum: 4096 },
    { name: 'h', summary: 'links of each router to other groups', kind: 'integer', minimum: 0, maximum: 4096 },
    {
      name: 'g',
      summary: 'groups; where left out a · h + 1, the most there can be',
      kind: 'integer',
      minimum: 1,
      maximum: 65536,
    },
  ],
  skeleton: 'dragonfly(p ${1:2}, a ${2:4}, h ${3:2})',
  linkGroups: ['local', 'global'],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  measure: (request) => {
    const form = formOf(request);
    return form.ok ? measureForm(form.value) : undefined;
  },
  build: buildDragonfly,
};

/** The four parameters as Kim et al. name them, and what follows. */
interface Form {
  readonly nodesPerRouter: number;
  readonly routersPerGroup: number;
  readonly globalPerRouter: number;
  readonly groups: number;
  /** Cables between each pair of groups. */
  readonly trunk: number;
}

function formOf({ options }: TopologyRequest): Result<Form> {
  const [p, a, h] = ['p', 'a', 'h'].map((name) => integerOption(options, name));
  if (p === undefined || a === undefined || h === undefined) {
    return fail('missing-option', 'A dragonfly needs `p`, `a` and `h`, as in `dragonfly(p 2, a 4, h 2)`.');
  }
  const ports = a * h;
  const g = integerOption(options, 'g') ?? ports + 1;
  const form = { nodesPerRouter: p, routersPerGroup: a, globalPerRouter: h, groups: g };
  if (g === 1) return succeed({ ...form, trunk: 0 });
  const trunk = ports / (g - 1);
  if (Number.isInteger(trunk) && trunk > 0) return succeed({ ...form, trunk });
  return fail('invalid-groups', groupsMessage(g, a, h));
}

/** What `g` may be instead: the nearest numbers one above a divisor of the ports of a group. */
function groupsMessage(g: number, a: number, h: number): string {
  const ports = a * h;
  const start = `A group has a · h = ${a} · ${h} = ${ports} links to other groups, which `;
  if (ports === 0) return `${start}leaves g 1 only: give \`h\`, or write \`g 1\`.`;
  if (g - 1 > ports) return `${start}reach at most ${ports} of them: \`g\` may be ${ports + 1} at most, and is ${g}.`;
  let below = g - 1;
  while (ports % below !== 0) below -= 1;
  let above = g;
  while (ports % above !== 0) above += 1;
  return `${start}cannot be shared evenly among ${g - 1} other groups: \`g\` may be ${below + 1} or ${above + 1}.`;
}

function measureForm({ nodesPerRouter, routersPerGroup, groups, trunk }: Form): TopologySize {
  const routers = groups * routersPerGroup;
  const local = (routers * (routersPerGroup - 1)) / 2;
  const global = (groups * (groups - 1) * trunk) / 2;
  return measureCableGraph(routers, routers * nodesPerRouter, local + global);
}

/** Fails with `missing-option`, `invalid-groups` or `machine-too-large`. */
function buildDragonfly(request: TopologyRequest): Result<Topology> {
  const form = formOf(request);
  if (!form.ok) return form;
  const size = measureForm(form.value);
  const refusal = sizeRefusal('This dragonfly', size);
  if (refusal) return refusal;
  const { routersPerGroup, nodesPerRouter } = form.value;
  return buildCableGraph({
    kind: 'dragonfly',
    routerCount: size.routers,
    routerOfNode: evenlyAttached(size.routers, nodesPerRouter),
    cables: cablesOf(form.value, size.links / 2 - size.nodes),
    groups: Int32Array.from({ length: size.routers }, (_, router) => Math.floor(router / routersPerGroup)),
  });
}

function cablesOf({ routersPerGroup: a, globalPerRouter, groups, trunk }: Form, cableCount: number): CableList {
  const from = new Int32Array(cableCount);
  const to = new Int32Array(cableCount);
  let next = 0;
  const connect = (one: number, other: number): void => {
    from[next] = one;
    to[next++] = other;
  };
  const routerOfPort = (group: number, port: number): number => group * a + Math.floor(port / globalPerRouter);
  for (let group = 0; group < groups; group++) {
    for (let one = 0; one < a; one++) {
      for (let other = one + 1; other < a; other++) connect(group * a + one, group * a + other);
    }
    for (let other = group + 1; other < groups; other++) {
      for (let cable = 0; cable < trunk; cable++) {
        const lane = cable * (groups - 1);
        connect(routerOfPort(group, lane + other - 1), routerOfPort(other, lane + group));
      }
    }
  }
  return { from, to };
}
