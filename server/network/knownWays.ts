/**
 * The shortest ways of all flows of a network: how far every router is from each destination, what passes it on the way there, and what
 * that puts on links.
 */
import type { Cancellation } from '../model/cancellation.ts';
import type { LinkTable, RouterFlows, Topology } from '../model/machine.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { groupedBy } from '../numeric/grouping.ts';

/** The distance of routers that have no way. */
export const unreached = 0xffff;

/** Memory of the ways that are remembered, in bytes: a byte for each router and destination, and the amounts. */
const mostMemory = 3 * 2 ** 28;

/** Links from each router to one, as wide as they must be. */
export type Distances = Uint8Array | Uint16Array;

/**
 * The ways of all flows while no cable is lost. Plain arrays: they cross threads, which share them where their memory
 * is shared. Built by {@link knownWaysOf}.
 */
export interface KnownWays {
  readonly links: LinkTable;
  readonly routerCount: number;
  /** RouterIds that receive anything, ascending. */
  readonly destinations: Int32Array;
  /** Links to each destination, by destination and router; the largest value where there is no way. */
  readonly distance: Distances;
  readonly amounts: readonly AmountRow[];
  /** Bytes over each link between routers, by LinkId. */
  readonly loads: Float64Array;
  /** What a byte takes on each link, as a multiple of the fastest; undefined where it takes the same on all. */
  readonly weights: ArrayLike<number> | undefined;
  /** Cables that each link between routers stands for, by LinkId; undefined where each stands for one. */
  readonly cables?: Int32Array | undefined;
}

/** Bytes that pass or leave routers on their way to one destination: of these routers alone, or of all where none are named. */
interface AmountRow {
  readonly routers: Int32Array | undefined;
  readonly bytes: Float64Array;
}

/** Where arrays stand that threads may share: `new ArrayBuffer`, or shared memory. */
export type Memory = (bytes: number) => ArrayBuffer | SharedArrayBuffer;

const ownMemory: Memory = (bytes) => new ArrayBuffer(bytes);

/**
 * Loads under all shortest ways, a flow split evenly among the next links of each router. `weights` by LinkId, one for
 * each link between routers. `cancelled`, or `too-large` where they do not fit into memory.
 * O(destinations · (routers + links)).
 */
export function knownWaysOf(
  { routerCount, links }: Topology,
  flows: RouterFlows,
  weights: ArrayLike<number> | undefined,
  cancellation: Cancellation,
  memory: Memory = ownMemory,
  cables?: Int32Array,
): KnownWays | 'cancelled' | 'too-large' {
  const { start, members } = groupedBy(flows.to, routerCount);
  const destinations = Int32Array.from({ length: routerCount }, (_, router) => router).filter(
    (router) => intAt(start, router) < intAt(start, router + 1),
  );
  const far = new Uint16Array(routerCount);
  const order = new Int32Array(routerCount);
  // No two routers are farther apart than twice what one of them is from any other, and without a cable that parts none of them
  // than twice that (Chung and Garey 1984, Diameter bounds for altered graphs).
  const reached = hopsFromRouter(links, 0, far, order);
  const isNear = reached === routerCount && 4 * far[intAt(order, reached - 1)]! < 0xff;
  const pairs = destinations.length * routerCount;
  let held = (isNear ? 1 : 2) * pairs;
  if (held > mostMemory) return 'too-large';
  const distance = isNear ? new Uint8Array(memory(pairs)) : new Uint16Array(memory(2 * pairs));
  const loads = new Float64Array(links.routerLinkCount);
  const bytes = new Float64Array(routerCount);
  const amounts: AmountRow[] = [];
  for (const [index, destination] of destinations.entries()) {
    if (cancellation.isCancelled()) return 'cancelled';
    const count = hopsFromRouter(links, destination, far, order);
    distance.set(far, index * routerCount);
    for (const flow of members.subarray(start[destination], start[destination + 1])) {
      const from = intAt(flows.from, flow);
      if (from !== destination) bytes[from]! += realAt(flows.amount, flow);
    }
    passWaysOn(links, far, bytes, order, count, loads);
    const row = amountRow(bytes, memory);
    held += row.bytes.byteLength + (row.routers?.byteLength ?? 0);
    if (held > mostMemory) return 'too-large';
    amounts.push(row);
    bytes.fill(0);
  }
  return { links, routerCount, destinations, distance, amounts, loads, weights, ...(cables && { cables }) };
}

/** A copy: of what is not 0 where that is little. */
function amountRow(bytes: Float64Array, memory: Memory): AmountRow {
  let count = 0;
  for (const amount of bytes) if (amount !== 0) count++;
  if (8 * count > bytes.length) {
    const all = new Float64Array(memory(bytes.byteLength));
    all.set(bytes);
    return { routers: undefined, bytes: all };
  }
  const routers = new Int32Array(memory(4 * count));
  const own = new Float64Array(memory(8 * count));
  let place = 0;
  for (let router = 0; router < bytes.length; router++) {
    if (bytes[router] === 0) continue;
    routers[place] = router;
    own[place++] = bytes[router]!;
  }
  return { routers, bytes: own };
}

/** Links from every router to one, breadth first; cables go both ways. The first `count` of `order` are those found. */
function hopsFromRouter(links: LinkTable, start: number, far: Uint16Array, order: Int32Array): number {
  const { firstLink, to } = links;
  far.fill(unreached);
  far[start] = 0;
  order[0] = start;
  let count = 1;
  for (let index = 0; index < count; index++) {
    const router = intAt(order, index);
    for (let link = intAt(firstLink, router); link < intAt(firstLink, router + 1); link++) {
      if (far[to[link]!] !== unreached) continue;
      far[to[link]!] = far[router]! + 1;
      order[count++] = to[link]!;
    }
  }
  return count;
}

/** Passes all bytes on, the farthest routers first; what has passed a router stays in `bytes`. */
function passWaysOn(
  links: LinkTable,
  far: Uint16Array,
  bytes: Float64Array,
  order: Int32Array,
  count: number,
  loads: Float64Array,
): void {
  const { firstLink, to } = links;
  for (let index = count - 1; index > 0; index--) {
    const router = intAt(order, index);
    const here = bytes[router]!;
    if (here === 0) continue;
    const next = far[router]! - 1;
    let ways = 0;
    for (let link = intAt(firstLink, router); link < intAt(firstLink, router + 1); link++)
      if (far[to[link]!] === next) ways++;
    const share = here / ways;
    for (let link = intAt(firstLink, router); link < intAt(firstLink, router + 1); link++) {
      if (far[to[link]!] !== next) continue;
      loads[link]! += share;
      bytes[to[link]!]! += share;
    }
  }
}
