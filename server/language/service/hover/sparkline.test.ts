import { describe, expect, it } from 'vitest';
import { sparkline } from './placement.ts';

const point = (milliseconds: number, value: number) => ({ evaluations: 0, milliseconds, value });

describe('the line of a search', () => {
  it.each([
    ['falls where the value falls', [point(0, 100), point(10, 0)], 100, '████████████▁▁▁▁▁▁▁▁▁▁▁▁'],
    ['is high before the answer that counts', [point(50, 100), point(100, 0)], 100, '███████████████████████▁'],
    ['has the height of the value', [point(0, 70), point(3, 30), point(30, 0)], 100, '███████▄▄▄▄▄▄▄▄▄▄▄▁▁▁▁▁▁'],
    ['begins with the first answer', [point(0, 9), point(0, 5)], 0, `█${'▁'.repeat(23)}`],
    [
      'shows a fall in the first per cent of a long search',
      Array.from({ length: 14 }, (_, step) => point(2 ** step, 1.91 - step * 0.065)),
      1_000_000,
      '█▇▇▆▆▅▅▅▄▄▃▃▃▂▂▁▁▁▁▁▁▁▁▁',
    ],
    [
      'shows the starts of a search, which come before its first evaluation',
      [point(168, 2053), point(1641, 1207), point(4408, 1149), point(5629, 1137), point(10_176, 1085)],
      11_209,
      '█████████████▂▂▂▂▂▁▁▁▁▁▁',
    ],
  ])('%s', (_, convergence, milliseconds, expected) => {
    expect(sparkline({ convergence, milliseconds })).toBe(expected);
  });

  it.each([
    ['one point', [point(0, 100)]],
    ['no point', []],
  ])('is not drawn of %s', (_, convergence) => {
    expect(sparkline({ convergence, milliseconds: 100 })).toBeUndefined();
  });
});
