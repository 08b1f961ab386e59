/**
 * When the tails of worms leave channels, by what is known of their headers.
 *
 * Only the header ever waits, so when it enters channels says when every flit does. Let h(i) be the cycle in which it enters the i-th
 * channel of the route, the first flit being number 0. Flit j enters channel i one cycle after it entered the one before, after
 * flit j − 1, and not before flit j − buffer has left channel i; hence
 *
 *   t(j, i) = max over 0 ≤ k ≤ j / buffer of h(i + k) + j − k·buffer,
 *
 * where the maximum ends at the last channel. The tail leaves channel i when it enters i + 1. With 1 flit of buffer that is when
 * the header enters i + flits, or flits − (last − i) cycles after it has arrived.
 */
import { intAt, realAt } from '../../../numeric/elements.ts';
import { at, lag, last, route, type PacketTable } from '../../packetTable.ts';
import type { TimeSlots } from '../../pending.ts';

/** Kinds of events with a delay of their own: an event is 4 · channel + kind. */
export const tailEvents = {
  /** The tail leaves the buffer of the channel. */
  released: 0,
  /** The tail enters the ejection channel. */
  arrived: 1,
  /** Buffers of 1 flit: the tail of the packet in the ejection channel leaves a channel a cycle from now on. */
  vanishes: 2,
} as const;

const { released, arrived, vanishes } = tailEvents;

export class Tails {
  /** Buffers of 1 flit: packets whose tails leave a channel in each cycle, and which channel of the route is the next, in turn. */
  readonly vanishing: Int32Array = new Int32Array(0);
  vanishingCount = 0;
  readonly #packets: PacketTable;
  readonly #slots: TimeSlots;
  readonly #buffer: number = 0;
  /** Cycle of the last grant of each channel, where buffers are deeper. */
  readonly #grantedAt: Float64Array = new Float64Array(0);

  /** `slots` hold the {@link tailEvents} of all channels. */
  constructor(nodeCount: number, packets: PacketTable, slots: TimeSlots, buffer: number, grantedAt: Float64Array) {
    this.vanishing = new Int32Array(2 * nodeCount);
    this.#packets = packets;
    this.#slots = slots;
    this.#buffer = buffer;
    this.#grantedAt = grantedAt;
  }

  /** The headers of the first packets of a list have entered their ejection channels: all other flits follow without waiting. */
  arriveAll(packets: Int32Array, count: number, now: number): void {
    for (let each = 0; each < count; each++) this.#arrive(intAt(packets, each), now);
  }

  #arrive(packet: number, now: number): void {
    const { words, stride } = this.#packets;
    const record = packet * stride;
    if (this.#buffer > 1) {
      this.#arriveDeep(packet, now);
      return;
    }
    // The tail is in channel last − length, or still in its node, and moves on in each cycle.
    const ahead = intAt(words, record + last) - intAt(words, record + lag);
    if (ahead >= 0) this.vanishFrom(packet, ahead);
    else this.#slots.schedule(4 * this.#packets.ejectionOf(packet) + vanishes, -ahead);
  }

  /** From now on the tail of a packet leaves a channel in each cycle, first this one of its route. */
  vanishFrom(packet: number, index: number): void {
    const { vanishing } = this;
    const place = 2 * this.vanishingCount++;
    vanishing[place] = packet;
    vanishing[place + 1] = index;
  }

  /** Deeper buffers: all headers' times are known, and so are the times of the tail. */
  #arriveDeep(packet: number, now: number): void {
    const { words, stride, length } = this.#packets;
    const end = intAt(words, packet * stride + last);
    const from = Math.max(0, end - intAt(words, packet * stride + lag));
    for (let index = from; index < end; index++) this.#scheduleRelease(packet, index, now);
    const channel = this.#packets.ejectionOf(packet);
    this.#slots.schedule(4 * channel + released, intAt(length, packet));
    this.#slots.schedule(4 * channel + arrived, intAt(length, packet) - 1);
  }

  /** Deeper buffers: a header has entered a channel, so that it is known when the tail leaves one behind it. */
  letLeave(packet: number, now: number): void {
    const { words, stride } = this.#packets;
    this.#scheduleRelease(packet, intAt(words, packet * stride + at) - intAt(words, packet * stride + lag), now);
  }

  /** Schedules the release of the channel `index` of a route: all headers' times that decide it are known. See the formula above. */
  #scheduleRelease(packet: number, index: number, now: number): void {
    const { words, stride, length } = this.#packets;
    const begin = packet * stride + route;
    const header = intAt(words, packet * stride + at);
    let left = intAt(length, packet) - 1;
    let delay = 0;
    for (let after = index + 1; after <= header && left >= 0; after++) {
      const entry = realAt(this.#grantedAt, intAt(words, begin + after)) + 1;
      delay = Math.max(delay, entry + left - now);
      left -= this.#buffer;
    }
    this.#slots.schedule(4 * intAt(words, begin + index) + released, delay);
  }
}
