import { describe, expect, it } from 'vitest';
import { exponential, logarithm } from './elementary.ts';

const spread = [1e-9, 0.001, 0.3, 0.7499, 0.75, 1, 1.4999, 1.5, 2, 10, 12_345.678, 1e15];

describe('functions that are the same on every machine', () => {
  it.each(spread)('the logarithm of %d', (x) => {
    expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(1e-14 * Math.max(1, Math.abs(Math.log(x))));
  });

  it.each([-700, -20, -1, -0.001, 0, 0.5, 3, 50, 700])('e to the %d', (x) => {
    expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-11);
  });
});
