import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { empty, sortAscending } from './messages.ts';

describe('lists of messages', () => {
  it.each([0, 1, 2, 3, 16, 17, 100])('of %i are sorted ascending', (length) => {
    const random = seededRandom(length);
    for (let repetition = 0; repetition < 50; repetition++) {
      const list = Array.from({ length }, () => random.integer(40));
      const sorted = list.toSorted((a, b) => a - b);
      sortAscending(list);
      expect(list).toEqual(sorted);
    }
  });

  it('are empty afterwards', () => {
    const list = [3, 1, 2];
    empty(list);
    expect(list).toEqual([]);
  });
});
