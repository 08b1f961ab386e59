import { describe, expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { problemOn, trafficOf } from '../testing/problems.ts';
import { edgeBound, roomAtNoCost } from './edgeBound.ts';
import { randomSolvedProblems } from './testing/smallProblems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

type Edges = readonly (readonly [number, number, number])[];

describe('the edge bound', () => {
  it.each<{ what: string; tasks: number; edges: Edges; room: number; least: number; value: number }>([
    { what: 'a line cut in two', tasks: 4, edges: [[0, 1, 5], [1, 2, 2], [2, 3, 5]], room: 2, least: 1, value: 2 },
    { what: 'a line that fits', tasks: 3, edges: [[0, 1, 5], [1, 2, 2]], room: 3, least: 1, value: 0 },
    { what: 'no more than the lightest edge of a ring', tasks: 3, edges: [[0, 1, 3], [1, 2, 1], [0, 2, 2]], room: 2, least: 1, value: 1 },
    { what: 'the lightest two, which close no ring', tasks: 3, edges: [[0, 1, 3], [1, 2, 1], [0, 2, 2]], room: 1, least: 2, value: 6 },
    { what: 'each part by itself', tasks: 6, edges: [[0, 1, 1], [1, 2, 1], [3, 4, 4], [4, 5, 9]], room: 2, least: 1, value: 5 },
    { what: 'tasks without partners', tasks: 5, edges: [[0, 1, 7]], room: 2, least: 1, value: 0 },
  ])('is right for $what', ({ tasks, edges, room, least, value }) => {
    const core = searchProblemOf(problemOn(gridMachine('mesh', [8]), { taskCount: tasks, traffic: trafficOf(tasks, edges) }));
    expect(edgeBound(core.graph, room, least)).toBe(value);
  }); // prettier-ignore

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
