import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { accumulated, groupedBy, groupStarts, sortedByKey, transposedRows } from './grouping.ts';

const sizes = [
  { length: 0, groups: 0 },
  { length: 0, groups: 3 },
  { length: 1, groups: 1 },
  { length: 40, groups: 1 },
  { length: 40, groups: 7 },
  { length: 40, groups: 100 },
];

describe.each(sizes)('$length indices of $groups groups', ({ length, groups }) => {
  const random = seededRandom(length + groups);
  const groupOf = Int32Array.from({ length }, () => random.integer(groups));

  it('are gathered by group, ascending within each', () => {
    const { start, members } = groupedBy(groupOf, groups);
    const rows = Array.from({ length: groups }, (_, group) => [...members.subarray(start[group], start[group + 1])]);
    expect(rows).toEqual(
      Array.from({ length: groups }, (_, group) => [...groupOf.keys()].filter((index) => groupOf[index] === group)),
    );
    expect(start).toHaveLength(groups + 1);
    expect(groupStarts(groupOf, groups)).toEqual(start);
  });

  it('are sorted by group, in the order in which they came', () => {
    const order = Int32Array.from(groupOf.keys()).reverse();
    const expected = order.toSorted((a, b) => groupOf[a]! - groupOf[b]! || order.indexOf(a) - order.indexOf(b));
    expect(sortedByKey(order, groupOf, groups)).toEqual(expected);
    expect(sortedByKey(order.subarray(0, length >> 1), groupOf, groups)).toEqual(
      expected.filter((index) => order.indexOf(index) < length >> 1),
    );
  });
});

it('sums add up in place', () => {
  const counts = Int32Array.of(0, 3, 0, 2);
  expect(accumulated(counts)).toBe(counts);
  expect([...counts]).toEqual([0, 3, 3, 5]);
});

it.each([1, 5, 30])('%i rows transposed have every entry in its column, in order of the rows', (rowCount) => {
  const random = seededRandom(rowCount);
  const rows = Array.from({ length: rowCount }, () =>
    Array.from({ length: random.integer(6) }, () => random.integer(rowCount)),
  );
  const rowStart = Int32Array.from([0, ...rows.map((_, row) => rows.slice(0, row + 1).flat().length)]);
  const column = Int32Array.from(rows.flat());
  const { start, row, entry } = transposedRows(rowStart, column);
  const expected = rows.flatMap((own, from) => own.map((to) => ({ from, to })));
  for (let to = 0; to < rowCount; to++) {
    const found = [...row.subarray(start[to], start[to + 1])];
    expect(found).toEqual(expected.filter((each) => each.to === to).map(({ from }) => from));
  }
  expect([...entry].map((index) => expected[index]!.from)).toEqual([...row]);
  expect([...entry].map((index) => column[index]!)).toEqual([...column].sort((a, b) => a - b));
});
