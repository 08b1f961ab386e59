import { describe, expect, it } from 'vitest';
import { exponential, logarithm } from './elementary.ts';
import { stagesOf, thresholds } from '../optimisation/annealing/chain.ts';

const spread = [1e-9, 0.001, 0.3, 0.7499, 0.75, 1, 1.4999, 1.5, 2, 10, 12_345.678, 1e15];

describe('functions that are the same on every machine', () => {
  it.each(spread)('the logarithm of %d', (x) => {
    expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(1e-14 * Math.max(1, Math.abs(Math.log(x))));
  });

  it.each([-700, -20, -1, -0.001, 0, 0.5, 3, 50, 700])('e to the %d', (x) => {
    expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-11);
  });

  it('thresholds accept as Metropolis does: a delta of T in e^−1 of the draws', () => {
    for (const delta of [0, 0.5, 1, 3]) {
      const share = thresholds.filter((threshold) => delta <= threshold).length / thresholds.length;
      expect(Math.abs(share - Math.exp(-delta))).toBeLessThan(1 / thresholds.length);
    }
  });
});

describe('stages', () => {
  it.each([
    { steps: 0, stages: 0 },
    { steps: 1, stages: 1 },
    { steps: 1000, stages: 64 },
    { steps: 10_000, stages: 100 },
  ])('of $steps steps are $stages, none longer than the most, all steps in them', ({ steps, stages }) => {
    const all = stagesOf({ steps, from: 8, to: 2 }, 100);
    expect(all).toHaveLength(stages);
    expect(all.reduce((sum, { proposals }) => sum + proposals, 0)).toBe(steps);
    expect(all.every(({ proposals }) => proposals > 0 && proposals <= 100)).toBe(true);
    if (stages > 0) expect(all[0]!.temperature).toBe(8);
    if (stages > 1) expect(all.at(-1)!.temperature).toBeCloseTo(2, 9);
  });

  it('stay at one temperature where none is given to cool to', () => {
    expect(stagesOf({ steps: 300, from: 0, to: 0 }, 100).every(({ temperature }) => temperature === 0)).toBe(true);
    expect(stagesOf({ steps: 300, from: 5, to: 0 }, 100).every(({ temperature }) => temperature === 5)).toBe(true);
  });
});
