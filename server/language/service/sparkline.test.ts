import { describe, expect, it } from 'vitest';
import { sparkline } from './sparkline.ts';

const point = (evaluations: number, value: number) => ({ evaluations, milliseconds: 0, value });

describe('the line of a search', () => {
  it.each([
    ['falls where the value falls', [point(0, 100), point(10, 0)], 100, '████████████▁▁▁▁▁▁▁▁▁▁▁▁'],
    [
      'is high before the first evaluation that counts',
      [point(50, 100), point(100, 0)],
      100,
      '███████████████████████▁',
    ],
    ['has the height of the value', [point(0, 70), point(3, 30), point(30, 0)], 100, '███████▄▄▄▄▄▄▄▄▄▄▄▁▁▁▁▁▁'],
    [
      'shows a fall in the first per cent, as that of a long search',
      Array.from({ length: 20 }, (_, step) => point(2 ** step, 1.91 - step * 0.045)),
      100_000_000,
      '███▇▇▆▆▅▅▄▄▄▃▂▂▂▁▁▁▁▁▁▁▁',
    ],
    ['is all best where there was nothing to count', [point(0, 9), point(0, 5)], 0, '▁'.repeat(24)],
  ])('%s', (_, convergence, evaluations, expected) => {
    expect(sparkline(convergence, evaluations)).toBe(expected);
  });

  it.each([
    ['one point', [point(0, 100)]],
    ['no point', []],
  ])('is not drawn of %s', (_, convergence) => {
    expect(sparkline(convergence, 100)).toBeUndefined();
  });
});
