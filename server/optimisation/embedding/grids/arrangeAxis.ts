import { type RandomSource, seededRandom } from '../../../model/random.ts';
import type { TaskGraph } from '../../problem/taskGraph.ts';
import type { BoxAxis } from './placeBox.ts';

/** Longer axes stay as they are: a pass over all exchanges is O(side³). */
const sideLimit = 128;
const passLimit = 16;

/**
 * Reorders the positions along one axis of a box so that partners are closer: on a grid the sum of
 * bytes times links falls into one sum per axis, so that every axis is a small quadratic assignment of
 * its own. Exchanges two positions while that gains, from the order as it is and from the best with runs of it
 * reversed. Changes `positions`. O(edges + passes · side³).
 */
export function arrangeAxis(graph: TaskGraph, positions: Int32Array, { side, links }: BoxAxis): void {
  if (side < 3 || side > sideLimit || !links.some((count) => count > 0)) return;
  const between = bytesBetween(graph, positions, side);
  const random = seededRandom(1);
  const order = Int32Array.from({ length: side }, (_, position) => position);
  descend(between, links, order);
  const trial = order.slice();
  let best = costOf(between, links, order);
  for (let kick = 0; kick < kicksFor(side); kick++) {
    trial.set(order);
    reverseRun(trial, random);
    reverseRun(trial, random);
    descend(between, links, trial);
    const cost = costOf(between, links, trial);
    if (cost > best) continue;
    best = cost;
    order.set(trial);
  }
  for (let task = 0; task < positions.length; task++) positions[task] = order[positions[task]!]!;
}

/** A kick costs O(side³) as well. */
const kicksFor = (side: number): number => Math.floor(Math.min(64, 2 ** 18 / side ** 3));

function reverseRun(order: Int32Array, random: RandomSource): void {
  const one = random.integer(order.length);
  const other = random.integer(order.length);
  order.subarray(Math.min(one, other), Math.max(one, other) + 1).reverse();
}

function descend(between: Float64Array, links: Int32Array, order: Int32Array): void {
  for (let pass = 0, gained = true; gained && pass < passLimit; pass++) {
    gained = false;
    for (let one = 0; one < order.length; one++) {
      for (let other = one + 1; other < order.length; other++) {
        if (exchangeDelta(between, links, order, one, other) >= 0) continue;
        [order[one], order[other]] = [order[other]!, order[one]!];
        gained = true;
      }
    }
  }
}

function costOf(between: Float64Array, links: Int32Array, order: Int32Array): number {
  let cost = 0;
  for (let one = 0; one < order.length; one++) {
    for (let other = 0; other < one; other++) {
      cost += between[one * order.length + other]! * links[order[one]! * order.length + order[other]!]!;
    }
  }
  return cost;
}

/** Bytes between every two positions of the axis, both ways. */
function bytesBetween(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  positions: Int32Array,
  side: number,
): Float64Array {
  const between = new Float64Array(side * side);
  for (let task = 0; task < taskCount; task++) {
    const row = positions[task]! * side;
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      between[row + positions[partner[edge]!]!]! += weight[edge]!;
    }
  }
  return between;
}

function exchangeDelta(
  between: Float64Array,
  links: Int32Array,
  order: Int32Array,
  one: number,
  other: number,
): number {
  const side = order.length;
  const rowOne = order[one]! * side;
  const rowOther = order[other]! * side;
  let delta = 0;
  for (let third = 0; third < side; third++) {
    if (third === one || third === other) continue;
    const more = links[rowOther + order[third]!]! - links[rowOne + order[third]!]!;
    delta += more * (between[one * side + third]! - between[other * side + third]!);
  }
  return delta;
}
