import { describe, expect, it } from 'vitest';
import { everything, read, refusal } from '../testing/readTraces.ts';

describe('FSIN', () => {
  it('reads sends, receives and cycles of computing', () => {
    const { workload } = read('# comment\ns 0 1 5 64\nc 1 100\nr 0 1 5 64\ns 1 1 0 8\n', undefined, { ticks: 1000 });
    expect(everything(workload)).toEqual([['send 1 64 #5'], ['compute 0.1', 'receive 0 64 #5']]);
  });

  it.each([
    ['s 0 1 5\n', '1: Expected `s FROM TO TAG BYTES`, with whole numbers ≥ 0. Wildcard receives cannot be replayed.'],
    ['s 0 1 5 6\nx\n', '2: Expected `s`, `r` or `c` at the beginning of the line.'],
    ['c 0 -5\n', '1: Expected `c NODE TIME`, both numbers ≥ 0.'],
    ['s 0 9999999 0 1\n', '1: The trace has 10000000 ranks. Expected 1 to 1,048,576.'],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'fsin')).toBe(`a.trace:${message} [bad-trace]`);
  });
});
