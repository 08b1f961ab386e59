import { describe, expect, it } from 'vitest';
import { cablesOf } from '../testing/exampleNetworks.ts';
import { autonet, buildNetwork, type Network } from '../testing/networkMachines.ts';
import { valueOf } from '../testing/routingContract.ts';
import type { Fabric } from '../../model/fabric.ts';
import type { HostingRouters } from '../contract.ts';
import { fromFile } from './from.ts';
import { switches } from './switches.ts';

const refusalOf = (network: Network): [string, string] => {
  const built = buildNetwork('switches', network);
  return built.ok ? ['', ''] : [built.failure.code, built.failure.message];
};

describe('switches', () => {
  it('is the Autonet of Orduña et al. 2004: 10 switches, 15 cables, 70 nodes', () => {
    const { topology, nodeCount } = autonet();
    expect([topology.routerCount, topology.links.routerLinkCount / 2, nodeCount]).toEqual([10, 15, 70]);
    expect(topology.links.linkCount).toBe(2 * (15 + 70));
  });

  it('keeps parallel cables as links of their own, one after the other', () => {
    const { links } = valueOf(buildNetwork('switches', { count: 3, cables: cablesOf('2-0 0-1 0-2 1-2') }));
    expect([...links.from]).toEqual([0, 0, 0, 1, 1, 2, 2, 2]);
    expect([...links.to]).toEqual([1, 2, 2, 0, 2, 0, 0, 1]);
  });

  it.each([
    { count: 10, cables: '0-1 1-2 2-3 3-0 4-5 5-6 6-7 7-8 8-9', message: /^Switches 0–3 are not connected to 4–9: / },
    { count: 3, cables: '0-1', message: /^Switches 0, 1 are not connected to 2: .*`link 0 -- 2`/ },
    { count: 3, cables: '1-2', message: /^Switch 0 is not connected to 1, 2: .*`link 0 -- 1`/ },
    { count: 6, cables: '0-4 0-5 2-1', message: /these 3 parts of the network: 0, 4, 5; 1, 2; 3: .*`link 0 -- 1`/ },
    { count: 20, cables: '0-19', message: /these 19 parts of the network: 0, 19; 1; 2; 3; and 15 more: / },
    {
      count: 30,
      cables: Array.from({ length: 14 }, (_, index) => `0-${2 * index + 2}`).join(' '),
      message: /these 16 parts of the network: 0, 2, 4, 6, 8, 10 and 9 more; 1; /,
    },
  ])('names the parts of $count switches with $cables', ({ count, cables, message }) => {
    expect(refusalOf({ count, cables: cablesOf(cables) })).toEqual(['disconnected', expect.stringMatching(message)]);
  });

  it.each([
    { network: { count: 3, cables: cablesOf('0-1 1-1') }, code: 'self-cable', message: /1 is on both sides/ },
    { network: { count: 3, cables: cablesOf('0-3') }, code: 'out-of-range', message: /0 -- 3 .* are 0 to 2/ },
    { network: { count: 1, cables: cablesOf('0-1') }, code: 'out-of-range', message: /the only switch is 0/ },
    { network: {}, code: 'invalid-count', message: /switches 10/ },
    { network: { count: 2 ** 40 }, code: 'machine-too-large', message: /The maximum is 4,194,304/ },
    { network: { count: 10, hosts: 1e9 }, code: 'machine-too-large', message: /10,000,000,000 nodes/ },
  ])('refuses $network: $code', ({ network, code, message }) => {
    expect(refusalOf(network)).toEqual([code, expect.stringMatching(message)]);
  });
});

describe('cluster', () => {
  it.each([
    { count: 0, code: 'invalid-count', message: /cluster 16/ },
    { count: 2 ** 40, code: 'machine-too-large', message: /The maximum is 4,194,304/ },
  ])('of $count nodes: $code', ({ count, code, message }) => {
    const built = buildNetwork('cluster', { count });
    expect(built).toMatchObject({ ok: false, failure: { code, message: expect.stringMatching(message) as string } });
  });
});

describe('hosts on some of the switches', () => {
  const star = {
    argument: { kind: 'numbers', numbers: [4] },
    options: {},
    cables: cablesOf('0-3 1-3 2-3'),
    fabric: undefined,
  } as const;
  const nodesOf = (hosts: number | undefined, hostsOn: HostingRouters): number[] => {
    const request = { ...star, hosts, hostsOn };
    const topology = valueOf(switches.build(request));
    expect(switches.measure(request)?.nodes).toBe(topology.routerOfNode.length);
    return [...topology.routerOfNode];
  };

  it('are numbered in the order of their switches, each once, however they are named', () => {
    expect(nodesOf(2, [2, 0, 2])).toEqual([0, 0, 2, 2]);
    expect(nodesOf(undefined, [1])).toEqual([1]);
  });

  it.each([
    [[4], 'out-of-range', 'the switches are 0 to 3'],
    [['leaf[0-'], 'bad-hostlist', 'leaf'],
    [['leaf0'], 'no-such-switch', 'numbers only'],
    ['leaves', 'no-leaves', '`on 0..15`'],
  ] as const)('are refused on %j: %s', (hostsOn, code, message) => {
    const request = { ...star, hosts: 2, hostsOn };
    expect(switches.measure(request)).toBeUndefined();
    expect(switches.build(request)).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringContaining(message) as string },
    });
  });

  it('are on the leaves of a file with tiers, or on those that it names', () => {
    const fabric: Fabric = {
      format: 'csv',
      routers: ['spine', 'leaf1', 'leaf2'],
      nodes: [],
      cables: cablesOf('0-1 0-2'),
      tiers: [1, 0, 0],
      warnings: [],
    };
    const request = { ...star, argument: { kind: 'file', uri: 'x' }, cables: [], fabric, hosts: 1 } as const;
    const routers = (hostsOn: HostingRouters): number[] => [
      ...valueOf(fromFile.build({ ...request, hostsOn })).routerOfNode,
    ];
    expect(routers('leaves')).toEqual([1, 2]);
    expect(routers(['leaf[1-2]', 0])).toEqual([0, 1, 2]);
    const names = valueOf(fromFile.build({ ...request, hosts: 2, hostsOn: ['leaf2'] })).names;
    expect(names?.nodes).toEqual(['leaf2:0', 'leaf2:1']);
    const refused = fromFile.build({ ...request, hosts: undefined });
    expect(refused).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('`hosts N on leaves`') as string },
    });
  });
});
