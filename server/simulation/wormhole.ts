/**
 * Engine 1: wormhole switching with one virtual channel, by events of headers alone, and exact.
 *
 * The model, after Alsardia 2017, section 4.1. A channel carries one flit a cycle and ends in a buffer of `buffer` flits.
 * A header is routed for `routing` cycles before each channel that it takes, injection and ejection included, and then asks
 * for it. A free channel is granted at once, else first come first served; of packets that ask in the same cycle the one
 * with the lower number is first. The header enters one cycle after the grant, the other flits follow in lock step.
 * A packet owns each channel from the grant until its tail has left the channel's buffer; the ejection channel's buffer is
 * emptied by one flit a cycle. The next packet of a node starts when the tail of the last one has left the node's injection
 * channel. So a packet alone takes (hops + 2)·(routing + 1) + flits − 1 cycles from its start until its tail arrives.
 *
 * Why headers are enough. Only the header ever waits, so when it enters channels says when every flit does. Let h(i) be the
 * cycle in which it enters the i-th channel of the route, the first flit being number 0. Flit j enters channel i one
 * cycle after it entered the one before, after flit j − 1, and not before flit j − buffer has left channel i; hence
 *
 *   t(j, i) = max over 0 ≤ k ≤ j / buffer of h(i + k) + j − k·buffer,
 *
 * where the maximum ends at the last channel. The tail leaves channel i when it enters i + 1. With 1 flit of buffer that is when
 * the header enters i + flits, or flits − (last − i) cycles after it has arrived.
 *
 * Speed. There are two events for a channel of a packet, one for its arrival, and no heap: delays are bounded, so a ring of time
 * slots holds them. Nearly every event belongs to a channel and each kind is pending at most once for a channel, so that an event is
 * the integer 4·channel + kind and a slot is a linked list through one array. The events of a cycle may come in any order:
 * a grant is taken back where a packet with a lower number asks in the same cycle.
 */
import type { Cancellation } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import {
  longestPacket,
  type Advance,
  type Deadlock,
  type Figures,
  type Network,
  type ObserveDelivery,
  type Transmission,
  type WaitingPacket,
} from './contract.ts';
import { injectionOf, routesOf, type Routes } from './routes.ts';

export interface WormholeOptions {
  /** Cycles in which a header is routed before it asks for a channel: t_s, 0 … 2^20. */
  readonly routing: number;
  /** Flits that the buffer at the end of a channel holds, 1 … 2^20. */
  readonly buffer: number;
}

/** As in the experiments of Alsardia 2017. */
export const thesisOptions: WormholeOptions = { routing: 3, buffer: 1 };

const longestDelay = 2 ** 20;

/**
 * A wormhole network on a machine, empty, in cycle 0. Takes every topology and every routing, with one fixed route per pair of
 * nodes: see `routes.ts`. Rings of channels (a torus, a minimal routing on irregular switches) may deadlock, which `advance` tells.
 * Fails with `invalid-count` where an option is no whole number in its range. O(channels) memory, and that of the routes.
 */
export function wormhole(
  machine: Machine,
  options: WormholeOptions = thesisOptions,
  observe?: ObserveDelivery,
): Result<WormholeNetwork> {
  const { routing, buffer } = options;
  if (!Number.isInteger(routing) || routing < 0 || routing > longestDelay) {
    return fail('invalid-count', `A header is routed for 0 to ${longestDelay} whole cycles, not ${routing}.`);
  }
  if (!Number.isInteger(buffer) || buffer < 1 || buffer > longestDelay) {
    return fail('invalid-count', `The buffer of a channel holds 1 to ${longestDelay} whole flits, not ${buffer}.`);
  }
  return succeed(new WormholeNetwork(machine, options, observe));
}

/** Kinds of events: an event is 4 · channel + kind. */
const header = 0; // The header in the channel has been routed: its packet asks for the next channel.
const entered = 1; // The header has entered the channel.
const released = 2; // The tail has left the buffer of the channel.
const ends = 3; // Injection: the node's next packet asks for it. Ejection: the tail of its packet has arrived.

const none = -1;
/** Events between two looks at the cancellation flag: a millisecond or two. */
const eventsPerLook = 2 ** 16;
/** Events between two searches for circles of waiting packets, but at least 16 a channel: so they cost next to nothing. */
const eventsPerSearch = 2 ** 18;

/** A transmission that is under way. */
interface Sending {
  readonly transmission: Transmission;
  readonly id: number;
  /** Number of its first packet. */
  readonly firstPacket: number;
  packets: number;
  hops: number;
  latency: number;
}

export class WormholeNetwork implements Network {
  now = 0;
  packetsUnderWay = 0;
  completed: number[] = [];
  deadlock: Deadlock | undefined;
  readonly total = { packets: 0, hops: 0, latency: 0 };
  /** Events so far, for benches. */
  eventCount = 0;

  readonly #routes: Routes;
  readonly #routing: number;
  readonly #buffer: number;
  readonly #observe: ObserveDelivery | undefined;

  // The ring of time slots. #slot is that of the cycle `now`.
  #slot = 0;
  /** First event of each slot; a power of two of them. */
  #first: Int32Array;
  /** A bit per slot that has events. */
  #filled: Int32Array;
  /** The next event of the same slot, by event. */
  readonly #next: Int32Array;

  // By channel.
  readonly #owner: Int32Array;
  /** Index of the channel on the route of its owner. */
  readonly #index: Int32Array;
  readonly #grantedAt: Float64Array;
  /** Packets that wait for the channel, the first to be granted first. */
  readonly #firstWaiting: Int32Array;
  readonly #lastWaiting: Int32Array;

  // By packet under way; free entries are linked through #nextPacket.
  #freePacket = none;
  /** Length of a row of #route. */
  #stride = 16;
  #route = new Int32Array(0);
  /** Index on the route of the channel granted last, −1 before the first. */
  #at = new Int32Array(0);
  #last = new Int32Array(0);
  #flits = new Int32Array(0);
  /** Channels between the header and the one that its entry lets the tail leave: 1 + ⌊(flits − 1) / buffer⌋. */
  #lag = new Int32Array(0);
  /** The next packet that waits for the same channel. */
  #nextPacket = new Int32Array(0);
  /** Channel that it waits for. */
  #waitsFor = new Int32Array(0);
  #sending = new Int32Array(0);
  #askedAt = new Float64Array(0);
  #startedAt = new Float64Array(0);
  #number = new Float64Array(0);

  // By process that has packets left; free entries are linked through #nextProcess, like those of one node.
  #freeProcess = none;
  #process = new Int32Array(0);
  #processSending = new Int32Array(0);
  #packetsSent = new Int32Array(0);
  #packetsLeft = new Int32Array(0);
  #nextProcess = new Int32Array(0);
  #processNumber = new Float64Array(0);

  // By node.
  readonly #firstProcess: Int32Array;
  readonly #lastProcess: Int32Array;
  /** The process whose packet is being routed or leaves the node, or none. */
  readonly #sendingProcess: Int32Array;

  // By transmission under way.
  readonly #sendings: (Sending | undefined)[] = [];
  readonly #freeSendings: number[] = [];
  readonly #sendingOf = new Map<number, number>();
  #sent = 0;
  #packetsNumbered = 0;
  #untilSearch = eventsPerSearch;
  /** Completed in the cycle `now` and not yet told. */
  #finished: number[] = [];

  constructor(machine: Machine, { routing, buffer }: WormholeOptions, observe: ObserveDelivery | undefined) {
    this.#routes = routesOf(machine);
    this.#routing = routing;
    this.#buffer = buffer;
    this.#observe = observe;
    const { channelCount } = this.#routes;
    this.#next = new Int32Array(4 * channelCount);
    this.#owner = new Int32Array(channelCount).fill(none);
    this.#index = new Int32Array(channelCount);
    this.#grantedAt = new Float64Array(channelCount);
    this.#firstWaiting = new Int32Array(channelCount).fill(none);
    this.#lastWaiting = new Int32Array(channelCount).fill(none);
    this.#firstProcess = new Int32Array(machine.nodeCount).fill(none);
    this.#lastProcess = new Int32Array(machine.nodeCount).fill(none);
    this.#sendingProcess = new Int32Array(machine.nodeCount).fill(none);
    this.#first = new Int32Array(32).fill(none);
    this.#filled = new Int32Array(1);
    this.#provideDelay(routing + 1);
  }

  send(transmission: Transmission): number {
    const { source, nodeOfProcess, flits } = transmission;
    if (!Number.isInteger(flits) || flits < 1 || flits > longestPacket) {
      throw new RangeError(`A packet has 1 to ${longestPacket} whole flits, not ${flits}.`);
    }
    this.#provideDelay(flits);
    const id = this.#sent++;
    const index = this.#freeSendings.pop() ?? this.#sendings.length;
    this.#sendings[index] = { transmission, id, firstPacket: this.#packetsNumbered, packets: 0, hops: 0, latency: 0 };
    this.#sendingOf.set(id, index);
    if (source.packetCount === 0) this.#finished.push(id);
    for (let process = 0; process < source.processCount; process++) {
      const packets = source.packetsOf(process);
      if (packets === 0) continue;
      const node = intAt(nodeOfProcess, process);
      this.#queueProcess(node, this.#newProcess(process, packets, index));
      this.#packetsNumbered += packets;
      if (intAt(this.#sendingProcess, node) === none) this.#startNext(node);
    }
    return id;
  }

  figuresOf(transmission: number): Figures | undefined {
    const index = this.#sendingOf.get(transmission);
    return index === undefined ? undefined : this.#sendings[index];
  }

  advance(to: number, cancellation: Cancellation): Advance {
    if (this.deadlock !== undefined) return 'deadlock';
    this.#forgetCompleted();
    let untilLook = eventsPerLook;
    for (;;) {
      const events = this.#runSlot();
      this.eventCount += events;
      if (this.#finished.length > 0) {
        this.completed = this.#finished.sort((a, b) => a - b);
        this.#finished = [];
        return 'completed';
      }
      this.#untilSearch -= events;
      const delay = this.#delayToNextSlot();
      if (this.#isDeadlocked(delay)) return 'deadlock';
      if (delay === 0 || this.now + delay > to) {
        this.#goOn(to - this.now);
        return 'reached';
      }
      untilLook -= events;
      if (untilLook <= 0) {
        if (cancellation.isCancelled()) return 'cancelled';
        untilLook = eventsPerLook;
      }
      this.#goOn(delay);
    }
  }

  #forgetCompleted(): void {
    for (const id of this.completed) {
      const index = this.#sendingOf.get(id) ?? none;
      this.#sendingOf.delete(id);
      this.#sendings[index] = undefined;
      this.#freeSendings.push(index);
    }
    this.completed = [];
  }

  // Time

  #goOn(cycles: number): void {
    this.now += cycles;
    // The remainder of a large number first: only 32 bits of a sum are kept by &.
    this.#slot = (this.#slot + (cycles % this.#first.length)) & (this.#first.length - 1);
  }

  #schedule(event: number, delay: number): void {
    const slot = (this.#slot + delay) & (this.#first.length - 1);
    this.#next[event] = intAt(this.#first, slot);
    this.#first[slot] = event;
    this.#filled[slot >> 5] = intAt(this.#filled, slot >> 5) | (1 << (slot & 31));
  }

  /** Cycles to the next slot that has events, 0 where there is none; that of `now` has been run. O(slots / 32). */
  #delayToNextSlot(): number {
    const filled = this.#filled;
    let word = this.#slot >> 5;
    let bits = intAt(filled, word) & (-2 << (this.#slot & 31));
    for (let words = 0; words <= filled.length; words++) {
      if (bits !== 0) {
        const slot = (word << 5) + 31 - Math.clz32(bits & -bits);
        return (slot - this.#slot) & (this.#first.length - 1);
      }
      word = (word + 1) & (filled.length - 1);
      bits = intAt(filled, word);
    }
    return 0;
  }

  /** Makes the ring of time slots long enough for a delay. */
  #provideDelay(delay: number): void {
    const old = this.#first;
    if (delay < old.length) return;
    let length = old.length;
    while (length <= delay) length *= 2;
    this.#first = new Int32Array(length).fill(none);
    this.#filled = new Int32Array(length / 32);
    for (let later = 0; later < old.length; later++) {
      const event = intAt(old, (this.#slot + later) & (old.length - 1));
      this.#first[later] = event;
      if (event !== none) this.#filled[later >> 5] = intAt(this.#filled, later >> 5) | (1 << (later & 31));
    }
    this.#slot = 0;
  }

  /** Runs the events of the cycle `now`, those that they add to it included; how many there were. */
  #runSlot(): number {
    const slot = this.#slot;
    const first = this.#first;
    let events = 0;
    for (let event = intAt(first, slot); event !== none; event = intAt(first, slot)) {
      first[slot] = intAt(this.#next, event);
      events++;
      const channel = event >> 2;
      const kind = event & 3;
      if (kind === header) this.#ask(intAt(this.#owner, channel));
      else if (kind === entered) this.#enter(channel);
      else if (kind === released) this.#release(channel);
      else if (((channel - this.#routes.linkCount) & 1) === 0)
        this.#ask(this.#newPacket((channel - this.#routes.linkCount) >> 1));
      else this.#deliver(channel);
    }
    this.#filled[slot >> 5] = intAt(this.#filled, slot >> 5) & ~(1 << (slot & 31));
    return events;
  }

  // Channels

  /** A packet asks for the next channel of its route. */
  #ask(packet: number): void {
    const index = intAt(this.#at, packet) + 1;
    const channel = intAt(this.#route, packet * this.#stride + index);
    this.#askedAt[packet] = this.now;
    const owner = intAt(this.#owner, channel);
    if (owner === none) {
      this.#grant(packet, channel, index);
    } else if (realAt(this.#grantedAt, channel) === this.now && this.#isBefore(packet, owner)) {
      this.#takeOver(packet, channel, index, owner);
    } else {
      this.#wait(packet, channel);
    }
  }

  /** Whether a packet was the first of two to ask for the same channel. */
  #isBefore(packet: number, other: number): boolean {
    const difference = realAt(this.#askedAt, packet) - realAt(this.#askedAt, other);
    return difference < 0 || (difference === 0 && realAt(this.#number, packet) < realAt(this.#number, other));
  }

  #grant(packet: number, channel: number, index: number): void {
    this.#owner[channel] = packet;
    this.#index[channel] = index;
    this.#grantedAt[channel] = this.now;
    this.#at[packet] = index;
    if (index < intAt(this.#last, packet)) this.#schedule(4 * channel + header, this.#routing + 1);
    if (this.#isEntryEvent(packet, index)) this.#schedule(4 * channel + entered, 1);
  }

  /** Whether something happens when the header enters the channel: a tail leaves another one, or the header has arrived. */
  #isEntryEvent(packet: number, index: number): boolean {
    return index >= intAt(this.#lag, packet) || index === intAt(this.#last, packet);
  }

  /** A grant of this cycle goes to a packet that asked in it too and has a lower number. Events of the channel stay as they are. */
  #takeOver(packet: number, channel: number, index: number, owner: number): void {
    const ownersIndex = intAt(this.#index, channel);
    if (this.#isEntryEvent(packet, index) && !this.#isEntryEvent(owner, ownersIndex)) {
      this.#schedule(4 * channel + entered, 1);
    }
    this.#owner[channel] = packet;
    this.#index[channel] = index;
    this.#at[packet] = index;
    this.#at[owner] = ownersIndex - 1;
    this.#wait(owner, channel);
  }

  /** Puts a packet into the queue of a channel: by the cycle in which it asked, then by number. */
  #wait(packet: number, channel: number): void {
    this.#waitsFor[packet] = channel;
    const first = intAt(this.#firstWaiting, channel);
    let before = first === none ? none : intAt(this.#lastWaiting, channel);
    if (before !== none && this.#isBefore(packet, before)) {
      before = none;
      for (let other = first; this.#isBefore(other, packet); other = intAt(this.#nextPacket, other)) before = other;
    }
    if (before === none) {
      this.#nextPacket[packet] = first;
      this.#firstWaiting[channel] = packet;
    } else {
      this.#nextPacket[packet] = intAt(this.#nextPacket, before);
      this.#nextPacket[before] = packet;
    }
    if (intAt(this.#nextPacket, packet) === none) this.#lastWaiting[channel] = packet;
  }

  /** The header has entered a channel: the tail leaves one behind it, or all of them where the header has arrived. */
  #enter(channel: number): void {
    const packet = intAt(this.#owner, channel);
    const index = intAt(this.#index, channel);
    const behind = index - intAt(this.#lag, packet);
    if (index === intAt(this.#last, packet)) {
      const flits = intAt(this.#flits, packet);
      for (let each = Math.max(0, behind); each < index; each++) this.#letTailLeave(packet, each, index);
      this.#schedule(4 * channel + released, flits);
      this.#schedule(4 * channel + ends, flits - 1);
    } else if (behind >= 0) {
      // No event was scheduled for it where a grant was taken over by a packet that has not come so far.
      if (this.#buffer === 1) this.#release(intAt(this.#route, packet * this.#stride + behind));
      else this.#letTailLeave(packet, behind, index);
    }
  }

  /** Schedules the release of the channel `index` of a route: all headers' times that decide it are known. See the formula above. */
  #letTailLeave(packet: number, index: number, header: number): void {
    const row = packet * this.#stride;
    let left = intAt(this.#flits, packet) - 1;
    let delay = 0;
    for (let next = index + 1; next <= header && left >= 0; next++) {
      const entry = realAt(this.#grantedAt, intAt(this.#route, row + next)) + 1;
      delay = Math.max(delay, entry + left - this.now);
      left -= this.#buffer;
    }
    this.#schedule(4 * intAt(this.#route, row + index) + released, delay);
  }

  /** The tail of the owner has left the channel: the first that waits gets it. */
  #release(channel: number): void {
    const packet = intAt(this.#owner, channel);
    const index = intAt(this.#index, channel);
    const waiting = intAt(this.#firstWaiting, channel);
    if (waiting === none) {
      this.#owner[channel] = none;
    } else {
      this.#firstWaiting[channel] = intAt(this.#nextPacket, waiting);
      this.#waitsFor[waiting] = none;
      this.#grant(waiting, channel, intAt(this.#at, waiting) + 1);
    }
    if (index === 0) {
      this.#goOnSending((channel - this.#routes.linkCount) >> 1);
    } else if (index === intAt(this.#last, packet)) {
      this.#nextPacket[packet] = this.#freePacket;
      this.#freePacket = packet;
    }
  }

  // Nodes

  /** The next packet of an idle node begins to be routed, where there is one. */
  #startNext(node: number): void {
    const entry = intAt(this.#firstProcess, node);
    this.#sendingProcess[node] = entry;
    if (entry === none) return;
    this.#firstProcess[node] = intAt(this.#nextProcess, entry);
    this.packetsUnderWay++;
    this.#schedule(4 * injectionOf(this.#routes, node) + ends, this.#routing);
  }

  /** A packet has left its node: the process queues up anew where it has more, and the next packet starts. */
  #goOnSending(node: number): void {
    const entry = intAt(this.#sendingProcess, node);
    const left = intAt(this.#packetsLeft, entry) - 1;
    if (left > 0) {
      this.#packetsLeft[entry] = left;
      this.#packetsSent[entry] = intAt(this.#packetsSent, entry) + 1;
      this.#queueProcess(node, entry);
    } else {
      this.#nextProcess[entry] = this.#freeProcess;
      this.#freeProcess = entry;
    }
    this.#startNext(node);
  }

  #queueProcess(node: number, entry: number): void {
    this.#nextProcess[entry] = none;
    if (intAt(this.#firstProcess, node) === none) this.#firstProcess[node] = entry;
    else this.#nextProcess[intAt(this.#lastProcess, node)] = entry;
    this.#lastProcess[node] = entry;
  }

  #newProcess(process: number, packets: number, sending: number): number {
    if (this.#freeProcess === none) this.#growProcesses();
    const entry = this.#freeProcess;
    this.#freeProcess = intAt(this.#nextProcess, entry);
    this.#process[entry] = process;
    this.#processSending[entry] = sending;
    this.#packetsSent[entry] = 0;
    this.#packetsLeft[entry] = packets;
    this.#processNumber[entry] = this.#packetsNumbered;
    return entry;
  }

  /** The node's next packet, which has been routed and asks for the injection channel. */
  #newPacket(node: number): number {
    const entry = intAt(this.#sendingProcess, node);
    const sending = intAt(this.#processSending, entry);
    const { source, nodeOfProcess, flits } = this.#sendingAt(sending).transmission;
    const sent = intAt(this.#packetsSent, entry);
    const to = intAt(nodeOfProcess, source.destinationOf(intAt(this.#process, entry), sent));
    const hops = this.#routes.hops(node, to);
    if (hops + 2 > this.#stride) this.#widenRoutes(hops + 2);
    if (this.#freePacket === none) this.#growPackets();
    const packet = this.#freePacket;
    this.#freePacket = intAt(this.#nextPacket, packet);
    this.#routes.write(node, to, this.#route, packet * this.#stride);
    this.#at[packet] = none;
    this.#last[packet] = hops + 1;
    this.#flits[packet] = flits;
    this.#lag[packet] = 1 + Math.floor((flits - 1) / this.#buffer);
    this.#waitsFor[packet] = none;
    this.#sending[packet] = sending;
    this.#startedAt[packet] = this.now - this.#routing;
    this.#number[packet] = realAt(this.#processNumber, entry) + sent;
    return packet;
  }

  /** The tail of the packet in an ejection channel has arrived. */
  #deliver(ejection: number): void {
    const packet = intAt(this.#owner, ejection);
    const sending = this.#sendingAt(intAt(this.#sending, packet));
    const start = realAt(this.#startedAt, packet);
    const hops = intAt(this.#last, packet) - 1;
    const { total } = this;
    sending.packets++;
    sending.hops += hops;
    sending.latency += this.now - start;
    total.packets++;
    total.hops += hops;
    total.latency += this.now - start;
    this.packetsUnderWay--;
    this.#observe?.(sending.id, realAt(this.#number, packet) - sending.firstPacket, start, this.now, hops);
    if (sending.packets === sending.transmission.source.packetCount) this.#finished.push(sending.id);
  }

  #sendingAt(index: number): Sending {
    return itemAt(this.#sendings, index);
  }

  // Deadlocks

  /** Looks for a deadlock where nothing else will happen, and now and then. */
  #isDeadlocked(delay: number): boolean {
    if (this.#untilSearch > 0 && (delay > 0 || this.packetsUnderWay === 0)) return false;
    this.#untilSearch = Math.max(eventsPerSearch, 16 * this.#owner.length);
    this.deadlock = this.#findDeadlock();
    return this.deadlock !== undefined;
  }

  /**
   * The circle of waiting packets that closed first, of those the one with the lowest number. Each packet waits for one
   * channel, which one packet owns: a walk from owner to owner ends at a packet that moves or in a circle. O(packets under way).
   */
  #findDeadlock(): Deadlock | undefined {
    let found: Deadlock | undefined;
    const visitedFrom = new Int32Array(this.#waitsFor.length).fill(none);
    for (let start = 0; start < visitedFrom.length; start++) {
      let packet = start;
      while (packet !== none && intAt(visitedFrom, packet) === none) {
        visitedFrom[packet] = start;
        packet = this.#ownerOfWanted(packet);
      }
      if (packet === none || intAt(visitedFrom, packet) !== start) continue;
      const circle = this.#circleFrom(packet);
      if (found === undefined || isEarlier(circle, found)) found = circle;
    }
    return found;
  }

  #ownerOfWanted(packet: number): number {
    const channel = intAt(this.#waitsFor, packet);
    return channel === none ? none : intAt(this.#owner, channel);
  }

  #circleFrom(packet: number): Deadlock {
    const packets: number[] = [];
    let lowest = 0;
    let since = 0;
    for (let each = packet; packets.length === 0 || each !== packet; each = this.#ownerOfWanted(each)) {
      if (realAt(this.#number, each) < realAt(this.#number, packets[lowest] ?? each)) lowest = packets.length;
      since = Math.max(since, realAt(this.#askedAt, each));
      packets.push(each);
    }
    const waits = [...packets.slice(lowest), ...packets.slice(0, lowest)].map((each) => this.#waitOf(each));
    return { since, waits };
  }

  #waitOf(packet: number): WaitingPacket {
    const row = packet * this.#stride;
    const route = this.#route.subarray(row, row + intAt(this.#at, packet) + 1);
    return {
      packet: realAt(this.#number, packet),
      transmission: this.#sendingAt(intAt(this.#sending, packet)).id,
      holds: [...route].filter((channel) => intAt(this.#owner, channel) === packet),
      wants: intAt(this.#waitsFor, packet),
    };
  }

  // Memory

  #growPackets(): void {
    const old = this.#at.length;
    const length = Math.max(64, 2 * old);
    this.#route = longer(this.#route, length * this.#stride);
    this.#at = longer(this.#at, length);
    this.#last = longer(this.#last, length);
    this.#flits = longer(this.#flits, length);
    this.#lag = longer(this.#lag, length);
    this.#nextPacket = longer(this.#nextPacket, length);
    this.#waitsFor = longer(this.#waitsFor, length).fill(none, old);
    this.#sending = longer(this.#sending, length);
    this.#askedAt = longerReals(this.#askedAt, length);
    this.#startedAt = longerReals(this.#startedAt, length);
    this.#number = longerReals(this.#number, length);
    this.#freePacket = linkFree(this.#nextPacket, old);
  }

  #growProcesses(): void {
    const old = this.#process.length;
    const length = Math.max(64, 2 * old);
    this.#process = longer(this.#process, length);
    this.#processSending = longer(this.#processSending, length);
    this.#packetsSent = longer(this.#packetsSent, length);
    this.#packetsLeft = longer(this.#packetsLeft, length);
    this.#nextProcess = longer(this.#nextProcess, length);
    this.#processNumber = longerReals(this.#processNumber, length);
    this.#freeProcess = linkFree(this.#nextProcess, old);
  }

  /** Makes the rows of routes at least so long. */
  #widenRoutes(length: number): void {
    const old = this.#stride;
    const stride = Math.max(length, 2 * old);
    const wider = new Int32Array(this.#at.length * stride);
    for (let packet = 0; packet < this.#at.length; packet++) {
      wider.set(this.#route.subarray(packet * old, (packet + 1) * old), packet * stride);
    }
    this.#route = wider;
    this.#stride = stride;
  }
}

const isEarlier = (a: Deadlock, b: Deadlock): boolean =>
  a.since < b.since || (a.since === b.since && itemAt(a.waits, 0).packet < itemAt(b.waits, 0).packet);

function longer(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(values);
  return copy;
}

function longerReals(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length);
  copy.set(values);
  return copy;
}

/** Links the new entries from `from` on to a list and returns the first. */
function linkFree(next: Int32Array, from: number): number {
  for (let entry = from; entry < next.length; entry++) next[entry] = entry + 1;
  next[next.length - 1] = none;
  return from;
}
