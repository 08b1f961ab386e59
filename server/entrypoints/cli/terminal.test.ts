import { describe, expect, it } from 'vitest';
import { progressLine, terminalOn } from './terminal.ts';

function watch(isWatched: boolean, times: readonly number[], columns = Infinity): string {
  let time = 0;
  let text = '';
  const terminal = terminalOn(
    () => undefined,
    (more) => void (text += more),
    () => columns,
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
      expected: '\r█████░░░░░░░░░░░░░░░ 25 % distances\u001b[K\r███████████████░░░░░ 75 % distances\u001b[K\r\u001b[K',
    },
    {
      what: 'has no second line in a narrow terminal, which could not be taken away',
      isWatched: true,
      times: [0, 1000],
      columns: 30,
      expected: '\r██████████░░░░░░░░░░ 50 % dis\u001b[K\r\u001b[K',
    },
  ])('$what', ({ isWatched, times, columns, expected }) => {
    expect(watch(isWatched, times, columns)).toBe(expected);
  });
});
