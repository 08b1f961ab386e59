/**
 * Messages as flows that share channels fairly: an approximation without packets, queues and deadlocks, for networks and programs that are
 * too large for the other engines.
 *
 * Each node sends one message at a time, in order, over one fixed route (`routes.ts`). At every moment each flow has its max-min share of
 * the channels, of one flit a cycle each (slower links of their part of it): no flow can have more without one that has no more than it getting less (Bertsekas and
 * Gallager 1992, section 6.5.2). A message of L flits whose shares come to L has left its node, and arrives when its header's time over h links
 * has passed too: alone after h(r + l) + r + L − 1 cycles, as by cut-through.
 *
 * Shares change when a flow begins or ends, and of most flows not even then: those of which they do are found and filled anew, the fullest
 * channel first.
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

/** Shares and sums of them are rounded: so small a part of one is nothing. */
const smallest = 1e-11;
/** How often flows are added to those that are filled anew before all are that are tied to them. */
const mostAttempts = 12;

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
  /** Nodes whose flows are filled anew, and in which round each was last. */
  readonly #chosen: number[] = [];
  #round = 0;
  readonly #roundChosen: Float64Array = new Float64Array(0);
  /** Channels whose flows have new shares; in which filling that was so of each, and in which a node's flow was given its share, which, and by what channel. */
  readonly #touched: number[] = [];
  #filling = 0;
  readonly #fillingOf: Float64Array = new Float64Array(0);
  readonly #fillingGiven: Float64Array = new Float64Array(0);
  readonly #given: Float64Array = new Float64Array(0);
  readonly #givenBy: Int32Array = new Int32Array(0);
  /** The channel that gave a node's flow the share that it has: full, and no flow has more of it. */
  readonly #heldUpBy: Int32Array = new Int32Array(0);
  #flowCount = 0;
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
    this.#roundChosen = new Float64Array(machine.nodeCount);
    this.#fillingOf = new Float64Array(channelCount);
    this.#fillingGiven = new Float64Array(machine.nodeCount);
    this.#given = new Float64Array(machine.nodeCount);
    this.#givenBy = new Int32Array(machine.nodeCount);
    this.#heldUpBy = new Int32Array(machine.nodeCount);
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
    this.#heldUpBy[node] = -1;
    this.#flowCount++;
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
    this.#flowCount--;
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

  /**
   * Shares from `time` on, where flows have begun or ended; false where it was cancelled. Shares are max-min where each flow has a channel
   * that is full and in which no flow has more (Bertsekas and Gallager, section 6.5.2). So few are filled anew at first, all others taken as they are:
   * those that have begun, and those that the channels held up which these take and others have left. Where that leaves a flow
   * without such a channel it is filled anew too, and so on; where that comes to many, all that are tied to them.
   */
  #fill(time: number, cancellation: Cancellation): boolean {
    if (this.#begun.length === 0 && this.#left.length === 0) return true;
    this.#chosen.length = 0;
    this.#round++;
    for (const node of this.#begun) this.#choose(node);
    for (const node of this.#begun)
      for (const channel of itemAt(this.#flows, node).route) this.#chooseHeldUpBy(channel);
    for (const channel of this.#left) this.#chooseHeldUpBy(channel);
    if (this.#isCancelled(cancellation)) return this.#interrupt(time);
    for (let attempts = 1; ; attempts++) {
      const isWhole = attempts > mostAttempts || 2 * this.#chosen.length > this.#flowCount;
      if (isWhole) this.#chooseTied();
      if (!this.#share(cancellation)) return this.#interrupt(time);
      if (isWhole || !this.#chooseWronged()) break;
    }
    this.#begun.length = this.#left.length = 0;
    for (const node of this.#chosen) this.#setShare(node, realAt(this.#given, node), time);
    return true;
  }

  /** Cancelled: shares from `time` on are filled when it goes on. */
  #interrupt(time: number): false {
    this.#interruptedAt = time;
    return false;
  }

  #isChosen(node: number): boolean {
    return this.#roundChosen[node] === this.#round;
  }

  /** A flow is filled anew. */
  #choose(node: number): void {
    if (this.#isChosen(node)) return;
    this.#roundChosen[node] = this.#round;
    this.#chosen.push(node);
  }

  #chooseHeldUpBy(channel: number): void {
    const users = itemAt(this.#users, channel);
    this.#untilPoll -= users.length;
    for (const node of users) if (this.#heldUpBy[node] === channel) this.#choose(node);
  }

  /** All flows that share channels with those that are chosen or with ones that have ended, with those in turn, and so on. */
  #chooseTied(): void {
    for (const channel of this.#left) for (const node of itemAt(this.#users, channel)) this.#choose(node);
    // Goes on to what is added while it is run through.
    for (const node of this.#chosen) {
      for (const channel of itemAt(this.#flows, node).route) {
        const users = itemAt(this.#users, channel);
        for (const other of users) this.#choose(other);
        this.#untilPoll -= users.length;
      }
    }
  }

  /** Fills the chosen flows, the fullest channel first, with what the others leave; false where it was cancelled. */
  #share(cancellation: Cancellation): boolean {
    this.#filling++;
    const touched = this.#touched;
    touched.length = 0;
    for (const channel of this.#left) this.#touch(channel);
    for (const node of this.#chosen) {
      const { route } = itemAt(this.#flows, node);
      for (const channel of route) this.#touch(channel);
      this.#untilPoll -= route.length;
    }
    if (this.#isCancelled(cancellation)) return false;
    for (const channel of touched) this.#open(channel);
    this.#fullest.order();
    for (let given = 0; given < this.#chosen.length;) {
      if (this.#isCancelled(cancellation)) {
        this.#fullest.clear();
        return false;
      }
      const channel = this.#fullest.top;
      this.#untilPoll -= workOfTaking;
      if (this.#isPutBack(channel)) continue;
      const share = -realAt(this.#level, channel);
      for (const node of itemAt(this.#users, channel)) {
        if (!this.#isChosen(node) || this.#fillingGiven[node] === this.#filling) continue;
        this.#fillingGiven[node] = this.#filling;
        this.#given[node] = share;
        this.#givenBy[node] = channel;
        given++;
        const { route } = itemAt(this.#flows, node);
        for (const other of route) this.#take(other, share);
        this.#untilPoll -= workOfTaking * route.length;
      }
    }
    this.#fullest.clear();
    return true;
  }

  #touch(channel: number): void {
    if (this.#fillingOf[channel] === this.#filling) return;
    this.#fillingOf[channel] = this.#filling;
    this.#touched.push(channel);
  }

  /** Chooses flows besides, that have too much or could have more beside the new shares; whether there are any. */
  #chooseWronged(): boolean {
    const before = this.#chosen.length;
    for (const channel of this.#touched) {
      let sum = 0;
      let most = 0;
      let level = Infinity;
      const users = itemAt(this.#users, channel);
      this.#untilPoll -= 2 * users.length;
      for (const node of users) {
        // Those chosen in this loop have no new share yet.
        const isGiven = this.#fillingGiven[node] === this.#filling;
        const share = isGiven ? realAt(this.#given, node) : itemAt(this.#flows, node).share;
        sum += share;
        most = Math.max(most, share);
        if (isGiven && this.#givenBy[node] === channel) level = share;
      }
      const isFull = sum >= this.#capacityOf(channel) * (1 - smallest);
      for (const node of users) {
        if (this.#isChosen(node)) continue;
        const { share } = itemAt(this.#flows, node);
        const couldHaveMore = this.#heldUpBy[node] === channel && (!isFull || share < most * (1 - smallest));
        if (couldHaveMore || share > level * (1 + smallest)) this.#choose(node);
      }
    }
    return this.#chosen.length > before;
  }

  /** Of a channel can be given out what flows that are not chosen leave of it. */
  #open(channel: number): void {
    const users = itemAt(this.#users, channel);
    let free = this.#capacityOf(channel);
    let takers = 0;
    for (const node of users) {
      if (this.#isChosen(node)) takers++;
      else free -= itemAt(this.#flows, node).share;
    }
    this.#untilPoll -= users.length;
    if (takers === 0) return;
    free = Math.max(0, free);
    this.#free[channel] = free;
    this.#takers[channel] = takers;
    this.#level[channel] = -free / takers;
    this.#fullest.append(channel);
  }

  #capacityOf(channel: number): number {
    return this.#capacities === undefined ? 1 : realAt(this.#capacities, channel);
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
    this.#heldUpBy[node] = intAt(this.#givenBy, node);
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
