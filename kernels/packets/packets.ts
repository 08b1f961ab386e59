/**
 * The kernel of packet events: the events of a cycle, in the words of `packetEvents.ts`, which says what they mean and why they are enough.
 * In a cycle packets are made first, then all ask on the state that the last cycle left, then all flits move.
 */
import { delivered, crossed, waited } from './observer';
import { addChannels, fetchSteps, findInGraph, firstInGraph } from './graph';
import { forget, leaveNode, makePacket, packetBytes, removePacket, tellMessages } from './nodes';
import {
  channels,
  flits,
  hopDelay,
  isAdaptive,
  isFirstFree,
  isGrid,
  isLarge,
  isObserved,
  isSingle,
  isUneven,
  linkCount,
  linkQueues,
  nodeCount,
  queueCount,
  router,
  routerLinks,
} from './options';
import {
  addComer,
  arrivals,
  channelFrom,
  comerAt,
  detailsOf,
  ends,
  engine,
  Entry,
  Head,
  indexOf,
  indexOfLink,
  isFree,
  isOfLink,
  Link,
  goalOf,
  noEntry,
  noLink,
  noMessage,
  noPacket,
  noQueue,
  optionAt,
  Packet,
  Queue,
  queueAt,
  setWord,
  stateOf,
  wayTo,
  wordAt,
} from './records';
import {
  askNext,
  changeRoom,
  freeBit,
  isToBeHad,
  outputOf,
  release,
  setWhatHas,
  sleep,
  takesPacket,
  wakeFor,
  wakeForLess,
  whatHas,
} from './rooms';
import { endOf, endsOf, setWay } from './paces';
import { choose, isBefore, mostBits } from './selection';
import { delayOf, delayToSlot, enter, entryAt, goOn, isDue, never, schedule, takeDue, takeEvent, takeFirst } from './times'; // prettier-ignore
import { findAlongWay, firstAlongWay, wayBehind } from './ways';

/** Events between two looks at the cancellation flag: some milliseconds where all of them miss the cache and are recorded. */
const eventsPerLook = 2048;

/** Why `advance` has returned. */
export const enum Reason {
  reached = 0,
  events = 1,
  deadlock = 2,
  /** Somebody may look whether to go on. */
  looks = 3,
  /** There is no memory for what the next cycle may make. */
  needsMemory = 4,
}

/** Simulates to the end of cycle `to`, or of the first one before it in which messages are sent or have arrived. */
export function advance(to: f64): Reason {
  forget();
  const reason = advanceTo(<i64>to);
  engine.cycle = <f64>engine.now;
  if (reason === Reason.events) tellMessages();
  return reason;
}

function advanceTo(end: i64): Reason {
  while (engine.now < end) {
    if (engine.top + <usize>nodeCount * packetBytes() > engine.limit) return Reason.needsMemory;
    const delay = delayToNext();
    if (delay === never && engine.packetsUnderWay > 0) return Reason.deadlock;
    if (delay > end - engine.now) {
      goOn(end - engine.now);
      return Reason.reached;
    }
    if (engine.untilLook <= 0) {
      engine.untilLook = eventsPerLook;
      return Reason.looks;
    }
    goOn(delay);
    runCycle(<i32>engine.now);
    if ((engine.sentCount | engine.arrivedCount) !== 0) return Reason.events;
  }
  return Reason.reached;
}

/** Cycles to the next one in which something happens; `never` where nothing will. */
function delayToNext(): i64 {
  if ((engine.askingCount | engine.touchedCount | engine.comerCount | engine.makerCount) !== 0) return 1;
  const tick = <i32>engine.now;
  const line = min(delayOf(ends, tick), delayOf(arrivals, tick));
  return line === 1 ? 1 : min(line, delayToSlot());
}

function runCycle(tick: i32): void {
  // All that ask do so on the state that the last cycle left; those that are there begin to leave, which changes nothing for the others.
  // A list is written anew as it is read: from each entry comes at most one.
  const askingCount = engine.askingCount;
  const comerCount = engine.comerCount;
  const makerCount = engine.makerCount;
  engine.untilLook -= askingCount + comerCount + 1;
  engine.askingCount = 0;
  for (let each = 0; each < askingCount; each++) ask(changetype<Queue>(wordAt(engine.asking, each)), tick);
  engine.comerCount = 0;
  if (isLarge) takeComersTogether(comerCount, tick);
  else {
    for (let each = 0; each < comerCount; each++) {
      const comer = comerAt(each);
      becomeFirstPacket(comer.queue, comer.packet, tick);
    }
  }
  for (let entry = takeDue(arrivals, tick); entry !== noEntry; entry = takeDue(arrivals, tick)) {
    becomeFirstPacket(entry.queue, entry.queue.first, tick);
  }
  engine.makerCount = 0;
  for (let each = 0; each < makerCount; each++) make(wordAt(engine.makers, each), tick);
  for (let event = takeEvent(); event >= 0; event = takeEvent()) {
    if (event >= queueCount + nodeCount) endNow(queueAt(event - queueCount - nodeCount), tick);
    else if (event >= queueCount) make(event - queueCount, tick);
    else becomeFirstPacket(queueAt(event), queueAt(event).first, tick);
  }
  if (engine.touchedCount > 0) startAll(tick);
  endAll(tick);
}

/**
 * Records of large networks are far away, and one points to the next: a hop would wait for one after the other. So those of several hops are
 * read before the first of these is worked on, which the processor does at the same time: prefetching in groups (Chen et al. 2004).
 */
const fetchedAtOnce = 32;

function takeComersTogether(count: i32, tick: i32): void {
  for (let from = 0; from < count; from += fetchedAtOnce) {
    const to = min(count, from + fetchedAtOnce);
    let sum = 0;
    for (let each = from; each < to; each++) {
      const comer = comerAt(each);
      sum += comer.queue.station.router + comer.packet.hops;
      const way = comer.packet.way;
      if (!isGrid) sum += fetchSteps(comer.queue, stateOf(way), goalOf(way).router);
    }
    for (let each = from; each < to; each++) {
      const comer = comerAt(each);
      comer.option = firstAsked(comer.queue, comer.packet);
    }
    // Without a look at who has none, which would be foreseen badly: the first record of the memory is nobody's.
    for (let each = from; each < to; each++) sum += outputOf(comerAt(each).option).link.asked;
    engine.fetched = sum;
    for (let each = from; each < to; each++) {
      const comer = comerAt(each);
      becomeFirst(comer.queue, comer.packet, comer.option, tick);
    }
  }
}

/** Tails that have moved in this cycle. Each function is called in one place where it can be, so that its code stands there. */
function endAll(tick: i32): void {
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

/** What a packet that comes to be first asks for first; 0 where it is there, or where all options are looked at. */
function firstAsked(queue: Queue, packet: Packet): usize {
  return isThere(queue, packet) || !isFirstFree ? 0 : firstOption(queue, packet);
}

/** The first packet of a queue is routed: it asks for a channel. With `ejection multiple` one that is there begins to leave. */
function becomeFirst(queue: Queue, packet: Packet, option: usize, tick: i32): void {
  queue.firstSince = tick;
  queue.bet = 0;
  queue.does = Head.asks;
  if (option !== 0) {
    // Without a look at the others, where the first option has room and is free.
    if (isToBeHad(option)) {
      queue.bet = 1;
      request(queue, outputOf(option), tick);
      return;
    }
  } else if (!isSingle && isThere(queue, packet)) {
    queue.output = noQueue;
    beginToMove(queue, packet, noQueue, noLink, tick);
    return;
  }
  queue.askedAt = tick;
  ask(queue, tick);
}

/** The same where nothing is known of the packet. */
function becomeFirstPacket(queue: Queue, packet: Packet, tick: i32): void {
  becomeFirst(queue, packet, firstAsked(queue, packet), tick);
}

/** Whether the first packet of a queue is at the station of its node. */
function isThere(queue: Queue, packet: Packet): bool {
  return isGrid ? (packet.way & engine.allSteps) === 0 : queue.station === goalOf(packet.way);
}

/** The first of the options that {@link findOptions} writes. */
function firstOption(queue: Queue, packet: Packet): usize {
  if (isGrid) return firstAlongWay(queue, packet.way);
  const state = stateOf(packet.way);
  const goal = goalOf(packet.way);
  const uplink = queue.station.uplink;
  if (uplink === noQueue && queue.station.router !== goal.router) return firstInGraph(queue, state, goal.router);
  detailsOf(queue).nextState = state;
  return changetype<usize>(uplink !== noQueue ? uplink : goal.downlink);
}

/** Writes what the first packet of a queue may ask for; how many there are, the escape channel aside. */
export function findOptions(queue: Queue): i32 {
  const packet = queue.first;
  engine.escape = 0;
  if (isThere(queue, packet)) {
    optionAt(0).output = changetype<usize>(packet.message.exit);
    return 1;
  }
  if (isGrid) return findAlongWay(queue, packet.way);
  const state = stateOf(packet.way);
  const goal = goalOf(packet.way);
  const uplink = queue.station.uplink;
  if (uplink !== noQueue) return addChannels(0, uplink, state, 0);
  if (queue.station.router === goal.router) return addChannels(0, goal.downlink, state, 0);
  return findInGraph(queue, state, goal.router);
}

/** The first packet of a queue asks for one of its options. */
function ask(queue: Queue, tick: i32): void {
  const count = findOptions(queue);
  const escape = engine.escape;
  let withRoom = 0;
  let anyFree = 0;
  // Without branches, which would be foreseen badly: what has room is chance.
  const counted = min(count, mostBits);
  for (let each = 0; each < counted; each++) {
    const option = optionAt(each).output;
    const takes = takesPacket(option);
    withRoom |= takes << each;
    anyFree |= takes & freeBit(option);
  }
  for (let each = counted; each < count; each++) anyFree |= takesPacket(optionAt(each).output);
  let choice = withRoom - 1;
  if (count + escape > 1) {
    choice = choose(queue, tick, count, withRoom);
    queue.askedAt = tick;
  }
  if (choice >= 0) {
    const option = optionAt(choice);
    if (isToBeHad(option.output)) {
      if (!isGrid) {
        detailsOf(queue).nextState = option.state;
        detailsOf(queue).nextStep = option.step;
      }
      request(queue, outputOf(option.output), tick);
      return;
    }
  }
  if (anyFree !== 0 || (escape !== 0 && isToBeHad(optionAt(count).output))) askNext(queue);
  else {
    if (isFirstFree) detailsOf(queue).mask = withRoom;
    sleep(queue, count + escape);
  }
}

/** Asks for a channel that is free and has room. Of those that do so in this cycle one gets it; the others ask again. */
function request(queue: Queue, wanted: Queue, tick: i32): void {
  const rival = wanted.asker;
  queue.output = wanted;
  if (rival === noQueue) {
    const link = wanted.link;
    wanted.asker = queue;
    link.asked |= 1 << wanted.channel;
    touch(link);
    return;
  }
  let loser = queue;
  if (isBefore(queue, rival, wanted)) {
    wanted.asker = queue;
    loser = rival;
  }
  loser.askedAt = tick;
  askNext(loser);
}

/** A link may have something to do at the end of this cycle. */
function touch(link: Link): void {
  if (link.isTouched) return;
  link.isTouched = true;
  setWord(engine.touched, engine.touchedCount++, changetype<i32>(link));
}

/** Channels that are asked for are granted; links that are free take up the next packet: channels take turns. */
function startAll(tick: i32): void {
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

/** The best of those that have asked for an output has it. */
function grant(wanted: Queue): void {
  wanted.lastWinner = wanted.asker.port;
  wanted.asker.does = Head.granted;
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
function beginToMove(queue: Queue, packet: Packet, wanted: Queue, link: Link, tick: i32): i32 {
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
function endNow(queue: Queue, tick: i32): void {
  const wanted = queue.output;
  enter(ends, queue, tick, wanted, isOfLink(wanted) || isSingle ? wanted.link : noLink);
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

/** A node makes the next packet of its first message. */
function make(node: i32, tick: i32): void {
  const packet = makePacket(node, tick);
  const queue = queueAt(linkQueues + node);
  const isFirst = queue.first === noPacket;
  if (isFirst) queue.first = packet;
  else queue.last.next = packet;
  queue.last = packet;
  if (!isFirst || queue.does !== Head.idle) return;
  if (router === 0) becomeFirstPacket(queue, packet, tick);
  else schedule(indexOf(queue), router);
}
