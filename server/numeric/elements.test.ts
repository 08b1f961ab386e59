import { describe, expect, it } from 'vitest';
import { byteAt, intAt, itemAt, realAt } from './elements.ts';

describe('entries of arrays', () => {
  const readers = [
    { of: 'integers', read: (index: number): unknown => intAt(Int32Array.of(4, 5), index) },
    { of: 'doubles', read: (index: number): unknown => realAt(Float64Array.of(4, 5), index) },
    { of: 'bytes', read: (index: number): unknown => byteAt(Uint8Array.of(4, 5), index) },
    { of: 'lists', read: (index: number): unknown => itemAt([4, 5], index) },
  ];

  it.each(readers)('of $of are what the index finds', ({ read }) => {
    expect([read(0), read(1)]).toEqual([4, 5]);
  });

  it.each(readers)('of $of throw outside, and say where', ({ read }) => {
    expect(() => read(2)).toThrow('Entry 2 of 2 was asked for.');
    expect(() => read(-1)).toThrow('Entry -1 of 2 was asked for.');
    expect(() => read(0.5)).toThrow(RangeError);
  });
});
