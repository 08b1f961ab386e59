/**
 * Packets by events: cut-through and store-and-forward switching with any number of channels, exact.
 *
 * The model is that of FSIN, the simulator of Pascual et al. 2010 (Navaridas et al., INSEE), with delays of its own. A link moves one
 * flit a cycle. At its end each of its channels has a queue of so many packets; so has each node, with a buffer as large before it,
 * into which the node makes a packet a cycle while there is room. A flit passes from the buffer to the queue one cycle after there is room. The
 * first packet of a queue asks for one channel in a cycle, of those that its routing allows and whose queue has room for a packet,
 * by `select`:
 *
 *  - `first-free`: in the order of the routing (`packetRoutes.ts`), last the escape channel; after a lost arbitration the next one;
 *  - `random`: any; `least-filled`: the one with most room, the first of equals; the escape channel where none of them has room.
 *
 * To ask for a channel that another packet is crossing is to lose. Of those that ask for a free channel the arbiter takes one: the next
 * port after that of the last winner, or the one that has been first in its queue for longest. Channels of a link take turns packet by packet.
 * Once its first flit has moved the others follow without a gap. A packet that is there leaves the network one flit a cycle:
 * at once with `ejection multiple`, one after the other with `ejection single`. Where a bubble is kept, a packet enters a ring only with room
 * for so many packets in this router's own queue of that ring and direction (`here`), or in the next one.
 *
 * Where routing is adaptive, a packet that goes half-way round a ring takes either way, by a coin thrown when it is made; the escape
 * channel goes the same way. Dimension order alone takes the positive one.
 *
 * In a cycle packets are made first, then all ask on the state that the last cycle left, then all flits move. A place that is
 * freed in a move counts from the next cycle; flits on the way occupy theirs. With h links, r router and l link cycles and L flits a packet
 * alone takes h(r + l) + r + L − 1 cycles from the one in which it was made, with store-and-forward h(r + l + L − 1) + r + L − 1.
 *
 * Why events are enough. A packet never stops on a link, so that the start of its first flit says where all are. Let n packets stand in a
 * queue, those under way into it or out of it included. While one comes in and one goes out that started no later, what comes takes
 * the places of what goes: there is one place more than `capacity − n`. In all other cases a partly filled place is no room
 * for a packet. So room comes only when a tail has left, goes only when a header starts to come, and is a whole number of packets
 * between (`room`). First packets that cannot get anything sleep until one of these happens to a queue they may ask for, or one of its
 * channels becomes free; which option a sleeper would have asked for in each cycle follows from a period.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type {
  Bubble,
  NetworkArbiter,
  NetworkEjection,
  NetworkRouting,
  NetworkSelection,
} from '../../model/networkModel.ts';
import { drawSeed, type RandomSource } from '../../model/random.ts';
import { intAt } from '../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../contract.ts';
import type { MessageAdvance, MessageNetwork, MessageObserver } from '../messages.ts';
import { DelayLine, TimeSlots } from '../pending.ts';
import { PacketRoutes, type Grid, type Stations } from './packetRoutes.ts';

export interface PacketOptions {
  readonly switching: 'cut-through' | 'store-and-forward';
  /** Flits of every packet, and bytes of a flit. */
  readonly packet: number;
  readonly flit: number;
  readonly channels: number;
  /** Packets of a queue. */
  readonly queue: number;
  /** Cycles; together at least 1. */
  readonly router: number;
  readonly link: number;
  readonly bubble?: Bubble;
  readonly routing: NetworkRouting;
  readonly select: NetworkSelection;
  readonly arbiter: NetworkArbiter;
  readonly ejection: NetworkEjection;
  readonly secondsPerCycle: number | undefined;
}

const none = -1;

// What the first packet of a queue does.
const idle = 0; // There is none, or it is not routed yet.
const asks = 1; // It asks in the next cycle.
const sleeps = 2; // It waits for something to happen.
const granted = 3; // It has a channel and waits for the link.
const moves = 4; // Its flits move.

// Words of the record of a queue; times are cycles modulo 2^32.
const queueShift = 5;
const firstOf = 0;
const lastOf = 1;
const does = 2; // One of the states above.
const room = 3; // Whole packets for which there is room: see above.
const makesRoom = 4; // 1: what goes out makes room for what comes in.
const inStart = 5; // Cycle in which the first flit of what came in last moved, and of what goes out.
const outStart = 6;
const output = 7; // That the first packet has or asked for last, and the state of its route behind it.
const outputState = 8;
const moving = 9; // Packet that goes out: it is no longer in the queue, whose next one waits until all of it has left.
const optionCount = 10;
const escapes = 11; // 1: behind the options stands the escape channel.
const bet = 12; // Option that it turns to next; their count stands for the escape channel.
const mask = 13; // Bits of the options that had room when it asked last, and when that was.
const askedAt = 14;
const firstSince = 15; // Since when it is first and routed.
// The queue as an output, which leads to it; that of a node is the way out of the network.
const holder = 16; // Queue whose packet has it, or none.
const lastWinner = 17; // Port.
const candidate = 18; // The best of those that ask in this cycle.
// What never changes.
const linkOf = 19;
const channelOf = 20;
const portOf = 21;
const portsOf = 22; // Ports of its station.
const ownOf = 23; // Own queue of the ring that the channel belongs to: that at the end of the channel before it, or none.
const beginOf = 24; // Its options in the lists of options, and for how many there is room.
const blockOf = 25;
const sleepers = 26; // Ports of the station before that sleep for it; where a word is too few, they are in an array of their own.
const bubbleSleepers = 27; // Ports of its station that sleep for room in it, which is their own queue of a ring.
const stationOf = 28;
const wayOf = 29; // Of a grid: 2 · axis of its link, and 1 more where that leads back; −1 of nodes.

// Words of the record of a link.
const busy = 0;
const waitingChannels = 1; // Bits of the channels that have a packet to move.
const nextChannel = 2;
const isTouched = 3;

// Words of the record of a packet.
const nextOf = 0; // The next one of its queue; of a free record, the next free one.
const destination = 1; // Node.
const message = 2;
const hopsOf = 3;
const stateOf = 4; // Where its route stands: see `packetRoutes.ts`.
const madeBy = 5; // Node.
const serial = 6; // Which one of its node.
const routedAt = 7; // Cycle, modulo 2^32, in which it may ask where it is.
const recordWords = 8;

// The way left of a packet on a grid: 8 bits for each axis, 7 of them steps, the highest one says that they lead back.
const mostSteps = 127;
const stepsOfAll = 0x7f7f7f7f;

// Words of the record of a message.
const messageTo = 1;
const packetsToMake = 2;
const packetsToArrive = 3;
const nextMessage = 4;

// What a node does.
const makesNothing = 0;
const makesAtItsTime = 1;
const makesWhenOneLeaves = 2;

/** Events between two looks at the cancellation flag: some milliseconds where all of them miss the cache and are recorded. */
const eventsPerLook = 2 ** 11;
/** Events between two searches for deadlocks of a part of the network. */
const eventsPerSearch = 2 ** 20;
/** No option: neither a queue nor the complement of one. */
const nothing = 2 ** 31 - 1;
/** As many options have a bit; with more of them a packet does not sleep while it has one with room. */
const mostBits = 30;

export class PacketEvents implements MessageNetwork {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  now = -1;
  sent: number[] = [];
  arrived: number[] = [];
  messagesUnderWay = 0;
  deadlock: Deadlock | undefined;

  readonly #routes: PacketRoutes;
  readonly #stations: Stations;
  readonly #observer: MessageObserver;
  readonly #isObserved: boolean;
  readonly #seed: number;
  readonly #flits: number;
  readonly #packetBytes: number;
  readonly #channels: number;
  readonly #capacity: number;
  readonly #router: number;
  /** Cycles from the start of a packet to the cycle in which it may ask in the next station. */
  readonly #hopDelay: number;
  readonly #bubble: number;
  readonly #bubbleIsHere: boolean;
  readonly #select: NetworkSelection;
  readonly #isFirstCome: boolean;
  readonly #isSingle: boolean;

  readonly #routerLinks: number;
  /** Queues of links, then those of nodes; outputs are numbered like the queues that they lead to, ejection like that of the node. */
  readonly #linkQueues: number;
  readonly #queueCount: number;
  readonly #queues: Int32Array;
  readonly #links: Int32Array;
  /** Room for the options of a queue where all have as much; else their lists are moved when they grow. */
  readonly #isGrid: boolean;
  /** The way left of a packet stands in its record, and its options are found from there whenever it asks. */
  readonly #packsWays: boolean;
  readonly #gridLinks: Int32Array;
  readonly #axisOrder: Int32Array;
  readonly #axes: number;
  /** First channel of an adaptive grid that is not for escape. */
  readonly #firstAdaptive: number;
  readonly #isAdaptive: boolean;
  /** Whether first packets have several options. */
  readonly #hasChoices: boolean;
  /** Options that were found, and the state of the route behind each. */
  #options = new Int32Array(0);
  #optionState = new Int32Array(0);
  #optionsTop = 0;
  /** Words for the ports of a station, and, where that are several, the ports that sleep: of each queue, then of each own queue. */
  readonly #words: number;
  readonly #manySleepers: Int32Array;

  // Lists of this cycle: queues that ask, outputs that are asked for, links that may start, queues whose tail leaves.
  #asking: Int32Array;
  #askingNext: Int32Array;
  #askingNextCount = 0;
  readonly #asked: Int32Array;
  #askedCount = 0;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #ending: Int32Array;
  #endingCount = 0;
  /** Queues whose next packet is first in the next cycle. */
  #followers: Int32Array;
  #followersNow: Int32Array;
  #followerCount = 0;

  /** Queues whose tail leaves, and whose first packet is routed: each a fixed time after a start. */
  readonly #ends: DelayLine;
  readonly #arrivals: DelayLine;
  /** What else has its time: a queue whose first packet is routed then; behind the queues, a node that makes a packet. */
  readonly #slots: TimeSlots;

  // By node.
  readonly #firstMessage: Int32Array;
  readonly #lastMessage: Int32Array;
  readonly #made: Float64Array;
  readonly #started: Float64Array;
  readonly #makes: Uint8Array;

  // Packets and messages.
  #packets = new Int32Array(0);
  #created = new Float64Array(0);
  #freePacket = none;
  #packetsUnderWay = 0;
  #messages = new Int32Array(0);
  #freeMessage = none;

  #untilSearch = eventsPerSearch;
  #untilLook = eventsPerLook;
  #events = 0;
  #nextWay = 0;

  constructor(machine: Machine, options: PacketOptions, observer: MessageObserver, random: RandomSource) {
    const { channels, packet, bubble } = options;
    this.#routes = new PacketRoutes(machine, { channels, routing: options.routing, hasBubble: bubble !== undefined });
    this.#stations = this.#routes.stations;
    this.#observer = observer;
    this.#isObserved = observer.crossed !== undefined || observer.waited !== undefined;
    this.#seed = drawSeed(random);
    this.secondsPerCycle = options.secondsPerCycle;
    this.#flits = packet;
    this.#packetBytes = packet * options.flit;
    this.#channels = channels;
    this.#capacity = options.queue;
    this.#router = options.router;
    this.#hopDelay = options.router + options.link + (options.switching === 'store-and-forward' ? packet - 1 : 0);
    this.#bubble = bubble?.packets ?? 0;
    this.#bubbleIsHere = bubble?.here ?? true;
    this.#select = options.select;
    this.#isFirstCome = options.arbiter === 'first-come';
    this.#isSingle = options.ejection === 'single';

    const { nodeCount } = machine;
    const { linkCount } = this.#stations;
    this.#routerLinks = machine.topology.links.routerLinkCount;
    this.#linkQueues = linkCount * channels;
    const queueCount = this.#linkQueues + nodeCount;
    this.#queueCount = queueCount;
    const { isGrid, packsWays, links, order, axes } = gridFacts(
      this.#routes.grid,
      bubble !== undefined || channels === 1,
    );
    this.#isGrid = isGrid;
    this.#packsWays = packsWays;
    this.#gridLinks = links;
    this.#axisOrder = order;
    this.#axes = axes;
    this.#isAdaptive = options.routing === 'adaptive';
    this.#hasChoices = this.#isAdaptive || channels > 1;
    this.#firstAdaptive = channels === 1 ? 0 : 1;
    this.#words = Math.ceil(mostPortsOf(this.#stations) / 32);
    this.#manySleepers = new Int32Array(this.#words === 1 ? 0 : 2 * queueCount * this.#words);
    this.#queues = new Int32Array(queueCount << queueShift);
    this.#links = new Int32Array(4 * linkCount);
    this.#fillQueues();
    this.#asking = new Int32Array(queueCount);
    this.#askingNext = new Int32Array(queueCount);
    this.#asked = new Int32Array(queueCount);
    this.#touched = new Int32Array(linkCount);
    this.#ending = new Int32Array(queueCount);
    this.#followers = new Int32Array(queueCount);
    this.#followersNow = new Int32Array(queueCount);
    this.#ends = new DelayLine(queueCount, Math.max(1, packet - 1));
    this.#arrivals = new DelayLine(queueCount, this.#hopDelay);
    this.#slots = new TimeSlots(queueCount + nodeCount);
    this.#slots.provideDelay(packet + this.#hopDelay + 2);
    this.#firstMessage = new Int32Array(nodeCount).fill(none);
    this.#lastMessage = new Int32Array(nodeCount).fill(none);
    this.#made = new Float64Array(nodeCount);
    this.#started = new Float64Array(nodeCount);
    this.#makes = new Uint8Array(nodeCount);
  }

  #fillQueues(): void {
    const channels = this.#channels;
    const { ofQueue, portOfQueue, firstQueue } = this.#stations;
    const { grid } = this.#routes;
    const queues = this.#queues;
    // Of a grid: all channels along each axis, and the escape channel.
    const block = grid === undefined || this.#packsWays ? 0 : grid.axes * channels + 1;
    for (let queue = 0; queue < this.#queueCount; queue++) {
      const record = queue << queueShift;
      const isLink = queue < this.#linkQueues;
      const link = isLink ? Math.floor(queue / channels) : none;
      const before = this.#bubble > 0 ? (grid?.before[link] ?? none) : none;
      const station = intAt(ofQueue, queue);
      for (const word of [firstOf, lastOf, output, moving, holder, lastWinner, candidate]) queues[record + word] = none;
      queues[record + room] = this.#capacity;
      queues[record + inStart] = none - 1;
      queues[record + linkOf] = link;
      queues[record + channelOf] = isLink ? queue - link * channels : 0;
      queues[record + portOf] = intAt(portOfQueue, queue);
      queues[record + portsOf] = intAt(firstQueue, station + 1) - intAt(firstQueue, station);
      queues[record + ownOf] = before === none ? none : before * channels + (queue - link * channels);
      queues[record + stationOf] = station;
      queues[record + wayOf] = grid?.direction[link] ?? none;
      queues[record + beginOf] = queue * block;
      queues[record + blockOf] = block;
    }
    this.#routes.reserve(block * this.#queueCount);
    this.#options = this.#routes.queues;
    this.#optionState = this.#routes.states;
  }

  send(from: number, to: number, bytes: number): number {
    if (this.#freeMessage === none) this.#growMessages();
    const record = this.#freeMessage;
    const messages = this.#messages;
    this.#freeMessage = intAt(messages, 8 * record + nextMessage);
    const packets = Math.max(1, Math.ceil(bytes / this.#packetBytes));
    messages[8 * record + messageTo] = to;
    messages[8 * record + packetsToMake] = packets;
    messages[8 * record + packetsToArrive] = packets;
    messages[8 * record + nextMessage] = none;
    if (intAt(this.#firstMessage, from) === none) {
      this.#firstMessage[from] = record;
      this.#makeLater(from, this.now + 1);
    } else messages[8 * intAt(this.#lastMessage, from) + nextMessage] = record;
    this.#lastMessage[from] = record;
    this.messagesUnderWay++;
    return record;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    if (this.deadlock !== undefined) return 'deadlock';
    this.#forgetArrived();
    while (this.now < to) {
      const delay = this.#delayToNext();
      if (delay === Infinity && this.#packetsUnderWay > 0) return this.#deadlocked();
      if (this.now + delay > to) {
        this.#goOn(to - this.now);
        return 'reached';
      }
      if (this.#untilLook <= 0) {
        if (cancellation.isCancelled()) return 'cancelled';
        this.#untilLook = eventsPerLook;
        if (this.#untilSearch <= 0 && this.#hasDeadlock()) return this.#deadlocked();
      }
      this.#goOn(delay);
      this.#events = 1;
      this.#runCycle();
      this.#untilLook -= this.#events;
      this.#untilSearch -= this.#events;
      if (this.sent.length > 0 || this.arrived.length > 0) {
        if (this.sent.length > 1) this.sent.sort((a, b) => a - b);
        if (this.arrived.length > 1) this.arrived.sort((a, b) => a - b);
        return 'events';
      }
    }
    return 'reached';
  }

  /** Cycles to the next one in which something happens; Infinity where nothing will. */
  #delayToNext(): number {
    if (this.#askingNextCount + this.#touchedCount + this.#followerCount > 0) return 1;
    const line = Math.min(this.#ends.due, this.#arrivals.due) - this.now;
    return line === 1 ? 1 : Math.min(line, this.#slots.delayToNext());
  }

  #goOn(cycles: number): void {
    this.now += cycles;
    this.#slots.pass(cycles);
  }

  #forgetArrived(): void {
    if (this.sent.length > 0) this.sent.length = 0;
    if (this.arrived.length === 0) return;
    for (const record of this.arrived) {
      this.#messages[8 * record + nextMessage] = this.#freeMessage;
      this.#freeMessage = record;
    }
    this.arrived.length = 0;
  }

  // A cycle

  #runCycle(): void {
    const { now } = this;
    const tick = now | 0;
    // Those that asked in vain ask again; those whose time has come ask for the first time.
    [this.#asking, this.#askingNext] = [this.#askingNext, this.#asking];
    let asking = this.#askingNextCount;
    const again = asking;
    this.#askingNextCount = 0;
    this.#endingCount = 0;
    const followers = this.#followers;
    const followerCount = this.#followerCount;
    [this.#followers, this.#followersNow] = [this.#followersNow, followers];
    this.#followerCount = 0;
    for (let each = 0; each < followerCount; each++) {
      if (this.#becomeFirst(followers[each]!, tick)) this.#asking[asking++] = followers[each]!;
    }
    const arrivals = this.#arrivals;
    if (arrivals.due === now) {
      const { values, mask: wrap, head, batchEnd } = arrivals;
      for (let each = head; each !== batchEnd; each = (each + 1) & wrap) {
        if (this.#becomeFirst(values[each]!, tick)) this.#asking[asking++] = values[each]!;
      }
      arrivals.drop();
    }
    const slots = this.#slots;
    for (let event = slots.take(); event >= 0; event = slots.take()) {
      const node = event - this.#queueCount;
      if (node >= 0) {
        if (this.#make(node)) this.#asking[asking++] = this.#linkQueues + node;
      } else if (this.#becomeFirst(event, tick)) this.#asking[asking++] = event;
    }
    this.#events += asking + followerCount;
    for (let each = 0; each < again; each++) this.#ask(this.#asking[each]!, tick);
    for (let each = again; each < asking; each++) this.#ask(this.#asking[each]!, tick);
    this.#grantAll(asking, tick);
    if (this.#touchedCount > 0) this.#startAll(tick);
    this.#endAll();
  }

  /** Tails leave at the end of the cycle. */
  #endAll(): void {
    const { now } = this;
    for (let each = 0; each < this.#endingCount; each++) this.#end(this.#ending[each]!);
    const ends = this.#ends;
    if (ends.due === now) {
      const { values, mask: wrap, head, batchEnd } = ends;
      for (let each = head; each !== batchEnd; each = (each + 1) & wrap) this.#end(values[each]!);
      ends.drop();
    }
    ends.seal(now);
    this.#arrivals.seal(now);
  }

  /** The first packet of a queue is routed. Whether it asks for a channel; with `ejection multiple` one that is there does not. */
  #becomeFirst(queue: number, tick: number): boolean {
    const queues = this.#queues;
    const own = queue << queueShift;
    const record = recordWords * queues[own + firstOf]!;
    const packets = this.#packets;
    const routes = this.#routes;
    const node = packets[record + destination]!;
    queues[own + firstSince] = tick;
    queues[own + askedAt] = (tick - 1) | 0;
    queues[own + bet] = 0;
    queues[own + mask] = 0;
    queues[own + does] = asks;
    if (this.#packsWays) {
      if ((packets[record + stateOf]! & stepsOfAll) !== 0 || this.#isSingle) return true;
    } else if (!routes.find(queue, node, packets[record + stateOf]!, this.#isGrid ? queues[own + beginOf]! : 0)) {
      queues[own + optionCount] = routes.count;
      queues[own + escapes] = routes.hasEscape ? 1 : 0;
      if (!this.#isGrid) this.#keepOptions(own, routes.count);
      return true;
    }
    const ejection = this.#linkQueues + node;
    if (!this.#isSingle) {
      queues[own + output] = ejection;
      this.#start(queue, tick);
      return false;
    }
    queues[own + escapes] = 0;
    queues[own + optionCount] = 1;
    if (this.#isGrid) routes.queues[queues[own + beginOf]!] = ejection;
    else {
      routes.queues[0] = ejection;
      this.#keepOptions(own, 1);
    }
    return true;
  }

  /** Puts the options that were found at the beginning of the lists where those of the queue are. */
  #keepOptions(own: number, count: number): void {
    const queues = this.#queues;
    const routes = this.#routes;
    if (count > queues[own + blockOf]!) {
      const block = Math.max(4, 2 * queues[own + blockOf]!, count);
      // Behind what a search for options may write.
      if (this.#optionsTop === 0) this.#optionsTop = routes.most;
      queues[own + beginOf] = this.#optionsTop;
      queues[own + blockOf] = block;
      this.#optionsTop += block;
      routes.reserve(this.#optionsTop);
      this.#options = routes.queues;
      this.#optionState = routes.states;
    }
    const begin = queues[own + beginOf]!;
    for (let each = 0; each < count; each++) {
      routes.queues[begin + each] = routes.queues[each]!;
      routes.states[begin + each] = routes.states[each]!;
    }
  }

  /**
   * On a grid, from the steps left along each axis: what {@link PacketRoutes.find} finds, written at the beginning of the lists.
   */
  #findPacked(own: number): void {
    const queues = this.#queues;
    const record = recordWords * queues[own + firstOf]!;
    const way = this.#packets[record + stateOf]!;
    queues[own + escapes] = 0;
    if ((way & stepsOfAll) === 0) {
      this.#options[0] = this.#linkQueues + this.#packets[record + destination]!;
      queues[own + optionCount] = 1;
    } else if (this.#isAdaptive) this.#findAdaptive(own, way);
    else this.#findOrdered(own, way);
  }

  #findOrdered(own: number, way: number): void {
    const queues = this.#queues;
    const channels = this.#channels;
    const [link, next] = [this.#orderedLink(own, way), this.#nextWay];
    const first = link * channels;
    const before = queues[(first << queueShift) + ownOf]!;
    const isBubble = this.#bubble > 0 && before !== none;
    if (isBubble && queues[own + linkOf] === queues[(before << queueShift) + linkOf]) {
      this.#options[0] = first + queues[own + channelOf]!;
      this.#optionState[0] = next;
      queues[own + optionCount] = 1;
      return;
    }
    for (let channel = 0; channel < channels; channel++) {
      this.#options[channel] = isBubble ? ~(first + channel) : first + channel;
      this.#optionState[channel] = next;
    }
    queues[own + optionCount] = channels;
  }

  /** The link that dimension order takes; the way left behind it is in #nextWay. */
  #orderedLink(own: number, way: number): number {
    const order = this.#axisOrder;
    let turn = 0;
    while (((way >> (8 * order[turn]!)) & mostSteps) === 0) turn++;
    const axis = order[turn]!;
    this.#nextWay = way - (1 << (8 * axis));
    return this.#gridLinks[2 * (this.#queues[own + stationOf]! * this.#axes + axis) + ((way >> (8 * axis + 7)) & 1)]!;
  }

  #findAdaptive(own: number, way: number): void {
    const queues = this.#queues;
    const channels = this.#channels;
    const axes = this.#axes;
    const first = this.#firstAdaptive;
    const arrival = queues[own + wayOf]!;
    const links = 2 * queues[own + stationOf]! * axes;
    let count = 0;
    let axis = arrival === none ? 0 : arrival >> 1;
    for (let turn = 0; turn < axes; turn++) {
      const steps = way >> (8 * axis);
      if ((steps & mostSteps) !== 0) {
        const back = (steps >> 7) & 1;
        const begin = this.#gridLinks[links + 2 * axis + back]! * channels;
        const next = way - (1 << (8 * axis));
        let channel = arrival === 2 * axis + back ? Math.max(first, queues[own + channelOf]!) : first;
        for (let each = first; each < channels; each++) {
          this.#options[count] = begin + channel;
          this.#optionState[count++] = next;
          channel = channel + 1 === channels ? first : channel + 1;
        }
      }
      axis = axis + 1 === axes ? 0 : axis + 1;
    }
    queues[own + optionCount] = count;
    if (first === 0) return;
    const escape = this.#orderedLink(own, way) * channels;
    const before = queues[(escape << queueShift) + ownOf]!;
    this.#options[count] = before === none || before << queueShift === own ? escape : ~escape;
    this.#optionState[count] = this.#nextWay;
    queues[own + escapes] = 1;
  }

  /** The first packet of a queue asks for one of its options. */
  #ask(queue: number, tick: number): void {
    const queues = this.#queues;
    const own = queue << queueShift;
    if (this.#packsWays) this.#findPacked(own);
    const begin = queues[own + beginOf]!;
    const count = queues[own + optionCount]!;
    const hasEscape = queues[own + escapes]!;
    const options = this.#options;
    let withRoom = 0;
    let anyFree = false;
    for (let each = 0; each < count; each++) {
      const option = options[begin + each]!;
      if (!this.#hasRoom(option)) continue;
      if (each < mostBits) withRoom |= 1 << each;
      if (each >= mostBits || this.#isFree(option)) anyFree = true;
    }
    const choice = count + hasEscape === 1 ? withRoom - 1 : this.#choose(queue, tick, withRoom);
    queues[own + askedAt] = tick;
    queues[own + mask] = withRoom;
    const escape = hasEscape === 1 ? this.#escapeWithRoom(begin + count) : nothing;
    if (choice >= 0 && (choice < count || escape !== nothing)) this.#request(queue, begin + choice);
    if (!anyFree && (escape === nothing || !this.#isFree(escape))) this.#sleep(queue, begin, count + hasEscape);
  }

  #escapeWithRoom(index: number): number {
    const escape = this.#options[index]!;
    return this.#hasRoom(escape) ? escape : nothing;
  }

  #isFree(option: number): boolean {
    return this.#queues[((option < 0 ? ~option : option) << queueShift) + holder] === none;
  }

  #request(queue: number, index: number): void {
    const queues = this.#queues;
    const own = queue << queueShift;
    const option = this.#options[index]!;
    const wanted = option < 0 ? ~option : option;
    queues[own + output] = wanted;
    queues[own + outputState] = this.#optionState[index]!;
    const other = wanted << queueShift;
    if (queues[other + holder] !== none) return;
    // Together with others of this cycle: the arbiter.
    const rival = queues[other + candidate]!;
    if (rival === none) {
      this.#asked[this.#askedCount++] = wanted;
      queues[other + candidate] = queue;
    } else if (this.#isBefore(own, rival << queueShift, other)) queues[other + candidate] = queue;
  }

  #isBefore(own: number, rival: number, wanted: number): boolean {
    const queues = this.#queues;
    const port = queues[own + portOf]!;
    const rivalPort = queues[rival + portOf]!;
    if (this.#isFirstCome) {
      // Both waits are far shorter than 2^31 cycles.
      const later = (queues[own + firstSince]! - queues[rival + firstSince]!) | 0;
      return later < 0 || (later === 0 && port < rivalPort);
    }
    const last = queues[wanted + lastWinner]!;
    const ports = queues[own + portsOf]!;
    const turn = port > last ? port - last : port - last + ports;
    const rivalTurn = rivalPort > last ? rivalPort - last : rivalPort - last + ports;
    return turn < rivalTurn;
  }

  /** Whether a channel, or the complement of one that is entered by the rule of the bubble, takes a packet. */
  #hasRoom(option: number): boolean {
    const queues = this.#queues;
    if (option >= 0) return queues[(option << queueShift) + room]! > 0;
    const other = ~option << queueShift;
    if (queues[other + room]! <= 0) return false;
    const own = this.#bubbleIsHere ? queues[other + ownOf]! << queueShift : other;
    return queues[own + room]! >= this.#bubble;
  }

  /** Index of the option that is asked for; the count stands for the escape channel, −1 for none. */
  #choose(queue: number, tick: number, withRoom: number): number {
    const queues = this.#queues;
    const own = queue << queueShift;
    const begin = queues[own + beginOf]!;
    const count = queues[own + optionCount]!;
    const hasEscape = queues[own + escapes]!;
    if (this.#select === 'random') return this.#chooseRandom(queue, begin, count, hasEscape);
    if (this.#select === 'least-filled') return this.#chooseLeastFilled(begin, count, hasEscape);
    const elapsed = ((tick - queues[own + askedAt]!) >>> 0) - 1;
    if (elapsed > 0) this.#skipAsking(own, count, hasEscape, elapsed);
    const first = queues[own + bet]!;
    for (let each = first; each < count; each++) {
      if (each < mostBits ? ((withRoom >> each) & 1) === 0 : !this.#hasRoom(this.#options[begin + each]!)) continue;
      queues[own + bet] = each + 1;
      return each;
    }
    queues[own + bet] = 0;
    if (hasEscape === 1) return count;
    for (let each = 0; each < first; each++) {
      if (each < mostBits ? ((withRoom >> each) & 1) === 0 : !this.#hasRoom(this.#options[begin + each]!)) continue;
      queues[own + bet] = each + 1;
      return each;
    }
    return none;
  }

  /** What it would have turned to in the cycles that it slept through, while the options with room were those of its mask. */
  #skipAsking(own: number, count: number, hasEscape: number, elapsed: number): void {
    const options = this.#queues[own + mask]!;
    let withRoom = 0;
    for (let rest = options; rest !== 0; rest &= rest - 1) withRoom++;
    const period = withRoom + hasEscape;
    if (period === 0) return;
    let turn = this.#queues[own + bet]!;
    for (let left = elapsed % period; left > 0; left--) {
      let next = turn;
      while (next < count && ((options >> next) & 1) === 0) next++;
      if (next === count && hasEscape === 0) {
        next = 0;
        while (((options >> next) & 1) === 0) next++;
      }
      turn = next === count ? 0 : next + 1;
    }
    this.#queues[own + bet] = turn;
  }

  #chooseRandom(queue: number, begin: number, count: number, hasEscape: number): number {
    const options = this.#options;
    let withRoom = 0;
    for (let each = 0; each < count; each++) if (this.#hasRoom(options[begin + each]!)) withRoom++;
    if (withRoom === 0) return hasEscape === 1 ? count : none;
    let left = drawn(this.#seed, queue, this.now, withRoom);
    for (let each = 0; each < count; each++) {
      if (this.#hasRoom(options[begin + each]!) && left-- === 0) return each;
    }
    return none;
  }

  #chooseLeastFilled(begin: number, count: number, hasEscape: number): number {
    let best = none;
    let most = 0;
    for (let each = 0; each < count; each++) {
      const option = this.#options[begin + each]!;
      const places = this.#queues[((option < 0 ? ~option : option) << queueShift) + room]!;
      if (places <= most || !this.#hasRoom(option)) continue;
      best = each;
      most = places;
    }
    return best === none && hasEscape === 1 ? count : best;
  }

  #grantAll(asking: number, tick: number): void {
    const queues = this.#queues;
    const links = this.#links;
    for (let each = 0; each < this.#askedCount; each++) {
      const wanted = this.#asked[each]!;
      const other = wanted << queueShift;
      const queue = queues[other + candidate]!;
      const own = queue << queueShift;
      queues[other + candidate] = none;
      queues[other + holder] = queue;
      queues[other + lastWinner] = queues[own + portOf]!;
      queues[own + does] = granted;
      const link = queues[other + linkOf]!;
      if (link === none) {
        this.#start(queue, tick);
        continue;
      }
      links[4 * link + waitingChannels] = links[4 * link + waitingChannels]! | (1 << queues[other + channelOf]!);
      this.#touch(link);
    }
    this.#askedCount = 0;
    for (let each = 0; each < asking; each++) {
      const queue = this.#asking[each]!;
      if (queues[(queue << queueShift) + does] === asks) this.#askingNext[this.#askingNextCount++] = queue;
    }
  }

  /** A link may have something to do at the end of this cycle. */
  #touch(link: number): void {
    if (this.#links[4 * link + isTouched] === 1) return;
    this.#links[4 * link + isTouched] = 1;
    this.#touched[this.#touchedCount++] = link;
  }

  /** Links that are free take up the next packet: channels take turns. */
  #startAll(tick: number): void {
    const channels = this.#channels;
    const links = this.#links;
    const count = this.#touchedCount;
    this.#touchedCount = 0;
    for (let each = 0; each < count; each++) {
      const link = this.#touched[each]!;
      const record = 4 * link;
      links[record + isTouched] = 0;
      const waiting = links[record + waitingChannels]!;
      if (links[record + busy] === 1 || waiting === 0) continue;
      let channel = links[record + nextChannel]!;
      while (((waiting >> channel) & 1) === 0) channel = channel + 1 === channels ? 0 : channel + 1;
      links[record + nextChannel] = channel + 1 === channels ? 0 : channel + 1;
      links[record + waitingChannels] = waiting & ~(1 << channel);
      links[record + busy] = 1;
      this.#start(this.#queues[((link * channels + channel) << queueShift) + holder]!, tick);
    }
  }

  /** The first flit of the first packet of a queue moves. */
  #start(queue: number, tick: number): void {
    const queues = this.#queues;
    const packets = this.#packets;
    const own = queue << queueShift;
    const packet = queues[own + firstOf]!;
    const record = recordWords * packet;
    const wanted = queues[own + output]!;
    queues[own + does] = moves;
    queues[own + moving] = packet;
    queues[own + firstOf] = packets[record + nextOf]!;
    queues[own + outStart] = tick;
    if (queue >= this.#linkQueues) this.#leaveNode(queue - this.#linkQueues);
    else if (queues[own + inStart] === tick && queues[own + makesRoom] === 0) {
      // What comes in has just begun to take a place: it takes that of what goes out.
      queues[own + makesRoom] = 1;
      queues[own + room]!++;
    }
    if (this.#flits === 1) this.#ending[this.#endingCount++] = queue;
    else this.#ends.push(queue);
    if (wanted >= this.#linkQueues) {
      if (this.#isSingle) this.#tellWaited(own, wanted, packets[record + message]!, tick);
      return;
    }
    packets[record + stateOf] = queues[own + outputState]!;
    packets[record + nextOf] = none;
    packets[record + routedAt] = tick + this.#hopDelay;
    const other = wanted << queueShift;
    this.#comeIn(packet, wanted, tick);
    const link = queues[other + linkOf]!;
    if (link < this.#routerLinks) packets[record + hopsOf]!++;
    if (!this.#isGrid) this.#routes.used(queue, link);
    if (!this.#isObserved) return;
    this.#tellWaited(own, wanted, packets[record + message]!, tick);
    this.#observer.crossed?.(link, this.now, this.#flits, packets[record + message]!);
  }

  /** The first flit of a packet moves towards a queue. */
  #comeIn(packet: number, queue: number, tick: number): void {
    const queues = this.#queues;
    const own = queue << queueShift;
    queues[own + inStart] = tick;
    if (queues[own + does] === moves) queues[own + makesRoom] = 1;
    else {
      const left = queues[own + room]! - 1;
      queues[own + room] = left;
      if (this.#hasChoices && (left === 0 || left === this.#bubble - 1)) this.#wakeForLess(queue);
    }
    if (queues[own + firstOf] === none) {
      queues[own + firstOf] = packet;
      if (queues[own + does] === idle) this.#arrivals.push(queue);
    } else this.#packets[recordWords * queues[own + lastOf]! + nextOf] = packet;
    queues[own + lastOf] = packet;
  }

  #tellWaited(own: number, wanted: number, of: number, tick: number): void {
    const cycles = (tick - intAt(this.#queues, own + firstSince)) >>> 0;
    if (cycles > 0) this.#observer.waited?.(this.#channelOfOutput(wanted), this.now - cycles, cycles, of);
  }

  /** An output as a channel of `contract.ts`. */
  #channelOfOutput(wanted: number): number {
    const link = intAt(this.#queues, (wanted << queueShift) + linkOf);
    return link === none ? this.#routerLinks + 2 * (wanted - this.#linkQueues) + 1 : link;
  }

  /** The last flit of what goes out of a queue has moved in this cycle. */
  #end(queue: number): void {
    const queues = this.#queues;
    const own = queue << queueShift;
    const wanted = queues[own + output]!;
    const other = wanted << queueShift;
    queues[own + does] = idle;
    const link = queues[other + linkOf]!;
    if (link === none) {
      this.#deliver(queues[own + moving]!);
      if (this.#isSingle) {
        queues[other + holder] = none;
        this.#wakeSleepers(wanted, 0, this.#stations.ofQueue[queue]!);
      }
    } else {
      queues[other + holder] = none;
      this.#links[4 * link + busy] = 0;
      if (this.#links[4 * link + waitingChannels] !== 0) this.#touch(link);
      if (queues[other + sleepers] !== 0 && queues[other + room]! > 0) {
        this.#wakeSleepers(wanted, 0, this.#stations.from[link]!);
      }
    }
    queues[own + moving] = none;
    if (queue < this.#linkQueues) {
      if (queues[own + makesRoom] === 1) queues[own + makesRoom] = 0;
      else {
        const places = queues[own + room]! + 1;
        queues[own + room] = places;
        if (places === 1 || places === this.#bubble) this.#wakeFor(queue);
      }
    }
    const next = queues[own + firstOf]!;
    if (next === none) return;
    const delay = (this.#packets[recordWords * next + routedAt]! - this.now) | 0;
    if (delay <= 1) this.#followers[this.#followerCount++] = queue;
    else this.#slots.schedule(queue, delay);
  }

  /**
   * A place of a queue is gone. Who sleeps cannot have it anyway, but turns to other options from now on; the escape channel
   * has its turn with or without room.
   */
  #wakeForLess(wanted: number): void {
    if (
      !this.#isAdaptive ||
      !this.#isGrid ||
      this.#queues[(wanted << queueShift) + channelOf]! >= this.#firstAdaptive
    ) {
      this.#wakeFor(wanted);
    }
  }

  /** There is room in the queue of a channel where there was none, or as much as a bubble takes. */
  #wakeFor(wanted: number): void {
    const record = wanted << queueShift;
    const link = this.#queues[record + linkOf]!;
    if (this.#queues[record + sleepers] !== 0) this.#wakeSleepers(wanted, 0, this.#stations.from[link]!);
    if (this.#queues[record + bubbleSleepers] !== 0) this.#wakeSleepers(wanted, 1, this.#stations.to[link]!);
  }

  /** `kind` 0: who sleeps for the channel; 1: who sleeps for room in it as an own queue. The word of its record says whether somebody does. */
  #wakeSleepers(wanted: number, kind: number, station: number): void {
    const record = (wanted << queueShift) + sleepers + kind;
    const first = this.#stations.firstQueue[station]!;
    const words = this.#words;
    if (words === 1) this.#wakePorts(this.#queues[record]!, first);
    else {
      const begin = (2 * wanted + kind) * words;
      for (let word = 0; word < words; word++) {
        this.#wakePorts(this.#manySleepers[begin + word]!, first + 32 * word);
        this.#manySleepers[begin + word] = 0;
      }
    }
    this.#queues[record] = 0;
  }

  #wakePorts(ports: number, first: number): void {
    const queues = this.#queues;
    for (let bits = ports; bits !== 0; bits &= bits - 1) {
      const queue = this.#stations.queues[first + 31 - Math.clz32(bits & -bits)]!;
      const own = queue << queueShift;
      if (queues[own + does] !== sleeps) continue;
      queues[own + does] = asks;
      this.#askingNext[this.#askingNextCount++] = queue;
    }
  }

  /** Nothing that the first packet of a queue may ask for is to be had: until something happens to one of these. */
  #sleep(queue: number, begin: number, count: number): void {
    const queues = this.#queues;
    const own = queue << queueShift;
    queues[own + does] = sleeps;
    const port = queues[own + portOf]!;
    for (let each = begin; each < begin + count; each++) {
      const option = this.#options[each]!;
      const wanted = option < 0 ? ~option : option;
      this.#sleepFor(wanted, 0, port);
      if (option < 0 && this.#bubbleIsHere) this.#sleepFor(queues[(wanted << queueShift) + ownOf]!, 1, port);
    }
  }

  #sleepFor(wanted: number, kind: number, port: number): void {
    const record = (wanted << queueShift) + sleepers + kind;
    const bit = 1 << (port & 31);
    if (this.#words === 1) {
      this.#queues[record] = this.#queues[record]! | bit;
      return;
    }
    const word = (2 * wanted + kind) * this.#words + (port >> 5);
    this.#manySleepers[word] = this.#manySleepers[word]! | bit;
    this.#queues[record] = 1;
  }

  // Nodes

  /** Schedules the next packet of a node, at `cycle` or when there is room in its buffer. */
  #makeLater(node: number, cycle: number): void {
    const inside = this.#made[node]! - this.#started[node]!;
    const most = 2 * this.#capacity;
    if (inside >= most) {
      this.#makes[node] = makesWhenOneLeaves;
      return;
    }
    let delay = cycle - this.now;
    if (inside === most - 1 && this.#started[node]! > 0) {
      const since = (this.now - this.#queues[((this.#linkQueues + node) << queueShift) + outStart]!) >>> 0;
      delay = Math.max(delay, this.#flits + 1 - since);
    }
    this.#makes[node] = makesAtItsTime;
    this.#slots.schedule(this.#queueCount + node, delay);
  }

  /** A packet of a node begins to leave it. */
  #leaveNode(node: number): void {
    this.#started[node]!++;
    if (this.#makes[node] !== makesWhenOneLeaves) return;
    this.#makes[node] = makesAtItsTime;
    this.#slots.schedule(this.#queueCount + node, this.#flits + 1);
  }

  /** A node makes the next packet of its first message. Whether it asks at once. */
  #make(node: number): boolean {
    const messages = this.#messages;
    const queues = this.#queues;
    const first = this.#firstMessage[node]!;
    const left = messages[8 * first + packetsToMake]! - 1;
    messages[8 * first + packetsToMake] = left;
    const packet = this.#newPacket(node, first);
    this.#made[node]!++;
    if (left === 0) {
      this.sent.push(first);
      this.#firstMessage[node] = messages[8 * first + nextMessage]!;
    }
    if (this.#firstMessage[node] === none) this.#makes[node] = makesNothing;
    else this.#makeLater(node, this.now + 1);
    const queue = this.#linkQueues + node;
    const own = queue << queueShift;
    if (queues[own + firstOf] !== none) {
      this.#packets[recordWords * queues[own + lastOf]! + nextOf] = packet;
      queues[own + lastOf] = packet;
      return false;
    }
    queues[own + firstOf] = packet;
    queues[own + lastOf] = packet;
    if (queues[own + does] !== idle) return false;
    if (this.#router === 0) return this.#becomeFirst(queue, this.now | 0);
    this.#slots.schedule(queue, this.#router);
    return false;
  }

  #newPacket(node: number, of: number): number {
    if (this.#freePacket === none) this.#growPackets();
    const packet = this.#freePacket;
    const packets = this.#packets;
    const record = recordWords * packet;
    this.#freePacket = packets[record + nextOf]!;
    packets[record + nextOf] = none;
    const to = this.#messages[8 * of + messageTo]!;
    packets[record + destination] = to;
    packets[record + message] = of;
    packets[record + hopsOf] = 0;
    const ties = this.#isAdaptive ? tiesOf(this.#seed, node, this.#made[node]!) : 0;
    packets[record + stateOf] = this.#packsWays ? this.#routes.wayOf(node, to, ties) : this.#routes.startOf(node, ties);
    packets[record + madeBy] = node;
    packets[record + serial] = this.#made[node]!;
    packets[record + routedAt] = this.now + this.#router;
    this.#created[packet] = this.now;
    this.#packetsUnderWay++;
    return packet;
  }

  #deliver(packet: number): void {
    const packets = this.#packets;
    const record = recordWords * packet;
    const of = packets[record + message]!;
    this.#observer.delivered?.(of, this.#created[packet]!, this.now, packets[record + hopsOf]!, this.#flits);
    packets[record + nextOf] = this.#freePacket;
    this.#freePacket = packet;
    this.#packetsUnderWay--;
    const left = this.#messages[8 * of + packetsToArrive]! - 1;
    this.#messages[8 * of + packetsToArrive] = left;
    if (left > 0) return;
    this.arrived.push(of);
    this.messagesUnderWay--;
  }

  #growPackets(): void {
    const old = this.#created.length;
    const count = Math.max(64, 2 * old);
    this.#packets = longer(this.#packets, recordWords * count);
    const created = new Float64Array(count);
    created.set(this.#created);
    this.#created = created;
    for (let packet = count - 1; packet >= old; packet--) {
      this.#packets[recordWords * packet + nextOf] = this.#freePacket;
      this.#freePacket = packet;
    }
  }

  #growMessages(): void {
    const old = this.#messages.length / 8;
    const count = Math.max(64, 2 * old);
    this.#messages = longer(this.#messages, 8 * count);
    for (let record = count - 1; record >= old; record--) {
      this.#messages[8 * record + nextMessage] = this.#freeMessage;
      this.#freeMessage = record;
    }
  }

  /** Bytes of what grows with packets and messages under way. */
  get bytes(): number {
    const arrays = [this.#packets, this.#created, this.#messages, this.#routes.queues, this.#routes.states];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  // Who waits

  /** Options that are not kept are found again. */
  #findAgain(queue: number): void {
    if (this.#packsWays) this.#findPacked(queue << queueShift);
  }

  #wordOf(queue: number, word: number): number {
    return intAt(this.#queues, (queue << queueShift) + word);
  }

  waiting(): readonly WaitingPacket[] {
    const waits: WaitingPacket[] = [];
    for (let queue = 0; queue < this.#queueCount; queue++) {
      const state = this.#wordOf(queue, does);
      if (state === sleeps || state === asks || state === granted)
        waits.push(this.#waitOf(queue, this.#wantedBy(queue)));
    }
    return waits.sort((a, b) => a.packet - b.packet);
  }

  /** Queue whose packets are in the way of the first packet of another one: the last that it asked for, else its last option. */
  #wantedBy(queue: number): number {
    if (this.#wordOf(queue, does) === granted) return this.#wordOf(queue, output);
    this.#findAgain(queue);
    const last = this.#wordOf(queue, beginOf) + this.#wordOf(queue, optionCount) + this.#wordOf(queue, escapes) - 1;
    return this.#blockerOf(intAt(this.#options, last));
  }

  /** The queue that has no room for who would take an option; the output itself where it has. */
  #blockerOf(option: number): number {
    if (option >= 0) return option;
    return this.#wordOf(~option, room) <= 0 || !this.#bubbleIsHere ? ~option : this.#wordOf(~option, ownOf);
  }

  #waitOf(queue: number, wanted: number): WaitingPacket {
    const record = recordWords * this.#wordOf(queue, firstOf);
    return {
      packet: intAt(this.#packets, record + serial) * this.#makes.length + intAt(this.#packets, record + madeBy),
      transmission: intAt(this.#packets, record + message),
      holds: queue < this.#linkQueues ? [this.#wordOf(queue, linkOf)] : [],
      wants: this.#channelOfOutput(wanted),
    };
  }

  #deadlocked(): MessageAdvance {
    const stuck = this.#stuckQueues();
    // A walk from one stuck packet to what is in its way ends in a circle.
    const seen = new Map<number, number>();
    const walk: { readonly queue: number; readonly wanted: number }[] = [];
    let queue = stuck.indexOf(1);
    while (queue !== none && !seen.has(queue)) {
      seen.set(queue, walk.length);
      this.#findAgain(queue);
      const begin = this.#wordOf(queue, beginOf);
      const wanted = this.#blockerOf(intAt(this.#options, begin));
      walk.push({ queue, wanted });
      queue = wanted;
    }
    const circle = walk.slice(seen.get(queue) ?? 0);
    const waits = circle.map((each) => this.#waitOf(each.queue, each.wanted));
    const lowest = waits.reduce((best, { packet }, index) => (packet < (waits[best]?.packet ?? 0) ? index : best), 0);
    const since = Math.max(
      ...circle.map((each) => this.now - ((this.now - this.#wordOf(each.queue, firstSince)) >>> 0)),
    );
    this.deadlock = { since, waits: [...waits.slice(lowest), ...waits.slice(0, lowest)] };
    return 'deadlock';
  }

  #hasDeadlock(): boolean {
    this.#untilSearch = eventsPerSearch;
    return this.#stuckQueues().includes(1);
  }

  /**
   * 1 for each queue whose first packet can never move again: it sleeps, and whatever it may ask for has no room and a first packet
   * of the same kind. O(queues · options) for each round that finds one that can move.
   */
  #stuckQueues(): Uint8Array {
    const stuck = Uint8Array.from({ length: this.#queueCount }, (_, queue) =>
      this.#wordOf(queue, does) === sleeps ? 1 : 0,
    );
    for (let isStable = false; !isStable;) {
      isStable = true;
      for (let queue = 0; queue < this.#queueCount; queue++) {
        if (stuck[queue] === 0 || !this.#canMove(queue, stuck)) continue;
        stuck[queue] = 0;
        isStable = false;
      }
    }
    return stuck;
  }

  #canMove(queue: number, stuck: Uint8Array): boolean {
    this.#findAgain(queue);
    const begin = this.#wordOf(queue, beginOf);
    const end = begin + this.#wordOf(queue, optionCount) + this.#wordOf(queue, escapes);
    for (let each = begin; each < end; each++) {
      const option = intAt(this.#options, each);
      if (option >= this.#linkQueues || this.#hasRoom(option) || stuck[this.#blockerOf(option)] === 0) return true;
    }
    return false;
  }
}

const longer = (values: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const copy = new Int32Array(length);
  copy.set(values);
  return copy;
};

/**
 * What the engine asks of a grid. Ways are packed where the steps left along each axis say everything: they fit into a word, and no channel
 * depends on where a ring closes.
 */
function gridFacts(grid: Grid | undefined, needNoDatelines: boolean) {
  if (grid === undefined) {
    return { isGrid: false, packsWays: false, links: new Int32Array(0), order: new Int32Array(0), axes: 0 };
  }
  const { axes, sides, rings, links, order } = grid;
  const areShort = sides.every((side, axis) => (rings[axis] === 1 ? side >> 1 : side - 1) <= mostSteps);
  return {
    isGrid: true,
    packsWays: axes <= 4 && areShort && (needNoDatelines || !rings.includes(1)),
    links,
    order,
    axes,
  };
}

function mostPortsOf({ count, firstQueue }: Stations): number {
  let most = 1;
  for (let station = 0; station < count; station++) {
    most = Math.max(most, intAt(firstQueue, station + 1) - intAt(firstQueue, station));
  }
  return most;
}

/** A number below `bound` that depends on its arguments alone. */
export const drawn = (seed: number, queue: number, cycle: number, bound: number): number =>
  Math.floor((mixed(seed, queue, cycle) / 2 ** 32) * bound);

/** Coins of the packet that a node makes as its `serial`th: one for each axis of a grid. */
export const tiesOf = (seed: number, node: number, serial: number): number => mixed(~seed, node, serial) >>> 2;

/** 32 random bits. */
function mixed(seed: number, one: number, other: number): number {
  let bits = seed ^ Math.imul(one + 1, 0x9e3779b1) ^ Math.imul(other % 2 ** 31, 0x85ebca77);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
