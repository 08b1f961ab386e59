/**
 * Dimension-order routing on grids: the catalogue's entry, the loads of all flows axis after axis, and at the end the
 * positions of routers on their axes (`GridPaths`).
 */
import type { OptionValues } from '../../model/catalogue.ts';
import type { AddressId, LinkId } from '../../model/identifiers.ts';
import { hasAllCables, type LinkTable, type Routing, type Topology, type RouterFlows } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { linkTowards } from '../topologies/grids.ts';
import { axisRouting } from './axisRoutes.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { type Shape, closesToRing } from '../../model/shape.ts';

export const dimensionOrder: RoutingEntry = {
  name: 'dimension-order',
  summary: 'one axis after the other, the shorter way round each ring',
  source: 'Dimension-order routing as in Pascual et al. 2010, section 4.1, and Alsardia 2017, section 2.3 (XY)',
  details:
    'On a ring of even length, both directions to the opposite router are equal. Packets then use the positive direction, so the two directions between such routers use different links. On a HyperX a packet takes one hop along each axis on which the routers differ. On a twisted torus it uses a shortest vector of steps, which may wrap on another axis. Equally distant pairs use the same vector. Needs coordinates: torus, mesh, hypercube or HyperX.',
  options: [{ name: 'order', summary: 'axes in order of travel (default: x, y, z, …)', kind: 'axes' }],
  build: buildDimensionOrder,
};

/** Fails with `routing-does-not-fit` without coordinates, `invalid-axis-order` where `order` is no permutation. */
function buildDimensionOrder(topology: Topology, options: OptionValues): Result<Routing> {
  const { shape, wraps } = topology;
  if (!shape) {
    return fail(
      'routing-does-not-fit',
      `Routing \`dimension-order\` needs a topology with coordinates, not \`topology ${topology.kind}\`. Use torus, mesh, hypercube ` +
        'or hyperx.',
    );
  }
  if (!hasAllCables(topology)) {
    return fail(
      'routing-does-not-fit',
      '`dimension-order` uses failed links. Write `routing minimal` or `routing up-down`.',
    );
  }
  const order = axisOrderOf(options, shape.length);
  if (!order.ok) return order;
  if (!wraps) return succeed(axisRouting(topology, shape, order.value));
  const paths = gridPathsOf(shape, wraps, order.value);
  const { links } = topology;
  return succeed({
    kind: 'dimension-order',
    singlePath: true,
    symmetric: true,
    hops: paths.hops,
    route(from, to) {
      const route: LinkId[] = [];
      walk(paths, links, from, to, (link) => route.push(link));
      return route;
    },
    stepsTo: () => undefined,
    visitShares(from, to, visit) {
      walk(paths, links, from, to, (link) => {
        visit(link, 1);
      });
    },
    addLoads(flows, loads, cancellation) {
      addAxisLoads(paths, links, flows, loads, cancellation);
    },
  });
}

function axisOrderOf(options: OptionValues, dimensions: number): Result<readonly number[]> {
  const given = options['order'];
  if (given === undefined) return succeed(Array.from({ length: dimensions }, (_, axis) => axis));
  const order = Array.isArray(given) ? (given as readonly number[]) : [];
  const isPermutation =
    order.length === dimensions &&
    new Set(order).size === dimensions &&
    order.every((axis) => Number.isInteger(axis) && axis >= 0 && axis < dimensions);
  if (isPermutation) return succeed(order);
  return fail('invalid-axis-order', `\`order\` must name each of the ${dimensions} axes of the topology once.`);
}

/** Visits the links from one router to another in order of travel. O(hops · dimensions). */
function walk(paths: GridPaths, links: LinkTable, from: number, to: number, visit: (link: LinkId) => void): void {
  let router: number = from;
  for (const axis of paths.axes) {
    let position = paths.positionOf(router, axis);
    let steps = stepsAlong(axis, position, paths.positionOf(to, axis));
    const direction = steps < 0 ? -1 : 1;
    for (; steps !== 0; steps -= direction) {
      const next = (position + direction + axis.side) % axis.side;
      const nextRouter = router + (next - position) * axis.stride;
      visit(linkTowards(links, router, nextRouter));
      position = next;
      router = nextRouter;
    }
  }
}

/** Flows between two polls of the cancellation. */
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
function addAxisLoads(
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
    for (let router = 0; router < routerCount; router++)
      travelled[router] = intAt(travelled, router) + intAt(positions, router) * axis.stride;
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

/**
 * What starts and ends at each router in one direction of one axis. A segment of a line of
 * routers costs two entries however long it is; sums along the line then give the loads. Sums
 * are kept in two parts (Knuth's TwoSum), so that a small flow survives beside a large one,
 * and segments are counted, so that a link that none crosses is exactly 0.
 */
interface LineDifferences {
  /** Two per router: the rounded sum and what rounding lost. */
  readonly sums: Float64Array;
  readonly segments: Int32Array;
}

function emptyDifferences(routerCount: number): LineDifferences {
  return { sums: new Float64Array(2 * routerCount), segments: new Int32Array(routerCount) };
}

/**
 * Marks the positions `first … end − 1` of the line that starts at router `lineStart`, modulo
 * the side; −side < first < end < 2 · side, at most `side` positions.
 */
function markSegment(
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
function addLineSums(
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
    crossing += intAt(segments, router);
    if (crossing === 0) {
      sum = 0;
      lost = 0;
      continue;
    }
    const before = sum;
    sum += realAt(sums, 2 * router);
    lost += roundingError(before, realAt(sums, 2 * router), sum) + realAt(sums, 2 * router + 1);
    const neighbour = lineStart + ((position + direction + side) % side) * stride;
    loads[linkTowards(links, router, neighbour)] = realAt(loads, linkTowards(links, router, neighbour)) + sum + lost;
  }
}

/** One axis of a grid along which there are links: its side is at least 2. */
interface GridAxis {
  /** Place in the order of travel. */
  readonly turn: number;
  readonly side: number;
  /** Difference of router ids between neighbours on the axis. */
  readonly stride: number;
  readonly ring: boolean;
}

/** Coordinates and shortest ways on a torus, mesh or hypercube, axes in order of travel. */
interface GridPaths {
  readonly routerCount: number;
  readonly axes: readonly GridAxis[];
  /** Links between two routers. O(dimensions), allocates nothing. */
  readonly hops: (from: AddressId, to: AddressId) => number;
  readonly positionOf: (router: number, axis: GridAxis) => number;
}

export function gridPathsOf(shape: Shape, wraps: readonly boolean[], order: readonly number[]): GridPaths {
  const axes = orderedAxes(shape, wraps, order);
  const routerCount = shape.reduce((product, side) => product * side, 1);
  const positions = axisPositions(axes, routerCount);
  const width = axes.length;
  // Where an axis is no ring, going round is given a length that is never the shorter one.
  const around = Int32Array.from(axes, (axis) => (axis.ring ? axis.side : 0x7fffffff));
  return {
    routerCount,
    axes,
    hops(from, to) {
      let hops = 0;
      for (let turn = 0; turn < width; turn++) {
        const distance = Math.abs(intAt(positions, from * width + turn) - intAt(positions, to * width + turn));
        hops += Math.min(distance, intAt(around, turn) - distance);
      }
      return hops;
    },
    positionOf: (router, axis) => intAt(positions, router * width + axis.turn),
  };
}

/** Signed steps from one position on an axis to another: the shorter way, half-way ties positive. */
function stepsAlong(axis: GridAxis, from: number, to: number): number {
  const straight = to - from;
  if (!axis.ring) return straight;
  const forward = straight < 0 ? straight + axis.side : straight;
  return 2 * forward <= axis.side ? forward : forward - axis.side;
}

function orderedAxes(shape: Shape, wraps: readonly boolean[], order: readonly number[]): GridAxis[] {
  const strides: number[] = [];
  let stride = 1;
  for (const side of shape) {
    strides.push(stride);
    stride *= side;
  }
  return order
    .filter((axis) => itemAt(shape, axis) > 1)
    .map((axis, turn) => ({
      turn,
      side: itemAt(shape, axis),
      stride: itemAt(strides, axis),
      ring: closesToRing(itemAt(shape, axis), wraps[axis] === true),
    }));
}

/** Position of every router on every axis, router by router: a look-up is cheaper than divisions. */
function axisPositions(axes: readonly GridAxis[], routerCount: number): Int32Array {
  const width = axes.length;
  const positions = new Int32Array(routerCount * width);
  for (const { turn, side, stride } of axes) {
    for (let router = 0; router < routerCount; router++) {
      positions[router * width + turn] = Math.floor(router / stride) % side;
    }
  }
  return positions;
}
