/** What is asked of queues by their numbers, to say who waits for whom: see `packetWaits.ts`. */
import { detailsOf, engine, indexOf, indexOfLink, noQueue, optionAt, Queue, queueAt } from './records';
import { bubbleIsHere } from './options';
import { findOptions } from './asking';
import { channelOfOutput } from './moving';
import { hasRoom, outputOf } from './rooms';

/** What its first packet does: one of `Head`. */
export function headOf(queue: i32): i32 {
  return queueAt(queue).does;
}

/** Cycle since which the first packet is first and routed. */
export function firstSinceOf(queue: i32): f64 {
  return <f64>(engine.now - <i64>(<u32>(<i32>engine.now - queueAt(queue).firstSince)));
}

export function nodeOfFirst(queue: i32): i32 {
  return queueAt(queue).first.message.from;
}

export function serialOfFirst(queue: i32): i32 {
  return queueAt(queue).first.serial;
}

export function messageOfFirst(queue: i32): i32 {
  return queueAt(queue).first.message.number;
}

/** What the first packet has been given. */
export function grantedTo(queue: i32): i32 {
  return indexOf(queueAt(queue).output);
}

/** Finds what the first packet of a queue may ask for: how many outputs, the escape channel included. */
export function countOptions(queue: i32): i32 {
  return findOptions(queueAt(queue)) + engine.escape;
}

/** One of those found last. */
export function optionOf(each: i32): i32 {
  return indexOf(outputOf(optionAt(each).output));
}

export function optionHasRoom(each: i32): bool {
  return hasRoom(optionAt(each).output);
}

/** The queue without room for who would take an option by the rule of the bubble; the output itself where that has some or there is none. */
export function blockerOf(each: i32): i32 {
  const option = optionAt(each).output;
  const output = outputOf(option);
  const own = detailsOf(output).own;
  return indexOf((option & 1) === 0 || output.room <= 0 || own === noQueue || !bubbleIsHere ? output : own);
}

/** An output as a channel of `contract.ts`. */
export function channelOf(queue: i32): i32 {
  return channelOfOutput(queueAt(queue));
}

export function linkOf(queue: i32): i32 {
  return indexOfLink(queueAt(queue).link);
}
