import { describe, expect, it } from 'vitest';
import type { Shape } from '../../model/shape.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { contextFor, mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { standardBlock, grouping } from './grouping.ts';

const fourCores = gridMachine('torus', [4], { cores: 4 });

/** Task at each slot, in the order of the allocation. */
function dealt(grid: Shape, block?: Shape, nodes?: readonly number[]): number[] {
  const problem = problemOn(fourCores, { grid, ...(nodes === undefined ? {} : { nodes }) });
  const { mapping } = mapWith(grouping, problem, { options: block === undefined ? {} : { block } });
  return [...problem.slots.slice(0, mapping.length)].map((slot) => mapping.indexOf(slot));
}

describe('the standard block', () => {
  it.each([
    { what: 'the paper has it for sixteen cores', grid: [32, 64, 32], cores: 16, block: [2, 2, 4] },
    { what: 'the most cubic one', grid: [8, 8, 8], cores: 8, block: [2, 2, 2] },
    { what: 'one that divides the grid before a more cubic one', grid: [3, 9, 16], cores: 16, block: [1, 1, 16] },
    { what: 'one that fits into the grid', grid: [2, 32], cores: 16, block: [2, 8] },
    { what: 'the whole grid in a large node', grid: [3, 5], cores: 16, block: [3, 5] },
    { what: 'a line where none fits', grid: [4, 6], cores: 7, block: [1, 6] },
    { what: 'a line of a line', grid: [12], cores: 8, block: [8] },
    { what: 'single tasks on single cores', grid: [5, 4], cores: 1, block: [1, 1] },
  ])('is as $what', ({ grid, cores, block }) => {
    expect(standardBlock(grid, cores)).toEqual(block);
  });
});

describe('grouping', () => {
  it.each([
    { what: 'blocks that fill nodes', grid: [4, 4], tasks: [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15] },
    { what: 'smaller blocks at the edges', grid: [3, 3], block: [2, 2], tasks: [0, 1, 3, 4, 2, 5, 6, 7, 8] },
    { what: 'blocks cut off at the grid', grid: [3, 2], block: [2, 9], tasks: [0, 1, 3, 4, 2, 5] },
    { what: 'sides of 1 where the block names fewer', grid: [4, 2], block: [2], tasks: [0, 1, 2, 3, 4, 5, 6, 7] },
    { what: 'further sides of 1', grid: [4], block: [2, 1, 1], tasks: [0, 1, 2, 3] },
  ])('deals $what', ({ grid, block, tasks }) => {
    expect(dealt(grid, block)).toEqual(tasks);
  });

  it('goes by the order of the allocation', () => {
    expect(dealt([4, 2], [2, 2], [3, 1])).toEqual([0, 1, 4, 5, 2, 3, 6, 7]);
    expect([...mapWith(grouping, problemOn(fourCores, { grid: [4, 2], nodes: [3, 1] })).mapping].slice(0, 3)).toEqual([
      12, 13, 4,
    ]);
  });

  it('fills what is left of the nodes', () => {
    const problem = problemOn(fourCores, { grid: [2, 4], takenCores: 2 });
    // Two slots per node: blocks of 1 x 2.
    expect([...mapWith(grouping, problem).mapping]).toEqual([2, 6, 3, 7, 10, 14, 11, 15]);
  });

  it.each([
    { block: [3, 1], note: 'Blocks of 3 x 1 do not divide the grid of 4 x 4, so some straddle two nodes.' },
    { block: [1, 1], note: undefined },
    { block: [4, 2], note: undefined },
  ])('says where blocks of $block straddle nodes', ({ block, note }) => {
    expect(mapWith(grouping, problemOn(fourCores, { grid: [4, 4] }), { options: { block } }).notes[0]).toBe(note);
  });

  it('says where blocks divide the grid and do not fill nodes', () => {
    const problem = problemOn(fourCores, { grid: [3, 4] });
    expect(mapWith(grouping, problem, { options: { block: [3, 2] } }).notes).toEqual([
      'Blocks of 3 x 2 do not fill nodes that offer 4 slots, so some straddle two nodes.',
    ]);
  });

  it.each([
    {
      grid: [4, 4],
      block: [2, 2, 4],
      message: 'Block `2 x 2 x 4` has 3 sides, and job `job` is a grid of 4 x 4: give a block of 2 sides.',
    },
    {
      grid: undefined,
      block: [2, 2],
      message: 'Block `2 x 2` has 2 sides, and job `job` has no grid: its tasks are a line: give a block of one side.',
    },
  ])('refuses a block of $block with more axes than the job', ({ grid, block, message }) => {
    const problem = problemOn(fourCores, grid === undefined ? {} : { grid });
    expect(grouping.map(problem, contextFor(grouping, { options: { block } }))).toEqual({
      ok: false,
      failure: { code: 'invalid-shape', message },
    });
  });
});
