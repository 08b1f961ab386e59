import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { drawAmongCheapest } from './greedyStart.ts';

/** How often each index is drawn in so many draws. */
function draws(costs: readonly number[], count: number, times: number): number[] {
  const random = seededRandom(1);
  const drawn = new Array<number>(costs.length).fill(0);
  const values = Float64Array.from(costs);
  for (let time = 0; time < times; time++) {
    drawn[drawAmongCheapest(values, costs.length, count, new Float64Array(costs.length), random)]! += 1;
  }
  return drawn;
}

describe('a draw among the cheapest', () => {
  it.each([
    { what: 'the cheapest alone', costs: [5, 3, 9, 4], count: 1, expected: [0, 1, 0, 0] },
    { what: 'the two cheapest', costs: [5, 3, 9, 4], count: 2, expected: [0, 1 / 2, 0, 1 / 2] },
    { what: 'all', costs: [5, 3, 9, 4], count: 4, expected: [1 / 4, 1 / 4, 1 / 4, 1 / 4] },
    { what: 'one of equal ones', costs: [2, 7, 2, 2], count: 1, expected: [1 / 3, 0, 1 / 3, 1 / 3] },
    { what: 'a cheaper one and one of equal ones', costs: [2, 7, 1, 2], count: 2, expected: [1 / 4, 0, 1 / 2, 1 / 4] },
    { what: 'the only one', costs: [8], count: 1, expected: [1] },
  ])('takes each as often: $what', ({ costs, count, expected }) => {
    const times = 20_000;
    const drawn = draws(costs, count, times);
    expected.forEach((share, index) => {
      if (share === 0) expect(drawn[index]).toBe(0);
      else expect(drawn[index]! / times).toBeCloseTo(share, 1);
    });
  });

  it('takes those that sorting puts first', () => {
    const random = seededRandom(6);
    for (let trial = 0; trial < 200; trial++) {
      const costs = Float64Array.from({ length: 1 + random.integer(40) }, () => random.integer(15));
      const count = 1 + random.integer(costs.length);
      const index = drawAmongCheapest(costs, costs.length, count, new Float64Array(costs.length), random);
      expect(costs[index]).toBeLessThanOrEqual(costs.toSorted()[count - 1]!);
    }
  });
});
