/**
 * Messages and jobs over the engine of header events (`./wormhole.ts`): one virtual channel, one fixed route per pair. The queue of a
 * node has no bound there, so that a message is `sent` in the cycle after it was handed over. What a job sends begins at once.
 *
 * What is handed over at the end of a cycle is sent in the next one, when that has been simulated: the other engine begins a
 * transmission within its cycle `now`.
 */
import { appendAll } from '../../../model/lists.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { succeed, type Result } from '../../../model/result.ts';
import { itemAt } from '../../../numeric/elements.ts';
import {
  type Deadlock,
  type Figures,
  flitsOf,
  type MessageAdvance,
  type MessageObserver,
  packetsOf,
  type Packing,
  type StreamNetwork,
  type Transmission,
  type WaitingPacket,
} from '../../messages.ts';
import { wormhole, type WormholeNetwork } from './wormhole.ts';
import type { WormholeOptions } from './wormholeOptions.ts';

export interface HeaderEventsOptions extends WormholeOptions {
  readonly packing: Packing;
  readonly secondsPerCycle: number | undefined;
}

/** Fails where an option is out of its range, as `wormhole` does. */
export function headerEvents(
  machine: Machine,
  options: HeaderEventsOptions,
  observer: MessageObserver = {},
): Result<HeaderEvents> {
  const underWay: UnderWay = { createdAt: [], flits: [] };
  const { createdAt, flits } = underWay;
  const { crossed, waited, delivered } = observer;
  const network = wormhole(machine, options, {
    ...(crossed && { owned: crossed }),
    ...(waited && { waited }),
    ...(delivered && {
      delivered: (message, _packet, start, end, hops) => {
        delivered(message, createdAt[message] ?? start, end, hops, flits[message] ?? 0);
      },
    }),
  });
  return network.ok ? succeed(new HeaderEvents(network.value, options, underWay)) : network;
}

/** What is kept of messages under way, by their numbers: cycle in which their packets were made (absent of jobs), and the lengths of these. */
interface UnderWay {
  readonly createdAt: number[];
  readonly flits: number[];
}

export class HeaderEvents implements StreamNetwork {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  now = -1;
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  readonly completed: number[] = [];
  messagesUnderWay = 0;
  deadlock: Deadlock | undefined;

  readonly #network: WormholeNetwork;
  readonly #packing: Packing;
  readonly #underWay: UnderWay;
  /** Handed over since the last cycle: number, from, to and bytes, one message after the other. */
  readonly #handed: number[] = [];
  #numbers = 0;
  #carriesJobs = false;
  readonly #freeNumbers: number[] = [];

  constructor(
    network: WormholeNetwork,
    { packing, secondsPerCycle }: Pick<HeaderEventsOptions, 'packing' | 'secondsPerCycle'>,
    underWay: UnderWay = { createdAt: [], flits: [] },
  ) {
    this.#network = network;
    this.#packing = packing;
    this.#underWay = underWay;
    this.secondsPerCycle = secondsPerCycle;
  }

  send(from: number, to: number, bytes: number): number {
    const message = this.#freeNumbers.pop() ?? this.#numbers++;
    this.#handed.push(message, from, to, bytes);
    this.messagesUnderWay++;
    return message;
  }

  sendAll(transmission: Transmission): number {
    this.#carriesJobs = true;
    this.messagesUnderWay++;
    const number = this.#network.send(transmission);
    this.#underWay.flits[number] = transmission.flits;
    return number;
  }

  figuresOf(transmission: number): Figures | undefined {
    return this.#network.figuresOf(transmission);
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    if (this.deadlock !== undefined) return 'deadlock';
    appendAll(this.#freeNumbers, this.arrived);
    this.sent.length = 0;
    this.arrived.length = 0;
    this.completed.length = 0;
    if (this.now >= to && !this.#carriesJobs) return 'reached';
    const until = this.#handed.length > 0 ? this.now + 1 : to;
    const why = this.#network.advance(until, cancellation);
    if (why === 'cancelled') {
      // What was handed over is sent when the cycle after it is complete, which it is not yet.
      if (this.#handed.length === 0) this.now = this.#network.now;
      return why;
    }
    this.now = this.#network.now;
    if (why === 'deadlock') {
      this.deadlock = this.#network.deadlock;
      return why;
    }
    if (why === 'completed') this.#takeArrived();
    this.#sendHanded();
    return this.sent.length + this.arrived.length + this.completed.length > 0 ? 'events' : 'reached';
  }

  #takeArrived(): void {
    const list = this.#carriesJobs ? this.completed : this.arrived;
    for (const number of this.#network.completed) list.push(number);
    this.messagesUnderWay -= list.length;
  }

  #sendHanded(): void {
    const handed = this.#handed;
    for (let each = 0; each < handed.length; each += 4) {
      const message = itemAt(handed, each);
      const bytes = itemAt(handed, each + 3);
      const packets = packetsOf(this.#packing, bytes);
      const flits = flitsOf(this.#packing, bytes);
      this.#network.sendMessage(message, itemAt(handed, each + 1), itemAt(handed, each + 2), packets, flits);
      this.#underWay.createdAt[message] = this.now;
      this.#underWay.flits[message] = flits;
      this.sent.push(message);
    }
    this.sent.sort((a, b) => a - b);
    handed.length = 0;
  }

  waiting(): readonly WaitingPacket[] {
    return this.#network.waiting();
  }
}
