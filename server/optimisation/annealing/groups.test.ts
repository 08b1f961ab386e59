import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { type MappingProblem, mappingCost } from '../problem/searchProblem.ts';
import { problemOn, randomTraffic } from '../testing/problems.ts';
import { prepareAnnealing } from './annealing.ts';
import { annealGroups, pairUp, ungrouped, wholeSites } from './groups.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

/** Different places for so many tasks. */
function scattered(places: number, tasks: number, seed: number): Int32Array {
  const all = Int32Array.from({ length: places }, (_, place) => place);
  shuffle(all, seededRandom(seed));
  return all.slice(0, tasks);
}

const manyCores: readonly (readonly [string, MappingProblem])[] = [
  ['a full torus', problemOn(gridMachine('torus', [3, 3], { cores: 4 }), { traffic: randomTraffic(36, 150, 1) })],
  [
    'a fat tree with places to spare',
    problemOn(networkMachine('fat-tree', { options: { k: 2, n: 3 }, cores: 6 }), {
      taskCount: 37,
      traffic: randomTraffic(37, 120, 2),
    }),
  ],
  [
    'a cluster whose tasks hardly talk',
    problemOn(networkMachine('cluster', { count: 5, cores: 8 }), { taskCount: 40, traffic: randomTraffic(40, 12, 3) }),
  ],
];

describe.each(manyCores)('groups of tasks on %s', (_, problem) => {
  const core = searchProblemOf(problem);
  const { placeCount } = core.places;
  const start = scattered(placeCount, core.graph.taskCount, 5);

  it.each([
    ['pairs', pairUp(core, start, seededRandom(1))],
    ['whole sites', wholeSites(core, start)],
  ] as const)('cost what their tasks cost, wherever %s are put', (__, grouped) => {
    expect(grouped).toBeDefined();
    const groups = grouped!.placeOfTask.length;
    for (const placeOfGroup of [
      grouped!.placeOfTask,
      ...[1, 2, 3].map((seed) => scattered(grouped!.core.places.placeCount, groups, seed)),
    ]) {
      const placeOfTask = ungrouped(grouped!, placeOfGroup);
      expect(new Set(placeOfTask).size).toBe(placeOfTask.length);
      expect([...placeOfTask].every((place) => place >= 0 && place < placeCount)).toBe(true);
      expect(mappingCost(grouped!.core, placeOfGroup)).toBe(mappingCost(core, placeOfTask));
    }
    const siteOf = (place: number) => core.places.siteOfPlace[place];
    expect([...ungrouped(grouped!, grouped!.placeOfTask)].map(siteOf)).toEqual([...start].map(siteOf));
  });

  it('are annealed into a mapping that is better, of the value that is told', () => {
    const order = { placeOfTask: start, seed: 3, steps: 20_000, hottest: 0.3, coldest: 0.04 };
    const outcome = annealGroups(prepareAnnealing(core), order, neverCancelled);
    expect(outcome.value).toBeLessThan(mappingCost(core, start));
    expect(outcome.value).toBe(mappingCost(core, outcome.placeOfTask));
    expect(new Set(outcome.placeOfTask).size).toBe(start.length);
  });

  it('stay where they are when the search is stopped before it begins', () => {
    const order = { placeOfTask: start, seed: 3, steps: 20_000, hottest: 0.3, coldest: 0.04 };
    const outcome = annealGroups(prepareAnnealing(core), order, { isCancelled: () => true });
    expect(outcome.value).toBeLessThanOrEqual(mappingCost(core, start));
  });
});
