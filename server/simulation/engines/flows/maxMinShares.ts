/**
 * Max-min shares of channels: no flow can have more without one that has no more than it getting less (Bertsekas and Gallager 1992, section
 * 6.5.2), which is so where each flow has a channel that is full and in which no flow has more.
 *
 * Shares change when a flow begins or ends, and of most flows not even then: those of which they do are found and filled anew, the fullest
 * channel first.
 */
import { workPerPoll, type Cancellation } from '../../../model/cancellation.ts';
import { intAt, realAt } from '../../../numeric/elements.ts';
import { IndexedHeap } from '../../../numeric/heap.ts';
import type { FlowRoutes } from './flowRoutes.ts';

const none = -1;

/** Shares and sums of them are rounded: so small a part of one is nothing. */
const smallest = 1e-11;
/** How often flows are added to those that are filled anew before all are that are tied to them. */
const mostAttempts = 12;

/** A share is taken out of a channel, and the channel put in its place among the others: entries of arrays that are read. */
const workOfTaking = 8;

export class MaxMinShares {
  /** By node, the share of its flow since {@link take}. */
  readonly of: Float64Array = new Float64Array(0);
  /** Nodes whose flows have other shares since flows have begun or ended, or the same again, and by node which. */
  readonly found: number[] = [];
  readonly foundOf: Float64Array = new Float64Array(0);
  readonly #routes: FlowRoutes;
  /** Flits that a channel takes in a cycle; undefined where each takes one. */
  readonly #capacities: Float64Array | undefined;
  #flowCount = 0;
  /** The channel that gave a node's flow the share that it has: full, and no flow has more of it. */
  readonly #heldUpBy: Int32Array = new Int32Array(0);
  /** Nodes whose flow has begun, channels that one has left, the least share that one had of those, since shares were taken. */
  readonly #begun: number[] = [];
  readonly #left: number[] = [];
  #leastLeft = Infinity;
  /** Flows with smaller shares than this keep them: see {@link #leastChange}. */
  #keptBelow = 0;
  /** Channels of flows that have begun, and behind them those of others that have ended; each once, and the round in which it came to be here. */
  readonly #changed: number[] = [];
  readonly #roundChanged: Float64Array = new Float64Array(0);
  /** In which round each node's flow was last filled anew, and in which all flows of a channel were. */
  #round = 0;
  readonly #roundChosen: Float64Array = new Float64Array(0);
  readonly #roundTied: Float64Array = new Float64Array(0);
  /** By channel: flits that can still be given out while shares are filled, and to how many. */
  readonly #free: Float64Array = new Float64Array(0);
  readonly #takers: Int32Array = new Int32Array(0);
  /** Minus the share that a channel leaves to each taker, and channels by it. */
  readonly #level: Float64Array = new Float64Array(0);
  readonly #fullest: IndexedHeap;
  /** Channels whose flows have new shares; in which filling that was so of each, and in which a node's flow was given its share, and by what channel. */
  readonly #touched: number[] = [];
  #filling = 0;
  readonly #fillingOf: Float64Array = new Float64Array(0);
  readonly #fillingGiven: Float64Array = new Float64Array(0);
  readonly #givenBy: Int32Array = new Int32Array(0);
  /** Shares, and channels that were filled for them, until the next poll of the cancellation. */
  #untilPoll = workPerPoll;

  constructor(
    routes: FlowRoutes,
    { nodeCount, channelCount }: { readonly nodeCount: number; readonly channelCount: number },
    capacities: Float64Array | undefined,
  ) {
    this.#routes = routes;
    this.#capacities = capacities;
    this.of = new Float64Array(nodeCount);
    this.foundOf = new Float64Array(nodeCount);
    this.#heldUpBy = new Int32Array(nodeCount);
    this.#roundChosen = new Float64Array(nodeCount);
    this.#roundTied = new Float64Array(channelCount);
    this.#roundChanged = new Float64Array(channelCount);
    this.#free = new Float64Array(channelCount);
    this.#takers = new Int32Array(channelCount);
    this.#level = new Float64Array(channelCount);
    this.#fullest = new IndexedHeap(this.#level);
    this.#fillingOf = new Float64Array(channelCount);
    this.#fillingGiven = new Float64Array(nodeCount);
    this.#givenBy = new Int32Array(nodeCount);
  }

  /** The flow of a node has begun, and has its route. */
  begin(node: number): void {
    this.of[node] = 0;
    this.#heldUpBy[node] = none;
    this.#flowCount++;
    this.#begun.push(node);
  }

  /** It has ended, and has left its channels. */
  end(node: number): void {
    const { channels, length, shift } = this.#routes;
    const begin = node << shift;
    for (let entry = begin; entry < begin + intAt(length, node); entry++) this.#left.push(intAt(channels, entry));
    this.#leastLeft = Math.min(this.#leastLeft, realAt(this.of, node));
    this.#flowCount--;
  }

  /** Whether it is time to look, and it was cancelled. */
  isCancelled(cancellation: Cancellation): boolean {
    if (this.#untilPoll > 0) return false;
    this.#untilPoll = workPerPoll;
    return cancellation.isCancelled();
  }

  /**
   * Finds the shares since flows have begun or ended; false where it was cancelled, and nothing has changed. So few are filled anew at first, all
   * others taken as they are: those that have begun, and those that the channels held up which these take and others have left. Where that leaves a
   * flow without a channel that is full it is filled anew too, and so on; where that comes to many, all that are tied to them.
   */
  find(cancellation: Cancellation): boolean {
    this.found.length = 0;
    if (this.#begun.length === 0 && this.#left.length === 0) return true;
    this.#round++;
    this.#keptBelow = 0;
    for (const node of this.#begun) this.#choose(node);
    const least = this.#leastChange(cancellation);
    if (least === undefined) return false;
    this.#keptBelow = least * (1 - smallest);
    for (const channel of this.#left) this.#noteChanged(channel);
    for (const channel of this.#changed) {
      this.#chooseHeldUpBy(channel);
      if (this.isCancelled(cancellation)) return false;
    }
    for (let attempts = 1; ; attempts++) {
      const isWhole = attempts > mostAttempts || 2 * this.found.length > this.#flowCount;
      if (isWhole && !this.#chooseTied(cancellation)) return false;
      if (!this.#share(cancellation)) return false;
      if (isWhole || !this.#chooseWronged()) break;
    }
    return true;
  }

  /** The shares that were found are those of now. */
  take(): void {
    for (const node of this.found) {
      this.of[node] = realAt(this.foundOf, node);
      this.#heldUpBy[node] = intAt(this.#givenBy, node);
    }
    this.#begun.length = this.#left.length = 0;
    this.#leastLeft = Infinity;
  }

  /**
   * No flow changes that has less than this. Let all shares grow together, each until a channel of its flow is full: that gives max-min shares.
   * Up to the least of those that have ended it goes as it went with them, since none of their channels was full before; and with those that have begun
   * as without them until a channel of theirs is full. Undefined where it was cancelled.
   */
  #leastChange(cancellation: Cancellation): number | undefined {
    const { channels, length, shift } = this.#routes;
    this.#changed.length = 0;
    for (const node of this.#begun) {
      const begin = node << shift;
      for (let entry = begin; entry < begin + intAt(length, node); entry++) this.#noteChanged(intAt(channels, entry));
    }
    let least = this.#leastLeft;
    for (const channel of this.#changed) {
      least = Math.min(least, this.#levelOf(channel));
      if (this.isCancelled(cancellation)) return undefined;
    }
    return least;
  }

  #noteChanged(channel: number): void {
    if (this.#roundChanged[channel] === this.#round) return;
    this.#roundChanged[channel] = this.#round;
    this.#changed.push(channel);
    this.#untilPoll--;
  }

  /** How far shares grow until a channel is full, where those of flows that have not begun end as they are. */
  #levelOf(channel: number): number {
    const { first, next, count, shift } = this.#routes;
    let level = this.#capacityOf(channel) / intAt(count, channel);
    for (let isLess = true; isLess;) {
      let free = this.#capacityOf(channel);
      let takers = 0;
      for (let entry = intAt(first, channel); entry !== none; entry = intAt(next, entry)) {
        const share = realAt(this.of, entry >> shift);
        if (this.#isChosen(entry >> shift) || share >= level) takers++;
        else free -= share;
      }
      this.#untilPoll -= intAt(count, channel);
      isLess = level < (free / takers) * (1 - smallest);
      if (isLess) level = free / takers;
    }
    return level;
  }

  #isChosen(node: number): boolean {
    return this.#roundChosen[node] === this.#round;
  }

  /** A flow is filled anew, unless it is one that keeps its share. */
  #choose(node: number): void {
    if (this.#isChosen(node) || realAt(this.of, node) < this.#keptBelow) return;
    this.#roundChosen[node] = this.#round;
    this.found.push(node);
  }

  #chooseHeldUpBy(channel: number): void {
    const { first, next, count, shift } = this.#routes;
    this.#untilPoll -= intAt(count, channel);
    for (let entry = intAt(first, channel); entry !== none; entry = intAt(next, entry))
      if (this.#heldUpBy[entry >> shift] === channel) this.#choose(entry >> shift);
  }

  /** All flows that share channels with those that are chosen or with ones that have ended, with those in turn, and so on; false where it was cancelled. */
  #chooseTied(cancellation: Cancellation): boolean {
    for (const channel of this.#left) this.#chooseAllOf(channel);
    // Goes on to what is added while it is run through.
    const { channels, length, shift } = this.#routes;
    for (const node of this.found) {
      const begin = node << shift;
      for (let entry = begin; entry < begin + intAt(length, node); entry++) this.#chooseAllOf(intAt(channels, entry));
      this.#untilPoll -= intAt(length, node);
      if (this.isCancelled(cancellation)) return false;
    }
    return true;
  }

  #chooseAllOf(channel: number): void {
    if (this.#roundTied[channel] === this.#round) return;
    this.#roundTied[channel] = this.#round;
    const { first, next, count, shift } = this.#routes;
    this.#untilPoll -= intAt(count, channel);
    for (let entry = intAt(first, channel); entry !== none; entry = intAt(next, entry)) this.#choose(entry >> shift);
  }

  /** Fills the chosen flows, the fullest channel first, with what the others leave; false where it was cancelled. */
  #share(cancellation: Cancellation): boolean {
    this.#filling++;
    const touched = this.#touched;
    const { channels, length, first, next, shift } = this.#routes;
    touched.length = 0;
    for (const channel of this.#left) this.#touch(channel);
    for (const node of this.found) {
      const begin = node << shift;
      const hops = intAt(length, node);
      for (let entry = begin; entry < begin + hops; entry++) this.#touch(intAt(channels, entry));
      this.#untilPoll -= hops;
      if (this.isCancelled(cancellation)) return false;
    }
    for (const channel of touched) {
      this.#open(channel);
      if (this.isCancelled(cancellation)) return this.#leaveOff();
    }
    this.#fullest.order();
    for (let given = 0; given < this.found.length;) {
      if (this.isCancelled(cancellation)) return this.#leaveOff();
      const channel = this.#fullest.top;
      this.#untilPoll -= workOfTaking;
      if (this.#isPutBack(channel)) continue;
      const share = -realAt(this.#level, channel);
      for (let user = intAt(first, channel); user !== none; user = intAt(next, user)) {
        const node = user >> shift;
        if (!this.#isChosen(node) || this.#fillingGiven[node] === this.#filling) continue;
        this.#fillingGiven[node] = this.#filling;
        this.foundOf[node] = share;
        this.#givenBy[node] = channel;
        given++;
        const begin = node << shift;
        const hops = intAt(length, node);
        for (let entry = begin; entry < begin + hops; entry++) this.#take(intAt(channels, entry), share);
        this.#untilPoll -= workOfTaking * hops;
      }
    }
    this.#fullest.clear();
    return true;
  }

  /** Cancelled in the midst of a filling, which begins anew when it goes on. */
  #leaveOff(): false {
    this.#fullest.clear();
    return false;
  }

  #touch(channel: number): void {
    if (this.#fillingOf[channel] === this.#filling) return;
    this.#fillingOf[channel] = this.#filling;
    this.#touched.push(channel);
  }

  /** Chooses flows besides, that have too much or could have more beside the new shares; whether there are any. */
  #chooseWronged(): boolean {
    const before = this.found.length;
    const { first, next, count, shift } = this.#routes;
    for (const channel of this.#touched) {
      let sum = 0;
      let most = 0;
      let level = Infinity;
      this.#untilPoll -= 2 * intAt(count, channel);
      for (let user = intAt(first, channel); user !== none; user = intAt(next, user)) {
        const node = user >> shift;
        // Those chosen in this loop have no new share yet.
        const isGiven = this.#fillingGiven[node] === this.#filling;
        const share = realAt(isGiven ? this.foundOf : this.of, node);
        sum += share;
        most = Math.max(most, share);
        if (isGiven && this.#givenBy[node] === channel) level = share;
      }
      const isFull = sum >= this.#capacityOf(channel) * (1 - smallest);
      for (let user = intAt(first, channel); user !== none; user = intAt(next, user)) {
        const node = user >> shift;
        if (this.#isChosen(node)) continue;
        const share = realAt(this.of, node);
        const couldHaveMore = this.#heldUpBy[node] === channel && (!isFull || share < most * (1 - smallest));
        if (couldHaveMore || share > level * (1 + smallest)) this.#choose(node);
      }
    }
    return this.found.length > before;
  }

  /** Of a channel can be given out what flows that are not chosen leave of it. */
  #open(channel: number): void {
    const { first, next, count, shift } = this.#routes;
    let free = this.#capacityOf(channel);
    let takers = 0;
    for (let entry = intAt(first, channel); entry !== none; entry = intAt(next, entry)) {
      if (this.#isChosen(entry >> shift)) takers++;
      else free -= realAt(this.of, entry >> shift);
    }
    this.#untilPoll -= intAt(count, channel);
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
}
