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
 * Speed. For each channel of a packet something happens twice: its header asks, and its tail leaves. All headers take equally
 * long from a grant to the next question, so that a line in order of grants holds them and nothing is sorted; the tail leaves one
 * channel just when the header enters another one. Only what happens when a header has arrived, or with deeper buffers, has
 * delays of its own: a ring of time slots holds that. In a cycle headers enter first, then channels become free, then headers
 * ask: so whoever waited is served before whoever asks now, and of these the lower number takes over from the higher one.
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
import { DelayLine, TimeSlots } from './pending.ts';
import { injectionOf, routesOf, type Routes } from './routes.ts';

/** Told of what happens in channels; what is not asked for costs nothing. Packets are numbered as in {@link Deadlock}. */
export interface WormholeObserver {
  readonly delivered?: ObserveDelivery;
  /** A packet has owned a channel for so many cycles from its grant in `start` on. */
  readonly owned?: (channel: number, start: number, cycles: number, transmission: number) => void;
  /** A header got a channel that it had waited for since `start`. */
  readonly waited?: (channel: number, start: number, cycles: number, transmission: number) => void;
}

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
  observe?: ObserveDelivery | WormholeObserver,
): Result<WormholeNetwork> {
  const { routing, buffer } = options;
  if (!Number.isInteger(routing) || routing < 0 || routing > longestDelay) {
    return fail('invalid-count', `A header is routed for 0 to ${longestDelay} whole cycles, not ${routing}.`);
  }
  if (!Number.isInteger(buffer) || buffer < 1 || buffer > longestDelay) {
    return fail('invalid-count', `The buffer of a channel holds 1 to ${longestDelay} whole flits, not ${buffer}.`);
  }
  return succeed(
    new WormholeNetwork(machine, options, typeof observe === 'function' ? { delivered: observe } : (observe ?? {})),
  );
}

/** Kinds of events with a delay of their own: an event is 4 · channel + kind. */
const released = 0; // The tail leaves the buffer of the channel.
const arrived = 1; // The tail enters the ejection channel.
const vanishes = 2; // Buffers of 1 flit: the tail of the packet in the ejection channel leaves a channel a cycle from now on.

/** What is kept of a packet under way: a record of eight words, and its route. */
const at = 0; // Index on the route of the channel granted last.
const last = 1; // Index of the ejection channel.
const lag = 2; // Channels between the header and the one that its entry lets the tail leave: 1 + ⌊(flits − 1) / buffer⌋.
const wants = 3; // Channel that it waits for.
const next = 4; // The next packet that waits for the same channel; of a free record, the next free one.
const place = 5; // Where it stands in the line of those that will ask again, or among those that will arrive.
const listed = 6; // Where in the list of channels left the one stands that its tail leaves when its header enters the next.
const tail = 7; // Index of the channel that its tail leaves next, where it leaves one a cycle.

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

  readonly #routes: Routes;
  readonly #routing: number;
  readonly #buffer: number;
  readonly #observe: WormholeObserver;
  /** Whether the cycle of each grant is kept: deeper buffers need it, and who asks how long channels are owned. */
  readonly #keepsGrants: boolean;

  // Packets that were granted a channel, until they ask for the next one. Those that are not routed yet are a line of their own:
  // when they ask for their injection channels these are free, so that nothing happens then.
  readonly #granted: DelayLine;
  readonly #started: DelayLine;
  /** Packets that were granted their ejection channels in the last cycle. */
  readonly #arriving: Int32Array;
  #arrivingCount = 0;
  /** How many of both there were before the first packet asked in this cycle. */
  #grantsBefore = 0;
  #arrivalsBefore = 0;
  /**
   * Channels that tails leave in the next cycle because headers enter others; where buffers are deeper, those that are entered.
   * −1 where a grant was taken over.
   */
  readonly #leaving: Int32Array;
  #leavingCount = 0;
  /** Buffers of 1 flit: packets whose tails leave a channel in each cycle. */
  readonly #vanishing: Int32Array;
  #vanishingCount = 0;
  readonly #slots: TimeSlots;
  /** Nodes whose packet has left them in this cycle. */
  readonly #left: Int32Array;
  #leftCount = 0;

  // By channel.
  readonly #owner: Int32Array;
  /** Packets that wait for it, the first to be granted first. */
  readonly #firstWaiting: Int32Array;
  readonly #lastWaiting: Int32Array;
  /** Cycle of the last grant, where it is kept. */
  readonly #grantedAt: Float64Array;

  // By packet under way.
  #freePacket = none;
  #packets = new Int32Array(0);
  /** Longest route that there is room for. */
  #stride = 16;
  #route = new Int32Array(0);
  #length = new Int32Array(0);
  #sending = new Int32Array(0);
  /** Of packets that wait. */
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

  constructor(machine: Machine, { routing, buffer }: WormholeOptions, observe: WormholeObserver) {
    this.#routes = routesOf(machine);
    this.#routing = routing;
    this.#buffer = buffer;
    this.#observe = observe;
    this.#keepsGrants = buffer > 1 || observe.owned !== undefined;
    const { nodeCount } = machine;
    const { channelCount } = this.#routes;
    this.#granted = new DelayLine(channelCount, routing + 1);
    // It is routed, gets the injection channel, enters it in the next cycle and is routed again.
    this.#started = new DelayLine(nodeCount, 2 * routing + 1);
    this.#arriving = new Int32Array(nodeCount);
    this.#left = new Int32Array(nodeCount);
    this.#vanishing = new Int32Array(nodeCount);
    this.#slots = new TimeSlots(4 * channelCount);
    this.#owner = new Int32Array(channelCount).fill(none);
    this.#firstWaiting = new Int32Array(channelCount).fill(none);
    this.#lastWaiting = new Int32Array(channelCount).fill(none);
    this.#leaving = new Int32Array(channelCount);
    this.#grantedAt = new Float64Array(this.#keepsGrants ? channelCount : 0);
    this.#firstProcess = new Int32Array(nodeCount).fill(none);
    this.#lastProcess = new Int32Array(nodeCount).fill(none);
    this.#sendingProcess = new Int32Array(nodeCount).fill(none);
  }

  send(transmission: Transmission): number {
    const { source, nodeOfProcess, flits } = transmission;
    if (!Number.isInteger(flits) || flits < 1 || flits > longestPacket) {
      throw new RangeError(`A packet has 1 to ${longestPacket} whole flits, not ${flits}.`);
    }
    this.#slots.provideDelay(flits);
    const id = this.#sent++;
    const index = this.#freeSendings.pop() ?? this.#sendings.length;
    this.#sendings[index] = { transmission, id, firstPacket: this.#packetsNumbered, packets: 0, hops: 0, latency: 0 };
    this.#sendingOf.set(id, index);
    if (source.packetCount === 0) this.#finished.push(id);
    const { senders } = source;
    const count = senders?.length ?? source.processCount;
    for (let each = 0; each < count; each++) {
      const process = senders === undefined ? each : itemAt(senders, each);
      const packets = source.packetsOf(process);
      if (packets === 0) continue;
      const node = intAt(nodeOfProcess, process);
      this.#queueProcess(node, this.#newProcess(process, packets, index));
      this.#packetsNumbered += packets;
      if (intAt(this.#sendingProcess, node) === none) this.#startNext(node);
    }
    this.#started.seal(this.now);
    return id;
  }

  figuresOf(transmission: number): Figures | undefined {
    const index = this.#sendingOf.get(transmission);
    return index === undefined ? undefined : this.#sendings[index];
  }

  /** Bytes of what grows with packets under way and processes that send. */
  get bytes(): number {
    const packets = [
      this.#packets,
      this.#route,
      this.#length,
      this.#sending,
      this.#askedAt,
      this.#startedAt,
      this.#number,
    ];
    const processes = [this.#process, this.#processSending, this.#packetsSent, this.#packetsLeft, this.#nextProcess, this.#processNumber]; // prettier-ignore
    return [...packets, ...processes].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  advance(to: number, cancellation: Cancellation): Advance {
    if (this.deadlock !== undefined) return 'deadlock';
    this.#forgetCompleted();
    let untilLook = eventsPerLook;
    for (;;) {
      if (this.#finished.length > 0) {
        const finished = this.#finished;
        if (finished.length > 1) finished.sort((a, b) => a - b);
        this.#finished = this.completed;
        this.completed = finished;
        return 'completed';
      }
      const delay = this.#delayToNext();
      if (this.#isDeadlocked(delay)) return 'deadlock';
      if (this.now + delay > to) {
        this.#goOn(to - this.now);
        return 'reached';
      }
      if (untilLook <= 0) {
        if (cancellation.isCancelled()) return 'cancelled';
        untilLook = eventsPerLook;
      }
      this.#goOn(delay);
      const events = this.#runCycle();
      untilLook -= events;
      this.#untilSearch -= events;
    }
  }

  #forgetCompleted(): void {
    for (const id of this.completed) {
      const index = this.#sendingOf.get(id) ?? none;
      this.#sendingOf.delete(id);
      this.#sendings[index] = undefined;
      this.#freeSendings.push(index);
    }
    this.completed.length = 0;
  }

  // Time

  /** Cycles to the next one in which something happens; Infinity where nothing will. */
  #delayToNext(): number {
    if (this.#leavingCount + this.#vanishingCount + this.#arrivingCount > 0) return 1;
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
    if (events > 0) this.#arriveAll();
    if (this.#leavingCount > 0) events += this.#leaveAll();
    events += this.#runSlot();
    if (this.#vanishingCount > 0) events += this.#vanishAll();
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
    const { linkCount } = this.#routes;
    const count = this.#leavingCount;
    // Each release may list one for the next cycle, at a place that was read.
    this.#leavingCount = 0;
    for (let each = 0; each < count; each++) {
      const channel = leaving[each]!;
      if (channel === none) continue;
      if (this.#buffer > 1) this.#letTailLeave(this.#owner[channel]!);
      else if (channel < linkCount) this.#release(channel);
      else this.#leaveNode(channel);
    }
    return count;
  }

  /** Headers have entered their ejection channels: all other flits follow without waiting. */
  #arriveAll(): void {
    for (let each = 0; each < this.#arrivingCount; each++) {
      const packet = intAt(this.#arriving, each);
      if (this.#buffer > 1) this.#arriveDeep(packet);
      else this.#arrive(packet);
    }
    this.#arrivingCount = 0;
  }

  /** Buffers of 1 flit: the tail is in channel last − length, or still in its node, and moves on in each cycle. */
  #arrive(packet: number): void {
    const packets = this.#packets;
    const ahead = intAt(packets, 8 * packet + last) - intAt(packets, 8 * packet + lag);
    packets[8 * packet + tail] = Math.max(0, ahead);
    if (ahead >= 0) this.#vanishing[this.#vanishingCount++] = packet;
    else this.#slots.schedule(4 * this.#ejectionOf(packet) + vanishes, -ahead);
  }

  #ejectionOf(packet: number): number {
    return intAt(this.#route, packet * this.#stride + intAt(this.#packets, 8 * packet + last));
  }

  /** Tails that move on in each cycle leave a channel. */
  #vanishAll(): number {
    const vanishing = this.#vanishing;
    const packets = this.#packets;
    const routes = this.#route;
    const stride = this.#stride;
    const count = this.#vanishingCount;
    let kept = 0;
    for (let each = 0; each < count; each++) {
      const packet = vanishing[each]!;
      const record = 8 * packet;
      const index = packets[record + tail]!;
      const channel = routes[packet * stride + index]!;
      const left = packets[record + last]! - index;
      if (left === 0) {
        this.#freeEjection(channel);
        continue;
      }
      packets[record + tail] = index + 1;
      vanishing[kept++] = packet;
      if (index === 0) this.#leaveNode(channel);
      else this.#release(channel);
      if (left === 1) this.#deliver(packet);
    }
    this.#vanishingCount = kept;
    return count;
  }

  /** Deeper buffers: all headers' times are known, and so are the times of the tail. */
  #arriveDeep(packet: number): void {
    const end = intAt(this.#packets, 8 * packet + last);
    const from = Math.max(0, end - intAt(this.#packets, 8 * packet + lag));
    for (let index = from; index < end; index++) this.#scheduleRelease(packet, index);
    const channel = this.#ejectionOf(packet);
    this.#slots.schedule(4 * channel + released, intAt(this.#length, packet));
    this.#slots.schedule(4 * channel + arrived, intAt(this.#length, packet) - 1);
  }

  /** Its header has entered a channel, so that it is known when the tail leaves one behind it. */
  #letTailLeave(packet: number): void {
    this.#scheduleRelease(packet, intAt(this.#packets, 8 * packet + at) - intAt(this.#packets, 8 * packet + lag));
  }

  /** Schedules the release of the channel `index` of a route: all headers' times that decide it are known. See the formula above. */
  #scheduleRelease(packet: number, index: number): void {
    const begin = packet * this.#stride;
    const header = intAt(this.#packets, 8 * packet + at);
    let left = intAt(this.#length, packet) - 1;
    let delay = 0;
    for (let after = index + 1; after <= header && left >= 0; after++) {
      const entry = realAt(this.#grantedAt, intAt(this.#route, begin + after)) + 1;
      delay = Math.max(delay, entry + left - this.now);
      left -= this.#buffer;
    }
    this.#slots.schedule(4 * intAt(this.#route, begin + index) + released, delay);
  }

  /** Runs the events of the present slot; how many there were. */
  #runSlot(): number {
    const slots = this.#slots;
    const { linkCount } = this.#routes;
    let events = 0;
    for (let event = slots.take(); event !== none; event = slots.take()) {
      const channel = event >> 2;
      const kind = event & 3;
      events++;
      if (kind === vanishes) this.#vanishing[this.#vanishingCount++] = intAt(this.#owner, channel);
      else if (kind === arrived) this.#deliver(intAt(this.#owner, channel));
      else if (channel < linkCount) this.#release(channel);
      else if (((channel - linkCount) & 1) === 0) this.#leaveNode(channel);
      else this.#freeEjection(channel);
    }
    return events;
  }

  // Channels

  /** The headers of the line's first batch ask for the next channels of their routes; how many. */
  #askAll(line: DelayLine): number {
    const { values, mask, head, batchEnd } = line;
    const granted = this.#granted;
    const grants = granted.values;
    const grantMask = granted.mask;
    const packets = this.#packets;
    const owner = this.#owner;
    const routes = this.#route;
    const leaving = this.#leaving;
    const arriving = this.#arriving;
    const stride = this.#stride;
    const isDeep = this.#buffer > 1;
    const keepsGrants = this.#keepsGrants;
    const { linkCount } = this.#routes;
    let grantEnd = granted.tail;
    let leavingCount = this.#leavingCount;
    let arrivingCount = this.#arrivingCount;
    for (let each = head; each !== batchEnd; each = (each + 1) & mask) {
      const packet = values[each]!;
      const record = 8 * packet;
      const begin = packet * stride;
      const index = packets[record + at]! + 1;
      const channel = routes[begin + index]!;
      if (owner[channel]! !== none) {
        granted.tail = grantEnd;
        this.#leavingCount = leavingCount;
        this.#arrivingCount = arrivingCount;
        this.#contend(packet, channel);
        leavingCount = this.#leavingCount;
        continue;
      }
      // As #grant does, with everything at hand: this is the innermost loop of all.
      owner[channel] = packet;
      packets[record + at] = index;
      if (keepsGrants) this.#grantedAt[channel] = this.now;
      if (channel >= linkCount) {
        packets[record + place] = arrivingCount;
        arriving[arrivingCount++] = packet;
        continue;
      }
      packets[record + place] = grantEnd;
      grants[grantEnd] = packet;
      grantEnd = (grantEnd + 1) & grantMask;
      const behind = index - packets[record + lag]!;
      if (behind < 0) continue;
      packets[record + listed] = leavingCount;
      leaving[leavingCount++] = isDeep ? channel : routes[begin + behind]!;
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
    if (!this.#gotItNow(holder, channel) || realAt(this.#number, packet) > realAt(this.#number, holder)) {
      this.#wait(packet, channel);
      return;
    }
    const packets = this.#packets;
    const others = 8 * holder;
    const own = 8 * packet;
    const isLink = channel < this.#routes.linkCount;
    const line = isLink ? this.#granted.values : this.#arriving;
    line[intAt(packets, others + place)] = packet;
    packets[own + place] = intAt(packets, others + place);
    if (isLink && intAt(packets, others + at) >= intAt(packets, others + lag))
      this.#leaving[intAt(packets, others + listed)] = none;
    packets[others + at]!--;
    this.#wait(holder, channel);
    this.#owner[channel] = packet;
    packets[own + at]!++;
    if (isLink) this.#listWhatIsLeft(packet, channel);
  }

  /** Whether the channel is the one that its holder has asked for and got in this very cycle. */
  #gotItNow(holder: number, channel: number): boolean {
    const packets = this.#packets;
    const index = intAt(packets, 8 * holder + at);
    if (this.#route[holder * this.#stride + index] !== channel || packets[8 * holder + wants] !== none) return false;
    const there = intAt(packets, 8 * holder + place);
    if (index === packets[8 * holder + last]) {
      return there >= this.#arrivalsBefore && there < this.#arrivingCount && this.#arriving[there] === holder;
    }
    const { values, mask, tail: end } = this.#granted;
    const before = this.#grantsBefore;
    return ((there - before) & mask) < ((end - before) & mask) && values[there] === holder;
  }

  /** Puts a packet into the queue of a channel: by the cycle in which it asked, which is this one, then by number. */
  #wait(packet: number, channel: number): void {
    const packets = this.#packets;
    const { now } = this;
    this.#askedAt[packet] = now;
    packets[8 * packet + wants] = channel;
    const first = this.#firstWaiting[channel]!;
    let before = first === none ? none : this.#lastWaiting[channel]!;
    if (before !== none && this.#askedAt[before] === now && this.#number[before]! > this.#number[packet]!) {
      before = none;
      let other = first;
      while (this.#askedAt[other]! < now || this.#number[other]! < this.#number[packet]!) {
        before = other;
        other = packets[8 * other + next]!;
      }
    }
    const after = before === none ? first : packets[8 * before + next]!;
    if (before === none) this.#firstWaiting[channel] = packet;
    else packets[8 * before + next] = packet;
    packets[8 * packet + next] = after;
    if (after === none) this.#lastWaiting[channel] = packet;
  }

  /** The tail of the owner has left the channel: the first that waits gets it. */
  #release(channel: number): void {
    if (this.#observe.owned !== undefined && channel < this.#routes.linkCount) this.#tellOwned(channel, this.now);
    const waiting = this.#firstWaiting[channel]!;
    this.#owner[channel] = waiting;
    if (waiting !== none) this.#grant(waiting, channel);
  }

  /** The owner of a channel leaves it at the end of the cycle before `end`. */
  #tellOwned(channel: number, end: number): void {
    const start = realAt(this.#grantedAt, channel);
    this.#observe.owned?.(channel, start, end - start, this.#transmissionOf(intAt(this.#owner, channel)));
  }

  /** The first packet that waits for a channel has got it. */
  #grant(packet: number, channel: number): void {
    if (this.#observe.waited !== undefined) {
      const start = realAt(this.#askedAt, packet);
      if (start < this.now) this.#observe.waited(channel, start, this.now - start, this.#transmissionOf(packet));
    }
    const packets = this.#packets;
    const record = 8 * packet;
    this.#firstWaiting[channel] = packets[record + next]!;
    packets[record + wants] = none;
    packets[record + at]!++;
    if (this.#keepsGrants) this.#grantedAt[channel] = this.now;
    if (channel < this.#routes.linkCount) {
      this.#granted.push(packet);
      this.#listWhatIsLeft(packet, channel);
    } else this.#arriving[this.#arrivingCount++] = packet;
  }

  /** When the header of a packet enters a link in the next cycle, its tail may leave another channel because of that. */
  #listWhatIsLeft(packet: number, link: number): void {
    const behind = this.#packets[8 * packet + at]! - this.#packets[8 * packet + lag]!;
    if (behind < 0) return;
    this.#packets[8 * packet + listed] = this.#leavingCount;
    this.#leaving[this.#leavingCount++] = this.#buffer > 1 ? link : this.#route[packet * this.#stride + behind]!;
  }

  /** The tail of a packet has left its injection channel, which no other one waits for. */
  #leaveNode(channel: number): void {
    if (this.#observe.owned !== undefined) this.#tellOwned(channel, this.now);
    this.#owner[channel] = none;
    this.#left[this.#leftCount++] = (channel - this.#routes.linkCount) >> 1;
  }

  #freeEjection(channel: number): void {
    const packet = intAt(this.#owner, channel);
    this.#packets[8 * packet + next] = this.#freePacket;
    this.#freePacket = packet;
    this.#release(channel);
  }

  // Nodes

  #startAll(): void {
    for (let each = 0; each < this.#leftCount; each++) this.#goOnSending(intAt(this.#left, each));
    this.#leftCount = 0;
  }

  /** The next packet of an idle node begins to be routed, where there is one. */
  #startNext(node: number): void {
    const entry = intAt(this.#firstProcess, node);
    this.#sendingProcess[node] = entry;
    if (entry === none) return;
    this.#firstProcess[node] = intAt(this.#nextProcess, entry);
    this.packetsUnderWay++;
    const channel = injectionOf(this.#routes, node);
    const packet = this.#newPacket(node, entry);
    this.#owner[channel] = packet;
    if (this.#keepsGrants) this.#grantedAt[channel] = this.now + this.#routing;
    this.#started.push(packet);
  }

  /** A packet has left its node: the process queues up anew where it has more, and the next packet starts. */
  #goOnSending(node: number): void {
    const entry = intAt(this.#sendingProcess, node);
    const left = intAt(this.#packetsLeft, entry) - 1;
    if (left > 0) {
      this.#packetsLeft[entry] = left;
      this.#packetsSent[entry] = intAt(this.#packetsSent, entry) + 1;
      if (this.#sendingAt(intAt(this.#processSending, entry)).transmission.inOrder) this.#keepFirst(node, entry);
      else this.#queueProcess(node, entry);
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

  #keepFirst(node: number, entry: number): void {
    const others = intAt(this.#firstProcess, node);
    this.#nextProcess[entry] = others;
    if (others === none) this.#lastProcess[node] = entry;
    this.#firstProcess[node] = entry;
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

  /** The next packet of a process, with its injection channel. */
  #newPacket(node: number, entry: number): number {
    const sending = intAt(this.#processSending, entry);
    const { source, nodeOfProcess, flits } = this.#sendingAt(sending).transmission;
    const sent = intAt(this.#packetsSent, entry);
    const to = intAt(nodeOfProcess, source.destinationOf(intAt(this.#process, entry), sent));
    if (this.#freePacket === none) this.#growPackets();
    const packet = this.#freePacket;
    const channels = this.#writeRoute(node, to, packet);
    const packets = this.#packets;
    const record = 8 * packet;
    this.#freePacket = intAt(packets, record + next);
    packets[record + at] = 0;
    packets[record + last] = channels - 1;
    packets[record + lag] = 1 + Math.floor((flits - 1) / this.#buffer);
    this.#length[packet] = flits;
    this.#sending[packet] = sending;
    this.#startedAt[packet] = this.now;
    this.#number[packet] = realAt(this.#processNumber, entry) + sent;
    return packet;
  }

  /** How many channels there are. */
  #writeRoute(from: number, to: number, packet: number): number {
    for (;;) {
      const channels = this.#routes.write(from, to, this.#route, packet * this.#stride, this.#stride);
      if (channels > 0) return channels;
      this.#widenRoutes();
    }
  }

  /** The tail of a packet has arrived. */
  #deliver(packet: number): void {
    const sending = this.#sendingAt(intAt(this.#sending, packet));
    const start = realAt(this.#startedAt, packet);
    const hops = intAt(this.#packets, 8 * packet + last) - 1;
    const { total } = this;
    sending.packets++;
    sending.hops += hops;
    sending.latency += this.now - start;
    total.packets++;
    total.hops += hops;
    total.latency += this.now - start;
    this.packetsUnderWay--;
    // The packet may be forgotten before it gives back the channel, in the next cycle.
    if (this.#observe.owned !== undefined) this.#tellOwned(this.#ejectionOf(packet), this.now + 1);
    this.#observe.delivered?.(sending.id, realAt(this.#number, packet) - sending.firstPacket, start, this.now, hops);
    if (sending.packets === sending.transmission.source.packetCount) this.#finished.push(sending.id);
  }

  #transmissionOf(packet: number): number {
    return this.#sendingAt(intAt(this.#sending, packet)).id;
  }

  #sendingAt(index: number): Sending {
    return itemAt(this.#sendings, index);
  }

  // Deadlocks

  /** Looks for a deadlock where nothing else will happen, and now and then. */
  #isDeadlocked(delay: number): boolean {
    if (this.#untilSearch > 0 && (delay < Infinity || this.packetsUnderWay === 0)) return false;
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
    const visitedFrom = new Int32Array(this.#number.length).fill(none);
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

  #wantedBy(packet: number): number {
    return intAt(this.#packets, 8 * packet + wants);
  }

  #ownerOfWanted(packet: number): number {
    const channel = this.#wantedBy(packet);
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

  /** Packets that wait for channels, the lowest number first. O(packets under way). */
  waiting(): readonly WaitingPacket[] {
    const packets: number[] = [];
    for (let packet = 0; packet < this.#number.length; packet++)
      if (this.#wantedBy(packet) !== none) packets.push(packet);
    return packets
      .sort((a, b) => realAt(this.#number, a) - realAt(this.#number, b))
      .map((packet) => this.#waitOf(packet));
  }

  #waitOf(packet: number): WaitingPacket {
    const begin = packet * this.#stride;
    const taken = this.#route.subarray(begin, begin + intAt(this.#packets, 8 * packet + at) + 1);
    return {
      packet: realAt(this.#number, packet),
      transmission: this.#transmissionOf(packet),
      holds: [...taken].filter((channel) => intAt(this.#owner, channel) === packet),
      wants: this.#wantedBy(packet),
    };
  }

  // Memory

  #growPackets(): void {
    const old = this.#number.length;
    const count = Math.max(64, 2 * old);
    this.#packets = longer(this.#packets, 8 * count);
    this.#route = longer(this.#route, this.#stride * count);
    this.#length = longer(this.#length, count);
    this.#sending = longer(this.#sending, count);
    this.#askedAt = longerReals(this.#askedAt, count);
    this.#startedAt = longerReals(this.#startedAt, count);
    this.#number = longerReals(this.#number, count);
    for (let packet = count - 1; packet >= old; packet--) {
      this.#packets[8 * packet + wants] = none;
      this.#packets[8 * packet + next] = this.#freePacket;
      this.#freePacket = packet;
    }
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
    for (let entry = old; entry < length; entry++) this.#nextProcess[entry] = entry + 1;
    this.#nextProcess[length - 1] = none;
    this.#freeProcess = old;
  }

  /** Doubles the room for the route of a packet. */
  #widenRoutes(): void {
    const old = this.#route;
    const stride = this.#stride;
    this.#stride = 2 * stride;
    this.#route = new Int32Array(2 * old.length);
    for (let row = 0; row < old.length; row += stride) this.#route.set(old.subarray(row, row + stride), 2 * row);
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
