import { describe, expect, it } from 'vitest';
import { defaultOptions, type OptionValues } from '../../model/catalogue.ts';
import { seededRandom } from '../../model/random.ts';
import { autonet } from '../../network/testing/networkMachines.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn, randomTraffic } from '../../optimisation/testing/problems.ts';
import { randomSearch } from './randomSearch.ts';

/** Table 2 of Orduña et al. 2004: equivalent distances between the switches of the Autonet. */
const table2 = [
  [0, 1, 1, 2, 1, 3, 1, 3, 3, 1],
  [1, 0, 1, 2, 1, 3, 1, 3, 3, 1],
  [1, 1, 0, 2, 2, 3, 1, 3, 3, 1],
  [2, 2, 2, 0, 2, 1, 1, 1, 1, 2],
  [1, 1, 2, 2, 0, 3, 1, 3, 3, 1],
  [3, 3, 3, 1, 3, 0, 2, 1, 1, 1],
  [1, 1, 1, 1, 1, 2, 0, 2, 2, 1.25],
  [3, 3, 3, 1, 3, 1, 2, 0, 1, 2],
  [3, 3, 3, 1, 3, 1, 2, 1, 0, 2],
  [1, 1, 1, 2, 1, 1, 1.25, 2, 2, 0],
];
const hosts = 7;

/** 64 processes on the 70 workstations, each talking to some others. */
const problem = problemOn(autonet(hosts), { taskCount: 64, traffic: randomTraffic(64, 250, 9, 1000) });

/** M_c of section 4.1, from the printed table: 0 within a workstation, else the switches' distance + 2. */
function mappingCoefficient(mapping: ArrayLike<number>): number {
  const { rowStart, partner, bytes, taskCount } = problem.job.traffic;
  let sum = 0;
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      const [from, to] = [mapping[task]!, mapping[partner[pair]!]!];
      if (from !== to) sum += bytes[pair]! * (table2[Math.floor(from / hosts)]![Math.floor(to / hosts)]! + 2);
    }
  }
  return sum;
}

const run = (options: OptionValues = {}) =>
  mapWith(randomSearch, problem, { options: { ...defaultOptions(randomSearch), ...options }, random: seededRandom(5) });

describe('random search on the Autonet', () => {
  it('minimises the mapping coefficient of the printed table', () => {
    const { mapping, search } = run();
    expect(search).toMatchObject({ criterion: 'equivalent', value: mappingCoefficient(mapping), end: 'steps' });
    const inOrder = mappingCoefficient(problem.slots.slice(0, 64));
    expect(search!.value).toBeLessThan(0.95 * inOrder);
  });

  it('gives up a seed after as many swaps in vain as its patience, and tries as many seeds', () => {
    for (const [seeds, patience] of [
      [10, 40],
      [1, 1],
      [3, 200],
    ] as const) {
      expect(run({ seeds, patience }).search!.evaluations).toBeGreaterThanOrEqual(seeds * patience);
    }
    expect(run({ seeds: 1, patience: 1 }).search!.evaluations).toBeLessThan(40);
  });

  it('never loses by more patience with one seed, nor by more seeds', () => {
    const values = [10, 40, 400, 4000].map((patience) => run({ seeds: 1, patience }).search!.value);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    const bySeeds = [1, 10, 40].map((seeds) => run({ seeds }).search!.value);
    expect(bySeeds).toEqual(bySeeds.toSorted((a, b) => b - a));
  });
});
