import { expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { IndexedHeap } from './heap.ts';

/** The largest key, of equal ones the lowest item; −1 for none. */
const topOf = (inside: ReadonlySet<number>, key: Float64Array): number =>
  [...inside].sort((a, b) => key[b]! - key[a]! || a - b)[0] ?? -1;

it('has the item of largest key on top, whatever comes, goes and changes', () => {
  const random = seededRandom(8);
  const key = Float64Array.from({ length: 40 }, () => random.integer(12));
  const heap = new IndexedHeap(key);
  const inside = new Set<number>();
  for (let item = 0; item < 40; item += 2) {
    heap.append(item);
    inside.add(item);
  }
  heap.order();
  for (let step = 0; step < 3000; step++) {
    const item = random.integer(40);
    expect(heap.has(item)).toBe(inside.has(item));
    if (!inside.has(item)) {
      heap.add(item);
      inside.add(item);
    } else if (random.integer(3) === 0) {
      heap.remove(item);
      inside.delete(item);
    } else {
      key[item] = random.integer(12) - 6;
      heap.update(item);
    }
    expect(heap.top).toBe(topOf(inside, key));
    expect(heap.count).toBe(inside.size);
  }
  heap.clear();
  expect([heap.top, heap.count, heap.has(0)]).toEqual([-1, 0, false]);
});
