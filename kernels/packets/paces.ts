/**
 * Links on which a flit takes longer than on others: when packets have crossed them. A packet begins to cross as its head may, so that it goes over
 * a faster link no faster than it comes; see `packetEvents.ts`.
 */
import { flits, isStored, linkDelay, router } from './options';
import { engine, indexOf, indexOfLink, Link, noLink, Packet, Queue } from './records';

/** Of a link. */
@unmanaged
export class LinkTimes {
  /** Cycles of a packet, and of a flit less 1. */
  packet: i32;
  flitLess1: i32;
}

/** Of a queue: the cycles in which what came in last and what went out last have moved as wholes. */
@unmanaged
export class Ends {
  incoming: i32;
  outgoing: i32;
}

/** A packet where links are unequal. */
@unmanaged
export class PacedPacket extends Packet {
  /** Cycle in which its last flit may leave the station that it goes to. */
  tailAt: i32;
  spare: i32;
}

function timesOf(index: i32): LinkTimes {
  return changetype<LinkTimes>(engine.linkTimes + ((<usize>index) << 3));
}

export function placeTimes(index: i32, packet: i32, flitLess1: i32): void {
  timesOf(index).packet = packet;
  timesOf(index).flitLess1 = flitLess1;
}

export function endsOf(queue: Queue): Ends {
  return changetype<Ends>(engine.queueEnds + ((<usize>indexOf(queue)) << 3));
}

function paced(packet: Packet): PacedPacket {
  return changetype<PacedPacket>(changetype<usize>(packet));
}

/** A packet is in its node as a whole. */
export function setWhole(packet: Packet, tick: i32): void {
  paced(packet).tailAt = tick;
}

/** Cycle in which a packet that begins to cross a link, or to leave the network, has done so as a whole: a flit crosses when it is there. */
export function endOf(packet: Packet, link: Link, tick: i32): i32 {
  if (link === noLink) return tick + max(flits - 1, paced(packet).tailAt - tick);
  const times = timesOf(indexOfLink(link));
  return tick + max(times.packet - 1, paced(packet).tailAt + times.flitLess1 - tick);
}

/** A packet crosses a link from `tick` to `end`: when it, and its last flit, may go on. */
export function setWay(packet: Packet, link: Link, tick: i32, end: i32): void {
  paced(packet).tailAt = end + max(linkDelay, 1);
  packet.routedAt = (isStored ? end : tick + timesOf(indexOfLink(link)).flitLess1) + linkDelay + router;
}
