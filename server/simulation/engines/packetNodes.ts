/**
 * What the nodes of packet events do: they cut messages into packets, one a cycle while there is room in their buffer; and the tables of
 * the messages and packets that are under way, whose records are used again.
 */
import { intAt, realAt } from '../../numeric/elements.ts';
import { packetWords } from './packetRecords.ts';

const none = -1;

const { shift, nextOf, destination, message, hopsOf, stateOf, madeBy, serial, routedAt } = packetWords;

// Words of the record of a message.
const messageShift = 2;
const messageTo = 0;
const packetsToMake = 1;
const packetsToArrive = 2;
const nextMessage = 3;

// What a node does.
const makesNothing = 0;
const makesAtItsTime = 1;
const makesWhenOneLeaves = 2;

/** Of the options of the engine. */
interface NodeOptions {
  readonly packetBytes: number;
  readonly flits: number;
  /** Packets of a queue: the buffer before it has room for as many. */
  readonly capacity: number;
}

/** Where the route of a packet begins: its word, from the node that makes it, its destination, and its number of that node. */
type StartOfRoute = (from: number, to: number, serial: number) => number;

export class PacketNodes {
  /** Records of packets. */
  words = new Int32Array(0);
  /** Messages whose last packet was made in this cycle, and messages whose last one arrived. */
  readonly sent: number[] = [];
  readonly arrived: number[] = [];
  packetsUnderWay = 0;
  readonly #packetBytes: number = 0;
  readonly #flits: number = 0;
  readonly #most: number = 0;
  readonly #startOfRoute: StartOfRoute;
  #created = new Float64Array(0);
  #freePacket = none;
  #messages = new Int32Array(0);
  #freeMessage = none;

  // By node.
  readonly #firstMessage: Int32Array = new Int32Array(0);
  readonly #lastMessage: Int32Array = new Int32Array(0);
  readonly #made: Float64Array = new Float64Array(0);
  readonly #started: Float64Array = new Float64Array(0);
  readonly #makes: Uint8Array = new Uint8Array(0);

  constructor(nodeCount: number, { packetBytes, flits, capacity }: NodeOptions, startOfRoute: StartOfRoute) {
    this.#packetBytes = packetBytes;
    this.#flits = flits;
    this.#most = 2 * capacity;
    this.#startOfRoute = startOfRoute;
    this.#firstMessage = new Int32Array(nodeCount).fill(none);
    this.#lastMessage = new Int32Array(nodeCount).fill(none);
    this.#made = new Float64Array(nodeCount);
    this.#started = new Float64Array(nodeCount);
    this.#makes = new Uint8Array(nodeCount);
  }

  /** Bytes of what grows with packets and messages under way. */
  get bytes(): number {
    return this.words.byteLength + this.#created.byteLength + this.#messages.byteLength;
  }

  /** Whether a node has nothing to make packets of. */
  isSilent(node: number): boolean {
    return this.#firstMessage[node] === none;
  }

  /** A new message behind those of its node. Returns its number. */
  add(from: number, to: number, bytes: number): number {
    if (this.#freeMessage === none) this.#growMessages();
    const of = this.#freeMessage;
    const messages = this.#messages;
    const record = of << messageShift;
    this.#freeMessage = intAt(messages, record + nextMessage);
    const packets = Math.max(1, Math.ceil(bytes / this.#packetBytes));
    messages[record + messageTo] = to;
    messages[record + packetsToMake] = packets;
    messages[record + packetsToArrive] = packets;
    messages[record + nextMessage] = none;
    if (this.#firstMessage[from] === none) this.#firstMessage[from] = of;
    else messages[(intAt(this.#lastMessage, from) << messageShift) + nextMessage] = of;
    this.#lastMessage[from] = of;
    return of;
  }

  /**
   * Cycles until a node makes its next packet, of a message that it has; 0 where it waits until one leaves. `sinceStart` are the cycles since
   * the last one began to.
   */
  delayToNext(node: number, sinceStart: number): number {
    const inside = realAt(this.#made, node) - realAt(this.#started, node);
    if (inside >= this.#most) {
      this.#makes[node] = makesWhenOneLeaves;
      return 0;
    }
    this.#makes[node] = makesAtItsTime;
    const isLastPlace = inside === this.#most - 1 && realAt(this.#started, node) > 0;
    return isLastPlace ? Math.max(1, this.#flits + 1 - sinceStart) : 1;
  }

  /** A packet of a node begins to leave it. Whether the next one is made when all of it has. */
  leave(node: number): boolean {
    this.#started[node] = realAt(this.#started, node) + 1;
    if (this.#makes[node] !== makesWhenOneLeaves) return false;
    this.#makes[node] = makesAtItsTime;
    return true;
  }

  /** A node makes the next packet of its first message, which may ask from the cycle `routed` on. */
  make(node: number, now: number, routed: number): number {
    const of = intAt(this.#firstMessage, node);
    if (this.#freePacket === none) this.#growPackets();
    const packet = this.#freePacket;
    const { words } = this;
    const messages = this.#messages;
    const record = packet << shift;
    const made = realAt(this.#made, node);
    const to = intAt(messages, (of << messageShift) + messageTo);
    this.#freePacket = intAt(words, record + nextOf);
    words[record + nextOf] = none;
    words[record + destination] = to;
    words[record + message] = of;
    words[record + hopsOf] = 0;
    words[record + stateOf] = this.#startOfRoute(node, to, made);
    words[record + madeBy] = node;
    words[record + serial] = made;
    words[record + routedAt] = routed;
    this.#created[packet] = now;
    this.#made[node] = made + 1;
    this.packetsUnderWay++;
    const left = intAt(messages, (of << messageShift) + packetsToMake) - 1;
    messages[(of << messageShift) + packetsToMake] = left;
    if (left === 0) {
      this.sent.push(of);
      this.#firstMessage[node] = intAt(messages, (of << messageShift) + nextMessage);
      if (this.#firstMessage[node] === none) this.#makes[node] = makesNothing;
    }
    return packet;
  }

  /** Cycle in which a packet was made. */
  createdAt(packet: number): number {
    return realAt(this.#created, packet);
  }

  /** A packet is there as a whole. */
  remove(packet: number): void {
    const { words } = this;
    const record = packet << shift;
    const of = (intAt(words, record + message) << messageShift) + packetsToArrive;
    words[record + nextOf] = this.#freePacket;
    this.#freePacket = packet;
    this.packetsUnderWay--;
    const left = intAt(this.#messages, of) - 1;
    this.#messages[of] = left;
    if (left === 0) this.arrived.push(of >> messageShift);
  }

  /** What was sent and has arrived is known: numbers of messages that have arrived are used again. */
  forget(): void {
    if (this.sent.length > 0) this.sent.length = 0;
    if (this.arrived.length === 0) return;
    for (const of of this.arrived) {
      this.#messages[(of << messageShift) + nextMessage] = this.#freeMessage;
      this.#freeMessage = of;
    }
    this.arrived.length = 0;
  }

  #growPackets(): void {
    const old = this.#created.length;
    const count = Math.max(64, 2 * old);
    this.words = longer(this.words, count << shift);
    const created = new Float64Array(count);
    created.set(this.#created);
    this.#created = created;
    for (let packet = count - 1; packet >= old; packet--) {
      this.words[(packet << shift) + nextOf] = this.#freePacket;
      this.#freePacket = packet;
    }
  }

  #growMessages(): void {
    const old = this.#messages.length >> messageShift;
    const count = Math.max(64, 2 * old);
    this.#messages = longer(this.#messages, count << messageShift);
    for (let of = count - 1; of >= old; of--) {
      this.#messages[(of << messageShift) + nextMessage] = this.#freeMessage;
      this.#freeMessage = of;
    }
  }
}

function longer(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(values);
  return copy;
}

/** A number below `bound` that depends on its arguments alone. */
export const drawn = (seed: number, queue: number, cycle: number, bound: number): number =>
  Math.floor((mixed(seed, queue, cycle) / 2 ** 32) * bound);

/** Coins of the packet that a node makes as its `serial`th: one for each axis of a grid. */
export const tiesOf = (seed: number, node: number, serial: number): number => mixed(~seed, node, serial) >>> 2;

/** 32 random bits. */
function mixed(seed: number, one: number, other: number): number {
  let bits = seed ^ Math.imul(one + 1, 0x9e3779b1) ^ Math.imul(other % 2 ** 31, 0x85ebca77);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
