import { expect, it } from 'vitest';
import { kindsOf } from './denseProblem.ts';

const cases = [
  { what: 'no flow', rows: ['000', '000', '000'], kinds: [0, 0, 0] },
  { what: 'all to all', rows: ['011', '101', '110'], kinds: [0, 0, 0] },
  { what: 'a ring of four: opposite ones', rows: ['0101', '1010', '0101', '1010'], kinds: [0, 1, 0, 1] },
  { what: 'two switches with two hosts each', rows: ['0244', '2044', '4402', '4420'], kinds: [0, 0, 1, 1] },
  { what: 'a line', rows: ['0123', '1012', '2101', '3210'], kinds: [0, 1, 2, 3] },
  { what: 'one way: 1 and 2 receive alike', rows: ['011', '000', '000'], kinds: [0, 1, 1] },
  { what: 'one way: 1 sends and 2 receives', rows: ['001', '001', '000'], kinds: [0, 0, 1] },
  { what: 'one to the other only', rows: ['010', '000', '000'], kinds: [0, 1, 2] },
];

it.each(cases)('counts as one kind what may be exchanged without effect: $what', ({ rows, kinds }) => {
  const matrix = Int32Array.from(Array.from(rows.join(''), Number));
  expect([...kindsOf(matrix, rows.length)]).toEqual(kinds);
});
