import { describe, expect, it } from 'vitest';
import { progressLine, terminalOn } from './terminal.ts';

function watch(isWatched: boolean, times: readonly number[]): string {
  let time = 0;
  let text = '';
  const terminal = terminalOn(
    () => undefined,
    (more) => void (text += more),
  );
  const line = progressLine(terminal, isWatched, () => time);
  for (const [index, at] of times.entries()) {
    time = at;
    line.report(index / times.length, 'distances');
  }
  line.clear();
  return text;
}

describe('the line of progress', () => {
  it.each([
    { what: 'says nothing within a second', isWatched: true, times: [0, 500, 999], expected: '' },
    { what: 'says nothing where nobody looks', isWatched: false, times: [0, 5000, 9000], expected: '' },
    {
      what: 'says how far it is now and then, and goes away',
      isWatched: true,
      times: [0, 1000, 1100, 1200],
      expected: '\rdistances 25 %\u001b[K\rdistances 75 %\u001b[K\r\u001b[K',
    },
  ])('$what', ({ isWatched, times, expected }) => {
    expect(watch(isWatched, times)).toBe(expected);
  });
});
