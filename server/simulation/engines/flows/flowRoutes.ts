/**
 * The channels that each flow goes through, and the flows that go through each channel: in two tables of entries, one for each channel of a flow, so
 * that neither is looked for. A node has one flow at most, which has its number. The loops of the engine read the tables themselves:
 *
 * - the channels of flow n are `channels[n << shift]` and those behind it, `length[n]` of them;
 * - the flows of channel c are `entry >> shift` of the entries `first[c]`, `next[entry]` and so on to −1, `count[c]` of them, in the order in which
 *   they began.
 */
import { intAt } from '../../../numeric/elements.ts';
import type { Routes } from '../../routes.ts';

const none = -1;

export class FlowRoutes {
  /** Entries of a flow are a power of two of this: what the longest route so far takes. */
  shift = 3;
  channels: Int32Array = new Int32Array(0);
  next: Int32Array = new Int32Array(0);
  // By flow.
  readonly length: Int32Array = new Int32Array(0);
  // By channel.
  readonly first: Int32Array = new Int32Array(0);
  readonly count: Int32Array = new Int32Array(0);
  readonly #last: Int32Array = new Int32Array(0);
  #before: Int32Array = new Int32Array(0);
  readonly #routes: Routes;

  constructor(routes: Routes, nodeCount: number) {
    this.#routes = routes;
    this.channels = new Int32Array(nodeCount << this.shift);
    this.next = new Int32Array(nodeCount << this.shift);
    this.#before = new Int32Array(nodeCount << this.shift);
    this.length = new Int32Array(nodeCount);
    this.first = new Int32Array(routes.channelCount).fill(none);
    this.#last = new Int32Array(routes.channelCount).fill(none);
    this.count = new Int32Array(routes.channelCount);
  }

  /** The flow of a node begins, which had none. O(hops), and O(nodes + channels + entries in use) where no route was so long. */
  add(node: number, to: number): void {
    let length = 0;
    for (;;) {
      length = this.#routes.write(node, to, this.channels, node << this.shift, 1 << this.shift);
      if (length > 0) break;
      this.#widen();
    }
    this.length[node] = length;
    const begin = node << this.shift;
    for (let entry = begin; entry < begin + length; entry++) {
      const channel = intAt(this.channels, entry);
      const before = intAt(this.#last, channel);
      this.#before[entry] = before;
      this.next[entry] = none;
      this.#last[channel] = entry;
      if (before === none) this.first[channel] = entry;
      else this.next[before] = entry;
      this.count[channel] = intAt(this.count, channel) + 1;
    }
  }

  /** It has ended; its channels may still be read. O(hops). */
  remove(node: number): void {
    const begin = node << this.shift;
    const end = begin + intAt(this.length, node);
    for (let entry = begin; entry < end; entry++) {
      const channel = intAt(this.channels, entry);
      const before = intAt(this.#before, entry);
      const next = intAt(this.next, entry);
      if (before === none) this.first[channel] = next;
      else this.next[before] = next;
      if (next === none) this.#last[channel] = before;
      else this.#before[next] = before;
      this.count[channel] = intAt(this.count, channel) - 1;
    }
  }

  /** Twice as many entries for each flow. */
  #widen(): void {
    const { shift } = this;
    const within = (1 << shift) - 1;
    const moved = (entry: number): number => (entry === none ? none : ((entry & ~within) << 1) | (entry & within));
    // Nodes that have sent nothing yet, at the beginning most of them, have nothing to be moved.
    const spread = (entries: Int32Array, values: (entry: number) => number): Int32Array => {
      const wide = new Int32Array(2 * entries.length);
      for (let node = 0; node < this.length.length; node++) {
        const [begin, hops] = [node << shift, intAt(this.length, node)];
        for (let each = 0; each < hops; each++) wide[2 * begin + each] = values(intAt(entries, begin + each));
      }
      return wide;
    };
    this.channels = spread(this.channels, (channel) => channel);
    this.next = spread(this.next, moved);
    this.#before = spread(this.#before, moved);
    for (let channel = 0; channel < this.first.length; channel++) {
      this.first[channel] = moved(intAt(this.first, channel));
      this.#last[channel] = moved(intAt(this.#last, channel));
    }
    this.shift = shift + 1;
  }
}
