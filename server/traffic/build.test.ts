import { describe, expect, it } from 'vitest';
import { findEntry } from '../model/catalogue.ts';
import { seededRandom } from '../model/random.ts';
import { coordinatesOf, type Shape } from '../model/shape.ts';
import type { TableEntries } from '../model/traffic.ts';
import { inexactSums, stencilTraffic, tableTraffic } from './build.ts';
import { stencils } from './catalogue.ts';
import type { Stencil } from './contract.ts';
import { brokenPromises, pairsOf } from './testing/pairs.ts';

const builtIn = (name: string): Stencil => findEntry(stencils, name)!.stencil;

function degreesOf(name: string, grid: Shape, periodic: boolean): number[] {
  const traffic = stencilTraffic(builtIn(name), grid, periodic, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  const { rowStart } = traffic.value;
  return Array.from({ length: traffic.value.taskCount }, (_, task) => rowStart[task + 1]! - rowStart[task]!);
}

describe('built-in stencils', () => {
  it.each([
    { name: 'three-point', partners: 2 },
    { name: 'five-point', partners: 4 },
    { name: 'seven-point', partners: 6 },
    { name: 'nine-point', partners: 8 },
    { name: 'twenty-seven-point', partners: 26 },
  ])('$name has $partners partners inside, all of them different', ({ name, partners }) => {
    const { dimensions } = builtIn(name);
    const degrees = degreesOf(name, new Array<number>(dimensions).fill(5), true);
    expect(new Set(degrees)).toEqual(new Set([partners]));
  });

  it.each([
    { name: 'three-point', grid: [4], pairs: 6 },
    { name: 'five-point', grid: [4, 4], pairs: 48 },
    { name: 'seven-point', grid: [2, 3, 4], pairs: 92 },
    { name: 'nine-point', grid: [3, 3], pairs: 40 },
    { name: 'twenty-seven-point', grid: [2, 2, 2], pairs: 56 },
  ])('$name on $grid has $pairs pairs, cut at the border', ({ name, grid, pairs }) => {
    expect(degreesOf(name, grid, false).reduce((sum, degree) => sum + degree, 0)).toBe(pairs);
  });

  it.each(stencils.map(({ name }) => ({ name })))('$name joins tasks that touch, both ways alike', ({ name }) => {
    const { dimensions, offsets } = builtIn(name);
    const grid = [4, 3, 5].slice(0, dimensions);
    for (const periodic of [false, true]) {
      const traffic = stencilTraffic({ name, dimensions, offsets }, grid, periodic, 2);
      if (!traffic.ok) throw new Error(traffic.failure.message);
      expect(brokenPromises(traffic.value)).toEqual([]);
      const pairs = pairsOf(traffic) as string[];
      const reversed = pairs.map((pair) => pair.replace(/(\d+)->(\d+)/, '$2->$1'));
      expect(reversed.sort()).toEqual([...pairs].sort());
      if (!periodic) for (const pair of pairs) expect(chebyshev(grid, pair)).toBe(1);
    }
  });
});

function chebyshev(grid: Shape, pair: string): number {
  const [from = '', to = ''] = pair.split(/->|:/);
  const a = new Array<number>(grid.length).fill(0);
  const b = [...a];
  coordinatesOf(grid, Number(from), a);
  coordinatesOf(grid, Number(to), b);
  return Math.max(...a.map((position, axis) => Math.abs(position - b[axis]!)));
}

describe('stencilTraffic', () => {
  const oneSided: Stencil = {
    name: 'one-sided',
    dimensions: 2,
    offsets: [
      { offset: [2, 0], weight: 0.5 },
      { offset: [-1, 1], weight: 3 },
    ],
  };

  it.each([
    { grid: [3, 2], periodic: false, pairs: ['0->2:2', '1->3:12', '2->4:12', '3->5:2'] },
    {
      grid: [2, 2],
      periodic: true,
      pairs: ['0->3:12', '1->2:12', '2->1:12', '3->0:12'],
    },
    { grid: [1, 1], periodic: true, pairs: [] },
  ])('declared offsets and weights on $grid, periodic $periodic', ({ grid, periodic, pairs }) => {
    expect(pairsOf(stencilTraffic(oneSided, grid, periodic, 4))).toEqual(pairs);
  });

  it('sends to every task at an offset, on grids of one to four dimensions', () => {
    const random = seededRandom(12);
    for (let round = 0; round < 60; round++) {
      const grid = Array.from({ length: 1 + random.integer(4) }, () => 1 + random.integer(4));
      const drawn = Array.from({ length: 6 }, () => grid.map(() => random.integer(7) - 3));
      const distinct = [...new Map(drawn.map((offset) => [offset.join(), offset])).values()];
      const offsets = distinct
        .filter((offset) => offset.some((steps) => steps !== 0))
        .map((offset, index) => ({ offset, weight: index + 1 }));
      const at = (task: number): number[] => {
        const coordinates = grid.map(() => 0);
        coordinatesOf(grid, task, coordinates);
        return coordinates;
      };
      const tasks = [...new Array(grid.reduce((product, side) => product * side, 1)).keys()];
      const expected = tasks.flatMap((from) =>
        tasks.flatMap((to) => {
          const away = at(to).map((position, axis) => position - at(from)[axis]!);
          const found = offsets.find(({ offset }) => offset.join() === away.join());
          return found === undefined ? [] : [`${from}->${to}:${found.weight * 2}`];
        }),
      );
      expect(pairsOf(stencilTraffic({ name: 'drawn', dimensions: grid.length, offsets }, grid, false, 2))).toEqual(
        expected,
      );
    }
  });

  it('stops where nobody wants it any more', () => {
    const stopped = stencilTraffic(builtIn('seven-point'), [64, 64, 64], false, 1, { isCancelled: () => true });
    expect(pairsOf(stopped)).toBe('cancelled');
  });

  it('adds up what wraps to one task: both neighbours on a side of 2', () => {
    expect(pairsOf(stencilTraffic(builtIn('three-point'), [2], true, 5))).toEqual(['0->1:10', '1->0:10']);
  });

  it('wraps offsets longer than the grid', () => {
    const far: Stencil = { name: 'far', dimensions: 1, offsets: [{ offset: [-7], weight: 1 }] };
    expect(pairsOf(stencilTraffic(far, [3], true, 1))).toEqual(['0->2:1', '1->0:1', '2->1:1']);
  });

  it.each([
    { grid: [4], bytes: 1, code: 'stencil-dimensions' },
    { grid: [1e6, 1e6], bytes: 1, code: 'too-many-pairs' },
    { grid: [4, 4], bytes: Infinity, code: 'amounts-too-large' },
    { grid: [4, 4], bytes: -1, code: 'invalid-amount' },
  ])('on $grid with $bytes bytes fails: $code', ({ grid, bytes, code }) => {
    expect(pairsOf(stencilTraffic(builtIn('five-point'), grid, false, bytes))).toBe(code);
  });
});

function tableOf(...rows: [from: number, to: number, amount: number][]): TableEntries {
  return {
    size: 1 + Math.max(0, ...rows.flatMap(([from, to]) => [from, to])),
    from: Int32Array.from(rows.map((row) => row[0])),
    to: Int32Array.from(rows.map((row) => row[1])),
    amount: Float64Array.from(rows.map((row) => row[2])),
  };
}

describe('tableTraffic', () => {
  it('sorts, adds repeated pairs, drops the diagonal and zeros', () => {
    const table = tableOf(
      [2, 0, 5],
      [0, 2, 1],
      [1, 1, 9],
      [0, 1, 2],
      [2, 0, 0.5],
      [1, 2, 0],
      [0, 2, 1],
      [3, 0, 4],
      [3, 2, 7],
    );
    expect(pairsOf(tableTraffic(table, 4, 10))).toEqual(['0->1:20', '0->2:20', '2->0:55', '3->0:40', '3->2:70']);
  });

  it('equals the sums of its entries, whatever their order', () => {
    const random = seededRandom(5);
    const rows = Array.from({ length: 3000 }, (): [number, number, number] => [
      random.integer(40),
      random.integer(40),
      random.integer(9),
    ]);
    const sums = new Map<string, number>();
    for (const [from, to, amount] of rows) {
      const key = `${from}->${to}`;
      if (from !== to && amount > 0) sums.set(key, (sums.get(key) ?? 0) + amount);
    }
    const traffic = tableTraffic(tableOf(...rows), 40, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    expect(brokenPromises(traffic.value)).toEqual([]);
    expect(new Set(pairsOf(traffic))).toEqual(new Set([...sums].map(([key, sum]) => `${key}:${sum}`)));
  });

  it.each<{ what: string; table: TableEntries; tasks: number; code: string }>([
    { what: 'a task too many', table: tableOf([0, 4, 1]), tasks: 4, code: 'task-out-of-range' },
    { what: 'a negative task', table: tableOf([-1, 0, 1]), tasks: 4, code: 'task-out-of-range' },
    { what: 'a negative amount', table: tableOf([0, 1, -1]), tasks: 4, code: 'invalid-amount' },
    { what: 'no number', table: tableOf([0, 1, NaN]), tasks: 4, code: 'invalid-amount' },
    { what: 'an infinite amount', table: tableOf([0, 1, Infinity]), tasks: 4, code: 'amounts-too-large' },
    {
      what: 'sums beyond every number',
      table: tableOf([0, 1, 1.7e308], [1, 0, 1.7e308]),
      tasks: 4,
      code: 'amounts-too-large',
    },
  ])('refuses $what: $code', ({ table, tasks, code }) => {
    expect(pairsOf(tableTraffic(table, tasks, 1))).toBe(code);
  });
});

describe('inexactSums', () => {
  it.each([
    { total: 2 ** 53, warns: undefined },
    { total: 2 ** 54, warns: 'inexact-sums' },
    { total: 2e30, warns: 'inexact-sums' },
  ])('of $total bytes: $warns', ({ total, warns }) => {
    expect(inexactSums(total)?.code).toBe(warns);
  });
});
