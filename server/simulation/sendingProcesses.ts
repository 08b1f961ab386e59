/**
 * Processes that have packets left to send. Those of one node take turns: one queues up anew when its packet has left the node,
 * or stays the first where its packets are sent in order. Entries are used again, so that nothing is allocated per packet.
 */
import { intAt } from '../numeric/elements.ts';
import { longer } from './packetTable.ts';

const none = -1;

export class SendingProcesses {
  // By entry; free entries are linked through #next, like those of one node.
  process = new Int32Array(0);
  /** Where the engine keeps its transmission. */
  sending = new Int32Array(0);
  packetsSent = new Int32Array(0);
  /** Of its first packet. */
  number = new Float64Array(0);
  #packetsLeft = new Int32Array(0);
  #next = new Int32Array(0);
  #free = none;
  // By node.
  readonly #first: Int32Array = new Int32Array(0);
  readonly #last: Int32Array = new Int32Array(0);
  /** The entry whose packet is being routed or leaves the node, or none. */
  readonly #current: Int32Array = new Int32Array(0);

  constructor(nodeCount: number) {
    this.#first = new Int32Array(nodeCount).fill(none);
    this.#last = new Int32Array(nodeCount).fill(none);
    this.#current = new Int32Array(nodeCount).fill(none);
  }

  /** Bytes of what grows with processes that send. */
  get bytes(): number {
    const arrays = [this.process, this.sending, this.packetsSent, this.number, this.#packetsLeft, this.#next];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Puts a process with packets behind the others of its node. */
  add(node: number, process: number, packets: number, sending: number, number: number): void {
    if (this.#free === none) this.#grow();
    const entry = this.#free;
    this.#free = intAt(this.#next, entry);
    this.process[entry] = process;
    this.sending[entry] = sending;
    this.packetsSent[entry] = 0;
    this.#packetsLeft[entry] = packets;
    this.number[entry] = number;
    this.#queue(node, entry);
  }

  isSending(node: number): boolean {
    return intAt(this.#current, node) !== none;
  }

  /** Where the engine keeps the transmission that a node sends for. */
  sendingOf(node: number): number {
    return intAt(this.sending, intAt(this.#current, node));
  }

  /** The first in the queue of a node sends its next packet from now on: its entry, −1 where there is none. */
  startNext(node: number): number {
    const entry = intAt(this.#first, node);
    this.#current[node] = entry;
    if (entry !== none) this.#first[node] = intAt(this.#next, entry);
    return entry;
  }

  /**
   * The packet of a node has left it: its process queues up anew where it has more, and the first sends its next packet from now on:
   * its entry, −1 where there is none.
   */
  goOn(node: number, inOrder: boolean): number {
    const entry = intAt(this.#current, node);
    const left = intAt(this.#packetsLeft, entry) - 1;
    if (left === 0) {
      this.#next[entry] = this.#free;
      this.#free = entry;
      return this.startNext(node);
    }
    this.#packetsLeft[entry] = left;
    this.packetsSent[entry] = intAt(this.packetsSent, entry) + 1;
    if (inOrder || intAt(this.#first, node) === none) return entry;
    this.#queue(node, entry);
    return this.startNext(node);
  }

  #queue(node: number, entry: number): void {
    this.#next[entry] = none;
    if (intAt(this.#first, node) === none) this.#first[node] = entry;
    else this.#next[intAt(this.#last, node)] = entry;
    this.#last[node] = entry;
  }

  #grow(): void {
    const old = this.process.length;
    const length = Math.max(64, 2 * old);
    this.process = longer(this.process, new Int32Array(length));
    this.sending = longer(this.sending, new Int32Array(length));
    this.packetsSent = longer(this.packetsSent, new Int32Array(length));
    this.number = longer(this.number, new Float64Array(length));
    this.#packetsLeft = longer(this.#packetsLeft, new Int32Array(length));
    this.#next = longer(this.#next, new Int32Array(length));
    for (let entry = old; entry < length; entry++) this.#next[entry] = entry + 1;
    this.#next[length - 1] = none;
    this.#free = old;
  }
}
