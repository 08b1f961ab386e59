import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { problemOn, trafficOf } from '../testing/problems.ts';
import { gilmoreLawlerBound } from './gilmoreLawlerBound.ts';
import { nearestCosts } from './nearestCosts.ts';
import { shellBound } from './shellBound.ts';
import { randomSolvedProblems } from './testing/smallProblems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

describe('the bound of Gilmore and Lawler', () => {
  it('is no higher than the best of all mappings, and no lower than the shells', () => {
    let higher = 0;
    for (const { problem, core, least } of randomSolvedProblems(43, 200)) {
      const nearest = nearestCosts(core, problem.machine, core.graph.taskCount, neverCancelled)!;
      const shells = shellBound(core.graph, nearest, neverCancelled)!;
      const bound = gilmoreLawlerBound(core.graph, nearest, neverCancelled);
      if (bound === undefined) {
        expect(nearest.rowCount).toBe(1);
        continue;
      }
      expect(bound).toBeLessThanOrEqual(least);
      expect(bound).toBeGreaterThanOrEqual(shells);
      if (bound > shells) higher++;
    }
    expect(higher).toBeGreaterThan(5);
  });

  it('knows that a task cannot be near to one place and far from another at once', () => {
    // Nodes 0, 1 and 4 of a line. Whoever is on 4 is three links from the rest: task 2, which says least. Then 7 · 1
    // for
    // the pair 0-1, and half of 1 · 3 + 1 · 3 for the pair 1-2, seen from both ends.
    const line = problemOn(gridMachine('mesh', [5]), {
      taskCount: 3,
      nodes: [0, 1, 4],
      traffic: trafficOf(3, [[0, 1, 7], [1, 2, 1]]), // prettier-ignore
    });
    const core = searchProblemOf(line);
    const nearest = nearestCosts(core, line.machine, 2, neverCancelled)!;
    expect(gilmoreLawlerBound(core.graph, nearest, neverCancelled)).toBe(10);
  });

  it('stops when it is cancelled', () => {
    const core = searchProblemOf(problemOn(gridMachine('mesh', [5])));
    const nearest = nearestCosts(core, gridMachine('mesh', [5]), 2, neverCancelled)!;
    expect(gilmoreLawlerBound(core.graph, nearest, { isCancelled: () => true })).toBeUndefined();
  });
});
