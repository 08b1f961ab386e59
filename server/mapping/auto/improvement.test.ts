import { describe, expect, it } from 'vitest';
import { seededRandom, shuffle } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { mappingCost } from '../../optimisation/problem/searchProblem.ts';
import { neighbourTraffic, problemOn } from '../../optimisation/testing/problems.ts';
import { searchProblemOf } from '../../optimisation/testing/searchProblem.ts';
import { joinSites } from './improvement.ts';

/** All places, in some order. */
function scattered(places: number, seed: number): Int32Array {
  const all = Int32Array.from({ length: places }, (_, place) => place);
  shuffle(all, seededRandom(seed));
  return all;
}

describe('nodes of one router', () => {
  const problem = problemOn(networkMachine('fat-tree', { options: { k: 3, n: 3 } }), {
    traffic: neighbourTraffic([27]),
  });
  const core = searchProblemOf(problem);
  const joined = joinSites(core)!;

  it.each([1, 2, 3])('are one site, and all that is lost is what every pair pays, seed %i', (seed) => {
    const placeOfTask = scattered(27, seed);
    const everyPair = 2 * core.graph.weight.reduce((sum, weight) => sum + weight / 2, 0);
    const value = mappingCost(
      joined.core,
      placeOfTask.map((place) => joined.joinedOf[place]!),
    );
    expect(value + everyPair).toBe(mappingCost(core, placeOfTask));
    expect(placeOfTask.map((place) => joined.placeOf[joined.joinedOf[place]!]!)).toEqual(placeOfTask);
  });

  it('are left alone where each is on a router of its own, or has several places', () => {
    expect(joinSites(searchProblemOf(problemOn(gridMachine('torus', [3, 3]))))).toBeUndefined();
    expect(
      joinSites(searchProblemOf(problemOn(networkMachine('fat-tree', { options: { k: 2, n: 3 }, cores: 6 })))),
    ).toBeUndefined();
  });
});
