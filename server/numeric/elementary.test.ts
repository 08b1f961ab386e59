import { describe, expect, it } from 'vitest';
import {
  cosine,
  exponential,
  hyperbolicCosine,
  hypotenuse,
  inverseHyperbolicCosine,
  logarithm,
  root,
  sine,
  wholePower,
  normalDeviate,
} from './elementary.ts';
import { seededRandom } from '../model/random.ts';

const spread = [1e-9, 0.001, 0.3, 0.7499, 0.75, 1, 1.4999, 1.5, 2, 10, 12_345.678, 1e15];

describe('functions that are the same on every machine', () => {
  it.each(spread)('the logarithm of %d', (x) => {
    expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(1e-14 * Math.max(1, Math.abs(Math.log(x))));
  });

  it.each([-700, -20, -1, -0.001, 0, 0.5, 3, 50, 700])('e to the %d', (x) => {
    expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-11);
  });

  it('the cosine, all round and beyond', () => {
    for (let step = -2000; step <= 2000; step++)
      expect(Math.abs(cosine(step / 100) - Math.cos(step / 100))).toBeLessThan(1e-15);
  });

  it('the sine, all round and beyond, and near 0 to its own last digits', () => {
    for (let step = -2000; step <= 2000; step++)
      expect(Math.abs(sine(step / 100) - Math.sin(step / 100))).toBeLessThan(1e-15);
    for (const x of [1e-12, 1e-6, 0.0004, 0.02]) expect(sine(x) / Math.sin(x)).toBeCloseTo(1, 15);
    expect([sine(0), sine(-1e-9)]).toEqual([0, -1e-9]);
  });

  it.each([
    [0, 0],
    [3, -4],
    [1e200, 1e200],
    [1e-200, 0],
    [-7, 0.1],
  ])('the hypotenuse of %d and %d', (x, y) => {
    expect(Math.abs(hypotenuse(x, y) - Math.hypot(x, y))).toBeLessThanOrEqual(4e-16 * Math.hypot(x, y));
  });

  it.each([1, 1.5, 10, 1e7, 1e9, 1e200])('the inverse hyperbolic cosine of %d', (x) => {
    expect(inverseHyperbolicCosine(x)).toBeCloseTo(Math.acosh(x), 12);
  });

  it.each([0, 0.3, -2, 40])('the hyperbolic cosine of %d', (x) => {
    expect(hyperbolicCosine(x) / Math.cosh(x)).toBeCloseTo(1, 11);
  });

  it('whole powers and roots', () => {
    expect([wholePower(7, 0), wholePower(3, 5), wholePower(2, 40)]).toEqual([1, 243, 2 ** 40]);
    for (const x of [0, 1e-9, 0.5, 2, 343, 12_345, 1e15]) {
      for (const degree of [1, 2, 3, 7, 12]) {
        expect(Math.abs(root(x, degree) - x ** (1 / degree))).toBeLessThanOrEqual(2e-15 * x ** (1 / degree));
      }
    }
  });
});

describe('normal deviates', () => {
  it('have the moments of the normal distribution', () => {
    const random = seededRandom(4);
    const draws = Array.from({ length: 20_000 }, () => normalDeviate(random));
    const moment = (degree: number): number => draws.reduce((sum, draw) => sum + draw ** degree, 0) / draws.length;
    expect(Math.abs(moment(1))).toBeLessThan(0.03);
    expect(Math.abs(moment(2) - 1)).toBeLessThan(0.04);
    expect(Math.abs(moment(3))).toBeLessThan(0.1);
    expect(Math.abs(moment(4) - 3)).toBeLessThan(0.25);
  });

  it('are Box and Muller of two draws', () => {
    const [one, other] = [seededRandom(9), seededRandom(9)];
    for (let draw = 0; draw < 100; draw++) {
      const expected = Math.sqrt(-2 * Math.log(1 - other.fraction())) * Math.cos(2 * Math.PI * other.fraction());
      expect(normalDeviate(one)).toBeCloseTo(expected, 12);
    }
  });
});
