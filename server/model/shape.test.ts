import { describe, expect, it } from 'vitest';
import { axisName, axisNamed, coordinatesOf, formatShape, volumeOf } from './shape.ts';
import { indexOf } from './testing/shape.ts';

describe('a shape', () => {
  it.each([
    [[4, 4], 6, [2, 1]],
    [[3, 4, 5], 59, [2, 3, 4]],
    [[7], 5, [5]],
    [[2, 1, 3], 3, [1, 0, 1]],
  ])('of %j puts index %i at %j, x fastest', (shape, index, expected) => {
    const coordinates = new Int32Array(shape.length);
    coordinatesOf(shape, index, coordinates);
    expect([...coordinates]).toEqual(expected);
    expect(indexOf(shape, coordinates)).toBe(index);
  });

  it('is written as the language writes it', () => {
    expect(formatShape([16, 12, 24])).toBe('16 x 12 x 24');
    expect(volumeOf([16, 12, 24])).toBe(4608);
    expect([0, 2, 3, 4].map(axisName)).toEqual(['x', 'z', 'w', 'axis-5']);
  });

  it('has axes that are called by their names and by their numbers', () => {
    for (let axis = 0; axis < 16; axis++) {
      expect(axisNamed(axisName(axis))).toBe(axis);
      expect(axisNamed(`axis-${axis + 1}`)).toBe(axis);
    }
    for (const stranger of ['', 'v', 'X', 'axis-0', 'axis', 'axis-123', 'xy'])
      expect(axisNamed(stranger)).toBeUndefined();
  });
});
