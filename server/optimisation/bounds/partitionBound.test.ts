import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { Shape } from '../../model/shape.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { stencilTraffic } from '../../traffic/build.ts';
import type { MappingProblem } from '../problem/searchProblem.ts';
import { problemOn, randomTraffic } from '../testing/problems.ts';
import { gridInOrder, mostEdges, distanceLevels, partitionBound } from './partitionBound.ts';
import { leastSum } from '../testing/exhaustive.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

/** In bytes · hops. */
function boundOf(problem: MappingProblem): number {
  const core = searchProblemOf(problem);
  const grid = gridInOrder(problem.job.grid, problem.job.taskCount);
  return core.weightUnit * core.costs.unit * partitionBound(core, grid, neverCancelled)!;
}

type Offsets = readonly (readonly [offset: readonly number[], weight: number])[];

/** Every task sends to those at the offsets, both ways. */
function gridProblem(machine: Machine, grid: Shape, offsets: Offsets, periodic = false): MappingProblem {
  const both = offsets.flatMap(([offset, weight]) => [
    { offset, weight },
    { offset: offset.map((steps) => -steps), weight },
  ]);
  const traffic = stencilTraffic({ name: 'both', dimensions: grid.length, offsets: both }, grid, periodic, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return problemOn(machine, { grid, traffic: traffic.value });
}

const cluster = (count: number, cores: number) => networkMachine('cluster', { count, cores });
const tree = (k: number, n: number, cores = 1) => networkMachine('fat-tree', { options: { k, n }, cores });
const axes = (dimensions: number): Offsets =>
  Array.from({ length: dimensions }, (_, axis) => [
    Array.from({ length: dimensions }, (__, at) => (at === axis ? 1 : 0)),
    1,
  ]);

describe('what must leave groups', () => {
  const grids: readonly { grid: Shape; offsets: Offsets; periodic?: boolean }[] = [
    { grid: [8], offsets: axes(1) },
    { grid: [8], offsets: axes(1), periodic: true },
    {
      grid: [8],
      offsets: [
        [[1], 3],
        [[2], 1],
      ],
    },
    {
      grid: [8],
      offsets: [
        [[1], 1],
        [[3], 2],
      ],
      periodic: true,
    },
    { grid: [7], offsets: [[[2], 5]], periodic: true },
    { grid: [4, 2], offsets: axes(2) },
    {
      grid: [4, 2],
      offsets: [
        [[1, 0], 9],
        [[0, 1], 1],
      ],
    },
    {
      grid: [4, 2],
      offsets: [
        [[1, 0], 1],
        [[0, 1], 1],
        [[1, 1], 1],
        [[1, -1], 1],
      ],
    },
    {
      grid: [3, 2],
      offsets: [
        [[1, 1], 2],
        [[1, 0], 1],
      ],
      periodic: true,
    },
    {
      grid: [4, 2],
      offsets: [
        [[1, 1], 2],
        [[1, -1], 1],
      ],
      periodic: true,
    },
    { grid: [2, 2, 2], offsets: axes(3) },
    { grid: [2, 2, 2], offsets: axes(3), periodic: true },
    { grid: [2, 2, 2], offsets: [...axes(3), [[1, 1, 1], 4]] },
  ];
  const machines: readonly (readonly [string, Machine])[] = [
    ['nodes of 2 cores', cluster(4, 2)],
    ['nodes of 3 cores', cluster(3, 3)],
    ['nodes of 4 cores', cluster(2, 4)],
    ['a tree of three tiers', tree(2, 3)],
    ['a tree of two tiers and 2 cores', tree(2, 2, 2)],
    ['a dragonfly', networkMachine('dragonfly', { options: { p: 1, a: 2, h: 1 } })],
    ['a dragonfly of 2 cores', networkMachine('dragonfly', { options: { p: 1, a: 2, h: 1 }, cores: 2 })],
  ];

  it.each(machines)('is never more than the best mapping sends: %s', (_, machine) => {
    let above = 0;
    for (const { grid, offsets, periodic } of grids) {
      const taskCount = grid.reduce((product, side) => product * side, 1);
      if (taskCount > machine.slotCount || machine.slotCount > 9) continue;
      const problem = gridProblem(machine, grid, offsets, periodic);
      const bound = boundOf(problem);
      expect(bound, `${grid.join(' x ')} ${JSON.stringify(offsets)}`).toBeLessThanOrEqual(
        leastSum(searchProblemOf(problem)),
      );
      if (bound > 0) above++;
    }
    for (let seed = 1; seed <= 12; seed++) {
      const taskCount = Math.min(7, machine.slotCount) - (seed % 2);
      const traffic = randomTraffic(taskCount, taskCount * (1 + (seed % 4)), seed, 1 + 20 * (seed % 3));
      const nodes = Array.from(
        { length: Math.min(machine.nodeCount, Math.floor(8 / machine.coresPerNode)) },
        (_node, node) => node,
      );
      if (nodes.length * machine.coresPerNode < taskCount) continue;
      const problem = problemOn(machine, { taskCount, traffic, nodes });
      const bound = boundOf(problem);
      expect(bound, `seed ${seed}`).toBeLessThanOrEqual(leastSum(searchProblemOf(problem)));
      if (bound > 0) above++;
    }
    expect(above).toBeGreaterThan(4);
  });

  it.each([
    { what: '4 x 4 in nodes of 2 x 2', machine: cluster(4, 4), grid: [4, 4], least: 2 * 2 * 8 },
    { what: '6 x 6 in nodes of 3 x 3', machine: cluster(4, 9), grid: [6, 6], least: 2 * 2 * 12 },
    { what: '4 x 4 x 4 in nodes of 2 x 2 x 2', machine: cluster(8, 8), grid: [4, 4, 4], least: 2 * 2 * 48 },
    { what: '8 x 8 x 8 in nodes of 2 x 2 x 4', machine: cluster(32, 16), grid: [8, 8, 8], least: 2 * 2 * 448 },
    { what: '8 x 8 in halves', machine: cluster(2, 32), grid: [8, 8], least: 2 * 2 * 8 },
    { what: 'a round 8 x 8 in halves', machine: cluster(2, 32), grid: [8, 8], periodic: true, least: 2 * 2 * 16 },
    {
      what: 'a round 6 x 6 x 6 in halves',
      machine: cluster(2, 108),
      grid: [6, 6, 6],
      periodic: true,
      least: 2 * 2 * 72,
    },
    { what: '8 x 8 x 8 in boxes in boxes of a tree', machine: tree(2, 5, 16), grid: [8, 8, 8], least: 2 * 2304 },
  ])('is what the best boxes send: $what', ({ machine, grid, periodic, least }) => {
    expect(boundOf(gridProblem(machine, grid, axes(grid.length), periodic))).toBe(least);
  });

  it('says something of the largest tree: 32 x 32 x 32 on 4,096 nodes of 8 cores', () => {
    const machine = tree(16, 3, 8);
    expect(
      distanceLevels(searchProblemOf(problemOn(machine, { taskCount: 1, traffic: randomTraffic(1, 0, 1) }))),
    ).toEqual([
      { capacity: 8, groups: 4096, step: 2 },
      { capacity: 128, groups: 256, step: 2 },
      { capacity: 2048, groups: 16, step: 2 },
    ]);
    const problem = gridProblem(machine, [32, 32, 32], axes(3));
    // Nested boxes, 2 x 2 x 2 in 4 x 4 x 8 in 16 x 16 x 8, send 2 · 2 bytes over the faces of each.
    const faces = (x: number, y: number, z: number) => 32 ** 2 * (32 / x + 32 / y + 32 / z - 3);
    const boxes = 4 * (faces(2, 2, 2) + faces(4, 4, 8) + faces(16, 16, 8));
    const bound = boundOf(problem);
    expect(bound / boxes).toBeGreaterThan(0.85);
    expect(bound).toBeLessThanOrEqual(boxes);
  });
});

describe('the most edges between points of a grid', () => {
  // The least surface of so many cubes: sequence A075777 of the On-Line Encyclopedia of Integer Sequences.
  const surfaces = [6, 10, 14, 16, 20, 22, 24, 24, 28, 30, 32, 32, 36, 38, 40, 40, 42, 42, 46, 48];
  it.each([
    { dimensions: 1, of: (points: number) => points - 1 },
    // Harary and Harborth 1976.
    { dimensions: 2, of: (points: number) => 2 * points - Math.ceil(2 * Math.sqrt(points)) },
    { dimensions: 3, of: (points: number) => 3 * points - surfaces[points - 1]! / 2 },
  ])('is known in $dimensions dimensions', ({ dimensions, of }) => {
    const points = surfaces.map((_, index) => index + 1);
    expect(points.map((count) => mostEdges(dimensions, count))).toEqual(points.map(of));
  });
});
