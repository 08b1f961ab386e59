import { largestOf } from '../../model/lists.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { normalised, principalComponents, type Coordinates } from './coordinates.ts';
import { BreadthFirstSearch, connectedComponents } from '../../numeric/breadthFirst.ts';
import { embeddingParameters } from './parameters.ts';

/**
 * Coordinates for a graph that has none: breadth-first distances from landmarks, their principal
 * components, smoothed. Neighbours are near each other and what is far apart in the graph is far
 * apart in space, as far as `dimensions` axes allow. Undefined if cancelled.
 * O(landmarks · edges + n · landmarks²).
 */
export function graphCoordinates(
  graph: TaskGraph,
  dimensions: number,
  cancellation: Cancellation,
): Float64Array[] | undefined {
  const meter = new WorkMeter(cancellation);
  const isStopped = (edges: number): boolean => meter.isCancelledAfter(edges);
  const components = connectedComponents(graph.rowStart, graph.partner, isStopped);
  if (components === undefined) return undefined;
  const { count, start, members: tasks } = components;
  const parts: PackedPart[] = [];
  const search = new BreadthFirstSearch(graph.rowStart, graph.partner);
  for (let component = 0; component < count; component++) {
    const members = tasks.subarray(start[component], start[component + 1]);
    if (meter.isCancelledAfter(members.length)) return undefined;
    const coordinates = componentCoordinates(graph, members, dimensions, search, meter);
    if (coordinates === undefined) return undefined;
    parts.push({ tasks: members, coordinates });
  }
  const spare = new Float64Array(graph.taskCount);
  const packed = packParts(parts, graph.taskCount, dimensions);
  for (const axis of packed) {
    if (!smoothAxis(graph, axis, embeddingParameters.smoothingRounds, spare, meter)) return undefined;
  }
  const axes = parts.length === 1 ? principalComponents(packed, dimensions, meter) : packed;
  return axes && normalised(axes);
}

function componentCoordinates(
  graph: TaskGraph,
  members: Int32Array,
  dimensions: number,
  search: BreadthFirstSearch,
  meter: WorkMeter,
): Float64Array[] | undefined {
  if (members.length === 1) return [];
  const { mostLandmarks, fewestLandmarks, edgeVisitsOfLandmarks } = embeddingParameters;
  const affordable = Math.floor(edgeVisitsOfLandmarks / graph.partner.length);
  const count = Math.min(mostLandmarks, Math.max(fewestLandmarks, affordable));
  const distances = landmarkDistances(search, members, count, meter);
  return distances && principalComponents(distances, dimensions, meter);
}

/**
 * Distances in edges from some tasks of one component, each as far from those before it as there is
 * one (farthest-point landmarks, de Silva and Tenenbaum 2004), the first at an end of the component.
 * One array per landmark, in the order of `members`. Undefined if cancelled. O(landmarks · edges).
 */
function landmarkDistances(
  search: BreadthFirstSearch,
  members: Int32Array,
  landmarkCount: number,
  meter: WorkMeter,
): Float64Array[] | undefined {
  const nearest = new Float64Array(members.length).fill(Infinity);
  const distances: Float64Array[] = [];
  const isStopped = (edges: number): boolean => meter.isCancelledAfter(edges);
  if (!search.run([intAt(members, 0)], isStopped)) return undefined;
  let landmark = intAt(search.order, search.count - 1);
  while (distances.length < Math.min(landmarkCount, members.length)) {
    if (meter.isCancelledAfter(members.length) || !search.run([landmark], isStopped)) return undefined;
    const own = Float64Array.from(members, (task) => intAt(search.distance, task));
    distances.push(own);
    let farthest = 0;
    for (let index = 0; index < own.length; index++) {
      nearest[index] = Math.min(realAt(nearest, index), realAt(own, index));
      if (realAt(nearest, index) > realAt(nearest, farthest)) farthest = index;
    }
    landmark = intAt(members, farthest);
  }
  return distances;
}

/** A component with coordinates of its own, and its tasks in the same order. */
interface PackedPart {
  readonly tasks: Int32Array;
  readonly coordinates: Coordinates;
}

/**
 * Sets parts that have nothing to do with each other side by side in a cube, each in a box as large as
 * its share of the tasks: the parts are halved by tasks and the box along its longest side, again and
 * again. O(n · dimensions + parts log parts).
 */
function packParts(parts: readonly PackedPart[], taskCount: number, dimensions: number): Float64Array[] {
  const packed = Array.from({ length: dimensions }, () => new Float64Array(taskCount));
  const largestFirst = parts.toSorted((a, b) => b.tasks.length - a.tasks.length);
  const cube = { low: new Array<number>(dimensions).fill(0), high: new Array<number>(dimensions).fill(1) };
  fillBox(packed, largestFirst, cube);
  return packed;
}

interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

function fillBox(packed: readonly Float64Array[], parts: readonly PackedPart[], box: Box): void {
  const [part] = parts;
  if (part === undefined) return;
  if (parts.length === 1) {
    fitInto(packed, part, box);
    return;
  }
  const total = tasksIn(parts);
  let first = 1;
  let own = part.tasks.length;
  while (first < parts.length - 1 && own + itemAt(parts, first).tasks.length <= total / 2)
    own += itemAt(parts, first++).tasks.length;
  const [near, far] = splitBox(box, own / total);
  fillBox(packed, parts.slice(0, first), near);
  fillBox(packed, parts.slice(first), far);
}

const tasksIn = (parts: readonly PackedPart[]): number => parts.reduce((sum, { tasks }) => sum + tasks.length, 0);

function splitBox({ low, high }: Box, share: number): [Box, Box] {
  const sides = low.map((from, axis) => itemAt(high, axis) - from);
  const longest = sides.indexOf(largestOf(sides));
  const cut = itemAt(low, longest) + share * itemAt(sides, longest);
  return [
    { low, high: high.with(longest, cut) },
    { low: low.with(longest, cut), high },
  ];
}

/** Scaled alike along all axes, so that it fits, and set in the middle. */
function fitInto(packed: readonly Float64Array[], { tasks, coordinates }: PackedPart, { low, high }: Box): void {
  const spans = coordinates.map(spanOf);
  let scale = Infinity;
  for (const [axis, { lowest, highest }] of spans.entries()) {
    if (highest > lowest) scale = Math.min(scale, (itemAt(high, axis) - itemAt(low, axis)) / (highest - lowest));
  }
  if (scale === Infinity) scale = 0;
  for (const [axis, out] of packed.entries()) {
    const centre = (itemAt(low, axis) + itemAt(high, axis)) / 2;
    const values = coordinates[axis];
    const span = spans[axis];
    for (let index = 0; index < tasks.length; index++) {
      const away = values && span ? realAt(values, index) - (span.lowest + span.highest) / 2 : 0;
      out[intAt(tasks, index)] = centre + scale * away;
    }
  }
}

function spanOf(values: Float64Array): { lowest: number; highest: number } {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return { lowest, highest };
}

/**
 * Moves every task towards the mean of its partners, weighted by their bytes, all at once and so many
 * times: what is smoothed is near its partners, but all of it shrinks towards the middle, so only the
 * order along the axis has a meaning. `spare` is as long as `axis`. False where it was cancelled, with the axis half
 * smoothed. O(rounds · edges).
 */
export function smoothAxis(
  graph: TaskGraph,
  axis: Float64Array,
  rounds: number,
  spare: Float64Array,
  meter: WorkMeter,
): boolean {
  let from = axis;
  let to = spare;
  for (let round = 0; round < rounds; round++) {
    if (!smoothOnce(graph, from, to, meter)) return false;
    [from, to] = [to, from];
  }
  if (from !== axis) axis.set(from);
  return true;
}

function smoothOnce(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  from: Float64Array,
  to: Float64Array,
  meter: WorkMeter,
): boolean {
  const { kept } = embeddingParameters;
  let edge = 0;
  for (let task = 0; task < taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    if (meter.isCancelledAfter(end - edge)) return false;
    let pull = 0;
    let total = 0;
    for (; edge < end; edge++) {
      const pulled = realAt(weight, edge);
      pull += pulled * realAt(from, intAt(partner, edge));
      total += pulled;
    }
    to[task] = total > 0 ? kept * realAt(from, task) + ((1 - kept) * pull) / total : realAt(from, task);
  }
  return true;
}
