import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import type { DenseProblem } from './denseProblem.ts';
import { randomAssignment, recombine } from './denseSearch.ts';
import { fits, randomMatrices } from './testing/instances.ts';

const both = { flow: true, cost: true };

const cases: readonly { what: string; problem: DenseProblem }[] = [
  { what: 'as many sites as tasks', problem: randomMatrices(16, 16, both) },
  { what: 'free sites', problem: randomMatrices(10, 16, both) },
  {
    what: 'several places on a site',
    problem: { ...randomMatrices(12, 5, both), capacity: Int32Array.of(3, 4, 1, 5, 2) },
  },
];

describe('a child of two assignments', () => {
  it.each(cases)('fits and keeps what its parents have in common: $what', ({ problem }) => {
    const random = seededRandom(8);
    for (let round = 0; round < 50; round++) {
      const parent = randomAssignment(problem, random);
      const other = randomAssignment(problem, random);
      const child = recombine(problem, parent, other, random);
      expect(fits(problem, child)).toBe(true);
      const common = [...parent.keys()].filter((task) => parent[task] === other[task]);
      expect(common.map((task) => child[task])).toEqual(common.map((task) => parent[task]));
    }
  });

  it('takes most sites from one parent or the other', () => {
    const { problem } = cases[0]!;
    const random = seededRandom(9);
    const parent = randomAssignment(problem, random);
    const other = randomAssignment(problem, random);
    const child = recombine(problem, parent, other, random);
    const inherited = child.filter((site, task) => site === parent[task] || site === other[task]);
    expect(inherited.length).toBeGreaterThan(problem.taskCount / 2);
    expect(child).not.toEqual(parent);
    expect(child).not.toEqual(other);
  });

  it('keeps the sites on which parents have interchangeable tasks, whichever of them it is', () => {
    const problem = { ...cases[0]!.problem, kindOfTask: new Int32Array(16) };
    const random = seededRandom(10);
    const parent = randomAssignment(problem, random);
    expect(recombine(problem, parent, randomAssignment(problem, random), random)).toEqual(parent);
  });
});
