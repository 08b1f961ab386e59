import { intAt, realAt } from '../../../numeric/elements.ts';
import { neverCancelled } from '../../../model/cancellation.ts';
import { type RandomSource, seededRandom } from '../../../model/random.ts';
import type { TaskGraph } from '../../problem/taskGraph.ts';
import { descendNeighbourhood, TaskPairs } from '../../descent/descend.ts';
import { type Exchangeable, exchangePlaces } from '../../objective.ts';
import type { BoxAxis } from './placeBox.ts';
import { gridParameters } from './parameters.ts';

/** Longer axes stay as they are: a pass over all exchanges is O(side³). */
const sideLimit = 128;

/**
 * Reorders the positions along one axis of a box so that partners are closer: on a grid the sum of
 * bytes times links falls into one sum per axis, so that every axis is a small quadratic assignment of
 * its own. Exchanges two positions while that gains, from the order as it is and from the best with runs of it
 * reversed. Changes `positions`. O(edges + passes · side³).
 */
export function arrangeAxis(graph: TaskGraph, positions: Int32Array, { side, links }: BoxAxis): void {
  if (side < 3 || side > sideLimit || !links.some((count) => count > 0)) return;
  const between = bytesBetweenPositions(graph, positions, side);
  const random = seededRandom(1);
  const order = Int32Array.from({ length: side }, (_, position) => position);
  improveOrder(between, links, order);
  const candidate = order.slice();
  let best = orderCost(between, links, order);
  for (let kick = 0; kick < kicksFor(side); kick++) {
    candidate.set(order);
    reverseRun(candidate, random);
    reverseRun(candidate, random);
    improveOrder(between, links, candidate);
    const cost = orderCost(between, links, candidate);
    if (cost > best) continue;
    best = cost;
    order.set(candidate);
  }
  for (let task = 0; task < positions.length; task++) positions[task] = intAt(order, intAt(positions, task));
}

/** A kick costs O(side³) as well. */
const kicksFor = (side: number): number =>
  Math.floor(Math.min(gridParameters.mostKicks, gridParameters.stepsOfKicks / side ** 3));

function reverseRun(order: Int32Array, random: RandomSource): void {
  const one = random.integer(order.length);
  const other = random.integer(order.length);
  order.subarray(Math.min(one, other), Math.max(one, other) + 1).reverse();
}

/** Exchanges positions of `order` while that gains. */
function improveOrder(between: Float64Array, links: Int32Array, order: Int32Array): void {
  const objective = new AxisOrder(between, links, order);
  descendNeighbourhood(objective, new TaskPairs(objective), { policy: 'first', stop: neverCancelled });
}

function orderCost(between: Float64Array, links: Int32Array, order: Int32Array): number {
  let cost = 0;
  for (let one = 0; one < order.length; one++) {
    for (let other = 0; other < one; other++) {
      cost +=
        realAt(between, one * order.length + other) *
        intAt(links, intAt(order, one) * order.length + intAt(order, other));
    }
  }
  return cost;
}

/** Bytes between every two positions of the axis, both ways. */
function bytesBetweenPositions(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  positions: Int32Array,
  side: number,
): Float64Array {
  const between = new Float64Array(side * side);
  for (let task = 0; task < taskCount; task++) {
    const row = intAt(positions, task) * side;
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      between[row + intAt(positions, intAt(partner, edge))]! += realAt(weight, edge);
    }
  }
  return between;
}

/** Which position of the axis each position of the tasks goes to; `order` is changed. */
class AxisOrder implements Exchangeable {
  readonly placeOfTask: Int32Array;
  readonly taskAtPlace: Int32Array;
  readonly #between: Float64Array;
  readonly #links: Int32Array;

  constructor(between: Float64Array, links: Int32Array, order: Int32Array) {
    this.#between = between;
    this.#links = links;
    this.placeOfTask = order;
    this.taskAtPlace = new Int32Array(order.length);
    order.forEach((place, task) => (this.taskAtPlace[place] = task));
  }

  workOf(): number {
    return this.placeOfTask.length;
  }

  exchange(place: number, other: number): void {
    exchangePlaces(this, place, other);
  }

  exchangeDelta(place: number, otherPlace: number): number {
    const order = this.placeOfTask;
    const between = this.#between;
    const links = this.#links;
    const side = order.length;
    const one = intAt(this.taskAtPlace, place);
    const other = intAt(this.taskAtPlace, otherPlace);
    const rowOne = place * side;
    const rowOther = otherPlace * side;
    let delta = 0;
    for (let third = 0; third < side; third++) {
      if (third === one || third === other) continue;
      const more = intAt(links, rowOther + intAt(order, third)) - intAt(links, rowOne + intAt(order, third));
      delta += more * (realAt(between, one * side + third) - realAt(between, other * side + third));
    }
    return delta;
  }
}
