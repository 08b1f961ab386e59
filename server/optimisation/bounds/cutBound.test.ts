import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { buildMachine } from '../../network/machine.ts';
import { gridDescription, gridMachine } from '../../network/testing/machines.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { problemOn, randomTraffic, trafficOf } from '../testing/problems.ts';
import { cutBound, costSumsOfPlaces, gridSumOf } from './cutBound.ts';
import { graphEigenvalueBound } from './provenEigenvalue.ts';
import { projectionBound } from './projectionBound.ts';
import { randomSolvedProblems } from './testing/smallProblems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

/** A union of `rings` random Hamiltonian cycles: a graph without a good bisection. */
function randomRings(taskCount: number, rings: number, seed: number) {
  const random = seededRandom(seed);
  const tasks = Array.from({ length: taskCount }, (_, task) => task);
  const entries = Array.from({ length: rings }, () => {
    shuffle(tasks, random);
    return tasks.map((task, index) => [task, tasks[(index + 1) % taskCount]!, 1] as const);
  });
  return trafficOf(taskCount, entries.flat());
}

describe('the cut bound', () => {
  it('is no higher than the best of all mappings', () => {
    let found = 0;
    for (const { problem, core, least } of randomSolvedProblems(53, 150)) {
      const bound = cutBound(core, problem.machine, -Infinity, neverCancelled);
      if (bound === undefined) continue;
      found++;
      expect(bound).toBeLessThanOrEqual(least);
    }
    expect(found).toBeGreaterThan(75);
  });

  it.each([
    { kind: 'torus', shape: [5, 5] },
    { kind: 'torus', shape: [4, 4, 4] },
    { kind: 'mesh', shape: [7, 6] },
  ])(
    'stays below the projection bound, which knows all eigenvalues, and close to it: $kind $shape',
    ({ kind, shape }) => {
      const machine = gridMachine(kind, shape);
      const traffic = randomRings(machine.nodeCount, 5, 7);
      const core = searchProblemOf(problemOn(machine, { taskCount: machine.nodeCount, traffic }));
      const all = projectionBound(core, neverCancelled)!;
      const largest = cutBound(core, machine, 0, neverCancelled)!;
      expect(largest).toBeLessThanOrEqual(all);
      expect(largest).toBeGreaterThan(0.6 * all);
    },
  );

  it('says nothing where it would not beat another, where costs are no links of a grid, and when it is cancelled', () => {
    const machine = gridMachine('torus', [4, 4, 4]);
    const core = searchProblemOf(problemOn(machine, { taskCount: 64, traffic: randomRings(64, 5, 3) }));
    const bound = cutBound(core, machine, 0, neverCancelled)!;
    expect(cutBound(core, machine, 2 * bound, neverCancelled)).toBeUndefined();
    expect(cutBound(core, machine, 0, { isCancelled: () => true })).toBeUndefined();
    const upDown = buildMachine({ ...gridDescription('torus', [4, 4, 4]), routing: { name: 'up-down', options: {} } });
    if (!upDown.ok) throw new Error(upDown.failure.message);
    const other = searchProblemOf(problemOn(upDown.value, { taskCount: 64, traffic: randomRings(64, 5, 3) }));
    expect(cutBound(other, upDown.value, 0, neverCancelled)).toBeUndefined();
  });
});

describe('sums over the axes', () => {
  it.each(['torus', 'mesh'])('of costs are those that are added up one by one on a %s', (kind) => {
    const machine = gridMachine(kind, [5, 4, 3], { hosts: 2, cores: 2 });
    const core = searchProblemOf(problemOn(machine, { taskCount: 20, nodes: [7, 3, 90, 44, 45, 60, 11, 2, 31, 99] }));
    const { siteOfPlace } = core.places;
    const expected = Array.from(siteOfPlace, (site) =>
      siteOfPlace.reduce((sum, other) => sum + costBetween(core.costs, site, other), 0),
    );
    expect([...costSumsOfPlaces(gridSumOf(core, machine)!, core)]).toEqual(expected);
  });
});

describe('the bound on the largest eigenvalue orthogonal to ones', () => {
  it.each([
    { what: 'two tasks', traffic: trafficOf(2, [[0, 1, 1]]), size: 2, value: -1 },
    {
      what: 'a ring of eight',
      traffic: trafficOf(
        8,
        Array.from({ length: 8 }, (_, task) => [task, (task + 1) % 8, 3]),
      ),
      size: 8,
      value: 6 * Math.cos(Math.PI / 4),
    },
    {
      what: 'two pairs',
      traffic: trafficOf(4, [
        [0, 1, 1],
        [2, 3, 1],
      ]),
      size: 4,
      value: 1,
    },
  ])('is above it, and close: $what', ({ traffic, size, value }) => {
    const { graph } = searchProblemOf(problemOn(gridMachine('mesh', [8]), { taskCount: size, traffic }));
    const bound = graphEigenvalueBound(graph, size, Infinity, neverCancelled)!;
    expect(bound).toBeGreaterThanOrEqual(value);
    expect(bound).toBeLessThan(value + 1.5);
  });

  it('gives up where the eigenvalue is above the limit', () => {
    const { graph } = searchProblemOf(
      problemOn(gridMachine('mesh', [8]), { taskCount: 8, traffic: randomTraffic(8, 30, 1) }),
    );
    expect(graphEigenvalueBound(graph, 8, -1000, neverCancelled)).toBeUndefined();
  });
});
