import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../model/catalogue.ts';
import type { Topology } from '../../model/machine.ts';
import { levelsFrom } from '../routings/routeGraph.ts';
import { buildNetwork } from '../testing/networkMachines.ts';
import { valueOf } from '../testing/routingContract.ts';

const treeOf = (options: OptionValues): Topology => valueOf(buildNetwork('fat-tree', { options }));
const refusalOf = (options: OptionValues): [string, string] => {
  const built = buildNetwork('fat-tree', { options });
  return built.ok ? ['', ''] : [built.failure.code, built.failure.message];
};

/** Routers that each router of one tier is cabled to in another, cables counted one by one. */
const degrees = ({ links, tiers }: Topology, from: number, to: number): Set<number> => {
  const counts = new Map<number, number>();
  tiers!.forEach((tier, router) => {
    if (tier === from) counts.set(router, 0);
  });
  links.from.forEach((router, link) => {
    if (tiers![router] === from && tiers![links.to[link]!] === to) counts.set(router, counts.get(router)! + 1);
  });
  return new Set(counts.values());
};

const countOfTier = ({ tiers }: Topology, tier: number): number => tiers!.filter((value) => value === tier).length;

describe('k-ary n-trees (Petrini and Vanneschi 1997)', () => {
  describe.each([
    { k: 1, n: 3 },
    { k: 2, n: 1 },
    { k: 2, n: 4 },
    { k: 3, n: 3 },
    { k: 4, n: 2 },
    { k: 4, n: 3 },
  ])('k $k, n $n', ({ k, n }) => {
    const tree = treeOf({ k, n });

    it('has k^n nodes, k to a leaf, and n levels of k^(n-1) switches', () => {
      expect(tree.routerOfNode).toEqual(Int32Array.from({ length: k ** n }, (_, node) => Math.floor(node / k)));
      expect(tree.routerCount).toBe(n * k ** (n - 1));
      expect([...tree.tiers!]).toEqual(Array.from(tree.tiers!, (_, router) => Math.floor(router / k ** (n - 1))));
    });

    it('has k cables up from every switch below the top and k down from every one above the leaves', () => {
      for (let level = 0; level + 1 < n; level++) {
        expect(degrees(tree, level, level + 1)).toEqual(new Set([k]));
        expect(degrees(tree, level + 1, level)).toEqual(new Set([k]));
      }
      expect(tree.links.routerLinkCount).toBe(2 * (n - 1) * k ** n);
    });

    it('parts two nodes by twice the height of their nearest common ancestor', () => {
      for (let from = 0; from < k ** n; from++) {
        const hops = levelsFrom(tree, tree.routerOfNode[from]!);
        tree.routerOfNode.forEach((router, to) => {
          expect(hops[router]! + 2).toBe(2 * heightOfAncestor(k, from, to));
        });
      }
    });
  });

  /** Levels above the nodes where two of them first share a subtree; 1 within a leaf. */
  function heightOfAncestor(k: number, one: number, other: number): number {
    let height = 1;
    while (Math.floor(one / k ** height) !== Math.floor(other / k ** height)) height++;
    return height;
  }

  it('is the tree of `levels` with k everywhere', () => {
    expect(treeOf({ levels: [3, 3, 3] })).toEqual(treeOf({ k: 3, n: 3 }));
  });
});

describe('fat trees by `levels`', () => {
  it('has as many switches above a switch as below it where `parents` is left out', () => {
    const tree = treeOf({ levels: [4, 3, 2] });
    expect([0, 1, 2].map((tier) => countOfTier(tree, tier))).toEqual([6, 8, 12]);
    expect([degrees(tree, 0, 1), degrees(tree, 1, 2)]).toEqual([new Set([4]), new Set([3])]);
    expect([degrees(tree, 1, 0), degrees(tree, 2, 1)]).toEqual([new Set([3]), new Set([2])]);
    expect(tree.routerOfNode).toHaveLength(24);
  });

  it('tapers by `parents` and fattens by `parallel`', () => {
    const tree = treeOf({ levels: [4, 4, 2], parents: [2, 1], parallel: [1, 3] });
    expect([0, 1, 2].map((tier) => countOfTier(tree, tier))).toEqual([8, 4, 2]);
    expect([degrees(tree, 0, 1), degrees(tree, 1, 0)]).toEqual([new Set([2]), new Set([4])]);
    expect([degrees(tree, 1, 2), degrees(tree, 2, 1)]).toEqual([new Set([3]), new Set([6])]);
  });

  it('cables switches whose indices differ in the digit of their level alone (Öhring et al. 1995)', () => {
    const { links, tiers } = treeOf({ levels: [2, 3, 2], parents: [2, 2] });
    // Index of level 0: (digit of 3 children, digit of 2 children); of level 1: (2 parents, 2 children); of level 2: (2, 2).
    const digits = (router: number): [number, number] => {
      const level = tiers![router]!;
      const index = router - [0, 6, 10][level]!;
      const low = level === 0 ? 3 : 2;
      return [index % low, Math.floor(index / low)];
    };
    links.from.forEach((from, link) => {
      const to = links.to[link]!;
      const lower = Math.min(tiers![from]!, tiers![to]!);
      expect(Math.abs(tiers![from]! - tiers![to]!)).toBe(1);
      expect(digits(from)[1 - lower]).toBe(digits(to)[1 - lower]);
    });
    expect(links.routerLinkCount).toBe(2 * (6 * 2 + 4 * 2));
  });

  it('is one switch for one level', () => {
    expect(treeOf({ levels: [5] })).toMatchObject({ routerCount: 1, routerOfNode: new Int32Array(5) });
  });

  it.each([
    { options: {}, code: 'missing-option', message: /`k` and `n`/ },
    { options: { k: 4 }, code: 'missing-option', message: /fat-tree\(k 4, n 3\)/ },
    { options: { k: 4, n: 2, levels: [4, 4] }, code: 'conflicting-options', message: /conflict with `levels`/ },
    { options: { k: 4, n: 2, parents: [4] }, code: 'conflicting-options', message: /apply to `levels`/ },
    { options: { levels: [4, 4, 4], parents: [4] }, code: 'invalid-shape', message: /`parents` needs 2 .* found 1/ },
    { options: { levels: [4, 4], parallel: [1, 2] }, code: 'invalid-shape', message: /`parallel` needs 1 .* found 2/ },
    { options: { levels: [4], parents: [2] }, code: 'invalid-shape', message: /`parents` needs two or more levels/ },
    { options: { levels: new Array<number>(17).fill(1) }, code: 'machine-too-large', message: /at most 16 levels/ },
    { options: { k: 1024, n: 16 }, code: 'machine-too-large', message: /The maximum is 4,194,304/ },
    { options: { levels: [2, 2], parents: [1e9] }, code: 'machine-too-large', message: /switches/ },
  ])('refuses $options: $code', ({ options, code, message }) => {
    expect(refusalOf(options)).toEqual([code, expect.stringMatching(message)]);
  });
});
