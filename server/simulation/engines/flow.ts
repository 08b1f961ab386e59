/**
 * Messages as flows that share channels fairly: an approximation without packets, queues and deadlocks, for networks and programs that are
 * too large for the other engines.
 *
 * Each node sends one message at a time, in order, over one fixed route (`routes.ts`). At every moment each flow has its max-min share of
 * the channels, of one flit a cycle each (slower links of their part of it): no flow can have more without one that has no more than it getting less (Bertsekas and
 * Gallager 1992, section 6.5.2). A message of L flits whose shares come to L has left its node, and arrives when its header's time over h links
 * has passed too: alone after h(r + l) + r + L − 1 cycles, as by cut-through.
 *
 * Shares change when a flow begins or ends, and only those of flows that are tied to it by common channels: they are filled
 * anew, the fullest channel first.
 */
import { workPerPoll, type Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { IndexedHeap } from '../../numeric/heap.ts';
import { relativeTimes } from '../../network/linkClasses.ts';
import type { WaitingPacket } from '../contract.ts';
import {
  flitsOf,
  packetsOf,
  type MessageAdvance,
  type MessageNetwork,
  type MessageObserver,
  type Packing,
} from '../messages.ts';
import { type Routes, routesOf } from '../routes.ts';

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
  readonly from: number;
  readonly to: number;
  readonly flits: number;
  readonly created: number;
}

/** A message that a node sends now. */
interface Flow {
  readonly message: number;
  /** Injection, links, ejection. */
  readonly route: Int32Array;
  /** When it began; flits that are left at the time `since`, and how many go in a cycle from then on. */
  readonly begun: number;
  since: number;
  left: number;
  share: number;
}

/** A share is taken out of a channel, and the channel put in its place among the others: entries of arrays that are read. */
const workOfTaking = 8;

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
  readonly #routes: Routes;
  /** Links of hosts that count as links on a way. */
  readonly #hostLinks: number = 0;
  readonly #messages: (Message | undefined)[] = [];
  readonly #unused: number[] = [];
  /** By node: messages that it has to send, the one that it sends first, and that one as a flow. */
  readonly #queues: number[][];
  readonly #firstOfQueue: Int32Array = new Int32Array(0);
  readonly #flows: (Flow | undefined)[];
  /** Flits that a channel takes in a cycle; undefined where each takes one. */
  readonly #capacities: Float64Array | undefined;
  /** By channel: nodes whose flows go through it; flits that can still be given out while shares are filled, and to how many. */
  readonly #users: number[][];
  readonly #free: Float64Array = new Float64Array(0);
  readonly #takers: Int32Array = new Int32Array(0);
  /** Minus the share that a channel leaves to each taker, and channels by it. */
  readonly #level: Float64Array = new Float64Array(0);
  readonly #fullest: IndexedHeap;
  /** Minus the time at which a node's flow ends, and nodes by it. */
  readonly #end: Float64Array = new Float64Array(0);
  readonly #ending: IndexedHeap;
  /** Nodes whose flow has begun, channels that one has left, since shares were filled. */
  readonly #begun: number[] = [];
  readonly #left: number[] = [];
  /** Channels that are filled together; in which round a channel, and a node's flow, was put among them and a share given out, and that share. */
  readonly #tied: number[] = [];
  #round = 0;
  readonly #roundOf: Float64Array = new Float64Array(0);
  readonly #roundTied: Float64Array = new Float64Array(0);
  readonly #roundGiven: Float64Array = new Float64Array(0);
  readonly #given: Float64Array = new Float64Array(0);
  /** Cycles in which messages arrive, ascending, and which. */
  readonly #arrivalCycles: number[] = [];
  readonly #arrivals = new Map<number, number[]>();
  /** When each channel is free again, were its flows sent one after the other: for the observer. */
  readonly #observed: Float64Array = new Float64Array(0);
  /** Shares, and channels that were filled for them, until the next poll of the cancellation. */
  #untilPoll = workPerPoll;
  /** It was cancelled within a cycle: what was sent in it is still to be told, and shares from a time on are still to be filled. */
  #isInterrupted = false;
  #interruptedAt: number | undefined;

  constructor(machine: Machine, options: FlowOptions, observer: MessageObserver = {}) {
    this.secondsPerCycle = options.secondsPerCycle;
    this.#options = options;
    this.#observer = observer;
    this.#routes = routesOf(machine);
    this.#hostLinks = machine.topology.hasHostLinks ? 2 : 0;
    const { channelCount } = this.#routes;
    this.#capacities = capacitiesOf(machine, channelCount);
    this.#queues = Array.from({ length: machine.nodeCount }, () => []);
    this.#firstOfQueue = new Int32Array(machine.nodeCount);
    this.#flows = this.#queues.map(() => undefined);
    this.#users = Array.from({ length: channelCount }, () => []);
    this.#free = new Float64Array(channelCount);
    this.#takers = new Int32Array(channelCount);
    this.#level = new Float64Array(channelCount);
    this.#fullest = new IndexedHeap(this.#level);
    this.#end = new Float64Array(machine.nodeCount);
    this.#ending = new IndexedHeap(this.#end);
    this.#observed = new Float64Array(channelCount);
    this.#roundOf = new Float64Array(channelCount);
    this.#roundTied = new Float64Array(machine.nodeCount);
    this.#roundGiven = new Float64Array(machine.nodeCount);
    this.#given = new Float64Array(machine.nodeCount);
  }

  send(from: number, to: number, bytes: number): number {
    const { packing } = this.#options;
    const message = this.#unused.pop() ?? this.#messages.length;
    const flits = packetsOf(packing, bytes) * flitsOf(packing, bytes);
    this.#messages[message] = { from, to, flits, created: this.now + 1 };
    this.messagesUnderWay++;
    const queue = itemAt(this.#queues, from);
    queue.push(message);
    // The end of cycle c is the time c + 1.
    if (this.#flows[from] === undefined) this.#begin(from, this.now + 1);
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
      if (this.#isCancelled(cancellation)) return 'cancelled';
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

  #isCancelled(cancellation: Cancellation): boolean {
    if (this.#untilPoll > 0) return false;
    this.#untilPoll = workPerPoll;
    this.#isInterrupted = cancellation.isCancelled();
    return this.#isInterrupted;
  }

  /** Cycle in which the next flow ends. */
  #endCycle(): number {
    const { top } = this.#ending;
    return top < 0 ? Infinity : Math.max(this.now + 1, Math.ceil(-realAt(this.#end, top) - tolerance) - 1);
  }

  #begin(node: number, time: number): void {
    const message = itemAt(this.#queues, node)[intAt(this.#firstOfQueue, node)] ?? 0;
    const { to, flits } = itemAt(this.#messages, message);
    const route = this.#routeOf(node, to);
    this.#flows[node] = { message, route, begun: time, since: time, left: flits, share: 0 };
    for (const channel of route) itemAt(this.#users, channel).push(node);
    this.#begun.push(node);
  }

  #routeOf(from: number, to: number): Int32Array {
    for (let most = 64; ; most *= 2) {
      const into = new Int32Array(most);
      const length = this.#routes.write(from, to, into, 0, most);
      if (length > 0) return into.subarray(0, length);
    }
  }

  /** The flow of a node has ended at `time`, which is in the cycle `cycle`; the next one begins. */
  #finish(node: number, time: number, cycle: number): void {
    const { message, route, begun } = itemAt(this.#flows, node);
    const { flits } = itemAt(this.#messages, message);
    this.#ending.remove(node);
    this.#flows[node] = undefined;
    for (const channel of route) {
      const users = itemAt(this.#users, channel);
      users.splice(users.indexOf(node), 1);
      this.#left.push(channel);
      if (this.#observer.crossed === undefined) continue;
      const start = Math.max(Math.floor(begun), realAt(this.#observed, channel));
      const cycles = this.#capacities === undefined ? flits : Math.ceil(flits / realAt(this.#capacities, channel));
      this.#observed[channel] = start + cycles;
      this.#observer.crossed(channel, start, cycles, message);
    }
    this.sent.push(message);
    const { router, link } = this.#options;
    const arrival = cycle + (route.length - 2 + this.#hostLinks) * (router + link) + router;
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

  #arrive(message: number): void {
    const { from, to, flits, created } = itemAt(this.#messages, message);
    this.arrived.push(message);
    this.messagesUnderWay--;
    if (this.#observer.delivered === undefined) return;
    this.#observer.delivered(message, created, this.now, this.#routeOf(from, to).length - 2, flits);
  }

  /** Shares of the flows that are tied to those that have begun or ended, from `time` on; false where it was cancelled. */
  #fill(time: number, cancellation: Cancellation): boolean {
    if (this.#begun.length === 0 && this.#left.length === 0) return true;
    const flows = this.#tie();
    for (const channel of this.#tied) this.#open(channel);
    this.#fullest.order();
    // Flows get their shares in the order in which they are put down here.
    const given: number[] = [];
    while (given.length < flows) {
      if (this.#isCancelled(cancellation)) {
        this.#interruptedAt = time;
        this.#fullest.clear();
        return false;
      }
      const channel = this.#fullest.top;
      this.#untilPoll -= workOfTaking;
      if (this.#isPutBack(channel)) continue;
      const share = -realAt(this.#level, channel);
      for (const node of itemAt(this.#users, channel)) {
        if (this.#roundGiven[node] === this.#round) continue;
        this.#roundGiven[node] = this.#round;
        this.#given[node] = share;
        given.push(node);
        const { route } = itemAt(this.#flows, node);
        for (const other of route) this.#take(other, share);
        this.#untilPoll -= workOfTaking * route.length;
      }
    }
    this.#fullest.clear();
    this.#begun.length = this.#left.length = 0;
    for (const node of given) this.#setShare(node, realAt(this.#given, node), time);
    return true;
  }

  /** Finds the channels of the flows that have begun and ended, of the flows that share them, and so on. How many flows go on. */
  #tie(): number {
    const tied = this.#tied;
    let flows = 0;
    this.#round++;
    tied.length = 0;
    for (const channel of this.#left) this.#addTied(channel);
    for (const node of this.#begun) for (const channel of itemAt(this.#flows, node).route) this.#addTied(channel);
    // Goes on to what is added while it is run through.
    for (const channel of tied) {
      for (const node of itemAt(this.#users, channel)) {
        if (this.#roundTied[node] === this.#round) continue;
        this.#roundTied[node] = this.#round;
        flows++;
        const { route } = itemAt(this.#flows, node);
        for (const other of route) this.#addTied(other);
        this.#untilPoll -= route.length;
      }
    }
    return flows;
  }

  #addTied(channel: number): void {
    if (this.#roundOf[channel] === this.#round) return;
    this.#roundOf[channel] = this.#round;
    this.#tied.push(channel);
  }

  /** All of a channel can be given out. */
  #open(channel: number): void {
    const takers = itemAt(this.#users, channel).length;
    if (takers === 0) return;
    const capacity = this.#capacities === undefined ? 1 : realAt(this.#capacities, channel);
    this.#free[channel] = capacity;
    this.#takers[channel] = takers;
    this.#level[channel] = -capacity / takers;
    this.#fullest.append(channel);
  }

  #take(channel: number, share: number): void {
    this.#takers[channel] = intAt(this.#takers, channel) - 1;
    this.#free[channel] = Math.max(0, realAt(this.#free, channel) - share);
  }

  /**
   * What flows with smaller shares leave to the others is more for each of them: a channel has its place by what it was when it was
   * looked at last, and gets it anew when it comes to be the first. True where it was not the first any more, or has nothing to give.
   */
  #isPutBack(channel: number): boolean {
    const takers = intAt(this.#takers, channel);
    if (takers === 0) {
      this.#fullest.remove(channel);
      return true;
    }
    const level = -realAt(this.#free, channel) / takers;
    if (level >= realAt(this.#level, channel)) return false;
    this.#level[channel] = level;
    this.#fullest.update(channel);
    return this.#fullest.top !== channel;
  }

  #setShare(node: number, share: number, time: number): void {
    const flow = itemAt(this.#flows, node);
    if (flow.share === share) return;
    flow.left = Math.max(0, flow.left - flow.share * (time - flow.since));
    flow.since = time;
    flow.share = share;
    this.#end[node] = -(time + flow.left / share);
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
