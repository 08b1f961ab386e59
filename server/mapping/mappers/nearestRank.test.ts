import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { coordinatesOf, volumeOf } from '../../model/shape.ts';
import type { RankCells } from '../stencils/rankCells.ts';
import { NearestRank } from './overlay.ts';

/** Cells at these places, in this order, with one rank each unless told otherwise. */
function cellsAt(places: readonly (readonly number[])[], ranks: readonly number[] = places.map(() => 1)): RankCells {
  const firstRank = Int32Array.from([0, ...ranks]);
  for (let cell = 1; cell < firstRank.length; cell++) firstRank[cell]! += firstRank[cell - 1]!;
  const coordinates = places[0]!.map((_, axis) => Int32Array.from(places, (place) => place[axis]!));
  return {
    slots: Int32Array.from({ length: firstRank.at(-1)! }, (_, rank) => rank),
    firstRank,
    count: places.length,
    coordinates,
    highest: coordinates.map((positions) => Math.max(...positions)),
  };
}

/** Cells of a line in ascending order; those that are named twice have two ranks. */
function line(...positions: number[]): RankCells {
  const distinct = [...new Set(positions)];
  return cellsAt(
    distinct.map((position) => [position]),
    distinct.map((position) => positions.filter((other) => other === position).length),
  );
}

const taken = (free: NearestRank, ...location: number[]): number =>
  free.takeFrom(free.nearestTo(Int32Array.from(location), -1));

describe('the nearest free rank', () => {
  it.each([
    { what: 'is where it is wanted', positions: [0, 2, 5], wanted: [5, 0], ranks: [2, 0] },
    { what: 'is the first of two equally near ones', positions: [0, 2, 4], wanted: [3, 1], ranks: [1, 0] },
    { what: 'is the first of several at one place', positions: [1, 1, 1], wanted: [1, 1, 1], ranks: [0, 1, 2] },
    { what: 'is found from outside', positions: [0, 1, 2], wanted: [-9, 99, 99], ranks: [0, 2, 1] },
    { what: 'is the only one', positions: [0], wanted: [7], ranks: [0] },
  ])('$what', ({ positions, wanted, ranks }) => {
    const free = new NearestRank(line(...positions));
    expect(wanted.map((position) => taken(free, position))).toEqual(ranks);
  });

  it('is each rank once', () => {
    const random = seededRandom(4);
    const free = new NearestRank(line(...Array.from({ length: 37 }, (_, point) => point >> 1)));
    const all = Array.from({ length: 37 }, () => taken(free, random.integer(20)));
    expect(all.toSorted((a, b) => a - b)).toEqual([...all.keys()]);
  });

  it.each([
    { shape: [23, 17], ranks: 2, share: 1 },
    { shape: [9, 8, 7], ranks: 1, share: 1 },
    { shape: [9, 8, 7], ranks: 3, share: 0.4 },
    { shape: [6, 5, 4, 3], ranks: 1, share: 0.7 },
    { shape: [5, 6, 5, 2, 3, 2], ranks: 2, share: 0.9 },
    { shape: [2, 2, 2, 2, 2, 2, 2, 2], ranks: 1, share: 1 },
  ])('is what a scan of all finds: $shape, $ranks in each place, $share of them', ({ shape, ranks, share }) => {
    const random = seededRandom(volumeOf(shape));
    const places: number[][] = [];
    for (let place = 0; place < volumeOf(shape); place++) {
      const at = shape.map(() => 0);
      coordinatesOf(shape, place, at);
      if (random.integer(100) < 100 * share) places.push(at);
    }
    const cells = cellsAt(
      places,
      places.map(() => ranks),
    );
    const free = new NearestRank(cells);
    const left = places.map(() => ranks);
    // Most are wanted in few places, as where a grid sticks out; each asks with what it knows from before.
    const wanted = Array.from({ length: 5 }, () => shape.map((side) => random.integer(side + 2) - 1));
    const last = wanted.map(() => -1);
    for (let step = 0; step < cells.slots.length; step++) {
      const spot = random.integer(wanted.length + 1);
      const location = wanted[spot] ?? shape.map((side) => random.integer(side));
      const distances = places.map((at, cell) =>
        left[cell] === 0 ? Infinity : at.reduce((sum, position, axis) => sum + Math.abs(position - location[axis]!), 0),
      );
      const expected = distances.indexOf(Math.min(...distances));
      const cell = free.nearestTo(Int32Array.from(location), last[spot] ?? -1);
      expect(cell).toBe(expected);
      if (spot < last.length) last[spot] = cell;
      expect(free.takeFrom(cell)).toBe(cells.firstRank[cell]! + ranks - left[cell]!--);
    }
  });
});
