import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { normalDeviate } from '../numeric/elementary.ts';
import { usualSteadyState } from '../model/experiment.ts';
import { estimateMean, isPrecise, mser5, pairedRatio, steadyStateOf } from './statistics.ts';
import { planOf, queue } from './testing/queues.ts';

/** How often an interval holds what is true, in so many experiments. */
function coverage(experiments: number, holds: (random: ReturnType<typeof seededRandom>) => boolean): number {
  let held = 0;
  for (let seed = 1; seed <= experiments; seed++) if (holds(seededRandom(seed))) held++;
  return held / experiments;
}

/** 95 % within four standard errors of a share of so many. */
const expectCoverage = (share: number, experiments: number): void => {
  expect(Math.abs(share - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / experiments));
};

describe('a mean with its interval', () => {
  it.each([
    { values: [], mean: undefined, deviation: undefined, halfWidth: undefined },
    { values: [7], mean: 7, deviation: undefined, halfWidth: undefined },
    { values: [1, 3], mean: 2, deviation: Math.SQRT2, halfWidth: 12.706204736 },
    // s² = 82.5/9, t(0.975, 9) = 2.262157163.
    { values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], mean: 5.5, deviation: 3.02765035, halfWidth: 2.16585059 },
    { values: [4, 4, 4], mean: 4, deviation: 0, halfWidth: 0 },
  ])('$values', ({ values, ...expected }) => {
    const found = estimateMean(values, 0.95);
    expect(found.count).toBe(values.length);
    for (const key of ['mean', 'deviation', 'halfWidth'] as const) {
      if (expected[key] === undefined) expect(found[key]).toBeUndefined();
      else expect(found[key]).toBeCloseTo(expected[key], 7);
    }
  });

  it('covers the truth as often as it says: normal values, few and many', () => {
    for (const count of [2, 5, 30]) {
      const holds = coverage(4000, (random) => {
        const { mean = 0, halfWidth = 0 } = estimateMean(
          Array.from({ length: count }, () => 3 + normalDeviate(random)),
          0.95,
        );
        return Math.abs(mean - 3) <= halfWidth;
      });
      expectCoverage(holds, 4000);
    }
  });

  it.each([
    { values: [10, 10.1], share: 0.07, precise: true },
    { values: [10, 10.1], share: 0.06, precise: false },
    { values: [-10, -10.1], share: 0.07, precise: true },
    { values: [0, 0], share: 0.05, precise: true },
    { values: [-1, 1], share: 0.05, precise: false },
    { values: [5], share: 0.5, precise: false },
  ])('of $values is precise to $share: $precise', ({ values, share, precise }) => {
    expect(isPrecise(estimateMean(values, 0.95), share)).toBe(precise);
  });
});

describe('a ratio of pairs', () => {
  it('is that of the sums, with the half width of ratio estimation', () => {
    // q = 12/8; residuals 0.5, −1, 0.5 have s = √0.75; t(0.975, 2) = 4.302652730; ȳ = 8/3.
    const { ratio, halfWidth } = pairedRatio([2, 2, 8], [1, 2, 5], 0.95);
    expect(ratio).toBe(1.5);
    expect(halfWidth).toBeCloseTo((4.30265273 * Math.sqrt(0.75)) / ((8 / 3) * Math.sqrt(3)), 8);
  });

  it.each([
    { x: [], y: [], ratio: undefined, halfWidth: undefined },
    { x: [3], y: [2], ratio: 1.5, halfWidth: undefined },
    { x: [3, 1], y: [1, -1], ratio: undefined, halfWidth: undefined },
    { x: [2, 4, 6], y: [1, 2, 3], ratio: 2, halfWidth: 0 },
    { x: [-2, -4], y: [-1, -2], ratio: 2, halfWidth: 0 },
  ])('of $x and $y is $ratio', ({ x, y, ratio, halfWidth }) => {
    expect(pairedRatio(x, y, 0.95)).toEqual({ count: x.length, ratio, halfWidth });
  });

  it('covers the truth as often as it says, and is narrow where the same numbers move both', () => {
    let widths = 0;
    const holds = coverage(4000, (random) => {
      const y = Array.from({ length: 40 }, () => 20 + 4 * normalDeviate(random));
      const x = y.map((value) => 1.2 * value + normalDeviate(random));
      const { ratio = 0, halfWidth = 0 } = pairedRatio(x, y, 0.95);
      widths += halfWidth / 4000;
      return Math.abs(ratio - 1.2) <= halfWidth;
    });
    expectCoverage(holds, 4000);
    // Of independent samples it would be about 2.02 · 1.2 · √2 · 0.2/√40 = 0.108.
    expect(widths).toBeLessThan(0.02);
  });
});

describe('a series in steady state', () => {
  it('leaves the first share out, and has batches of equal length to the end', () => {
    const series = Float64Array.from({ length: 100 }, (_, index) => (index < 22 ? 1000 : index));
    const found = steadyStateOf(series, { delete: 0.2, batches: 13 }, 0.95);
    // 80 are left: 13 batches of 6, the last 78 values.
    expect(found).toMatchObject({ deleted: 22, count: 13, mean: 60.5 });
    expect(found.lag1).toBeGreaterThan(0.5);
  });

  it.each([
    { length: 0, count: 0, mean: undefined },
    { length: 1, count: 1, mean: 0 },
    { length: 7, count: 6, mean: 3.5 },
  ])('of $length values has a batch for each', ({ length, count, mean }) => {
    const series = Float64Array.from({ length }, (_, index) => index);
    expect(steadyStateOf(series, usualSteadyState, 0.95)).toMatchObject({ count, mean });
  });

  it('knows how batches hang together: alternating ones against each other, equal ones not at all', () => {
    const alternating = Float64Array.from({ length: 60 }, (_, index) => (Math.floor(index / 2) % 2 === 0 ? 1 : -1));
    expect(steadyStateOf(alternating, { delete: 0, batches: 30 }, 0.95).lag1).toBeCloseTo(-29 / 30, 12);
    expect(steadyStateOf(new Float64Array(60), { delete: 0, batches: 30 }, 0.95).lag1).toBeUndefined();
  });

  it('covers the mean of values that hang together nearly as often as it says', () => {
    // A correlated series: mean 5, each value 0.8 of the one before and noise. Batches of 100 hang together by 0.05.
    const holds = coverage(1000, (random) => {
      let value = 5;
      const series = Float64Array.from({ length: 3750 }, () => (value = 5 + 0.8 * (value - 5) + normalDeviate(random)));
      const { mean = 0, halfWidth = 0 } = steadyStateOf(series, usualSteadyState, 0.95);
      return Math.abs(mean - 5) <= halfWidth;
    });
    expect(holds).toBeGreaterThan(0.92);
    expect(holds).toBeLessThan(0.97);
  });

  it('cuts by MSER-5 what has not settled, and as the rule written plainly does', () => {
    const settled = Float64Array.from({ length: 500 }, (_, index) => (index < 60 ? 50 - index / 2 : 10 + (index % 7)));
    expect(mser5(settled)).toBe(60);
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(seed);
      const series = Float64Array.from({ length: random.integer(120) }, () => random.integer(1000) / 7);
      expect(mser5(series)).toBe(plainMser5([...series]));
    }
  });
});

function plainMser5(series: readonly number[]): number {
  const groups = Array.from({ length: Math.floor(series.length / 5) }, (_, group) =>
    series.slice(5 * group, 5 * group + 5).reduce((sum, value) => sum + value / 5, 0),
  );
  let [best, least] = [0, Infinity];
  for (let cut = 0; cut <= groups.length / 2 && cut < groups.length; cut++) {
    const rest = groups.slice(cut);
    const middle = rest.reduce((sum, value) => sum + value, 0) / rest.length;
    const error = rest.reduce((sum, value) => sum + (value - middle) ** 2, 0) / rest.length ** 2;
    if (error < least) [best, least] = [cut, error];
  }
  return 5 * best;
}

describe('replications of queues', () => {
  it.each([
    { scheduler: 'exponential', expected: 0.2 / (1 - 0.2) },
    { scheduler: 'constant', expected: 0.2 / (2 * (1 - 0.2)) },
  ])('have the waiting time of theory within their interval: $scheduler services', ({ scheduler, expected }) => {
    const plan = planOf({ schedulers: [scheduler], allocators: ['plain'], quoted: [] });
    const values = Array.from({ length: 400 }, (_, seed) => {
      const done = queue(plan.points[0]!, seed + 1, { isCancelled: () => false });
      return done.ok ? done.value.metrics.waiting! : Number.NaN;
    });
    const { mean = 0, halfWidth = 0 } = estimateMean(values, 0.999);
    expect(Math.abs(mean - expected)).toBeLessThan(halfWidth);
  });
});
