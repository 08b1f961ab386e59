import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../model/cancellation.ts';
import type { Shape } from '../../../model/shape.ts';
import type { Traffic } from '../../../model/traffic.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import { problemOn } from '../../testing/problems.ts';
import { gridTraffic, type GridOptions, renumbered, trafficOf } from '../testing/graphs.ts';
import type { GridPositions } from './gridProduct.ts';
import { taskGridOf } from './taskGrid.ts';
import { searchProblemOf } from '../../testing/searchProblem.ts';

/** The grid that a job is found to be that says nothing of one. */
function foundIn(traffic: Traffic): GridPositions | undefined {
  const problem = problemOn(gridMachine('mesh', [traffic.taskCount]), { taskCount: traffic.taskCount, traffic });
  return taskGridOf(searchProblemOf(problem), neverCancelled);
}

/** `8 x 4 ring` with sides ascending, whatever order the axes came in. */
const describeGrid = ({ sides, wraps }: GridPositions): string =>
  sides
    .map((side, axis) => `${side}${wraps[axis] ? ' ring' : ''}`)
    .sort((a, b) => parseInt(a) - parseInt(b))
    .join(' x ');

/** Steps of each pair of partners along the axes: sorted, without repeats. */
function stepsOf(traffic: Traffic, { sides, wraps, positions }: GridPositions): string[] {
  const steps = new Set<string>();
  for (let task = 0; task < traffic.taskCount; task++) {
    for (let edge = traffic.rowStart[task]!; edge < traffic.rowStart[task + 1]!; edge++) {
      const apart = positions.map((along, axis) => {
        const straight = Math.abs(along[task]! - along[traffic.partner[edge]!]!);
        return wraps[axis] ? Math.min(straight, sides[axis]! - straight) : straight;
      });
      steps.add(apart.sort((a, b) => b - a).join());
    }
  }
  return [...steps].sort();
}

const withoutDiagonals: [Shape, GridOptions, string][] = [
  [[7], {}, '7'],
  [[2], {}, '2'],
  [[9], { periodic: true }, '9 ring'],
  [[3], { periodic: true }, '3 ring'],
  [[5, 3], {}, '3 x 5'],
  [[2, 2], {}, '2 x 2'],
  [[6, 2], {}, '2 x 6'],
  [[8, 5], { periodic: true }, '5 ring x 8 ring'],
  [[5, 3], { periodic: true }, '3 ring x 5 ring'],
  [[5, 4], { periodic: true }, '2 x 2 x 5 ring'],
  [[4, 3, 5], {}, '3 x 4 x 5'],
  [[2, 3, 2], {}, '2 x 2 x 3'],
  [[6, 5, 7], { periodic: true }, '5 ring x 6 ring x 7 ring'],
  [[2, 2, 2, 2, 2], {}, '2 x 2 x 2 x 2 x 2'],
  [[3, 4, 3, 4], {}, '3 x 3 x 4 x 4'],
];
const withDiagonals: [Shape, GridOptions, string][] = [
  [[5, 4], { diagonals: true }, '4 x 5'],
  [[3, 3], { diagonals: true }, '3 x 3'],
  [[7, 6], { diagonals: true, periodic: true }, '6 ring x 7 ring'],
  [[4, 3, 5], { diagonals: true }, '3 x 4 x 5'],
  [[5, 6, 5], { diagonals: true, periodic: true }, '5 ring x 5 ring x 6 ring'],
];
const axes = (count: number) => Array.from({ length: count }, (_, axis) => axis);
const unit = (count: number, ones: number) =>
  axes(count)
    .map((axis) => (axis < ones ? 1 : 0))
    .join();

describe('a grid whose tasks are numbered at random', () => {
  it.each(withoutDiagonals)('%j %j is recognised as %s', (sides, options, expected) => {
    const traffic = renumbered(gridTraffic(sides, options), 5);
    const grid = foundIn(traffic)!;
    expect(describeGrid(grid)).toBe(expected);
    expect(stepsOf(traffic, grid)).toEqual([unit(grid.sides.length, 1)]);
  });

  it.each(withDiagonals)('%j %j is recognised as %s', (sides, options, expected) => {
    const traffic = renumbered(gridTraffic(sides, options), 6);
    const grid = foundIn(traffic)!;
    expect(describeGrid(grid)).toBe(expected);
    const count = grid.sides.length;
    expect(stepsOf(traffic, grid)).toEqual(
      axes(count)
        .map((ones) => unit(count, ones + 1))
        .sort(),
    );
  });
});

const grid4x4 = gridTraffic([4, 4]);
const pairsOf = ({ taskCount, rowStart, partner }: Traffic) =>
  axes(taskCount).flatMap((task) =>
    [...partner.subarray(rowStart[task], rowStart[task + 1])]
      .filter((other) => other > task)
      .map((other) => [task, other] as const),
  );

describe('what is no grid', () => {
  it.each([
    [
      'a star',
      trafficOf(5, [
        [0, 1],
        [0, 2],
        [0, 3],
        [0, 4],
      ]),
    ],
    [
      'all to all',
      trafficOf(4, [
        [0, 1],
        [0, 2],
        [0, 3],
        [1, 2],
        [1, 3],
        [2, 3],
      ]),
    ],
    [
      'two squares on one pair of corners',
      trafficOf(5, [
        [0, 2],
        [0, 3],
        [0, 4],
        [1, 2],
        [1, 3],
        [1, 4],
      ]),
    ],
    ['a grid without one edge', trafficOf(16, pairsOf(grid4x4).slice(1))],
    ['a grid with one edge more', trafficOf(16, [...pairsOf(grid4x4), [0, 15]])],
    [
      'two paths',
      trafficOf(4, [
        [0, 1],
        [2, 3],
      ]),
    ],
    [
      'a path and a task alone',
      trafficOf(4, [
        [0, 1],
        [1, 2],
      ]),
    ],
    [
      'a Möbius ladder',
      trafficOf(
        10,
        axes(10).flatMap((task): [number, number][] =>
          task < 5
            ? [
                [task, task + 1],
                [task, task + 5],
              ]
            : [[task, (task + 1) % 10]],
        ),
      ),
    ],
    ['no traffic', trafficOf(3, [])],
  ])('%s', (_, traffic) => {
    expect(foundIn(traffic)).toBeUndefined();
  });
});

describe('the grid that a job says it is', () => {
  const torus = gridMachine('torus', [24]);
  it('is taken where its traffic stays near on it, with the axes that traffic goes round', () => {
    const traffic = gridTraffic([6, 4], { periodic: true });
    const grid = taskGridOf(searchProblemOf(problemOn(torus, { grid: [6, 4], traffic })), neverCancelled)!;
    expect(describeGrid(grid)).toBe('4 ring x 6 ring');
    expect(grid.positions[0]!.slice(0, 7)).toEqual(Int32Array.of(0, 1, 2, 3, 4, 5, 0));
  });
  it('is not taken where its traffic goes elsewhere, which may be another grid', () => {
    const traffic = renumbered(gridTraffic([24]), 3);
    const grid = taskGridOf(searchProblemOf(problemOn(torus, { grid: [6, 4], traffic })), neverCancelled)!;
    expect(describeGrid(grid)).toBe('24');
  });
});

it('stops recognising where it is cancelled', () => {
  const problem = searchProblemOf(
    problemOn(gridMachine('mesh', [24]), { taskCount: 24, traffic: gridTraffic([6, 4]) }),
  );
  expect(taskGridOf(problem, { isCancelled: () => true })).toBeUndefined();
});
