/**
 * The channels of a wormhole network: which packet owns each, which wait for it, the first to be granted first, and for how long that has
 * been so. The loops of the engine read and write owners and first ones themselves.
 */
import { intAt, realAt } from '../../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../../messages.ts';
import { next, sending, wants, type PacketTable } from '../../packetTable.ts';
import type { Transmissions } from './transmissions.ts';
import { findHeaderDeadlock, waitingHeaders, type Waits } from './waitingCircles.ts';
import type { WormholeObserver } from './wormholeOptions.ts';

const none = -1;

export class WormholeChannels {
  /** −1 where a channel is free. */
  readonly owner: Int32Array = new Int32Array(0);
  /** −1 where no packet waits. */
  readonly firstWaiting: Int32Array = new Int32Array(0);
  /** Whether the cycle of each grant is kept: deeper buffers need it, and who asks how long channels are owned. */
  readonly keepsGrants: boolean = false;
  /** Cycle of the last grant, where it is kept. */
  readonly grantedAt: Float64Array = new Float64Array(0);
  readonly tellsOwned: boolean = false;
  readonly #tellsWaited: boolean = false;
  readonly #lastWaiting: Int32Array = new Int32Array(0);
  readonly #packets: PacketTable;
  readonly #transmissions: Transmissions;
  readonly #observe: WormholeObserver;

  /** `buffer`: flits that the buffer of a channel holds. */
  constructor(
    channelCount: number,
    buffer: number,
    packets: PacketTable,
    transmissions: Transmissions,
    observe: WormholeObserver,
  ) {
    this.owner = new Int32Array(channelCount).fill(none);
    this.firstWaiting = new Int32Array(channelCount).fill(none);
    this.keepsGrants = buffer > 1 || observe.owned !== undefined;
    this.grantedAt = new Float64Array(this.keepsGrants ? channelCount : 0);
    this.tellsOwned = observe.owned !== undefined;
    this.#tellsWaited = observe.waited !== undefined;
    this.#lastWaiting = new Int32Array(channelCount).fill(none);
    this.#packets = packets;
    this.#transmissions = transmissions;
    this.#observe = observe;
  }

  /** Puts a packet into the queue of a channel: by the cycle in which it asked, which is `now`, then by number. */
  wait(packet: number, channel: number, now: number): void {
    const { words, stride, askedAt, number } = this.#packets;
    askedAt[packet] = now;
    words[packet * stride + wants] = channel;
    const first = this.firstWaiting[channel]!;
    let before = first === none ? none : this.#lastWaiting[channel]!;
    if (before !== none && askedAt[before] === now && number[before]! > number[packet]!) {
      before = none;
      let other = first;
      while (askedAt[other]! < now || number[other]! < number[packet]!) {
        before = other;
        other = words[other * stride + next]!;
      }
    }
    const after = before === none ? first : words[before * stride + next]!;
    if (before === none) this.firstWaiting[channel] = packet;
    else words[before * stride + next] = packet;
    words[packet * stride + next] = after;
    if (after === none) this.#lastWaiting[channel] = packet;
  }

  /** The first packet that waits for a channel has got it, and waits no longer. */
  takeFirst(packet: number, channel: number, now: number): void {
    if (this.#tellsWaited) {
      const start = realAt(this.#packets.askedAt, packet);
      if (start < now) this.#observe.waited?.(channel, start, now - start, this.#transmissionOf(packet));
    }
    const { words, stride } = this.#packets;
    const record = packet * stride;
    this.firstWaiting[channel] = words[record + next]!;
    words[record + wants] = none;
    if (this.keepsGrants) this.grantedAt[channel] = now;
  }

  /** The owner of a channel leaves it at the end of the cycle before `end`. */
  tellOwned(channel: number, end: number): void {
    const start = realAt(this.grantedAt, channel);
    this.#observe.owned?.(channel, start, end - start, this.#transmissionOf(intAt(this.owner, channel)));
  }

  /** The circle of waiting packets that closed first, undefined where there is none. O(packets under way). */
  deadlock(): Deadlock | undefined {
    return findHeaderDeadlock(this.#waits);
  }

  /** Packets that wait for channels, the lowest number first. O(packets under way). */
  waiting(): readonly WaitingPacket[] {
    return waitingHeaders(this.#waits);
  }

  #transmissionOf(packet: number): number {
    const { words, stride } = this.#packets;
    return realAt(this.#transmissions.number, intAt(words, packet * stride + sending));
  }

  get #waits(): Waits {
    const transmissionOf = (packet: number): number => this.#transmissionOf(packet);
    return { packets: this.#packets, owner: this.owner, transmissionOf };
  }
}
