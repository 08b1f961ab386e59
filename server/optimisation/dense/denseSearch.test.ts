import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { denseValue, type DenseProblem } from './denseProblem.ts';
import { DenseSearch } from './denseSearch.ts';
import { improveDense, TabuSearch, type DenseOrder, type DenseResult } from './tabuSearch.ts';
import { fits, gridOnGrid, leastOfAll, randomMatrices } from './testing/instances.ts';

type DoRound = (problem: DenseProblem, orders: readonly DenseOrder[]) => DenseResult[];

const inTurn: DoRound = (problem, orders) => orders.map((order) => improveDense(problem, order, neverCancelled));

/** As threads may finish them: the last first. */
const backwards: DoRound = (problem, orders) => inTurn(problem, orders.toReversed()).toReversed();

/** As it reaches another thread. */
const copied: DoRound = (problem, orders) => inTurn(structuredClone(problem), structuredClone([...orders]));

function searchFor(problem: DenseProblem, rounds: number, starts: Int32Array[] = [], doRound = inTurn): DenseSearch {
  const search = new DenseSearch(problem, starts, 3);
  for (let round = 0; round < rounds && !search.finished; round++) {
    search.receive(doRound(problem, search.next(200_000)));
  }
  return search;
}

const both = { flow: true, cost: true };
const neither = { flow: false, cost: false };

const small: readonly { what: string; problem: DenseProblem }[] = [
  { what: 'one task', problem: randomMatrices(1, 1, both) },
  { what: 'one task and free sites', problem: randomMatrices(1, 3, both) },
  { what: 'two tasks', problem: randomMatrices(2, 2, neither) },
  { what: 'eight tasks', problem: randomMatrices(8, 8, both) },
  { what: 'eight tasks, neither matrix symmetric', problem: randomMatrices(8, 8, neither) },
  { what: 'five tasks on eight sites', problem: randomMatrices(5, 8, neither) },
  {
    what: 'seven tasks, several on a site',
    problem: { ...randomMatrices(7, 4, both), capacity: Int32Array.of(3, 1, 4, 2) },
  },
  { what: 'tasks that do not talk', problem: { ...randomMatrices(6, 6, both), flow: new Float64Array(36) } },
];

describe('the search for dense problems', () => {
  it.each(small)('finds the optimum: $what', ({ problem }) => {
    const { best } = searchFor(problem, 6);
    expect(best!.value).toBe(leastOfAll(problem));
    expect(best!.value).toBe(denseValue(problem, best!.siteOfTask));
    expect(fits(problem, best!.siteOfTask)).toBe(true);
  });

  it.each([
    [4, 3],
    [5, 5],
    [6, 4],
  ] as const)('lays a grid of %i x %i on itself', (columns, rows) => {
    const { problem, optimum } = gridOnGrid(columns, rows);
    expect(searchFor(problem, 12).best!.value).toBe(optimum);
  });

  it('ends when populations from nothing agree', () => {
    const { problem } = gridOnGrid(3, 3);
    const search = searchFor(problem, 1000);
    expect(search.finished).toBe(true);
  });

  it.each([
    ['last first', backwards],
    ['on copies', copied],
  ] as const)('comes to the same with the orders of a round done %s', (_, doRound) => {
    const problem = randomMatrices(20, 24, both);
    const expected = searchFor(problem, 8);
    const search = searchFor(problem, 8, [], doRound);
    expect(search.best).toEqual(expected.best);
    expect(search.evaluations).toBe(expected.evaluations);
  });

  it('is never worse than its starts', () => {
    const { problem, optimum } = gridOnGrid(5, 4);
    const start = Int32Array.from({ length: 20 }, (_, task) => task);
    const search = new DenseSearch(problem, [start], 1);
    expect(search.best).toEqual({ siteOfTask: start, value: optimum });
    search.receive(search.next(1).map((order) => improveDense(problem, order, neverCancelled)));
    expect(search.best!.value).toBe(optimum);
  });
});

describe('a step of robust tabu search', () => {
  it.each([
    { what: 'symmetric', problem: randomMatrices(9, 9, both) },
    { what: 'not symmetric', problem: randomMatrices(9, 9, neither) },
  ])(
    'makes the best exchange of which one task at least may return, or that is better than all before: $what',
    ({ problem }) => {
      const { taskCount, siteCount } = problem;
      const tasks = Array.from({ length: taskCount }, (_, task) => task);
      const search = new TabuSearch(problem, Int32Array.from(tasks), seededRandom(5));
      const exchanged = (task: number, other: number): number => {
        const sites = search.table.siteOfTask.slice();
        [sites[task], sites[other]] = [sites[other]!, sites[task]!];
        return denseValue(problem, sites);
      };
      let decided = 0;
      for (let step = 1; step <= 200; step++) {
        const sites = search.table.siteOfTask.slice();
        const isKept = (task: number, other: number): boolean =>
          search.tabuUntil[task * siteCount + sites[other]!]! >= step;
        const pairs = tasks.flatMap((task) => tasks.slice(task + 1).map((other) => [task, other] as const));
        const values = pairs.map(([task, other]) => exchanged(task, other));
        const isTabu = ([task, other]: readonly [number, number], at: number): boolean =>
          isKept(task, other) && isKept(other, task) && values[at]! >= search.bestValue;
        const allowed = values.filter((_, at) => !isTabu(pairs[at]!, at));
        if (pairs.some(([task, other]) => isKept(task, other) !== isKept(other, task))) decided++;
        search.advance();
        expect(denseValue(problem, search.table.siteOfTask)).toBeCloseTo(Math.min(...allowed), 6);
      }
      // There were pairs of which one task alone was kept away.
      expect(decided).toBeGreaterThan(100);
    },
  );
});

describe('a stint', () => {
  const problem = randomMatrices(30, 30, both);
  const order: DenseOrder = { start: Int32Array.from({ length: 30 }, (_, task) => task), seed: 4, steps: 500_000 };

  it('does as many steps as it is told, and then ends its last look at the table', () => {
    const { evaluations } = improveDense(problem, order, neverCancelled);
    expect(evaluations).toBe(Math.ceil(order.steps / 435) * 435);
  });

  it.each([0, 1, 5])('hands back the best so far when it is stopped at look %i', (looks) => {
    let seen = 0;
    const result = improveDense(problem, order, { isCancelled: () => seen++ >= looks });
    expect(seen).toBe(looks + 1);
    expect(result.evaluations).toBeLessThan(order.steps / 2);
    expect(result.value).toBe(denseValue(problem, result.siteOfTask));
    expect(result.value).toBeLessThanOrEqual(denseValue(problem, order.start));
  });
});
