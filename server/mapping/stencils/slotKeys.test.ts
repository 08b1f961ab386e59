import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { decodeKeys, encodeSlots, isMarked, markedIn, slotKeys, sortDistinct } from './slotKeys.ts';

const sides: readonly number[] = [3, 4, 2];
const perRouter = 5;
const all = Int32Array.from({ length: 120 }, (_, slot) => slot);

describe('keys of slots', () => {
  it.each([
    { axes: [0, 1, 2], reversed: [] },
    { axes: [2, 1, 0], reversed: [] },
    { axes: [1, 2, 0], reversed: [true] },
    { axes: [2, 0, 1], reversed: [true, false, true] },
  ])('order slots by $axes, backwards along $reversed, and come back as they were', ({ axes, reversed }) => {
    const keys = slotKeys(sides, perRouter, axes, reversed);
    const encoded = all.slice();
    expect(encodeSlots(keys, encoded, neverCancelled)).toBe(true);
    const at = (slot: number, axis: number): number => {
      const stride = sides.slice(0, axis).reduce((product, side) => product * side, perRouter);
      const coordinate = Math.floor(slot / stride) % sides[axis]!;
      return (reversed as readonly boolean[])[axis] === true ? -coordinate : coordinate;
    };
    const ordered = [...all].sort((one, other) => {
      for (const axis of axes) if (at(one, axis) !== at(other, axis)) return at(one, axis) - at(other, axis);
      return one - other;
    });
    expect([...all].sort((one, other) => encoded[one]! - encoded[other]!)).toEqual(ordered);
    expect(decodeKeys(keys, encoded, neverCancelled)).toBe(true);
    expect(encoded).toEqual(all);
  });

  it.each([
    { what: 'few', count: 3 },
    { what: 'many', count: 40_000 },
    { what: 'all', count: 65_536 },
  ])('are sorted: $what', ({ count }) => {
    const numbers = Int32Array.from({ length: 65_536 }, (_, number) => number);
    shuffle(numbers, seededRandom(count));
    const some = numbers.slice(0, count);
    const expected = some.toSorted();
    expect(sortDistinct(some, numbers.length, neverCancelled)).toBe(true);
    expect(some).toEqual(expected);
  });

  it('are told from those that are not there', () => {
    const marks = markedIn(Int32Array.of(0, 31, 32, 63), 70, neverCancelled)!;
    expect([...new Array(70).keys()].filter((number) => isMarked(marks, number))).toEqual([0, 31, 32, 63]);
  });

  it('are left when nobody wants them any more', () => {
    const large = Int32Array.from({ length: 2 ** 18 }, (_, number) => number);
    const stopped = { isCancelled: () => true };
    const keys = slotKeys([2 ** 18], 1, [0]);
    expect(encodeSlots(keys, large, stopped)).toBe(false);
    expect(sortDistinct(large, large.length, stopped)).toBe(false);
    expect(markedIn(large, large.length, stopped)).toBeUndefined();
  });
});
