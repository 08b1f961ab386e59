import type { Cancellation } from '../../model/cancellation.ts';
import type { LinkTable, RouterFlows } from '../../model/machine.ts';
import { stepsAlong, type GridAxis, type GridPaths } from './gridPaths.ts';
import { addLineSums, emptyDifferences, markSegment, type LineDifferences } from './lineDifferences.ts';

/** Flows between two looks at the cancellation flag. */
const flowsPerPoll = 8192;

/** Where the flows stand before they travel one axis. */
interface AxisTurn {
  readonly axis: GridAxis;
  /** Position of each router on the axis. */
  readonly positions: Int32Array;
  /** Part of each router's id that the axes travelled before contribute. */
  readonly travelled: Int32Array;
  readonly positive: LineDifferences;
  readonly negative: LineDifferences;
}

/**
 * Adds the loads of flows routed axis after axis. O(flows · dimensions + links · dimensions)
 * time however far the flows travel, O(routers + flows) memory.
 * Returns early, with incomplete loads, where cancelled.
 */
export function addAxisLoads(
  paths: GridPaths,
  links: LinkTable,
  flows: RouterFlows,
  loads: Float64Array,
  cancellation: Cancellation,
): void {
  const { routerCount } = paths;
  const positions = new Int32Array(routerCount);
  const travelled = new Int32Array(routerCount);
  const positive = emptyDifferences(routerCount);
  const negative = emptyDifferences(routerCount);
  for (const axis of paths.axes) {
    for (let router = 0; router < routerCount; router++) positions[router] = paths.positionOf(router, axis);
    const turn = { axis, positions, travelled, positive, negative };
    const isDense = flows.from.length > routerCount * axis.side;
    const done = isDense ? markGathered(turn, flows, cancellation) : markFlows(turn, flows, cancellation);
    if (!done) return;
    addLineSums(positive, axis, positions, 1, links, loads);
    addLineSums(negative, axis, positions, -1, links, loads);
    for (let router = 0; router < routerCount; router++) travelled[router]! += positions[router]! * axis.stride;
  }
}

/** Marks flow by flow; false where cancelled. */
function markFlows(turn: AxisTurn, { from, to, amount }: RouterFlows, cancellation: Cancellation): boolean {
  const { positions, travelled } = turn;
  for (let flow = 0; flow < from.length; flow++) {
    if (flow % flowsPerPoll === 0 && cancellation.isCancelled()) return false;
    const source = from[flow]!;
    const target = to[flow]!;
    // The flow has done the axes before this one: there it stands where it wants to go.
    markWay(turn, source - travelled[source]! + travelled[target]!, positions[target]!, amount[flow]!);
  }
  return true;
}

/**
 * Dense traffic has many flows from one router to one position on the axis: adds those up
 * first, one addition per flow. False where cancelled.
 */
function markGathered(turn: AxisTurn, { from, to, amount }: RouterFlows, cancellation: Cancellation): boolean {
  const { axis, positions, travelled } = turn;
  const { side } = axis;
  const gathered = new Float64Array(positions.length * side);
  for (let first = 0; first < from.length; first += flowsPerPoll) {
    if (cancellation.isCancelled()) return false;
    const end = Math.min(first + flowsPerPoll, from.length);
    for (let flow = first; flow < end; flow++) {
      const source = from[flow]!;
      const target = to[flow]!;
      const router = source - travelled[source]! + travelled[target]!;
      gathered[router * side + positions[target]!]! += amount[flow]!;
    }
  }
  for (let router = 0; router < positions.length; router++) {
    for (let position = 0; position < side; position++) {
      const sum = gathered[router * side + position]!;
      if (sum > 0) markWay(turn, router, position, sum);
    }
  }
  return true;
}

/** Marks the way from a router along the axis to a position on its line. */
function markWay(
  { axis, positions, positive, negative }: AxisTurn,
  router: number,
  target: number,
  amount: number,
): void {
  const position = positions[router]!;
  if (position === target) return;
  const steps = stepsAlong(axis, position, target);
  const lineStart = router - position * axis.stride;
  if (steps > 0) markSegment(positive, axis, lineStart, position, position + steps, amount);
  else markSegment(negative, axis, lineStart, position + steps + 1, position + 1, amount);
}
