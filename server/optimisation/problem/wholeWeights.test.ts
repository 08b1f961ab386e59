import { describe, expect, it } from 'vitest';
import { largestSum, wholeAmounts, wholeWeights } from './taskGraph.ts';

const cases = [
  { what: 'whole bytes', amounts: [3, 5, 4096], cost: 24, unit: 1, whole: [3, 5, 4096] },
  { what: 'multiples of a larger power of two', amounts: [1024, 2048], cost: 9, unit: 1, whole: [1024, 2048] },
  { what: 'halves and eighths', amounts: [0.5, 3, 0.125], cost: 24, unit: 1 / 8, whole: [4, 24, 1] },
  { what: 'nothing', amounts: [], cost: 3, unit: 1, whole: [] },
  { what: 'the largest sum there is', amounts: [2 ** 50, 2 ** 50], cost: 1, unit: 1, whole: [2 ** 50, 2 ** 50] },
  { what: 'more than that, without loss', amounts: [2 ** 51, 2 ** 51], cost: 1, unit: 2, whole: [2 ** 50, 2 ** 50] },
  { what: 'more than that, rounded', amounts: [2 ** 52 - 1, 1], cost: 1, unit: 2, whole: [2 ** 51, 1] },
  { what: 'costs that need the bits', amounts: [2 ** 50], cost: 2 ** 20, unit: 2 ** 19, whole: [2 ** 31] },
  {
    what: 'the smallest number there is',
    amounts: [Number.MIN_VALUE, 1],
    cost: 2,
    unit: 2 ** -50,
    whole: [1, 2 ** 50],
  },
];

describe('whole amounts', () => {
  it.each(cases)('have the unit that keeps sums exact: $what', ({ amounts, cost, unit, whole }) => {
    expect(wholeAmounts(Float64Array.from(amounts), cost)).toEqual({ amounts: Float64Array.from(whole), unit });
  });

  it.each([0.1, 1e-300, 1e300, 2 ** 53])('of %d bytes each are whole and sum to less than doubles hold', (bytes) => {
    const { amounts, unit } = wholeAmounts(Float64Array.of(bytes, 2 * bytes, 7 * bytes), 31);
    const sum = amounts.reduce((total, amount) => total + amount, 0) * 31;
    expect(amounts.every(Number.isInteger)).toBe(true);
    expect(sum).toBeLessThanOrEqual(largestSum + 31 * amounts.length);
    expect((sum * unit) / (310 * bytes)).toBeCloseTo(1, 12);
    expect(Number.isInteger(Math.log2(unit))).toBe(true);
  });

  it('of a graph, whose edges stand in two rows, count once', () => {
    const graph = { taskCount: 2, rowStart: Int32Array.of(0, 1, 2), partner: Int32Array.of(1, 0) };
    const weight = Float64Array.of(2 ** 51, 2 ** 51);
    expect(wholeWeights({ ...graph, weight }, 1)).toEqual({ graph: { ...graph, weight }, weightUnit: 1 });
  });
});
