import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import {
  accumulated,
  groupedBy,
  groupedInParts,
  groupStarts,
  sortedByKey,
  sortedDescending,
  transposedRows,
} from './grouping.ts';

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

  it('are gathered in parts as at once, and not at all where these do not go through', () => {
    const inThrees = (count: number, work: (begin: number, end: number) => void): boolean => {
      for (let begin = 0; begin < count; begin += 3) work(begin, Math.min(begin + 3, count));
      return true;
    };
    expect(groupedInParts(groupOf, groups, inThrees)).toEqual(groupedBy(groupOf, groups));
    expect(groupedInParts(groupOf, groups, () => false)).toBeUndefined();
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

describe('indices by their values, the largest first', () => {
  it.each([0, 5, 1000, 20_000])('keep their order where values are equal: %d of them', (length) => {
    const random = seededRandom(length);
    const values = Float64Array.from({ length: length + 7 }, (_, index) =>
      index % 3 === 0
        ? random.integer(5)
        : index % 3 === 1
          ? random.fraction() * 2 ** random.integer(60)
          : 1e-300 * index,
    );
    const order = Int32Array.from({ length: length + 7 }, (_, index) => index).subarray(7);
    const expected = Array.from(order).sort((one, other) => values[other]! - values[one]! || one - other);
    expect([...sortedDescending(order, values)]).toEqual(expected);
  });
});
