/** Small programs that ask for large things are refused with a sentence, and the process stays below 2 GB. More of them: memory.slow.test.ts. */
import { describe, expect, it } from 'vitest';
import { dense, densePlacements, largeTorus, measuring } from './measured.ts';

const { measured } = measuring();

describe('memory', () => {
  it('is not taken for dense jobs that are searched for', () => {
    const program = [...dense, ...densePlacements('')].join('\n');
    expect(program.length).toBeLessThan(2500);
    const { code, err, peak } = measured(program, 'run', 'a.place');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/evaluating `p0` with mapper `auto`.*\[too-much-memory\]/) as string,
    });
    expect(peak).toBeLessThan(2e9);
  });

  it('is not taken for dense jobs that no placement evaluates', () => {
    const { code, err, peak } = measured(dense.join('\n'), 'run', 'a.place');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/a\.place declares no placement\. Nothing to evaluate\./) as string,
    });
    expect(peak).toBeLessThan(2e9);
  });

  it('is not taken for a machine whose routing refuses it', () => {
    const { code, err, peak } = measured(largeTorus.replace('2048 }', '2048 routing valiant }'), 'check', 'a.place');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('[too-many-routers]') as string });
    expect(peak).toBeLessThan(3e8);
  });
});
