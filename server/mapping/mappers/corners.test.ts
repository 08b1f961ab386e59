import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { allCorners, corner } from './corner.ts';

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
