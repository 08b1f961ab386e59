import { expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { consecutive } from './slotOrders.ts';

it.each([
  { what: 'nodes in any order', nodes: [7, 2, 11, 5], cores: 1, taken: 0, slots: [2, 5, 7, 11] },
  { what: 'fewer tasks than nodes', nodes: [9, 8, 3], cores: 1, taken: 0, tasks: 2, slots: [3, 8] },
  { what: 'cores, some of them taken', nodes: [4, 1], cores: 3, taken: 1, slots: [4, 5, 13, 14] },
])('consecutive takes slots in ascending order: $what', ({ nodes, cores, taken, tasks, slots }) => {
  const machine = gridMachine('torus', [4, 3], { cores });
  const taskCount = tasks ?? slots.length;
  const problem = problemOn(machine, { nodes, takenCores: taken, taskCount });
  expect([...mapWith(consecutive, problem).mapping]).toEqual(slots);
});
