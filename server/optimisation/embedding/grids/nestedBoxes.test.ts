import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../model/machine.ts';
import { neverCancelled } from '../../../model/cancellation.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import { networkMachine } from '../../../network/testing/networkMachines.ts';
import { mappingCost } from '../../problem/searchProblem.ts';
import { problemOn } from '../../testing/problems.ts';
import { nestedBoxes } from './nestedBoxes.ts';
import { searchProblemOf } from '../../testing/searchProblem.ts';

function laid(machine: Machine, grid: readonly number[]) {
  const problem = searchProblemOf(problemOn(machine, { grid }));
  const boxes = nestedBoxes(problem, neverCancelled);
  return boxes && { ...boxes, value: mappingCost(problem, boxes.placeOfTask) };
}

const fatTree = (k: number, n: number, cores: number) => networkMachine('fat-tree', { options: { k, n }, cores });

describe('boxes in boxes', () => {
  it.each([
    // A pair of neighbours sends two bytes: 2 hops each within a leaf, 4 beyond. On 8 x 8 the 64 pairs between
    // boxes of 2 x 2 go 2 links at least; 16 of them leave boxes of 4 x 4, the best for 16 tasks.
    ['8 x 8 on a fat tree of 4-core nodes', fatTree(4, 2, 4), [8, 8], 2 * (2 * 48 + 2 * 16), '2 x 2 in 4 x 4'],
    // 2 x 2 x 2 in a node: 3 planes of 64 pairs along each axis; in a leaf of 8 nodes 4 x 4 x 4: one plane of each.
    [
      '8 x 8 x 8 on a fat tree of 8-core nodes',
      fatTree(8, 2, 8),
      [8, 8, 8],
      2 * 3 * (3 * 64 * 2 + 64 * 2),
      '2 x 2 x 2 in 4 x 4 x 4',
    ],
    ['4 x 4 under one switch', networkMachine('cluster', { count: 4, cores: 4 }), [4, 4], 2 * 8 * 2, '2 x 2'],
  ] as const)('lay %s as well as it can be', (_, machine, grid, value, name) => {
    expect(laid(machine, grid)).toMatchObject({ value, name });
  });

  it.each([
    ['a torus of one core each, which is no hierarchy', gridMachine('torus', [4, 4]), [4, 4]],
    ['fewer tasks than places', networkMachine('cluster', { count: 4, cores: 4 }), [3, 4]],
    ['sides that do not divide', networkMachine('cluster', { count: 5, cores: 4 }), [20, 1].map((side) => side)],
  ] as const)('give each task a place of its own, or nothing: %s', (_, machine, grid) => {
    const found = laid(machine, grid);
    expect(new Set(found?.placeOfTask).size).toBe(found?.placeOfTask.length ?? 0);
  });
});
