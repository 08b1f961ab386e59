/**
 * What packets go through: the stations of a machine with the queues at the ends of its links (`stationsOf`), and where they lie on a grid
 * (`gridOf`).
 *
 * A station is a router, or a node that hangs on a link of its own; the node is a station after the routers then. Links are
 * numbered as channels in `messages.ts`. The queue of channel c of link l is l·channels + c; after those of the links come the
 * injection queues of the nodes.
 */
import { neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { LinkTable, Machine } from '../../model/machine.ts';
import { closesToRing, volumeOf } from '../../model/shape.ts';
import { intAt } from '../../numeric/elements.ts';

const none = -1;

/** The stations of a machine and what links them. */
export interface Stations {
  readonly count: number;
  readonly linkCount: number;
  /** Station that each link comes from and goes to. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Station where each node puts packets into the network and takes them out. */
  readonly ofNode: Int32Array;
  readonly ofQueue: Int32Array;
  /** Queues at station s: `queues[firstQueue[s]] … `, in the order of the arbiter: links along +x −x +y −y …, channels within, injection last. */
  readonly firstQueue: Int32Array;
  readonly queues: Int32Array;
  /** Place of each queue among those of its station. */
  readonly portOfQueue: Int32Array;
}

/** O(queues · ports of a router); of no use where it was cancelled. */
export function stationsOf(
  { topology, nodeCount }: Machine,
  channels: number,
  grid: Grid | undefined,
  meter = new WorkMeter(neverCancelled),
): Stations {
  const { links, routerCount, hasHostLinks, routerOfNode } = topology;
  const { routerLinkCount } = links;
  const linkCount = routerLinkCount + (hasHostLinks ? 2 * nodeCount : 0);
  const count = routerCount + (hasHostLinks ? nodeCount : 0);
  const from = new Int32Array(linkCount);
  const to = new Int32Array(linkCount);
  from.set(links.from.subarray(0, routerLinkCount));
  to.set(links.to.subarray(0, routerLinkCount));
  const ofNode = hasHostLinks ? Int32Array.from({ length: nodeCount }, (_, node) => routerCount + node) : routerOfNode;
  for (let node = 0, link = routerLinkCount; link < linkCount; node++, link += 2) {
    from[link] = to[link + 1] = routerCount + node;
    to[link] = from[link + 1] = intAt(routerOfNode, node);
  }
  const linkQueues = linkCount * channels;
  const ofQueue = new Int32Array(linkQueues + nodeCount);
  for (let link = 0; link < linkCount; link++) {
    if (meter.isCancelledAfter(channels)) break;
    ofQueue.fill(intAt(to, link), link * channels, (link + 1) * channels);
  }
  ofQueue.set(ofNode.subarray(0, nodeCount), linkQueues);
  const ports = stationPorts(ofQueue, count, grid, channels, meter);
  return { count, linkCount, from, to, ofNode, ofQueue, ...ports };
}

/** By station, then by direction of travel, then by number: links of hosts and injection come last. */
function stationPorts(
  ofQueue: Int32Array,
  count: number,
  grid: Grid | undefined,
  channels: number,
  meter: WorkMeter,
): Pick<Stations, 'firstQueue' | 'queues' | 'portOfQueue'> {
  const firstQueue = new Int32Array(count + 1);
  for (const station of ofQueue) firstQueue[station + 1]!++;
  for (let station = 0; station < count; station++) firstQueue[station + 1]! += intAt(firstQueue, station);
  // Grids have no links of hosts.
  const directionOf = (queue: number): number => grid?.direction[Math.floor(queue / channels)] ?? Infinity;
  const queues = new Int32Array(ofQueue.length);
  const next = firstQueue.slice();
  for (let queue = 0; queue < ofQueue.length; queue++) {
    const station = intAt(ofQueue, queue);
    const first = intAt(firstQueue, station);
    let place = intAt(next, station);
    if (meter.isCancelledAfter(1 + place - first)) break;
    next[station] = place + 1;
    const direction = directionOf(queue);
    for (; place > first && directionOf(intAt(queues, place - 1)) > direction; place--) {
      queues[place] = intAt(queues, place - 1);
    }
    queues[place] = queue;
  }
  const portOfQueue = new Int32Array(ofQueue.length);
  for (let place = 0; place < queues.length; place++) {
    if (meter.isCancelledAfter(1)) break;
    const queue = intAt(queues, place);
    portOfQueue[queue] = place - intAt(firstQueue, intAt(ofQueue, queue));
  }
  return { firstQueue, queues, portOfQueue };
}

/** A torus, mesh or hypercube under dimension-order routing. */
export interface Grid {
  readonly axes: number;
  readonly sides: Int32Array;
  /** 1 where the axis is a ring. */
  readonly rings: Uint8Array;
  /** Axes in the order of the routing. */
  readonly order: Int32Array;
  /** Position of router r on axis a: `positions[r · axes + a]`. */
  readonly positions: Int32Array;
  /** Link of router r along axis a, onwards and back: `[2 · (r · axes + a)]` and the next; −1 where there is none. */
  readonly links: Int32Array;
  /** Of each link between routers 2 · axis, and 1 more where it leads back. */
  readonly direction: Int32Array;
  /** The link that enters the router which a link leaves, in the same direction of the same ring; −1 where there is no ring. */
  readonly before: Int32Array;
}

/** Sides of a grid under dimension-order routing, and which of its axes are rings. */
export type GridAxes = Pick<Grid, 'sides' | 'rings'>;

/** Undefined where the machine is no grid or routed otherwise. O(axes). */
export function gridAxesOf({ topology, routing }: Machine): GridAxes | undefined {
  const { shape, wraps } = topology;
  if (routing.kind !== 'dimension-order' || shape === undefined || wraps === undefined) return undefined;
  return {
    sides: Int32Array.from(shape),
    rings: Uint8Array.from(shape, (side, axis) => (closesToRing(side, wraps[axis] === true) ? 1 : 0)),
  };
}

/** Undefined where the machine is no grid or routed otherwise; of no use where it was cancelled. O(routers · axes). */
export function gridOf(machine: Machine, meter = new WorkMeter(neverCancelled)): Grid | undefined {
  const found = gridAxesOf(machine);
  if (found === undefined) return undefined;
  const { sides, rings } = found;
  const { links, routerCount } = machine.topology;
  const axes = sides.length;
  const positions = new Int32Array(routerCount * axes);
  for (let router = 0; router < routerCount; router++) {
    if (meter.isCancelledAfter(axes)) break;
    let rest = router;
    for (let axis = 0; axis < axes; axis++) {
      positions[router * axes + axis] = rest % intAt(sides, axis);
      rest = Math.floor(rest / intAt(sides, axis));
    }
  }
  const table = new Int32Array(2 * routerCount * axes).fill(none);
  const direction = new Int32Array(links.routerLinkCount);
  for (let link = 0; link < links.routerLinkCount; link++) {
    if (meter.isCancelledAfter(axes)) break;
    const [from, to] = [intAt(links.from, link), intAt(links.to, link)];
    let axis = 0;
    while (positions[from * axes + axis] === positions[to * axes + axis]) axis++;
    const step = intAt(positions, to * axes + axis) - intAt(positions, from * axes + axis);
    const isBack = rings[axis] === 1 ? step === -1 || step > 1 : step < 0;
    direction[link] = 2 * axis + (isBack ? 1 : 0);
    table[2 * (from * axes + axis) + (isBack ? 1 : 0)] = link;
  }
  const order = axisOrder(machine, sides, direction);
  const grid = { axes, sides, rings, order, positions, links: table, direction };
  return { ...grid, before: linksBefore(links, grid, meter) };
}

/** The link before each one in its ring, as {@link Grid} has them. */
function linksBefore(
  { routerLinkCount, to }: LinkTable,
  { axes, rings, direction, links }: Omit<Grid, 'before'>,
  meter: WorkMeter,
): Int32Array {
  const before = new Int32Array(routerLinkCount).fill(none);
  for (let link = 0; link < routerLinkCount; link++) {
    if (meter.isCancelledAfter(1)) break;
    const way = intAt(direction, link);
    if (rings[way >> 1] === 0) continue;
    const next = intAt(links, 2 * (intAt(to, link) * axes + (way >> 1)) + (way & 1));
    before[next] = link;
  }
  return before;
}

/** From the first router to the one next to it on every axis: the order in which the routing takes them. */
function axisOrder({ routing }: Machine, sides: Int32Array, direction: Int32Array): Int32Array {
  const strides = Array.from(sides, (_, axis) => volumeOf([...sides.subarray(0, axis)]));
  const corner = strides.reduce((sum, stride, axis) => (intAt(sides, axis) > 1 ? sum + stride : sum), 0);
  const route = routing.route(asRouterId(0), asRouterId(corner)) ?? [];
  return Int32Array.from(route, (link) => intAt(direction, link) >> 1);
}
