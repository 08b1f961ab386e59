import { itemAt } from '../../numeric/elements.ts';
import type { OptionSpecification, OptionValues } from '../../model/catalogue.ts';

/**
 * Which axis of the job lies along each axis of the machine: the "Rotations" step of Bunde et
 * al. 2014, section 3. The job is rotated only where the orders of the lengths strictly conflict
 * (the job longer in x than in y, its nodes longer in y than in x), and then with the
 * permutation that moves the fewest axes; equal numbers of moves keep the lower axes.
 *
 * There is no conflict left exactly if the job's lengths, sorted, are dealt in ascending order
 * to the groups of axes with equal box length. That fixes which lengths each group gets, so an
 * axis may stay wherever its own length is among them. O(d²) for d axes, never d!: a hypercube
 * has many.
 *
 * @param lengths sides of the job, padded with 1 to the dimensions of `box`
 * @param box sides of the bounding box of the used ranks
 */
export function rotationFor(lengths: ArrayLike<number>, box: ArrayLike<number>): readonly number[] {
  const dimensions = lengths.length;
  const axesByBox = unrotated(dimensions).toSorted((a, b) => box[a]! - box[b]! || a - b);
  const ascending = Array.from(lengths).sort((a, b) => a - b);
  const source = new Array<number>(dimensions).fill(-1);
  /** Length that each moved axis must receive; undefined where the axis stays. */
  const wanted = new Array<number | undefined>(dimensions).fill(undefined);
  for (let start = 0; start < dimensions;) {
    let end = start + 1;
    while (end < dimensions && box[itemAt(axesByBox, end)] === box[itemAt(axesByBox, start)]) end++;
    dealToGroup(lengths, axesByBox.slice(start, end), ascending.slice(start, end), source, wanted);
    start = end;
  }
  takeFromElsewhere(lengths, wanted, source);
  return source;
}

/** The job as it is: axis a of the grid lies along axis a of the machine. */
export const unrotated = (dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, axis) => axis);

/** Option of every mapper that rotates the job's grid before it places it. */
export const rotateOption: OptionSpecification = {
  name: 'rotate',
  summary: 'whether the axes of the job may be exchanged so that its long sides lie along the long sides of its nodes',
  kind: 'choice',
  choices: ['yes', 'no'],
  default: 'yes',
};

export const rotates = (options: OptionValues): boolean => options['rotate'] !== 'no';

/** Keeps the axes of one group whose own length the group gets; leaves the other lengths to the rest. */
function dealToGroup(
  lengths: ArrayLike<number>,
  group: readonly number[],
  share: number[],
  source: number[],
  wanted: (number | undefined)[],
): void {
  for (const axis of group) {
    const own = share.indexOf(lengths[axis]!);
    if (own < 0) continue;
    share.splice(own, 1);
    source[axis] = axis;
  }
  for (const axis of group) {
    if (source[axis] === -1) wanted[axis] = share.shift();
  }
}

/** Gives each moved axis the lowest unused axis of the job that has the wanted length. */
function takeFromElsewhere(
  lengths: ArrayLike<number>,
  wanted: readonly (number | undefined)[],
  source: number[],
): void {
  const used = new Set(source);
  for (let axis = 0; axis < source.length; axis++) {
    if (source[axis] !== -1) continue;
    let candidate = 0;
    while (used.has(candidate) || lengths[candidate] !== wanted[axis]) candidate++;
    source[axis] = candidate;
    used.add(candidate);
  }
}
