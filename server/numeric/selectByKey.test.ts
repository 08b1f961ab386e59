import { expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { selectByKey } from './selection.ts';

const keysOf: Record<string, (index: number, fraction: number) => number> = {
  'at random': (_, fraction) => fraction,
  'with many ties': (_, fraction) => Math.floor(4 * fraction),
  'all alike': () => 1,
  ascending: (index) => index,
  descending: (index) => -index,
  'like an organ pipe': (index) => -Math.abs(index - 150),
};

it.each(Object.keys(keysOf))('brings the smallest keys of a part to its front: %s', (name) => {
  const random = seededRandom(3);
  const keys = Float64Array.from({ length: 300 }, (_, index) => keysOf[name]!(index, random.fraction()));
  for (const [start, end, count] of [
    [0, 300, 150],
    [0, 300, 1],
    [0, 300, 299],
    [40, 41, 0],
    [17, 230, 100],
  ] as const) {
    const order = Int32Array.from(keys, (_, index) => index);
    selectByKey(order, keys, start, end, count);
    const part = [...order.subarray(start, end)].map((index) => keys[index]!);
    const sorted = [...keys.subarray(start, end)].sort((a, b) => a - b);
    expect(part.slice(0, count).sort((a, b) => a - b)).toEqual(sorted.slice(0, count));
    expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
    expect(order.subarray(0, start)).toEqual(Int32Array.from({ length: start }, (_, index) => index));
  }
});
