import { describe, expect, it } from 'vitest';
import { countOf, formatBytes, formatExactBytes, formatNumber, formatRate, formatSeconds } from './numbers.ts';

describe('figures', () => {
  it.each([
    [formatNumber(1234.5), '1,234.5'],
    [formatNumber(2.13333), '2.133'],
    [formatBytes(0), '0 B'],
    [formatBytes(1023), '1,023 B'],
    [formatBytes(65536), '64 KiB'],
    [formatBytes(2.4 * 2 ** 20), '2.4 MiB'],
    [formatBytes(2 ** 70), '1,048,576 PiB'],
    [formatExactBytes(65536), '64 KiB (65,536 B)'],
    [formatExactBytes(40), '40 B'],
    [formatRate(4e9), '4 GB/s'],
    [formatSeconds(0), '0 s'],
    [formatSeconds(100e-9), '100 ns'],
    [formatSeconds(1500e-9), '1.5 µs'],
    [formatSeconds(0.002), '2 ms'],
    [formatSeconds(90), '90 s'],
    [countOf(1, 'entry', 'entries'), '1 entry'],
    [countOf(2000, 'cable'), '2,000 cables'],
  ])('%s', (written, expected) => {
    expect(written).toBe(expected);
  });
});
