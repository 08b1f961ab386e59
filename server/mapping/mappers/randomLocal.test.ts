import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { autonet } from '../../network/testing/networkMachines.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn, trafficOf } from '../../optimisation/testing/problems.ts';
import { randomLocal } from './randomLocal.ts';

/** Switch of each task on the Autonet with so many hosts per switch. */
function switchesOf(problem: Parameters<typeof mapWith>[1], hosts: number, seed: number, options = {}): number[] {
  const { mapping } = mapWith(randomLocal, problem, { random: seededRandom(seed), options });
  return [...mapping].map((slot) => Math.floor(slot / hosts));
}

describe('random with locality', () => {
  // Three cliques of three, scattered over the ids, each with bytes of its own.
  const cliques = [
    [0, 4, 8],
    [1, 5, 6],
    [2, 3, 7],
  ] as const;
  const entries = cliques.flatMap((clique, index) =>
    clique.flatMap((from) => clique.filter((to) => to !== from).map((to) => [from, to, 10 * (index + 1)] as const)),
  );
  const problem = problemOn(autonet(3), { taskCount: 9, traffic: trafficOf(9, [...entries, [4, 5, 1], [6, 7, 1]]) });

  it('keeps the tasks that say most to each other on a switch', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const switches = switchesOf(problem, 3, seed);
      for (const clique of cliques) expect(new Set(clique.map((task) => switches[task])).size).toBe(1);
      expect(new Set(switches).size).toBe(3);
    }
  });

  it('fills one switch alone with `switches 1`, and puts all others anywhere', () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const clique = ([one = 0, ...others]: readonly number[], switches: readonly number[]): boolean =>
      others.every((task) => switches[task] === switches[one]);
    const drawn = seeds.map((seed) => switchesOf(problem, 3, seed, { switches: 1 }));
    // The third clique has most bytes.
    for (const switches of drawn) {
      expect(clique(cliques[2], switches)).toBe(true);
      const [home] = cliques[2];
      expect(switches.filter((one) => one === switches[home])).toHaveLength(3);
    }
    expect(drawn.some((switches) => !clique(cliques[0], switches))).toBe(true);
    expect(new Set(drawn.map((switches) => switches.join())).size).toBe(seeds.length);
    // As many switches as there are, and more, are all.
    expect(switchesOf(problem, 3, 1, { switches: 99 })).toEqual(switchesOf(problem, 3, 1));
  });

  it('takes other switches with other seeds', () => {
    const first = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => switchesOf(problem, 3, seed)[0]);
    expect(new Set(first).size).toBeGreaterThan(2);
  });

  it('fills a switch with the busiest of those left where none talks to it', () => {
    const quiet = problemOn(autonet(4), {
      taskCount: 6,
      traffic: trafficOf(6, [
        [0, 1, 9],
        [4, 5, 5],
      ]),
    });
    const switches = switchesOf(quiet, 4, 1);
    expect(new Set([0, 1, 4, 5].map((task) => switches[task])).size).toBe(1);
    expect(switches[2]).toBe(switches[3]);
    expect(switches[2]).not.toBe(switches[0]);
  });
});
