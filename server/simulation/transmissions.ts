/**
 * Transmissions that are under way: their figures, by number and by the place where they are kept, and which have been completed. Places
 * are used again.
 */
import { itemAt } from '../numeric/elements.ts';
import { longestPacket, type Figures, type PacketSource, type Transmission } from './contract.ts';

const none = -1;

/** A transmission that is under way. */
class Sending implements Figures {
  readonly id: number = 0;
  /** Number of its first packet. */
  readonly firstPacket: number = 0;
  readonly source: PacketSource;
  readonly nodeOfProcess: Int32Array;
  readonly flits: number = 0;
  /** Of all its packets. */
  readonly lag: number = 0;
  readonly packetCount: number = 0;
  readonly inOrder: boolean = false;
  packets = 0;
  hops = 0;
  latency = 0;

  constructor(transmission: Transmission, id: number, firstPacket: number, buffer: number) {
    const { source, nodeOfProcess, flits } = transmission;
    this.id = id;
    this.firstPacket = firstPacket;
    this.source = source;
    this.nodeOfProcess = nodeOfProcess;
    this.flits = flits;
    this.lag = 1 + Math.floor((flits - 1) / buffer);
    this.packetCount = source.packetCount;
    this.inOrder = transmission.inOrder === true;
  }
}

export class Transmissions {
  /** Numbers of those that were completed in the cycle that was told last, ascending. */
  completed: number[] = [];
  readonly #buffer: number = 0;
  readonly #sendings: (Sending | undefined)[] = [];
  readonly #freePlaces: number[] = [];
  readonly #placeOf = new Map<number, number>();
  #sent = 0;
  #packetsNumbered = 0;
  /** Completed and not yet told. */
  #finished: number[] = [];

  /** `buffer`: flits that the buffer of a channel holds. */
  constructor(buffer: number) {
    this.#buffer = buffer;
  }

  /** Takes a transmission up. Returns its place. Throws a RangeError for packets of other lengths than 1 … {@link longestPacket}. */
  add(transmission: Transmission): number {
    const { source, flits } = transmission;
    if (!Number.isInteger(flits) || flits < 1 || flits > longestPacket) {
      throw new RangeError(`A packet has 1 to ${longestPacket} whole flits, not ${flits}.`);
    }
    const id = this.#sent++;
    const place = this.#freePlaces.pop() ?? this.#sendings.length;
    this.#sendings[place] = new Sending(transmission, id, this.#packetsNumbered, this.#buffer);
    this.#placeOf.set(id, place);
    if (source.packetCount === 0) this.#finished.push(id);
    return place;
  }

  /** Numbers of the next packets, so many; the first one. */
  numberPackets(count: number): number {
    const first = this.#packetsNumbered;
    this.#packetsNumbered += count;
    return first;
  }

  at(place: number): Sending {
    return itemAt(this.#sendings, place);
  }

  figuresOf(id: number): Figures | undefined {
    const place = this.#placeOf.get(id);
    return place === undefined ? undefined : this.#sendings[place];
  }

  /** A packet of the transmission at a place has arrived, after so many hops and cycles. */
  packetArrived(place: number, hops: number, latency: number): void {
    const sending = this.at(place);
    sending.packets++;
    sending.hops += hops;
    sending.latency += latency;
    if (sending.packets === sending.packetCount) this.#finished.push(sending.id);
  }

  /** Tells which have been completed, where there are any: they are {@link completed} then. */
  tellFinished(): boolean {
    const finished = this.#finished;
    if (finished.length === 0) return false;
    if (finished.length > 1) finished.sort((a, b) => a - b);
    this.#finished = this.completed;
    this.completed = finished;
    return true;
  }

  /** What was told is known: the places of these are free. */
  forgetCompleted(): void {
    for (const id of this.completed) {
      const place = this.#placeOf.get(id) ?? none;
      this.#placeOf.delete(id);
      this.#sendings[place] = undefined;
      this.#freePlaces.push(place);
    }
    this.completed.length = 0;
  }
}
