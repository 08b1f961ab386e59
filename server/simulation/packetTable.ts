/**
 * What an engine keeps of packets under way, by their place in this table: records that are used again, so that nothing is
 * allocated per packet. Inner loops read and write them: the words of packet p are those from p · stride on, first the fields below, then
 * the channels of its route. The few that are used of a packet are side by side, and so in the nearest cache.
 */
import { grown, intAt } from '../numeric/elements.ts';
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
/** Where the engine keeps its transmission. */
export const sending = 7;
/** The first channel of its route; the others follow. */
export const route = 8;
/** Words of a line of the cache. */
const lineLength = 16;
const none = -1;

export class PacketTable {
  words = new Int32Array(0);
  /** Words of a packet: an odd number of lines of the cache, for it holds few at distances of powers of two. */
  stride = lineLength;
  length = new Int32Array(0);
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
    const { words, length, askedAt, startedAt, number } = this;
    return [words, length, askedAt, startedAt, number].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** A new packet, with its route and the index of its last channel; it waits for nothing. O(hops). */
  add(routes: Routes, from: number, to: number): number {
    if (this.#free === none) this.#grow();
    const packet = this.#free;
    const channels = this.#writeRoute(routes, from, to, packet);
    const record = packet * this.stride;
    this.#free = intAt(this.words, record + next);
    this.words[record + at] = 0;
    this.words[record + last] = channels - 1;
    return packet;
  }

  remove(packet: number): void {
    this.words[packet * this.stride + next] = this.#free;
    this.#free = packet;
  }

  /** Channels of the route up to the one granted last. A view. */
  taken(packet: number): Int32Array {
    const record = packet * this.stride;
    return this.words.subarray(record + route, record + route + intAt(this.words, record + at) + 1);
  }

  ejectionOf(packet: number): number {
    const record = packet * this.stride;
    return intAt(this.words, record + route + intAt(this.words, record + last));
  }

  /** The channel behind the one granted last. */
  nextOf(packet: number): number {
    const record = packet * this.stride;
    return intAt(this.words, record + route + intAt(this.words, record + at) + 1);
  }

  wantedBy(packet: number): number {
    return intAt(this.words, packet * this.stride + wants);
  }

  /** How many channels there are. */
  #writeRoute(routes: Routes, from: number, to: number, packet: number): number {
    for (;;) {
      const channels = routes.write(from, to, this.words, packet * this.stride + route, this.stride - route);
      if (channels > 0) return channels;
      this.#widen();
    }
  }

  #grow(): void {
    const old = this.size;
    const count = Math.max(64, 2 * old);
    this.words = grown(this.words, new Int32Array(this.stride * count));
    this.length = grown(this.length, new Int32Array(count));
    this.askedAt = grown(this.askedAt, new Float64Array(count));
    this.startedAt = grown(this.startedAt, new Float64Array(count));
    this.number = grown(this.number, new Float64Array(count));
    for (let packet = count - 1; packet >= old; packet--) {
      this.words[packet * this.stride + wants] = none;
      this.remove(packet);
    }
  }

  /** At least doubles the room for the route of a packet. */
  #widen(): void {
    const { words: old, stride, size } = this;
    this.stride = 2 * stride + lineLength;
    this.words = new Int32Array(size * this.stride);
    for (let packet = 0; packet < size; packet++)
      this.words.set(old.subarray(packet * stride, (packet + 1) * stride), packet * this.stride);
  }
}
