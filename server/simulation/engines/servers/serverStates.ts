/**
 * The servers of a cluster of Soryani et al.: which there are, how long each takes, and what each has done. All are first come first served
 * with unlimited queues: whoever asks for a visit asks in the order in which messages come, and hears at once when the message will leave.
 */
import type { Machine } from '../../../model/machine.ts';
import type { RandomSource } from '../../../model/random.ts';
import { exponentialDeviate, gammaDeviate } from '../../../numeric/elementary.ts';
import { realAt } from '../../../numeric/elements.ts';

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

/** A cycle is a nanosecond. */
export const secondsPerCycle = 1e-9;

/** Places in the record of a server: when it is free of all that came so far; cycles that it has worked; messages; cycles that they waited. */
const stateOf = { freeAt: 0, busy: 1, visits: 2, waited: 3 } as const;
const statesOfServer = 4;

/**
 * Places in {@link ServerStates.visit}, in cycles: when the message comes and, once it has been served, when it leaves; how long it is to be
 * served; when that began.
 */
export const visitOf = { time: 0, service: 1, start: 2 } as const;

export class ServerStates {
  /** Servers are numbered as {@link ServerUse} says. */
  readonly firstOf: Readonly<Record<ServerKind, number>>;
  /**
   * The visit that is worked out, by {@link visitOf}. Its times stand here and are no arguments and results, since engines of JavaScript
   * make an object for each double that goes into or out of a call which is not inlined: ten and more for each server on a message's way.
   */
  readonly visit = new Float64Array(3);
  readonly #count: number;
  /** A record for each server, by {@link stateOf}: two of them in a line of the processor's cache. */
  readonly #states: Float64Array;
  readonly #variation: number;
  readonly #random: RandomSource;

  /** `variation` is that of service times, {@link ServerOptions.variation}. O(slots). */
  constructor({ nodeCount, slotCount, socketsPerNode }: Machine, variation: number, random: RandomSource) {
    const sockets = nodeCount * socketsPerNode;
    const counts = [2 * slotCount, 2 * slotCount, 2 * nodeCount, 2 * nodeCount, sockets, sockets];
    let servers = 0;
    const firsts = serverKinds.map((kind, index) => {
      const first = servers;
      servers += counts[index] ?? 0;
      return [kind, first] as const;
    });
    this.firstOf = Object.fromEntries(firsts) as Record<ServerKind, number>;
    this.#count = servers;
    this.#states = new Float64Array(servers * statesOfServer);
    this.#variation = variation;
    this.#random = random;
  }

  /** The message of {@link visit} is served. */
  serve(server: number): void {
    const visit = this.visit;
    const states = this.#states;
    const state = server * statesOfServer;
    const time = realAt(visit, visitOf.time);
    const start = Math.max(time, realAt(states, state + stateOf.freeAt));
    const service = realAt(visit, visitOf.service);
    const taken = this.#variation === 0 ? service : service * this.#deviate();
    states[state + stateOf.visits] = realAt(states, state + stateOf.visits) + 1;
    states[state + stateOf.waited] = realAt(states, state + stateOf.waited) + start - time;
    states[state + stateOf.busy] = realAt(states, state + stateOf.busy) + taken;
    visit[visitOf.start] = start;
    visit[visitOf.time] = states[state + stateOf.freeAt] = start + taken;
  }

  /** Of mean 1. */
  #deviate(): number {
    const variation = this.#variation;
    if (variation === 1) return exponentialDeviate(this.#random);
    const shape = 1 / (variation * variation);
    return gammaDeviate(shape, this.#random) / shape;
  }

  /** Of everything so far. O(servers). */
  figures(): Readonly<Record<ServerKind, ServerFigures>> {
    const { visits, waited, busy } = this.use();
    const figures = serverKinds.map((kind, index): [ServerKind, ServerFigures] => {
      const following = serverKinds[index + 1];
      const end = following === undefined ? this.#count : this.firstOf[following];
      const sumOf = (values: Float64Array): number =>
        values.subarray(this.firstOf[kind], end).reduce((sum, value) => sum + value, 0);
      const most = busy.subarray(this.firstOf[kind], end).reduce((highest, value) => Math.max(highest, value), 0);
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

  /** The same of each server. O(servers). */
  use(): ServerUse {
    const ofAll = (place: number): Float64Array =>
      Float64Array.from({ length: this.#count }, (_, server) => realAt(this.#states, server * statesOfServer + place));
    return {
      firstOf: this.firstOf,
      ...{ visits: ofAll(stateOf.visits), waited: ofAll(stateOf.waited), busy: ofAll(stateOf.busy) },
    };
  }
}
