import { describe, expect, it } from 'vitest';
import { buildNetwork } from '../testing/networkMachines.ts';
import { valueOf } from '../testing/routingContract.ts';

const targetsOf = (count: number, links: number, seed: number): string => {
  const { links: table } = valueOf(buildNetwork('irregular', { count, options: { links, seed } }));
  return table.to.join(' ');
};

describe('irregular', () => {
  it.each([
    [4, 3],
    [16, 3],
    [16, 4],
    [9, 8],
    [200, 5],
  ])('joins each of %i switches with %i others, none twice', (count, links) => {
    for (let seed = 1; seed <= 10; seed++) {
      const { links: table } = valueOf(buildNetwork('irregular', { count, options: { links, seed } }));
      for (let router = 0; router < count; router++) {
        const row = [...table.to.subarray(table.firstLink[router], table.firstLink[router + 1])];
        expect(new Set(row).size).toBe(links);
        expect(row).toHaveLength(links);
        expect(row).not.toContain(router);
      }
    }
  });

  it('depends on the seed alone', () => {
    expect(targetsOf(16, 3, 5)).toBe(targetsOf(16, 3, 5));
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((seed) => targetsOf(16, 3, seed))).size).toBe(10);
  });

  it.each([
    [3, 3, /at least 4 switches/],
    [15, 3, /45 ends of cables, which is odd/],
  ])('refuses %i switches with %i links', (count, links, message) => {
    const built = buildNetwork('irregular', { count, options: { links } });
    expect(built.ok ? '' : built.failure.message).toMatch(message);
  });
});
