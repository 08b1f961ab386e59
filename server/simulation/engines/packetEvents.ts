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
import { PacketNodes, tiesOf } from './packetNodes.ts';
import { optionsOf, PacketQueues } from './packetQueues.ts';
import { headStates, linkWords, outputBits, packetWords, queueWords } from './packetRecords.ts';
import { PacketRoutes } from './packetRoutes.ts';
import { mostBits, PacketSelection } from './packetSelection.ts';
import { channelOfOutput, deadlockOf, hasDeadlock, waitingPackets, type PacketState } from './packetWaits.ts';
import { GridWays, packsWays, stepsOfAll } from './packetWays.ts';

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

const { idle, asks, granted, moves } = headStates;
const { shift, firstOf, lastOf, does, makesRoom, inStart, outStart, output, outputState, moving } = queueWords;
const { optionCount, escapes, bet, mask, askedAt, firstSince, holder, lastWinner, candidate } = queueWords;
const { linkOf, channelOf, portOf, beginOf, blockOf } = queueWords;
const { isFree } = outputBits;
const { shift: linkShift, isBusy, waitingChannels, askedChannels, nextChannel, isTouched } = linkWords;
const { shift: packetShift, nextOf, destination, message, hopsOf, stateOf, routedAt } = packetWords;

/** Events between two looks at the cancellation flag: some milliseconds where all of them miss the cache and are recorded. */
const eventsPerLook = 2 ** 11;
/** Events between two searches for deadlocks of a part of the network. */
const eventsPerSearch = 2 ** 20;
export class PacketEvents implements MessageNetwork, PacketState {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  now = -1;
  messagesUnderWay = 0;
  deadlock: Deadlock | undefined;
  readonly nodeCount: number = 0;
  readonly linkCount: number = 0;
  readonly routerLinks: number = 0;
  /** Queues of links, then those of nodes; outputs are numbered like the queues that they lead to, ejection like that of the node. */
  readonly linkQueues: number = 0;
  readonly queues: Int32Array = new Int32Array(0);
  readonly bubbleIsHere: boolean = false;

  readonly #nodes: PacketNodes;
  readonly #line: PacketQueues;
  readonly #selection: PacketSelection;
  readonly #routes: PacketRoutes;
  /** Where the way left of a packet stands in its record. */
  readonly #ways: GridWays | undefined;
  readonly #observer: MessageObserver;
  readonly #isObserved: boolean = false;
  readonly #flits: number = 0;
  readonly #channels: number = 0;
  readonly #router: number = 0;
  /** Cycles from the start of a packet to the cycle in which it may ask in the next station. */
  readonly #hopDelay: number = 0;
  readonly #isFirstFree: boolean = false;
  readonly #isSingle: boolean = false;
  /** Room for the options of a queue where all have as much; else their lists are moved when they grow. */
  readonly #isGrid: boolean = false;
  /** Whether first packets have several options. */
  readonly #hasChoices: boolean = false;
  /** Records of the links and, behind them, of the ways out; what each output has: bits. */
  readonly #links: Int32Array = new Int32Array(0);
  readonly #status: Uint8Array = new Uint8Array(0);
  /** Options that were found, and the state of the route behind each. */
  #options = new Int32Array(0);
  #optionState = new Int32Array(0);
  #optionsTop = 0;

  // Lists of this cycle and the next: queues whose next packet is first then, nodes that make a packet then.
  #comers: Int32Array = new Int32Array(0);
  #comersNext: Int32Array = new Int32Array(0);
  #comerCount = 0;
  #makers: Int32Array = new Int32Array(0);
  #makersNext: Int32Array = new Int32Array(0);
  #makerCount = 0;
  /** Links that may start, and queues whose tail leaves at once. */
  readonly #touched: Int32Array = new Int32Array(0);
  #touchedCount = 0;
  readonly #ending: Int32Array = new Int32Array(0);
  #endingCount = 0;

  /** Queues whose tail leaves, and whose first packet is routed: each a fixed time after a start. */
  readonly #ends: DelayLine;
  readonly #arrivals: DelayLine;
  /** What else has its time: a queue whose first packet is routed then; behind the queues, a node that makes a packet. */
  readonly #slots: TimeSlots;

  #untilSearch = eventsPerSearch;
  #untilLook = eventsPerLook;
  #events = 0;

  constructor(machine: Machine, options: PacketOptions, observer: MessageObserver, random: RandomSource) {
    const { channels, packet, bubble, router, link } = options;
    const { nodeCount } = machine;
    const isAdaptive = options.routing === 'adaptive';
    const seed = drawSeed(random);
    const routes = new PacketRoutes(machine, { channels, routing: options.routing, hasBubble: bubble !== undefined });
    const { grid, stations } = routes;
    const line = new PacketQueues(stations, grid, { channels, capacity: options.queue, bubble, isAdaptive });
    const wayOptions = { channels, isAdaptive, hasBubble: bubble !== undefined };
    const isPacked = grid !== undefined && packsWays(grid, wayOptions);
    const ways = isPacked ? new GridWays(grid, stations, line.words, wayOptions) : undefined;
    const nodeOptions = { packetBytes: packet * options.flit, flits: packet, capacity: options.queue };
    this.#nodes = new PacketNodes(nodeCount, nodeOptions, (from, to, serial) => {
      const ties = isAdaptive ? tiesOf(seed, from, serial) : 0;
      return ways === undefined ? routes.startOf(from, ties) : routes.wayOf(from, to, ties);
    });
    this.#line = line;
    this.#selection = new PacketSelection(line, seed, options.select, options.arbiter);
    this.#routes = routes;
    this.#ways = ways;
    this.#observer = observer;
    this.#isObserved = observer.crossed !== undefined || observer.waited !== undefined;
    this.secondsPerCycle = options.secondsPerCycle;
    // As 32 bits, so that the loops do not take them for doubles.
    this.#flits = packet | 0;
    this.#channels = channels | 0;
    this.#router = router | 0;
    this.#hopDelay = (router + link + (options.switching === 'store-and-forward' ? packet - 1 : 0)) | 0;
    this.#isFirstFree = options.select === 'first-free';
    this.#isSingle = options.ejection === 'single';
    this.#isGrid = grid !== undefined;
    this.#hasChoices = isAdaptive || channels > 1;
    this.nodeCount = nodeCount | 0;
    this.linkCount = stations.linkCount | 0;
    this.routerLinks = machine.topology.links.routerLinkCount | 0;
    this.linkQueues = line.ofLinks;
    this.queues = line.words;
    this.bubbleIsHere = line.bubbleIsHere;
    this.#status = line.status;
    this.#links = new Int32Array((this.linkCount + nodeCount) << linkShift);
    routes.reserve(optionsOf(grid, channels) * line.count);
    this.#options = routes.queues;
    this.#optionState = routes.states;
    this.#comers = new Int32Array(line.count);
    this.#comersNext = new Int32Array(line.count);
    this.#makers = new Int32Array(nodeCount);
    this.#makersNext = new Int32Array(nodeCount);
    this.#touched = new Int32Array(this.linkCount + nodeCount);
    this.#ending = new Int32Array(line.count);
    this.#ends = new DelayLine(line.count, Math.max(1, packet - 1));
    this.#arrivals = new DelayLine(line.count, this.#hopDelay);
    this.#slots = new TimeSlots(line.count + nodeCount);
    this.#slots.provideDelay(packet + this.#hopDelay + 2);
  }

  hasRoom(option: number): boolean {
    return this.#line.hasRoom(option);
  }

  get sent(): readonly number[] {
    return this.#nodes.sent;
  }

  get arrived(): readonly number[] {
    return this.#nodes.arrived;
  }

  get packets(): Int32Array {
    return this.#nodes.words;
  }

  get options(): Int32Array {
    return this.#options;
  }

  /** Bytes of what grows with packets and messages under way. */
  get bytes(): number {
    return this.#nodes.bytes + this.#routes.queues.byteLength + this.#routes.states.byteLength;
  }

  send(from: number, to: number, bytes: number): number {
    const wasSilent = this.#nodes.isSilent(from);
    const number = this.#nodes.add(from, to, bytes);
    if (wasSilent) this.#makeNext(from);
    this.messagesUnderWay++;
    return number;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    if (this.deadlock !== undefined) return 'deadlock';
    const nodes = this.#nodes;
    nodes.forget();
    while (this.now < to) {
      const delay = this.#delayToNext();
      if (delay === Infinity && nodes.packetsUnderWay > 0) return this.#stopDeadlocked();
      if (this.now + delay > to) {
        this.#goOn(to - this.now);
        return 'reached';
      }
      if (this.#untilLook <= 0) {
        if (cancellation.isCancelled()) return 'cancelled';
        this.#untilLook = eventsPerLook;
        if (this.#untilSearch <= 0) {
          this.#untilSearch = eventsPerSearch;
          if (hasDeadlock(this)) return this.#stopDeadlocked();
        }
      }
      this.#goOn(delay);
      this.#events = 1;
      this.#runCycle();
      this.#untilLook -= this.#events;
      this.#untilSearch -= this.#events;
      const { sent, arrived } = nodes;
      if (sent.length > 0 || arrived.length > 0) {
        if (sent.length > 1) sent.sort((a, b) => a - b);
        if (arrived.length > 1) arrived.sort((a, b) => a - b);
        this.messagesUnderWay -= arrived.length;
        return 'events';
      }
    }
    return 'reached';
  }

  waiting(): readonly WaitingPacket[] {
    return waitingPackets(this);
  }

  #stopDeadlocked(): MessageAdvance {
    this.deadlock = deadlockOf(this);
    return 'deadlock';
  }

  /** Cycles to the next one in which something happens; Infinity where nothing will. */
  #delayToNext(): number {
    if (this.#line.askingCount + this.#touchedCount + this.#comerCount + this.#makerCount > 0) return 1;
    const line = Math.min(this.#ends.due, this.#arrivals.due) - this.now;
    return line === 1 ? 1 : Math.min(line, this.#slots.delayToNext());
  }

  #goOn(cycles: number): void {
    this.now += cycles;
    this.#slots.pass(cycles);
  }

  // A cycle

  #runCycle(): void {
    const { now } = this;
    const tick = now | 0;
    // All that ask do so on the state that the last cycle left; those that are there begin to leave, which changes nothing for the others.
    const { askingCount } = this.#line;
    const asking = this.#line.takeAsking();
    const comers = this.#comersNext;
    const comerCount = this.#comerCount;
    this.#comersNext = this.#comers;
    this.#comers = comers;
    this.#comerCount = 0;
    this.#events += askingCount + comerCount;
    this.#endingCount = 0;
    for (let each = 0; each < askingCount; each++) this.#ask(asking[each]!, tick);
    for (let each = 0; each < comerCount; each++) this.#becomeFirst(comers[each]!, tick);
    const arrivals = this.#arrivals;
    if (arrivals.due === now) {
      const { values, mask: wrap, head, batchEnd } = arrivals;
      for (let each = head; each !== batchEnd; each = (each + 1) & wrap) this.#becomeFirst(values[each]!, tick);
      arrivals.drop();
    }
    if (this.#makerCount > 0) this.#makeAll(tick);
    const slots = this.#slots;
    for (let event = slots.take(); event >= 0; event = slots.take()) {
      if (event >= this.#line.count) this.#make(event - this.#line.count, tick);
      else this.#becomeFirst(event, tick);
    }
    if (this.#touchedCount > 0) this.#startAll(tick);
    this.#endAll();
  }

  #makeAll(tick: number): void {
    const makers = this.#makersNext;
    const count = this.#makerCount;
    this.#makersNext = this.#makers;
    this.#makers = makers;
    this.#makerCount = 0;
    for (let each = 0; each < count; each++) this.#make(makers[each]!, tick);
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

  /** The first packet of a queue is routed: it asks for a channel. With `ejection multiple` one that is there begins to leave. */
  #becomeFirst(queue: number, tick: number): void {
    const { queues } = this;
    const { words } = this.#nodes;
    const own = queue << shift;
    const record = queues[own + firstOf]! << packetShift;
    const ways = this.#ways;
    queues[own + firstSince] = tick;
    queues[own + askedAt] = tick;
    queues[own + bet] = 0;
    queues[own + does] = asks;
    if (ways !== undefined) {
      const way = words[record + stateOf]!;
      queues[own + optionCount] = 0;
      if ((way & stepsOfAll) !== 0) {
        if (!this.#isFirstFree || !this.#takeFirst(queue, ways.first(queue, way))) this.#ask(queue, tick);
        return;
      }
    } else {
      const routes = this.#routes;
      if (
        !routes.find(
          queue,
          words[record + destination]!,
          words[record + stateOf]!,
          this.#isGrid ? queues[own + beginOf]! : 0,
        )
      ) {
        queues[own + optionCount] = routes.count;
        queues[own + escapes] = routes.hasEscape ? 1 : 0;
        if (!this.#isGrid) this.#keepOptions(own, routes.count);
        this.#ask(queue, tick);
        return;
      }
    }
    const ejection = this.linkQueues + words[record + destination]!;
    if (!this.#isSingle) {
      queues[own + output] = ejection;
      this.#start(queue, tick);
      return;
    }
    queues[own + escapes] = 0;
    queues[own + optionCount] = 1;
    if (this.#isGrid) this.#options[queues[own + beginOf]!] = ejection;
    else {
      this.#routes.queues[0] = ejection;
      this.#keepOptions(own, 1);
    }
    this.#ask(queue, tick);
  }

  /** Asks for the first option, without a look at the others, where that has room and is free. */
  #takeFirst(queue: number, option: number): boolean {
    const wanted = option ^ (option >> 31);
    const takes = isFree | (1 << (option >>> 31));
    if ((this.#status[wanted]! & takes) !== takes) return false;
    this.queues[(queue << shift) + bet] = 1;
    this.#request(queue, wanted, 0);
    return true;
  }

  /** Puts the options that were found at the beginning of the lists where those of the queue are. */
  #keepOptions(own: number, count: number): void {
    const { queues } = this;
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

  findOptions(queue: number): void {
    const { queues } = this;
    const own = queue << shift;
    const ways = this.#ways;
    if (queues[own + optionCount] !== 0 || ways === undefined) return;
    const way = this.#nodes.words[(queues[own + firstOf]! << packetShift) + stateOf]!;
    queues[own + optionCount] = ways.find(queue, way, this.#options, queues[own + beginOf]!);
    queues[own + escapes] = ways.hasEscape ? 1 : 0;
  }

  /** The first packet of a queue asks for one of its options. */
  #ask(queue: number, tick: number): void {
    const { queues } = this;
    const own = queue << shift;
    if (queues[own + optionCount] === 0) this.findOptions(queue);
    const begin = queues[own + beginOf]!;
    const count = queues[own + optionCount]!;
    const hasEscape = queues[own + escapes]!;
    const options = this.#options;
    const status = this.#status;
    let withRoom = 0;
    let anyFree = 0;
    for (let each = 0; each < count; each++) {
      const option = options[begin + each]!;
      const has = status[option ^ (option >> 31)]!;
      if ((has & (1 << (option >>> 31))) === 0) continue;
      if (each < mostBits) withRoom |= 1 << each;
      anyFree |= each < mostBits ? has & isFree : isFree;
    }
    const choice = count + hasEscape === 1 ? withRoom - 1 : this.#selection.choose(queue, this.now, withRoom, options);
    queues[own + askedAt] = tick;
    queues[own + mask] = withRoom;
    if (choice >= 0) {
      const option = options[begin + choice]!;
      const wanted = option ^ (option >> 31);
      const takes = isFree | (1 << (option >>> 31));
      if ((status[wanted]! & takes) === takes) {
        this.#request(queue, wanted, this.#optionState[begin + choice]!);
        return;
      }
    }
    if (anyFree === 0 && hasEscape === 1) {
      const escape = options[begin + count]!;
      const takes = isFree | (1 << (escape >>> 31));
      if ((status[escape ^ (escape >> 31)]! & takes) === takes) anyFree = isFree;
    }
    if (anyFree === 0) this.#line.sleep(queue, options, begin, count + hasEscape);
    else this.#line.askNext(queue);
  }

  /** Asks for a channel that is free and has room. Of those that do so in this cycle one gets it; the others ask again. */
  #request(queue: number, wanted: number, state: number): void {
    const { queues } = this;
    const own = queue << shift;
    const other = wanted << shift;
    queues[own + output] = wanted;
    queues[own + outputState] = state;
    const rival = queues[other + candidate]!;
    if (rival === none) {
      const link = queues[other + linkOf]!;
      const record = (link << linkShift) + askedChannels;
      queues[other + candidate] = queue;
      this.#links[record] = this.#links[record]! | (1 << queues[other + channelOf]!);
      this.#touch(link);
    } else if (this.#selection.isBefore(own, rival << shift, other)) {
      queues[other + candidate] = queue;
      this.#line.askNext(rival);
    } else this.#line.askNext(queue);
  }

  /** A link may have something to do at the end of this cycle. */
  #touch(link: number): void {
    const record = (link << linkShift) + isTouched;
    if (this.#links[record] === 1) return;
    this.#links[record] = 1;
    this.#touched[this.#touchedCount++] = link;
  }

  /** Channels that are asked for are granted; links that are free take up the next packet: channels take turns. */
  #startAll(tick: number): void {
    const { queues } = this;
    const channels = this.#channels;
    const links = this.#links;
    const touched = this.#touched;
    const count = this.#touchedCount;
    this.#touchedCount = 0;
    for (let each = 0; each < count; each++) {
      const link = touched[each]!;
      const record = link << linkShift;
      const first = link < this.linkCount ? link * channels : this.linkQueues + link - this.linkCount;
      const asked = links[record + askedChannels]!;
      const waiting = links[record + waitingChannels]! | asked;
      links[record + isTouched] = 0;
      if (asked !== 0) {
        links[record + askedChannels] = 0;
        for (let rest = asked; rest !== 0; rest &= rest - 1) this.#grant(first + 31 - Math.clz32(rest & -rest));
      }
      if (links[record + isBusy] === 1 || waiting === 0) {
        links[record + waitingChannels] = waiting;
        continue;
      }
      let channel = links[record + nextChannel]!;
      while (((waiting >> channel) & 1) === 0) channel = channel + 1 === channels ? 0 : channel + 1;
      links[record + nextChannel] = channel + 1 === channels ? 0 : channel + 1;
      links[record + waitingChannels] = waiting & ~(1 << channel);
      links[record + isBusy] = 1;
      this.#start(queues[((first + channel) << shift) + holder]!, tick);
    }
  }

  /** The best of those that have asked for an output has it. */
  #grant(wanted: number): void {
    const { queues } = this;
    const other = wanted << shift;
    const queue = queues[other + candidate]!;
    const own = queue << shift;
    queues[other + candidate] = none;
    queues[other + holder] = queue;
    queues[other + lastWinner] = queues[own + portOf]!;
    queues[own + does] = granted;
    this.#status[wanted] = this.#status[wanted]! & ~isFree;
  }

  /** The first flit of the first packet of a queue moves. */
  #start(queue: number, tick: number): void {
    const { queues } = this;
    const { words } = this.#nodes;
    const own = queue << shift;
    const packet = queues[own + firstOf]!;
    const record = packet << packetShift;
    const wanted = queues[own + output]!;
    queues[own + does] = moves;
    queues[own + moving] = packet;
    queues[own + firstOf] = words[record + nextOf]!;
    queues[own + outStart] = tick;
    if (queue >= this.linkQueues) this.#leaveNode(queue - this.linkQueues);
    else if (queues[own + inStart] === tick && queues[own + makesRoom] === 0) {
      // What comes in has just begun to take a place: it takes that of what goes out.
      queues[own + makesRoom] = 1;
      this.#line.changeRoom(queue, 1);
    }
    if (this.#flits === 1) this.#ending[this.#endingCount++] = queue;
    else this.#ends.push(queue);
    if (wanted >= this.linkQueues) {
      if (this.#isSingle) this.#tellWaited(own, wanted, words[record + message]!, tick);
      return;
    }
    const ways = this.#ways;
    words[record + stateOf] = ways === undefined ? queues[own + outputState]! : ways.behind(words[record + stateOf]!, wanted); // prettier-ignore
    words[record + nextOf] = none;
    words[record + routedAt] = tick + this.#hopDelay;
    this.#comeIn(packet, wanted, tick);
    const link = queues[(wanted << shift) + linkOf]!;
    if (link < this.routerLinks) words[record + hopsOf] = words[record + hopsOf]! + 1;
    if (!this.#isGrid) this.#routes.used(queue, link);
    if (!this.#isObserved) return;
    this.#tellWaited(own, wanted, words[record + message]!, tick);
    this.#observer.crossed?.(link, this.now, this.#flits, words[record + message]!);
  }

  /** The first flit of a packet moves towards a queue. */
  #comeIn(packet: number, queue: number, tick: number): void {
    const { queues } = this;
    const own = queue << shift;
    queues[own + inStart] = tick;
    if (queues[own + does] === moves) queues[own + makesRoom] = 1;
    else if (this.#line.changeRoom(queue, -1) && this.#hasChoices) this.#line.wakeForLess(queue);
    if (queues[own + firstOf] === none) {
      queues[own + firstOf] = packet;
      if (queues[own + does] === idle) {
        if (this.#hopDelay === 1) this.#comersNext[this.#comerCount++] = queue;
        else this.#arrivals.push(queue);
      }
    } else this.#nodes.words[(queues[own + lastOf]! << packetShift) + nextOf] = packet;
    queues[own + lastOf] = packet;
  }

  #tellWaited(own: number, wanted: number, of: number, tick: number): void {
    const cycles = (tick - intAt(this.queues, own + firstSince)) >>> 0;
    if (cycles > 0) this.#observer.waited?.(channelOfOutput(this, wanted), this.now - cycles, cycles, of);
  }

  /** The last flit of what goes out of a queue has moved in this cycle. */
  #end(queue: number): void {
    const { queues } = this;
    const own = queue << shift;
    const wanted = queues[own + output]!;
    queues[own + does] = idle;
    if (wanted >= this.linkQueues) this.#deliver(queues[own + moving]!);
    if (wanted < this.linkQueues || this.#isSingle) {
      const link = queues[(wanted << shift) + linkOf]!;
      const record = link << linkShift;
      this.#links[record + isBusy] = 0;
      if (this.#links[record + waitingChannels] !== 0) this.#touch(link);
      this.#line.release(wanted);
    }
    if (queue < this.linkQueues) {
      if (queues[own + makesRoom] === 1) queues[own + makesRoom] = 0;
      else if (this.#line.changeRoom(queue, 1)) this.#line.wakeFor(queue);
    }
    const next = queues[own + firstOf]!;
    if (next === none) return;
    const delay = (this.#nodes.words[(next << packetShift) + routedAt]! - this.now) | 0;
    if (delay <= 1) this.#comersNext[this.#comerCount++] = queue;
    else this.#slots.schedule(queue, delay);
  }

  #deliver(packet: number): void {
    const nodes = this.#nodes;
    const { words } = nodes;
    const record = packet << packetShift;
    this.#observer.delivered?.(
      words[record + message]!,
      nodes.createdAt(packet),
      this.now,
      words[record + hopsOf]!,
      this.#flits,
    );
    nodes.remove(packet);
  }

  // Nodes

  /** Schedules the next packet of a node, for the next cycle or when there is room in its buffer. */
  #makeNext(node: number): void {
    const since = (this.now - this.queues[((this.linkQueues + node) << shift) + outStart]!) >>> 0;
    const delay = this.#nodes.delayToNext(node, since);
    if (delay === 1) this.#makersNext[this.#makerCount++] = node;
    else if (delay > 1) this.#slots.schedule(this.#line.count + node, delay);
  }

  /** A packet of a node begins to leave it. */
  #leaveNode(node: number): void {
    if (this.#nodes.leave(node)) this.#slots.schedule(this.#line.count + node, this.#flits + 1);
  }

  /** A node makes the next packet of its first message. */
  #make(node: number, tick: number): void {
    const { queues } = this;
    const nodes = this.#nodes;
    const packet = nodes.make(node, this.now, tick + this.#router);
    if (!nodes.isSilent(node)) this.#makeNext(node);
    const queue = this.linkQueues + node;
    const own = queue << shift;
    if (queues[own + firstOf] !== none) {
      nodes.words[(queues[own + lastOf]! << packetShift) + nextOf] = packet;
      queues[own + lastOf] = packet;
      return;
    }
    queues[own + firstOf] = packet;
    queues[own + lastOf] = packet;
    if (queues[own + does] !== idle) return;
    if (this.#router === 0) this.#becomeFirst(queue, tick);
    else this.#slots.schedule(queue, this.#router);
  }
}
