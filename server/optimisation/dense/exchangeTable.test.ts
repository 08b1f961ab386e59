import { describe, expect, it } from 'vitest';
import { seededRandom, type RandomSource } from '../../model/random.ts';
import { denseProblemOf, denseValue, type DenseProblem } from './denseProblem.ts';
import { exchangeEffect, exchangeTable, exchangeTasks, moveEffect, moveTask, flushUpdates } from './exchangeTable.ts';
import { randomAssignment } from './denseSearch.ts';
import { randomMatrices } from './testing/instances.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { problemOn, randomTraffic } from '../testing/problems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

interface Case {
  readonly what: string;
  readonly problem: DenseProblem;
}

/** Nodes of one switch: the cost from each to each other is the same. */
function alikeSites(taskCount: number, count: number, cores: number): DenseProblem {
  const traffic = randomTraffic(taskCount, 4 * taskCount, 7);
  return denseProblemOf(
    searchProblemOf(problemOn(networkMachine('cluster', { count, cores }), { taskCount, traffic })),
  )!;
}

const cases: readonly Case[] = [
  { what: 'both symmetric', problem: randomMatrices(12, 12, { flow: true, cost: true }) },
  { what: 'flows symmetric', problem: randomMatrices(12, 12, { flow: true, cost: false }) },
  { what: 'costs symmetric', problem: randomMatrices(12, 12, { flow: false, cost: true }) },
  { what: 'neither symmetric', problem: randomMatrices(12, 12, { flow: false, cost: false }) },
  { what: 'symmetric, free places', problem: randomMatrices(9, 15, { flow: true, cost: true }) },
  { what: 'neither symmetric, free places', problem: randomMatrices(9, 15, { flow: false, cost: false }) },
  {
    what: 'several places on a site, some free',
    problem: { ...randomMatrices(14, 7, { flow: true, cost: true }), capacity: Int32Array.of(3, 1, 2, 4, 3, 2, 3) },
  },
  { what: 'several places on sites that are all alike', problem: alikeSites(12, 4, 3) },
  { what: 'one place on sites that are all alike', problem: alikeSites(6, 8, 1) },
  { what: 'two tasks', problem: randomMatrices(2, 2, { flow: false, cost: false }) },
];

/** Exchanges two tasks, or moves one where there is room; what the change should have been worth. */
function changeAtRandom(table: ReturnType<typeof exchangeTable>, random: RandomSource): void {
  const { taskCount, siteCount } = table.problem;
  const task = random.integer(taskCount);
  const site = random.integer(siteCount);
  if (random.integer(2) === 0 && table.freePlaces[site]! > 0 && table.siteOfTask[task] !== site) {
    moveTask(table, task, site);
  } else {
    exchangeTasks(table, task, (task + 1 + random.integer(taskCount - 1)) % taskCount);
  }
}

/** What the value becomes with `task` on `site` and, if given, `other` where `task` was. */
function valueAfter(problem: DenseProblem, siteOfTask: Int32Array, task: number, site: number, other?: number): number {
  const changed = siteOfTask.slice();
  if (other !== undefined) changed[other] = siteOfTask[task]!;
  changed[task] = site;
  return denseValue(problem, changed);
}

const areInterchangeableTasks = (
  { kindOfTask, kindOfSite }: DenseProblem,
  sites: Int32Array,
  task: number,
  other: number,
): boolean => kindOfTask[task] === kindOfTask[other] || kindOfSite[sites[task]!] === kindOfSite[sites[other]!];

describe('the table of exchanges', () => {
  it.each(cases)('equals recomputed values after many changes: $what', ({ problem }) => {
    const random = seededRandom(5);
    const table = exchangeTable(problem, randomAssignment(problem, random));
    for (let round = 0; round < 40; round++) {
      for (let change = random.integer(4); change > 0; change--) changeAtRandom(table, random);
      flushUpdates(table);
      const { siteOfTask, value } = table;
      expect(value).toBe(denseValue(problem, siteOfTask));
      for (let task = 0; task < problem.taskCount; task++) {
        for (let other = task + 1; other < problem.taskCount; other++) {
          const growth = valueAfter(problem, siteOfTask, task, siteOfTask[other]!, other) - value;
          expect(exchangeEffect(table, task, other)).toBe(growth);
          const inTable = table.effects[task * problem.taskCount + other]!;
          expect(inTable).toBe(areInterchangeableTasks(problem, siteOfTask, task, other) ? Infinity : growth);
          expect(inTable === Infinity && growth !== 0).toBe(false);
        }
        for (let site = 0; site < problem.siteCount; site++) {
          if (table.freePlaces[site] === 0) continue;
          expect(moveEffect(table, task, site)).toBe(valueAfter(problem, siteOfTask, task, site) - value);
        }
      }
    }
  });

  it('counts the free places of each site', () => {
    const { problem } = cases[6]!;
    const random = seededRandom(2);
    const table = exchangeTable(problem, randomAssignment(problem, random));
    for (let change = 0; change < 50; change++) changeAtRandom(table, random);
    const expected = problem.capacity.slice();
    for (const site of table.siteOfTask) expected[site]! -= 1;
    expect(table.freePlaces).toEqual(expected);
  });
});
