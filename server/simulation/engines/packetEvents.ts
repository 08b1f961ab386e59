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
 * between (`#room`). First packets that cannot get anything sleep until one of these happens to a queue they may ask for, or one of its
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
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../contract.ts';
import type { MessageAdvance, MessageNetwork, MessageObserver } from '../messages.ts';
import { TimeSlots } from '../pending.ts';
import { PacketRoutes, type Stations } from './packetRoutes.ts';

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

/** Words of the record of a packet. */
const nextOf = 0; // The next one of its queue; of a free record, the next free one.
const destination = 1; // Node.
const message = 2;
const hopsOf = 3;
const stateOf = 4; // State of the route graph.
const madeBy = 5; // Node.
const serial = 6; // Which one of its node.
const recordWords = 8;

/** Words of the record of a message. */
const messageTo = 1;
const packetsToMake = 2;
const packetsToArrive = 3;
const nextMessage = 4;

// What a node does.
const makesNothing = 0;
const makesAtItsTime = 1;
const makesWhenOneLeaves = 2;

/** Events between two looks at the cancellation flag. */
const eventsPerLook = 2 ** 15;
/** Events between two searches for deadlocks of a part of the network. */
const eventsPerSearch = 2 ** 20;
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
  readonly #seed: number;
  // Options, by short names for the loops.
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
  readonly #isObserved: boolean;
  /** Queues of links, then those of nodes; outputs are numbered like the queues that they lead to, ejection like that of the node. */
  readonly #linkQueues: number;
  readonly #queueCount: number;

  // By queue.
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #state: Uint8Array;
  /** Whole packets for which there is room: see above. */
  readonly #room: Int32Array;
  /** 1: what goes out makes room for what comes in. */
  readonly #makesRoom: Uint8Array;
  /** Cycle in which the first flit of what came in last, and of what goes out, moved. */
  readonly #inStart: Float64Array;
  readonly #outStart: Float64Array;
  /** Output that the first packet has or asked for last, and the state of its route behind it. */
  readonly #output: Int32Array;
  readonly #outputState: Int32Array;
  /** Packet that goes out: it is no longer in the queue, whose next one waits until all of it has left. */
  readonly #moving: Int32Array;
  /** Own queue of the ring that a channel belongs to: that at the end of the channel before it, or none. */
  readonly #ownQueue: Int32Array;
  /** Options of the first packet: `#optionQueue[#optionBegin …]`, with the escape channel behind them where #hasEscape. */
  readonly #optionBegin: Int32Array;
  readonly #optionRoom: Int32Array;
  readonly #optionCount: Int32Array;
  readonly #hasEscape: Uint8Array;
  #optionQueue = new Int32Array(1024);
  #optionState = new Int32Array(1024);
  #optionsTop = 0;
  /** Option that it turns to next; the count of options stands for the escape channel. */
  readonly #bet: Int32Array;
  /** Bits of the options that had room when it asked last, and when that was. */
  readonly #mask: Int32Array;
  readonly #askedAt: Float64Array;
  /** Since when it is first and routed. */
  readonly #firstSince: Float64Array;

  // By output.
  /** Queue whose packet has it, or none. */
  readonly #holder: Int32Array;
  /** Queue that won it last, as a port. */
  readonly #lastWinner: Int32Array;
  /** The best of those that ask in this cycle. */
  readonly #candidate: Int32Array;
  /** Ports that sleep for it: `#words` words for each output. */
  readonly #sleepers: Int32Array;
  /** Ports that sleep for room in the own queue of a ring, by that queue. */
  readonly #bubbleSleepers: Int32Array;
  readonly #words: number;

  // By link.
  readonly #busy: Uint8Array;
  readonly #waitingChannels: Int32Array;
  readonly #nextChannel: Int32Array;

  // Lists of this cycle.
  #asking: Int32Array;
  #askingNext: Int32Array;
  #askingNextCount = 0;
  readonly #asked: Int32Array;
  #askedCount = 0;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #isTouched: Uint8Array;
  readonly #ending: Int32Array;
  #endingCount = 0;

  /** Events: a queue whose first packet is routed or whose tail leaves; then a node that makes a packet. */
  readonly #slots: TimeSlots;

  // By node.
  readonly #firstMessage: Int32Array;
  readonly #lastMessage: Int32Array;
  readonly #made: Float64Array;
  readonly #started: Float64Array;
  /** Whether a node makes packets: not, at a known time, when its queue has let one go. */
  readonly #makes: Uint8Array;

  // Packets.
  #packets = new Int32Array(0);
  #created = new Float64Array(0);
  #routed = new Float64Array(0);
  #freePacket = none;
  #packetsUnderWay = 0;

  // Messages.
  #messages = new Int32Array(0);
  #freeMessage = none;

  #untilSearch = eventsPerSearch;
  #events = 0;

  constructor(machine: Machine, options: PacketOptions, observer: MessageObserver, random: RandomSource) {
    const { channels, queue, packet, bubble } = options;
    this.#routes = new PacketRoutes(machine, { channels, routing: options.routing, hasBubble: bubble !== undefined });
    this.#stations = this.#routes.stations;
    this.#observer = observer;
    this.#seed = drawSeed(random);
    this.secondsPerCycle = options.secondsPerCycle;
    this.#flits = packet;
    this.#packetBytes = packet * options.flit;
    this.#channels = channels;
    this.#capacity = queue;
    this.#router = options.router;
    this.#hopDelay = options.router + options.link + (options.switching === 'store-and-forward' ? packet - 1 : 0);
    this.#bubble = bubble?.packets ?? 0;
    this.#bubbleIsHere = bubble?.here ?? true;
    this.#select = options.select;
    this.#isFirstCome = options.arbiter === 'first-come';
    this.#isSingle = options.ejection === 'single';

    this.#routerLinks = machine.topology.links.routerLinkCount;
    this.#isObserved = observer.crossed !== undefined || observer.waited !== undefined;
    const { nodeCount } = machine;
    const { linkCount, firstQueue, count } = this.#stations;
    this.#linkQueues = linkCount * channels;
    const queues = this.#linkQueues + nodeCount;
    this.#queueCount = queues;
    this.#first = new Int32Array(queues).fill(none);
    this.#last = new Int32Array(queues).fill(none);
    this.#state = new Uint8Array(queues);
    this.#room = new Int32Array(queues).fill(queue);
    this.#makesRoom = new Uint8Array(queues);
    this.#inStart = new Float64Array(queues).fill(-Infinity);
    this.#outStart = new Float64Array(queues);
    this.#output = new Int32Array(queues).fill(none);
    this.#outputState = new Int32Array(queues);
    this.#moving = new Int32Array(queues).fill(none);
    const { grid } = this.#routes;
    this.#ownQueue = Int32Array.from({ length: bubble === undefined ? 0 : this.#linkQueues }, (_, output) => {
      const before = grid?.before[Math.floor(output / channels)] ?? none;
      return before === none ? none : before * channels + (output % channels);
    });
    this.#optionBegin = new Int32Array(queues);
    this.#optionRoom = new Int32Array(queues);
    this.#optionCount = new Int32Array(queues);
    this.#hasEscape = new Uint8Array(queues);
    this.#bet = new Int32Array(queues);
    this.#mask = new Int32Array(queues);
    this.#askedAt = new Float64Array(queues);
    this.#firstSince = new Float64Array(queues);
    this.#holder = new Int32Array(queues).fill(none);
    this.#lastWinner = new Int32Array(queues).fill(none);
    this.#candidate = new Int32Array(queues).fill(none);
    let mostPorts = 1;
    for (let station = 0; station < count; station++) {
      mostPorts = Math.max(mostPorts, intAt(firstQueue, station + 1) - intAt(firstQueue, station));
    }
    this.#words = Math.ceil(mostPorts / 32);
    this.#sleepers = new Int32Array(queues * this.#words);
    this.#bubbleSleepers = new Int32Array(bubble === undefined ? 0 : queues * this.#words);
    this.#busy = new Uint8Array(linkCount);
    this.#waitingChannels = new Int32Array(linkCount);
    this.#nextChannel = new Int32Array(linkCount);
    this.#asking = new Int32Array(queues);
    this.#askingNext = new Int32Array(queues);
    this.#asked = new Int32Array(queues);
    this.#touched = new Int32Array(linkCount);
    this.#isTouched = new Uint8Array(linkCount);
    this.#ending = new Int32Array(queues);
    this.#slots = new TimeSlots(queues + nodeCount);
    this.#slots.provideDelay(packet + this.#hopDelay + 2);
    this.#firstMessage = new Int32Array(nodeCount).fill(none);
    this.#lastMessage = new Int32Array(nodeCount).fill(none);
    this.#made = new Float64Array(nodeCount);
    this.#started = new Float64Array(nodeCount);
    this.#makes = new Uint8Array(nodeCount);
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
    let untilLook = eventsPerLook;
    while (this.now < to) {
      const delay = this.#askingNextCount > 0 || this.#touchedCount > 0 ? 1 : this.#slots.delayToNext();
      if (delay === Infinity && this.#packetsUnderWay > 0) return this.#deadlocked();
      if (this.now + delay > to) {
        this.#goOn(to - this.now);
        return 'reached';
      }
      if (untilLook <= 0) {
        if (cancellation.isCancelled()) return 'cancelled';
        untilLook = eventsPerLook;
        if (this.#untilSearch <= 0 && this.#hasDeadlock()) return this.#deadlocked();
      }
      this.#goOn(delay);
      this.#events = 0;
      this.#runCycle();
      untilLook -= 1 + this.#events;
      this.#untilSearch -= 1 + this.#events;
      if (this.sent.length > 0 || this.arrived.length > 0) {
        this.sent.sort((a, b) => a - b);
        this.arrived.sort((a, b) => a - b);
        return 'events';
      }
    }
    return 'reached';
  }

  #goOn(cycles: number): void {
    this.now += cycles;
    this.#slots.pass(cycles);
  }

  #forgetArrived(): void {
    if (this.sent.length > 0) this.sent = [];
    if (this.arrived.length === 0) return;
    for (const record of this.arrived) {
      this.#messages[8 * record + nextMessage] = this.#freeMessage;
      this.#freeMessage = record;
    }
    this.arrived = [];
  }

  // A cycle

  #runCycle(): void {
    const slots = this.#slots;
    const queueCount = this.#queueCount;
    // Those that asked in vain ask again; those whose time has come ask for the first time.
    [this.#asking, this.#askingNext] = [this.#askingNext, this.#asking];
    let asking = this.#askingNextCount;
    this.#askingNextCount = 0;
    this.#endingCount = 0;
    for (let event = slots.take(); event >= 0; event = slots.take()) {
      this.#events++;
      if (event >= queueCount) {
        const node = event - queueCount;
        if (this.#make(node)) this.#asking[asking++] = this.#linkQueues + node;
      } else if (this.#state[event] === moves) this.#ending[this.#endingCount++] = event;
      else if (this.#becomeFirst(event)) this.#asking[asking++] = event;
    }
    this.#events += asking;
    for (let each = 0; each < asking; each++) this.#ask(this.#asking[each]!);
    this.#grantAll(asking);
    this.#startAll();
    for (let each = 0; each < this.#endingCount; each++) this.#end(this.#ending[each]!);
  }

  /** The first packet of a queue is routed. Whether it asks for a channel; with `ejection multiple` one that is there does not. */
  #becomeFirst(queue: number): boolean {
    const record = recordWords * this.#first[queue]!;
    const packets = this.#packets;
    const routes = this.#routes;
    this.#firstSince[queue] = this.now;
    this.#askedAt[queue] = this.now - 1;
    this.#bet[queue] = 0;
    this.#mask[queue] = 0;
    this.#state[queue] = asks;
    if (routes.find(queue, packets[record + destination]!, packets[record + stateOf]!)) {
      const ejection = this.#linkQueues + packets[record + destination]!;
      if (!this.#isSingle) {
        this.#output[queue] = ejection;
        this.#start(queue);
        return false;
      }
      this.#keepOptions(queue, 1);
      this.#optionQueue[intAt(this.#optionBegin, queue)] = ejection;
      this.#hasEscape[queue] = 0;
      return true;
    }
    const { count, hasEscape } = routes;
    this.#keepOptions(queue, count + 1);
    const begin = this.#optionBegin[queue]!;
    for (let each = 0; each < count; each++) {
      this.#optionQueue[begin + each] = routes.queues[each]!;
      this.#optionState[begin + each] = routes.states[each]!;
    }
    this.#optionCount[queue] = count;
    this.#hasEscape[queue] = hasEscape ? 1 : 0;
    if (!hasEscape) return true;
    this.#optionQueue[begin + count] = routes.escape;
    this.#optionState[begin + count] = packets[record + stateOf]!;
    return true;
  }

  #keepOptions(queue: number, count: number): void {
    this.#optionCount[queue] = count;
    if (count <= this.#optionRoom[queue]!) return;
    const room = Math.max(4, 2 * intAt(this.#optionRoom, queue), count);
    this.#optionBegin[queue] = this.#optionsTop;
    this.#optionRoom[queue] = room;
    this.#optionsTop += room;
    if (this.#optionsTop > this.#optionQueue.length) {
      this.#optionQueue = longer(this.#optionQueue, 2 * this.#optionsTop);
      this.#optionState = longer(this.#optionState, 2 * this.#optionsTop);
    }
  }

  /** The first packet of a queue asks for one of its options, in the cycle `now`. */
  #ask(queue: number): void {
    const begin = this.#optionBegin[queue]!;
    const count = this.#optionCount[queue]!;
    const options = this.#optionQueue;
    let mask = 0;
    let anyFree = false;
    for (let each = 0; each < count; each++) {
      const option = options[begin + each]!;
      if (!this.#hasRoom(option)) continue;
      if (each < mostBits) mask |= 1 << each;
      if (each >= mostBits || this.#isFree(option)) anyFree = true;
    }
    const hasEscape = this.#hasEscape[queue]!;
    const escapeHasRoom = hasEscape === 1 && this.#hasRoom(options[begin + count]!);
    if (escapeHasRoom && this.#isFree(options[begin + count]!)) anyFree = true;
    const choice = count + hasEscape === 1 ? mask - 1 : this.#choose(queue, begin, count, hasEscape, mask);
    this.#askedAt[queue] = this.now;
    this.#mask[queue] = mask;
    if (choice >= 0 && (choice < count || escapeHasRoom)) this.#request(queue, begin + choice);
    if (!anyFree) this.#sleep(queue, begin, count + hasEscape);
  }

  #isFree(option: number): boolean {
    return this.#holder[option < 0 ? ~option : option] === none;
  }

  #request(queue: number, index: number): void {
    const option = this.#optionQueue[index]!;
    const output = option < 0 ? ~option : option;
    this.#output[queue] = output;
    this.#outputState[queue] = this.#optionState[index]!;
    if (this.#holder[output] === none) this.#compete(queue, output);
  }

  /** Whether a channel, or the complement of one that is entered by the rule of the bubble, takes a packet. */
  #hasRoom(option: number): boolean {
    if (option >= 0) return this.#room[option]! > 0;
    const output = ~option;
    if (this.#room[output]! <= 0) return false;
    return this.#room[this.#bubbleIsHere ? this.#ownQueue[output]! : output]! >= this.#bubble;
  }

  /** Index of the option that is asked for; the count stands for the escape channel, −1 for none. */
  #choose(queue: number, begin: number, count: number, hasEscape: number, mask: number): number {
    if (this.#select === 'random') return this.#chooseRandom(queue, begin, count, hasEscape);
    if (this.#select === 'least-filled') return this.#chooseLeastFilled(begin, count, hasEscape);
    const elapsed = this.now - this.#askedAt[queue]! - 1;
    if (elapsed > 0) this.#skipAsking(queue, count, hasEscape, elapsed);
    const bet = this.#bet[queue]!;
    for (let each = bet; each < count; each++) {
      if (each < mostBits ? ((mask >> each) & 1) === 0 : !this.#hasRoom(this.#optionQueue[begin + each]!)) continue;
      this.#bet[queue] = each + 1;
      return each;
    }
    this.#bet[queue] = 0;
    if (hasEscape === 1) return count;
    for (let each = 0; each < bet; each++) {
      if (each < mostBits ? ((mask >> each) & 1) === 0 : !this.#hasRoom(this.#optionQueue[begin + each]!)) continue;
      this.#bet[queue] = each + 1;
      return each;
    }
    return none;
  }

  /** What it would have turned to in the cycles that it slept through, while the options with room were those of its mask. */
  #skipAsking(queue: number, count: number, hasEscape: number, elapsed: number): void {
    const mask = this.#mask[queue]!;
    let withRoom = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) withRoom++;
    const period = withRoom + hasEscape;
    if (period === 0) return;
    let bet = this.#bet[queue]!;
    for (let left = elapsed % period; left > 0; left--) {
      let next = bet;
      while (next < count && ((mask >> next) & 1) === 0) next++;
      if (next === count && hasEscape === 0) {
        next = 0;
        while (((mask >> next) & 1) === 0) next++;
      }
      bet = next === count ? 0 : next + 1;
    }
    this.#bet[queue] = bet;
  }

  #chooseRandom(queue: number, begin: number, count: number, hasEscape: number): number {
    let withRoom = 0;
    for (let each = 0; each < count; each++) if (this.#hasRoom(this.#optionQueue[begin + each]!)) withRoom++;
    if (withRoom === 0) return hasEscape === 1 ? count : none;
    let left = drawn(this.#seed, queue, this.now, withRoom);
    for (let each = 0; each < count; each++) {
      if (this.#hasRoom(this.#optionQueue[begin + each]!) && left-- === 0) return each;
    }
    return none;
  }

  #chooseLeastFilled(begin: number, count: number, hasEscape: number): number {
    let best = none;
    let most = 0;
    for (let each = 0; each < count; each++) {
      const option = this.#optionQueue[begin + each]!;
      const room = this.#room[option < 0 ? ~option : option]!;
      if (room <= most || !this.#hasRoom(option)) continue;
      best = each;
      most = room;
    }
    return best === none && hasEscape === 1 ? count : best;
  }

  /** Asks for a free output, together with others of this cycle: the arbiter. */
  #compete(queue: number, output: number): void {
    const other = this.#candidate[output]!;
    if (other === none) {
      this.#asked[this.#askedCount++] = output;
      this.#candidate[output] = queue;
    } else if (this.#isBefore(queue, other, output)) this.#candidate[output] = queue;
  }

  #isBefore(queue: number, other: number, output: number): boolean {
    const { portOfQueue, firstQueue, ofQueue } = this.#stations;
    const port = portOfQueue[queue]!;
    const otherPort = portOfQueue[other]!;
    if (this.#isFirstCome) {
      const [since, otherSince] = [this.#firstSince[queue]!, this.#firstSince[other]!];
      return since < otherSince || (since === otherSince && port < otherPort);
    }
    const station = ofQueue[queue]!;
    const ports = firstQueue[station + 1]! - firstQueue[station]!;
    const last = this.#lastWinner[output]!;
    return (port - last - 1 + ports) % ports < (otherPort - last - 1 + ports) % ports;
  }

  #grantAll(asking: number): void {
    for (let each = 0; each < this.#askedCount; each++) {
      const output = this.#asked[each]!;
      const queue = this.#candidate[output]!;
      this.#candidate[output] = none;
      this.#holder[output] = queue;
      this.#lastWinner[output] = this.#stations.portOfQueue[queue]!;
      this.#state[queue] = granted;
      if (output >= this.#linkQueues) this.#start(queue);
      else {
        const link = Math.floor(output / this.#channels);
        this.#waitingChannels[link] = this.#waitingChannels[link]! | (1 << (output - link * this.#channels));
        this.#touch(link);
      }
    }
    this.#askedCount = 0;
    for (let each = 0; each < asking; each++) {
      const queue = this.#asking[each]!;
      if (this.#state[queue] === asks) this.#askingNext[this.#askingNextCount++] = queue;
    }
  }

  /** A link may have something to do at the end of this cycle. */
  #touch(link: number): void {
    if (this.#isTouched[link] === 1) return;
    this.#isTouched[link] = 1;
    this.#touched[this.#touchedCount++] = link;
  }

  /** Links that are free take up the next packet: channels take turns. */
  #startAll(): void {
    const channels = this.#channels;
    const count = this.#touchedCount;
    this.#touchedCount = 0;
    for (let each = 0; each < count; each++) {
      const link = this.#touched[each]!;
      this.#isTouched[link] = 0;
      const waiting = this.#waitingChannels[link]!;
      if (this.#busy[link] === 1 || waiting === 0) continue;
      let channel = this.#nextChannel[link]!;
      while (((waiting >> channel) & 1) === 0) channel = channel + 1 === channels ? 0 : channel + 1;
      this.#nextChannel[link] = channel + 1 === channels ? 0 : channel + 1;
      this.#waitingChannels[link] = waiting & ~(1 << channel);
      this.#busy[link] = 1;
      this.#start(this.#holder[link * channels + channel]!);
    }
  }

  /** The first flit of the first packet of a queue moves. */
  #start(queue: number): void {
    const { now } = this;
    const packets = this.#packets;
    const packet = this.#first[queue]!;
    const record = recordWords * packet;
    const output = this.#output[queue]!;
    this.#state[queue] = moves;
    this.#moving[queue] = packet;
    this.#first[queue] = packets[record + nextOf]!;
    this.#outStart[queue] = now;
    if (queue >= this.#linkQueues) this.#leaveNode(queue - this.#linkQueues);
    else if (this.#inStart[queue] === now && this.#makesRoom[queue] === 0) {
      // What comes in has just begun to take a place: it takes that of what goes out.
      this.#makesRoom[queue] = 1;
      this.#room[queue]!++;
    }
    if (this.#flits === 1) this.#ending[this.#endingCount++] = queue;
    else this.#slots.schedule(queue, this.#flits - 1);
    if (output >= this.#linkQueues) {
      if (this.#isSingle) this.#tellWaited(queue, output, packets[record + message]!);
      return;
    }
    packets[record + stateOf] = this.#outputState[queue]!;
    packets[record + nextOf] = none;
    this.#routed[packet] = now + this.#hopDelay;
    this.#inStart[output] = now;
    if (this.#state[output] === moves) this.#makesRoom[output] = 1;
    else {
      const room = this.#room[output]! - 1;
      this.#room[output] = room;
      if (room === 0 || room === this.#bubble - 1) this.#wakeFor(output);
    }
    if (this.#first[output] === none) {
      this.#first[output] = packet;
      if (this.#state[output] === idle) this.#slots.schedule(output, this.#hopDelay);
    } else packets[recordWords * this.#last[output]! + nextOf] = packet;
    this.#last[output] = packet;
    const link = Math.floor(output / this.#channels);
    if (link < this.#routerLinks) packets[record + hopsOf]!++;
    this.#routes.used(queue, link);
    if (this.#isObserved) {
      this.#tellWaited(queue, output, packets[record + message]!);
      this.#observer.crossed?.(link, now, this.#flits, packets[record + message]!);
    }
  }

  #tellWaited(queue: number, output: number, of: number): void {
    const since = this.#firstSince[queue]!;
    if (since === this.now || this.#observer.waited === undefined) return;
    const isLink = output < this.#linkQueues;
    const channel = isLink
      ? Math.floor(output / this.#channels)
      : this.#routerLinks + 2 * (output - this.#linkQueues) + 1;
    this.#observer.waited(channel, since, this.now - since, of);
  }

  /** The last flit of what goes out of a queue has moved in this cycle. */
  #end(queue: number): void {
    const packet = this.#moving[queue]!;
    const output = this.#output[queue]!;
    this.#state[queue] = idle;
    this.#moving[queue] = none;
    if (output >= this.#linkQueues) {
      this.#deliver(packet);
      if (this.#isSingle) {
        this.#holder[output] = none;
        this.#wakeSleepers(this.#sleepers, output, this.#stations.ofQueue[queue]!);
      }
    } else {
      const link = Math.floor(output / this.#channels);
      this.#holder[output] = none;
      this.#busy[link] = 0;
      if (this.#waitingChannels[link] !== 0) this.#touch(link);
      this.#wakeSleepers(this.#sleepers, output, this.#stations.from[link]!);
    }
    if (queue < this.#linkQueues) {
      if (this.#makesRoom[queue] === 1) this.#makesRoom[queue] = 0;
      else {
        this.#room[queue]!++;
        this.#wakeFor(queue);
      }
    }
    const next = this.#first[queue]!;
    if (next !== none) this.#slots.schedule(queue, Math.max(1, this.#routed[next]! - this.now));
  }

  /** There is another number of places in the queue of a channel. */
  #wakeFor(output: number): void {
    const link = Math.floor(output / this.#channels);
    this.#wakeSleepers(this.#sleepers, output, this.#stations.from[link]!);
    if (this.#bubble > 0) this.#wakeSleepers(this.#bubbleSleepers, output, this.#stations.to[link]!);
  }

  #wakeSleepers(sleepers: Int32Array, of: number, station: number): void {
    const words = this.#words;
    for (let word = of * words; word < (of + 1) * words; word++) {
      let bits = sleepers[word]!;
      if (bits === 0) continue;
      sleepers[word] = 0;
      const { firstQueue, queues } = this.#stations;
      const first = firstQueue[station]! + 32 * (word - of * words);
      for (; bits !== 0; bits &= bits - 1) {
        const queue = queues[first + 31 - Math.clz32(bits & -bits)]!;
        if (this.#state[queue] !== sleeps) continue;
        this.#state[queue] = asks;
        this.#askingNext[this.#askingNextCount++] = queue;
      }
    }
  }

  /** Nothing that the first packet of a queue may ask for is to be had: until something happens to one of these. */
  #sleep(queue: number, begin: number, count: number): void {
    this.#state[queue] = sleeps;
    const port = this.#stations.portOfQueue[queue]!;
    const word = port >> 5;
    const bit = 1 << (port & 31);
    const words = this.#words;
    for (let each = begin; each < begin + count; each++) {
      const option = this.#optionQueue[each]!;
      const output = option < 0 ? ~option : option;
      this.#sleepers[output * words + word] = this.#sleepers[output * words + word]! | bit;
      if (option >= 0 || !this.#bubbleIsHere) continue;
      const own = this.#ownQueue[output]! * words + word;
      this.#bubbleSleepers[own] = this.#bubbleSleepers[own]! | bit;
    }
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
    const start = this.#outStart[this.#linkQueues + node]!;
    const first = inside === most - 1 && this.#started[node]! > 0 ? Math.max(cycle, start + this.#flits + 1) : cycle;
    this.#makes[node] = makesAtItsTime;
    this.#slots.schedule(this.#queueCount + node, first - this.now);
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
    if (this.#first[queue] !== none) {
      this.#packets[recordWords * this.#last[queue]! + nextOf] = packet;
      this.#last[queue] = packet;
      return false;
    }
    this.#first[queue] = packet;
    this.#last[queue] = packet;
    if (this.#state[queue] !== idle) return false;
    if (this.#router === 0) return this.#becomeFirst(queue);
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
    packets[record + destination] = this.#messages[8 * of + messageTo]!;
    packets[record + message] = of;
    packets[record + hopsOf] = 0;
    packets[record + stateOf] = this.#routes.startOf(node, tiesOf(this.#seed, node, this.#made[node]!));
    packets[record + madeBy] = node;
    packets[record + serial] = this.#made[node]!;
    this.#created[packet] = this.now;
    this.#routed[packet] = this.now + this.#router;
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
    this.#created = longerReals(this.#created, count);
    this.#routed = longerReals(this.#routed, count);
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
    const arrays = [this.#packets, this.#created, this.#routed, this.#messages, this.#optionQueue, this.#optionState];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  // Who waits

  waiting(): readonly WaitingPacket[] {
    const waits: WaitingPacket[] = [];
    for (let queue = 0; queue < this.#queueCount; queue++) {
      const state = byteAt(this.#state, queue);
      if (state === sleeps || state === asks || state === granted)
        waits.push(this.#waitOf(queue, this.#wantedBy(queue)));
    }
    return waits.sort((a, b) => a.packet - b.packet);
  }

  /** Queue whose packets are in the way of the first packet of another one: the last that it asked for, else its last option. */
  #wantedBy(queue: number): number {
    if (byteAt(this.#state, queue) === granted) return intAt(this.#output, queue);
    const last = intAt(this.#optionBegin, queue) + intAt(this.#optionCount, queue) + (this.#hasEscape[queue] ?? 0) - 1;
    return this.#blockerOf(intAt(this.#optionQueue, last));
  }

  /** The queue that has no room for who would take an option; the output itself where it has. */
  #blockerOf(option: number): number {
    if (option >= 0) return option;
    return intAt(this.#room, ~option) <= 0 || !this.#bubbleIsHere ? ~option : intAt(this.#ownQueue, ~option);
  }

  #waitOf(queue: number, wanted: number): WaitingPacket {
    const record = recordWords * intAt(this.#first, queue);
    const channels = this.#channels;
    const isLink = wanted < this.#linkQueues;
    return {
      packet: intAt(this.#packets, record + serial) * this.#makes.length + intAt(this.#packets, record + madeBy),
      transmission: intAt(this.#packets, record + message),
      holds: queue < this.#linkQueues ? [Math.floor(queue / channels)] : [],
      wants: isLink ? Math.floor(wanted / channels) : this.#routerLinks + 2 * (wanted - this.#linkQueues) + 1,
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
      const begin = intAt(this.#optionBegin, queue);
      const wanted = this.#blockerOf(intAt(this.#optionQueue, begin));
      walk.push({ queue, wanted });
      queue = wanted;
    }
    const circle = walk.slice(seen.get(queue) ?? 0);
    const waits = circle.map((each) => this.#waitOf(each.queue, each.wanted));
    const lowest = waits.reduce((best, { packet }, index) => (packet < (waits[best]?.packet ?? 0) ? index : best), 0);
    const since = Math.max(...circle.map((each) => realAt(this.#firstSince, each.queue)));
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
    const stuck = this.#state.map((state) => (state === sleeps ? 1 : 0));
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
    const begin = intAt(this.#optionBegin, queue);
    const end = begin + intAt(this.#optionCount, queue) + (this.#hasEscape[queue] ?? 0);
    for (let each = begin; each < end; each++) {
      const option = intAt(this.#optionQueue, each);
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

const longerReals = (values: Float64Array, length: number): Float64Array<ArrayBuffer> => {
  const copy = new Float64Array(length);
  copy.set(values);
  return copy;
};

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
