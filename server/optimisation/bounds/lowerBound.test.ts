import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { Traffic } from '../../model/traffic.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { autonet, networkMachine } from '../../network/testing/networkMachines.ts';
import type { MappingProblem } from '../problem/searchProblem.ts';
import { problemOn, trafficOf, type ProblemOptions } from '../testing/problems.ts';
import { lowerBound } from './lowerBound.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

const boundOf = (problem: MappingProblem) => lowerBound(searchProblemOf(problem), problem.machine, neverCancelled);

describe('a bound worked out by hand', () => {
  it.each<{ what: string; machine: Machine; options: ProblemOptions; value: number; name: string }>([
    {
      what: 'neighbours on their own torus cost one link each',
      machine: gridMachine('torus', [4, 4, 4]),
      options: { grid: [4, 4, 4] },
      value: 288,
      name: 'edge',
    },
    {
      what: 'neighbours on their own mesh do so too, although its corners have few',
      machine: gridMachine('mesh', [3, 4]),
      options: { grid: [3, 4] },
      value: 34,
      name: 'shell',
    },
    {
      what: 'two tasks on two nodes are three links apart',
      machine: gridMachine('mesh', [6]),
      options: { nodes: [1, 4], traffic: trafficOf(2, [[0, 1, 5]]), taskCount: 2 },
      value: 15,
      name: 'edge',
    },
    {
      what: 'a line over a gap of three links: ends (1 + 3) and inner tasks (2 + 3) of two bytes, halved; the best is 10',
      machine: gridMachine('mesh', [6]),
      options: { nodes: [0, 1, 2, 5], grid: [4] },
      value: 9,
      name: 'shell',
    },
    {
      what: 'all to all on a ring of five: every pair of nodes is met, 15 links',
      machine: gridMachine('torus', [5]),
      options: { traffic: randomlyOrderedPairs(5), taskCount: 5 },
      value: 15,
      name: 'shell',
    },
    {
      what: 'two tasks in one node cost nothing, whatever they say',
      machine: gridMachine('torus', [4], { cores: 2 }),
      options: { taskCount: 2 },
      value: 0,
      name: 'none',
    },
    {
      what: 'hosts have links of their own, so that neighbours on one switch are two links apart',
      machine: networkMachine('cluster', { count: 4 }),
      options: { taskCount: 4 },
      value: 12,
      name: 'edge',
    },
    {
      what: 'a workstation of Autonet has one other on its switch, then one link more',
      machine: autonet(2),
      options: {
        taskCount: 3,
        traffic: trafficOf(3, [
          [0, 1, 4],
          [0, 2, 4],
          [1, 2, 4],
        ]),
      },
      value: 30,
      name: 'shell',
    },
  ])('$what', ({ machine, options, value, name }) => {
    expect(boundOf(problemOn(machine, options))).toMatchObject({ value, name });
  });
});

/** One byte between any two tasks, whichever way. */
function randomlyOrderedPairs(taskCount: number): Traffic {
  const entries: [number, number, number][] = [];
  for (let from = 0; from < taskCount; from++) {
    for (let to = from + 1; to < taskCount; to++) entries.push((from + to) % 2 === 0 ? [from, to, 1] : [to, from, 1]);
  }
  return trafficOf(taskCount, entries);
}

it('is 0 where it was cancelled', () => {
  const problem = problemOn(gridMachine('torus', [5, 5]), { nodes: [0, 3, 9, 12, 20] });
  const bound = lowerBound(searchProblemOf(problem), problem.machine, { isCancelled: () => true });
  expect(bound).toMatchObject({ value: 0, name: 'none' });
});
