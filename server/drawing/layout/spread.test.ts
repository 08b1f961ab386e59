import { describe, expect, it } from 'vitest';
import { spreadPlaces } from './levels.ts';

describe('places in a row', () => {
  it.each([
    ['free ones stay', [0, 5, 9], [1, 1], [0, 5, 9]],
    ['equal ones share the middle', [4, 4], [2], [3, 5]],
    ['those out of order meet half-way', [10, 0], [2], [4, 6]],
    ['pushed ones push on', [0, 0, 1], [1, 1], [-2 / 3, 1 / 3, 4 / 3]],
    ['nothing is nothing', [], [], []],
  ])('%s', (_name, wanted, gaps, expected) => {
    const places = spreadPlaces(wanted, gaps);
    expect(places).toHaveLength(expected.length);
    places.forEach((place, index) => {
      expect(place).toBeCloseTo(expected[index]!);
    });
  });
});
