/**
 * Deadlocks among packets of which each waits for one channel at most, and each channel has one owner: a walk from owner to owner
 * ends at a packet that moves, or in a circle.
 */
import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../../messages.ts';
import type { PacketTable } from '../../packetTable.ts';

const none = -1;

/** Packets under way and what they hold. */
export interface Waits {
  readonly packets: PacketTable;
  /** The packet that owns each channel, or −1. */
  readonly owner: Int32Array;
  /** Number of the transmission of a packet. */
  readonly transmissionOf: (packet: number) => number;
}

/**
 * The circle of waiting packets that closed first, of those the one with the lowest number; undefined where there is none. Each
 * packet is walked over once: O(room for packets), and O(circle · route) for what is told of it.
 */
export function findHeaderDeadlock(waits: Waits): Deadlock | undefined {
  let found: Deadlock | undefined;
  const visitedFrom = new Int32Array(waits.packets.size).fill(none);
  for (let start = 0; start < visitedFrom.length; start++) {
    let packet = start;
    while (packet !== none && intAt(visitedFrom, packet) === none) {
      visitedFrom[packet] = start;
      packet = ownerOfWanted(waits, packet);
    }
    if (packet === none || intAt(visitedFrom, packet) !== start) continue;
    const circle = circleFrom(waits, packet);
    if (found === undefined || isEarlier(circle, found)) found = circle;
  }
  return found;
}

/** Packets that wait for channels, the lowest number first. O(room for packets). */
export function waitingHeaders(waits: Waits): readonly WaitingPacket[] {
  const { packets } = waits;
  const waiting: number[] = [];
  for (let packet = 0; packet < packets.size; packet++) if (packets.wantedBy(packet) !== none) waiting.push(packet);
  return waiting
    .sort((a, b) => realAt(packets.number, a) - realAt(packets.number, b))
    .map((packet) => headerWait(waits, packet));
}

function ownerOfWanted({ packets, owner }: Waits, packet: number): number {
  const channel = packets.wantedBy(packet);
  return channel === none ? none : intAt(owner, channel);
}

/** The circle that a packet is in, told from the packet with the lowest number on. It closed when the last of them asked. */
function circleFrom(waits: Waits, packet: number): Deadlock {
  const { number, askedAt } = waits.packets;
  const circle: number[] = [];
  let lowest = 0;
  let since = 0;
  for (let each = packet; circle.length === 0 || each !== packet; each = ownerOfWanted(waits, each)) {
    if (realAt(number, each) < realAt(number, circle[lowest] ?? each)) lowest = circle.length;
    since = Math.max(since, realAt(askedAt, each));
    circle.push(each);
  }
  return { since, waits: [...circle.slice(lowest), ...circle.slice(0, lowest)].map((each) => headerWait(waits, each)) };
}

/** What it holds is a part of the channels that it has taken: its tail has left the others. */
function headerWait({ packets, owner, transmissionOf }: Waits, packet: number): WaitingPacket {
  return {
    packet: realAt(packets.number, packet),
    transmission: transmissionOf(packet),
    holds: [...packets.taken(packet)].filter((channel) => intAt(owner, channel) === packet),
    wants: packets.wantedBy(packet),
    since: realAt(packets.askedAt, packet),
  };
}

const isEarlier = (a: Deadlock, b: Deadlock): boolean =>
  a.since < b.since || (a.since === b.since && itemAt(a.waits, 0).packet < itemAt(b.waits, 0).packet);
