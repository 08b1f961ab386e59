/**
 * Transmissions that are under way: their figures, by number and by the place where they are kept, and which have been completed. Places
 * are used again, and what is kept stands in arrays: there may be a hundred thousand messages under way, each a transmission, and objects for them
 * would have to be collected while others wait.
 */
import { grown, realAt } from '../../../numeric/elements.ts';
import { type Figures, longestPacket, type Transmission } from '../../messages.ts';

export class Transmissions {
  /** Numbers of those that were completed in the cycle that was told last, ascending. */
  completed: number[] = [];
  // By place.
  /** By which the sender knows it. */
  number = new Float64Array(0);
  /** Number of its first packet. */
  firstPacket = new Float64Array(0);
  /** Of each of its packets. */
  flits = new Int32Array(0);
  lag = new Int32Array(0);
  #packetsLeft = new Float64Array(0);
  #hops = new Float64Array(0);
  #latency = new Float64Array(0);
  /** None of a message: all its packets go the same way. */
  readonly #jobs: (Transmission | undefined)[] = [];
  readonly #freePlaces: number[] = [];
  readonly #buffer: number = 0;
  /** Of jobs. */
  readonly #placeOf = new Map<number, number>();
  #jobsSent = 0;
  #packetsNumbered = 0;
  /** Places of those that are completed and not yet told, and of those that were told last. */
  #finished: number[] = [];
  #told: number[] = [];

  /** `buffer`: flits that the buffer of a channel holds. */
  constructor(buffer: number) {
    this.#buffer = buffer;
  }

  /** Takes up what a job sends, which is numbered on from the last one. Returns its place. Throws as {@link addMessage} does. */
  add(transmission: Transmission): number {
    const { source, flits } = transmission;
    const number = this.#jobsSent++;
    const place = this.addMessage(number, source.packetCount, flits);
    this.#jobs[place] = transmission;
    this.#placeOf.set(number, place);
    return place;
  }

  /** Takes up so many packets by a number of the sender. Returns their place. Throws a RangeError for packets of other lengths than 1 … {@link longestPacket}. */
  addMessage(number: number, packets: number, flits: number): number {
    if (!Number.isInteger(flits) || flits < 1 || flits > longestPacket) {
      throw new RangeError(`A packet must have 1 to ${longestPacket} whole flits, not ${flits}.`);
    }
    if (this.#freePlaces.length === 0) this.#grow();
    const place = this.#freePlaces.pop() ?? 0;
    this.number[place] = number;
    this.firstPacket[place] = this.#packetsNumbered;
    this.flits[place] = flits;
    this.lag[place] = 1 + Math.floor((flits - 1) / this.#buffer);
    this.#packetsLeft[place] = packets;
    this.#hops[place] = 0;
    this.#latency[place] = 0;
    if (packets === 0) this.#finished.push(place);
    return place;
  }

  /** Numbers of the next packets, so many; the first one. */
  numberPackets(count: number): number {
    const first = this.#packetsNumbered;
    this.#packetsNumbered += count;
    return first;
  }

  /** The job that is kept at a place. */
  jobAt(place: number): Transmission {
    const job = this.#jobs[place];
    if (job === undefined) throw new RangeError(`At place ${place} no job is kept.`);
    return job;
  }

  /** Of a job. */
  figuresOf(number: number): Figures | undefined {
    const place = this.#placeOf.get(number);
    if (place === undefined) return undefined;
    const packets = this.jobAt(place).source.packetCount - realAt(this.#packetsLeft, place);
    return { packets, hops: realAt(this.#hops, place), latency: realAt(this.#latency, place) };
  }

  /** A packet of the transmission at a place has arrived, after so many hops and cycles. */
  packetArrived(place: number, hops: number, latency: number): void {
    const left = realAt(this.#packetsLeft, place) - 1;
    this.#packetsLeft[place] = left;
    this.#hops[place] = realAt(this.#hops, place) + hops;
    this.#latency[place] = realAt(this.#latency, place) + latency;
    if (left === 0) this.#finished.push(place);
  }

  /** Tells which have been completed, where there are any: they are {@link completed} then. */
  tellFinished(): boolean {
    const finished = this.#finished;
    if (finished.length === 0) return false;
    this.#finished = this.#told;
    this.#told = finished;
    for (const place of finished) this.completed.push(realAt(this.number, place));
    if (finished.length > 1) this.completed.sort((a, b) => a - b);
    return true;
  }

  /** What was told is known: the places of these are free. */
  forgetCompleted(): void {
    for (const place of this.#told) {
      if (this.#jobs[place] !== undefined) {
        this.#jobs[place] = undefined;
        this.#placeOf.delete(realAt(this.number, place));
      }
      this.#freePlaces.push(place);
    }
    this.#told.length = 0;
    this.completed.length = 0;
  }

  #grow(): void {
    const old = this.number.length;
    const length = Math.max(64, 2 * old);
    this.number = grown(this.number, new Float64Array(length));
    this.firstPacket = grown(this.firstPacket, new Float64Array(length));
    this.flits = grown(this.flits, new Int32Array(length));
    this.lag = grown(this.lag, new Int32Array(length));
    this.#packetsLeft = grown(this.#packetsLeft, new Float64Array(length));
    this.#hops = grown(this.#hops, new Float64Array(length));
    this.#latency = grown(this.#latency, new Float64Array(length));
    for (let place = old; place < length; place++) this.#jobs.push(undefined);
    for (let place = length - 1; place >= old; place--) this.#freePlaces.push(place);
  }
}
