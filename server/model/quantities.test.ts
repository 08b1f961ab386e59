import { describe, expect, it } from 'vitest';
import {
  countOf,
  formatBytes,
  formatExactBytes,
  formatNumber,
  formatRate,
  formatSeconds,
  formatShare,
  hopsOf,
  lanesText,
} from './quantities.ts';

describe('quantities', () => {
  it.each([
    [formatNumber(1.25), '1.25'],
    [formatNumber(2 / 3), '0.6667'],
    [formatNumber(2.13333), '2.133'],
    [formatNumber(999.99), '1,000'],
    [formatNumber(1024), '1,024'],
    [formatNumber(-10648), '−10,648'],
    [formatNumber(1234.5), '1,235'],
    [formatNumber(12345.678), '12,346'],
    [formatNumber(1_234_567_890), '1,234,567,890'],
    [formatNumber(2 ** 53), '9,007,199,254,740,992'],
    [formatNumber(3.21e21), '3.21e+21'],
    [formatNumber(1e-9), '1e-9'],
    [formatNumber(Infinity), '∞'],
    [formatNumber(99.96, 1), '100'],
    [formatNumber(0.123456789, 6), '0.123457'],
    [formatNumber(41.7, 0), '42'],
  ])('a number is %s', (written, expected) => {
    expect(written).toBe(expected);
  });

  it.each([
    [formatBytes(0), '0 B'],
    [formatBytes(640), '640 B'],
    [formatBytes(1023), '1,023 B'],
    [formatBytes(65536), '64 KiB'],
    [formatBytes(1310720), '1.25 MiB'],
    [formatBytes(1048575), '1 MiB'],
    [formatBytes(521.72 * 2 ** 20), '521.7 MiB'],
    [formatBytes(2.075 * 2 ** 30), '2.075 GiB'],
    [formatBytes(2 ** 80), '1,048,576 EiB'],
    [formatExactBytes(65536), '64 KiB (65,536 B)'],
    [formatExactBytes(40), '40 B'],
    [formatRate(4e9), '4 GB/s'],
  ])('an amount is %s', (written, expected) => {
    expect(written).toBe(expected);
  });

  it.each([
    [formatSeconds(0), '0 s'],
    [formatSeconds(100e-9), '100 ns'],
    [formatSeconds(1e-12), '0.001 ns'],
    [formatSeconds(1500e-9), '1.5 µs'],
    [formatSeconds(0.0015), '1.5 ms'],
    [formatSeconds(90), '90 s'],
  ])('a time is %s', (written, expected) => {
    expect(written).toBe(expected);
  });

  it.each([
    [formatShare(0.62), '62 %'],
    [formatShare(0.01), '1 %'],
    [formatShare(0.009), 'under 1 %'],
    [formatShare(1e-9), 'under 1 %'],
    [formatShare(0), '0 %'],
    [formatShare(1), '100 %'],
    [countOf(1, 'entry', 'entries'), '1 entry'],
    [countOf(2000, 'cable'), '2,000 cables'],
    [countOf(0, 'node'), '0 nodes'],
    [hopsOf(1), '1 hop'],
    [hopsOf(1.00001), '1 hop'],
    [hopsOf(1.25), '1.25 hops'],
  ])('%s', (written, expected) => {
    expect(written).toBe(expected);
  });
});

describe('virtual lanes', () => {
  it('are counted, or it is said why they are not', () => {
    expect(lanesText({ lanes: 1, rule: 'none' })).toBe('1, deadlock-free');
    expect(lanesText({ lanes: 3, rule: 'routes' })).toBe('3: routes shared out among them');
    expect(lanesText({ rule: 'routes' })).toMatch(/^more than 1, too many routes to count them: routes/);
  });
});
