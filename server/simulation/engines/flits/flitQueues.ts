/**
 * The worms that stand one behind the other in the queues of links, and the room that they leave. The flits of the first one are counted in the
 * record of its queue, those of the others at their places: a ring of as many as the queue has flits, since a worm there has one at least.
 * Of one worm only flits still come, the last of its queue.
 */
import { intAt } from '../../../numeric/elements.ts';
import type { DelayLine } from '../../pending.ts';
import type { FlitNodes } from './flitNodes.ts';
import { packetWords, placeWords, queueWords, wormStates, wormWords } from './flitRecords.ts';

const none = -1;

const { absent, sending } = wormStates;
const { shift, room, sender, here } = queueWords;
const { shift: wormShift, state: stateWord, packet: packetWord, out, firstWorm, wormCount, landing } = wormWords;
const { shift: placeShift, packetOf, landed } = placeWords;
const { shift: packetShift, flits: flitsWord } = packetWords;

/** What the queues work on, and whom they tell. */
export interface QueuesOf {
  /** Records of all queues and of their worms; those of links come first. */
  readonly queues: Int32Array;
  readonly worms: Int32Array;
  readonly linkQueues: number;
  /** Flits of a queue. */
  readonly buffer: number;
  /** Have the records of packets. */
  readonly nodes: FlitNodes;
  /** A flit may be able to go through a channel: there is one, and room for it. */
  readonly canSend: (channel: number) => void;
  /** The header of the first worm of a queue is there in this cycle. */
  readonly headerLanded: (queue: number) => void;
  /** Free places of a queue with which a header may get its channel, in case one is not enough. */
  readonly enough: number;
  /** A queue that nobody sends into has room again, or enough of it. */
  readonly hasRoom: (queue: number) => void;
}

export class FlitQueues {
  readonly places: Int32Array = new Int32Array(0);
  /** Queues that have a place more at the end of this cycle. */
  freedCount = 0;
  readonly #freed: Int32Array = new Int32Array(0);
  /** By queue, flits that still come of the worm that comes: of the first one, or, as a negative number, of one behind it. */
  readonly #toLand: Int32Array = new Int32Array(0);
  readonly #queues: Int32Array = new Int32Array(0);
  readonly #worms: Int32Array = new Int32Array(0);
  readonly #buffer: number = 0;
  readonly #of: QueuesOf;

  constructor(of: QueuesOf) {
    const { queues, worms, linkQueues, buffer } = of;
    this.places = new Int32Array((linkQueues * buffer) << placeShift);
    this.#freed = new Int32Array(queues.length >> shift);
    this.#toLand = new Int32Array(linkQueues);
    this.#queues = queues;
    this.#worms = worms;
    // As 32 bits, so that the loops do not take it for a double.
    this.#buffer = buffer | 0;
    this.#of = of;
  }

  /** Flits that are due come to the ends of their wires. */
  landAll(lines: readonly DelayLine[], now: number): void {
    for (const line of lines) if (line.due === now) this.#land(line);
  }

  #land(line: DelayLine): void {
    const queues = this.#queues;
    const worms = this.#worms;
    const toLand = this.#toLand;
    const { canSend, headerLanded } = this.#of;
    const { values, mask, batchEnd } = line;
    for (let at = line.head; at !== batchEnd; at = (at + 1) & mask) {
      const queue = values[at]!;
      const missing = toLand[queue]!;
      if (missing > 0) toLand[queue] = missing - 1;
      else if (!this.#landsInFirst(queue, missing)) continue;
      const own = (queue << shift) + here;
      const there = queues[own]!;
      queues[own] = there + 1;
      if (there !== 0) continue;
      const worm = queue << wormShift;
      const state = worms[worm + stateWord]!;
      if (state === sending) canSend(worms[worm + out]!);
      else if (state === absent) headerLanded(queue);
    }
    line.drop();
  }

  /** A flit is that of a worm that stands behind the first one, or the header of a worm; whether that one is the first. */
  #landsInFirst(queue: number, missing: number): boolean {
    const { places } = this;
    const worms = this.#worms;
    const buffer = this.#buffer;
    const worm = queue << wormShift;
    let slot = worms[worm + landing]!;
    if (missing < 0) this.#toLand[queue] = missing + 1;
    else {
      slot = slot + 1 === buffer ? 0 : slot + 1;
      worms[worm + landing] = slot;
      const packet = places[((queue * buffer + slot) << placeShift) + packetOf]!;
      const others = this.#of.nodes.packets[(packet << packetShift) + flitsWord]! - 1;
      const isFirst = slot === worms[worm + firstWorm];
      this.#toLand[queue] = isFirst ? others : 0 - others;
      if (isFirst) return true;
    }
    const place = ((queue * buffer + slot) << placeShift) + landed;
    places[place] = places[place]! + 1;
    return false;
  }

  /** A packet will be sent into a queue: behind its worms. */
  add(queue: number, packet: number): void {
    const { places } = this;
    const worms = this.#worms;
    const buffer = this.#buffer;
    const worm = queue << wormShift;
    const count = worms[worm + wormCount]!;
    let slot = worms[worm + firstWorm]! + count;
    if (slot >= buffer) slot -= buffer;
    const place = (queue * buffer + slot) << placeShift;
    places[place + packetOf] = packet;
    places[place + landed] = 0;
    worms[worm + wormCount] = count + 1;
    if (count === 0) worms[worm + packetWord] = packet;
  }

  /** The first worm of a queue has left it. Whether the header of the next one is there, which is first now. */
  dropFirst(queue: number): boolean {
    const { places } = this;
    const worms = this.#worms;
    const buffer = this.#buffer;
    const worm = queue << wormShift;
    const following = worms[worm + firstWorm]! + 1;
    const slot = following === buffer ? 0 : following;
    const count = worms[worm + wormCount]! - 1;
    worms[worm + firstWorm] = slot;
    worms[worm + wormCount] = count;
    if (count === 0) return false;
    const place = (queue * buffer + slot) << placeShift;
    const there = places[place + landed]!;
    worms[worm + packetWord] = places[place + packetOf]!;
    this.#queues[(queue << shift) + here] = there;
    if (there === 0) return false;
    if (slot === worms[worm + landing]) this.#toLand[queue] = Math.abs(this.#toLand[queue]!);
    return true;
  }

  /** A flit has left a queue of a link. */
  free(queue: number): void {
    this.#freed[this.freedCount++] = queue;
  }

  /** Places that flits have left count from the next cycle on. */
  giveBack(): void {
    const queues = this.#queues;
    const freed = this.#freed;
    const count = this.freedCount;
    const { canSend, hasRoom, enough } = this.#of;
    for (let index = 0; index < count; index++) {
      const queue = freed[index]!;
      const own = queue << shift;
      const before = queues[own + room]!;
      queues[own + room] = before + 1;
      if (before !== 0 && before + 1 !== enough) continue;
      const from = queues[own + sender]!;
      if (from === none) hasRoom(queue);
      else if (intAt(queues, (from << shift) + here) !== 0) canSend(queue);
    }
    this.freedCount = 0;
  }
}
