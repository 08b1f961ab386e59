import type { Cancellation } from '../../model/cancellation.ts';
import type { LinkTable, RouterFlows } from '../../model/machine.ts';
import { linkTowards } from '../topologies/gridGraph.ts';
import type { GridAxis, GridPaths } from './gridPaths.ts';

/** Flows between two looks at the cancellation flag. */
const flowsPerPoll = 8192;

/**
 * What starts and ends at each router in one direction of one axis. A flow is one segment of
 * a line of routers, so it costs two entries however long it is; sums along the line then
 * give the loads. Sums are kept in two parts (Knuth's TwoSum), so that a small flow survives
 * beside a large one, and flows are counted, so that a link that none crosses is exactly 0.
 */
interface Differences {
  /** Two per router: the rounded sum and what rounding lost. */
  readonly sums: Float64Array;
  readonly flows: Int32Array;
}

/**
 * Adds the loads of flows routed axis after axis. O(flows · dimensions + links · dimensions)
 * time, O(routers) memory. Returns early, with incomplete loads, where cancelled.
 */
export function addAxisLoads(
  paths: GridPaths,
  links: LinkTable,
  flows: RouterFlows,
  loads: Float64Array,
  cancellation: Cancellation,
): void {
  const { routerCount } = paths;
  const positive = emptyDifferences(routerCount);
  const negative = emptyDifferences(routerCount);
  const positions = new Int32Array(routerCount);
  // Part of each router's id that the axes travelled before contribute.
  const travelled = new Int32Array(routerCount);
  for (const axis of paths.axes) {
    for (let router = 0; router < routerCount; router++) positions[router] = paths.positionOf(router, axis);
    for (let first = 0; first < flows.from.length; first += flowsPerPoll) {
      if (cancellation.isCancelled()) return;
      const end = Math.min(first + flowsPerPoll, flows.from.length);
      markSegments(axis, flows, first, end, positions, travelled, positive, negative);
    }
    sumLines(axis, positions, positive, 1, links, loads);
    sumLines(axis, positions, negative, -1, links, loads);
    for (let router = 0; router < routerCount; router++) travelled[router]! += positions[router]! * axis.stride;
  }
}

function emptyDifferences(routerCount: number): Differences {
  return { sums: new Float64Array(2 * routerCount), flows: new Int32Array(routerCount) };
}

/** Marks where each flow's segment on the axis starts and where it ends. */
function markSegments(
  axis: GridAxis,
  flows: RouterFlows,
  first: number,
  end: number,
  positions: Int32Array,
  travelled: Int32Array,
  positive: Differences,
  negative: Differences,
): void {
  const { side, stride, ring } = axis;
  for (let flow = first; flow < end; flow++) {
    const source = flows.from[flow]!;
    const target = flows.to[flow]!;
    const position = positions[source]!;
    let steps = positions[target]! - position;
    if (steps === 0) continue;
    if (ring) {
      if (steps < 0) steps += side;
      if (2 * steps > side) steps -= side;
    }
    // The flow has done the axes before this one: there it stands where it wants to go.
    const lineStart = source - travelled[source]! + travelled[target]! - position * stride;
    const amount = flows.amount[flow]!;
    if (steps > 0) markRange(positive, lineStart, stride, side, position, position + steps, amount);
    else markRange(negative, lineStart, stride, side, position + steps + 1, position + 1, amount);
  }
}

/** Marks positions `first … end − 1` of a line, modulo the side: −side < first, end < 2 · side. */
function markRange(
  differences: Differences,
  lineStart: number,
  stride: number,
  side: number,
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

function mark(differences: Differences, router: number, amount: number, flows: number): void {
  const { sums } = differences;
  const before = sums[2 * router]!;
  const sum = before + amount;
  const added = sum - before;
  sums[2 * router] = sum;
  sums[2 * router + 1]! += before - (sum - added) + (amount - added);
  differences.flows[router]! += flows;
}

/** Sums the differences along every line into the loads of the links, and clears them. */
function sumLines(
  axis: GridAxis,
  positions: Int32Array,
  differences: Differences,
  direction: 1 | -1,
  links: LinkTable,
  loads: Float64Array,
): void {
  const { sums, flows } = differences;
  const { side, stride } = axis;
  for (let lineStart = 0; lineStart < positions.length; lineStart++) {
    if (positions[lineStart] !== 0) continue;
    let sum = 0;
    let lost = 0;
    let crossing = 0;
    for (let position = 0; position < side; position++) {
      const router = lineStart + position * stride;
      crossing += flows[router]!;
      const amount = sums[2 * router]!;
      const next = sum + amount;
      const added = next - sum;
      lost += sum - (next - added) + (amount - added) + sums[2 * router + 1]!;
      sum = next;
      if (crossing === 0) {
        sum = 0;
        lost = 0;
      } else {
        const neighbour = lineStart + ((position + direction + side) % side) * stride;
        loads[linkTowards(links, router, neighbour)]! += sum + lost;
      }
    }
  }
  sums.fill(0);
  flows.fill(0);
}
