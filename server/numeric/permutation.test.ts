import { expect, it } from 'vitest';
import { seededRandom, shuffle } from '../model/random.ts';
import { fillInverse, inverseOf } from './permutation.ts';

it.each([
  { count: 0, length: 0 },
  { count: 0, length: 3 },
  { count: 1, length: 1 },
  { count: 50, length: 50 },
  { count: 20, length: 50 },
])('the inverse of $count values below $length says where each value stands', ({ count, length }) => {
  const values = Array.from({ length }, (_, value) => value);
  shuffle(values, seededRandom(count + length));
  values.length = count;
  const expected = Array.from({ length }, (_, value) => values.indexOf(value));
  expect([...inverseOf(Int32Array.from(values), length)]).toEqual(expected);
  const used = new Int32Array(length).fill(7);
  fillInverse(values, used);
  expect([...used]).toEqual(expected);
});
