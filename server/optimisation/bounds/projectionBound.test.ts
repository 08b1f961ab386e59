import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { problemOn, trafficOf } from '../testing/problems.ts';
import { projectionBound } from './projectionBound.ts';
import { randomSolvedProblems } from './testing/smallProblems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

const everyPair = (taskCount: number) =>
  trafficOf(
    taskCount,
    Array.from(
      { length: taskCount * taskCount },
      (_, pair) => [Math.floor(pair / taskCount), pair % taskCount, 1] as const,
    ).filter(([from, to]) => from < to),
  );

describe('the projection bound', () => {
  it('is no higher than the best of all mappings', () => {
    let positive = 0;
    for (const { core, least } of randomSolvedProblems(41, 150)) {
      const bound = projectionBound(core, neverCancelled);
      expect(bound).toBeLessThanOrEqual(least);
      if (bound! > 0) positive++;
    }
    expect(positive).toBeGreaterThan(75);
  });

  it.each([
    { shape: [5], hops: 15 },
    { shape: [4, 4], hops: 16 * 16 },
    { shape: [3, 3, 3], hops: 27 * 27 },
  ])('is what all mappings cost where all talk to all, on $shape', ({ shape, hops }) => {
    const machine = gridMachine('torus', shape);
    const core = searchProblemOf(
      problemOn(machine, { taskCount: machine.nodeCount, traffic: everyPair(machine.nodeCount) }),
    );
    expect(projectionBound(core, neverCancelled)).toBe(hops);
  });

  it('is exact for two pairs on a ring of four', () => {
    const ring = problemOn(gridMachine('torus', [4]), {
      taskCount: 4,
      traffic: trafficOf(4, [
        [0, 2, 3],
        [1, 3, 3],
      ]),
    });
    expect(projectionBound(searchProblemOf(ring), neverCancelled)).toBe(6);
  });

  it('does without problems that are too large, and stops when it is cancelled', () => {
    const large = searchProblemOf(problemOn(gridMachine('torus', [9, 9, 9]), { taskCount: 2 }));
    expect(projectionBound(large, neverCancelled)).toBeUndefined();
    const small = searchProblemOf(problemOn(gridMachine('torus', [4])));
    expect(projectionBound(small, { isCancelled: () => true })).toBeUndefined();
  });
});
