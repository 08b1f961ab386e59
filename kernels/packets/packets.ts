/**
 * The kernel of packet events: the events of a cycle, in the words of `packetEvents.ts`, which says what they mean and why they are enough.
 * In a cycle packets are made first, then all ask on the state that the last cycle left, then all flits move.
 */
import { ask, becomeFirst, becomeFirstPacket, firstAsked, request } from './asking';
import { fetchSteps } from './graph';
import { endAll, endNow, fetchedAtOnce, startAll } from './moving';
import { forget, makePacket, packetBytes, tellMessages } from './nodes';
import { takeOffer } from './offers';
import { isGrid, isLarge, linkQueues, nodeCount, queueCount, router } from './options';
import {
  arrivals,
  comerAt,
  ends,
  engine,
  goalOf,
  Head,
  indexOf,
  noEntry,
  noPacket,
  noQueue,
  Queue,
  queueAt,
  stateOf,
  wordAt,
} from './records';
import { outputOf } from './rooms';
import { delayOf, delayToSlot, goOn, never, schedule, takeDue, takeEvent } from './times';

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
  if ((engine.askingCount | engine.offerCount | engine.touchedCount | engine.comerCount | engine.makerCount) !== 0)
    return 1;
  const tick = <i32>engine.now;
  const line = min(delayOf(ends, tick), delayOf(arrivals, tick));
  return line === 1 ? 1 : min(line, delayToSlot());
}

function runCycle(tick: i32): void {
  // All that ask do so on the state that the last cycle left; those that are there begin to leave, which changes nothing for the others.
  // A list is written anew as it is read: from each entry comes at most one.
  const askingCount = engine.askingCount;
  const offerCount = engine.offerCount;
  const comerCount = engine.comerCount;
  const makerCount = engine.makerCount;
  engine.untilLook -= askingCount + offerCount + comerCount + 1;
  if ((askingCount | offerCount) !== 0) askAgain(askingCount, offerCount, tick);
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

/** Those that ask again do, and what was to be had again goes to those who sleep for it. */
function askAgain(askingCount: i32, offerCount: i32, tick: i32): void {
  engine.askingCount = 0;
  for (let each = 0; each < askingCount; each++) ask(changetype<Queue>(wordAt(engine.asking, each)), tick);
  engine.offerCount = 0;
  for (let each = 0; each < offerCount; each++) {
    const output = changetype<Queue>(wordAt(engine.offers, each));
    const queue = takeOffer(output, tick);
    if (queue !== noQueue) request(queue, output, tick);
  }
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
