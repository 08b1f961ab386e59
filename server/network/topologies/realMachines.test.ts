import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { OptionValues } from '../../model/catalogue.ts';
import type { Machine, Topology } from '../../model/machine.ts';
import { machineFactsOf, measuredDistances } from '../facts.ts';
import { cablesOfLink } from '../linkClasses.ts';
import { buildMachine } from '../machine.ts';
import { withRails } from '../rails.ts';
import { gridDescription, type GridMachineOptions } from '../testing/machines.ts';
import { buildNetwork, networkMachine } from '../testing/networkMachines.ts';
import { valueOf } from '../testing/routingContract.ts';
import { minimal } from '../routings/minimal.ts';
import { dragonfly } from './dragonfly.ts';

const built = (kind: string, options: OptionValues): Topology => valueOf(buildNetwork(kind, { options }));

/** `torus 4 x 4 x 8(twist 4)`, `hyperx 4 x 4`. */
function coordinateMachine(
  kind: string,
  shape: readonly number[],
  options: OptionValues = {},
  { hosts, figures = {} }: GridMachineOptions = {},
): Machine {
  const description = gridDescription(kind, shape, { ...(hosts === undefined ? {} : { hosts }), figures });
  return valueOf(buildMachine({ ...description, topology: { ...description.topology, options } }));
}

/** Cables between each two groups, as a set of the counts there are. */
function trunksOf({ links, groups }: Topology): Set<number> {
  const counts = new Map<string, number>();
  links.from.forEach((from, link) => {
    const [here, there] = [groups![from]!, groups![links.to[link]!]!];
    if (here < there) counts.set(`${here} ${there}`, (counts.get(`${here} ${there}`) ?? 0) + 1);
  });
  return new Set(counts.values());
}

/** How many routers have how many cables to other groups. */
function globalDegrees({ links, groups, routerCount }: Topology): Record<number, number> {
  const degrees: Record<number, number> = {};
  for (let router = 0; router < routerCount; router++) {
    const row = links.to.subarray(links.firstLink[router], links.firstLink[router + 1]);
    const degree = row.filter((to) => groups![to] !== groups![router]).length;
    degrees[degree] = (degrees[degree] ?? 0) + 1;
  }
  return degrees;
}

describe('dragonflies as they were built', () => {
  it('are as large as Frontier: 74 groups, 37,888 ports, 270 TB/s between groups, 57 % of what nodes send', () => {
    const frontier = built('dragonfly', { p: 16, a: 32, h: 16, g: 74, 'per-pair': 4 });
    expect([frontier.routerCount, frontier.routerOfNode.length]).toEqual([2368, 37888]);
    expect(trunksOf(frontier)).toEqual(new Set([4]));
    const between = (74 * 73 * 4) / 2;
    expect(between * 25e9).toBeCloseTo(270.1e12, -11);
    expect(((73 * 4) / (32 * 16)) * 100).toBeCloseTo(57, 1);
    expect(globalDegrees(frontier)).toEqual({ 9: 74 * 28, 10: 74 * 4 });
  });

  it('take as many cables for each two groups as ports allow, and tell of those that are left over', () => {
    const request = {
      argument: undefined,
      options: { p: 16, a: 32, h: 17, g: 74 },
      cables: [],
      hosts: undefined,
      fabric: undefined,
    };
    expect(trunksOf(valueOf(dragonfly.build(request)))).toEqual(new Set([7]));
    expect(dragonfly.remark!(request)).toContain('33 ports of 544 to other groups are unused');
    expect(dragonfly.remark!({ ...request, options: { p: 2, a: 4, h: 2 } })).toBeUndefined();
  });

  it('have the routers and cables of Theta: 12,960 links along rows, 12,960 along columns, 3,456 between groups', () => {
    const topology = { p: 4, group: [16, 6], h: 10, g: 9, 'per-pair': 48 };
    const figures = { groups: [{ group: { kind: 'axis', axis: 1 } as const, cables: 3 }] };
    const theta = networkMachine('dragonfly', { options: topology, figures });
    const { links, groups } = theta.topology;
    const kinds = { rows: 0, columns: 0, between: 0 };
    links.from.forEach((from, link) => {
      const to = links.to[link]!;
      if (groups![from] !== groups![to]) kinds.between++;
      else if (Math.floor(from / 16) === Math.floor(to / 16)) kinds.rows++;
      else kinds.columns += theta.linkClasses!.classes[theta.linkClasses!.of![link]!]!.cables;
    });
    expect(kinds).toEqual({ rows: 12960, columns: 12960, between: 3456 });
    expect(theta.topology.routerCount).toBe(864);
    expect(globalDegrees(theta.topology)).toEqual({ 4: 864 });
    // Its cables need no distances, which take seconds.
    expect(machineFactsOf(theta, { isCancelled: () => true })).toMatchObject({
      cables: (12960 + 12960 + 3456) / 2,
      nodes: 3456,
    });
  });

  it.each(['absolute', 'relative', 'circulant'])('join all groups equally in the %s arrangement', (arrangement) => {
    for (const [h, g] of [
      [2, 9],
      [3, 7],
      [1, 5],
    ] as const) {
      expect(trunksOf(built('dragonfly', { p: 1, a: 4, h, g, arrangement })).size).toBe(1);
    }
  });

  it('arrange global cables as Hastings et al. 2015 number them', () => {
    const [a, g] = [4, 5];
    const gatesOf = (arrangement: string): number[] => {
      const { links, groups } = built('dragonfly', { p: 1, a, h: 1, g, arrangement });
      return Array.from({ length: a }, (_, router) => {
        const row = links.to.subarray(links.firstLink[2 * a + router], links.firstLink[2 * a + router + 1]);
        return groups![row.find((to) => groups![to] !== 2)!]!;
      });
    };
    expect(gatesOf('absolute')).toEqual([0, 1, 3, 4]);
    expect(gatesOf('relative')).toEqual([3, 4, 0, 1]);
    expect(gatesOf('circulant')).toEqual([3, 1, 4, 0]);
  });

  it('have leaves with nodes and spines with global cables (Shpiner et al. 2017)', () => {
    const plus = built('dragonfly-plus', { p: 4, leaves: 3, spines: 2, h: 4, g: 9 });
    expect([plus.routerCount, plus.routerOfNode.length, trunksOf(plus)]).toEqual([45, 108, new Set([1])]);
    expect(globalDegrees(plus)).toEqual({ 0: 27, 4: 18 });
    expect(new Set(Array.from(plus.routerOfNode, (router) => router % 5))).toEqual(new Set([0, 1, 2]));
    expect(
      machineFactsOf(
        networkMachine('dragonfly-plus', { options: { p: 4, leaves: 3, spines: 2, h: 4, g: 9 } }),
        neverCancelled,
      ).diameter,
    ).toBe(5);
  });
});

describe('HyperX (Ahn et al. 2009)', () => {
  it.each([
    { shape: [8, 8], hosts: 8, degree: 14, diameter: 4 },
    { shape: [4, 3, 2], hosts: 2, degree: 6, diameter: 5 },
    { shape: [5, 1], hosts: 1, degree: 4, diameter: 3 },
  ])('$shape with $hosts hosts', ({ shape, hosts, degree, diameter }) => {
    const machine = coordinateMachine('hyperx', shape, {}, { hosts });
    const { links, routerCount } = machine.topology;
    expect(links.routerLinkCount).toBe(routerCount * degree);
    const facts = machineFactsOf(machine, neverCancelled);
    const measured = measuredDistances(machine, neverCancelled)!;
    expect(facts.diameter).toBe(diameter);
    expect(measured.diameter).toBe(diameter);
    expect(facts.meanDistance).toBeCloseTo(measured.meanDistance, 12);
  });

  it('is cut across its shortest side by S / 4 cables of each switch, K times as many with K side by side', () => {
    expect(machineFactsOf(coordinateMachine('hyperx', [4, 8], {}, { hosts: 8 }), neverCancelled).bisection).toBe(32);
    const figures = { groups: [{ group: { kind: 'axis', axis: 0 } as const, cables: 3 }] };
    const wide = coordinateMachine('hyperx', [4, 8], {}, { hosts: 8, figures });
    expect(machineFactsOf(wide, neverCancelled).bisection).toBe(64);
  });
});

describe('twisted tori', () => {
  // Diameters: Cámara et al. 2010, section III (2a x a: a, where the plain torus has 3a / 2); Camarero et al. 2015, table II.
  it.each([
    { shape: [8, 4], twist: 4, diameter: 4, plain: 6 },
    { shape: [16, 8], twist: 8, diameter: 8, plain: 12 },
    { shape: [4, 4, 8], twist: 4, diameter: 6, plain: 8 },
    { shape: [4, 8, 8], twist: 4, diameter: 6, plain: 10 },
    { shape: [12, 12, 24], twist: 12, diameter: 18, plain: 24 },
  ])('$shape by $twist', ({ shape, twist, diameter, plain }) => {
    const twisted = machineFactsOf(coordinateMachine('torus', shape, { twist }), neverCancelled);
    expect(twisted.diameter).toBe(diameter);
    expect(machineFactsOf(coordinateMachine('torus', shape), neverCancelled).diameter).toBe(plain);
  });

  it('loads all links of a TPU v4 slice alike with all-to-all, 1.75 times less than the plain one', () => {
    const heaviest = (options: OptionValues): number => {
      const { topology } = coordinateMachine('torus', [4, 4, 8], options);
      const routing = valueOf(minimal.build(topology, {}));
      const loads = new Float64Array(topology.links.linkCount);
      const pairs = Array.from({ length: 128 * 128 }, (_, pair) => pair);
      routing.addLoads(
        {
          from: Int32Array.from(pairs, (pair) => pair >> 7),
          to: Int32Array.from(pairs, (pair) => pair & 127),
          amount: new Float64Array(pairs.length).fill(1),
        },
        loads,
        neverCancelled,
      );
      return Math.max(...loads);
    };
    const mean = (3.4375 * 128 * 128) / 768;
    expect(heaviest({ twist: 4 })).toBeCloseTo(mean, 9);
    expect(heaviest({}) / heaviest({ twist: 4 })).toBeCloseTo(1.7454, 3);
  });

  it('wraps along the axes that are named alone', () => {
    const machine = coordinateMachine('torus', [6, 4, 5], { wrap: [2, 0] });
    expect(machine.topology.wraps).toEqual([true, false, true]);
    expect(machineFactsOf(machine, neverCancelled)).toMatchObject({ diameter: 3 + 3 + 2, bisection: 30 });
    expect(machine.routing.hops(asRouterId(0), asRouterId(5))).toBe(1);
    expect(machine.routing.hops(asRouterId(0), asRouterId(18))).toBe(3);
  });
});

describe('supercomputers as they were built', () => {
  /** Bytes per second that a bisection carries, both ways together. */
  const bisectionOf = (shape: readonly number[], bandwidth: number, cables: readonly number[] = []): number => {
    const groups = cables.map((count, axis) => ({ group: { kind: 'axis', axis } as const, cables: count }));
    const machine = coordinateMachine(
      'torus',
      shape,
      {},
      { figures: { bandwidth, ...(groups.length > 0 && { groups }) } },
    );
    return 2 * machineFactsOf(machine, neverCancelled).bisection! * bandwidth;
  };

  // 2 GB/s and 175 MB/s a link and direction: Chen et al. 2011, section 2; Adiga et al. 2005, section 2. That a Blue Gene/Q of as many
  // nodes has some 46 times the bisection of a Blue Gene/L follows from the two.
  it('have a bisection of 46 times that of a Blue Gene/L of 65,536 nodes, and Sequoia one of 49 TB/s', () => {
    const geneL = bisectionOf([64, 32, 32], 175e6);
    const geneQ = bisectionOf([16, 16, 16, 8, 2], 2e9, [1, 1, 1, 1, 2]);
    expect(geneL).toBeCloseTo(0.7168e12, -6);
    expect(geneQ / geneL).toBeCloseTo(45.7, 1);
    expect(bisectionOf([16, 12, 16, 16, 2], 2e9, [1, 1, 1, 1, 2])).toBeCloseTo(49.152e12, -6);
  });

  it('have ten links at each node of a Blue Gene/Q, two of them along the axis of two nodes', () => {
    const groups = [{ group: { kind: 'axis', axis: 4 } as const, cables: 2 }];
    const midplane = coordinateMachine('torus', [4, 4, 4, 4, 2], {}, { figures: { bandwidth: 2e9, groups } });
    const { links } = midplane.topology;
    const [first = 0, end = 0] = links.firstLink;
    const cables = Array.from({ length: end - first }, (_, link) => cablesOfLink(midplane, first + link));
    expect(cables.reduce((sum, count) => sum + count, 0)).toBe(10);
    expect(machineFactsOf(midplane, neverCancelled).cables).toBe((512 * 10) / 2);
  });

  // 18 nodes with two rails on two leaves of a rack, and a taper of 2 : 1: Stunkel et al. 2020, Zimmer et al. 2019.
  it('have leaves with 18 ports down and 9 up where the tree of Sierra is tapered 2 : 1', () => {
    const options = { levels: [9, 12], parents: [9] };
    const tree = valueOf(withRails(built('fat-tree', options), { count: 2, optimised: true }));
    const down = new Map<number, number>();
    for (const router of tree.rails!.routerOfPort) down.set(router, (down.get(router) ?? 0) + 1);
    expect([...new Set(down.values())]).toEqual([18]);
    expect(down.size).toBe(12);
    expect(tree.links.firstLink[1]).toBe(9);
    expect(tree.routerOfNode).toHaveLength(108);
  });

  // 12 groups, a cabinet each, of 32 switches and 128 nodes with four NICs: NERSC, Perlmutter Architecture.
  it('have 1,536 nodes of four ports in the 12 groups of the first GPU cabinets of Perlmutter', () => {
    const groups = built('dragonfly', { p: 16, a: 32, h: 16, g: 12 });
    expect([groups.routerCount, groups.routerOfNode.length / 4]).toEqual([384, 1536]);
    expect(trunksOf(groups)).toEqual(new Set([46]));
  });
});
