import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import type { GridPoints } from '../stencils/gridPoints.ts';
import { NearestRank } from './overlay.ts';

/** Points of a line in ascending order. */
const line = (...positions: number[]): GridPoints => ({
  ids: Int32Array.from(positions, (_, point) => point),
  coordinates: [Int32Array.from(positions)],
  highest: [Math.max(...positions)],
});

describe('the nearest free rank', () => {
  it.each([
    { what: 'is where it is wanted', positions: [0, 2, 5], wanted: [5, 0], taken: [2, 0] },
    { what: 'is the first of two equally near ones', positions: [0, 2, 4], wanted: [3, 1], taken: [1, 0] },
    { what: 'is the first of several at one place', positions: [1, 1, 1], wanted: [1, 1, 1], taken: [0, 1, 2] },
    { what: 'is found from outside', positions: [0, 1, 2], wanted: [-9, 99, 99], taken: [0, 2, 1] },
    { what: 'is the only one', positions: [0], wanted: [7], taken: [0] },
  ])('$what', ({ positions, wanted, taken }) => {
    const free = new NearestRank(line(...positions));
    expect(wanted.map((position) => free.take(Int32Array.of(position)))).toEqual(taken);
  });

  it('is each rank once', () => {
    const random = seededRandom(4);
    const free = new NearestRank(line(...Array.from({ length: 37 }, (_, point) => point >> 1)));
    const taken = Array.from({ length: 37 }, () => free.take(Int32Array.of(random.integer(20))));
    expect(taken.toSorted((a, b) => a - b)).toEqual([...taken.keys()]);
  });
});
