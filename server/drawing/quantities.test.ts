import { describe, expect, it } from 'vitest';
import { formatRanges } from './labels.ts';
import { formatBytes, formatNumber, formatSeconds, plural } from './quantities.ts';

describe('quantities', () => {
  it.each([
    [0, '0 B'],
    [640, '640 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [65536, '64 KiB'],
    [1310720, '1.25 MiB'],
    [1048575, '1 MiB'],
    [2 ** 80, '1\u202f048\u202f576 EiB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [1.25, '1.25'],
    [2 / 3, '0.6667'],
    [1024, '1024'],
    [10648, '10\u202f648'],
    [-10648, '−10\u202f648'],
    [12345.678, '12\u202f350'],
    [1234.5, '1235'],
    [3.21e21, '3.21e+21'],
  ])('%d is written %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [2, '2 s'],
    [0.0015, '1.5 ms'],
    [1e-7, '100 ns'],
    [1e-12, '0.001 ns'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });

  it('counts one thing and several', () => {
    expect([plural(1, 'node'), plural(2, 'node')]).toEqual(['1 node', '2 nodes']);
  });

  it('shortens runs of numbers', () => {
    expect(formatRanges([0, 1, 2, 5, 7, 8])).toBe('0–2, 5, 7–8');
  });
});
