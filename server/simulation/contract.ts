/**
 * What every engine of this room does, and what it is given: messages that travel through the channels of a machine, in
 * whole cycles. Engines differ in how they switch; whoever simulates jobs knows this interface alone.
 *
 * A channel is one direction of a link, or a way between a node and its router, which every node has whether the machine
 * counts host links or not. Numbering, as in a `LinkTable`: links between routers by their LinkId, then for node n
 * `routerLinkCount + 2·n` into the network (injection) and the next one out of it (ejection).
 */
import type { Cancellation } from '../model/cancellation.ts';

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

/**
 * Why {@link Network.advance} returned: all cycles to the one asked for are done; transmissions were completed in the cycle
 * `now`; packets are in a deadlock; cancelled.
 */
export type Advance = 'reached' | 'completed' | 'deadlock' | 'cancelled';

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
 * A network under way. Deterministic: what happens depends on what is sent and in which cycle, and not on how the time between
 * is cut into calls of `advance`. Memory grows with the processes that still send and the packets that are under way, not
 * with packets sent.
 */
export interface Network {
  /** The cycle up to which everything is done, this cycle included. Begins with 0. */
  readonly now: number;
  /**
   * Begins a transmission in the cycle `now` and returns its number: 0, 1, 2 … Its packets are numbered on from those
   * of earlier transmissions, process by process; where packets ask for a channel in one cycle, the lower number is
   * first. One without packets is complete in the cycle `now`, as the next `advance` says. O(senders).
   */
  send(transmission: Transmission): number;
  /**
   * Simulates to the end of cycle `to ≥ now`, or of an earlier one in which transmissions are completed; `now` says which.
   * After a deadlock nothing moves any more. `cancelled` leaves a state that can be advanced further.
   */
  advance(to: number, cancellation: Cancellation): Advance;
  /** Transmissions completed in the cycle `now`, ascending, where the last `advance` returned `completed`; else empty. In place until the next `advance`. */
  readonly completed: readonly number[];
  /** Of a transmission that is under way or in `completed`; undefined of others: they are forgotten at the next `advance`. */
  figuresOf(transmission: number): Figures | undefined;
  /** Of all transmissions so far. */
  readonly total: Figures;
  /** Packets that are under way: become the next of their node, tail not arrived. */
  readonly packetsUnderWay: number;
  /** Where `advance` has returned `deadlock`. */
  readonly deadlock: Deadlock | undefined;
}
