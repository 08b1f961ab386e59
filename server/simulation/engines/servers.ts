/**
 * The engine of servers: the cluster of Soryani et al. 2013 as a network of queues, one server for each part of the hardware
 * that messages use. Servers, service times and figures are those of the analytic model in `server/queueing`.
 *
 * A message between nodes passes, in this order: the queue pair of the sender's core, the memory of its socket, the processing
 * hardware behind the queue pair, the port out of the node, the way into the switch and the way out of it, the port in, then
 * processing hardware, queue pair and memory of the receiver. A message within a node is copied by the memory of the sender's
 * socket and then by that of the receiver's; where these are two sockets the second copy takes {@link remoteCopy} times as
 * long (table 2). All servers are first come first served with unlimited queues. The ends of messages are slots, since
 * queue pairs belong to cores and memories to sockets. Accesses to memory that are no messages are left out.
 *
 * A cycle is a nanosecond; service times are not rounded to it. When a message comes to a server, everything that came before it
 * is known, and so is the time at which it will leave. Hence only the ways on which messages of several origins meet need
 * a calendar: of the ten servers between two nodes five get their messages from one server alone, in order, and are worked
 * out on the spot. Messages that have left one server for the next stand in a line by the time they get there; the calendar
 * holds the first of each line, so it does not grow with messages that wait.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { RandomSource } from '../../model/random.ts';
import { fail, type Result, succeed } from '../../model/result.ts';
import { nodeOfSlot, socketOfSlot } from '../../model/slots.ts';
import { gammaDeviate, exponentialDeviate } from '../../numeric/elementary.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { IndexedHeap } from '../../numeric/heap.ts';
import { type ClusterFigures, clusterFigures, serviceTime } from '../../queueing/servers.ts';
import type { WaitingPacket } from '../contract.ts';
import type { MessageAdvance, MessageNetwork, MessageObserver } from '../messages.ts';

/** What all messages of a kind of server have done there. */
export interface ServerFigures {
  /** Messages that came. */
  readonly visits: number;
  /** Seconds that they waited before they were served, summed. */
  readonly waiting: number;
  /** Seconds that the busiest server of the kind has worked, and all of them together. */
  readonly busiest: number;
  readonly busy: number;
}

/**
 * What each server has done, by its number: kind by kind as {@link serverKinds} has them; of queue pairs and their hardware those that send, then those
 * that receive, by slot; of ports and the switch the way out of a node (into the switch) and behind it the way in, by node; memories and caches
 * by node · sockets + socket.
 */
export interface ServerUse {
  /** Of each kind the number of its first server. */
  readonly firstOf: Readonly<Record<ServerKind, number>>;
  /** Messages that came, cycles that they waited before they were served, cycles that the server has worked. */
  readonly visits: Float64Array;
  readonly waited: Float64Array;
  readonly busy: Float64Array;
}

/** Queue pairs and the hardware behind them, ports and switch are the interface; memories and caches the memory. */
export const serverKinds = ['queuePair', 'processing', 'port', 'switch', 'memory', 'cache'] as const;
export type ServerKind = (typeof serverKinds)[number];

export interface ServerOptions {
  readonly figures: ClusterFigures;
  /**
   * Coefficient of variation of service times around what the figures say: 0 for constant times, 1 for exponential ones,
   * another one for a gamma distribution.
   */
  readonly variation: number;
  /** Bytes per second of the cache that messages of at most {@link cacheBuffer} take within a socket, in place of its memory. */
  readonly cache?: number;
}

/** Soryani et al. 2013, table 2: "10 % more than local memory access latency". */
export const remoteCopy = 1.1;
/** Soryani et al. 2013, table 2: "Maximum size of common buffer in cache". */
export const cacheBuffer = 2 ** 20;

/** A cycle is a nanosecond. */
export const secondsPerCycle = 1e-9;
/** Events between two polls of the cancellation: a millisecond, some more where they are recorded. */
const eventsPerPoll = 2 ** 12;
const none = -1;

/** Places in the record of a message: its next server is reached at `due`, and `next` is behind it in the line; `portSince` and
 * `portStart` are when it came to the last port on its way and when it was served there, for {@link ServerNetwork.waiting}. */
const realOf = { due: 0, bytes: 1, created: 2, portSince: 3, portStart: 4 } as const;
const intOf = { from: 10, to: 11, next: 12, stage: 13 } as const;
const realsOfRecord = 8;
const intsOfRecord = 16;

/** Places in the record of a server: when it is free of all that came so far; cycles that it has worked; messages; cycles that they waited. */
const stateOf = { freeAt: 0, busy: 1, visits: 2, waited: 3 } as const;
const statesOfServer = 4;

/** On a message's way: where it stands in line to be next. */
const beforeCopy = 0;
const beforeEnd = 1;

export interface ServerNetwork extends MessageNetwork {
  /** Of everything so far; of a part of a run the difference of two. O(servers). */
  serverFigures(): Readonly<Record<ServerKind, ServerFigures>>;
  /** The same of each server. O(servers). */
  serverUse(): ServerUse;
}

/**
 * Fails with `bad-network` where the nodes do not hang on one switch, and where an option makes no sense.
 * O(slots).
 */
export function serverNetwork(
  machine: Machine,
  options: ServerOptions,
  random: RandomSource,
  observer: MessageObserver = {},
): Result<ServerNetwork> {
  if (machine.topology.routerCount !== 1) {
    return fail(
      'bad-network',
      `A network of queues has one switch, and \`${machine.name}\` has ${machine.topology.routerCount} routers: ` +
        'use `topology cluster(N)`, or another `switching`.',
    );
  }
  const { variation, cache } = options;
  if (!(variation >= 0 && variation <= 100)) {
    return fail('bad-network', `The variation of service times is ${variation}: it lies between 0 and 100.`);
  }
  if (cache !== undefined && !(cache > 0)) {
    return fail('bad-network', `The bandwidth of the cache is ${cache} B/s: it must be above 0.`);
  }
  return succeed(new Servers(machine, options, random, observer));
}

/** The options for a machine: its own figures, those of the paper where it has none, constant service. */
export const defaultServerOptions = (machine: Machine): ServerOptions => ({
  figures: clusterFigures(machine).figures,
  variation: 0,
});

class Servers implements ServerNetwork {
  readonly endpoints = 'slots';
  readonly secondsPerCycle = secondsPerCycle;
  readonly deadlock = undefined;
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  #now = -1;
  #messagesUnderWay = 0;

  readonly #machine: Machine;
  readonly #options: ServerOptions;
  readonly #random: RandomSource;
  readonly #observer: MessageObserver;

  /** Servers are numbered as {@link ServerUse} says. */
  readonly #firstOf: Readonly<Record<ServerKind, number>>;
  readonly #serverCount: number;
  /** A record for each server, by {@link stateOf}: two of them in a line of the processor's cache. */
  readonly #states: Float64Array;

  // Lines of messages on their way to a server where several lines meet: behind the send queue and behind the sending hardware
  // of each slot, behind the receive queue of each, behind the way into the switch of each node, behind each memory and cache.
  readonly #lineBehindProcessing: number;
  readonly #lineBehindReceiving: number;
  readonly #lineBehindSwitch: number;
  readonly #lineBehindMemory: number;
  readonly #head: Int32Array;
  readonly #tail: Int32Array;
  /** Minus the time at which the first of each line is there: heaps have the largest key at the top. */
  readonly #key: Float64Array;
  readonly #calendar: IndexedHeap;

  /**
   * Messages, a record of 64 bytes each, by {@link realOf} and {@link intOf}: what is known of one lies in one line of the processor's
   * cache. With hundreds of thousands under way an array per field costs a fifth of the speed (`bench servers`).
   */
  #reals = new Float64Array(64 * realsOfRecord);
  #ints = new Int32Array(this.#reals.buffer);
  #messageCount = 0;
  readonly #unused: number[] = [];
  /** Handed over at the end of the present cycle. */
  readonly #handedOver: number[] = [];
  #polls = eventsPerPoll;
  readonly #switchTime: number;
  /** The last size that was asked for, and the cycles that a queue pair works on it. */
  #handledBytes = 0;
  #handling = 0;

  constructor(machine: Machine, options: ServerOptions, random: RandomSource, observer: MessageObserver) {
    this.#machine = machine;
    this.#options = options;
    this.#random = random;
    this.#observer = observer;
    this.#switchTime = options.figures.switchTime / secondsPerCycle;
    const { nodeCount, slotCount, socketsPerNode } = machine;
    const sockets = nodeCount * socketsPerNode;
    const counts = [2 * slotCount, 2 * slotCount, 2 * nodeCount, 2 * nodeCount, sockets, sockets];
    let servers = 0;
    const firsts = serverKinds.map((kind, index) => {
      const first = servers;
      servers += counts[index] ?? 0;
      return [kind, first] as const;
    });
    this.#firstOf = Object.fromEntries(firsts) as Record<ServerKind, number>;
    this.#serverCount = servers;
    this.#states = new Float64Array(servers * statesOfServer);
    this.#lineBehindProcessing = slotCount;
    this.#lineBehindReceiving = 2 * slotCount;
    this.#lineBehindSwitch = 3 * slotCount;
    this.#lineBehindMemory = this.#lineBehindSwitch + nodeCount;
    const lines = this.#lineBehindMemory + 2 * sockets;
    this.#head = new Int32Array(lines).fill(none);
    this.#tail = new Int32Array(lines).fill(none);
    this.#key = new Float64Array(lines);
    this.#calendar = new IndexedHeap(this.#key);
  }

  get now(): number {
    return this.#now;
  }

  get messagesUnderWay(): number {
    return this.#messagesUnderWay;
  }

  send(from: number, to: number, bytes: number): number {
    const message = this.#unused.pop() ?? this.#messageCount++;
    if (message * realsOfRecord >= this.#reals.length) this.#grow();
    this.#ints[message * intsOfRecord + intOf.from] = from;
    this.#ints[message * intsOfRecord + intOf.to] = to;
    this.#reals[message * realsOfRecord + realOf.bytes] = bytes;
    this.#messagesUnderWay++;
    this.#handedOver.push(message);
    // The end of cycle c is the time c + 1. Whatever happens up to then has happened.
    const time = this.#now + 1;
    this.#reals[message * realsOfRecord + realOf.created] = time;
    this.#reals[message * realsOfRecord + realOf.portStart] = this.#reals[message * realsOfRecord + realOf.portSince] =
      0;
    if (this.#nodeOf(from) === this.#nodeOf(to)) {
      this.#copyFirst(message, time);
    } else {
      const left = this.#serve(this.#firstOf.queuePair + from, time, this.#handlingOf(message));
      this.#enqueue(from, message, left);
    }
    return message;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    for (const message of this.arrived) this.#unused.push(message);
    this.arrived.length = 0;
    this.sent.length = 0;
    if (to <= this.#now) return 'reached';
    let last = to;
    if (this.#handedOver.length > 0) {
      // A send queue has room for all, so who sends may go on at once.
      last = this.#now + 1;
      for (const message of this.#handedOver) this.sent.push(message);
      this.sent.sort((a, b) => a - b);
      this.#handedOver.length = 0;
    }
    let end = last + 1;
    let before = this.#now + 1;
    for (;;) {
      const line = this.#calendar.top;
      if (line === none) break;
      const time = -realAt(this.#key, line);
      if (time > end) break;
      // Only between cycles, so that the one of the last event is over.
      if (Math.ceil(time) > before && this.#isCancelled(cancellation)) {
        this.#now = Math.max(this.#now, before - 1);
        return 'cancelled';
      }
      before = Math.ceil(time);
      this.#step(line, time);
      if (this.arrived.length > 0) end = Math.min(end, Math.max(before, this.#now + 2));
    }
    this.#now = end - 1;
    if (this.sent.length === 0 && this.arrived.length === 0) return 'reached';
    this.arrived.sort((a, b) => a - b);
    return 'events';
  }

  /** Never while there is something to tell. */
  #isCancelled(cancellation: Cancellation): boolean {
    if (this.#polls-- > 0 || this.sent.length + this.arrived.length > 0) return false;
    this.#polls = eventsPerPoll;
    return cancellation.isCancelled();
  }

  waiting(): readonly WaitingPacket[] {
    const time = this.#now + 1;
    const { routerLinkCount } = this.#machine.topology.links;
    const found: WaitingPacket[] = [];
    const lookAt = (line: number, channel: (message: number) => number): void => {
      for (
        let message = intAt(this.#head, line);
        message !== none;
        message = intAt(this.#ints, message * intsOfRecord + intOf.next)
      ) {
        if (
          realAt(this.#reals, message * realsOfRecord + realOf.portSince) > time ||
          realAt(this.#reals, message * realsOfRecord + realOf.portStart) <= time
        )
          continue;
        found.push({ packet: message, transmission: message, holds: [], wants: routerLinkCount + channel(message) });
      }
    };
    const { nodeCount, slotCount } = this.#machine;
    for (let node = 0; node < nodeCount; node++) lookAt(this.#lineBehindSwitch + node, () => 2 * node);
    for (let slot = 0; slot < slotCount; slot++)
      lookAt(this.#lineBehindReceiving + slot, () => 2 * this.#nodeOf(slot) + 1);
    return found.sort((a, b) => a.packet - b.packet);
  }

  serverFigures(): Readonly<Record<ServerKind, ServerFigures>> {
    const { visits, waited, busy } = this.serverUse();
    const figures = serverKinds.map((kind, index): [ServerKind, ServerFigures] => {
      const following = serverKinds[index + 1];
      const end = following === undefined ? this.#serverCount : this.#firstOf[following];
      const sumOf = (values: Float64Array): number => values.subarray(this.#firstOf[kind], end).reduce((sum, value) => sum + value, 0); // prettier-ignore
      const most = busy.subarray(this.#firstOf[kind], end).reduce((highest, value) => Math.max(highest, value), 0);
      return [
        kind,
        {
          visits: sumOf(visits),
          waiting: sumOf(waited) * secondsPerCycle,
          busiest: most * secondsPerCycle,
          busy: sumOf(busy) * secondsPerCycle,
        },
      ];
    });
    return Object.fromEntries(figures) as Record<ServerKind, ServerFigures>;
  }

  serverUse(): ServerUse {
    const ofAll = (place: number): Float64Array =>
      Float64Array.from({ length: this.#serverCount }, (_, server) => realAt(this.#states, server * statesOfServer + place)); // prettier-ignore
    return {
      firstOf: this.#firstOf,
      ...{ visits: ofAll(stateOf.visits), waited: ofAll(stateOf.waited), busy: ofAll(stateOf.busy) },
    };
  }

  /** The first message of a line gets to the server at its end. */
  #step(line: number, time: number): void {
    const message = this.#dequeue(line);
    if (line < this.#lineBehindProcessing) {
      // Memory of the sender's socket, then the hardware, which gets its messages from this memory alone.
      const from = intAt(this.#ints, message * intsOfRecord + intOf.from);
      const copied = this.#serve(this.#firstOf.memory + this.#socketOf(from), time, this.#copyOf(message));
      const slots = this.#machine.slotCount;
      const prepared = this.#serve(this.#firstOf.processing + from, copied, this.#handlingOf(message));
      this.#enqueue(slots + from, message, prepared);
    } else if (line < this.#lineBehindReceiving) {
      const node = this.#nodeOf(intAt(this.#ints, message * intsOfRecord + intOf.from));
      const left = this.#port(message, 2 * node, time);
      const entered = this.#serve(this.#firstOf.switch + 2 * node, left, this.#switchTime);
      this.#enqueue(this.#lineBehindSwitch + node, message, entered);
    } else if (line < this.#lineBehindSwitch) {
      const to = intAt(this.#ints, message * intsOfRecord + intOf.to);
      const end = this.#serve(this.#firstOf.memory + this.#socketOf(to), time, this.#copyOf(message));
      this.#enqueueBehindCopy(this.#socketOf(to), message, end, beforeEnd);
    } else if (line < this.#lineBehindMemory) {
      const to = intAt(this.#ints, message * intsOfRecord + intOf.to);
      const node = this.#nodeOf(to);
      const { slotCount } = this.#machine;
      const out = this.#serve(this.#firstOf.switch + 2 * node + 1, time, this.#switchTime);
      const inside = this.#port(message, 2 * node + 1, out);
      const handling = this.#handlingOf(message);
      const unpacked = this.#serve(this.#firstOf.processing + slotCount + to, inside, handling);
      const queued = this.#serve(this.#firstOf.queuePair + slotCount + to, unpacked, handling);
      this.#enqueue(this.#lineBehindReceiving + to, message, queued);
    } else if (this.#ints[message * intsOfRecord + intOf.stage] === beforeCopy) {
      this.#copySecond(message, time);
    } else {
      this.#messagesUnderWay--;
      this.arrived.push(message);
      const bytes = realAt(this.#reals, message * realsOfRecord + realOf.bytes);
      const end = Math.max(this.#now + 1, Math.ceil(time) - 1);
      this.#observer.delivered?.(message, realAt(this.#reals, message * realsOfRecord + realOf.created), end, 0, bytes);
    }
  }

  /** Out of the memory of the sender's socket, or its cache where both ends share one. */
  #copyFirst(message: number, time: number): void {
    const socket = this.#socketOf(intAt(this.#ints, message * intsOfRecord + intOf.from));
    this.#enqueueBehindCopy(socket, message, this.#copyWithin(message, socket, time, 1), beforeCopy);
  }

  #copySecond(message: number, time: number): void {
    const [from, socket] = [
      this.#socketOf(intAt(this.#ints, message * intsOfRecord + intOf.from)),
      this.#socketOf(intAt(this.#ints, message * intsOfRecord + intOf.to)),
    ];
    const end = this.#copyWithin(message, socket, time, from === socket ? 1 : remoteCopy);
    this.#enqueueBehindCopy(socket, message, end, beforeEnd);
  }

  #copyWithin(message: number, socket: number, time: number, factor: number): number {
    const service = this.#copyOf(message) * factor;
    return this.#inCache(message)
      ? this.#serve(this.#firstOf.cache + socket, time, service)
      : this.#serve(this.#firstOf.memory + socket, time, service);
  }

  /** Behind the memory, or behind the cache: each line is in order of its own server. */
  #enqueueBehindCopy(socket: number, message: number, time: number, stage: number): void {
    this.#ints[message * intsOfRecord + intOf.stage] = stage;
    const { nodeCount, socketsPerNode } = this.#machine;
    const behind = this.#inCache(message) ? nodeCount * socketsPerNode : 0;
    this.#enqueue(this.#lineBehindMemory + behind + socket, message, time);
  }

  #inCache(message: number): boolean {
    return (
      this.#options.cache !== undefined &&
      realAt(this.#reals, message * realsOfRecord + realOf.bytes) <= cacheBuffer &&
      this.#socketOf(intAt(this.#ints, message * intsOfRecord + intOf.from)) ===
        this.#socketOf(intAt(this.#ints, message * intsOfRecord + intOf.to))
    );
  }

  /** Serves a message at a port: 2·node out of the node, the next one into it. */
  #port(message: number, port: number, time: number): number {
    const service =
      serviceTime('port out', realAt(this.#reals, message * realsOfRecord + realOf.bytes), this.#options.figures) /
      secondsPerCycle;
    const server = this.#firstOf.port + port;
    const start = Math.max(time, realAt(this.#states, server * statesOfServer + stateOf.freeAt));
    this.#reals[message * realsOfRecord + realOf.portSince] = time;
    this.#reals[message * realsOfRecord + realOf.portStart] = start;
    const end = this.#serve(server, time, service);
    const waited = Math.floor(start) - Math.floor(time);
    if (waited > 0) {
      const { routerLinkCount } = this.#machine.topology.links;
      this.#observer.waited?.(routerLinkCount + port, Math.floor(time), waited, message);
    }
    if (this.#observer.crossed !== undefined) {
      const { routerLinkCount } = this.#machine.topology.links;
      const first = Math.floor(start);
      this.#observer.crossed(routerLinkCount + port, first, Math.ceil(end) - first, message);
    }
    return end;
  }

  /** Cycle in which a message that comes at `time` has been served. */
  #serve(server: number, time: number, service: number): number {
    const states = this.#states;
    const state = server * statesOfServer;
    const start = Math.max(time, realAt(states, state + stateOf.freeAt));
    const taken = this.#options.variation === 0 ? service : service * this.#deviate();
    states[state + stateOf.visits] = realAt(states, state + stateOf.visits) + 1;
    states[state + stateOf.waited] = realAt(states, state + stateOf.waited) + start - time;
    states[state + stateOf.busy] = realAt(states, state + stateOf.busy) + taken;
    return (states[state + stateOf.freeAt] = start + taken);
  }

  /** Of mean 1. */
  #deviate(): number {
    const { variation } = this.#options;
    if (variation === 1) return exponentialDeviate(this.#random);
    const shape = 1 / (variation * variation);
    return gammaDeviate(shape, this.#random) / shape;
  }

  /** Messages of one size follow one another, so that the line of the calibration is looked up once for many of them. */
  #handlingOf(message: number): number {
    const bytes = realAt(this.#reals, message * realsOfRecord + realOf.bytes);
    if (bytes !== this.#handledBytes) {
      this.#handledBytes = bytes;
      this.#handling = this.#options.figures.messageHandling(bytes) / secondsPerCycle;
    }
    return this.#handling;
  }

  #copyOf(message: number): number {
    const { cache, figures } = this.#options;
    const bandwidth = cache !== undefined && this.#inCache(message) ? cache : figures.memory;
    return realAt(this.#reals, message * realsOfRecord + realOf.bytes) / bandwidth / secondsPerCycle;
  }

  #nodeOf(slot: number): number {
    return nodeOfSlot(this.#machine, slot);
  }

  /** Node · sockets + socket. */
  #socketOf(slot: number): number {
    return socketOfSlot(this.#machine, slot);
  }

  #enqueue(line: number, message: number, time: number): void {
    this.#reals[message * realsOfRecord + realOf.due] = time;
    this.#ints[message * intsOfRecord + intOf.next] = none;
    const tail = intAt(this.#tail, line);
    this.#tail[line] = message;
    if (tail !== none) {
      this.#ints[tail * intsOfRecord + intOf.next] = message;
    } else {
      this.#head[line] = message;
      this.#key[line] = -time;
      this.#calendar.add(line);
    }
  }

  /** The first of the line that is at the top of the calendar. */
  #dequeue(line: number): number {
    const message = intAt(this.#head, line);
    const next = intAt(this.#ints, message * intsOfRecord + intOf.next);
    this.#head[line] = next;
    if (next === none) {
      this.#tail[line] = none;
      this.#calendar.remove(line);
    } else {
      this.#key[line] = -realAt(this.#reals, next * realsOfRecord + realOf.due);
      this.#calendar.update(line);
    }
    return message;
  }

  #grow(): void {
    const reals = new Float64Array(2 * this.#reals.length);
    reals.set(this.#reals);
    this.#reals = reals;
    this.#ints = new Int32Array(reals.buffer);
  }
}
