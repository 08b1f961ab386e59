import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { coordinatesOf, stridesOf, volumeOf } from '../../model/shape.ts';
import { allCorners, corner, CornerWalk } from './corner.ts';

const entries = [corner, allCorners].map((entry) => [entry.name, entry] as const);

describe.each(entries)('%s', (_, entry) => {
  it('starts from the corner of the ranks, wherever in the machine they are', () => {
    const here = problemOn(gridMachine('mesh', [6, 6]), { grid: [3, 2], nodes: [0, 1, 7, 12, 14, 8] });
    const offset = 3 * 6 + 2;
    const there = { ...here, slots: here.slots.map((slot) => slot + offset) };
    expect(mapWith(entry, there).mapping.map((slot) => slot - offset)).toEqual(mapWith(entry, here).mapping);
  });
});

describe('all-corners', () => {
  it('gives the eight corners of a box of ranks to the eight corners of the job', () => {
    const ends = [0, 3].flatMap((z) => [0, 3].flatMap((y) => [0, 3].map((x) => x + 4 * y + 16 * z)));
    const inside = [21, 22, 25, 26];
    const problem = problemOn(gridMachine('mesh', [4, 4, 4]), { grid: [2, 2, 3], nodes: [...inside, ...ends] });
    const { mapping } = mapWith(allCorners, problem, { options: { rotate: 'no' } });
    // The corners of 2 x 2 x 3 tasks are its first and its last plane.
    expect([0, 1, 2, 3, 8, 9, 10, 11].map((task) => mapping[task])).toEqual(ends);
  });
});

describe('the walk from a corner', () => {
  const shapes = [[1], [7], [4, 3], [1, 5], [3, 1, 4], [2, 3, 4], [3, 2, 2, 3]];
  const cases = shapes.flatMap((sides) =>
    Array.from({ length: 2 ** sides.length }, (_, corner) => ({
      sides,
      high: sides.map((__, axis) => ((corner >> axis) & 1) === 1),
    })),
  );
  it.each(cases)('takes the tasks of $sides by their distance, high on $high', ({ sides, high }) => {
    const tasks = [...new Array(volumeOf(sides)).keys()];
    const distance = tasks.map((task) => {
      const at = sides.map(() => 0);
      coordinatesOf(sides, task, at);
      return at.reduce((sum, position, axis) => sum + (high[axis] ? sides[axis]! - 1 - position : position), 0);
    });
    const walk = new CornerWalk({ sides, strides: stridesOf(sides) }, high);
    const walked = tasks.map((task) => {
      if (task > 0) walk.advance();
      return walk.task;
    });
    expect(walked).toEqual(tasks.toSorted((one, other) => distance[one]! - distance[other]! || one - other));
  });
});
