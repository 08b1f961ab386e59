import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import type { MapperEntry, MappingProblem } from '../contract.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { blocked, cyclic } from './slotOrders.ts';

/** Nodes 2, 0 and 1 of four cores each; an earlier job holds two cores of node 2 and three of node 0. */
const unequal: MappingProblem = {
  ...problemOn(gridMachine('mesh', [3], { cores: 4 }), { nodes: [2, 0, 1], taskCount: 6 }),
  slots: Int32Array.of(8, 11, 2, 4, 5, 6, 7),
};
const oneCore = problemOn(gridMachine('mesh', [4]), { nodes: [3, 1, 2], taskCount: 3 });

describe('blocked and cyclic', () => {
  const cases: readonly (readonly [string, MapperEntry, MappingProblem, readonly number[]])[] = [
    ['blocked fills node after node in the order of the allocation', blocked, unequal, [8, 11, 2, 4, 5, 6]],
    ['cyclic goes round from the emptiest node, and past nodes that are full', cyclic, unequal, [4, 8, 2, 5, 11, 6]],
    ['blocked takes one-core nodes as they are allocated', blocked, oneCore, [3, 1, 2]],
    ['cyclic does the same there', cyclic, oneCore, [3, 1, 2]],
  ];
  it.each(cases)('%s', (_, entry, problem, expected) => {
    expect([...mapWith(entry, problem).mapping]).toEqual(expected);
  });

  it('cyclic goes on with the next node, job after job', () => {
    const machine = gridMachine('mesh', [4], { cores: 4 });
    const nodes = [0, 1, 2, 3];
    const whole = problemOn(machine, { nodes, taskCount: 6 });
    const taken = mapWith(cyclic, whole).mapping;
    expect([...taken]).toEqual([0, 4, 8, 12, 1, 5]);
    const rest = { ...whole, slots: whole.slots.filter((slot) => !taken.includes(slot)) };
    expect([...mapWith(cyclic, rest).mapping]).toEqual([9, 13, 2, 6, 10, 14]);
  });
});
