/**
 * Packets by events: cut-through and store-and-forward switching with any number of channels, exact.
 *
 * The model is that of FSIN, the simulator of Pascual et al. 2010 (Navaridas et al., INSEE), with delays of its own. A link moves one
 * flit a cycle. At its end each of its channels has a queue of so many packets; so has each node, with a buffer as large before it,
 * into which the node makes a packet a cycle while there is room. A flit passes from the buffer to the queue one cycle after there is room. The
 * first packet of a queue asks for one channel in a cycle, of those that its routing allows and whose queue has room for a packet,
 * by `select`:
 *
 *  - `first-free`: in the order of the routing (`packetRoutes.ts`), last the escape channel; after a lost arbitration the next one;
 *  - `random`: any; `least-filled`: the one with most room, the first of equals; the escape channel where none of them has room.
 *
 * To ask for a channel that another packet is crossing is to lose. Of those that ask for a free channel the arbiter takes one: the next
 * port after that of the last winner, or the one that has been first in its queue for longest. Channels of a link take turns packet by packet.
 * Once its first flit has moved the others follow without a gap. A packet that is there leaves the network one flit a cycle:
 * at once with `ejection multiple`, one after the other with `ejection single`. Where a bubble is kept, a packet enters a ring only with room
 * for so many packets in this router's own queue of that ring and direction (`here`), or in the next one.
 *
 * Where routing is adaptive, a packet that goes half-way round a ring takes either way, by a coin thrown when it is made; the escape
 * channel goes the same way. Dimension order alone takes the positive one.
 *
 * In a cycle packets are made first, then all ask on the state that the last cycle left, then all flits move. A place that is
 * freed in a move counts from the next cycle; flits on the way occupy theirs. With h links, r router and l link cycles and L flits a packet
 * alone takes h(r + l) + r + L − 1 cycles from the one in which it was made, with store-and-forward h(r + l + L − 1) + r + L − 1.
 *
 * Links of a machine need not be equal. A cycle is then the time of a flit on the fastest one; on another a flit takes t cycles, a packet ⌈L·t⌉, and
 * a header lands ⌈t⌉ − 1 cycles later. A packet goes on as its header may, and over a faster link no faster than its flits come over a slower one: it
 * keeps that link busy until the last has crossed. A packet then takes the place of one that goes out if that began no later and ends no later.
 *
 * Why events are enough. A packet never stops on a link, so that the start of its first flit says where all are. Let n packets stand in a
 * queue, those under way into it or out of it included. While one comes in and one goes out that started no later, what comes takes
 * the places of what goes: there is one place more than `capacity − n`. In all other cases a partly filled place is no room
 * for a packet. So room comes only when a tail has left, goes only when a header starts to come, and is a whole number of packets
 * between (`room`). First packets that cannot get anything sleep until one of these happens to a queue they may ask for, or one of its
 * channels becomes free; which option a sleeper would have asked for in each cycle follows from a period.
 */
import { neverCancelled, WorkMeter, type Cancellation } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { drawSeed, type RandomSource } from '../../../model/random.ts';
import { intAt, realAt } from '../../../numeric/elements.ts';
import type { Deadlock, MessageAdvance, MessageNetwork, MessageObserver, WaitingPacket } from '../../messages.ts';
import { PacketMemory, reasons } from './packetMemory.ts';
import { DistancesToFind } from '../packetRoutes.ts';
import { kernelOptions, mostRemembered, packetMachine, writeTables, type PacketOptions } from './packetTables.ts';
import { RouteStarts } from './routeStarts.ts';
import { deadlockOf, hasDeadlock, waitingInKernel, type PacketNetworkSize } from './packetWaits.ts';

/** Looks at the cancellation flag between two searches for deadlocks of a part of the network. */
const looksPerSearch = 2 ** 9;

const none: readonly number[] = [];

export class PacketEvents implements MessageNetwork {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle: number | undefined;
  now = -1;
  messagesUnderWay = 0;
  deadlock: Deadlock | undefined;
  sent: readonly number[] = none;
  arrived: readonly number[] = none;
  readonly #memory: PacketMemory;
  readonly #starts: RouteStarts;
  readonly #distances: DistancesToFind;
  readonly #findRow: (router: number) => void;
  readonly #packetBytes: number = 0;
  readonly #size: PacketNetworkSize;
  #untilSearch = looksPerSearch;

  /** Of no use where it was cancelled. */
  constructor(
    machine: Machine,
    options: PacketOptions,
    observer: MessageObserver,
    random: RandomSource,
    cancellation: Cancellation = neverCancelled,
  ) {
    const meter = new WorkMeter(cancellation);
    const of = packetMachine(machine, options.channels, meter);
    this.#memory = new PacketMemory(machine, kernelOptions(of, options, drawSeed(random), observer), observer);
    writeTables(this.#memory.kernel, of, options, meter);
    this.#starts = new RouteStarts(machine, this.#memory);
    this.#distances = new DistancesToFind(machine, mostRemembered);
    this.#findRow = (router) => {
      this.#memory.kernel.keepSteps(router);
    };
    this.secondsPerCycle = options.secondsPerCycle;
    this.#packetBytes = options.packet * options.flit;
    const linkQueues = of.stations.linkCount * options.channels;
    this.#size = { linkQueues, queueCount: of.stations.ofQueue.length, nodeCount: machine.nodeCount };
  }

  /** Bytes of what the network and the packets and messages under way take. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  send(from: number, to: number, bytes: number): number {
    const packets = Math.max(1, Math.ceil(bytes / this.#packetBytes));
    const start = this.#starts.of(from, to);
    let number = this.#memory.kernel.send(from, to, packets, start);
    while (number < 0) {
      this.#memory.grow();
      number = this.#memory.kernel.send(from, to, packets, start);
    }
    this.messagesUnderWay++;
    this.#distances.note(to);
    return number;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    if (this.deadlock !== undefined) return 'deadlock';
    this.sent = none;
    this.arrived = none;
    if (!this.#distances.find(this.#findRow, cancellation)) return 'cancelled';
    const memory = this.#memory;
    for (;;) {
      const reason = memory.kernel.advance(to);
      this.now = realAt(memory.clock, 0);
      switch (reason) {
        case reasons.reached:
          return 'reached';
        case reasons.events:
          this.#takeMessages();
          return 'events';
        case reasons.deadlock:
          return this.#stopDeadlocked();
        case reasons.needsMemory:
          if (!memory.grow(cancellation)) return 'cancelled';
          break;
        default:
          if (cancellation.isCancelled()) return 'cancelled';
          if (--this.#untilSearch > 0) break;
          this.#untilSearch = looksPerSearch;
          if (hasDeadlock(memory.kernel, this.#size)) return this.#stopDeadlocked();
      }
    }
  }

  waiting(): readonly WaitingPacket[] {
    return waitingInKernel(this.#memory.kernel, this.#size);
  }

  #takeMessages(): void {
    const { words, messages } = this.#memory;
    const sent = intAt(messages, 0);
    const arrived = intAt(messages, 1);
    const first = intAt(messages, 2) >> 2;
    this.sent = numbersIn(words, first, sent);
    this.arrived = numbersIn(words, first + sent, arrived);
    this.messagesUnderWay -= arrived;
  }

  #stopDeadlocked(): MessageAdvance {
    this.deadlock = deadlockOf(this.#memory.kernel, this.#size);
    return 'deadlock';
  }
}

function numbersIn(words: Int32Array, first: number, count: number): readonly number[] {
  if (count === 0) return none;
  // Lists that begin empty get room for many, and most are of one.
  const numbers = [intAt(words, first)];
  for (let each = first + 1; each < first + count; each++) numbers.push(intAt(words, each));
  return numbers;
}
