import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { OptionValues } from '../model/catalogue.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { ForwardingDump } from '../model/forwarding.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { StudyFiles } from './program.ts';
import { defaultStudySettings, type StudyReport } from './report.ts';
import { createStudyCache, runStudy } from './study.ts';

const triangle: Fabric = {
  format: 'anynet',
  routers: ['leaf-0', 'leaf-1', 'spine'],
  nodes: [
    { name: 'a', router: 0 },
    { name: 'b', router: 1 },
  ],
  cables: [
    { from: 0, to: 2 },
    { from: 1, to: 2 },
  ],
  tiers: [0, 0, 1],
  warnings: [],
};
const shape: NodeShape = { coresOfSockets: [4, 4], numaNodes: 2, warnings: [] };

const real: MachineDescription = {
  name: 'real',
  topology: { name: 'from', argument: { kind: 'file', uri: 'net' }, options: {} },
  cables: [],
  socketsPerNode: 1,
  coresPerSocket: 1,
  figures: {},
};

function study(
  description: MachineDescription,
  fabric: Result<Fabric>,
  node: Result<NodeShape> = succeed(shape),
  forwarding: Result<ForwardingDump> = fail('missing-file', 'not asked for.'),
): StudyReport {
  const notAsked = (): Result<never> => fail('missing-file', 'not asked for.');
  const files: StudyFiles = {
    table: notAsked,
    given: notAsked,
    coordinates: notAsked,
    trace: notAsked,
    fabric: () => fabric,
    forwarding: () => forwarding,
    nodeShape: () => node,
  };
  const program = { machines: new Map([[description.name, description]]), jobs: new Map(), placements: [] };
  return runStudy(program, files, defaultStudySettings, {
    cancellation: neverCancelled,
    progress: () => undefined,
    now: () => 0,
    cache: createStudyCache(),
  });
}

/** `property code: message` of every problem. */
const problemsOf = ({ problems }: StudyReport): string[] =>
  problems.map(({ severity, code, message, subject }) => `${subject.property} ${severity} ${code}: ${message}`);

describe('a machine of files', () => {
  it('is told about with its tiers, its names, its format and its nodes', () => {
    const report = study({ ...real, nodeFile: 'node' }, succeed(triangle));
    expect(problemsOf(report)).toEqual([]);
    expect(report.machines).toMatchObject([
      {
        routers: 3,
        nodes: 2,
        cores: 16,
        details: {
          inside: { sockets: '2 sockets of 4 cores' },
          numaNodes: 2,
          tiers: [2, 1],
          format: 'anynet',
          names: { routers: ['leaf-0', 'leaf-1', 'spine'], nodes: ['a', 'b'] },
        },
      },
    ]);
  });

  it.each<[string, MachineDescription, Result<Fabric>, Result<NodeShape>, RegExp]>([
    ['an unreadable fabric', real, fail('bad-fabric', 'net:3: cut off.'), succeed(shape), /^topology error bad-fabric/],
    [
      'an unreadable node',
      { ...real, nodeFile: 'node' },
      succeed(triangle),
      fail('bad-node', 'node:1: no cores.'),
      /^node error bad-node: node:1/,
    ],
    [
      'a root that is not there',
      { ...real, routing: { name: 'up-down', options: { root: 7 } } },
      succeed(triangle),
      succeed(shape),
      /^routing error unknown-root: .*7/,
    ],
    [
      'hosts where the file has them',
      { ...real, hosts: 2 },
      succeed(triangle),
      succeed(shape),
      /^hosts error does-not/,
    ],
    ['a file without hosts', real, succeed({ ...triangle, nodes: [] }), succeed(shape), /^topology error no-hosts/],
    [
      'a part that the file does not have',
      { ...real, topology: { ...real.topology, options: { part: 'leaf-9' } } },
      succeed(triangle),
      succeed(shape),
      /^topology error no-such-part: .*'leaf-9'/,
    ],
  ])('is refused where the text causes it: %s', (_, description, fabric, node, expected) => {
    const problems = problemsOf(study(description, fabric, node));
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });

  it('is the largest of the parts of its file, with a warning at the topology', () => {
    const parted = { ...triangle, cables: triangle.cables.slice(1) };
    expect(problemsOf(study(real, succeed(parted), succeed(shape)))).toEqual([
      expect.stringMatching(/^topology warning fabric-warning: 2 connected components; using the largest/),
    ]);
  });

  it('warns of one root where the network has several, and not where it has one', () => {
    const clos: Fabric = {
      ...triangle,
      routers: ['leaf-0', 'leaf-1', 'spine-0', 'spine-1', 'spine-2'],
      cables: [0, 1].flatMap((from) => [2, 3, 4].map((to) => ({ from, to }))),
      tiers: [0, 0, 1, 1, 1],
    };
    const upDown = (options: OptionValues = {}) => ({ ...real, routing: { name: 'up-down', options } });
    const roots = (...items: (number | string)[]) => upDown({ roots: { kind: 'routers', items } });
    expect(problemsOf(study(upDown({ root: 2 }), succeed(clos)))).toEqual([
      'routing warning single-root: `up-down` uses only root spine-0; ' +
        '2 other top-level switches are not roots. Write `routing up-down` without `root` to use all.',
    ]);
    expect(problemsOf(study(roots('spine-[0-1]'), succeed(clos)))).toEqual([
      expect.stringMatching(/uses only roots spine-0, spine-1; 1 other top-level switch is not a root/),
    ]);
    for (const right of [upDown(), roots('spine-[0-2]'), roots(3, 'spine-0', 4)])
      expect(problemsOf(study(right, succeed(clos)))).toEqual([]);
    expect(problemsOf(study(upDown(), succeed(triangle)))).toEqual([]);
    expect(problemsOf(study(real, succeed(clos)))).toEqual([]);
  });

  it.each([
    ['a name that no switch has', ['spine-9'], /^routing error unknown-root: Unknown root switch 'spine-9'/],
    ['a number that no switch has', [0, 5], /^routing error unknown-root: Unknown root switch 5/],
    ['roots on two sides of a line', ['a', 'd'], /^routing error roots-apart: .* between switches a and d\. /],
  ])('refuses %s', (_, items, expected) => {
    const line: Fabric = {
      ...triangle,
      routers: ['a', 'b', 'c', 'd'],
      nodes: ['a', 'b', 'c', 'd'].map((name, router) => ({ name: `host-${name}`, router })),
      cables: [1, 2, 3].map((to) => ({ from: to - 1, to })),
    };
    const description = {
      ...real,
      routing: { name: 'up-down', options: { roots: { kind: 'routers' as const, items } } },
    };
    expect(problemsOf(study(description, succeed(line)))).toEqual([expect.stringMatching(expected)]);
  });

  it('warns of threads that count as cores, unless the machine says how many cores there are', () => {
    const node = succeed({ ...shape, countsThreads: true as const });
    const threads = (more: Partial<MachineDescription>) =>
      problemsOf(study({ ...real, nodeFile: 'node', ...more }, succeed(triangle), node));
    expect(threads({})).toEqual([expect.stringMatching(/^node warning node-warning: Processing units count as cores/)]);
    expect(threads({ coresInFile: [2] })).toEqual([]);
    expect(threads({ coresInFile: [5] })).toEqual([expect.stringMatching(/^cores error cores-beside-file: /)]);
  });

  it('warns where the file has a routing of its own, unless the machine names one', () => {
    const tree = succeed({ ...triangle, format: 'simgrid', tiers: [0, 0, 1], routing: 'fat-tree' as const });
    const problemsWith = (routing?: string) =>
      problemsOf(study({ ...real, ...(routing && { routing: { name: routing, options: {} } }) }, tree, succeed(shape)));
    expect(problemsWith()).toEqual([
      'topology warning fabric-warning: Traffic uses all shortest paths; simgrid uses others. Write `routing fat-tree`.',
    ]);
    expect(problemsWith('minimal')).toEqual([]);
    expect(problemsWith('fat-tree')).toEqual([]);
  });

  it('passes on five warnings of each file, and counts the others', () => {
    const warnings = Array.from({ length: 7 }, (_, at) => ({ line: at + 1, message: 'Left out.' }));
    const node = succeed({ ...shape, warnings: [{ message: 'Odd.' }] });
    const report = study({ ...real, nodeFile: 'node' }, succeed({ ...triangle, warnings }), node);
    expect(problemsOf(report)).toEqual([
      ...[1, 2, 3, 4].map((line) => `topology warning fabric-warning: Line ${line}: Left out.`),
      'topology warning fabric-warning: Line 5: Left out.And 2 more of this file.',
      'node warning node-warning: Odd.',
    ]);
  });
});

describe('tables that lead packets in a circle', () => {
  const guid = (digit: number, kind: string) => `${kind}${digit}`.padStart(16, '0');
  /** Switches in a ring, each with a host on port 1; port 2 leads onwards and port 3 back. LIDs of hosts are 100 and on. */
  const ring = (count: number, more: Partial<Fabric> = {}): Fabric => ({
    ...{ format: 'ibnetdiscover', warnings: [] },
    routers: Array.from({ length: count }, (_, router) => `s${router}`),
    addresses: Array.from({ length: count }, (_, router) => ({ guid: guid(router, 'a'), lid: router + 1 })),
    nodes: Array.from({ length: count }, (_, router) => ({
      ...{ name: `n${router}`, router, port: 1 },
      address: { guid: guid(router, 'b'), lid: 100 + router },
    })),
    cables: Array.from({ length: count }, (_, from) => ({ from, to: (from + 1) % count, fromPort: 2, toPort: 3 })),
    ...more,
  });
  /** All packets go onwards, or all but those that cross from the last switch to the first. */
  const onwards = (count: number, passes: (at: number, to: number) => boolean = () => true): ForwardingDump => ({
    ...{ format: 'dump-fts', fileName: 'fts', targets: new Map(), warnings: [] },
    switches: Array.from({ length: count }, (_, router) => ({ guid: guid(router, 'a'), name: `s${router}`, line: 1 })),
    firstEntry: Int32Array.from({ length: count + 1 }, (_, router) => router * count),
    entries: Int32Array.from({ length: count * count }, (_, entry) => {
      const [at, to] = [Math.floor(entry / count), entry % count];
      return 256 * (100 + to) + (at === to ? 1 : passes(at, to) ? 2 : 3);
    }),
  });
  const leaves = (count: number): Partial<Fabric> => {
    const { routers, nodes } = ring(count);
    return { tiers: routers.map((_, router) => router % 2), nodes: nodes.filter((_, node) => node % 2 === 0) };
  };
  const routed = (name: string): MachineDescription => {
    const argument = name === 'from' ? { argument: { kind: 'file' as const, uri: 'fts' } } : {};
    return { ...real, routing: { name, options: {}, ...argument } };
  };

  it.each([
    [
      'static',
      ring(5),
      'routing warning possible-deadlock: Possible deadlock with `static`: cyclic channel dependency ' +
        's0 → s1 → s2 → s3 → s4 → s0. Needs 2 virtual lanes, with routes spread over them. ' +
        '`dfsssp` assigns virtual lanes; `up-down` needs one.',
    ],
    [
      'fat-tree',
      ring(10, leaves(10)),
      /^routing warning possible-deadlock: Possible deadlock with `fat-tree`: .* s\d → s\d → s\d → s\d → s\d → s\d → … → s\d \(10 links\)\. Needs 2 virtual lanes.* `dfsssp`/,
    ],
    [
      'from',
      ring(5),
      'routing warning possible-deadlock: Possible deadlock with these forwarding tables: cyclic channel dependency ' +
        's0 → s1 → s2 → s3 → s4 → s0. Needs 3 virtual lanes, with routes spread over them. ' +
        'OpenSM `dfsssp` and `lash` also need virtual lanes, which dump files do not contain.',
    ],
  ])('are a warning at the routing, with the links: %s', (name, fabric, expected) => {
    const report = study(routed(name), succeed(fabric), succeed(shape), succeed(onwards(5)));
    expect(problemsOf(report)).toEqual([typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
    expect(report.machines).toMatchObject([{ lanes: { rule: 'routes' } }]);
  });

  it.each([
    ['dfsssp has its lanes', 'dfsssp', ring(5)],
    ['ecmp of Ethernet drops what waits', 'ecmp', ring(5)],
    ['minimal can escape', 'minimal', ring(5)],
    ['up-down has none', 'up-down', ring(5)],
    ['a ring of three has none', 'static', ring(3)],
    ['tables that never close the ring have none', 'from', ring(5)],
  ])('are none where there is no danger: %s', (_, name, fabric) => {
    const line = onwards(5, (at, to) => at < to);
    expect(problemsOf(study(routed(name), succeed(fabric), succeed(shape), succeed(line)))).toEqual([]);
  });
});
