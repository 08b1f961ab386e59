import { describe, expect, it } from 'vitest';
import { costBetween } from '../problem/siteCosts.ts';
import { costLookupsOf, valueByLookups } from '../problem/costLookups.ts';
import { nearSites } from './nearSites.ts';
import { annealingCores, randomStart } from './testing/cores.ts';
import { mappingCost } from '../problem/searchProblem.ts';

describe('the nearest sites', () => {
  it.each(annealingCores)('are as near as any, all different while there are enough: $what', ({ core }) => {
    const { perSite, sites } = nearSites(core);
    const { siteCount, firstPlace } = core.places;
    expect(sites).toHaveLength(siteCount * perSite);
    for (let site = 0; site < siteCount; site++) {
      const list = [...sites.subarray(site * perSite, (site + 1) * perSite)];
      const others = list.filter((other) => other !== site);
      const distinct = Math.min(others.length, siteCount - 1);
      expect(new Set(others).size).toBe(distinct);
      const costs = Array.from({ length: siteCount }, (_, other) => costBetween(core.costs, site, other));
      const nearest = costs.filter((_, other) => other !== site).sort((a, b) => a - b);
      expect([...new Set(others)].map((other) => costs[other])).toEqual(nearest.slice(0, distinct));
      const hasRoom = firstPlace[site + 1]! - firstPlace[site]! > 1;
      expect(others.length < list.length).toBe(hasRoom || siteCount === 1);
    }
  });
});

describe('lookups', () => {
  it.each(annealingCores)('give every mapping its value: $what', ({ what, core }) => {
    const lookups = costLookupsOf(core);
    const isSlow = what === 'a sum over axes' || what === 'many nodes of several cores on few routers';
    expect(lookups === undefined).toBe(isSlow);
    const start = randomStart(core, 4);
    if (lookups !== undefined) expect(valueByLookups(core, lookups, start)).toBe(mappingCost(core, start));
  });
});
