import { describe, expect, it } from 'vitest';
import { stagesOf, thresholds } from './chain.ts';

it('thresholds accept as Metropolis does: a delta of T in e^−1 of the draws', () => {
  for (const delta of [0, 0.5, 1, 3]) {
    const share = thresholds.filter((threshold) => delta <= threshold).length / thresholds.length;
    expect(Math.abs(share - Math.exp(-delta))).toBeLessThan(1 / thresholds.length);
  }
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
