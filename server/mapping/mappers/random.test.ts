import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { random } from './slotOrders.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';

describe('map random', () => {
  it('draws from all free slots alike', () => {
    const problem = problemOn(gridMachine('mesh', [5], { cores: 2 }), { taskCount: 2 });
    const source = seededRandom(4);
    const counts = new Map<number, number>();
    for (let round = 0; round < 2000; round++) {
      for (const slot of mapWith(random, problem, { random: source }).mapping) {
        counts.set(slot, (counts.get(slot) ?? 0) + 1);
      }
    }
    // 400 expected for each of ten slots; five standard deviations are 90.
    expect(counts.size).toBe(10);
    for (const count of counts.values()) expect(Math.abs(count - 400)).toBeLessThan(90);
  });
});
