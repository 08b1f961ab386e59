/**
 * Worms flit by flit: wormhole switching with any number of virtual channels and credits, cycle by cycle.
 *
 * At the end of a link each of its channels has a queue of so many flits. The header of a worm that is first in its queue asks, after
 * `router` cycles, for one of the channels that its routing allows (`packetRoutes.ts`): one that no worm is being sent through
 * and whose queue has room for a flit, chosen by `select`; the escape channel only where none of the others is to be had. Beside an
 * escape channel a queue must be empty instead: a header behind another worm could not escape, and worms might wait for one another
 * for good (as Duato 1993 supposes; Ma, Enright Jerger and Wang 2012). Of several
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
 * Links of a machine need not be equal: a cycle is then the time of a flit on the fastest one, and on another a flit takes t cycles, which need not be
 * whole: the next one follows t later, in the first cycle that begins then, and each lands ⌈t⌉ − 1 cycles later (`flitWires.ts`).
 *
 * Work is done for what moves alone. Links that have something to send are bits of a set, their channels that could send bits of a
 * word; headers that cannot get a channel sleep until one of their router becomes free; cycles in which nothing can happen are
 * jumped. The flits of a worm in a queue are one number, whatever their count.
 */
import { neverCancelled, WorkMeter, type Cancellation } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { drawSeed, type RandomSource } from '../../../model/random.ts';
import { refuseNetwork } from '../../../model/engineRefusals.ts';
import { succeed, type Result } from '../../../model/result.ts';
import { intAt } from '../../../numeric/elements.ts';
import type { Deadlock, MessageAdvance, MessageNetwork, MessageObserver, WaitingPacket } from '../../messages.ts';
import { TimeSlots } from '../../pending.ts';
import { FlitExits } from './flitExits.ts';
import { FlitNodes } from './flitNodes.ts';
import { flitRefusal, type FlitOptions } from './flitOptions.ts';
import { FlitQueues } from './flitQueues.ts';
import { linkWords, packetWords, queueWords, wormStates, wormWords } from './flitRecords.ts';
import { FlitSelection } from './flitSelection.ts';
import { flitTimes } from '../flitTimes.ts';
import { findFlitDeadlock, waitingWorms, type FlitState } from './flitWaits.ts';
import { CrossingRuns, FlitWires } from './flitWires.ts';
import { DistancesToFind, PacketRoutes, tiesOf } from '../packetRoutes.ts';
import type { Stations } from '../packetStations.ts';

const none = -1;

const { absent, routed, asking, sending } = wormStates;
const { shift, room, sender, here, left } = queueWords;
const { shift: wormShift, state: stateWord, packet: packetWord, out, since } = wormWords;
const { nextState, optionCount, landing, candidate, lastPort } = wormWords;
const { shift: linkShift, ready, lastChannel } = linkWords;
const { shift: packetShift, message: messageWord, flits: flitsWord, node: nodeWord, routeState, hops } = packetWords;

/** What is written of a queue before it is used takes as long as so many entries of an array that are read. */
const workOfQueue = 16;

/** Cycles, and moves of flits for each queue, between two looks for worms that wait in a circle while others still move. */
const cyclesPerSearch = 2 ** 13;
const movesPerSearch = 2 ** 6;
/** Moves between two polls of the cancellation. */
const movesPerPoll = 2 ** 13;

/** Fails as `flitRefusal` says. Of no use where it was cancelled. O(queues). */
export function flitNetwork(
  machine: Machine,
  options: FlitOptions,
  random: RandomSource,
  observer: MessageObserver = {},
  cancellation: Cancellation = neverCancelled,
): Result<MessageNetwork> {
  const refusal = flitRefusal(machine, options);
  return refusal ? refuseNetwork(refusal) : succeed(new Flits(machine, options, random, observer, cancellation));
}

class Flits implements MessageNetwork, FlitState {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  now = -1;
  deadlock: Deadlock | undefined;
  readonly channels: number = 0;
  readonly buffer: number = 0;
  readonly linkQueues: number = 0;
  readonly routerLinks: number = 0;
  readonly stations: Stations;
  readonly queues: Int32Array = new Int32Array(0);
  readonly worms: Int32Array = new Int32Array(0);
  readonly links: Int32Array = new Int32Array(0);
  readonly selection: FlitSelection;

  readonly #nodes: FlitNodes;
  readonly #routes: PacketRoutes;
  readonly #distances: DistancesToFind;
  readonly #observer: MessageObserver;
  readonly #isGraph: boolean = false;
  readonly #router: number = 0;

  /** Links that can send, bit by bit. */
  readonly #active: Int32Array = new Int32Array(0);
  /** Channels that are asked for in this cycle. */
  readonly #won: Int32Array = new Int32Array(0);
  /** Headers that ask in this cycle. */
  #asking: Int32Array = new Int32Array(0);
  #askingCount = 0;
  readonly #wormQueues: FlitQueues;
  readonly #exits: FlitExits;

  readonly #wires: FlitWires;
  /** Absent where nobody wants to hear of crossings. */
  readonly #runs: CrossingRuns | undefined;
  readonly #routing: TimeSlots;
  #routingCount = 0;

  #searchAt = cyclesPerSearch;
  #movesToSearch = 0;
  #movesToPoll = movesPerPoll;

  constructor(
    machine: Machine,
    options: FlitOptions,
    random: RandomSource,
    observer: MessageObserver,
    cancellation: Cancellation,
  ) {
    const { channels, buffer, routing, router, link } = options;
    const { nodeCount } = machine;
    const seed = drawSeed(random);
    const routes = new PacketRoutes(machine, { channels, routing, hasBubble: false }, cancellation);
    const { stations } = routes;
    const { linkCount } = stations;
    const linkQueues = linkCount * channels;
    const queueCount = linkQueues + nodeCount;
    this.secondsPerCycle = options.secondsPerCycle;
    // As 32 bits, so that the loops do not take them for doubles.
    this.channels = channels | 0;
    this.buffer = buffer | 0;
    this.linkQueues = linkQueues | 0;
    this.routerLinks = machine.topology.links.routerLinkCount | 0;
    this.stations = stations;
    this.queues = new Int32Array(queueCount << shift);
    this.worms = new Int32Array(queueCount << wormShift);
    this.links = new Int32Array(linkCount << linkShift);
    const meter = new WorkMeter(cancellation);
    for (let queue = 0; queue < queueCount; queue++) {
      if (meter.isCancelledAfter(workOfQueue)) break;
      this.queues[(queue << shift) + room] = buffer;
      this.queues[(queue << shift) + sender] = none;
      this.worms[(queue << wormShift) + out] = none;
      this.worms[(queue << wormShift) + candidate] = none;
      this.worms[(queue << wormShift) + lastPort] = none;
      this.worms[(queue << wormShift) + landing] = buffer - 1;
    }
    this.selection = new FlitSelection(this.queues, this.worms, this.links, routes, options, seed);
    this.#nodes = new FlitNodes(nodeCount, options.packing, (node, serial) =>
      routes.startOf(node, tiesOf(seed, node, serial)),
    );
    this.#routes = routes;
    this.#distances = new DistancesToFind(machine);
    this.#observer = observer;
    this.#isGraph = routes.grid === undefined;
    this.#router = router | 0;
    this.#active = new Int32Array((linkCount + 31) >> 5);
    this.#won = new Int32Array(linkQueues);
    this.#asking = new Int32Array(queueCount);
    this.#wormQueues = new FlitQueues({
      ...{ queues: this.queues, worms: this.worms, linkQueues, buffer, nodes: this.#nodes },
      enough: routes.escapeChannels > 0 ? buffer : 1,
      canSend: (channel) => {
        this.#markReady(channel);
      },
      headerLanded: (queue) => {
        this.#begin(queue, this.now);
      },
      hasRoom: (queue) => {
        this.selection.wake(Math.floor(queue / channels));
      },
    });
    this.#exits = new FlitExits({
      ...{ queues: this.queues, worms: this.worms, stations, selection: this.selection },
      isSingle: options.ejection === 'single',
      flitLeft: (queue) => {
        if (queue < linkQueues) this.#wormQueues.free(queue);
      },
      wormLeft: (queue) => {
        this.#deliver(intAt(this.worms, (queue << wormShift) + packetWord));
        this.#next(queue);
      },
    });
    this.#wires = new FlitWires({ linkCount, places: linkQueues * buffer, link, times: flitTimes(machine) });
    const messageOf = (packet: number): number => intAt(this.packets, (packet << packetShift) + messageWord);
    if (observer.crossed !== undefined) this.#runs = new CrossingRuns(this.links, observer.crossed, messageOf);
    this.#routing = new TimeSlots(queueCount);
    this.#routing.provideDelay(router + 1);
    this.#movesToSearch = movesPerSearch * queueCount;
  }

  get sent(): readonly number[] {
    return this.#nodes.sent;
  }

  get arrived(): readonly number[] {
    return this.#nodes.arrived;
  }

  get messagesUnderWay(): number {
    return this.#nodes.messagesUnderWay;
  }

  get packets(): Int32Array {
    return this.#nodes.packets;
  }

  get places(): Int32Array {
    return this.#wormQueues.places;
  }

  send(from: number, to: number, bytes: number): number {
    const message = this.#nodes.add(from, to, bytes, this.now + 1);
    this.#distances.note(to);
    // It is taken over in the next cycle, before headers ask.
    if (this.worms[((this.linkQueues + from) << wormShift) + stateWord] === absent) this.#inject(from, this.now + 1);
    return message;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    const nodes = this.#nodes;
    nodes.forget();
    if (this.deadlock !== undefined) return 'deadlock';
    if (!this.#distances.find((router) => this.#routes.distancesTo(router), cancellation)) return 'cancelled';
    while (this.now < to) {
      if (this.#movesToPoll <= 0) {
        this.#movesToPoll = movesPerPoll;
        if (cancellation.isCancelled()) return 'cancelled';
      }
      if (!this.#step(to)) return 'deadlock';
      if (nodes.sent.length > 0 || nodes.arrived.length > 0) {
        nodes.arrived.sort((a, b) => a - b);
        return 'events';
      }
    }
    return 'reached';
  }

  waiting(): readonly WaitingPacket[] {
    return waitingWorms(this);
  }

  optionsOf(queue: number): readonly number[] {
    const record = intAt(this.worms, (queue << wormShift) + packetWord) << packetShift;
    const routes = this.#routes;
    if (this.selection.find(queue, intAt(this.packets, record + nodeWord), intAt(this.packets, record + routeState)))
      return [];
    return [...routes.queues.subarray(0, routes.count), ...(routes.hasEscape ? [routes.escape] : [])];
  }

  // A cycle

  /** The next cycle that something can happen in, or all cycles to the one asked for. False where there is a deadlock. */
  #step(to: number): boolean {
    const nodes = this.#nodes;
    if (this.#isIdle()) {
      const due = Math.min(this.#wires.due, this.#routingDue());
      if (due === Infinity && nodes.messagesUnderWay > 0) {
        if (this.#isFree()) throw new RangeError('Packets stopped without a cause.');
        return false;
      }
      if (nodes.handedOver.length === 0) {
        const last = Math.min(to, due - 1);
        this.#pass(last - this.now);
        if (last === to) return true;
      }
    }
    if (nodes.handedOver.length > 0) nodes.takeOver();
    this.#pass(1);
    const { now } = this;
    this.#wormQueues.landAll(this.#wires.lines, now);
    if (this.#routingCount > 0) this.#endRouting();
    if (this.#askingCount > 0) this.#ask();
    this.#exits.give();
    this.#move();
    if (this.#exits.count > 0) this.#exits.move();
    this.#wires.seal(now);
    if (this.#wormQueues.freedCount > 0) this.#wormQueues.giveBack();
    if (now < this.#searchAt && this.#movesToSearch > 0) return true;
    this.#searchAt = now + cyclesPerSearch;
    this.#movesToSearch = movesPerSearch * (this.queues.length >> shift);
    return this.#isFree();
  }

  /** Cycles go by; the last of them is to be simulated. Nobody asks while cycles are passed over. */
  #pass(cycles: number): void {
    if (cycles === 0) return;
    this.now += cycles;
    if (this.#router > 0) this.#routing.pass(cycles);
    this.#askingCount = this.selection.askingCount;
    this.#asking = this.selection.takeAsking();
  }

  /** Nothing moves in the next cycle but what a wire or a router gives back. */
  #isIdle(): boolean {
    if (this.selection.askingCount > 0 || this.#exits.isBusy) return false;
    for (const word of this.#active) if (word !== 0) return false;
    return true;
  }

  #routingDue(): number {
    return this.#routingCount === 0 ? Infinity : this.now + this.#routing.delayToNext();
  }

  /** The first worm of a queue is first from cycle `from` on, and its header is there. */
  #begin(queue: number, from: number): void {
    const worm = queue << wormShift;
    const router = this.#router;
    const { worms } = this;
    const packet = worms[worm + packetWord]!;
    this.queues[(queue << shift) + left] = this.packets[(packet << packetShift) + flitsWord]!;
    worms[worm + since] = from + router;
    if (router > 0) {
      worms[worm + stateWord] = routed;
      this.#routing.schedule(queue, from + router - this.now);
      this.#routingCount++;
      return;
    }
    worms[worm + stateWord] = asking;
    if (from === this.now) this.#asking[this.#askingCount++] = queue;
    else this.selection.askNext(queue);
  }

  #endRouting(): void {
    for (let queue = this.#routing.take(); queue !== none; queue = this.#routing.take()) {
      this.#routingCount--;
      this.worms[(queue << wormShift) + stateWord] = asking;
      this.#asking[this.#askingCount++] = queue;
    }
  }

  // Channels

  /** Headers ask for channels; each channel that is asked for is given to one of them. */
  #ask(): void {
    const { worms, packets, selection, now } = this;
    const list = this.#asking;
    const count = this.#askingCount;
    const won = this.#won;
    let wonCount = 0;
    for (let index = 0; index < count; index++) {
      const queue = list[index]!;
      const worm = queue << wormShift;
      const record = worms[worm + packetWord]! << packetShift;
      const state = packets[record + routeState]!;
      if (selection.find(queue, packets[record + nodeWord]!, state)) {
        this.#exits.leave(queue);
        continue;
      }
      const wanted = selection.choose(queue, now, state);
      if (wanted === none) {
        selection.sleep(queue);
        continue;
      }
      worms[worm + out] = wanted;
      const other = (wanted << wormShift) + candidate;
      const rival = worms[other]!;
      if (rival === none) {
        worms[other] = queue;
        won[wonCount++] = wanted;
      } else if (selection.isBefore(queue, rival, intAt(worms, (wanted << wormShift) + lastPort))) {
        worms[other] = queue;
        selection.askNext(rival);
      } else selection.askNext(queue);
    }
    this.#askingCount = 0;
    for (let index = 0; index < wonCount; index++) this.#grant(won[index]!);
  }

  /** A channel is the winner's; it can be sent through in this cycle. */
  #grant(channel: number): void {
    const { worms, packets } = this;
    const other = channel << wormShift;
    const queue = worms[other + candidate]!;
    const worm = queue << wormShift;
    const packet = worms[worm + packetWord]!;
    const record = packet << packetShift;
    const link = Math.floor(channel / this.channels);
    worms[other + candidate] = none;
    this.queues[(channel << shift) + sender] = queue;
    worms[other + lastPort] = intAt(this.stations.portOfQueue, queue);
    worms[worm + stateWord] = sending;
    if (this.#isGraph) this.#routes.used(queue, link);
    if (link < this.routerLinks) packets[record + hops] = packets[record + hops]! + 1;
    packets[record + routeState] = worms[worm + nextState]!;
    this.#wormQueues.add(channel, packet);
    this.#markReady(channel);
    const waited = (this.now - worms[worm + since]!) | 0;
    if (waited > 0) this.#observer.waited?.(link, this.now - waited, waited, intAt(packets, record + messageWord));
  }

  /** A flit can go through a channel: there is one, and room for it. */
  #markReady(channel: number): void {
    if (this.queues[(channel << shift) + room] === 0) return;
    const link = Math.floor(channel / this.channels);
    const record = (link << linkShift) + ready;
    this.links[record] = this.links[record]! | (1 << (channel - link * this.channels));
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
    this.#movesToSearch -= moves;
  }

  #sendFlit(link: number): void {
    const { queues, links, now } = this;
    if (!this.#wires.canTake(link, now)) return;
    const record = link << linkShift;
    const able = links[record + ready]!;
    // The next channel that can, after the one that was last.
    const behind = able & (-2 << links[record + lastChannel]!);
    const chosen = behind === 0 ? able : behind;
    const bit = 31 - Math.clz32(chosen & -chosen);
    links[record + lastChannel] = bit;
    const channel = link * this.channels + bit;
    const other = channel << shift;
    const queue = queues[other + sender]!;
    const own = queue << shift;
    const stillHere = queues[own + here]! - 1;
    const stillLeft = queues[own + left]! - 1;
    const stillRoom = queues[other + room]! - 1;
    queues[own + here] = stillHere;
    queues[own + left] = stillLeft;
    queues[other + room] = stillRoom;
    const cycles = this.#wires.send(link, channel, now);
    this.#runs?.add(link, intAt(this.worms, (queue << wormShift) + packetWord), now, cycles);
    if (queue < this.linkQueues) this.#wormQueues.free(queue);
    if (stillLeft !== 0 && stillHere !== 0 && stillRoom !== 0) return;
    const others = able & ~(1 << bit);
    links[record + ready] = others;
    if (others === 0) this.#active[link >> 5]! &= ~(1 << (link & 31));
    if (stillLeft !== 0) return;
    queues[other + sender] = none;
    this.#runs?.end(link, now);
    if (stillRoom > 0) this.selection.wake(link);
    this.#next(queue);
  }

  /** The first worm of a queue has left it: the one behind it is first from the next cycle on. */
  #next(queue: number): void {
    const { worms } = this;
    const worm = queue << wormShift;
    worms[worm + stateWord] = absent;
    worms[worm + out] = none;
    worms[worm + optionCount] = 0;
    if (queue >= this.linkQueues) {
      const node = queue - this.linkQueues;
      if (this.#nodes.hasMessage(node)) this.#inject(node, this.now + 1);
      return;
    }
    if (this.#wormQueues.dropFirst(queue)) this.#begin(queue, this.now + 1);
  }

  /** The next packet of a node is first in its injection queue from cycle `from` on. */
  #inject(node: number, from: number): void {
    const packet = this.#nodes.make(node);
    const queue = this.linkQueues + node;
    this.worms[(queue << wormShift) + packetWord] = packet;
    this.queues[(queue << shift) + here] = intAt(this.packets, (packet << packetShift) + flitsWord);
    this.#begin(queue, from);
  }

  #deliver(packet: number): void {
    const nodes = this.#nodes;
    const record = packet << packetShift;
    const message = intAt(nodes.packets, record + messageWord);
    const created = nodes.createdAt(message);
    this.#observer.delivered?.(
      message,
      created,
      this.now,
      intAt(nodes.packets, record + hops),
      intAt(nodes.packets, record + flitsWord),
    );
    nodes.remove(packet);
  }

  /** Whether no worms wait for one another; if they do, {@link deadlock} says which. */
  #isFree(): boolean {
    this.deadlock = findFlitDeadlock(this);
    return this.deadlock === undefined;
  }
}
