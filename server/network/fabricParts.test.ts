import { describe, expect, it } from 'vitest';
import type { Fabric, FabricNode } from '../model/fabric.ts';
import { fail, succeed } from '../model/result.ts';
import { chosenPart, partsOfFabric } from './fabricParts.ts';
import { buildMachine, noMachineFiles } from './machine.ts';
import type { MachineDescription } from './contract.ts';
import { valueOf } from './testing/routingContract.ts';

const hosts = (router: number, names: readonly string[]): FabricNode[] => names.map((name) => ({ name, router }));

/** A spine with two leaves; a spare switch; two leaves side by side. */
const forest: Fabric = {
  format: 'slurm-tree',
  routers: ['spine', 'leaf-a', 'spare', 'leaf-b', 'east', 'west'],
  nodes: [...hosts(1, ['a1', 'a2']), ...hosts(3, ['b1']), ...hosts(4, ['e1', 'e2']), ...hosts(5, ['w1', 'w2', 'w3'])],
  cables: [
    { from: 0, to: 1, fromPort: 7 },
    { from: 3, to: 0 },
    { from: 5, to: 4 },
  ],
  tiers: [1, 0, 0, 0, 0, 1],
  sparePorts: [10, 11, 12, 13, 14, 15],
  addresses: [{ lid: 1 }, { lid: 2 }, { lid: 3 }, { lid: 4 }, { lid: 5 }, { lid: 6 }],
  warnings: [{ line: 3, message: 'A port is down.' }],
};

describe('parts of a fabric', () => {
  it('are those that cables join, the one with most hosts first', () => {
    expect(partsOfFabric(forest)).toEqual({
      parts: [
        { first: 4, switches: 2, hosts: 5 },
        { first: 0, switches: 3, hosts: 3 },
        { first: 2, switches: 1, hosts: 0 },
      ],
      partOf: Int32Array.of(1, 1, 2, 1, 0, 0),
    });
  });

  it.each<[string, Partial<Fabric>]>([
    ['a cable leads nowhere', { cables: [{ from: 0, to: 9 }] }],
    ['a host hangs nowhere', { nodes: [{ name: 'lost', router: -1 }] }],
  ])('are not told where %s', (_, change) => {
    expect(partsOfFabric({ ...forest, ...change })).toBeUndefined();
    expect(chosenPart({ ...forest, ...change }, undefined)).toEqual(succeed({ ...forest, ...change }));
  });

  it('are one machine: the largest, and a warning counts the others', () => {
    const part = valueOf(chosenPart(forest, undefined));
    expect(part).toMatchObject({
      routers: ['east', 'west'],
      nodes: [...hosts(0, ['e1', 'e2']), ...hosts(1, ['w1', 'w2', 'w3'])],
      cables: [{ from: 1, to: 0 }],
      tiers: [0, 1],
      sparePorts: [14, 15],
      addresses: [{ lid: 5 }, { lid: 6 }],
      leftOut: { parts: 2, switches: 4, hosts: 3 },
    });
    expect(part.warnings.map(({ message }) => message)).toEqual([
      "3 connected components; using the largest, 'east' with 2 switches and 5 hosts. Left out are " +
        "'spine' with 3 switches and 3 hosts and 'spare' with 1 switch and 0 hosts. To select another, write `(part \"spine\")` after the file, or add the missing links.",
      'A port is down.',
    ]);
  });

  it.each([
    ['a switch', 'leaf-b'],
    ['a host', 'a2'],
  ])('are chosen by %s', (_, name) => {
    const part = valueOf(chosenPart(forest, name));
    expect(part.routers).toEqual(['spine', 'leaf-a', 'leaf-b']);
    expect(part.nodes).toEqual([...hosts(1, ['a1', 'a2']), ...hosts(2, ['b1'])]);
    expect(part.cables).toEqual([
      { from: 0, to: 1, fromPort: 7 },
      { from: 2, to: 0 },
    ]);
    expect(part.warnings).toEqual(forest.warnings);
  });

  it('are refused by a name that the file does not have', () => {
    const message =
      "Unknown switch or host 'leaf-z'; the components are 'east' with 2 switches and 5 hosts, 'spine' with 3 switches and 3 hosts and 'spare' with 1 switch and 0 hosts.";
    expect(chosenPart(forest, 'leaf-z')).toEqual(fail('no-such-part', message));
  });

  it('are not to be chosen where there is one', () => {
    const whole = { ...forest, cables: [...forest.cables, { from: 2, to: 0 }, { from: 2, to: 4 }] };
    expect(chosenPart(whole, undefined)).toEqual(succeed(whole));
    expect(valueOf(chosenPart(whole, 'leaf-a')).warnings[0]?.message).toMatch(/`part` has no effect/);
  });

  it('leave hosts the adapters that they have there, and their rails are counted from 0', () => {
    const rails: Fabric = {
      ...forest,
      nodes: [
        {
          name: 'n1',
          router: 0,
          rail: 0,
          further: [
            { router: 4, rail: 1 },
            { router: 5, rail: 3, adapter: 'mlx5_3' },
          ],
        },
        { name: 'n2', router: 4, rail: 1 },
        { name: 'n3', router: 1, rail: 0 },
      ],
    };
    const part = valueOf(chosenPart(rails, 'east'));
    expect(part.nodes).toEqual([
      { name: 'n1', router: 0, rail: 0, further: [{ router: 1, rail: 1, adapter: 'mlx5_3' }] },
      { name: 'n2', router: 0, rail: 0 },
    ]);
    expect(part.warnings[0]?.message).toBe(
      '1 NIC is in components that are left out. Their rails are missing from the machine.',
    );
  });
});

describe('a machine of a file in several parts', () => {
  const described: MachineDescription = {
    name: 'm',
    topology: { name: 'from', argument: { kind: 'file', uri: 'file:///net' }, options: {} },
    cables: [],
    socketsPerNode: 1,
    coresPerSocket: 1,
    figures: {},
  };
  const files = { ...noMachineFiles, fabric: () => succeed(forest) };
  const of = (part: string): MachineDescription => ({
    ...described,
    topology: { ...described.topology, options: { part } },
  });

  it('is one of them', () => {
    expect(valueOf(buildMachine(described, files))).toMatchObject({ nodeCount: 5, topology: { routerCount: 2 } });
    expect(valueOf(buildMachine(of('spine'), files))).toMatchObject({ nodeCount: 3, topology: { routerCount: 3 } });
    expect(buildMachine(of('nobody'), files)).toMatchObject({ failure: { code: 'no-such-part' } });
  });

  it('says that a switch of another part is out already', () => {
    const faults = { cables: [], routers: ['spare'], nodes: [] };
    expect(buildMachine({ ...described, faults }, files)).toMatchObject({
      failure: {
        code: 'no-such-switch',
        message: expect.stringMatching(/^Switch "spare" is already left out/) as string,
      },
    });
    expect(
      valueOf(buildMachine({ ...described, faults: { ...faults, routers: [], nodes: ['e1'] } }, files)).nodeCount,
    ).toBe(5);
  });
});
