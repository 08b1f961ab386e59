/**
 * The network interface: messages from node to node in whole cycles. Replayed programs, traffic at a rate and background send single
 * messages; streams send all packets of a job at once.
 *
 * An engine cuts a message into packets or flits by its own options; who sends knows bytes alone. Time is in whole cycles.
 *
 * A channel is one direction of a link, or a way between a node and its router, which every node has whether the machine
 * counts host links or not. Numbering, as in a `LinkTable`: links between routers by their LinkId, then for node n
 * `routerLinkCount + 2·n` into the network (injection) and the next one out of it (ejection). Virtual channels of one link
 * count as that link.
 */
import type { Cancellation } from '../model/cancellation.ts';
import { itemAt } from '../numeric/elements.ts';

/**
 * The packets of one job, process by process. Pure functions of their arguments: nothing is stored per packet, and any engine
 * may ask again.
 */
export interface PacketSource {
  readonly processCount: number;
  /** Packets of all processes together. */
  readonly packetCount: number;
  /** Packets that a process sends. O(1). */
  packetsOf(process: number): number;
  /** The processes that send any, ascending, where they are few. Absent: each is asked. */
  readonly senders?: readonly number[];
  /** The process that packet `index` of a process goes to, `0 ≤ index < packetsOf(process)`. O(1). */
  destinationOf(process: number, index: number): number;
}

/** What one job sends. */
export interface Transmission {
  readonly source: PacketSource;
  /** NodeId of each process; several of a node take turns: one queues up anew when its packet has left the node. */
  readonly nodeOfProcess: Int32Array;
  /** Length of every packet, 1 … {@link longestPacket}. */
  readonly flits: number;
}

/** Packets are no longer than this, in flits: engines keep a slot of time for each cycle that a packet may take to pass. */
export const longestPacket = 2 ** 20;

/** What the packets of a transmission, or of all, have done. */
export interface Figures {
  /** Packets whose tail has arrived. */
  readonly packets: number;
  /** Links between routers that they took, summed over packets. */
  readonly hops: number;
  /** Cycles from the one in which a packet became the next of its node to the arrival of its tail, summed over packets. */
  readonly latency: number;
}

/** Packets that wait for one another in a circle: none of them can ever move again. */
export interface Deadlock {
  /** Cycle in which the circle closed. */
  readonly since: number;
  /**
   * Each packet waits for a channel that the next one holds, the last one for a channel of the first. The first is the one
   * with the lowest number.
   */
  readonly waits: readonly WaitingPacket[];
}

export interface WaitingPacket {
  /** Number of the packet, and the transmission that it belongs to. */
  readonly packet: number;
  readonly transmission: number;
  /** Channels that it holds, in order of travel. */
  readonly holds: readonly number[];
  /** Channel that it waits for. */
  readonly wants: number;
  /** Cycle from which it waits. Absent where an observer was told of the whole wait when it began, since its end was known. */
  readonly since?: number;
}

/** Told of each packet in the cycle in which its tail arrives; the packets of one cycle in no promised order. */
export type ObserveDelivery = (
  transmission: number,
  /** Packets of the transmission in order of processes, those of a process in order. */
  packet: number,
  /** Cycle in which the packet became the next of its node. */
  start: number,
  /** Cycle in which its tail arrived. */
  end: number,
  hops: number,
) => void;

/**
 * Why {@link MessageNetwork.advance} returned: all cycles to the one asked for are done; in the cycle `now` messages have left
 * the hands of their senders or have arrived; packets are in a deadlock; cancelled.
 */
export type MessageAdvance = 'reached' | 'events' | 'deadlock' | 'cancelled';

/** Told of what happens on the way; what is not asked for costs nothing. Cycles are those in which it happens. */
export interface MessageObserver {
  /**
   * A packet, a worm or a flow keeps a channel busy for so many cycles from `start` on. Told when that is known, which may be before
   * the end: starts of one channel ascend, those of different ones come in no order.
   */
  readonly crossed?: (channel: number, start: number, cycles: number, message: number) => void;
  /**
   * What stood first in its queue has waited so many cycles, 1 or more, from `start` on, until it got the channel. Of a choice of
   * channels it is the one taken in the end. Told when the wait is over.
   */
  readonly waited?: (channel: number, start: number, cycles: number, message: number) => void;
  /** A packet has arrived as a whole; `created` is the cycle in which it was made, `hops` the links between routers. */
  readonly delivered?: (message: number, created: number, arrived: number, hops: number, flits: number) => void;
  /** False where nobody looks at {@link MessageNetwork.sent}: it may be empty then, and `advance` need not return for it. */
  readonly tellsSent?: boolean;
}

/**
 * A network under way. Deterministic: what happens depends on what is sent and in which cycle, not on how the time between is
 * cut into calls of `advance`. Memory grows with messages under way, not with those sent.
 */
export interface MessageNetwork {
  /**
   * What messages go from and to. `nodes`: NodeIds, and what stays within a node is not sent at all. `ends`: ends of a machine with
   * rails (`endOfSlot`), and what stays within a node is not sent either. `slots`: SlotIds; what
   * goes from one core of a node to another is a message like any other.
   */
  readonly endpoints: 'nodes' | 'ends' | 'slots';
  /** Undefined where the machine has no bandwidth that says how long a flit takes. */
  readonly secondsPerCycle: number | undefined;
  /** The cycle up to which everything is done, this cycle included. Begins with −1, so that the first that is simulated is 0. */
  readonly now: number;
  /**
   * Hands over a message at the end of cycle `now`; its packets are made from the next cycle on, as there is room in the
   * buffer of the node. Messages of a node are made in the order in which they are handed over, whatever task of the node they are of.
   * Returns its number, which is used again after the message has been in `arrived`. `from` and `to` are different.
   */
  send(from: number, to: number, bytes: number): number;
  /**
   * Simulates to the end of cycle `to`, or of the first one before it in which messages are `sent` or have `arrived`. After a
   * deadlock nothing moves any more. `cancelled` leaves a state that can be advanced further.
   */
  advance(to: number, cancellation: Cancellation): MessageAdvance;
  /** Messages whose last packet was made in the cycle `now`: their sender may go on. Ascending; in place until the next `advance`. */
  readonly sent: readonly number[];
  /** Messages whose last packet arrived in the cycle `now`. Ascending; in place until the next `advance`. */
  readonly arrived: readonly number[];
  /** Messages handed over that have not arrived. */
  readonly messagesUnderWay: number;
  /** Where `advance` has returned `deadlock`. Transmissions are numbers of messages there. */
  readonly deadlock: Deadlock | undefined;
  /**
   * Who waits for what at the end of cycle `now`: for a picture of a moment. Transmissions are numbers of messages.
   * O(packets under way).
   */
  waiting(): readonly WaitingPacket[];
}

/** A network that also takes all packets of a job at once. Send either single messages or jobs through it, not both. */
export interface StreamNetwork extends MessageNetwork {
  /**
   * Begins a transmission and returns its number: 0, 1, 2 … Processes of one node take turns, packet by packet. The first packets
   * are made in the cycle `now`, or in the next one where the engine takes messages at the ends of cycles. O(senders).
   */
  sendAll(transmission: Transmission): number;
  /** Transmissions whose last packet arrived in the cycle `now`. Ascending; in place until the next `advance`. */
  readonly completed: readonly number[];
  /** Of a transmission that is under way or in `completed`; undefined of others. */
  figuresOf(transmission: number): Figures | undefined;
}

/** How an engine cuts messages into packets. */
export interface Packing {
  readonly flitBytes: number;
  /** All packets are so long, in flits. Absent: a message is one worm, a header and as many flits as its bytes need. */
  readonly packetFlits?: number;
}

/** Packets of a message, at least 1. A worm longer than {@link longestPacket} is cut into several. */
export function packetsOf({ flitBytes, packetFlits }: Packing, bytes: number): number {
  if (packetFlits !== undefined) return Math.max(1, Math.ceil(bytes / (packetFlits * flitBytes)));
  return Math.ceil((1 + Math.ceil(bytes / flitBytes)) / longestPacket);
}

/** Flits of each packet of a message. */
export function flitsOf(packing: Packing, bytes: number): number {
  return packing.packetFlits ?? Math.ceil((1 + Math.ceil(bytes / packing.flitBytes)) / packetsOf(packing, bytes));
}

/** Takes all out of a list, which keeps its memory: after `length = 0` engines of JavaScript allocate it anew. */
export function empty(list: number[]): void {
  while (list.length > 0) list.pop();
}

/** Lists up to this length are sorted by insertion. */
const shortList = 16;

/** Sorts numbers of messages: mostly a few. `sort` copies its list twice, also one that is in order. */
export function sortAscending(list: number[]): void {
  if (list.length > shortList) {
    list.sort((a, b) => a - b);
    return;
  }
  for (let end = 1; end < list.length; end++) {
    const message = itemAt(list, end);
    let place = end;
    for (; place > 0 && itemAt(list, place - 1) > message; place--) list[place] = itemAt(list, place - 1);
    list[place] = message;
  }
}
