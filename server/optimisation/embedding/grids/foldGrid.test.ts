import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import type { Shape } from '../../../model/shape.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import { networkMachine } from '../../../network/testing/networkMachines.ts';
import { mappingCost } from '../../problem/searchProblem.ts';
import { problemOn, type ProblemOptions } from '../../testing/problems.ts';
import { gridTraffic, type GridOptions, renumbered } from '../testing/graphs.ts';
import { foldGrid } from './foldGrid.ts';
import { searchProblemOf } from '../../testing/searchProblem.ts';
import { isSlowSuite } from '../../../model/testing/thoroughness.ts';

const torus = (...sides: number[]) => gridMachine('torus', sides);
const mesh = (...sides: number[]) => gridMachine('mesh', sides);

/** Mean hops of a pair of partners; NaN where nothing was folded. */
function foldedHops(sides: Shape, options: GridOptions, machine: Machine, problem: ProblemOptions = {}): number {
  const traffic = renumbered(gridTraffic(sides, options), 11);
  const search = searchProblemOf(problemOn(machine, { ...problem, taskCount: traffic.taskCount, traffic }));
  const folded = foldGrid(search, neverCancelled);
  if (folded === undefined) return NaN;
  expect(new Set(folded.placeOfTask).size).toBe(traffic.taskCount);
  const bytes = search.graph.weight.reduce((sum, own) => sum + own, 0) / 2;
  return mappingCost(search, folded.placeOfTask) / bytes;
}

const box = (machineSides: Shape, from: Shape, sides: Shape): number[] => {
  const nodes: number[] = [];
  const total = sides.reduce((product, side) => product * side, 1);
  for (let index = 0; index < total; index++) {
    let rest = index;
    let node = 0;
    let stride = 1;
    for (const [axis, side] of sides.entries()) {
      node += (((rest % side) + from[axis]!) % machineSides[axis]!) * stride;
      stride *= machineSides[axis]!;
      rest = Math.floor(rest / side);
    }
    nodes.push(node);
  }
  return nodes;
};

describe('a grid whose tasks are numbered at random costs one hop a pair', () => {
  const cases: [string, Shape, GridOptions, Machine, ProblemOptions?][] = [
    ['on a torus of its shape', [8, 8, 8], {}, torus(8, 8, 8)],
    ['turned', [3, 5, 4], {}, mesh(5, 4, 3)],
    ['round a torus', [6, 5], { periodic: true }, torus(5, 6)],
    ['round rings of four, which are squares', [4, 8], { periodic: true }, torus(8, 4)],
    ['a path in a mesh', [60], {}, mesh(3, 4, 5)],
    ['a ring in a mesh', [64], { periodic: true }, mesh(8, 8)],
    ['in a hypercube', [8, 4, 16], {}, gridMachine('hypercube', [9])],
    ['a corner of a larger machine', [4, 3], {}, torus(7, 6)],
    ['a folded line of sides', [12, 4], {}, mesh(4, 4, 3)],
    ['a box that wraps', [4, 3], {}, torus(7, 6), { nodes: box([7, 6], [5, 4], [4, 3]) }],
  ];
  it.each(cases)('%s', (_, sides, options, machine, problem) => {
    expect(foldedHops(sides, options, machine, problem)).toBe(1);
  });
});

describe('a grid that does not fit as it is', () => {
  type Case = [string, Shape, GridOptions, Machine, number];
  const large: Case[] = [
    ['64 x 64 with diagonals in 16 x 16 x 16', [64, 64], { diagonals: true }, torus(16, 16, 16), 1.555],
    ['64 x 64 in 16 x 16 x 16', [64, 64], {}, torus(16, 16, 16), 1.05],
  ];
  const cases: Case[] = [
    ...(isSlowSuite() ? large : []),
    ['24 x 24 with diagonals in 8 x 8 x 9', [24, 24], { diagonals: true }, torus(8, 8, 9), 1.6],
    ['8 x 8 x 8 round a mesh: two links but at the ends', [8, 8, 8], { periodic: true }, mesh(8, 8, 8), 1.75],
    ['24 x 24 in 8 x 8 x 9', [24, 24], {}, torus(8, 8, 9), 1.06],
    ['30 x 30 in 10 x 10 x 10, with places left', [30, 30], {}, torus(10, 10, 10), 1.05],
    ['blocks of 2 x 2 in nodes of four cores', [12, 8], {}, gridMachine('mesh', [6, 4], { cores: 4 }), 88 / 172],
  ];
  it.each(cases)('%s', (_, sides, options, machine, most) => {
    expect(foldedHops(sides, options, machine)).toBeLessThanOrEqual(most);
  });
});

describe('nothing is folded', () => {
  const cases: [string, Shape, Machine, ProblemOptions?][] = [
    ['into scattered nodes', [2, 2], torus(4, 4), { nodes: [0, 5, 6, 11] }],
    ['where the sides do not divide', [5, 5], mesh(3, 9)],
    ['into a machine without coordinates', [2, 2], networkMachine('fat-tree', { options: { k: 2, n: 2 } })],
  ];
  it.each(cases)('%s', (_, sides, machine, problem) => {
    expect(foldedHops(sides, {}, machine, problem)).toBeNaN();
  });
});

it('is named after the sides', () => {
  const search = searchProblemOf(problemOn(torus(4, 4), { taskCount: 16, traffic: gridTraffic([16]) }));
  expect(foldGrid(search, neverCancelled)?.name).toBe('16 folded into 4 x 4');
});

it('stops where it is cancelled', () => {
  const search = searchProblemOf(problemOn(torus(4, 4), { taskCount: 16, traffic: gridTraffic([16]) }));
  expect(foldGrid(search, { isCancelled: () => true })).toBeUndefined();
});
