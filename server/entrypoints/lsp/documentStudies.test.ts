import { describe, expect, it } from 'vitest';
import { progressOf } from './documentStudies.ts';

describe('how far a placement is', () => {
  it.each<[string, number, number, number | undefined]>([
    ['a quarter in ten seconds', 0.25, 10_000, 30],
    ['all but a fifth', 0.8, 4000, 1],
    ['all of it', 1, 4000, 0],
    ['half in half a second, which says nothing', 0.5, 500, undefined],
    ['next to nothing in a minute', 0.01, 60_000, undefined],
  ])('%s: the time that is left', (_, share, milliseconds, left) => {
    const told = progressOf({
      kind: 'progress',
      placement: 'p',
      position: 0,
      whole: 1,
      share,
      message: 'annealing',
      milliseconds,
    });
    expect(told).toEqual({
      share,
      message: 'annealing',
      ...(left !== undefined && { secondsLeft: expect.closeTo(left, 9) as number }),
    });
  });
});
