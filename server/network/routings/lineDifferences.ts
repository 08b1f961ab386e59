import type { LinkTable } from '../../model/machine.ts';
import { linkTowards } from '../topologies/gridGraph.ts';
import type { GridAxis } from './gridPaths.ts';

/**
 * What starts and ends at each router in one direction of one axis. A segment of a line of
 * routers costs two entries however long it is; sums along the line then give the loads. Sums
 * are kept in two parts (Knuth's TwoSum), so that a small flow survives beside a large one,
 * and segments are counted, so that a link that none crosses is exactly 0.
 */
export interface LineDifferences {
  /** Two per router: the rounded sum and what rounding lost. */
  readonly sums: Float64Array;
  readonly segments: Int32Array;
}

export function emptyDifferences(routerCount: number): LineDifferences {
  return { sums: new Float64Array(2 * routerCount), segments: new Int32Array(routerCount) };
}

/**
 * Marks the positions `first … end − 1` of the line that starts at router `lineStart`, modulo
 * the side; −side < first < end < 2 · side, at most `side` positions.
 */
export function markSegment(
  differences: LineDifferences,
  { side, stride }: GridAxis,
  lineStart: number,
  first: number,
  end: number,
  amount: number,
): void {
  if (first < 0) {
    mark(differences, lineStart + (first + side) * stride, amount, 1);
    mark(differences, lineStart, amount, 1);
    mark(differences, lineStart + end * stride, -amount, -1);
    return;
  }
  mark(differences, lineStart + first * stride, amount, 1);
  if (end < side) {
    mark(differences, lineStart + end * stride, -amount, -1);
  } else if (end > side) {
    mark(differences, lineStart, amount, 1);
    mark(differences, lineStart + (end - side) * stride, -amount, -1);
  }
}

function mark({ sums, segments }: LineDifferences, router: number, amount: number, count: number): void {
  const before = sums[2 * router]!;
  const sum = before + amount;
  sums[2 * router] = sum;
  sums[2 * router + 1]! += roundingError(before, amount, sum);
  segments[router]! += count;
}

/** What `sum`, the rounded a + b, lost (Knuth, TAOCP 2, section 4.2.2, theorem B). */
function roundingError(a: number, b: number, sum: number): number {
  const added = sum - a;
  return a - (sum - added) + (b - added);
}

/** Adds the sums along every line to the loads of the links in one direction, and clears the differences. */
export function addLineSums(
  differences: LineDifferences,
  axis: GridAxis,
  positions: Int32Array,
  direction: 1 | -1,
  links: LinkTable,
  loads: Float64Array,
): void {
  for (let router = 0; router < positions.length; router++) {
    if (positions[router] === 0) addSumsOfLine(differences, axis, router, direction, links, loads);
  }
  differences.sums.fill(0);
  differences.segments.fill(0);
}

function addSumsOfLine(
  { sums, segments }: LineDifferences,
  { side, stride }: GridAxis,
  lineStart: number,
  direction: 1 | -1,
  links: LinkTable,
  loads: Float64Array,
): void {
  let sum = 0;
  let lost = 0;
  let crossing = 0;
  for (let position = 0; position < side; position++) {
    const router = lineStart + position * stride;
    crossing += segments[router]!;
    if (crossing === 0) {
      sum = 0;
      lost = 0;
      continue;
    }
    const before = sum;
    sum += sums[2 * router]!;
    lost += roundingError(before, sums[2 * router]!, sum) + sums[2 * router + 1]!;
    const neighbour = lineStart + ((position + direction + side) % side) * stride;
    loads[linkTowards(links, router, neighbour)]! += sum + lost;
  }
}
