import { expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { DisjointSets } from './unionFind.ts';

it.each([1, 2, 9, 60])('keeps the sets of %i members, whatever is joined, each under its lowest', (count) => {
  const random = seededRandom(count);
  const sets = new DisjointSets(count);
  // Plain reference: the label of a member is the lowest member of its set.
  let labels = Array.from({ length: count }, (_, member) => member);
  for (let step = 0; step < 2 * count; step++) {
    const [one, other] = [random.integer(count), random.integer(count)];
    const [low, high] = [Math.min(labels[one]!, labels[other]!), Math.max(labels[one]!, labels[other]!)];
    expect(sets.join(one, other)).toBe(low !== high);
    labels = labels.map((label) => (label === high ? low : label));
    expect(sets.setCount).toBe(new Set(labels).size);
    expect(labels.map((_, member) => sets.rootOf(member))).toEqual(labels);
  }
});
