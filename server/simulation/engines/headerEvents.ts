/**
 * Messages over the engine of header events (`../wormhole.ts`): one virtual channel, one fixed route per pair. The queue of a
 * node has no bound there, so that a message is `sent` in the cycle after it was handed over.
 *
 * What is handed over at the end of a cycle is sent in the next one, when that has been simulated: the other engine begins a
 * transmission within its cycle `now`.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { succeed, type Result } from '../../model/result.ts';
import type { Deadlock, WaitingPacket } from '../contract.ts';
import {
  flitsOf,
  packetsOf,
  type MessageAdvance,
  type MessageNetwork,
  type MessageObserver,
  type Packing,
} from '../messages.ts';
import { wormhole, type WormholeNetwork } from '../wormhole.ts';
import type { WormholeOptions } from '../wormholeOptions.ts';

export interface HeaderEventsOptions extends WormholeOptions {
  readonly packing: Packing;
  readonly secondsPerCycle: number | undefined;
}

/** Fails where an option is out of its range, as `wormhole` does. */
export function headerEvents(
  machine: Machine,
  options: HeaderEventsOptions,
  observer: MessageObserver = {},
): Result<MessageNetwork> {
  const messages = new Map<number, number>();
  const createdAt: number[] = [];
  const flits: number[] = [];
  const messageOf = (transmission: number): number => messages.get(transmission) ?? 0;
  const { crossed, waited, delivered } = observer;
  const network = wormhole(machine, options, {
    ...(crossed && { owned: (channel, start, cycles, of) => { crossed(channel, start, cycles, messageOf(of)); } }), // prettier-ignore
    ...(waited && { waited: (channel, start, cycles, of) => { waited(channel, start, cycles, messageOf(of)); } }), // prettier-ignore
    ...(delivered && {
      delivered: (of, _packet, _start, end, hops) => {
        const message = messageOf(of);
        delivered(message, createdAt[message] ?? 0, end, hops, flits[message] ?? 0);
      },
    }),
  });
  return network.ok ? succeed(new HeaderEvents(network.value, options, { messages, createdAt, flits })) : network;
}

interface Handed {
  readonly message: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** What is kept of messages under way. */
interface UnderWay {
  /** Message of each transmission. */
  readonly messages: Map<number, number>;
  /** Cycle in which the packets of a message were made, and their lengths. */
  readonly createdAt: number[];
  readonly flits: number[];
}

class HeaderEvents implements MessageNetwork {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  now = -1;
  sent: number[] = [];
  arrived: number[] = [];
  messagesUnderWay = 0;
  deadlock: Deadlock | undefined;

  readonly #network: WormholeNetwork;
  readonly #packing: Packing;
  readonly #underWay: UnderWay;
  /** Handed over since the last cycle. */
  #handed: Handed[] = [];
  #numbers = 0;
  readonly #freeNumbers: number[] = [];

  constructor(network: WormholeNetwork, { packing, secondsPerCycle }: HeaderEventsOptions, underWay: UnderWay) {
    this.#network = network;
    this.#packing = packing;
    this.#underWay = underWay;
    this.secondsPerCycle = secondsPerCycle;
  }

  send(from: number, to: number, bytes: number): number {
    const message = this.#freeNumbers.pop() ?? this.#numbers++;
    this.#handed.push({ message, from, to, bytes });
    this.messagesUnderWay++;
    return message;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    if (this.deadlock !== undefined) return 'deadlock';
    this.#freeNumbers.push(...this.arrived);
    this.sent = [];
    this.arrived = [];
    if (this.now >= to) return 'reached';
    const until = this.#handed.length > 0 ? this.now + 1 : to;
    const why = this.#network.advance(until, cancellation);
    if (why === 'cancelled') {
      // What was handed over is sent when the cycle after it is complete, which it is not yet.
      if (this.#handed.length === 0) this.now = this.#network.now;
      return why;
    }
    this.now = this.#network.now;
    if (why === 'deadlock') {
      const { deadlock } = this.#network;
      this.deadlock = deadlock && { ...deadlock, waits: deadlock.waits.map((wait) => this.#ofMessage(wait)) };
      return why;
    }
    if (why === 'completed') this.#takeArrived();
    this.#sendHanded();
    return this.sent.length + this.arrived.length > 0 ? 'events' : 'reached';
  }

  #takeArrived(): void {
    const { messages } = this.#underWay;
    for (const transmission of this.#network.completed) {
      const message = messages.get(transmission);
      messages.delete(transmission);
      if (message !== undefined) this.arrived.push(message);
    }
    this.arrived.sort((a, b) => a - b);
    this.messagesUnderWay -= this.arrived.length;
  }

  #sendHanded(): void {
    for (const { message, from, to, bytes } of this.#handed) {
      const packets = packetsOf(this.#packing, bytes);
      const flits = flitsOf(this.#packing, bytes);
      const transmission = this.#network.send({
        source: {
          processCount: 1,
          packetCount: packets,
          packetsOf: () => packets,
          destinationOf: () => 1,
        },
        nodeOfProcess: Int32Array.of(from, to),
        flits,
        inOrder: true,
      });
      this.#underWay.messages.set(transmission, message);
      this.#underWay.createdAt[message] = this.now;
      this.#underWay.flits[message] = flits;
      this.sent.push(message);
    }
    this.sent.sort((a, b) => a - b);
    this.#handed = [];
  }

  waiting(): readonly WaitingPacket[] {
    return this.#network.waiting().map((wait) => this.#ofMessage(wait));
  }

  #ofMessage(wait: WaitingPacket): WaitingPacket {
    return { ...wait, transmission: this.#underWay.messages.get(wait.transmission) ?? 0 };
  }
}
