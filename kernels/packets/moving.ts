/** How packets move: what is asked for is granted, links that are free take up the next packet, and tails leave. */
import { leaveNode, removePacket } from './nodes';
import { crossed, delivered, waited } from './observer';
import { stopSleeping } from './offers';
import {
  channels,
  flits,
  hopDelay,
  isAdaptive,
  isGrid,
  isLarge,
  isObserved,
  isOffered,
  isSingle,
  isUneven,
  linkCount,
  linkQueues,
  nodeCount,
  queueCount,
  routerLinks,
} from './options';
import { endOf, endsOf, setWay } from './paces';
import {
  addComer,
  arrivals,
  channelFrom,
  detailsOf,
  ends,
  engine,
  Entry,
  goalOf,
  Head,
  indexOf,
  indexOfLink,
  isFree,
  isOfLink,
  Link,
  noLink,
  noMessage,
  noPacket,
  noQueue,
  Packet,
  Queue,
  setWord,
  wayTo,
  wordAt,
} from './records';
import { setWhatHas, whatHas } from './rooms';
import { changeRoom, release, wakeFor, wakeForLess } from './sleepers';
import { enter, entryAt, isDue, schedule, takeFirst } from './times';
import { wayBehind } from './ways';

/**
 * Records of large networks are far away, and one points to the next: a hop would wait for one after the other. So those of several hops are
 * read before the first of these is worked on, which the processor does at the same time: prefetching in groups (Chen et al. 2004).
 */
export const fetchedAtOnce = 32;

/** A link may have something to do at the end of this cycle. */
export function touch(link: Link): void {
  if (link.isTouched) return;
  link.isTouched = true;
  setWord(engine.touched, engine.touchedCount++, changetype<i32>(link));
}

/** Channels that are asked for are granted; links that are free take up the next packet: channels take turns. */
export function startAll(tick: i32): void {
  const count = engine.touchedCount;
  engine.touchedCount = 0;
  for (let each = 0; each < count; each++) {
    if (isLarge && (each & (fetchedAtOnce - 1)) === 0) fetchLinks(each, min(count, each + fetchedAtOnce));
    const link = changetype<Link>(wordAt(engine.touched, each));
    const asked = link.asked;
    const waiting = link.waiting | asked;
    link.isTouched = false;
    link.asked = 0;
    for (let rest = asked; rest !== 0; rest &= rest - 1) grant(channelFrom(link.first, ctz(rest)));
    if (link.isBusy || waiting === 0) {
      link.waiting = waiting;
      continue;
    }
    // The first from the next one on, else from the beginning on.
    const behind = waiting & (-1 << link.nextChannel);
    const channel = ctz(behind === 0 ? waiting : behind);
    link.nextChannel = channel + 1 === channels ? 0 : <u8>(channel + 1);
    link.waiting = waiting & ~(1 << channel);
    link.isBusy = true;
    start(channelFrom(link.first, channel).asker, link, tick);
  }
}

/** Links that may start, and of those that are asked for the queue that does, its packet and where that goes. */
function fetchLinks(from: i32, to: i32): void {
  let sum = 0;
  for (let each = from; each < to; each++) {
    const link = changetype<Link>(wordAt(engine.touched, each));
    const waiting = link.asked | link.waiting;
    const wanted = channelFrom(link.first, waiting === 0 ? 0 : ctz(waiting));
    sum += wanted.asker.first.hops + wanted.last.hops;
  }
  engine.fetched = sum;
}

/** The best of those that have asked for an output has it. */
function grant(wanted: Queue): void {
  const queue = wanted.asker;
  wanted.lastWinner = queue.port;
  if (isOffered && queue.does === Head.sleeps) stopSleeping(queue, wanted);
  queue.does = Head.granted;
  setWhatHas(wanted, whatHas(wanted) & ~isFree);
}

/** The first flit of the first packet of a queue moves over a link, or leaves the network where one packet does so after the other. */
function start(queue: Queue, link: Link, tick: i32): void {
  const packet = queue.first;
  const wanted = queue.output;
  const end = beginToMove(queue, packet, wanted, link, tick);
  // What leaves the network stays the first one until all of it has left.
  if (!isOfLink(wanted)) return tellWaited(queue, packet, tick);
  queue.first = packet.next;
  packet.way = isGrid ? wayBehind(packet.way, wanted) : wayTo(goalOf(packet.way), detailsOf(queue).nextState);
  packet.next = noPacket;
  if (isUneven) setWay(packet, link, tick, end);
  else packet.routedAt = tick + hopDelay;
  comeIn(packet, wanted, tick, end);
  if (isGrid) packet.hops++;
  else {
    if (indexOfLink(link) < routerLinks) packet.hops++;
    const details = detailsOf(queue);
    details.lastLink = changetype<i32>(link.first);
    details.lastStep = details.nextStep;
  }
  if (!isObserved) return;
  tellWaited(queue, packet, tick);
  crossed(indexOfLink(link), <f64>engine.now, end - tick + 1, packet.message.number);
}

/** The first flit of the first packet of a queue moves: the cycle in which the last one does. */
export function beginToMove(queue: Queue, packet: Packet, wanted: Queue, link: Link, tick: i32): i32 {
  const end = isUneven ? endOf(packet, isOfLink(wanted) ? link : noLink, tick) : tick + flits - 1;
  queue.does = Head.moves;
  if (isUneven) endsOf(queue).outgoing = end;
  if (!isOfLink(queue)) leaveNode(indexOf(queue) - linkQueues, tick, end - tick + 1);
  else if (queue.inStart === tick && !queue.makesRoom && (!isUneven || end <= endsOf(queue).incoming)) {
    // What comes in has just begun to take a place: it takes that of what goes out.
    queue.makesRoom = true;
    changeRoom(queue, 1);
  }
  if (!isUneven || end === tick) enter(ends, queue, end, wanted, link);
  else schedule(queueCount + nodeCount + indexOf(queue), end - tick);
  return end;
}

/** The first flit of a packet moves towards a queue, the last one in the cycle `end`. */
function comeIn(packet: Packet, queue: Queue, tick: i32, end: i32): void {
  queue.inStart = tick;
  if (isUneven) endsOf(queue).incoming = end;
  if (queue.does === Head.moves && (!isUneven || endsOf(queue).outgoing <= end)) queue.makesRoom = true;
  else if (changeRoom(queue, -1) && (isAdaptive || channels > 1)) wakeForLess(queue);
  if (queue.first !== noPacket) queue.last.next = packet;
  else {
    queue.first = packet;
    if (queue.does === Head.idle) {
      const delay = isUneven ? packet.routedAt - tick : hopDelay;
      if (delay === 1) addComer(queue, packet);
      else if (isUneven) schedule(indexOf(queue), delay);
      else enter(arrivals, queue, tick + hopDelay, noQueue, noLink);
    }
  }
  queue.last = packet;
}

function tellWaited(queue: Queue, packet: Packet, tick: i32): void {
  const cycles = <u32>(tick - queue.firstSince);
  if (cycles > 0)
    waited(channelOfOutput(queue.output), <f64>(engine.now - <i64>cycles), <i32>cycles, packet.message.number);
}

/** An output as a channel of `contract.ts`. */
export function channelOfOutput(output: Queue): i32 {
  const link = indexOfLink(output.link);
  return link < linkCount ? link : routerLinks + 2 * (link - linkCount) + 1;
}

/** The last flit of what goes out of a queue moves in this cycle, which was not foreseen by a line: links are unequal. */
export function endNow(queue: Queue, tick: i32): void {
  const wanted = queue.output;
  enter(ends, queue, tick, wanted, isOfLink(wanted) || isSingle ? wanted.link : noLink);
}

/** Tails that have moved in this cycle. Each function is called in one place where it can be, so that its code stands there. */
export function endAll(tick: i32): void {
  for (let index = 0; isDue(ends, 0, tick); index++) {
    if (isLarge && (index & (fetchedAtOnce - 1)) === 0) fetchEnds(tick);
    end(takeFirst(ends), tick);
  }
}

function fetchEnds(tick: i32): void {
  let sum = 0;
  for (let index = 0; index < fetchedAtOnce && isDue(ends, index, tick); index++) {
    const entry = entryAt(ends, index);
    const packet = entry.queue.first;
    sum += packet.routedAt + entry.output.port + entry.link.asked;
    sum += (isOfLink(entry.output) ? noMessage : packet.message).packetsToArrive;
  }
  engine.fetched = sum;
}

/** The last flit of what goes out of a queue has moved in this cycle. */
function end(entry: Entry, tick: i32): void {
  const queue = entry.queue;
  const wanted = entry.output;
  const link = entry.link;
  queue.does = Head.idle;
  if (!isOfLink(wanted)) deliver(queue, tick);
  if (link !== noLink) {
    link.isBusy = false;
    if (link.waiting !== 0) touch(link);
    release(wanted);
  }
  if (isOfLink(queue)) {
    if (queue.makesRoom) queue.makesRoom = false;
    else if (changeRoom(queue, 1)) wakeFor(queue);
  }
  const next = queue.first;
  if (next === noPacket) return;
  const delay = next.routedAt - tick;
  if (delay <= 1) addComer(queue, next);
  else schedule(indexOf(queue), delay);
}

function deliver(queue: Queue, tick: i32): void {
  const packet = queue.first;
  const underWay = <u32>(tick - packet.createdAt);
  queue.first = packet.next;
  delivered(packet.message.number, <f64>(engine.now - <i64>underWay), <f64>engine.now, packet.hops);
  removePacket(packet);
}
