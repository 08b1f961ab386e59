import { expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { GainHeap } from './gainHeap.ts';

/** The largest gain, of equal ones the lowest vertex; −1 for none. */
const topOf = (inside: ReadonlySet<number>, gain: Float64Array): number =>
  [...inside].sort((a, b) => gain[b]! - gain[a]! || a - b)[0] ?? -1;

it('has the vertex of largest gain on top, whatever comes, goes and changes', () => {
  const random = seededRandom(8);
  const gain = Float64Array.from({ length: 40 }, () => random.integer(12));
  const heap = new GainHeap(gain);
  const inside = new Set<number>();
  for (let vertex = 0; vertex < 40; vertex += 2) {
    heap.append(vertex);
    inside.add(vertex);
  }
  heap.order();
  for (let step = 0; step < 3000; step++) {
    const vertex = random.integer(40);
    expect(heap.has(vertex)).toBe(inside.has(vertex));
    if (!inside.has(vertex)) {
      heap.add(vertex);
      inside.add(vertex);
    } else if (random.integer(3) === 0) {
      heap.remove(vertex);
      inside.delete(vertex);
    } else {
      gain[vertex] = random.integer(12) - 6;
      heap.update(vertex);
    }
    expect(heap.top).toBe(topOf(inside, gain));
    expect(heap.count).toBe(inside.size);
  }
  heap.clear();
  expect([heap.top, heap.count, heap.has(0)]).toEqual([-1, 0, false]);
});
