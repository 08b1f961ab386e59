/**
 * What nodes do: they cut messages into packets, one a cycle while there is room in their buffer; and the records of the messages and
 * packets that are under way, which are used again.
 */
import { capacity, isAdaptive, isGrid, isUneven, linkQueues, queueCount, router, tellsSent } from './options';
import {
  engine,
  Message,
  Node,
  nodeAt,
  NodeState,
  noMessage,
  noPacket,
  Packet,
  queueAt,
  setWord,
  wayTo,
  wordAt,
} from './records';
import { PacedPacket, setWhole } from './paces';
import { tiesOf } from './selection';
import { schedule } from './times';
import { wayOf } from './ways';

/** Of the record of a packet. */
export function packetBytes(): usize {
  return isUneven ? offsetof<PacedPacket>() : offsetof<Packet>();
}

/** A new message behind those of its node, whose packets begin in a state: its number. −1 where there is no memory for it. */
export function send(from: i32, to: i32, packets: i32, start: i32): i32 {
  let message = engine.freeMessage;
  if (message !== noMessage) engine.freeMessage = message.next;
  else {
    if (engine.top + offsetof<Message>() > engine.limit) return -1;
    message = changetype<Message>(engine.top);
    engine.top += offsetof<Message>();
    message.number = engine.messageCount++;
  }
  message.next = noMessage;
  message.from = from;
  message.to = to;
  message.exit = queueAt(linkQueues + to);
  message.start = start;
  message.packetsToMake = packets;
  message.packetsToArrive = packets;
  const node = nodeAt(from);
  const isSilent = node.first === noMessage;
  if (isSilent) node.first = message;
  else node.last.next = message;
  node.last = message;
  if (isSilent) makeNext(from, node);
  return message.number;
}

/** What was sent and has arrived is known: numbers of messages that have arrived are used again. */
export function forget(): void {
  engine.sentCount = 0;
  for (let each = 0; each < engine.arrivedCount; each++) {
    const message = changetype<Message>(wordAt(engine.arrived, each));
    message.next = engine.freeMessage;
    engine.freeMessage = message;
  }
  engine.arrivedCount = 0;
}

/** Schedules the next packet of a node that has a message, for the next cycle or when there is room in its buffer. */
export function makeNext(number: i32, node: Node): void {
  const most: i64 = 2 * capacity;
  const inside = node.made - node.started;
  if (inside >= most) {
    node.does = NodeState.makesWhenOneLeaves;
    return;
  }
  node.does = NodeState.makesAtItsTime;
  let delay = 1;
  if (inside === most - 1 && node.started > 0) {
    const since = <u32>(<i32>engine.now - node.outStart);
    if (since < <u32>node.outCycles) delay = node.outCycles + 1 - <i32>since;
  }
  if (delay === 1) setWord(engine.makers, engine.makerCount++, number);
  else schedule(queueCount + number, delay);
}

/** A packet of a node begins to leave it, and has left after so many cycles. */
export function leaveNode(number: i32, tick: i32, cycles: i32): void {
  const node = nodeAt(number);
  node.started++;
  node.outStart = tick;
  node.outCycles = cycles;
  if (node.does !== NodeState.makesWhenOneLeaves) return;
  node.does = NodeState.makesAtItsTime;
  schedule(queueCount + number, cycles + 1);
}

/** A node makes the next packet of its first message. */
export function makePacket(number: i32, tick: i32): Packet {
  const node = nodeAt(number);
  const message = node.first;
  let packet = engine.freePacket;
  if (packet !== noPacket) engine.freePacket = packet.next;
  else {
    // `advance` has seen to it that there is memory for a packet of each node.
    packet = changetype<Packet>(engine.top);
    engine.top += packetBytes();
  }
  const serial = <i32>node.made;
  packet.next = noPacket;
  packet.message = message;
  packet.hops = 0;
  packet.way = isGrid
    ? wayOf(number, message.to, isAdaptive ? tiesOf(number, serial) : 0)
    : wayTo(message.exit.station, message.start);
  packet.serial = serial;
  packet.routedAt = tick + router;
  packet.createdAt = tick;
  if (isUneven) setWhole(packet, tick);
  node.made++;
  engine.packetsUnderWay++;
  const left = message.packetsToMake - 1;
  message.packetsToMake = left;
  if (left === 0) {
    if (tellsSent) setWord(engine.sent, engine.sentCount++, changetype<i32>(message));
    node.first = message.next;
    if (node.first === noMessage) node.does = NodeState.makesNothing;
  }
  if (node.first !== noMessage) makeNext(number, node);
  return packet;
}

/** A packet is there as a whole. */
export function removePacket(packet: Packet): void {
  const message = packet.message;
  packet.next = engine.freePacket;
  engine.freePacket = packet;
  engine.packetsUnderWay--;
  const left = message.packetsToArrive - 1;
  message.packetsToArrive = left;
  if (left === 0) setWord(engine.arrived, engine.arrivedCount++, changetype<i32>(message));
}

/** Writes the numbers of the messages that were sent in this cycle, and behind them of those that have arrived, each in their order. */
export function tellMessages(): void {
  const sent = engine.sentCount;
  const arrived = engine.arrivedCount;
  sortMessages(engine.sent, sent);
  sortMessages(engine.arrived, arrived);
  for (let each = 0; each < sent; each++) tell(each, wordAt(engine.sent, each));
  for (let each = 0; each < arrived; each++) tell(sent + each, wordAt(engine.arrived, each));
}

function tell(place: i32, message: i32): void {
  setWord(engine.told, place, changetype<Message>(message).number);
}

/** By their numbers, which ascend with their addresses. They are few: sorted by insertion over gaps (Shell 1959). */
function sortMessages(list: usize, count: i32): void {
  for (let gap = count >> 1; gap > 0; gap >>= 1) {
    for (let each = gap; each < count; each++) {
      const message = wordAt(list, each);
      let place = each;
      for (; place >= gap && wordAt(list, place - gap) > message; place -= gap) {
        setWord(list, place, wordAt(list, place - gap));
      }
      setWord(list, place, message);
    }
  }
}
