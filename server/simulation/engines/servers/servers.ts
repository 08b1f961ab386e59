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
 * out on the spot (`serverStates.ts`). Messages that have left one server for the next stand in a line by the time they get there
 * (`serverMessages.ts`).
 */
import type { Cancellation } from '../../../model/cancellation.ts';
import { refuseNetwork } from '../../../model/engineRefusals.ts';
import type { Machine } from '../../../model/machine.ts';
import type { RandomSource } from '../../../model/random.ts';
import { type Result, succeed } from '../../../model/result.ts';
import { nodeOfSlot, socketOfSlot } from '../../../model/slots.ts';
import { intAt, realAt } from '../../../numeric/elements.ts';
import { type ClusterFigures, clusterFigures, serviceTime } from '../../../queueing/servers.ts';
import {
  empty,
  type MessageAdvance,
  type MessageNetwork,
  type MessageObserver,
  sortAscending,
  type WaitingPacket,
} from '../../messages.ts';
import { intOf, intsOfRecord, realOf, realsOfRecord, ServerMessages } from './serverMessages.ts';
import {
  secondsPerCycle,
  ServerStates,
  visitOf,
  type ServerFigures,
  type ServerKind,
  type ServerUse,
} from './serverStates.ts';

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

/** Events between two polls of the cancellation: a millisecond, some more where they are recorded. */
const eventsPerPoll = 2 ** 12;
const none = -1;

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
    return refuseNetwork({ kind: 'several-switches', machine: machine.name, routers: machine.topology.routerCount });
  }
  const { variation, cache } = options;
  if (!(variation >= 0 && variation <= 100)) return refuseNetwork({ kind: 'service-variation', value: variation });
  if (cache !== undefined && !(cache > 0)) return refuseNetwork({ kind: 'cache-bandwidth', value: cache });
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
  readonly #observer: MessageObserver;
  readonly #servers: ServerStates;
  /** {@link ServerStates.visit}. */
  readonly #visit: Float64Array;
  /** By slot; sockets are numbered node · sockets + socket. */
  readonly #nodeOf: Int32Array;
  readonly #socketOf: Int32Array;

  // Lines of messages on their way to a server where several lines meet: behind the send queue and behind the sending hardware
  // of each slot, behind the receive queue of each, behind the way into the switch of each node, behind each memory and cache.
  readonly #lineBehindProcessing: number;
  readonly #lineBehindReceiving: number;
  readonly #lineBehindSwitch: number;
  readonly #lineBehindMemory: number;
  readonly #lineBehindCache: number;
  readonly #messages: ServerMessages;
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
    this.#observer = observer;
    this.#servers = new ServerStates(machine, options.variation, random);
    this.#visit = this.#servers.visit;
    this.#switchTime = options.figures.switchTime / secondsPerCycle;
    const { nodeCount, slotCount, socketsPerNode } = machine;
    this.#nodeOf = Int32Array.from({ length: slotCount }, (_, slot) => nodeOfSlot(machine, slot));
    this.#socketOf = Int32Array.from({ length: slotCount }, (_, slot) => socketOfSlot(machine, slot));
    const sockets = nodeCount * socketsPerNode;
    this.#lineBehindProcessing = slotCount;
    this.#lineBehindReceiving = 2 * slotCount;
    this.#lineBehindSwitch = 3 * slotCount;
    this.#lineBehindMemory = this.#lineBehindSwitch + nodeCount;
    this.#lineBehindCache = this.#lineBehindMemory + sockets;
    this.#messages = new ServerMessages(this.#lineBehindCache + sockets);
  }

  get now(): number {
    return this.#now;
  }

  get messagesUnderWay(): number {
    return this.#messagesUnderWay;
  }

  send(from: number, to: number, bytes: number): number {
    const message = this.#messages.add();
    const { ints, reals } = this.#messages;
    ints[message * intsOfRecord + intOf.from] = from;
    ints[message * intsOfRecord + intOf.to] = to;
    const record = message * realsOfRecord;
    reals[record + realOf.bytes] = bytes;
    this.#messagesUnderWay++;
    this.#handedOver.push(message);
    // The end of cycle c is the time c + 1. Whatever happens up to then has happened.
    this.#visit[visitOf.time] = reals[record + realOf.created] = this.#now + 1;
    reals[record + realOf.portStart] = reals[record + realOf.portSince] = 0;
    if (intAt(this.#nodeOf, from) === intAt(this.#nodeOf, to)) {
      this.#copyFirst(message);
    } else {
      // Messages of one size follow one another, so that the line of the calibration is looked up once for many of them.
      if (bytes !== this.#handledBytes) {
        this.#handledBytes = bytes;
        this.#handling = this.#options.figures.messageHandling(bytes) / secondsPerCycle;
      }
      reals[record + realOf.handling] = this.#handling;
      this.#handle(message, this.#servers.firstOf.queuePair + from);
      this.#enqueue(from, message);
    }
    return message;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    for (const message of this.arrived) this.#messages.remove(message);
    empty(this.arrived);
    empty(this.sent);
    if (to <= this.#now) return 'reached';
    let last = to;
    if (this.#handedOver.length > 0) {
      // A send queue has room for all, so who sends may go on at once.
      last = this.#now + 1;
      for (const message of this.#handedOver) this.sent.push(message);
      sortAscending(this.sent);
      empty(this.#handedOver);
    }
    let end = last + 1;
    let before = this.#now + 1;
    for (;;) {
      const line = this.#messages.nextLine;
      if (line === none) break;
      const time = this.#messages.timeOf(line);
      if (time > end) break;
      // Only between cycles, so that the one of the last event is over.
      if (Math.ceil(time) > before && this.#isCancelled(cancellation)) {
        this.#now = Math.max(this.#now, before - 1);
        return 'cancelled';
      }
      before = Math.ceil(time);
      this.#step(line);
      if (this.arrived.length > 0) end = Math.min(end, Math.max(before, this.#now + 2));
    }
    this.#now = end - 1;
    if (this.sent.length === 0 && this.arrived.length === 0) return 'reached';
    sortAscending(this.arrived);
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
    const { reals } = this.#messages;
    const lookAt = (line: number, channel: number): void => {
      for (let message = this.#messages.first(line); message !== none; message = this.#messages.following(message)) {
        const record = message * realsOfRecord;
        if (realAt(reals, record + realOf.portSince) > time || realAt(reals, record + realOf.portStart) <= time)
          continue;
        found.push({ packet: message, transmission: message, holds: [], wants: routerLinkCount + channel });
      }
    };
    const { nodeCount, slotCount } = this.#machine;
    for (let node = 0; node < nodeCount; node++) lookAt(this.#lineBehindSwitch + node, 2 * node);
    for (let slot = 0; slot < slotCount; slot++)
      lookAt(this.#lineBehindReceiving + slot, 2 * intAt(this.#nodeOf, slot) + 1);
    return found.sort((a, b) => a.packet - b.packet);
  }

  serverFigures(): Readonly<Record<ServerKind, ServerFigures>> {
    return this.#servers.figures();
  }

  serverUse(): ServerUse {
    return this.#servers.use();
  }

  /** The first message of a line gets to the server at its end. */
  #step(line: number): void {
    const message = this.#messages.dequeue(line);
    const { firstOf } = this.#servers;
    this.#visit[visitOf.time] = realAt(this.#messages.reals, message * realsOfRecord + realOf.due);
    if (line < this.#lineBehindProcessing) {
      // Memory of the sender's socket, then the hardware, which gets its messages from this memory alone.
      const from = this.#fromOf(message);
      this.#copy(message, firstOf.memory + intAt(this.#socketOf, from));
      this.#handle(message, firstOf.processing + from);
      this.#enqueue(this.#lineBehindProcessing + from, message);
    } else if (line < this.#lineBehindReceiving) {
      const node = intAt(this.#nodeOf, this.#fromOf(message));
      this.#port(message, 2 * node);
      this.#switch(firstOf.switch + 2 * node);
      this.#enqueue(this.#lineBehindSwitch + node, message);
    } else if (line < this.#lineBehindSwitch) {
      const socket = intAt(this.#socketOf, this.#toOf(message));
      this.#copy(message, firstOf.memory + socket);
      this.#messages.ints[message * intsOfRecord + intOf.stage] = beforeEnd;
      this.#enqueue(this.#lineBehindMemory + socket, message);
    } else if (line < this.#lineBehindMemory) {
      const to = this.#toOf(message);
      const node = intAt(this.#nodeOf, to);
      const { slotCount } = this.#machine;
      this.#switch(firstOf.switch + 2 * node + 1);
      this.#port(message, 2 * node + 1);
      this.#handle(message, firstOf.processing + slotCount + to);
      this.#handle(message, firstOf.queuePair + slotCount + to);
      this.#enqueue(this.#lineBehindReceiving + to, message);
    } else if (this.#messages.ints[message * intsOfRecord + intOf.stage] === beforeCopy) {
      this.#copySecond(message);
    } else {
      this.#arrive(message);
    }
  }

  #arrive(message: number): void {
    this.#messagesUnderWay--;
    this.arrived.push(message);
    if (this.#observer.delivered === undefined) return;
    const { reals } = this.#messages;
    const record = message * realsOfRecord;
    const end = Math.max(this.#now + 1, Math.ceil(realAt(reals, record + realOf.due)) - 1);
    const created = realAt(reals, record + realOf.created);
    this.#observer.delivered(message, created, end, 0, realAt(reals, record + realOf.bytes));
  }

  /** Out of the memory of the sender's socket, or its cache where both ends share one. */
  #copyFirst(message: number): void {
    this.#copyWithin(message, intAt(this.#socketOf, this.#fromOf(message)), 1, beforeCopy);
  }

  #copySecond(message: number): void {
    const socket = intAt(this.#socketOf, this.#toOf(message));
    const isRemote = intAt(this.#socketOf, this.#fromOf(message)) !== socket;
    this.#copyWithin(message, socket, isRemote ? remoteCopy : 1, beforeEnd);
  }

  /** Memory and cache of a socket have a line each, which is in order of its own server. */
  #copyWithin(message: number, socket: number, factor: number, stage: number): void {
    const { cache } = this.#options;
    const { ints, reals } = this.#messages;
    const bytes = realAt(reals, message * realsOfRecord + realOf.bytes);
    const isCached =
      cache !== undefined &&
      bytes <= cacheBuffer &&
      intAt(this.#socketOf, this.#fromOf(message)) === intAt(this.#socketOf, this.#toOf(message));
    const bandwidth = isCached ? cache : this.#options.figures.memory;
    const { firstOf } = this.#servers;
    this.#visit[visitOf.service] = (bytes / bandwidth / secondsPerCycle) * factor;
    this.#servers.serve((isCached ? firstOf.cache : firstOf.memory) + socket);
    ints[message * intsOfRecord + intOf.stage] = stage;
    this.#enqueue((isCached ? this.#lineBehindCache : this.#lineBehindMemory) + socket, message);
  }

  /** At the memory of a socket, on the way between nodes. */
  #copy(message: number, memory: number): void {
    const bytes = realAt(this.#messages.reals, message * realsOfRecord + realOf.bytes);
    this.#visit[visitOf.service] = bytes / this.#options.figures.memory / secondsPerCycle;
    this.#servers.serve(memory);
  }

  /** At a queue pair, or the hardware behind it. */
  #handle(message: number, server: number): void {
    this.#visit[visitOf.service] = realAt(this.#messages.reals, message * realsOfRecord + realOf.handling);
    this.#servers.serve(server);
  }

  #switch(server: number): void {
    this.#visit[visitOf.service] = this.#switchTime;
    this.#servers.serve(server);
  }

  /** At a port: 2·node out of the node, the next one into it. */
  #port(message: number, port: number): void {
    const visit = this.#visit;
    const { reals } = this.#messages;
    const record = message * realsOfRecord;
    const time = realAt(visit, visitOf.time);
    visit[visitOf.service] =
      serviceTime('port out', realAt(reals, record + realOf.bytes), this.#options.figures) / secondsPerCycle;
    this.#servers.serve(this.#servers.firstOf.port + port);
    const start = realAt(visit, visitOf.start);
    reals[record + realOf.portSince] = time;
    reals[record + realOf.portStart] = start;
    const { waited, crossed } = this.#observer;
    if (waited === undefined && crossed === undefined) return;
    const channel = this.#machine.topology.links.routerLinkCount + port;
    const first = Math.floor(start);
    const wait = first - Math.floor(time);
    if (wait > 0) waited?.(channel, Math.floor(time), wait, message);
    crossed?.(channel, first, Math.ceil(realAt(visit, visitOf.time)) - first, message);
  }

  /** The message of the visit, when it leaves the server. */
  #enqueue(line: number, message: number): void {
    this.#messages.reals[message * realsOfRecord + realOf.due] = realAt(this.#visit, visitOf.time);
    this.#messages.enqueue(line, message);
  }

  #fromOf(message: number): number {
    return intAt(this.#messages.ints, message * intsOfRecord + intOf.from);
  }

  #toOf(message: number): number {
    return intAt(this.#messages.ints, message * intsOfRecord + intOf.to);
  }
}
