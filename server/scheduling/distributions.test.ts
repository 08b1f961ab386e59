import { describe, expect, it } from 'vitest';
import type { ArgumentValue, OptionValues } from '../model/catalogue.ts';
import { seededRandom } from '../model/random.ts';
import { distributions, makeDistribution } from './distributions.ts';

function made(name: string, options: OptionValues = {}, argument?: ArgumentValue) {
  const result = makeDistribution({ name, options, ...(argument === undefined ? {} : { argument }) });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

interface Case {
  readonly name: string;
  readonly options?: OptionValues;
  readonly argument?: ArgumentValue;
  readonly mean: number;
  /** Of the values; 0 for none. */
  readonly variance: number;
}

const cases: readonly Case[] = [
  { name: 'constant', options: { value: 3.5 }, mean: 3.5, variance: 0 },
  { name: 'exponential', options: { mean: 5 }, mean: 5, variance: 25 },
  { name: 'exponential', options: { rate: 0.25 }, mean: 4, variance: 16 },
  { name: 'uniform', options: { from: 1, to: 16 }, mean: 8.5, variance: 225 / 12 },
  // Classes of mean 1.5, 3.5, 6.5 and 12.5.
  { name: 'decreasing', options: { limits: [2, 4, 8, 16], shares: [0.4, 0.2, 0.2, 0.2] }, mean: 5.1, variance: 20.29 },
  { name: 'gamma', options: { shape: 2.5, mean: 10 }, mean: 10, variance: 40 },
  { name: 'gamma', options: { shape: 0.5, scale: 6 }, mean: 3, variance: 18 },
  { name: 'weibull', options: { shape: 1, mean: 7 }, mean: 7, variance: 49 },
  // Γ(3) = 2, Γ(5) − Γ(3)² = 20.
  { name: 'weibull', options: { shape: 0.5, scale: 1 }, mean: 2, variance: 20 },
  { name: 'weibull', options: { shape: 2, scale: 1 }, mean: 0.886226925452758, variance: 1 - Math.PI / 4 },
  { name: 'hyperexponential', options: { means: [1, 9], shares: [0.75, 0.25] }, mean: 3, variance: 33 },
  { name: 'weighted', argument: { kind: 'weights', values: [2, 4], shares: [0.4, 0.6] }, mean: 3.2, variance: 0.96 },
];

const draws = 40_000;

describe('a distribution', () => {
  it.each(cases)('$name $options: mean and variance of its values', ({ name, options, argument, mean, variance }) => {
    const distribution = made(name, options, argument);
    expect(distribution.mean).toBeCloseTo(mean, 9);
    const random = seededRandom(5);
    const values = Array.from({ length: draws }, () => distribution.sample(random));
    expect(values.every((value) => value >= 0 && value <= distribution.largest)).toBe(true);
    const average = values.reduce((sum, value) => sum + value, 0) / draws;
    expect(Math.abs(average - mean)).toBeLessThanOrEqual(4 * Math.sqrt(variance / draws) + 1e-12);
    const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws;
    // The fourth moments of these are below 90 variances squared.
    expect(Math.abs(spread - variance)).toBeLessThanOrEqual((4 * variance * Math.sqrt(90)) / Math.sqrt(draws) + 1e-12);
    expect(
      Array.from({ length: 100 }, () => distribution.wholeSample(random)).every(
        (value) => Number.isInteger(value) && value >= 1,
      ),
    ).toBe(true);
  });

  it('of sizes gives each whole number between its bounds alike', () => {
    const counts = new Int32Array(17);
    const random = seededRandom(9);
    const uniform = made('uniform', { from: 1, to: 16 });
    for (let draw = 0; draw < 16_000; draw++) counts[uniform.wholeSample(random)]! += 1;
    // χ² with 15 degrees of freedom is below 37.7 but for 1 seed in 1,000.
    expect(counts[0]).toBe(0);
    expect(counts.slice(1).reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(37.7);
  });

  it('of decreasing classes gives each class its share', () => {
    const counts = [0, 0, 0, 0];
    const random = seededRandom(2);
    const decreasing = made('decreasing', { limits: [2, 4, 8, 16], shares: [0.4, 0.2, 0.2, 0.2] });
    for (let draw = 0; draw < 10_000; draw++) {
      const value = decreasing.sample(random);
      counts[value <= 2 ? 0 : value <= 4 ? 1 : value <= 8 ? 2 : 3]! += 1;
    }
    [4000, 2000, 2000, 2000].forEach((expected, index) => {
      expect(Math.abs(counts[index]! - expected)).toBeLessThan(200);
    });
  });

  it('draws the same values from the same seed', () => {
    for (const { name, options, argument } of cases) {
      const [one, other] = [seededRandom(4), seededRandom(4)];
      const distribution = made(name, options, argument);
      for (let draw = 0; draw < 20; draw++) expect(distribution.sample(one)).toBe(distribution.sample(other));
    }
  });

  it('at given times keeps them', () => {
    expect(made('at', {}, { kind: 'numbers', numbers: [0, 0, 12.5] }).times).toEqual([0, 0, 12.5]);
  });

  it.each([
    ['exponential', {}, /either mean or rate/],
    ['exponential', { mean: 1, rate: 1 }, /either mean or rate/],
    ['uniform', { from: 3, to: 2 }, /no values/],
    ['decreasing', { limits: [2, 4], shares: [1] }, /2 limits and 1 shares/],
    ['decreasing', { limits: [4, 2], shares: [0.5, 0.5] }, /ascending/],
    ['decreasing', { limits: [2, 4], shares: [0, 0] }, /shares/],
    ['gamma', { shape: 2 }, /either mean or scale/],
    ['weibull', { shape: 2, mean: 1, scale: 1 }, /either mean or scale/],
    ['hyperexponential', { means: [1], shares: [] }, /1 means and 0 shares/],
    ['weighted', {}, /needs its values/],
    ['at', {}, /needs times/],
    ['normal', {}, /Unknown distribution 'normal'/],
  ] as const)('%s %j is refused', (name, options, message) => {
    const result = makeDistribution({ name, options });
    expect(!result.ok && result.failure.message).toMatch(message);
  });

  it.each(distributions.map((entry) => [entry.name, entry] as const))('%s is documented', (_, entry) => {
    expect(entry.summary).not.toMatch(/\.$/);
    expect(entry.options.length + (entry.argument === undefined ? 0 : 1)).toBeGreaterThan(0);
    expect(entry.skeleton).toMatch(new RegExp(`^${entry.name}[( ]`));
  });
});
