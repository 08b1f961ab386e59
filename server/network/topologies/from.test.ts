import { describe, expect, it } from 'vitest';
import type { Fabric } from '../../model/fabric.ts';
import { asNodeId, asRouterId } from '../../model/identifiers.ts';
import { endName, nodeName, routerName } from '../names.ts';
import { autonet, buildNetwork, networkMachine, unequalFabric } from '../testing/networkMachines.ts';
import { valueOf } from '../testing/routingContract.ts';

const hostless: Fabric = { ...unequalFabric, nodes: [] };

describe('topology from a file', () => {
  it('numbers nodes in the order of their switches, then of the file, and keeps all names', () => {
    const machine = networkMachine('from', { fabric: unequalFabric });
    expect([...machine.topology.routerOfNode]).toEqual([1, 1, 1, 2, 3, 3]);
    expect(machine.topology.names).toEqual({
      routers: ['spine', 'leaf-a', 'leaf-b', 'leaf-c'],
      nodes: ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'],
    });
    expect(machine).toMatchObject({ hostsPerRouter: 3, nodeCount: 6 });
  });

  it('keeps tiers where the file has them', () => {
    const fabric = { ...unequalFabric, tiers: [1, 0, 0, 0] };
    expect(valueOf(buildNetwork('from', { fabric })).tiers).toEqual(Int32Array.of(1, 0, 0, 0));
    expect(valueOf(buildNetwork('from', { fabric: unequalFabric })).tiers).toBeUndefined();
  });

  it('gives a file without hosts as many on each switch as `hosts` says, and names them', () => {
    const { routerOfNode, names } = valueOf(buildNetwork('from', { fabric: hostless, hosts: 2 }));
    expect([...routerOfNode]).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    expect(names?.nodes.slice(0, 3)).toEqual(['spine:0', 'spine:1', 'leaf-a:0']);
  });

  it.each([
    { what: 'no hosts', fabric: hostless, code: 'no-hosts', message: /Add `hosts N`/ },
    {
      what: 'hosts given twice',
      fabric: unequalFabric,
      hosts: 2,
      code: 'does-not-apply',
      message: /its 6 hosts/,
    },
    {
      what: 'no switches',
      fabric: { ...hostless, routers: [], cables: [] },
      code: 'no-switches',
      message: /At least one/,
    },
    {
      what: 'a cut cable',
      fabric: { ...unequalFabric, cables: unequalFabric.cables.slice(1) },
      code: 'disconnected',
      message: /Switches spine, leaf-b, leaf-c are not connected to leaf-a: add the missing cables to the file\./,
    },
    {
      what: 'a cable from a switch to itself',
      fabric: { ...unequalFabric, cables: [{ from: 2, to: 2 }] },
      code: 'self-cable',
      message: /leaf-b is on both sides/,
    },
    {
      what: 'a cable to a switch that is not there',
      fabric: { ...unequalFabric, cables: [{ from: 2, to: 9 }] },
      code: 'out-of-range',
      message: /ends at unknown switch 9/,
    },
    {
      what: 'a host on a switch that is not there',
      fabric: { ...unequalFabric, nodes: [{ name: 'lost', router: -1 }] },
      code: 'out-of-range',
      message: /Host lost is attached to switch -1/,
    },
    { what: 'too many hosts', fabric: hostless, hosts: 1e9, code: 'machine-too-large', message: /4,000,000,000 nodes/ },
    { what: 'a file that was not read', code: 'missing-file', message: /topology from "FILE"/ },
  ])('refuses $what: $code', ({ fabric, hosts, code, message }) => {
    const built = buildNetwork('from', { ...(fabric && { fabric }), ...(hosts && { hosts }) });
    expect(built).toMatchObject({ ok: false, failure: { code, message: expect.stringMatching(message) as string } });
  });
});

describe('names', () => {
  it('are those of the file', () => {
    const machine = networkMachine('from', { fabric: unequalFabric });
    expect([routerName(machine, asRouterId(2)), nodeName(machine, asNodeId(4))]).toEqual(['leaf-b', 'c1']);
    expect([endName(machine, 2), endName(machine, { host: asNodeId(4) })]).toEqual(['leaf-b', 'c1']);
  });

  it('are numbers where no file gives any', () => {
    expect([routerName(autonet(), asRouterId(2)), nodeName(autonet(), asNodeId(4))]).toEqual(['2', '4']);
    expect([endName(autonet(), 2), endName(autonet(), { host: asNodeId(4) })]).toEqual(['2', 'node 4']);
  });
});
