/**
 * How the first packet of a queue selects one of the channels that its routing allows, and which of those that ask for one channel gets it:
 * the rules that `packetEvents.ts` states.
 */
import type { NetworkArbiter, NetworkSelection } from '../../model/networkModel.ts';
import { drawn } from './packetNodes.ts';
import { queueWords } from './packetRecords.ts';
import type { PacketQueues } from './packetQueues.ts';

const none = -1;

const { shift, room, optionCount, escapes, beginOf, bet, mask, askedAt } = queueWords;
const { firstSince, lastWinner, portOf, portsOf } = queueWords;

/** As many options have a bit; with more of them a packet does not sleep while it has one with room. */
export const mostBits = 30;

export class PacketSelection {
  readonly #queues: PacketQueues;
  readonly #seed: number = 0;
  readonly #select: NetworkSelection;
  readonly #isFirstCome: boolean = false;

  constructor(queues: PacketQueues, seed: number, select: NetworkSelection, arbiter: NetworkArbiter) {
    this.#queues = queues;
    this.#seed = seed;
    this.#select = select;
    this.#isFirstCome = arbiter === 'first-come';
  }

  /** Whether the first packet of a queue gets an output, and not that of a rival. The queues and the output by their records. */
  isBefore(own: number, rival: number, wanted: number): boolean {
    const { words } = this.#queues;
    const port = words[own + portOf]!;
    const rivalPort = words[rival + portOf]!;
    if (this.#isFirstCome) {
      // Both waits are far shorter than 2^31 cycles.
      const later = (words[own + firstSince]! - words[rival + firstSince]!) | 0;
      return later < 0 || (later === 0 && port < rivalPort);
    }
    const last = words[wanted + lastWinner]!;
    const ports = words[own + portsOf]!;
    const turn = port > last ? port - last : port - last + ports;
    const rivalTurn = rivalPort > last ? rivalPort - last : rivalPort - last + ports;
    return turn < rivalTurn;
  }

  /**
   * Index of the option that the first packet of a queue asks for in the cycle `now`, of those from its `beginOf` on in the list; their
   * count stands for the escape channel, −1 for none. `withRoom` are bits of the options that have room.
   */
  choose(queue: number, now: number, withRoom: number, options: Int32Array): number {
    if (this.#select === 'random') return this.#chooseRandom(queue, now, options);
    if (this.#select === 'least-filled') return this.#chooseLeastFilled(queue, options);
    const { words } = this.#queues;
    const own = queue << shift;
    const begin = words[own + beginOf]!;
    const count = words[own + optionCount]!;
    const hasEscape = words[own + escapes]!;
    const elapsed = ((now - words[own + askedAt]!) | 0) - 1;
    if (elapsed > 0) this.#skipAsking(own, count, hasEscape, elapsed);
    const first = words[own + bet]!;
    for (let each = first; each < count; each++) {
      if (!this.#isOpen(each, withRoom, options, begin)) continue;
      words[own + bet] = each + 1;
      return each;
    }
    words[own + bet] = 0;
    if (hasEscape === 1) return count;
    for (let each = 0; each < first; each++) {
      if (!this.#isOpen(each, withRoom, options, begin)) continue;
      words[own + bet] = each + 1;
      return each;
    }
    return none;
  }

  #isOpen(each: number, withRoom: number, options: Int32Array, begin: number): boolean {
    return each < mostBits ? ((withRoom >> each) & 1) === 1 : this.#queues.hasRoom(options[begin + each]!);
  }

  /** What it would have turned to in the cycles that it slept through, while the options with room were those of its mask. */
  #skipAsking(own: number, count: number, hasEscape: number, elapsed: number): void {
    const { words } = this.#queues;
    const options = words[own + mask]!;
    let withRoom = 0;
    for (let rest = options; rest !== 0; rest &= rest - 1) withRoom++;
    const period = withRoom + hasEscape;
    if (period === 0) return;
    let turn = words[own + bet]!;
    for (let left = elapsed % period; left > 0; left--) {
      let next = turn;
      while (next < count && ((options >> next) & 1) === 0) next++;
      if (next === count && hasEscape === 0) {
        next = 0;
        while (((options >> next) & 1) === 0) next++;
      }
      turn = next === count ? 0 : next + 1;
    }
    words[own + bet] = turn;
  }

  #chooseRandom(queue: number, now: number, options: Int32Array): number {
    const queues = this.#queues;
    const own = queue << shift;
    const begin = queues.words[own + beginOf]!;
    const count = queues.words[own + optionCount]!;
    let withRoom = 0;
    for (let each = 0; each < count; each++) if (queues.hasRoom(options[begin + each]!)) withRoom++;
    if (withRoom === 0) return queues.words[own + escapes] === 1 ? count : none;
    let left = drawn(this.#seed, queue, now, withRoom);
    for (let each = 0; each < count; each++) {
      if (queues.hasRoom(options[begin + each]!) && left-- === 0) return each;
    }
    return none;
  }

  #chooseLeastFilled(queue: number, options: Int32Array): number {
    const queues = this.#queues;
    const own = queue << shift;
    const begin = queues.words[own + beginOf]!;
    const count = queues.words[own + optionCount]!;
    let best = none;
    let most = 0;
    for (let each = 0; each < count; each++) {
      const option = options[begin + each]!;
      const places = queues.words[((option < 0 ? ~option : option) << shift) + room]!;
      if (places <= most || !queues.hasRoom(option)) continue;
      best = each;
      most = places;
    }
    return best === none && queues.words[own + escapes] === 1 ? count : best;
  }
}
