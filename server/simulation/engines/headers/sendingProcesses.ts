/**
 * Processes that have packets left to send, and messages, whose packets all go to one node; and the packets that they make. Those of one node take
 * turns: a process queues up anew when its packet has left the node, or stays the first where its packets are sent in order, as a message does.
 * Entries are used again, so that nothing is allocated per packet or message.
 */
import { grown, intAt, realAt } from '../../../numeric/elements.ts';
import { lag, sending, type PacketTable } from '../../packetTable.ts';
import type { Routes } from '../../routes.ts';
import type { Transmissions } from './transmissions.ts';

const none = -1;

export class SendingProcesses {
  readonly #routes: Routes;
  readonly #packets: PacketTable;
  readonly #transmissions: Transmissions;
  // By entry; free entries are linked through #next, like those of one node.
  /** Number of the process; of a message the node that it goes to. */
  #process = new Int32Array(0);
  #isMessage = new Uint8Array(0);
  /** Place of its transmission. */
  #sending = new Int32Array(0);
  #packetsSent = new Int32Array(0);
  /** Of its first packet. */
  #number = new Float64Array(0);
  #packetsLeft = new Int32Array(0);
  #next = new Int32Array(0);
  #free = none;
  // By node.
  readonly #first: Int32Array = new Int32Array(0);
  readonly #last: Int32Array = new Int32Array(0);
  /** The entry whose packet is being routed or leaves the node, or none. */
  readonly #current: Int32Array = new Int32Array(0);

  constructor(nodeCount: number, routes: Routes, packets: PacketTable, transmissions: Transmissions) {
    this.#routes = routes;
    this.#packets = packets;
    this.#transmissions = transmissions;
    this.#first = new Int32Array(nodeCount).fill(none);
    this.#last = new Int32Array(nodeCount).fill(none);
    this.#current = new Int32Array(nodeCount).fill(none);
  }

  /** Bytes of what grows with processes that send. */
  get bytes(): number {
    const words = [this.#process, this.#sending, this.#packetsSent, this.#packetsLeft, this.#next];
    const arrays = [...words, this.#number, this.#isMessage];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Puts a process of the job at a place among the transmissions, with so many packets from a number on, behind the others of its node. */
  add(node: number, process: number, packets: number, transmission: number, number: number): void {
    const entry = this.#add(node, process, packets, transmission, number);
    this.#isMessage[entry] = 0;
  }

  /** The same of a message, which goes to a node. */
  addMessage(node: number, to: number, packets: number, transmission: number, number: number): void {
    const entry = this.#add(node, to, packets, transmission, number);
    this.#isMessage[entry] = 1;
  }

  #add(node: number, process: number, packets: number, transmission: number, number: number): number {
    if (this.#free === none) this.#grow();
    const entry = this.#free;
    this.#free = intAt(this.#next, entry);
    this.#process[entry] = process;
    this.#sending[entry] = transmission;
    this.#packetsSent[entry] = 0;
    this.#packetsLeft[entry] = packets;
    this.#number[entry] = number;
    this.#queue(node, entry);
    return entry;
  }

  isSending(node: number): boolean {
    return intAt(this.#current, node) !== none;
  }

  /** The first in the queue of a node sends its next packet from `now` on: that packet, −1 where there is none. */
  startNext(node: number, now: number): number {
    const entry = intAt(this.#first, node);
    this.#current[node] = entry;
    if (entry === none) return none;
    this.#first[node] = intAt(this.#next, entry);
    return this.#packetOf(node, entry, now);
  }

  /**
   * The packet of a node has left it: its process queues up anew where it has more, and the first sends its next packet from `now` on:
   * that packet, −1 where there is none.
   */
  goOn(node: number, now: number): number {
    const entry = intAt(this.#current, node);
    const left = intAt(this.#packetsLeft, entry) - 1;
    if (left === 0) {
      this.#next[entry] = this.#free;
      this.#free = entry;
      return this.startNext(node, now);
    }
    this.#packetsLeft[entry] = left;
    this.#packetsSent[entry] = intAt(this.#packetsSent, entry) + 1;
    if (this.#isMessage[entry] === 1 || intAt(this.#first, node) === none) return this.#packetOf(node, entry, now);
    this.#queue(node, entry);
    return this.startNext(node, now);
  }

  /** The next packet of a process, which begins `now`. */
  #packetOf(node: number, entry: number, now: number): number {
    const place = intAt(this.#sending, entry);
    const sent = intAt(this.#packetsSent, entry);
    const process = intAt(this.#process, entry);
    const packets = this.#packets;
    const transmissions = this.#transmissions;
    const to = this.#isMessage[entry] === 1 ? process : this.#destinationOf(place, process, sent);
    const packet = packets.add(this.#routes, node, to);
    const { words, stride } = packets;
    words[packet * stride + lag] = intAt(transmissions.lag, place);
    words[packet * stride + sending] = place;
    packets.length[packet] = intAt(transmissions.flits, place);
    packets.startedAt[packet] = now;
    packets.number[packet] = realAt(this.#number, entry) + sent;
    return packet;
  }

  #destinationOf(place: number, process: number, packet: number): number {
    const { source, nodeOfProcess } = this.#transmissions.jobAt(place);
    return intAt(nodeOfProcess, source.destinationOf(process, packet));
  }

  #queue(node: number, entry: number): void {
    this.#next[entry] = none;
    if (intAt(this.#first, node) === none) this.#first[node] = entry;
    else this.#next[intAt(this.#last, node)] = entry;
    this.#last[node] = entry;
  }

  #grow(): void {
    const old = this.#process.length;
    const length = Math.max(64, 2 * old);
    this.#process = grown(this.#process, new Int32Array(length));
    this.#isMessage = grown(this.#isMessage, new Uint8Array(length));
    this.#sending = grown(this.#sending, new Int32Array(length));
    this.#packetsSent = grown(this.#packetsSent, new Int32Array(length));
    this.#number = grown(this.#number, new Float64Array(length));
    this.#packetsLeft = grown(this.#packetsLeft, new Int32Array(length));
    this.#next = grown(this.#next, new Int32Array(length));
    for (let entry = old; entry < length; entry++) this.#next[entry] = entry + 1;
    this.#next[length - 1] = none;
    this.#free = old;
  }
}
