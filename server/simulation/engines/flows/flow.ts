/**
 * Messages as flows that share channels fairly: an approximation without packets, queues and deadlocks, for networks and programs that are
 * too large for the other engines.
 *
 * Each node sends one message at a time, in order, over one fixed route (`routes.ts`). At every moment each flow has its max-min share of
 * the channels, of one flit a cycle each (slower links of their part of it): no flow can have more without one that has no more than it getting less (Bertsekas and
 * Gallager 1992, section 6.5.2). A message of L flits whose shares come to L has left its node, and arrives when its header's time over h links
 * has passed too: alone after h(r + l) + r + L − 1 cycles, as by cut-through.
 *
 * Shares change when a flow begins or ends (`maxMinShares.ts`).
 */
import type { Cancellation } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import { IndexedHeap } from '../../../numeric/heap.ts';
import { relativeTimes } from '../../../network/linkClasses.ts';
import {
  flitsOf,
  type MessageAdvance,
  type MessageNetwork,
  type MessageObserver,
  packetsOf,
  type Packing,
  type WaitingPacket,
} from '../../messages.ts';
import { routesOf } from '../../routes.ts';
import { FlowRoutes } from './flowRoutes.ts';
import { MaxMinShares } from './maxMinShares.ts';

export interface FlowOptions {
  readonly packing: Packing;
  /** Cycles to route a header, and to cross a link. */
  readonly router: number;
  readonly link: number;
  readonly secondsPerCycle: number | undefined;
}

/** Times are sums of quotients: what is so little beyond the end of a cycle is within it. */
const tolerance = 1e-6;
interface Message {
  readonly to: number;
  readonly flits: number;
  readonly created: number;
  /** Known when it has left its node. */
  hops: number;
}

const none = -1;

export class FlowNetwork implements MessageNetwork {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  readonly deadlock = undefined;
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  now = -1;
  messagesUnderWay = 0;
  readonly #options: FlowOptions;
  readonly #observer: MessageObserver;
  readonly #routes: FlowRoutes;
  /** Links of hosts that count as links on a way. */
  readonly #hostLinks: number = 0;
  readonly #messages: (Message | undefined)[] = [];
  readonly #unused: number[] = [];
  /** By node: messages that it has to send, and the one that it sends first. */
  readonly #queues: number[][];
  readonly #firstOfQueue: Int32Array = new Int32Array(0);
  /** The message that a node sends now, as a flow: that message or −1, and when it began. */
  readonly #message: Int32Array = new Int32Array(0);
  readonly #begunAt: Float64Array = new Float64Array(0);
  /** Flits of the flow that are left at the time `since`; as many go in a cycle from then on as its share is. */
  readonly #flitsLeft: Float64Array = new Float64Array(0);
  readonly #since: Float64Array = new Float64Array(0);
  readonly #shares: MaxMinShares;
  /** Flits that a channel takes in a cycle; undefined where each takes one. */
  readonly #capacities: Float64Array | undefined;
  /** Minus the time at which a node's flow ends, and nodes by it. */
  readonly #end: Float64Array = new Float64Array(0);
  readonly #ending: IndexedHeap;
  /** Cycles in which messages arrive, ascending, and which. */
  readonly #arrivalCycles: number[] = [];
  readonly #arrivals = new Map<number, number[]>();
  /** When each channel is free again, were its flows sent one after the other: for the observer. */
  readonly #observed: Float64Array = new Float64Array(0);
  /** It was cancelled within a cycle: what was sent in it is still to be told, and shares from a time on are still to be filled. */
  #isInterrupted = false;
  #interruptedAt: number | undefined;

  constructor(machine: Machine, options: FlowOptions, observer: MessageObserver = {}) {
    this.secondsPerCycle = options.secondsPerCycle;
    this.#options = options;
    this.#observer = observer;
    const routes = routesOf(machine);
    this.#routes = new FlowRoutes(routes, machine.nodeCount);
    this.#hostLinks = machine.topology.hasHostLinks ? 2 : 0;
    const { channelCount } = routes;
    this.#capacities = capacitiesOf(machine, channelCount);
    this.#shares = new MaxMinShares(this.#routes, { nodeCount: machine.nodeCount, channelCount }, this.#capacities);
    this.#queues = Array.from({ length: machine.nodeCount }, () => []);
    this.#firstOfQueue = new Int32Array(machine.nodeCount);
    this.#message = new Int32Array(machine.nodeCount).fill(none);
    this.#begunAt = new Float64Array(machine.nodeCount);
    this.#flitsLeft = new Float64Array(machine.nodeCount);
    this.#since = new Float64Array(machine.nodeCount);
    this.#end = new Float64Array(machine.nodeCount);
    this.#ending = new IndexedHeap(this.#end);
    this.#observed = new Float64Array(channelCount);
  }

  send(from: number, to: number, bytes: number): number {
    const { packing } = this.#options;
    const message = this.#unused.pop() ?? this.#messages.length;
    const flits = packetsOf(packing, bytes) * flitsOf(packing, bytes);
    this.#messages[message] = { to, flits, created: this.now + 1, hops: 0 };
    this.messagesUnderWay++;
    const queue = itemAt(this.#queues, from);
    queue.push(message);
    // The end of cycle c is the time c + 1.
    if (this.#message[from] === none) this.#begin(from, this.now + 1);
    return message;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    if (!this.#isInterrupted) this.#forget();
    const from = this.#interruptedAt ?? this.now + 1;
    this.#isInterrupted = false;
    this.#interruptedAt = undefined;
    if (!this.#fill(from, cancellation)) return 'cancelled';
    const next = Math.min(this.#endCycle(), this.#arrivalCycles[0] ?? Infinity);
    if (to <= this.now || next > to) {
      this.now = Math.max(this.now, to);
      return 'reached';
    }
    while (this.#endCycle() <= next) {
      if (this.#shares.isCancelled(cancellation)) {
        this.#isInterrupted = true;
        return 'cancelled';
      }
      const time = -realAt(this.#end, this.#ending.top);
      do this.#finish(this.#ending.top, time, next);
      while (this.#ending.count > 0 && -realAt(this.#end, this.#ending.top) === time);
      if (!this.#fill(time, cancellation)) return 'cancelled';
    }
    this.now = next;
    if (this.#arrivalCycles[0] === next) {
      this.#arrivalCycles.shift();
      for (const message of this.#arrivals.get(next) ?? []) this.#arrive(message);
      this.#arrivals.delete(next);
    }
    this.sent.sort((a, b) => a - b);
    this.arrived.sort((a, b) => a - b);
    return 'events';
  }

  /** Flows wait for nothing: they go on more slowly. */
  waiting(): readonly WaitingPacket[] {
    return [];
  }

  /** What was told of is known. */
  #forget(): void {
    for (const message of this.arrived) {
      this.#messages[message] = undefined;
      this.#unused.push(message);
    }
    this.arrived.length = 0;
    this.sent.length = 0;
  }

  /** Cycle in which the next flow ends. */
  #endCycle(): number {
    const { top } = this.#ending;
    return top < 0 ? Infinity : Math.max(this.now + 1, Math.ceil(-realAt(this.#end, top) - tolerance) - 1);
  }

  #begin(node: number, time: number): void {
    const message = itemAt(this.#queues, node)[intAt(this.#firstOfQueue, node)] ?? 0;
    const { to, flits } = itemAt(this.#messages, message);
    this.#routes.add(node, to);
    this.#message[node] = message;
    this.#begunAt[node] = this.#since[node] = time;
    this.#flitsLeft[node] = flits;
    this.#shares.begin(node);
  }

  /** The flow of a node has ended at `time`, which is in the cycle `cycle`; the next one begins. */
  #finish(node: number, time: number, cycle: number): void {
    const message = intAt(this.#message, node);
    const sending = itemAt(this.#messages, message);
    const { flits } = sending;
    sending.hops = intAt(this.#routes.length, node) - 2;
    this.#ending.remove(node);
    this.#message[node] = none;
    this.#routes.remove(node);
    this.#shares.end(node);
    if (this.#observer.crossed !== undefined) this.#tellCrossed(node, message, flits);
    this.sent.push(message);
    const { router, link } = this.#options;
    const arrival = cycle + (sending.hops + this.#hostLinks) * (router + link) + router;
    const together = this.#arrivals.get(arrival);
    if (together === undefined) {
      this.#arrivals.set(arrival, [message]);
      const place = this.#arrivalCycles.findLastIndex((each) => each < arrival);
      this.#arrivalCycles.splice(place + 1, 0, arrival);
    } else together.push(message);
    const queue = itemAt(this.#queues, node);
    const first = intAt(this.#firstOfQueue, node) + 1;
    this.#firstOfQueue[node] = first;
    if (first < queue.length) this.#begin(node, time);
    if (2 * first < queue.length) return;
    // What was sent is forgotten once it is half of the queue.
    queue.splice(0, first);
    this.#firstOfQueue[node] = 0;
  }

  #tellCrossed(node: number, message: number, flits: number): void {
    const { channels, length, shift } = this.#routes;
    const begin = node << shift;
    for (let entry = begin; entry < begin + intAt(length, node); entry++) {
      const channel = intAt(channels, entry);
      const start = Math.max(Math.floor(realAt(this.#begunAt, node)), realAt(this.#observed, channel));
      const cycles = this.#capacities === undefined ? flits : Math.ceil(flits / realAt(this.#capacities, channel));
      this.#observed[channel] = start + cycles;
      this.#observer.crossed?.(channel, start, cycles, message);
    }
  }

  #arrive(message: number): void {
    const { flits, created, hops } = itemAt(this.#messages, message);
    this.arrived.push(message);
    this.messagesUnderWay--;
    this.#observer.delivered?.(message, created, this.now, hops, flits);
  }

  /** Shares from `time` on, where flows have begun or ended; false where it was cancelled, and they are found when it goes on. */
  #fill(time: number, cancellation: Cancellation): boolean {
    const shares = this.#shares;
    if (!shares.find(cancellation)) {
      this.#isInterrupted = true;
      this.#interruptedAt = time;
      return false;
    }
    for (const node of shares.found) this.#setShare(node, realAt(shares.foundOf, node), time);
    shares.take();
    return true;
  }

  #setShare(node: number, share: number, time: number): void {
    const before = realAt(this.#shares.of, node);
    if (before === share) return;
    const left = Math.max(0, realAt(this.#flitsLeft, node) - before * (time - realAt(this.#since, node)));
    this.#flitsLeft[node] = left;
    this.#since[node] = time;
    this.#end[node] = -(time + left / share);
    if (this.#ending.has(node)) this.#ending.update(node);
    else this.#ending.add(node);
  }
}

/** A cycle is the time of a flit on the fastest link, which nodes inject and eject as fast as where nothing else is said. */
function capacitiesOf(machine: Machine, channelCount: number): Float64Array | undefined {
  const times = relativeTimes(machine);
  if (times === undefined) return undefined;
  const capacities = new Float64Array(channelCount).fill(1);
  times.forEach((time, link) => (capacities[link] = time === 0 ? 1 : 1 / time));
  return capacities;
}
