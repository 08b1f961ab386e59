import { expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { normalDeviate } from './normal.ts';

it('has the moments of the normal distribution', () => {
  const random = seededRandom(4);
  const draws = Array.from({ length: 20_000 }, () => normalDeviate(random));
  const moment = (degree: number): number => draws.reduce((sum, draw) => sum + draw ** degree, 0) / draws.length;
  expect(Math.abs(moment(1))).toBeLessThan(0.03);
  expect(Math.abs(moment(2) - 1)).toBeLessThan(0.04);
  expect(Math.abs(moment(3))).toBeLessThan(0.1);
  expect(Math.abs(moment(4) - 3)).toBeLessThan(0.25);
});

it('is Box and Muller of two draws', () => {
  const [one, other] = [seededRandom(9), seededRandom(9)];
  for (let draw = 0; draw < 100; draw++) {
    const expected = Math.sqrt(-2 * Math.log(1 - other.fraction())) * Math.cos(2 * Math.PI * other.fraction());
    expect(normalDeviate(one)).toBeCloseTo(expected, 12);
  }
});
