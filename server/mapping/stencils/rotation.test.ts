import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { rotationFor, unrotated } from './rotation.ts';

describe('rotation of a job', () => {
  it.each([
    ['orders agree', [2, 5], [3, 9], [0, 1]],
    ['job longer in x, box in y', [5, 2], [3, 9], [1, 0]],
    ['equal job sides never conflict', [4, 4], [3, 9], [0, 1]],
    ['an equal box never conflicts', [5, 2], [4, 4], [0, 1]],
    ['two axes change, the third stays', [3, 2, 1], [1, 2, 3], [2, 1, 0]],
    ['three axes in a circle', [1, 2, 3], [2, 3, 1], [1, 2, 0]],
    ['a flat job on a flat allocation that stands', [4, 4, 1], [4, 1, 4], [0, 2, 1]],
    ['one axis', [7], [3], [0]],
  ])('%s', (_, job, box, expected) => {
    expect(rotationFor(job, box)).toEqual(expected);
  });

  it('leaves no strict conflict and moves the fewest axes of all permutations that leave none', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 300; round++) {
      const dimensions = 1 + random.integer(5);
      const draw = () => Array.from({ length: dimensions }, () => 1 + random.integer(4));
      const [job, box] = [draw(), draw()];
      const rotation = rotationFor(job, box);
      expect(rotation.toSorted((a, b) => a - b)).toEqual(unrotated(dimensions));
      expect(conflicts(job, box, rotation)).toBe(false);
      const fewest = Math.min(
        ...permutations(unrotated(dimensions))
          .filter((candidate) => !conflicts(job, box, candidate))
          .map(movedAxes),
      );
      expect(movedAxes(rotation)).toBe(fewest);
    }
  });

  it('is quick for the many axes of a hypercube', () => {
    const job = Array.from({ length: 22 }, (_, axis) => 22 - axis);
    const box = Array.from({ length: 22 }, (_, axis) => axis + 1);
    expect(rotationFor(job, box)).toEqual(unrotated(22).toReversed());
  });
});

/** Some pair of axes lies in opposite order in the turned job and the box. */
const conflicts = (job: readonly number[], box: readonly number[], rotation: readonly number[]): boolean =>
  box.some((a, i) => box.some((b, j) => a < b && job[rotation[i]!]! > job[rotation[j]!]!));

const movedAxes = (rotation: readonly number[]): number => rotation.filter((source, axis) => source !== axis).length;

function permutations(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value, index) => permutations(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));
}
