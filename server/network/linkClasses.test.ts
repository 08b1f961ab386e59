import { describe, expect, it } from 'vitest';
import { intAt } from '../numeric/elements.ts';
import { fastestBandwidth, type GroupFigures, type Machine, type MachineFigures } from '../model/machine.ts';
import { endsOfLink } from './links.ts';
import { asLinkId } from '../model/identifiers.ts';
import { bandwidthOf, relativeTimes } from './linkClasses.ts';
import { axisBandwidths, gridDescription, gridMachine } from './testing/machines.ts';
import { networkMachine, unequalFabric } from './testing/networkMachines.ts';
import { buildMachine } from './machine.ts';

/** Bandwidths by LinkId. */
const bandwidths = (machine: Machine): (number | undefined)[] =>
  Array.from({ length: machine.topology.links.linkCount }, (_, link) => bandwidthOf(machine, link));

describe('bandwidths of links', () => {
  it.each([
    { kind: 'torus', shape: [4, 3, 2] },
    { kind: 'mesh', shape: [2, 1, 5] },
    { kind: 'torus', shape: [1, 6, 2] },
    { kind: 'torus', shape: [3, 2, 1] },
  ] as const)('are those of the axis along which a link of a $kind $shape leads', ({ kind, shape }) => {
    const ofAxes = [5, 7, 11];
    const machine = gridMachine(kind, shape, { figures: axisBandwidths(...ofAxes) });
    const { from, to, linkCount } = machine.topology.links;
    const [width, height] = shape;
    const coordinates = (router: number) => [
      router % width,
      Math.floor(router / width) % height,
      Math.floor(router / width / height),
    ];
    const expected = Array.from({ length: linkCount }, (_, link) => {
      const [start, end] = [coordinates(intAt(from, link)), coordinates(intAt(to, link))];
      const axes = [0, 1, 2].filter((axis) => start[axis] !== end[axis]);
      expect(axes).toHaveLength(1);
      return ofAxes[axes[0] ?? 0];
    });
    expect(bandwidths(machine)).toEqual(expected);
    expect(fastestBandwidth(machine)).toBe(Math.max(...expected.map(Number)));
  });

  it('are one class where no group has its own, and unknown where nothing is said', () => {
    const machine = gridMachine('torus', [4, 4], { figures: { bandwidth: 9 } });
    expect(machine.linkClasses).toEqual({ classes: [{ bandwidth: 9, cables: 1 }] });
    expect(relativeTimes(machine)).toBeUndefined();
    expect(gridMachine('torus', [4, 4]).linkClasses).toBeUndefined();
  });

  it('of cables side by side add up', () => {
    const groups: GroupFigures[] = [{ group: { kind: 'axis', axis: 0 }, bandwidth: 3, cables: 2 }];
    const machine = gridMachine('mesh', [2, 2], { figures: { bandwidth: 4, groups } });
    expect(new Set(bandwidths(machine))).toEqual(new Set([6, 4]));
  });

  it('of a fat tree and a dragonfly are those of their tiers and groups', () => {
    const tree = networkMachine('fat-tree', {
      options: { k: 2, n: 3 },
      figures: { bandwidth: 1, interface: 9, groups: [{ group: { kind: 'tier', tier: 1 }, bandwidth: 4 }] },
    });
    const { tiers, links } = tree.topology;
    bandwidths(tree).forEach((bandwidth, link) => {
      const [from, to] = [links.from[link] ?? -1, links.to[link] ?? -1];
      const isHost = link >= links.routerLinkCount;
      const lower = Math.min(tiers?.[from] ?? 0, tiers?.[to] ?? 0);
      expect(bandwidth).toBe(isHost ? 9 : lower === 1 ? 4 : 1);
    });
    const groups: GroupFigures[] = [
      { group: { kind: 'local' }, bandwidth: 5.25 },
      { group: { kind: 'global' }, bandwidth: 4.7 },
      { group: { kind: 'hosts' }, bandwidth: 16 },
    ];
    const dragonfly = networkMachine('dragonfly', { options: { p: 2, a: 4, h: 2, g: 5 }, figures: { groups } });
    const counts = new Map<number | undefined, number>();
    for (const one of bandwidths(dragonfly)) counts.set(one, (counts.get(one) ?? 0) + 1);
    // 5 groups of 4 routers, 6 cables inside each; 4 trunks of 2 cables from each group; 40 nodes.
    expect(counts).toEqual(
      new Map([
        [5.25, 60],
        [4.7, 40],
        [16, 80],
      ]),
    );
  });

  it('of a file go to its links, before those of all and behind those of a group', () => {
    const fabric = {
      ...unequalFabric,
      nodes: unequalFabric.nodes.map((node, index) => (index === 0 ? { ...node, bandwidth: 2, latency: 3 } : node)),
      cables: unequalFabric.cables.map((cable, index) => (index === 1 ? { ...cable, bandwidth: 5 } : cable)),
    };
    const of = (figures: MachineFigures) => {
      const machine = networkMachine('from', { fabric, figures });
      return bandwidths(machine).map((bandwidth, link) => {
        const { from, to } = endsOfLink(machine, asLinkId(link));
        return [from, to, bandwidth] as const;
      });
    };
    // Hosts come in the order of their switches: the first of the file, c1, is node 4 on switch 3.
    const isCable = (from: unknown, to: unknown): boolean => (from === 0 && to === 2) || (from === 2 && to === 0);
    const isHost = (end: unknown): boolean => typeof end === 'object' && (end as { host: number }).host === 4;
    for (const [from, to, bandwidth] of of({ bandwidth: 1 })) {
      expect(bandwidth).toBe(isCable(from, to) ? 5 : isHost(from) || isHost(to) ? 2 : 1);
    }
    for (const [from, to, bandwidth] of of({ interface: 7 })) {
      expect(bandwidth).toBe(
        isCable(from, to) ? 5 : typeof from === 'object' || typeof to === 'object' ? 7 : undefined,
      );
    }
  });

  it('of a single cable go before everything, for the right one of two side by side', () => {
    const machine = networkMachine('switches', {
      count: 3,
      cables: [
        { from: 2, to: 0, bandwidth: 6 },
        { from: 0, to: 1, bandwidth: 2 },
        { from: 1, to: 0 },
      ],
      figures: { bandwidth: 1, interface: 4 },
    });
    const { from, to, routerLinkCount } = machine.topology.links;
    const found = bandwidths(machine).map((bandwidth, link) =>
      link < routerLinkCount ? `${from[link]}-${to[link]} ${bandwidth}` : `host ${bandwidth}`,
    );
    expect(found).toEqual([
      '0-1 2',
      '0-1 1',
      '0-2 6',
      '1-0 2',
      '1-0 1',
      '2-0 6',
      ...new Array<string>(6).fill('host 4'),
    ]);
    expect([...relativeTimes(machine)!.slice(0, 3)]).toEqual([3, 6, 1]);
  });
});

describe('links of nodes of a grid', () => {
  it('are there where something is said of them, and are no hops', () => {
    const machine = gridMachine('torus', [3, 3], { hosts: 2, figures: { bandwidth: 1, interface: 5 } });
    expect(machine.topology).toMatchObject({ hasPorts: true, hasHostLinks: false, links: { linkCount: 36 + 36 } });
    expect(bandwidths(machine).slice(36)).toEqual(new Array<number>(36).fill(5));
    expect(gridMachine('torus', [3, 3]).topology.hasPorts).toBeUndefined();
  });

  it('do not take what is said of cables between routers', () => {
    const groups: GroupFigures[] = [{ group: { kind: 'hosts' }, latency: 2 }];
    const machine = gridMachine('mesh', [2], { figures: { bandwidth: 1, groups } });
    expect(machine.linkClasses?.classes).toEqual([
      { bandwidth: 1, cables: 1 },
      { group: { kind: 'hosts' }, latency: 2, cables: 1 },
    ]);
  });
});

describe('groups of links that there are not', () => {
  it.each<readonly [GroupFigures['group'], RegExp]>([
    [{ kind: 'axis', axis: 2 }, /`z` along such an axis/],
    [{ kind: 'tier', tier: 0 }, /`tier 0` between switches of this tier/],
    [{ kind: 'local' }, /`local` within groups/],
    [{ kind: 'global' }, /`global` between groups/],
  ])('are told of: %j', (group, message) => {
    const built = buildMachine(gridDescription('torus', [4, 4], { figures: { groups: [{ group, bandwidth: 1 }] } }));
    expect(built).toMatchObject({
      ok: false,
      failure: { code: 'no-such-links', message: expect.stringMatching(message) as string },
    });
  });
});
