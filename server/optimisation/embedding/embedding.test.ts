import { describe, expect, it } from 'vitest';
import { type Cancellation, neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { type MappingProblem, type SearchProblem, mappingCost } from '../problem/searchProblem.ts';
import { contractProblems, noTraffic, problemOn, problemsWithoutCoordinates } from '../testing/problems.ts';
import { embed, variantCount, variantName, type EmbeddingPlan, embeddingPlan } from './embed.ts';
import { geometricTraffic, gridTraffic, renumbered, trafficOf } from './testing/graphs.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

const torus = gridMachine('torus', [4, 4, 4]);
const coordinates = (taskCount: number, valueOfTask: (task: number, axis: number) => number) => ({
  dimensions: 2,
  values: Float64Array.from({ length: 2 * taskCount }, (_, index) => valueOfTask(index >> 1, index & 1)),
});
const withCoordinates = (valueOfTask: (task: number, axis: number) => number): MappingProblem => {
  const problem = problemOn(torus, { taskCount: 50 });
  return { ...problem, job: { ...problem.job, coordinates: coordinates(50, valueOfTask) } };
};

/** What may trip geometry. */
const degenerate: [string, MappingProblem][] = [
  ['two tasks', problemOn(torus, { taskCount: 2 })],
  ['coordinates that are all equal', withCoordinates(() => 7)],
  ['coordinates on a line', withCoordinates((task) => task)],
  [
    'coordinates as large as they come',
    withCoordinates((task, axis) => (task % 2 === axis ? 1 : -1) * Number.MAX_VALUE),
  ],
  [
    'a star',
    problemOn(torus, {
      taskCount: 40,
      traffic: trafficOf(
        40,
        Array.from({ length: 39 }, (_, leaf) => [0, leaf + 1]),
      ),
    }),
  ],
  [
    'all to all',
    problemOn(torus, {
      taskCount: 20,
      traffic: trafficOf(
        20,
        Array.from({ length: 400 }, (_, pair) => [Math.floor(pair / 20), pair % 20] as const).filter(([a, b]) => a < b),
      ),
    }),
  ],
  [
    'many pairs',
    problemOn(torus, {
      taskCount: 64,
      traffic: trafficOf(
        64,
        Array.from({ length: 32 }, (_, pair) => [2 * pair, 2 * pair + 1]),
      ),
    }),
  ],
  [
    'components of many sizes',
    problemOn(torus, {
      taskCount: 60,
      traffic: trafficOf(
        60,
        Array.from({ length: 59 }, (_, task) => [task, task + 1] as const).filter(
          ([task]) => ![30, 40, 45, 46, 47, 58].includes(task),
        ),
      ),
    }),
  ],
  ['a mesh that is a line', problemOn(gridMachine('mesh', [40]), { grid: [8, 5] })],
];

const problems = [...contractProblems, ...problemsWithoutCoordinates, ...degenerate].filter(
  ([, { job }]) => job.taskCount <= casesOf(256, 1024),
);

const planOf = (problem: SearchProblem, seed = 1): EmbeddingPlan =>
  embeddingPlan(problem, seededRandom(seed), neverCancelled)!;

const embeddingsOf = (problem: SearchProblem, plan: EmbeddingPlan): Int32Array[] =>
  Array.from({ length: variantCount(plan) }, (_, variant) => embed(problem, plan, variant, neverCancelled)!);

const bestValue = (problem: SearchProblem): number =>
  Math.min(...embeddingsOf(problem, planOf(problem)).map((mapping) => mappingCost(problem, mapping)));

describe('every variant of an embedding', () => {
  it.each(problems)('gives every task a place of its own: %s', (_, problem) => {
    const search = searchProblemOf(problem);
    const plan = planOf(search);
    expect(variantCount(plan)).toBeGreaterThan(0);
    for (const mapping of embeddingsOf(search, plan)) {
      expect(mapping).toHaveLength(problem.job.taskCount);
      expect(new Set(mapping).size).toBe(mapping.length);
      expect([...mapping].every((place) => place >= 0 && place < problem.slots.length)).toBe(true);
    }
    const numbers = plan.tasks.flatMap((space) => space.coordinates.flatMap((axis) => [...axis]));
    expect(numbers.every(Number.isFinite)).toBe(true);
  });

  it.each(problems)('is the same for the same seed, in another thread too: %s', (_, problem) => {
    const search = searchProblemOf(problem);
    expect(embeddingsOf(search, structuredClone(planOf(search)))).toEqual(embeddingsOf(search, planOf(search)));
  });

  it('has a name of its own', () => {
    const plan = planOf(
      searchProblemOf(problemOn(torus, { grid: [8, 8], traffic: gridTraffic([8, 8], { periodic: true }) })),
    );
    const names = Array.from({ length: variantCount(plan) }, (_, variant) => variantName(plan, variant));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('grid laid flat, even cuts');
    expect(variantName(plan, names.length)).toBe('');
    expect(embed(searchProblemOf(problemOn(torus)), plan, names.length, neverCancelled)).toBeUndefined();
  });
});

/** Mean of what some random mappings cost. */
function randomValue(problem: SearchProblem): number {
  const random = seededRandom(8);
  const places = Int32Array.from({ length: problem.places.placeCount }, (_, place) => place);
  let sum = 0;
  for (let draw = 0; draw < 20; draw++) {
    shuffle(places, random);
    sum += mappingCost(problem, places.slice(0, problem.graph.taskCount));
  }
  return sum / 20;
}

describe('neighbours are near each other', () => {
  const some = Array.from({ length: 1000 }, (_, node) => node);
  shuffle(some, seededRandom(4));
  const scattered = Int32Array.from(some.slice(0, 343)).sort();
  const unnumbered = renumbered(gridTraffic([7, 7, 7]), 9);
  const ladder = renumbered(gridTraffic([100, 2]), 9);
  const clusters = networkMachine('fat-tree', { options: { k: 4, n: 3 } });
  const cliques = renumbered(
    trafficOf(
      64,
      Array.from({ length: 64 * 64 }, (_, pair) => [pair >> 6, pair & 63] as const).filter(
        ([a, b]) => a < b && a >> 2 === b >> 2,
      ),
    ),
    2,
  );
  it.each([
    [
      'points in space on a torus',
      problemOn(gridMachine('torus', [7, 7, 7]), { taskCount: 343, traffic: geometricTraffic(343, 3, 0.22, 1) }),
      0.45,
    ],
    [
      'points in a plane on a torus',
      problemOn(gridMachine('torus', [7, 7, 7]), { taskCount: 343, traffic: geometricTraffic(343, 2, 0.1, 1) }),
      0.45,
    ],
    [
      'a grid without numbers on scattered nodes',
      problemOn(gridMachine('torus', [10, 10, 10]), { taskCount: 343, traffic: unnumbered, nodes: scattered }),
      0.36,
    ],
    ['a ladder on a mesh', problemOn(gridMachine('mesh', [15, 14]), { taskCount: 200, traffic: ladder }), 0.18],
    ['cliques in a fat tree', problemOn(clusters, { taskCount: 64, traffic: cliques }), 0.75],
  ] as const)('%s', (_, problem, share) => {
    const search = searchProblemOf(problem);
    expect(bestValue(search) / randomValue(search)).toBeLessThan(share);
  });

  it('uses the coordinates of the job', () => {
    const problem = problemOn(gridMachine('mesh', [8, 8]), {
      taskCount: 64,
      traffic: renumbered(gridTraffic([64]), 3),
    });
    const place = (task: number) => (task * 37) % 64;
    const own = coordinates(64, (task, axis) => (axis === 0 ? place(task) % 8 : place(task) >> 3));
    const search = searchProblemOf({ ...problem, job: { ...problem.job, coordinates: own, traffic: noTraffic(64) } });
    const plan = planOf(search);
    const mapping = embed(search, plan, 0, neverCancelled)!;
    expect([...mapping]).toEqual([...mapping].map((_, task) => place(task)));
  });

  it('keeps a job that is smaller than its allocation together', () => {
    const search = searchProblemOf(problemOn(gridMachine('torus', [12, 12]), { grid: [4, 4] }));
    expect(bestValue(search)).toBe(48);
  });
});

describe('an embedding that is cancelled', () => {
  const search = searchProblemOf(
    problemOn(gridMachine('torus', [6, 6, 6]), { taskCount: 216, traffic: geometricTraffic(216, 3, 0.25, 2) }),
  );
  const afterLooks = (allowed: number): Cancellation => {
    let looks = 0;
    return { isCancelled: () => looks++ >= allowed };
  };

  it('has no plan, wherever it looks', () => {
    let looks = 0;
    const counting = { isCancelled: () => looks++ < 0 };
    expect(embeddingPlan(search, seededRandom(1), counting)).toBeDefined();
    for (const allowed of [0, looks >> 1, looks - 1]) {
      expect(embeddingPlan(search, seededRandom(1), afterLooks(allowed))).toBeUndefined();
    }
  });

  it('gives the best so far, once there is one', () => {
    const plan = planOf(search);
    expect(embed(search, plan, 0, afterLooks(0))).toBeUndefined();
    const values = [1, 6, 30, 1000].map((looks) => mappingCost(search, embed(search, plan, 0, afterLooks(looks))!));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(values.at(-1)).toBeLessThan(values[0]!);
  });
});
