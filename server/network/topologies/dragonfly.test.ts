import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../model/catalogue.ts';
import type { Topology } from '../../model/machine.ts';
import { levelsFrom } from '../routings/routeGraph.ts';
import { buildNetwork } from '../testing/networkMachines.ts';
import { valueOf } from '../testing/routingContract.ts';

const dragonflyOf = (options: OptionValues): Topology => valueOf(buildNetwork('dragonfly', { options }));
const refusalOf = (options: OptionValues): [string, string] => {
  const built = buildNetwork('dragonfly', { options });
  return built.ok ? ['', ''] : [built.failure.code, built.failure.message];
};

describe('dragonfly (Kim et al. 2008)', () => {
  describe.each([
    { p: 2, a: 4, h: 2, groups: 9 },
    { p: 1, a: 2, h: 1, groups: 3 },
    { p: 3, a: 6, h: 3, groups: 19 },
    { p: 2, a: 4, h: 2, g: 5, groups: 5 },
    { p: 2, a: 4, h: 2, g: 3, groups: 3 },
    { p: 1, a: 8, h: 4, g: 2, groups: 2 },
    { p: 4, a: 6, h: 2, g: 1, groups: 1 },
    { p: 1, a: 1, h: 3, groups: 4 },
  ])('$p, $a, $h, $g', ({ groups, ...options }) => {
    const given: OptionValues = Object.fromEntries(Object.entries(options));
    const { p, a, h } = options;
    const network = dragonflyOf(given);
    const { links, routerCount, routerOfNode } = network;
    const cablesBetween = countedCables(network, groups);

    it('numbers routers group by group and nodes router by router', () => {
      expect(routerCount).toBe(groups * a);
      expect([...network.groups!]).toEqual(Array.from(network.groups!, (_, router) => Math.floor(router / a)));
      expect(routerOfNode).toEqual(Int32Array.from({ length: routerCount * p }, (_, node) => Math.floor(node / p)));
    });

    it('cables each two routers of a group once, and each two groups equally often', () => {
      const within = new Set(cablesBetween.map((row, group) => row[group]));
      const between = new Set(cablesBetween.flatMap((row, group) => row.filter((_, other) => other !== group)));
      expect(within).toEqual(new Set([a * (a - 1)]));
      expect(between).toEqual(new Set(groups === 1 ? [] : [(a * h) / (groups - 1)]));
    });

    it('uses all h global ports of each router, or none in a lone group', () => {
      for (let router = 0; router < routerCount; router++) {
        const row = links.to.subarray(links.firstLink[router], links.firstLink[router + 1]);
        expect(row.filter((to) => network.groups![to] !== network.groups![router])).toHaveLength(groups > 1 ? h : 0);
      }
    });

    it('has a diameter of at most 3 hops between routers', () => {
      for (let router = 0; router < routerCount; router++) {
        expect(Math.max(...levelsFrom(network, router))).toBeLessThanOrEqual(3);
      }
    });
  });

  /** Links that lead from each group to each. */
  function countedCables({ links, groups: groupOf }: Topology, groups: number): number[][] {
    const counts = Array.from({ length: groups }, () => new Array<number>(groups).fill(0));
    links.from.forEach((from, link) => {
      counts[groupOf![from]!]![groupOf![links.to[link]!]!]! += 1;
    });
    return counts;
  }

  it('places global cables in absolute order: of the largest, port k of group i meets port i - 1 of group k < i', () => {
    const [a, h] = [4, 2];
    const { links, groups } = dragonflyOf({ p: 1, a, h });
    const expected: string[] = [];
    for (let i = 0; i <= a * h; i++) {
      for (let k = 0; k < i; k++) expected.push(`${i * a + Math.floor(k / h)} ${k * a + Math.floor((i - 1) / h)}`);
    }
    const found = Array.from(links.from, (from, link) => [from, links.to[link]!] as const)
      .filter(([from, to]) => groups![from]! > groups![to]!)
      .map((cable) => cable.join(' '));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('spreads the cables of two groups over their routers', () => {
    const { links, groups } = dragonflyOf({ p: 1, a: 4, h: 2, g: 5 });
    const gates = Array.from(links.from).filter((from, link) => groups![from] === 0 && groups![links.to[link]!] === 1);
    expect(gates).toEqual([0, 2]);
  });

  it.each([
    { options: { p: 1, a: 2 }, code: 'missing-option', message: /`p`, `a` and `h`/ },
    {
      options: { p: 1, a: 4, h: 2, g: 4, 'per-pair': 3 },
      code: 'invalid-groups',
      message: /`per-pair` may be at most 2, or `g` 3/,
    },
    { options: { p: 1, a: 4, group: [2, 2], h: 2 }, code: 'invalid-groups', message: /Remove one of them/ },
    { options: { p: 1, a: 4, h: 2, g: 10 }, code: 'invalid-groups', message: /`g` may be at most 9, found 10/ },
    { options: { p: 1, a: 4, h: 0, g: 2 }, code: 'invalid-groups', message: /write `g 1`/ },
    { options: { p: 1024, a: 4096, h: 4096 }, code: 'machine-too-large', message: /The maximum is 4,194,304/ },
  ])('refuses $options: $code', ({ options, code, message }) => {
    const given: OptionValues = Object.fromEntries(Object.entries(options));
    expect(refusalOf(given)).toEqual([code, expect.stringMatching(message)]);
  });
});
