/**
 * Where packets may go next: for the first packet of a queue the queues that it may ask for, in the order in which it does.
 * `packetStations.ts` says how stations and queues are numbered.
 */
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { Machine, RouteGraph } from '../../model/machine.ts';
import type { NetworkRouting } from '../../model/networkModel.ts';
import { grown, intAt } from '../../numeric/elements.ts';
import { FixedRoutes } from './fixedRoutes.ts';
import { gridOf, stationsOf, type Grid, type Stations } from './packetStations.ts';

export interface RouteRules {
  readonly channels: number;
  readonly routing: NetworkRouting;
  /** Whether rings are entered by the rule of the bubble. */
  readonly hasBubble: boolean;
}

const none = -1;

/** Of a grid with adaptive routing: channels below this are for escape; two where rings without a bubble are left by one and not the other. */
export function escapeChannelsOf(grid: Grid | undefined, { channels, routing, hasBubble }: RouteRules): number {
  if (routing !== 'adaptive' || channels === 1 || grid === undefined) return 0;
  return grid.rings.includes(1) && !hasBubble && channels > 2 ? 2 : 1;
}

/** Rows of distances that are kept, in entries together. */
const mostRemembered = 2 ** 27;

/**
 * Routers that packets will go to, whose distances in the graph of a routing take long to be worked out: that is done between cycles, with
 * looks at the cancellation, and not in the midst of one. Nothing on grids, and where there are more distances than are kept.
 */
export class DistancesToFind {
  readonly #isNoted: Uint8Array = new Uint8Array(0);
  readonly #routerOfNode: Int32Array = new Int32Array(0);
  readonly #routers: number[] = [];

  /** Distances that are kept at most. */
  constructor({ topology, routing }: Machine, mostKept = mostRemembered) {
    const { routerCount, routerOfNode } = topology;
    this.#routerOfNode = routerOfNode;
    if (routing.graph !== undefined && routing.graph.stateCount * routerCount <= mostKept)
      this.#isNoted = new Uint8Array(routerCount);
  }

  /** Packets will go to a node. */
  note(node: number): void {
    // Most networks are grids, and a look behind the end of an array is slow.
    if (this.#isNoted.length === 0) return;
    const router = intAt(this.#routerOfNode, node);
    if (this.#isNoted[router] !== 0) return;
    this.#isNoted[router] = 1;
    this.#routers.push(router);
  }

  /** Finds what was noted; false where it was cancelled, and the rest is found by the next call. */
  find(findRow: (router: number) => void, cancellation: Cancellation): boolean {
    for (let router = this.#routers.pop(); router !== undefined; router = this.#routers.pop()) {
      findRow(router);
      if (cancellation.isCancelled()) return false;
    }
    return true;
  }
}

/**
 * The choices of the first packet of a queue. {@link find} writes them: `count` queues in `queues`, with the state of the
 * route behind each in `states`; where there is an `escape` channel it stands behind them. A queue that is entered by the rule
 * of the bubble is written as its complement (`~queue`).
 */
export class PacketRoutes {
  readonly stations: Stations;
  count = 0;
  queues: Int32Array<ArrayBuffer> = new Int32Array(0);
  states: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** No packet has more choices, the escape channel included. */
  readonly most: number = 0;
  #begin = 0;
  hasEscape = false;
  escape = 0;
  readonly grid: Grid | undefined;
  readonly #machine: Machine;
  readonly #graph: RouteGraph | undefined;
  /** Where there is neither a grid nor a graph. */
  readonly #fixed: FixedRoutes | undefined;
  readonly #channels: number = 0;
  readonly #isAdaptive: boolean = false;
  readonly #hasBubble: boolean = false;
  /** Of an adaptive grid: channels below this are for escape. */
  readonly escapeChannels: number = 0;
  /** Distances from each state to a router, by router. */
  readonly #rows = new Map<number, ArrayLike<number>>();
  /** Link that the last packet of each queue took, where routes are chosen in a graph. */
  readonly #lastLink: Int32Array = new Int32Array(0);

  /** Of no use where it was cancelled. */
  constructor(
    machine: Machine,
    { channels, routing, hasBubble }: RouteRules,
    cancellation: Cancellation = neverCancelled,
  ) {
    const meter = new WorkMeter(cancellation);
    this.#machine = machine;
    this.#graph = machine.routing.graph;
    this.#channels = channels;
    this.#isAdaptive = routing === 'adaptive';
    this.#hasBubble = hasBubble;
    this.grid = gridOf(machine, meter);
    if (this.grid === undefined && this.#graph === undefined) this.#fixed = new FixedRoutes(machine);
    this.stations = stationsOf(machine, channels, this.grid, meter);
    this.most = 1 + channels * Math.max(1, this.grid === undefined ? mostLinks(machine) : this.grid.axes);
    this.queues = new Int32Array(this.most);
    this.states = new Int32Array(this.most);
    this.#lastLink = new Int32Array(this.stations.ofQueue.length).fill(none);
    this.escapeChannels = escapeChannelsOf(this.grid, { channels, routing, hasBubble });
  }

  /**
   * State in which a packet of a node begins: that of the route graph, or where its fixed route begins. On a grid, where routing is adaptive, a bit for each axis, from
   * random `bits`: which way the packet takes half-way round a ring, 1 for back.
   */
  startOf(node: number, bits = 0): number {
    const { topology } = this.#machine;
    if (this.#graph !== undefined) return intAt(this.#graph.startOf, intAt(topology.routerOfNode, node));
    if (this.#fixed !== undefined) return this.#fixed.senderOf(node);
    return this.#isAdaptive ? bits : 0;
  }

  /**
   * The way from one node of a grid to another as a word: 8 bits for each axis, the lower seven of them steps, the highest one set where they
   * lead back. `bits` as for {@link startOf}.
   */
  wayOf(from: number, to: number, bits: number): number {
    const { grid } = this;
    if (grid === undefined) throw new RangeError('Ways along axes are those of a grid.');
    const { routerOfNode } = this.#machine.topology;
    const router = intAt(routerOfNode, from);
    const target = intAt(routerOfNode, to);
    let way = 0;
    for (let axis = 0; axis < grid.axes; axis++) {
      const step = stepAlong(grid, axis, router, target, bits);
      if (step === none) continue;
      const distance = Math.abs(
        intAt(grid.positions, target * grid.axes + axis) - intAt(grid.positions, router * grid.axes + axis),
      );
      const steps = grid.rings[axis] === 1 ? Math.min(distance, intAt(grid.sides, axis) - distance) : distance;
      way |= ((step << 7) | steps) << (8 * axis);
    }
    return way;
  }

  /** Whether a queue is that of a channel whose packets may take one for escape instead. */
  isBesideEscape(queue: number): boolean {
    const { escapeChannels } = this;
    const isOfRouters = queue < this.#machine.topology.links.routerLinkCount * this.#channels;
    return escapeChannels > 0 && isOfRouters && queue % this.#channels >= escapeChannels;
  }

  /** The first packet of a queue has taken the link. */
  used(queue: number, link: number): void {
    this.#lastLink[queue] = link;
  }

  /**
   * Whether a packet for a node at a station is there; if not, its choices are found. `queue` is the one that it is first of, `state` where
   * it began or what came with the choice that it took. They are written from `begin` on.
   */
  find(queue: number, node: number, state: number, begin = 0): boolean {
    const { stations } = this;
    const station = intAt(stations.ofQueue, queue);
    if (station === intAt(stations.ofNode, node)) return true;
    const { topology } = this.#machine;
    this.count = 0;
    this.hasEscape = false;
    this.#begin = begin;
    if (station >= topology.routerCount) {
      // From a node to its router.
      const link = topology.links.routerLinkCount + 2 * (station - topology.routerCount);
      this.#addChannels(link, 0, this.#channels, state);
      return false;
    }
    const target = intAt(topology.routerOfNode, node);
    if (station === target) this.#addChannels(topology.links.routerLinkCount + 2 * node + 1, 0, this.#channels, state);
    else if (this.#fixed !== undefined) {
      this.#addChannels(this.#fixed.nextOf(station, state, node), 0, this.#channels, state);
    } else if (this.grid === undefined) this.#findInGraph(queue, target, state);
    else if (this.#isAdaptive) this.#findAdaptive(this.grid, queue, station, target, state);
    else this.#findOrdered(this.grid, queue, station, target);
    return false;
  }

  /** Makes `queues` and `states` at least so long. */
  reserve(length: number): void {
    if (length <= this.queues.length) return;
    this.queues = grown(this.queues, new Int32Array(2 * length));
    this.states = grown(this.states, new Int32Array(2 * length));
  }

  #add(queue: number, state: number): void {
    const place = this.#begin + this.count++;
    this.queues[place] = queue;
    this.states[place] = state;
  }

  #addChannels(link: number, from: number, to: number, state: number): void {
    for (let channel = from; channel < to; channel++) this.#add(link * this.#channels + channel, state);
  }

  /**
   * Dimension order. With a bubble a packet keeps its channel in a ring and enters any of the next one. Without, where there are two or
   * more: those below the middle while the cable that closes the ring lies ahead, the others behind it (Dally and Seitz 1987).
   */
  #findOrdered(grid: Grid, queue: number, router: number, target: number): void {
    const channels = this.#channels;
    const link = orderedLink(grid, router, target, 0);
    const before = intAt(grid.before, link);
    if (before === none) this.#addChannels(link, 0, channels, 0);
    else if (!this.#hasBubble) {
      const middle = channels >> 1;
      const isAhead = closesAhead(grid, link, router, target);
      if (middle === 0) this.#addChannels(link, 0, channels, 0);
      else if (isAhead) this.#addChannels(link, 0, middle, 0);
      else this.#addChannels(link, middle, channels, 0);
    } else if (queue >= before * channels && queue < (before + 1) * channels) {
      this.#add(link * channels + queue - before * channels, 0);
    } else for (let channel = 0; channel < channels; channel++) this.#add(~(link * channels + channel), 0);
  }

  /** Axes with hops left, from that of arrival on, the channel of arrival first where it goes straight on; last the escape channel. */
  #findAdaptive(grid: Grid, queue: number, router: number, target: number, ties: number): void {
    const channels = this.#channels;
    const { axes } = grid;
    const first = this.escapeChannels;
    const arrival = Math.floor(queue / channels);
    const way = arrival < grid.direction.length ? intAt(grid.direction, arrival) : none;
    const begin = way === none ? 0 : way >> 1;
    for (let turn = 0; turn < axes; turn++) {
      const axis = begin + turn < axes ? begin + turn : begin + turn - axes;
      const step = stepAlong(grid, axis, router, target, ties);
      if (step === none) continue;
      const link = intAt(grid.links, 2 * (router * axes + axis) + step);
      const channel = queue - arrival * channels;
      const straight = way === 2 * axis + step && channel >= first ? channel : first;
      for (let each = 0; each < channels - first; each++) {
        const other = straight + each < channels ? straight + each : straight + each - channels + first;
        this.#add(link * channels + other, ties);
      }
    }
    if (first > 0) this.#findEscape(grid, queue, router, target, ties);
  }

  #findEscape(grid: Grid, queue: number, router: number, target: number, ties: number): void {
    const channels = this.#channels;
    const link = orderedLink(grid, router, target, ties);
    const before = intAt(grid.before, link);
    let escape = link * channels;
    if (before !== none && this.escapeChannels === 2) escape += closesAhead(grid, link, router, target) ? 0 : 1;
    else if (before !== none && this.#hasBubble && queue !== before * channels) escape = ~escape;
    this.hasEscape = true;
    this.escape = escape;
    this.queues[this.#begin + this.count] = escape;
    this.states[this.#begin + this.count] = ties;
  }

  /** The next links of the graph on shortest ways: the first one, or all, those behind the one that the queue used last at first. */
  #findInGraph(queue: number, target: number, state: number): void {
    const graph = this.#graph;
    if (graph === undefined) throw new RangeError('A routing without a graph is dimension-order.');
    const left = this.distancesTo(target);
    const wanted = (left[state] ?? 0) - 1;
    const end = intAt(graph.firstStep, state + 1);
    const last = intAt(this.#lastLink, queue);
    for (let round = 0; round < 2; round++) {
      for (let step = intAt(graph.firstStep, state); step < end; step++) {
        const link = intAt(graph.stepLink, step);
        const next = intAt(graph.stepTo, step);
        if (left[next] !== wanted) continue;
        if (!this.#isAdaptive) {
          this.#addChannels(link, 0, this.#channels, next);
          return;
        }
        if (link > last === (round === 0)) this.#addChannels(link, 0, this.#channels, next);
      }
    }
  }

  distancesTo(router: number): ArrayLike<number> {
    const known = this.#rows.get(router);
    if (known !== undefined) return known;
    const row = this.#machine.routing.stepsTo(asRouterId(router));
    if (row === undefined) throw new RangeError('A routing with a graph has distances.');
    if ((this.#rows.size + 1) * row.length <= mostRemembered) this.#rows.set(router, row);
    return row;
  }
}

/**
 * 0 where the shorter way along an axis leads onwards, 1 where it leads back, −1 where there is none to go. Half-way round it is the bit
 * of the axis in `ties`.
 */
function stepAlong(grid: Grid, axis: number, router: number, target: number, ties: number): number {
  const { axes, sides, rings, positions } = grid;
  const distance = positions[target * axes + axis]! - positions[router * axes + axis]!;
  if (distance === 0) return none;
  if (rings[axis] === 0) return distance > 0 ? 0 : 1;
  const side = sides[axis]!;
  const onwards = 2 * (distance > 0 ? distance : distance + side);
  return onwards === side ? (ties >> axis) & 1 : onwards < side ? 0 : 1;
}

/** The link that dimension order takes. */
function orderedLink(grid: Grid, router: number, target: number, ties: number): number {
  for (let turn = 0; turn < grid.order.length; turn++) {
    const axis = grid.order[turn]!;
    const step = stepAlong(grid, axis, router, target, ties);
    if (step !== none) return grid.links[2 * (router * grid.axes + axis) + step]!;
  }
  throw new RangeError('A packet that is there takes no link.');
}

/** Whether a packet that takes a link of a ring has the cable from the last position to the first before it, or takes it now. */
function closesAhead({ axes, direction, positions }: Grid, link: number, router: number, target: number): boolean {
  const way = intAt(direction, link);
  const distance = intAt(positions, target * axes + (way >> 1)) - intAt(positions, router * axes + (way >> 1));
  return (way & 1) === 0 ? distance < 0 : distance > 0;
}

/** Links that leave a router, at most. */
export function mostLinks({ topology }: Machine): number {
  const { firstLink } = topology.links;
  let most = 0;
  for (let router = 0; router < topology.routerCount; router++) {
    most = Math.max(most, intAt(firstLink, router + 1) - intAt(firstLink, router));
  }
  return most;
}

/** Coins of the packet that a node makes as its `serial`th: one for each axis of a grid. */
export const tiesOf = (seed: number, node: number, serial: number): number => mixedBits(~seed, node, serial) >>> 2;

/** 32 random bits that depend on the arguments alone. */
export function mixedBits(seed: number, one: number, other: number): number {
  let bits = seed ^ Math.imul(one + 1, 0x9e3779b1) ^ Math.imul(other % 2 ** 31, 0x85ebca77);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
