/**
 * Worms flit by flit: wormhole switching with any number of virtual channels and credits, cycle by cycle.
 *
 * At the end of a link each of its channels has a queue of so many flits. The header of a worm that is first in its queue asks, after
 * `router` cycles, for one of the channels that its routing allows (`packetRoutes.ts`): one that no worm is being sent through
 * and whose queue has room for a flit, chosen by `select`; the escape channel only where none of the others is to be had. Of several
 * headers that ask for a channel in one cycle the arbiter takes one: the next port after that of the last winner, or the one that
 * has been first in its queue for longest. The channel is the worm's until its tail has been sent. Channels of a link take turns
 * flit by flit: the next one after the last that has a flit to send and room for it. A worm that is there leaves the network one
 * flit a cycle: every queue for itself with `ejection multiple`, one worm after the other with `ejection single`.
 *
 * In a cycle messages are taken over first, then headers ask on the state that the last cycle left, then all flits move at once. A
 * place that is freed in a move counts from the next cycle; flits on the way occupy theirs. With h links, r router and l link cycles a
 * worm of L flits alone takes h(r + l) + r + L − 1 cycles where queues are longer than l; h + 2(L − 1) with queues of one flit, l = 1
 * and r = 0. The queue of a node has no bound, so that a message is `sent` in the cycle after it was handed over.
 *
 * Work is done for what moves alone. Links that have something to send are bits of a set, their channels that could send bits of a
 * word; headers that cannot get a channel sleep until one of their router becomes free; cycles in which nothing can happen are
 * jumped. The flits of a worm in a queue are one number, whatever their count.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { NetworkArbiter, NetworkEjection, NetworkRouting, NetworkSelection } from '../../model/networkModel.ts';
import { drawSeed, type RandomSource } from '../../model/random.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../contract.ts';
import {
  flitsOf,
  packetsOf,
  type MessageAdvance,
  type MessageNetwork,
  type MessageObserver,
  type Packing,
} from '../messages.ts';
import { DelayLine, TimeSlots } from '../pending.ts';

import { PacketRoutes, tiesOf, type Stations } from './packetRoutes.ts';

export interface FlitOptions {
  readonly packing: Packing;
  /** Virtual channels of a link, at most {@link mostChannels}. */
  readonly channels: number;
  /** Flits of a queue. */
  readonly buffer: number;
  /** Cycles to route a header, and to cross a link, at least 1. */
  readonly router: number;
  readonly link: number;
  readonly routing: NetworkRouting;
  readonly select: NetworkSelection;
  readonly arbiter: NetworkArbiter;
  readonly ejection: NetworkEjection;
  readonly secondsPerCycle: number | undefined;
}

/** Channels of a link are bits of a word. */
export const mostChannels = 30;
/** Places of all queues together. */
const mostPlaces = 2 ** 28;

const none = -1;

// What the first worm of a queue does.
const absent = 0; // There is none, or its header has not come yet.
const routed = 1; // Its header waits for the router.
const asking = 2;
const asleep = 3; // Nothing that it may ask for is to be had.
const sending = 4;
const ejecting = 5;
const queued = 6; // It is there and waits for its turn to leave.

/** Cycles between two looks for worms that wait in a circle while others still move. */
const cyclesPerSearch = 2 ** 13;
/** Moves between two polls of the cancellation. */
const movesPerPoll = 2 ** 13;

/** Fails with `bad-network` where an option is out of its range. O(queues). */
export function flitNetwork(
  machine: Machine,
  options: FlitOptions,
  random: RandomSource,
  observer: MessageObserver = {},
): Result<MessageNetwork> {
  const { channels, buffer, router, link } = options;
  const wrong = (what: string, value: number, range: string): Result<never> =>
    fail('bad-network', `Worms are simulated with ${range}, not ${value}: give the network other \`${what}\`.`);
  if (!isWhole(channels, 1, mostChannels)) return wrong('channels', channels, `1 to ${mostChannels} channels`);
  const links = machine.topology.links.routerLinkCount + 2 * machine.nodeCount;
  const longest = Math.floor(mostPlaces / (links * channels));
  if (!isWhole(buffer, 1, longest)) return wrong('buffer', buffer, `buffers of 1 to ${longest} flits on this machine`);
  if (!isWhole(router, 0, 2 ** 20)) return wrong('router', router, 'routers of 0 to 1,048,576 cycles');
  if (!isWhole(link, 1, 2 ** 20)) return wrong('link', link, 'links of 1 to 1,048,576 cycles');
  return succeed(new Flits(machine, options, random, observer));
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

class Flits implements MessageNetwork {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  now = -1;
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  messagesUnderWay = 0;
  deadlock: Deadlock | undefined;

  readonly #options: FlitOptions;
  readonly #routes: PacketRoutes;
  readonly #stations: Stations;
  readonly #random: RandomSource;
  /** Of the coins of packets half-way round a ring. */
  readonly #seed: number = 0;
  readonly #observer: MessageObserver;
  readonly #routerLinks: number = 0;
  readonly #channels: number = 0;
  readonly #buffer: number = 0;
  /** Queues of links; those of nodes follow. */
  readonly #linkQueues: number = 0;

  // By queue of a link: places left; the queue whose worm is being sent into it; port of the last winner.
  readonly #room: Int32Array = new Int32Array(0);
  readonly #sender: Int32Array = new Int32Array(0);
  readonly #lastPort: Int32Array = new Int32Array(0);
  /** Queue that won it in this cycle so far, and the cycle. */
  readonly #winner: Int32Array = new Int32Array(0);
  readonly #wonAt: Float64Array = new Float64Array(0);

  // By queue: its first worm.
  readonly #state: Uint8Array = new Uint8Array(0);
  readonly #out: Int32Array = new Int32Array(0);
  /** State of the route graph behind the channel that it asks for. */
  readonly #nextState: Int32Array = new Int32Array(0);
  /** Flits of it that have not left yet, and those of them that are here. */
  readonly #left: Int32Array = new Int32Array(0);
  readonly #here: Int32Array = new Int32Array(0);
  /** Cycle in which its header became first and could first have asked. */
  readonly #since: Float64Array = new Float64Array(0);
  // Worms of a queue of a link, in a ring of as many places as it has flits: the first one, how many, which of them flits come to.
  readonly #worms: Int32Array = new Int32Array(0);
  readonly #landed: Int32Array = new Int32Array(0);
  readonly #firstWorm: Int32Array = new Int32Array(0);
  readonly #wormCount: Int32Array = new Int32Array(0);
  readonly #landing: Int32Array = new Int32Array(0);
  readonly #toLand: Int32Array = new Int32Array(0);

  // By link: channels that can send, bit by bit; the last that did.
  readonly #ready: Int32Array = new Int32Array(0);
  readonly #lastChannel: Int32Array = new Int32Array(0);
  /** Links that can send, bit by bit. */
  readonly #active: Int32Array = new Int32Array(0);

  // Headers that ask in this cycle, in the next one, and by station those that sleep.
  #askers: Int32Array = new Int32Array(0);
  #askerCount = 0;
  #laterAskers: Int32Array = new Int32Array(0);
  #laterCount = 0;
  readonly #firstSleeper: Int32Array = new Int32Array(0);
  readonly #nextSleeper: Int32Array = new Int32Array(0);
  /** Queues whose channel has a winner in this cycle, and queues that have a place more at its end. */
  readonly #won: Int32Array = new Int32Array(0);
  readonly #freed: Int32Array = new Int32Array(0);
  #freedCount = 0;
  /** Queues that eject, and how many; by station the one whose turn it is, port of the last one, and a list of those that wait. */
  readonly #ejectors: Int32Array = new Int32Array(0);
  #ejectorCount = 0;
  readonly #exit: Int32Array = new Int32Array(0);
  readonly #lastExit: Int32Array = new Int32Array(0);
  /** Stations with worms that wait to leave and none that does. */
  readonly #freeExits: number[] = [];
  readonly #firstQueued: Int32Array = new Int32Array(0);

  readonly #wires: DelayLine;
  readonly #routing: TimeSlots;
  #routingCount = 0;

  // By packet; of an unused one the message is the next unused one.
  #packetMessage = new Int32Array(64);
  #packetFlits = new Int32Array(64);
  #packetNode = new Int32Array(64);
  #packetState = new Int32Array(64);
  #packetHops = new Int32Array(64);
  #packetCount = 0;
  #unusedPacket = none;
  // By message.
  #messageTo = new Int32Array(64);
  #messageBytes = new Float64Array(64);
  #messageCreated = new Float64Array(64);
  #toMake = new Float64Array(64);
  #toArrive = new Float64Array(64);
  #nextMessage = new Int32Array(64);
  #messageCount = 0;
  readonly #unusedMessages: number[] = [];
  readonly #handedOver: number[] = [];
  // By node: messages that it has to make packets of; packet of its injection queue.
  readonly #firstMessage: Int32Array = new Int32Array(0);
  readonly #lastMessage: Int32Array = new Int32Array(0);
  readonly #injected: Int32Array = new Int32Array(0);
  /** Packets that it has made. */
  readonly #made: Int32Array = new Int32Array(0);

  // By link, for the observer: the packet whose flits it sent last, since when, and how many without a gap.
  readonly #runPacket: Int32Array = new Int32Array(0);
  readonly #runStart: Float64Array = new Float64Array(0);
  readonly #runLength: Int32Array = new Int32Array(0);

  #searchAt = cyclesPerSearch;
  #movesToPoll = movesPerPoll;

  constructor(machine: Machine, options: FlitOptions, random: RandomSource, observer: MessageObserver) {
    const { channels, buffer, routing, router, link } = options;
    this.secondsPerCycle = options.secondsPerCycle;
    this.#options = options;
    this.#random = random;
    this.#seed = drawSeed(random);
    this.#observer = observer;
    // As 32 bits, so that the loops do not take them for doubles.
    this.#channels = channels | 0;
    this.#buffer = buffer | 0;
    this.#routes = new PacketRoutes(machine, { channels, routing, hasBubble: false });
    const stations = this.#routes.stations;
    this.#stations = stations;
    this.#routerLinks = machine.topology.links.routerLinkCount | 0;
    const { linkCount } = stations;
    const linkQueues = (linkCount * channels) | 0;
    this.#linkQueues = linkQueues;
    const queues = linkQueues + machine.nodeCount;
    this.#room = new Int32Array(linkQueues).fill(buffer);
    this.#sender = new Int32Array(linkQueues).fill(none);
    this.#lastPort = new Int32Array(linkQueues).fill(none);
    this.#winner = new Int32Array(linkQueues);
    this.#wonAt = new Float64Array(linkQueues).fill(none);
    this.#state = new Uint8Array(queues);
    this.#out = new Int32Array(queues).fill(none);
    this.#nextState = new Int32Array(queues);
    this.#left = new Int32Array(queues);
    this.#here = new Int32Array(queues);
    this.#since = new Float64Array(queues);
    this.#worms = new Int32Array(linkQueues * buffer);
    this.#landed = new Int32Array(linkQueues * buffer);
    this.#firstWorm = new Int32Array(linkQueues);
    this.#wormCount = new Int32Array(linkQueues);
    this.#landing = new Int32Array(linkQueues).fill(buffer - 1);
    this.#toLand = new Int32Array(linkQueues);
    this.#ready = new Int32Array(linkCount);
    this.#lastChannel = new Int32Array(linkCount);
    this.#active = new Int32Array((linkCount + 31) >> 5);
    this.#askers = new Int32Array(queues);
    this.#laterAskers = new Int32Array(queues);
    this.#firstSleeper = new Int32Array(stations.count).fill(none);
    this.#nextSleeper = new Int32Array(queues).fill(none);
    this.#won = new Int32Array(linkQueues);
    this.#freed = new Int32Array(queues);
    this.#ejectors = new Int32Array(queues);
    this.#exit = new Int32Array(stations.count).fill(none);
    this.#lastExit = new Int32Array(stations.count).fill(none);
    this.#firstQueued = new Int32Array(stations.count).fill(none);
    this.#wires = new DelayLine(Math.min(linkCount * link, linkQueues * buffer) + 1, link);
    this.#routing = new TimeSlots(queues);
    this.#routing.provideDelay(router + 1);
    this.#firstMessage = new Int32Array(machine.nodeCount).fill(none);
    this.#lastMessage = new Int32Array(machine.nodeCount).fill(none);
    this.#made = new Int32Array(machine.nodeCount);
    this.#injected = new Int32Array(machine.nodeCount).fill(none);
    this.#runPacket = new Int32Array(linkCount).fill(none);
    this.#runStart = new Float64Array(linkCount);
    this.#runLength = new Int32Array(linkCount);
  }

  send(from: number, to: number, bytes: number): number {
    const message = this.#unusedMessages.pop() ?? this.#messageCount++;
    if (message >= this.#messageTo.length) this.#growMessages();
    this.#messageTo[message] = to;
    this.#messageBytes[message] = bytes;
    this.#messageCreated[message] = this.now + 1;
    this.#toMake[message] = this.#toArrive[message] = packetsOf(this.#options.packing, bytes);
    this.#nextMessage[message] = none;
    this.messagesUnderWay++;
    this.#handedOver.push(message);
    const last = intAt(this.#lastMessage, from);
    this.#lastMessage[from] = message;
    if (last === none) this.#firstMessage[from] = message;
    else this.#nextMessage[last] = message;
    const queue = this.#linkQueues + from;
    // It is taken over in the next cycle, before headers ask.
    if (this.#state[queue] === absent) this.#inject(from, this.now + 1);
    return message;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    for (const message of this.arrived) this.#unusedMessages.push(message);
    this.arrived.length = 0;
    this.sent.length = 0;
    if (this.deadlock !== undefined) return 'deadlock';
    while (this.now < to) {
      if (!this.#step(to)) return 'deadlock';
      if (this.sent.length > 0 || this.arrived.length > 0) {
        this.arrived.sort((a, b) => a - b);
        return 'events';
      }
      if (this.#movesToPoll <= 0) {
        this.#movesToPoll = movesPerPoll;
        if (cancellation.isCancelled()) return 'cancelled';
      }
    }
    return 'reached';
  }

  waiting(): readonly WaitingPacket[] {
    const found: WaitingPacket[] = [];
    for (let queue = 0; queue < this.#state.length; queue++) {
      const state = byteAt(this.#state, queue);
      if (state === asleep || state === asking) {
        found.push(this.#waitOf(this.#packetOf(queue), queue, this.#optionsOf(queue)[0] ?? queue));
      }
    }
    return found.sort((a, b) => a.packet - b.packet);
  }

  /** The next cycle that something can happen in, or all cycles to the one asked for. False where there is a deadlock. */
  #step(to: number): boolean {
    if (this.#handedOver.length > 0) {
      for (const message of this.#handedOver) this.sent.push(message);
      this.sent.sort((a, b) => a - b);
      this.#handedOver.length = 0;
    } else if (this.#isIdle()) {
      const due = Math.min(this.#wires.due, this.#routingDue());
      if (due === Infinity && this.messagesUnderWay > 0) {
        if (this.#isFree()) throw new RangeError('Worms stand still that nothing holds.');
        return false;
      }
      const last = Math.min(to, due - 1);
      this.#pass(last - this.now);
      if (last === to) return true;
    }
    this.#pass(1);
    const { now } = this;
    if (this.#wires.due === now) this.#land();
    if (this.#routingCount > 0) this.#endRouting();
    if (this.#askerCount > 0) this.#ask();
    this.#move();
    if (this.#ejectorCount > 0) this.#eject();
    this.#wires.seal(now);
    if (this.#freedCount > 0) this.#giveBack();
    if (now < this.#searchAt) return true;
    this.#searchAt = now + cyclesPerSearch;
    return this.#isFree();
  }

  /** Cycles go by; the last of them is to be simulated. */
  #pass(cycles: number): void {
    if (cycles === 0) return;
    this.now += cycles;
    if (this.#options.router > 0) this.#routing.pass(cycles);
    const askers = this.#askers;
    // Nobody asks while cycles are passed over.
    this.#askers = this.#laterAskers;
    this.#askerCount = this.#laterCount;
    this.#laterAskers = askers;
    this.#laterCount = 0;
  }

  /** Nothing moves in the next cycle but what a wire or a router gives back. */
  #isIdle(): boolean {
    if (this.#laterCount > 0 || this.#ejectorCount > 0) return false;
    for (const word of this.#active) if (word !== 0) return false;
    return true;
  }

  #routingDue(): number {
    return this.#routingCount === 0 ? Infinity : this.now + this.#routing.delayToNext();
  }

  /** Flits come to the ends of their wires. */
  #land(): void {
    const wires = this.#wires;
    const { values, mask, batchEnd } = wires;
    for (let at = wires.head; at !== batchEnd; at = (at + 1) & mask) {
      const queue = values[at]!;
      let slot = this.#landing[queue]!;
      if (this.#toLand[queue] === 0) {
        slot = slot + 1 === this.#buffer ? 0 : slot + 1;
        this.#landing[queue] = slot;
        this.#toLand[queue] = this.#packetFlits[this.#worms[queue * this.#buffer + slot]!]!;
      }
      this.#toLand[queue]!--;
      if (slot !== this.#firstWorm[queue]) {
        this.#landed[queue * this.#buffer + slot]!++;
      } else if (this.#here[queue]!++ === 0) {
        const state = this.#state[queue]!;
        if (state === sending) this.#markReady(this.#out[queue]!);
        else if (state === absent) this.#begin(queue, this.#worms[queue * this.#buffer + slot]!, this.now);
      }
    }
    wires.drop();
  }

  /** The worm is first in its queue from cycle `from` on, and its header is there. */
  #begin(queue: number, packet: number, from: number): void {
    const { router } = this.#options;
    this.#left[queue] = intAt(this.#packetFlits, packet);
    this.#since[queue] = from + router;
    if (router === 0) {
      this.#state[queue] = asking;
      if (from === this.now) this.#askers[this.#askerCount++] = queue;
      else this.#laterAskers[this.#laterCount++] = queue;
    } else {
      this.#state[queue] = routed;
      this.#routing.schedule(queue, from + router - this.now);
      this.#routingCount++;
    }
  }

  #endRouting(): void {
    for (let queue = this.#routing.take(); queue !== none; queue = this.#routing.take()) {
      this.#routingCount--;
      this.#state[queue] = asking;
      this.#askers[this.#askerCount++] = queue;
    }
  }

  #packetOf(queue: number): number {
    return queue >= this.#linkQueues
      ? intAt(this.#injected, queue - this.#linkQueues)
      : intAt(this.#worms, queue * this.#buffer + intAt(this.#firstWorm, queue));
  }

  /** Headers ask for channels; each channel that is asked for is given to one of them. */
  #ask(): void {
    let wonCount = 0;
    const { now } = this;
    for (let index = 0; index < this.#askerCount; index++) {
      const queue = intAt(this.#askers, index);
      const packet = this.#packetOf(queue);
      if (this.#routes.find(queue, intAt(this.#packetNode, packet), intAt(this.#packetState, packet))) {
        this.#leave(queue);
        continue;
      }
      const choice = this.#choose(packet);
      if (choice === none) {
        const station = intAt(this.#stations.ofQueue, queue);
        this.#state[queue] = asleep;
        this.#nextSleeper[queue] = intAt(this.#firstSleeper, station);
        this.#firstSleeper[station] = queue;
        continue;
      }
      const wanted = intAt(this.#routes.queues, choice);
      this.#nextState[queue] = intAt(this.#routes.states, choice);
      if (this.#wonAt[wanted] !== now) {
        this.#wonAt[wanted] = now;
        this.#winner[wanted] = queue;
        this.#won[wonCount++] = wanted;
      } else if (this.#isBefore(queue, intAt(this.#winner, wanted), intAt(this.#lastPort, wanted))) {
        this.#later(intAt(this.#winner, wanted));
        this.#winner[wanted] = queue;
      } else this.#later(queue);
    }
    this.#askerCount = 0;
    for (const station of this.#freeExits) this.#giveExit(station);
    this.#freeExits.length = 0;
    for (let index = 0; index < wonCount; index++) this.#grant(intAt(this.#won, index));
  }

  #later(queue: number): void {
    this.#laterAskers[this.#laterCount++] = queue;
  }

  /** Index of the choice of a header among those that were found, −1 where none is to be had. */
  #choose(packet: number): number {
    const { count, hasEscape, escape } = this.#routes;
    let chosen = none;
    let free = 0;
    for (let index = 0; index < count; index++) {
      const queue = this.#routes.queues[index]!;
      const room = this.#room[queue]!;
      if (this.#sender[queue] !== none || room === 0) continue;
      if (this.#options.select === 'first-free') return index;
      free++;
      if (this.#options.select === 'random') {
        if (this.#random.integer(free) === 0) chosen = index;
      } else if (chosen === none || room > this.#room[this.#routes.queues[chosen]!]!) chosen = index;
    }
    if (chosen !== none || !hasEscape) return chosen;
    if (this.#sender[escape] !== none || this.#room[escape] === 0) return none;
    this.#routes.queues[count] = escape;
    this.#routes.states[count] = intAt(this.#packetState, packet);
    return count;
  }

  /** Whether a queue wins against another one. */
  #isBefore(queue: number, other: number, lastPort: number): boolean {
    const { portOfQueue } = this.#stations;
    const [port, against] = [intAt(portOfQueue, queue), intAt(portOfQueue, other)];
    if (this.#options.arbiter === 'first-come') {
      const [since, otherSince] = [realAt(this.#since, queue), realAt(this.#since, other)];
      return since < otherSince || (since === otherSince && port < against);
    }
    return port > lastPort === against > lastPort ? port < against : port > lastPort;
  }

  /** A channel is the winner's; it can be sent through in this cycle. */
  #grant(channel: number): void {
    const queue = intAt(this.#winner, channel);
    const packet = this.#packetOf(queue);
    const link = Math.floor(channel / this.#channels);
    this.#lastPort[channel] = intAt(this.#stations.portOfQueue, queue);
    this.#sender[channel] = queue;
    this.#state[queue] = sending;
    this.#out[queue] = channel;
    this.#routes.used(queue, link);
    if (link < this.#routerLinks) this.#packetHops[packet] = intAt(this.#packetHops, packet) + 1;
    this.#packetState[packet] = intAt(this.#nextState, queue);
    const count = intAt(this.#wormCount, channel);
    let slot = intAt(this.#firstWorm, channel) + count;
    if (slot >= this.#buffer) slot -= this.#buffer;
    this.#worms[channel * this.#buffer + slot] = packet;
    this.#landed[channel * this.#buffer + slot] = 0;
    this.#wormCount[channel] = count + 1;
    this.#markReady(channel);
    const waited = this.now - realAt(this.#since, queue);
    if (waited > 0) this.#observer.waited?.(link, this.now - waited, waited, intAt(this.#packetMessage, packet));
  }

  /** A flit can go through a channel: there is one, and room for it. */
  #markReady(channel: number): void {
    if (this.#room[channel] === 0) return;
    const link = Math.floor(channel / this.#channels);
    this.#ready[link]! |= 1 << (channel - link * this.#channels);
    this.#active[link >> 5]! |= 1 << (link & 31);
  }

  /** One flit over each link that has something to send. */
  #move(): void {
    const active = this.#active;
    let moves = 1;
    for (let word = 0; word < active.length; word++) {
      for (let bits = active[word]!; bits !== 0; bits &= bits - 1) {
        this.#sendFlit((word << 5) + 31 - Math.clz32(bits & -bits));
        moves++;
      }
    }
    this.#movesToPoll -= moves;
  }

  #sendFlit(link: number): void {
    const ready = this.#ready[link]!;
    // The next channel that can, after the one that was last.
    const behind = ready & (-2 << this.#lastChannel[link]!);
    const chosen = behind === 0 ? ready : behind;
    const bit = 31 - Math.clz32(chosen & -chosen);
    this.#lastChannel[link] = bit;
    const channel = link * this.#channels + bit;
    const queue = this.#sender[channel]!;
    if (this.#observer.crossed !== undefined) this.#observe(link, this.#packetOf(queue));
    const here = --this.#here[queue]!;
    const left = --this.#left[queue]!;
    const room = --this.#room[channel]!;
    this.#wires.push(channel);
    if (queue < this.#linkQueues) this.#freed[this.#freedCount++] = queue;
    if (left !== 0 && here !== 0 && room !== 0) return;
    const others = ready & ~(1 << bit);
    this.#ready[link] = others;
    if (others === 0) this.#active[link >> 5]! &= ~(1 << (link & 31));
    if (left !== 0) return;
    this.#sender[channel] = none;
    this.#flush(link);
    if (room > 0) this.#wake(intAt(this.#stations.from, link));
    this.#next(queue);
  }

  /** Headers at a station ask again in the next cycle. */
  #wake(station: number): void {
    let queue = intAt(this.#firstSleeper, station);
    if (queue === none) return;
    this.#firstSleeper[station] = none;
    for (; queue !== none; queue = intAt(this.#nextSleeper, queue)) {
      this.#state[queue] = asking;
      this.#later(queue);
    }
  }

  /** The first worm of a queue has left it: the one behind it is first from the next cycle on. */
  #next(queue: number): void {
    this.#state[queue] = absent;
    this.#out[queue] = none;
    if (queue >= this.#linkQueues) {
      const node = queue - this.#linkQueues;
      if (this.#firstMessage[node] !== none) this.#inject(node, this.now + 1);
      return;
    }
    const following = intAt(this.#firstWorm, queue) + 1;
    const slot = following === this.#buffer ? 0 : following;
    this.#firstWorm[queue] = slot;
    this.#wormCount[queue] = intAt(this.#wormCount, queue) - 1;
    if (this.#wormCount[queue] === 0) return;
    const place = queue * this.#buffer + slot;
    const here = intAt(this.#landed, place);
    this.#here[queue] = here;
    if (here > 0) this.#begin(queue, intAt(this.#worms, place), this.now + 1);
  }

  /** The next packet of a node is first in its injection queue from cycle `from` on. */
  #inject(node: number, from: number): void {
    const message = intAt(this.#firstMessage, node);
    const packet = this.#newPacket();
    const flits = flitsOf(this.#options.packing, realAt(this.#messageBytes, message));
    const queue = this.#linkQueues + node;
    this.#packetMessage[packet] = message;
    this.#packetFlits[packet] = flits;
    this.#packetNode[packet] = intAt(this.#messageTo, message);
    const serial = intAt(this.#made, node);
    this.#made[node] = serial + 1;
    this.#packetState[packet] = this.#routes.startOf(node, tiesOf(this.#seed, node, serial));
    this.#packetHops[packet] = 0;
    this.#injected[node] = packet;
    this.#here[queue] = flits;
    const toMake = realAt(this.#toMake, message) - 1;
    this.#toMake[message] = toMake;
    if (toMake === 0) {
      const following = intAt(this.#nextMessage, message);
      this.#firstMessage[node] = following;
      if (following === none) this.#lastMessage[node] = none;
    }
    this.#begin(queue, packet, from);
  }

  /** A worm is there: it leaves the network, or waits for its turn. */
  #leave(queue: number): void {
    if (this.#options.ejection === 'multiple') {
      this.#startToLeave(queue);
      return;
    }
    const station = intAt(this.#stations.ofQueue, queue);
    this.#state[queue] = queued;
    this.#nextSleeper[queue] = intAt(this.#firstQueued, station);
    this.#firstQueued[station] = queue;
    if (this.#exit[station] === none) this.#freeExits.push(station);
  }

  #startToLeave(queue: number): void {
    this.#state[queue] = ejecting;
    this.#ejectors[this.#ejectorCount++] = queue;
  }

  #eject(): void {
    let kept = 0;
    const count = this.#ejectorCount;
    for (let index = 0; index < count; index++) {
      const queue = this.#ejectors[index]!;
      if (this.#here[queue] !== 0) {
        this.#here[queue]!--;
        if (queue < this.#linkQueues) this.#freed[this.#freedCount++] = queue;
        if (--this.#left[queue]! === 0) {
          this.#deliver(this.#packetOf(queue));
          this.#next(queue);
          if (this.#options.ejection === 'single') {
            // The next one leaves from the next cycle on.
            const station = intAt(this.#stations.ofQueue, queue);
            this.#exit[station] = none;
            this.#giveExit(station);
          }
          continue;
        }
      }
      this.#ejectors[kept++] = queue;
    }
    // Behind those of this cycle stand the ones whose turn it is in the next.
    for (let index = count; index < this.#ejectorCount; index++) this.#ejectors[kept++] = intAt(this.#ejectors, index);
    this.#ejectorCount = kept;
  }

  /** Of the worms that wait to leave a station the arbiter takes one; there may be none. */
  #giveExit(station: number): void {
    if (this.#exit[station] !== none) return;
    const last = intAt(this.#lastExit, station);
    let best = none;
    let before = none;
    let beforeBest = none;
    for (let each = intAt(this.#firstQueued, station); each !== none; each = intAt(this.#nextSleeper, each)) {
      if (best === none || this.#isBefore(each, best, last)) [best, beforeBest] = [each, before];
      before = each;
    }
    if (best === none) return;
    const following = intAt(this.#nextSleeper, best);
    if (beforeBest === none) this.#firstQueued[station] = following;
    else this.#nextSleeper[beforeBest] = following;
    this.#exit[station] = best;
    this.#lastExit[station] = intAt(this.#stations.portOfQueue, best);
    this.#startToLeave(best);
  }

  #deliver(packet: number): void {
    const message = intAt(this.#packetMessage, packet);
    const created = realAt(this.#messageCreated, message);
    const [hops, flits] = [intAt(this.#packetHops, packet), intAt(this.#packetFlits, packet)];
    this.#observer.delivered?.(message, created, this.now, hops, flits);
    this.#packetMessage[packet] = this.#unusedPacket;
    this.#unusedPacket = packet;
    const left = realAt(this.#toArrive, message) - 1;
    this.#toArrive[message] = left;
    if (left > 0) return;
    this.arrived.push(message);
    this.messagesUnderWay--;
  }

  /** Places that flits have left count from the next cycle on. */
  #giveBack(): void {
    for (let index = 0; index < this.#freedCount; index++) {
      const queue = this.#freed[index]!;
      const room = this.#room[queue]!++;
      const sender = this.#sender[queue]!;
      if (sender === none) {
        if (room === 0) this.#wake(intAt(this.#stations.from, Math.floor(queue / this.#channels)));
      } else if (room === 0 && this.#here[sender] !== 0) this.#markReady(queue);
    }
    this.#freedCount = 0;
  }

  /** A flit of a packet goes over a link: flits of one packet without a gap are told together. */
  #observe(link: number, packet: number): void {
    const length = intAt(this.#runLength, link);
    if (length > 0 && this.#runPacket[link] === packet && this.#runStart[link] === this.now - length) {
      this.#runLength[link] = length + 1;
      return;
    }
    this.#flush(link);
    this.#runPacket[link] = packet;
    this.#runStart[link] = this.now;
    this.#runLength[link] = 1;
  }

  #flush(link: number): void {
    const length = intAt(this.#runLength, link);
    if (length === 0) return;
    const message = intAt(this.#packetMessage, intAt(this.#runPacket, link));
    this.#observer.crossed?.(link, realAt(this.#runStart, link), length, message);
    this.#runLength[link] = 0;
  }

  /** Whether no worms wait for one another; if they do, {@link deadlock} says which. O(places). */
  #isFree(): boolean {
    this.deadlock = findDeadlock({
      queueCount: this.#state.length,
      packetsIn: (queue) => this.#packetsIn(queue),
      isAsleep: (queue) => this.#state[queue] === asleep,
      optionsOf: (queue) => this.#optionsOf(queue),
      senderOf: (channel) => intAt(this.#sender, channel),
      hasRoom: (channel) => intAt(this.#room, channel) > 0,
      askedAt: (queue) => realAt(this.#since, queue),
      waitOf: (packet, queue, channel) => this.#waitOf(packet, queue, channel),
    });
    return this.deadlock === undefined;
  }

  /** The first one first. */
  #packetsIn(queue: number): number[] {
    if (queue >= this.#linkQueues) return this.#state[queue] === absent ? [] : [this.#packetOf(queue)];
    const first = intAt(this.#firstWorm, queue);
    return Array.from({ length: intAt(this.#wormCount, queue) }, (_, index) =>
      intAt(this.#worms, queue * this.#buffer + ((first + index) % this.#buffer)),
    );
  }

  /** Channels that the header of a queue may ask for. */
  #optionsOf(queue: number): number[] {
    const packet = this.#packetOf(queue);
    if (this.#routes.find(queue, intAt(this.#packetNode, packet), intAt(this.#packetState, packet))) return [];
    const { count, hasEscape, escape, queues } = this.#routes;
    return [...queues.subarray(0, count), ...(hasEscape ? [escape] : [])];
  }

  /** What a packet holds whose header is in a queue, back to where its tail is, and the channel that it wants. */
  #waitOf(packet: number, queue: number, channel: number): WaitingPacket {
    const holds: number[] = [];
    let at = queue;
    for (;;) {
      if (at >= this.#linkQueues) {
        if (this.#stations.linkCount === this.#routerLinks) holds.push(this.#routerLinks + 2 * (at - this.#linkQueues));
        break;
      }
      holds.push(Math.floor(at / this.#channels));
      const sender = intAt(this.#sender, at);
      if (sender === none || this.#packetOf(sender) !== packet) break;
      at = sender;
    }
    const transmission = intAt(this.#packetMessage, packet);
    return { packet, transmission, holds: holds.reverse(), wants: Math.floor(channel / this.#channels) };
  }

  #newPacket(): number {
    if (this.#unusedPacket !== none) {
      const packet = this.#unusedPacket;
      this.#unusedPacket = intAt(this.#packetMessage, packet);
      return packet;
    }
    if (this.#packetCount === this.#packetMessage.length) {
      this.#packetMessage = longer(this.#packetMessage);
      this.#packetFlits = longer(this.#packetFlits);
      this.#packetNode = longer(this.#packetNode);
      this.#packetState = longer(this.#packetState);
      this.#packetHops = longer(this.#packetHops);
    }
    return this.#packetCount++;
  }

  #growMessages(): void {
    this.#messageTo = longer(this.#messageTo);
    this.#nextMessage = longer(this.#nextMessage);
    this.#messageBytes = longerReal(this.#messageBytes);
    this.#messageCreated = longerReal(this.#messageCreated);
    this.#toMake = longerReal(this.#toMake);
    this.#toArrive = longerReal(this.#toArrive);
  }
}

function longer(values: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(2 * values.length);
  copy.set(values);
  return copy;
}

function longerReal(values: Float64Array): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(2 * values.length);
  copy.set(values);
  return copy;
}

/** What a search for worms that wait for one another looks at. */
interface Standing {
  readonly queueCount: number;
  readonly packetsIn: (queue: number) => readonly number[];
  readonly isAsleep: (queue: number) => boolean;
  readonly optionsOf: (queue: number) => readonly number[];
  /** Queue whose worm is being sent into a channel, −1 where there is none. */
  readonly senderOf: (channel: number) => number;
  readonly hasRoom: (channel: number) => boolean;
  readonly askedAt: (queue: number) => number;
  readonly waitOf: (packet: number, queue: number, channel: number) => WaitingPacket;
}

/**
 * Worms that can never move again, and a circle among them. A worm that stands behind another in a queue can move once that one can;
 * a header that sleeps, once a channel that it may ask for is given free by a worm that can, and its queue has room or is led by one
 * that can. What is left when nothing more follows is a deadlock. Undefined where nothing is left.
 */
function findDeadlock(standing: Standing): Deadlock | undefined {
  /** Headers that cannot move as far as is known: where each is, and the packet before it in its queue. */
  const stuck = new Map<
    number,
    { readonly queue: number; readonly ahead: number; readonly options: readonly number[] }
  >();
  for (let queue = 0; queue < standing.queueCount; queue++) {
    const packets = standing.packetsIn(queue);
    for (const [place, packet] of packets.entries()) {
      if (place > 0) stuck.set(packet, { queue, ahead: packets[place - 1] ?? none, options: [] });
      else if (standing.isAsleep(queue)) stuck.set(packet, { queue, ahead: none, options: standing.optionsOf(queue) });
    }
  }
  /** The packet that keeps a header from a channel, −1 where none does for good. */
  const blocker = (channel: number): number => {
    const sender = standing.senderOf(channel);
    const owner = sender === none ? none : (standing.packetsIn(sender)[0] ?? none);
    if (stuck.has(owner)) return owner;
    const first = standing.hasRoom(channel) ? none : (standing.packetsIn(channel)[0] ?? none);
    return stuck.has(first) ? first : none;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const [packet, { ahead, options }] of stuck) {
      const moves = ahead === none ? options.some((channel) => blocker(channel) === none) : !stuck.has(ahead);
      if (moves) changed = stuck.delete(packet) || changed;
    }
  }
  if (stuck.size === 0) return undefined;
  return circleAmong(standing, stuck, blocker);
}

/** Headers that cannot move: where each is, the packet before it in its queue, what it may ask for. */
type Stuck = ReadonlyMap<
  number,
  { readonly queue: number; readonly ahead: number; readonly options: readonly number[] }
>;

/** From the lowest packet on each waits for the next, until one comes again. */
function circleAmong(standing: Standing, stuck: Stuck, blocker: (channel: number) => number): Deadlock {
  const path: number[] = [];
  let packet = Math.min(...stuck.keys());
  const wants = new Map<number, number>();
  while (!path.includes(packet)) {
    path.push(packet);
    const { queue, ahead, options } = stuck.get(packet) ?? { queue: 0, ahead: none, options: [] };
    wants.set(packet, ahead === none ? (options[0] ?? queue) : queue);
    packet = ahead === none ? blocker(options[0] ?? queue) : ahead;
  }
  const circle = path.slice(path.indexOf(packet));
  const lowest = circle.indexOf(Math.min(...circle));
  const places = [...circle.slice(lowest), ...circle.slice(0, lowest)].map((each) => {
    const queue = stuck.get(each)?.queue ?? 0;
    return { queue, wait: standing.waitOf(each, queue, wants.get(each) ?? queue) };
  });
  const asked = places.filter(({ queue }) => standing.isAsleep(queue)).map(({ queue }) => standing.askedAt(queue));
  return { since: Math.max(...asked), waits: places.map(({ wait }) => wait) };
}
