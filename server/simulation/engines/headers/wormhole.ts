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
 * Only the header ever waits, so that headers are enough: when they enter channels says when tails leave them (`tails.ts`).
 *
 * Speed. For each channel of a packet something happens twice: its header asks, and its tail leaves. All headers take equally
 * long from a grant to the next question, so that a line in order of grants holds them and nothing is sorted; the tail leaves one
 * channel just when the header enters another one. Only what happens when a header has arrived, or with deeper buffers, has
 * delays of its own: a ring of time slots holds that. In a cycle headers enter first, then channels become free, then headers
 * ask: so whoever waited is served before whoever asks now, and of these the lower number takes over from the higher one.
 */
import type { Cancellation } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { refuseNetwork } from '../../../model/engineRefusals.ts';
import { succeed, type Result } from '../../../model/result.ts';
import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import type { Deadlock, Figures, ObserveDelivery, Transmission, WaitingPacket } from '../../messages.ts';
import { at, lag, last, listed, PacketTable, place, route, sending, wants } from '../../packetTable.ts';
import { DemandLine, TimeSlots } from '../../pending.ts';
import { injectionOf, routesOf, type Routes } from '../../routes.ts';
import { SendingProcesses } from './sendingProcesses.ts';
import { tailEvents, Tails } from './tails.ts';
import { Transmissions } from './transmissions.ts';
import { WormholeChannels } from './wormholeChannels.ts';
import { thesisOptions, wormholeRefusal, type WormholeObserver, type WormholeOptions } from './wormholeOptions.ts';

/**
 * A wormhole network on a machine, empty, in cycle 0. Takes every topology and every routing, with one fixed route per pair of
 * nodes: see `routes.ts`. Rings of channels (a torus, a minimal routing on irregular switches) may deadlock, which `advance` tells.
 * Fails as `wormholeRefusal` says. O(channels) memory, and that of the routes.
 */
export function wormhole(
  machine: Machine,
  options: WormholeOptions = thesisOptions,
  observe?: ObserveDelivery | WormholeObserver,
): Result<WormholeNetwork> {
  const refusal = wormholeRefusal(machine, options);
  if (refusal) return refuseNetwork(refusal);
  return succeed(
    new WormholeNetwork(machine, options, typeof observe === 'function' ? { delivered: observe } : (observe ?? {})),
  );
}

const { arrived, vanishes } = tailEvents;

const none = -1;
/** Events between two looks at the cancellation flag: half a millisecond, some more where they are recorded. */
const eventsPerLook = 2 ** 13;
/** Events between two searches for circles of waiting packets, but at least 16 a channel: so they cost next to nothing. */
const eventsPerSearch = 2 ** 18;

/**
 * Why {@link WormholeNetwork.advance} returned: all cycles to the one asked for are done; transmissions were completed in the cycle
 * `now`; packets are in a deadlock; cancelled.
 */
export type WormholeAdvance = 'reached' | 'completed' | 'deadlock' | 'cancelled';

/**
 * A wormhole network under way. What happens depends on what is sent and in which cycle, not on how the time between is cut into
 * calls of `advance`. Memory grows with the processes that still send and the packets under way, not with packets sent.
 */
export class WormholeNetwork {
  /** The cycle up to which everything is done, this cycle included. */
  now = 0;
  packetsUnderWay = 0;
  deadlock: Deadlock | undefined;
  /** Of all transmissions so far. */
  readonly total = { packets: 0, hops: 0, latency: 0 };

  readonly #routes: Routes;
  /** Channels below are links between routers. */
  readonly #linkCount: number = 0;
  readonly #routing: number = 0;
  readonly #buffer: number = 0;
  readonly #observe: WormholeObserver;
  // Packets that were granted a channel, until they ask for the next one, and which that is. Those that are not routed yet are a line of
  // their own: when they ask for their injection channels these are free, so that nothing happens then.
  readonly #granted: DemandLine;
  readonly #started: DemandLine;
  /** Packets that were granted their ejection channels in the last cycle. */
  readonly #arriving: Int32Array = new Int32Array(0);
  #arrivingCount = 0;
  /** How many of both there were before the first packet asked in this cycle. */
  #grantsBefore = 0;
  #arrivalsBefore = 0;
  /**
   * Channels that tails leave in the next cycle because headers enter others; where buffers are deeper, those that are entered.
   * −1 where a grant was taken over.
   */
  readonly #leaving: Int32Array = new Int32Array(0);
  #leavingCount = 0;
  readonly #tails: Tails;
  readonly #slots: TimeSlots;
  /** Nodes whose packet has left them in this cycle. */
  readonly #left: Int32Array = new Int32Array(0);
  #leftCount = 0;

  readonly #packets = new PacketTable();
  readonly #channels: WormholeChannels;
  /** Of the channels, at hand. */
  readonly #owner: Int32Array = new Int32Array(0);
  readonly #processes: SendingProcesses;
  readonly #transmissions: Transmissions;
  #untilSearch = eventsPerSearch;
  #untilLook = eventsPerLook;

  constructor(machine: Machine, { routing, buffer }: WormholeOptions, observe: WormholeObserver) {
    this.#routes = routesOf(machine);
    this.#linkCount = this.#routes.linkCount;
    this.#routing = routing;
    this.#buffer = buffer;
    this.#observe = observe;
    const { nodeCount } = machine;
    const { channelCount } = this.#routes;
    this.#granted = new DemandLine(channelCount, routing + 1);
    // It is routed, gets the injection channel, enters it in the next cycle and is routed again.
    this.#started = new DemandLine(nodeCount, 2 * routing + 1);
    this.#arriving = new Int32Array(nodeCount);
    this.#left = new Int32Array(nodeCount);
    this.#slots = new TimeSlots(4 * channelCount);
    this.#leaving = new Int32Array(channelCount);
    this.#transmissions = new Transmissions(buffer);
    this.#channels = new WormholeChannels(channelCount, buffer, this.#packets, this.#transmissions, observe);
    this.#owner = this.#channels.owner;
    this.#tails = new Tails(nodeCount, this.#packets, this.#slots, buffer, this.#channels.grantedAt);
    this.#processes = new SendingProcesses(nodeCount, this.#routes, this.#packets, this.#transmissions);
  }

  /** Transmissions completed in the cycle `now`, ascending. In place until the next `advance`. */
  get completed(): number[] {
    return this.#transmissions.completed;
  }

  /**
   * Begins a transmission in the cycle `now` and returns its number: 0, 1, 2 … Its packets are numbered on from those
   * of earlier transmissions, process by process; where packets ask for a channel in one cycle, the lower number is
   * first. One without packets is complete in the cycle `now`, as the next `advance` says. O(senders).
   */
  send(transmission: Transmission): number {
    const { source, nodeOfProcess, flits } = transmission;
    const transmissions = this.#transmissions;
    const index = transmissions.add(transmission);
    this.#slots.provideDelay(flits);
    const { senders } = source;
    const count = senders?.length ?? source.processCount;
    for (let each = 0; each < count; each++) {
      const process = senders === undefined ? each : itemAt(senders, each);
      const packets = source.packetsOf(process);
      if (packets === 0) continue;
      const node = intAt(nodeOfProcess, process);
      this.#processes.add(node, process, packets, index, transmissions.numberPackets(packets));
      if (!this.#processes.isSending(node)) this.#start(node, this.#processes.startNext(node, this.now));
    }
    this.#started.seal(this.now);
    return realAt(transmissions.number, index);
  }

  /**
   * The same of so many packets from a node to another, by a number of the caller's, who sends nothing else. They take no turns packet by packet:
   * once they are the first of their node all are sent. O(1).
   */
  sendMessage(message: number, from: number, to: number, packets: number, flits: number): void {
    const index = this.#transmissions.addMessage(message, packets, flits);
    this.#slots.provideDelay(flits);
    this.#processes.addMessage(from, to, packets, index, this.#transmissions.numberPackets(packets));
    if (this.#processes.isSending(from)) return;
    this.#start(from, this.#processes.startNext(from, this.now));
    this.#started.seal(this.now);
  }

  /** Of a transmission that is under way or in `completed`; undefined of others: they are forgotten at the next `advance`. */
  figuresOf(transmission: number): Figures | undefined {
    return this.#transmissions.figuresOf(transmission);
  }

  /** Bytes of what grows with packets under way and processes that send. */
  get bytes(): number {
    return this.#packets.bytes + this.#processes.bytes;
  }

  /**
   * Simulates to the end of cycle `to ≥ now`, or of an earlier one in which transmissions are completed; `now` says which.
   * After a deadlock nothing moves any more. `cancelled` leaves a state that can be advanced further.
   */
  advance(to: number, cancellation: Cancellation): WormholeAdvance {
    if (this.deadlock !== undefined) return 'deadlock';
    this.#transmissions.forgetCompleted();
    for (;;) {
      if (this.#transmissions.tellFinished()) return 'completed';
      const delay = this.#delayToNext();
      if (this.#isDeadlocked(delay)) return 'deadlock';
      if (this.now + delay > to) {
        this.#goOn(to - this.now);
        return 'reached';
      }
      if (this.#untilLook <= 0) {
        if (cancellation.isCancelled()) return 'cancelled';
        this.#untilLook = eventsPerLook;
      }
      this.#goOn(delay);
      const events = this.#runCycle();
      this.#untilLook -= events;
      this.#untilSearch -= events;
    }
  }

  // Time

  /** Cycles to the next one in which something happens; Infinity where nothing will. */
  #delayToNext(): number {
    if (this.#leavingCount + this.#tails.vanishingCount + this.#arrivingCount > 0) return 1;
    return Math.min(this.#granted.due - this.now, this.#started.due - this.now, this.#slots.delayToNext());
  }

  #goOn(cycles: number): void {
    this.now += cycles;
    this.#slots.pass(cycles);
  }

  /** Everything that happens in the cycle `now`; how much that was. */
  #runCycle(): number {
    const { now } = this;
    const granted = this.#granted;
    const started = this.#started;
    let events = this.#arrivingCount;
    this.#tails.arriveAll(this.#arriving, events, now);
    this.#arrivingCount = 0;
    if (this.#leavingCount > 0) events += this.#leaveAll();
    events += this.#runSlot();
    if (this.#tails.vanishingCount > 0) events += this.#vanishAll();
    if (this.#leftCount > 0) this.#startAll();
    this.#grantsBefore = granted.tail;
    this.#arrivalsBefore = this.#arrivingCount;
    if (started.due === now) events += this.#askAll(started);
    if (granted.due === now) events += this.#askAll(granted);
    started.seal(now);
    granted.seal(now);
    return events;
  }

  /** Headers enter the channels of the last cycle's grants: tails leave others, or it is known now when they will. */
  #leaveAll(): number {
    const leaving = this.#leaving;
    const linkCount = this.#linkCount;
    const count = this.#leavingCount;
    const { owner, firstWaiting, tellsOwned } = this.#channels;
    const isDeep = this.#buffer > 1;
    // Each release may list one for the next cycle, at a place that was read.
    this.#leavingCount = 0;
    for (let each = 0; each < count; each++) {
      const channel = leaving[each]!;
      if (channel === none) continue;
      if (isDeep) {
        this.#tails.letLeave(intAt(owner, channel), this.now);
      } else if (channel < linkCount) {
        // As #release does.
        if (tellsOwned) this.#channels.tellOwned(channel, this.now);
        const waiting = firstWaiting[channel]!;
        owner[channel] = waiting;
        if (waiting !== none) this.#grant(waiting, channel);
      } else {
        this.#leaveNode(channel);
      }
    }
    return count;
  }

  /** Tails that move on in each cycle leave a channel. */
  #vanishAll(): number {
    const { vanishing } = this.#tails;
    const { words, stride } = this.#packets;
    const { owner, firstWaiting, tellsOwned } = this.#channels;
    const end = 2 * this.#tails.vanishingCount;
    let kept = 0;
    for (let each = 0; each < end; each += 2) {
      const packet = vanishing[each]!;
      const index = vanishing[each + 1]!;
      const record = packet * stride;
      const channel = words[record + route + index]!;
      const left = words[record + last]! - index;
      if (left === 0) {
        this.#freeEjection(channel);
        continue;
      }
      vanishing[kept] = packet;
      vanishing[kept + 1] = index + 1;
      kept += 2;
      if (index === 0) {
        this.#leaveNode(channel);
      } else {
        // As #release does.
        if (tellsOwned) this.#channels.tellOwned(channel, this.now);
        const waiting = firstWaiting[channel]!;
        owner[channel] = waiting;
        if (waiting !== none) this.#grant(waiting, channel);
      }
      if (left === 1) this.#deliver(packet);
    }
    this.#tails.vanishingCount = kept >> 1;
    return end >> 1;
  }

  /** Runs the events of the present slot; how many there were. */
  #runSlot(): number {
    const slots = this.#slots;
    const linkCount = this.#linkCount;
    let events = 0;
    for (let event = slots.take(); event !== none; event = slots.take()) {
      const channel = event >> 2;
      const kind = event & 3;
      events++;
      if (kind === vanishes) this.#tails.vanishFrom(intAt(this.#owner, channel), 0);
      else if (kind === arrived) this.#deliver(intAt(this.#owner, channel));
      else if (channel < linkCount) this.#release(channel);
      else if (((channel - linkCount) & 1) === 0) this.#leaveNode(channel);
      else this.#freeEjection(channel);
    }
    return events;
  }

  // Channels

  /** The headers of the line's first batch ask for the next channels of their routes; how many. */
  #askAll(line: DemandLine): number {
    const { values, wanted, mask, head, batchEnd } = line;
    const granted = this.#granted;
    const grants = granted.values;
    const grantMask = granted.mask;
    const grantedWant = granted.wanted;
    const { words, stride } = this.#packets;
    const { owner, keepsGrants, grantedAt } = this.#channels;
    const leaving = this.#leaving;
    const arriving = this.#arriving;
    const isDeep = this.#buffer > 1;
    const linkCount = this.#linkCount;
    let grantEnd = granted.tail;
    let leavingCount = this.#leavingCount;
    let arrivingCount = this.#arrivingCount;
    for (let each = head; each !== batchEnd; each = (each + 1) & mask) {
      const packet = values[each]!;
      const channel = wanted[each]!;
      if (owner[channel]! !== none) {
        granted.tail = grantEnd;
        this.#leavingCount = leavingCount;
        this.#arrivingCount = arrivingCount;
        this.#contend(packet, channel);
        leavingCount = this.#leavingCount;
        continue;
      }
      // As #grant does, with everything at hand: this is the innermost loop of all.
      const record = packet * stride;
      const index = words[record + at]! + 1;
      owner[channel] = packet;
      words[record + at] = index;
      if (keepsGrants) grantedAt[channel] = this.now;
      if (channel >= linkCount) {
        words[record + place] = arrivingCount;
        arriving[arrivingCount++] = packet;
        continue;
      }
      words[record + place] = grantEnd;
      grants[grantEnd] = packet;
      grantedWant[grantEnd] = words[record + route + index + 1]!;
      grantEnd = (grantEnd + 1) & grantMask;
      const behind = index - words[record + lag]!;
      if (behind < 0) continue;
      words[record + listed] = leavingCount;
      leaving[leavingCount++] = isDeep ? channel : words[record + route + behind]!;
    }
    granted.tail = grantEnd;
    this.#leavingCount = leavingCount;
    this.#arrivingCount = arrivingCount;
    line.drop();
    return (batchEnd - head) & mask;
  }

  /** A packet asks for a channel that is held. It takes over from one that asked in the same cycle and has a higher number. */
  #contend(packet: number, channel: number): void {
    const holder = intAt(this.#owner, channel);
    if (
      !this.#gotItNow(holder, channel) ||
      realAt(this.#packets.number, packet) > realAt(this.#packets.number, holder)
    ) {
      this.#channels.wait(packet, channel, this.now);
      return;
    }
    const { words, stride } = this.#packets;
    const others = holder * stride;
    const own = packet * stride;
    const isLink = channel < this.#linkCount;
    const line = isLink ? this.#granted.values : this.#arriving;
    line[intAt(words, others + place)] = packet;
    words[own + place] = intAt(words, others + place);
    if (isLink && intAt(words, others + at) >= intAt(words, others + lag))
      this.#leaving[intAt(words, others + listed)] = none;
    words[others + at]!--;
    this.#channels.wait(holder, channel, this.now);
    this.#owner[channel] = packet;
    words[own + at]!++;
    if (!isLink) return;
    this.#granted.wanted[intAt(words, own + place)] = this.#packets.nextOf(packet);
    this.#listWhatIsLeft(packet, channel);
  }

  /** Whether the channel is the one that its holder has asked for and got in this very cycle. */
  #gotItNow(holder: number, channel: number): boolean {
    const { words, stride } = this.#packets;
    const record = holder * stride;
    const index = intAt(words, record + at);
    if (words[record + route + index] !== channel || words[record + wants] !== none) return false;
    const there = intAt(words, record + place);
    if (index === words[record + last]) {
      return there >= this.#arrivalsBefore && there < this.#arrivingCount && this.#arriving[there] === holder;
    }
    const { values, mask, tail: end } = this.#granted;
    const before = this.#grantsBefore;
    return ((there - before) & mask) < ((end - before) & mask) && values[there] === holder;
  }

  /** The tail of the owner has left the channel: the first that waits gets it. */
  #release(channel: number): void {
    if (this.#channels.tellsOwned && channel < this.#linkCount) this.#channels.tellOwned(channel, this.now);
    const waiting = this.#channels.firstWaiting[channel]!;
    this.#owner[channel] = waiting;
    if (waiting !== none) this.#grant(waiting, channel);
  }

  /** The first packet that waits for a channel has got it. */
  #grant(packet: number, channel: number): void {
    this.#channels.takeFirst(packet, channel, this.now);
    const { words, stride } = this.#packets;
    words[packet * stride + at]!++;
    if (channel < this.#linkCount) {
      this.#granted.pushWanting(packet, this.#packets.nextOf(packet));
      this.#listWhatIsLeft(packet, channel);
    } else this.#arriving[this.#arrivingCount++] = packet;
  }

  /** When the header of a packet enters a link in the next cycle, its tail may leave another channel because of that. */
  #listWhatIsLeft(packet: number, link: number): void {
    const { words, stride } = this.#packets;
    const record = packet * stride;
    const behind = words[record + at]! - words[record + lag]!;
    if (behind < 0) return;
    words[record + listed] = this.#leavingCount;
    this.#leaving[this.#leavingCount++] = this.#buffer > 1 ? link : words[record + route + behind]!;
  }

  /** The tail of a packet has left its injection channel, which no other one waits for. */
  #leaveNode(channel: number): void {
    if (this.#channels.tellsOwned) this.#channels.tellOwned(channel, this.now);
    this.#owner[channel] = none;
    this.#left[this.#leftCount++] = (channel - this.#linkCount) >> 1;
  }

  #freeEjection(channel: number): void {
    const packet = intAt(this.#owner, channel);
    this.#packets.remove(packet);
    this.#release(channel);
  }

  // Nodes

  #startAll(): void {
    for (let each = 0; each < this.#leftCount; each++) {
      const node = intAt(this.#left, each);
      this.#start(node, this.#processes.goOn(node, this.now));
    }
    this.#leftCount = 0;
  }

  /** A packet of a node begins to be routed, with its injection channel. −1 where the node has none. */
  #start(node: number, packet: number): void {
    if (packet === none) return;
    this.packetsUnderWay++;
    const channel = injectionOf(this.#routes, node);
    const { owner, keepsGrants, grantedAt } = this.#channels;
    owner[channel] = packet;
    if (keepsGrants) grantedAt[channel] = this.now + this.#routing;
    this.#started.pushWanting(packet, this.#packets.nextOf(packet));
  }

  /** The tail of a packet has arrived. */
  #deliver(packet: number): void {
    const { words, stride, number, startedAt } = this.#packets;
    const start = realAt(startedAt, packet);
    const hops = intAt(words, packet * stride + last) - 1;
    this.total.packets++;
    this.total.hops += hops;
    this.total.latency += this.now - start;
    this.packetsUnderWay--;
    // The packet may be forgotten before it gives back the channel, in the next cycle.
    if (this.#channels.tellsOwned) this.#channels.tellOwned(this.#packets.ejectionOf(packet), this.now + 1);
    const transmission = intAt(words, packet * stride + sending);
    const { number: idOf, firstPacket } = this.#transmissions;
    this.#transmissions.packetArrived(transmission, hops, this.now - start);
    const index = realAt(number, packet) - realAt(firstPacket, transmission);
    this.#observe.delivered?.(realAt(idOf, transmission), index, start, this.now, hops);
  }

  // Deadlocks

  /** Looks for a deadlock where nothing else will happen, and now and then. */
  #isDeadlocked(delay: number): boolean {
    if (this.#untilSearch > 0 && (delay < Infinity || this.packetsUnderWay === 0)) return false;
    this.#untilSearch = Math.max(eventsPerSearch, 16 * this.#owner.length);
    this.deadlock = this.#channels.deadlock();
    return this.deadlock !== undefined;
  }

  /** Packets that wait for channels, the lowest number first. O(packets under way). */
  waiting(): readonly WaitingPacket[] {
    return this.#channels.waiting();
  }
}
