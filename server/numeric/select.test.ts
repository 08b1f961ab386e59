import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { selectSmallest } from './selection.ts';

const shapes: readonly (readonly [string, (index: number, draw: (bound: number) => number) => number])[] = [
  ['random', (_, draw) => draw(1000)],
  ['many equal', (_, draw) => draw(3)],
  ['ascending', (index) => index],
  ['descending', (index) => -index],
  ['organ pipe', (index) => Math.min(index, 200 - index)],
];

describe('selectSmallest', () => {
  it.each(shapes)('puts the smallest first and touches nothing outside: %s', (_, valueAt) => {
    const random = seededRandom(3);
    for (let round = 0; round < 200; round++) {
      const values = Int32Array.from({ length: 1 + random.integer(200) }, (__, index) =>
        valueAt(index, (bound) => random.integer(bound)),
      );
      const start = random.integer(values.length);
      const end = start + 1 + random.integer(values.length - start);
      const count = random.integer(end - start + 1);
      const expected = [...values.slice(start, end)].sort((a, b) => a - b);
      const outside = [values.slice(0, start), values.slice(end)];
      selectSmallest(values, start, end, count);
      expect([...values.slice(start, start + count)].sort((a, b) => a - b)).toEqual(expected.slice(0, count));
      expect([...values.slice(start, end)].sort((a, b) => a - b)).toEqual(expected);
      expect([values.slice(0, start), values.slice(end)]).toEqual(outside);
    }
  });
});
