import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import type { MappingProblem } from '../contract.ts';
import { mapWith, contextFor } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { tabu } from './tabu.ts';

const withIterations = (iterations: number | undefined, criterion = 'hop-bytes') => ({
  options: { criterion, ...(iterations !== undefined && { iterations }) },
  random: seededRandom(4),
});

describe('tabu', () => {
  it.each([
    { what: '257 tasks', problem: problemOn(gridMachine('torus', [17, 17]), { taskCount: 257 }) },
    { what: '2,116 nodes', problem: problemOn(gridMachine('torus', [46, 46]), { taskCount: 4 }) },
    { what: '200 tasks on 900 nodes', problem: problemOn(gridMachine('torus', [30, 30]), { taskCount: 200 }) },
  ])('says what it takes and what to use instead: $what', ({ problem }) => {
    const answer = tabu.map(problem, contextFor(tabu));
    expect(answer).toMatchObject({ ok: false, failure: { code: 'too-large-for-tabu' } });
    expect(answer.ok ? '' : answer.failure.message).toMatch(/256 tasks, 2048 nodes and 131072 .* Use `auto`\.$/);
  });

  it.each([
    { what: 'a grid on itself', problem: problemOn(gridMachine('torus', [4, 4]), { grid: [4, 4] }), hopBytes: 48 },
    {
      what: 'a grid on part of a machine',
      problem: problemOn(gridMachine('mesh', [6, 5]), { grid: [4, 3] }),
      hopBytes: 34,
    },
    {
      what: 'a line on nodes of four cores',
      problem: problemOn(gridMachine('mesh', [6], { cores: 4 }), { taskCount: 12 }),
      hopBytes: 4,
    },
  ])('finds what is known to be best, by default: $what', ({ problem, hopBytes }) => {
    const { search } = mapWith(tabu, problem, withIterations(undefined));
    expect(search!.value).toBe(hopBytes);
  });

  it.each(['hop-bytes', 'maximum-load'])('does as many iterations as it is told under %s', (criterion) => {
    const problem: MappingProblem = problemOn(gridMachine('torus', [4, 3]), { grid: [4, 3] });
    const evaluations = (iterations: number): number =>
      mapWith(tabu, problem, withIterations(iterations, criterion)).search!.evaluations;
    expect(evaluations(1)).toBe((12 * 11) / 2);
    expect(evaluations(5)).toBe((5 * 12 * 11) / 2);
  });

  it('ends at once where nothing is left to gain', () => {
    const problem = problemOn(gridMachine('mesh', [2], { cores: 4 }), { taskCount: 1 });
    expect(mapWith(tabu, problem).search).toMatchObject({ value: 0, evaluations: 0, end: 'bound' });
  });
});
