/** How the first packet of a queue asks: for what it may ask, which option it turns to, and what becomes of those that want the same. */
import { addChannels, findInGraph, firstInGraph, Look, lookInGraph } from './graph';
import { beginToMove, touch } from './moving';
import { sleepFor } from './offers';
import { hasOneOption, isAdaptive, isFirstFree, isGrid, isSingle } from './options';
import { detailsOf, engine, goalOf, Head, noLink, noQueue, Option, optionAt, Packet, Queue, stateOf } from './records';
import { freeBit, isToBeHad, outputOf, takesPacket } from './rooms';
import { choose, isBefore, mostBits } from './selection';
import { askNext, sleep } from './sleepers';
import { findAlongWay, firstAlongWay } from './ways';

/** What a packet that comes to be first asks for first; 0 where it is there, or where all options are looked at. */
export function firstAsked(queue: Queue, packet: Packet): usize {
  return isThere(queue, packet) || !isFirstFree ? 0 : firstOption(queue, packet);
}

/** The first packet of a queue is routed: it asks for a channel. With `ejection multiple` one that is there begins to leave. */
export function becomeFirst(queue: Queue, packet: Packet, option: usize, tick: i32): void {
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
    if (hasOneOption) {
      queue.does = Head.sleeps;
      sleepFor(queue, option);
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
export function becomeFirstPacket(queue: Queue, packet: Packet, tick: i32): void {
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

/** What {@link ask} asks for where few options have to be looked at. */
function lookAtFew(queue: Queue, tick: i32): Look {
  // Who has slept turns to what it would have asked for in the meantime.
  if (isGrid || !isAdaptive || !isFirstFree || tick - queue.askedAt > 1) return Look.nothing;
  const way = queue.first.way;
  const goal = goalOf(way);
  const isAtEdge = queue.station.uplink !== noQueue || queue.station.router === goal.router;
  return isAtEdge ? Look.nothing : lookInGraph(queue, stateOf(way), goal.router);
}

/** The first packet of a queue asks for one of its options. */
export function ask(queue: Queue, tick: i32): void {
  const look = lookAtFew(queue, tick);
  if (look !== Look.nothing) {
    queue.askedAt = tick;
    if (look === Look.isFree) requestOption(queue, optionAt(0), tick);
    else askNext(queue);
    return;
  }
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
      requestOption(queue, option, tick);
      return;
    }
  }
  if (anyFree !== 0 || (escape !== 0 && isToBeHad(optionAt(count).output))) askNext(queue);
  else {
    if (isFirstFree) detailsOf(queue).mask = withRoom;
    sleep(queue, count);
  }
}

function requestOption(queue: Queue, option: Option, tick: i32): void {
  if (!isGrid) {
    detailsOf(queue).nextState = option.state;
    detailsOf(queue).nextStep = option.step;
  }
  request(queue, outputOf(option.output), tick);
}

/** Asks for a channel that is free and has room. Of those that do so in this cycle one gets it; the others ask again. */
export function request(queue: Queue, wanted: Queue, tick: i32): void {
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
  // Who has slept sleeps on.
  if (loser.does === Head.sleeps) return;
  if (hasOneOption) {
    sleep(loser, findOptions(loser));
    return;
  }
  loser.askedAt = tick;
  askNext(loser);
}
