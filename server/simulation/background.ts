/**
 * Traffic of nodes beside the jobs that are simulated, after Pascual et al. 2010, section 4: each node, each cycle with a
 * probability, makes a packet for another one, uniformly chosen. A packet that finds no room waits and holds back the next of its node.
 */
import { endsPerNode, nodeWorks, type Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { drawSeed, seededRandom, type RandomSource } from '../model/random.ts';
import { logarithm } from '../numeric/elementary.ts';
import { itemAt, realAt } from '../numeric/elements.ts';
import { IndexedHeap } from '../numeric/heap.ts';
import { HeldSenders } from './heldSenders.ts';
import type { MessageNetwork } from './messages.ts';

export interface BackgroundTraffic {
  /** Packets a node and cycle: the probability of one in each cycle. */
  readonly rate: number;
  /** Nodes without a task, or each one. */
  readonly nodes: 'idle' | 'all';
}

/** What came of a background: packets that have arrived, and how many its nodes make on average where none of them is held back. */
export interface BackgroundCarried {
  readonly nodes: number;
  readonly arrived: number;
  readonly asked: number;
}

/** The cycle before the one at whose end the first packets can be handed over. */
const beforeTheFirst = -2;

export class Background {
  readonly #nodes: readonly number[];
  readonly #rate: number = 0;
  readonly #bytes: number = 0;
  readonly #random: RandomSource;
  /** Cycle at whose end the next packet of each node is handed over, negative. */
  readonly #due: Float64Array = new Float64Array(0);
  readonly #heap: IndexedHeap;
  readonly #indexOfMessage: number[] = [];
  readonly #held: HeldSenders;
  /** Packets that have arrived. */
  #arrived = 0;

  constructor(nodes: readonly number[], rate: number, bytes: number, random: RandomSource) {
    this.#nodes = nodes;
    this.#rate = rate;
    this.#bytes = bytes;
    this.#random = random;
    this.#due = new Float64Array(nodes.length);
    this.#heap = new IndexedHeap(this.#due);
    this.#held = new HeldSenders(nodes.length);
    for (let index = 0; index < nodes.length; index++) this.#schedule(index, beforeTheFirst);
  }

  get next(): number {
    return this.#heap.count === 0 ? Infinity : -realAt(this.#due, this.#heap.top);
  }

  sendDue(network: MessageNetwork, note: (message: number) => void): void {
    while (this.next <= network.now) {
      const index = this.#heap.top;
      this.#heap.remove(index);
      let other = this.#random.integer(this.#nodes.length - 1);
      if (other >= index) other++;
      const message = network.send(itemAt(this.#nodes, index), itemAt(this.#nodes, other), this.#bytes);
      this.#indexOfMessage[message] = index;
      this.#held.handed(index);
      note(message);
    }
  }

  sent(message: number, now: number): void {
    const index = itemAt(this.#indexOfMessage, message);
    if (this.#held.mayGoOn(index, index)) this.#schedule(index, now - 1);
  }

  arrived(message: number, now: number): void {
    this.#arrived++;
    const index = this.#held.arrived(itemAt(this.#indexOfMessage, message));
    if (index !== undefined) this.#schedule(index, now - 1);
  }

  /** What came of it in so many cycles. */
  carriedIn(cycles: number): BackgroundCarried {
    const nodes = this.#nodes.length;
    return { nodes, arrived: this.#arrived, asked: this.#rate * nodes * cycles };
  }

  /** The next success of trials from the cycle after `now` + 1 on, handed over at the end of the cycle before it. */
  #schedule(index: number, now: number): void {
    const trials =
      this.#rate >= 1 ? 1 : 1 + Math.floor(logarithm(1 - this.#random.fraction()) / logarithm(1 - this.#rate));
    this.#due[index] = -(now + trials);
    this.#heap.add(index);
  }
}

/** Bytes of a packet: one of the length that the network has, else of 8 flits of 4 bytes. */
const packetBytes = ({ flit = 4, packet = 8 }: NetworkModel): number => flit * packet;

/**
 * The background of a machine on which tasks are at the nodes `nodeOfTask`, drawn from generators of its own. Undefined where there is none: at
 * a rate of 0, with fewer than two nodes to send, or in a network whose ends are places on nodes.
 */
export function backgroundTraffic(
  { rate, nodes }: BackgroundTraffic,
  machine: Machine,
  model: NetworkModel,
  { endpoints }: MessageNetwork,
  nodeOfTask: Int32Array,
  random: RandomSource,
): Background | undefined {
  if (rate <= 0 || endpoints === 'slots') return undefined;
  const busy = new Set(nodes === 'idle' ? nodeOfTask : []);
  const senders = Array.from({ length: machine.nodeCount }, (_, node) => node).filter(
    (node) => !busy.has(node) && nodeWorks(machine.topology, node),
  );
  if (senders.length < 2) return undefined;
  // Where each task has a rail of its own the background takes the first one of its nodes.
  const ends = senders.map((node) => node * endsPerNode(machine));
  return new Background(ends, rate, packetBytes(model), seededRandom(drawSeed(random)));
}
