/**
 * What the nodes of worms flit by flit do: they make one packet after the other of the messages that they were handed, without a bound on
 * those that wait; and the tables of the messages and packets under way, whose records are used again.
 */
import { grown, intAt, realAt } from '../../../numeric/elements.ts';
import { flitsOf, packetsOf, type Packing } from '../../messages.ts';
import { packetWords } from './flitRecords.ts';

const none = -1;

const { shift, message: messageWord, flits: flitsWord, node: nodeWord, routeState, hops } = packetWords;

/** Where the route of a packet begins, from the node that makes it and its number of that node. */
type StartOfRoute = (from: number, serial: number) => number;

export class FlitNodes {
  /** Records of packets. */
  packets: Int32Array = new Int32Array(0);
  /** Messages that were handed over after the last cycle, that were taken over in this one, and that have arrived in it. */
  readonly handedOver: number[] = [];
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  messagesUnderWay = 0;
  readonly #packing: Packing;
  readonly #startOfRoute: StartOfRoute;
  #packetCount = 0;
  #unusedPacket = none;

  // By message.
  #to: Int32Array = new Int32Array(64);
  #bytes: Float64Array = new Float64Array(64);
  #created: Float64Array = new Float64Array(64);
  #toMake: Float64Array = new Float64Array(64);
  #toArrive: Float64Array = new Float64Array(64);
  #next: Int32Array = new Int32Array(64);
  #count = 0;
  readonly #unused: number[] = [];

  // By node: messages that it has to make packets of, and how many packets it has made.
  readonly #first: Int32Array = new Int32Array(0);
  readonly #last: Int32Array = new Int32Array(0);
  readonly #made: Int32Array = new Int32Array(0);

  constructor(nodeCount: number, packing: Packing, startOfRoute: StartOfRoute) {
    this.#packing = packing;
    this.#startOfRoute = startOfRoute;
    this.#first = new Int32Array(nodeCount).fill(none);
    this.#last = new Int32Array(nodeCount).fill(none);
    this.#made = new Int32Array(nodeCount);
  }

  /** A new message behind those of its node. Returns its number. */
  add(from: number, to: number, bytes: number, created: number): number {
    const message = this.#unused.pop() ?? this.#count++;
    if (message >= this.#to.length) this.#growMessages();
    this.#to[message] = to;
    this.#bytes[message] = bytes;
    this.#created[message] = created;
    this.#toMake[message] = this.#toArrive[message] = packetsOf(this.#packing, bytes);
    this.#next[message] = none;
    this.messagesUnderWay++;
    this.handedOver.push(message);
    const last = intAt(this.#last, from);
    this.#last[from] = message;
    if (last === none) this.#first[from] = message;
    else this.#next[last] = message;
    return message;
  }

  /** Messages that were handed over are taken over. */
  takeOver(): void {
    for (const message of this.handedOver) this.sent.push(message);
    this.sent.sort((a, b) => a - b);
    this.handedOver.length = 0;
  }

  /** What was sent and has arrived is known: numbers of messages that have arrived are used again. */
  forget(): void {
    for (const message of this.arrived) this.#unused.push(message);
    this.arrived.length = 0;
    this.sent.length = 0;
  }

  /** Whether a node has something to make packets of. */
  hasMessage(node: number): boolean {
    return this.#first[node] !== none;
  }

  /** The next packet of a node's first message. */
  make(node: number): number {
    const message = intAt(this.#first, node);
    const packet = this.#newPacket();
    const record = packet << shift;
    const { packets } = this;
    const serial = intAt(this.#made, node);
    this.#made[node] = serial + 1;
    packets[record + messageWord] = message;
    packets[record + flitsWord] = flitsOf(this.#packing, realAt(this.#bytes, message));
    packets[record + nodeWord] = intAt(this.#to, message);
    packets[record + routeState] = this.#startOfRoute(node, serial);
    packets[record + hops] = 0;
    const toMake = realAt(this.#toMake, message) - 1;
    this.#toMake[message] = toMake;
    if (toMake === 0) {
      const following = intAt(this.#next, message);
      this.#first[node] = following;
      if (following === none) this.#last[node] = none;
    }
    return packet;
  }

  /** Cycle in which a message was made. */
  createdAt(message: number): number {
    return realAt(this.#created, message);
  }

  /** A packet has arrived as a whole. */
  remove(packet: number): void {
    const record = packet << shift;
    const message = intAt(this.packets, record + messageWord);
    this.packets[record + messageWord] = this.#unusedPacket;
    this.#unusedPacket = packet;
    const left = realAt(this.#toArrive, message) - 1;
    this.#toArrive[message] = left;
    if (left > 0) return;
    this.arrived.push(message);
    this.messagesUnderWay--;
  }

  #newPacket(): number {
    if (this.#unusedPacket !== none) {
      const packet = this.#unusedPacket;
      this.#unusedPacket = intAt(this.packets, (packet << shift) + messageWord);
      return packet;
    }
    if (this.#packetCount << shift === this.packets.length) {
      this.packets = grown(this.packets, new Int32Array(Math.max(64 << shift, 2 * this.packets.length)));
    }
    return this.#packetCount++;
  }

  #growMessages(): void {
    const count = 2 * this.#to.length;
    this.#to = grown(this.#to, new Int32Array(count));
    this.#next = grown(this.#next, new Int32Array(count));
    this.#bytes = grown(this.#bytes, new Float64Array(count));
    this.#created = grown(this.#created, new Float64Array(count));
    this.#toMake = grown(this.#toMake, new Float64Array(count));
    this.#toArrive = grown(this.#toArrive, new Float64Array(count));
  }
}
