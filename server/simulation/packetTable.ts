/**
 * What an engine keeps of packets under way, by their place in this table: records that are used again, so that nothing is
 * allocated per packet. Inner loops read and write them: packet p has eight words from 8 · p on in `words`, the fields below,
 * and its route from p · stride on in `routes`. Apart, the records of hundreds of packets stay in the nearest cache.
 */
import { intAt } from '../numeric/elements.ts';
import type { Routes } from './routes.ts';

/** Index on the route of the channel granted last. */
export const at = 0;
/** Index of the ejection channel. */
export const last = 1;
/** Channels between the header and the one that its entry lets the tail leave: 1 + ⌊(flits − 1) / buffer⌋. */
export const lag = 2;
/** Channel that it waits for, or −1. */
export const wants = 3;
/** The next packet that waits for the same channel; of a free record, the next free one. */
export const next = 4;
/** Where it stands in the line of those that will ask again, or among those that will arrive. */
export const place = 5;
/** Where in the list of channels left the one stands that its tail leaves when its header enters the next. */
export const listed = 6;
/** Index of the channel that its tail leaves next, where it leaves one a cycle. */
export const tail = 7;
const none = -1;

export class PacketTable {
  words = new Int32Array(0);
  routes = new Int32Array(0);
  /** Longest route that there is room for. */
  stride = 16;
  length = new Int32Array(0);
  /** Where the engine keeps its transmission. */
  sending = new Int32Array(0);
  /** Of packets that wait, the cycle in which they asked. */
  askedAt = new Float64Array(0);
  startedAt = new Float64Array(0);
  number = new Float64Array(0);
  #free = none;

  /** Room for so many packets. */
  get size(): number {
    return this.number.length;
  }

  get bytes(): number {
    const { words, routes, length, sending, askedAt, startedAt, number } = this;
    return [words, routes, length, sending, askedAt, startedAt, number].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  /** A new packet, with its route and the index of its last channel; it waits for nothing. O(hops). */
  add(routes: Routes, from: number, to: number): number {
    if (this.#free === none) this.#grow();
    const packet = this.#free;
    const channels = this.#writeRoute(routes, from, to, packet);
    const record = 8 * packet;
    this.#free = intAt(this.words, record + next);
    this.words[record + at] = 0;
    this.words[record + last] = channels - 1;
    return packet;
  }

  remove(packet: number): void {
    this.words[8 * packet + next] = this.#free;
    this.#free = packet;
  }

  /** Channels of the route up to the one granted last. A view. */
  taken(packet: number): Int32Array {
    const begin = packet * this.stride;
    return this.routes.subarray(begin, begin + intAt(this.words, 8 * packet + at) + 1);
  }

  ejectionOf(packet: number): number {
    return intAt(this.routes, packet * this.stride + intAt(this.words, 8 * packet + last));
  }

  wantedBy(packet: number): number {
    return intAt(this.words, 8 * packet + wants);
  }

  /** How many channels there are. */
  #writeRoute(routes: Routes, from: number, to: number, packet: number): number {
    for (;;) {
      const channels = routes.write(from, to, this.routes, packet * this.stride, this.stride);
      if (channels > 0) return channels;
      this.#widen();
    }
  }

  #grow(): void {
    const old = this.size;
    const count = Math.max(64, 2 * old);
    this.words = longer(this.words, new Int32Array(8 * count));
    this.routes = longer(this.routes, new Int32Array(this.stride * count));
    this.length = longer(this.length, new Int32Array(count));
    this.sending = longer(this.sending, new Int32Array(count));
    this.askedAt = longer(this.askedAt, new Float64Array(count));
    this.startedAt = longer(this.startedAt, new Float64Array(count));
    this.number = longer(this.number, new Float64Array(count));
    for (let packet = count - 1; packet >= old; packet--) {
      this.words[8 * packet + wants] = none;
      this.remove(packet);
    }
  }

  /** Doubles the room for the route of a packet. */
  #widen(): void {
    const { routes: old, stride } = this;
    this.stride = 2 * stride;
    this.routes = new Int32Array(2 * old.length);
    for (let row = 0; row < old.length; row += stride) this.routes.set(old.subarray(row, row + stride), 2 * row);
  }
}

/** `copy` with the values of `values` at its beginning. */
export function longer<Values extends Int32Array | Float64Array>(values: Values, copy: Values): Values {
  copy.set(values);
  return copy;
}
