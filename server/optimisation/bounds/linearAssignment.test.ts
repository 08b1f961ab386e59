import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { linearAssignment } from './linearAssignment.ts';

function exhaustiveCost(costs: Float64Array, rowCount: number, columnCount: number): number {
  const from = (row: number, taken: number): number => {
    if (row === rowCount) return 0;
    let least = Infinity;
    for (let column = 0; column < columnCount; column++) {
      if (((taken >> column) & 1) === 1) continue;
      least = Math.min(least, costs[row * columnCount + column]! + from(row + 1, taken | (1 << column)));
    }
    return least;
  };
  return from(0, 0);
}

describe('linear assignment', () => {
  it.each([
    { what: 'one row', rows: 1, columns: 1, costs: [7], cost: 7 },
    { what: 'no rows', rows: 0, columns: 2, costs: [], cost: 0 },
    { what: 'a choice', rows: 1, columns: 3, costs: [5, 2, 9], cost: 2 },
    { what: 'a contest for one column', rows: 2, columns: 2, costs: [1, 5, 1, 2], cost: 3 },
    { what: 'costs below 0', rows: 2, columns: 2, costs: [-1, 0, -3, 0], cost: -3 },
    { what: 'equal costs', rows: 3, columns: 3, costs: new Array<number>(9).fill(4), cost: 12 },
  ])('solves $what', ({ rows, columns, costs, cost }) => {
    expect(linearAssignment(Float64Array.from(costs), rows, columns, neverCancelled)?.cost).toBe(cost);
  });

  it('finds the least cost of random tables, square and not, with many ties and with few', () => {
    const random = seededRandom(8);
    for (let round = 0; round < 400; round++) {
      const rows = 1 + random.integer(6);
      const columns = rows + random.integer(3);
      const largest = [2, 10, 1000][round % 3]!;
      const costs = Float64Array.from({ length: rows * columns }, () => random.integer(largest));
      const { columnOfRow, cost } = linearAssignment(costs, rows, columns, neverCancelled)!;
      expect(new Set(columnOfRow).size).toBe(rows);
      expect(columnOfRow.reduce((sum, column, row) => sum + costs[row * columns + column]!, 0)).toBe(cost);
      expect(cost).toBe(exhaustiveCost(costs, rows, columns));
    }
  });

  it('stops when it is cancelled', () => {
    // Three rows want the same column, so that paths are looked for.
    const costs = Float64Array.of(0, 9, 9, 0, 9, 9, 0, 9, 9);
    expect(linearAssignment(costs, 3, 3, neverCancelled)?.cost).toBe(18);
    expect(linearAssignment(costs, 3, 3, { isCancelled: () => true })).toBeUndefined();
  });
});
