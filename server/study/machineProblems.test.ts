import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { OptionValues } from '../model/catalogue.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
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
const shape: NodeShape = { sockets: 2, coresPerSocket: 4, numaNodes: 2, warnings: [] };

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
): StudyReport {
  const notAsked = (): Result<never> => fail('missing-file', 'not asked for.');
  const files: StudyFiles = {
    table: notAsked,
    given: notAsked,
    coordinates: notAsked,
    trace: notAsked,
    fabric: () => fabric,
    forwarding: notAsked,
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
          sockets: 2,
          coresPerSocket: 4,
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
      'a fabric in two parts, by its own names',
      real,
      succeed({ ...triangle, cables: triangle.cables.slice(1) }),
      succeed(shape),
      /^topology error disconnected: .*leaf-0.*leaf-1, spine/,
    ],
  ])('is refused where the text causes it: %s', (_, description, fabric, node, expected) => {
    const problems = problemsOf(study(description, fabric, node));
    expect(problems).toEqual([expect.stringMatching(expected)]);
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
      'routing warning single-root: `up-down` starts from root spine-0 alone: 2 other switches at the top lie below it, and ' +
        'what they could share crosses that one. Write `routing up-down` without its roots, which finds all of them.',
    ]);
    expect(problemsOf(study(roots('spine-[0-1]'), succeed(clos)))).toEqual([
      expect.stringMatching(/starts from roots spine-0, spine-1 alone: another switch at the top lies below them/),
    ]);
    for (const right of [upDown(), roots('spine-[0-2]'), roots(3, 'spine-0', 4)])
      expect(problemsOf(study(right, succeed(clos)))).toEqual([]);
    expect(problemsOf(study(upDown(), succeed(triangle)))).toEqual([]);
    expect(problemsOf(study(real, succeed(clos)))).toEqual([]);
  });

  it.each([
    [
      'a name that no switch has',
      ['spine-9'],
      /^routing error unknown-root: There is no switch 'spine-9' to be a root/,
    ],
    ['a number that no switch has', [0, 5], /^routing error unknown-root: There is no switch 5 to be the root/],
    ['roots on two sides of a line', ['a', 'd'], /^routing error roots-apart: .* between the switches a and d: /],
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

  it('passes on five warnings of each file, and counts the others', () => {
    const warnings = Array.from({ length: 7 }, (_, at) => ({ line: at + 1, message: 'Left out.' }));
    const node = succeed({ ...shape, warnings: [{ message: 'Odd.' }] });
    const report = study({ ...real, nodeFile: 'node' }, succeed({ ...triangle, warnings }), node);
    expect(problemsOf(report)).toEqual([
      ...[1, 2, 3, 4].map((line) => `topology warning fabric-warning: Line ${line}: Left out.`),
      'topology warning fabric-warning: Line 5: Left out. And 2 more of this file.',
      'node warning node-warning: Odd.',
    ]);
  });
});
