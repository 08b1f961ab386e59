import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { problemOn, trafficOf } from '../testing/problems.ts';
import { gilmoreLawlerBound, shellBound, edgeBound, roomAtNoCost } from './partnerBounds.ts';
import { nearestCosts } from './nearestCosts.ts';
import { randomSolvedProblems } from './testing/smallProblems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

describe('the bound of Gilmore and Lawler', () => {
  it('is no higher than the best of all mappings, and no lower than the shells', () => {
    let higher = 0;
    for (const { problem, core, least } of randomSolvedProblems(43, 200)) {
      const nearest = nearestCosts(core, problem.machine, core.graph.taskCount, neverCancelled)!;
      const shells = shellBound(core.graph, nearest, neverCancelled)!;
      const bound = gilmoreLawlerBound(core.graph, nearest, neverCancelled);
      if (bound === undefined) {
        expect(nearest.rowCount).toBe(1);
        continue;
      }
      expect(bound).toBeLessThanOrEqual(least);
      expect(bound).toBeGreaterThanOrEqual(shells);
      if (bound > shells) higher++;
    }
    expect(higher).toBeGreaterThan(5);
  });

  it('knows that a task cannot be near to one place and far from another at once', () => {
    // Nodes 0, 1 and 4 of a line. Whoever is on 4 is three links from the rest: task 2, which says least. Then 7 · 1
    // for
    // the pair 0-1, and half of 1 · 3 + 1 · 3 for the pair 1-2, seen from both ends.
    const line = problemOn(gridMachine('mesh', [5]), {
      taskCount: 3,
      nodes: [0, 1, 4],
      traffic: trafficOf(3, [
        [0, 1, 7],
        [1, 2, 1],
      ]),
    });
    const core = searchProblemOf(line);
    const nearest = nearestCosts(core, line.machine, 2, neverCancelled)!;
    expect(gilmoreLawlerBound(core.graph, nearest, neverCancelled)).toBe(10);
  });

  it('stops when it is cancelled', () => {
    const core = searchProblemOf(problemOn(gridMachine('mesh', [5])));
    const nearest = nearestCosts(core, gridMachine('mesh', [5]), 2, neverCancelled)!;
    expect(gilmoreLawlerBound(core.graph, nearest, { isCancelled: () => true })).toBeUndefined();
  });
});

type Edges = readonly (readonly [number, number, number])[];

describe('the edge bound', () => {
  it.each<{ what: string; tasks: number; edges: Edges; room: number; least: number; value: number }>([
    {
      what: 'a line cut in two',
      tasks: 4,
      edges: [
        [0, 1, 5],
        [1, 2, 2],
        [2, 3, 5],
      ],
      room: 2,
      least: 1,
      value: 2,
    },
    {
      what: 'a line that fits',
      tasks: 3,
      edges: [
        [0, 1, 5],
        [1, 2, 2],
      ],
      room: 3,
      least: 1,
      value: 0,
    },
    {
      what: 'no more than the lightest edge of a ring',
      tasks: 3,
      edges: [
        [0, 1, 3],
        [1, 2, 1],
        [0, 2, 2],
      ],
      room: 2,
      least: 1,
      value: 1,
    },
    {
      what: 'the lightest two, which close no ring',
      tasks: 3,
      edges: [
        [0, 1, 3],
        [1, 2, 1],
        [0, 2, 2],
      ],
      room: 1,
      least: 2,
      value: 6,
    },
    {
      what: 'each part by itself',
      tasks: 6,
      edges: [
        [0, 1, 1],
        [1, 2, 1],
        [3, 4, 4],
        [4, 5, 9],
      ],
      room: 2,
      least: 1,
      value: 5,
    },
    { what: 'tasks without partners', tasks: 5, edges: [[0, 1, 7]], room: 2, least: 1, value: 0 },
  ])('is right for $what', ({ tasks, edges, room, least, value }) => {
    const core = searchProblemOf(
      problemOn(gridMachine('mesh', [8]), { taskCount: tasks, traffic: trafficOf(tasks, edges) }),
    );
    expect(edgeBound(core.graph, room, least)).toBe(value);
  });

  it('is no higher than the best of all mappings', () => {
    let positive = 0;
    for (const { core, least } of randomSolvedProblems(47, 200)) {
      const bound = edgeBound(core.graph, roomAtNoCost(core), 1);
      expect(bound).toBeLessThanOrEqual(least);
      if (bound > 0) positive++;
    }
    expect(positive).toBeGreaterThan(50);
  });
});

describe('the room at no cost', () => {
  it.each([
    { what: 'a node of one core', machine: gridMachine('torus', [4]), room: 1 },
    { what: 'the cores of a node', machine: gridMachine('torus', [4], { cores: 3 }), room: 3 },
    { what: 'all nodes of a router', machine: gridMachine('torus', [4], { cores: 3, hosts: 2 }), room: 6 },
  ])('is that of $what', ({ machine, room }) => {
    expect(roomAtNoCost(searchProblemOf(problemOn(machine)))).toBe(room);
  });

  it('counts the cores that are free alone', () => {
    const machine = gridMachine('torus', [4], { cores: 3, hosts: 2 });
    expect(roomAtNoCost(searchProblemOf(problemOn(machine, { taskCount: 4, nodes: [0, 2, 3], takenCores: 1 })))).toBe(
      4,
    );
  });
});
