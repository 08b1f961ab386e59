import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { problemOn } from '../testing/problems.ts';
import { offsetCosts } from './gridCosts.ts';
import { costBetween } from './siteCosts.ts';
import { hopByteCosts, longestAxisCosts, searchProblemOf } from '../testing/searchProblem.ts';

describe('costs by offset', () => {
  it.each([
    { what: 'a torus', machine: gridMachine('torus', [4, 3, 5]), costsOf: hopByteCosts },
    { what: 'a mesh of four dimensions', machine: gridMachine('mesh', [2, 3, 2, 2]), costsOf: hopByteCosts },
    { what: 'a hypercube', machine: gridMachine('hypercube', [5]), costsOf: hopByteCosts },
    { what: 'several nodes on a router', machine: gridMachine('torus', [4, 3], { hosts: 2 }), costsOf: hopByteCosts },
    { what: 'no sum over axes', machine: gridMachine('torus', [4, 7]), costsOf: longestAxisCosts },
    {
      what: 'a scattered allocation',
      machine: gridMachine('torus', [6, 5]),
      costsOf: hopByteCosts,
      nodes: [28, 3, 17, 4, 9],
    },
  ])('are the costs of all pairs: $what', ({ machine, costsOf, nodes }) => {
    const problem = problemOn(machine, nodes === undefined ? {} : { nodes });
    const { costs } = searchProblemOf(problem, costsOf);
    const { table, centre, positionOfSite } = costs.offsets!;
    for (let from = 0; from < costs.siteCount; from++) {
      for (let to = 0; to < costs.siteCount; to++) {
        expect(table[centre + positionOfSite[from]! - positionOfSite[to]!]).toBe(costBetween(costs, from, to));
      }
    }
  });

  it('are left out where there are more than two million', () => {
    const metric = { wraps: [false, false], cost: () => 0, isSum: false };
    expect(offsetCosts(Int32Array.of(0), { shape: [700, 700], ...metric })).toBeDefined();
    expect(offsetCosts(Int32Array.of(0), { shape: [800, 800], ...metric })).toBeUndefined();
  });
});
