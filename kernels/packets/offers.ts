/**
 * Outputs that can be had again are offered to those who sleep for them, which need not ask: whether a sleeper would ask for an output in a
 * cycle follows from when it asked last and which of its options have had room since. That is so where options are first-free and few; the
 * others of a network ask again (`sleepers.ts`).
 *
 * Of a sleeper with k options that have room, in the order of its routing, and perhaps an escape channel, each cycle is the turn of one: of
 * the options with room, then of the escape channel, and so on round. Whether a packet loses or sleeps its turns are the same. So it is told only when
 * one of its options has room now and had none, or the other way round.
 */
import { escapeChannels, hasOneOption, isAdaptive, isFirstCome } from './options';
import {
  detailsOf,
  engine,
  hasBubblePlace,
  hasPlace,
  isFree,
  keptEscape,
  keptOption,
  keptOptions,
  noQueue,
  optionAt,
  Queue,
  QueueDetails,
  setKeptOption,
  setWord,
  wordAt,
} from './records';
import { outputOf, whatHas } from './rooms';
import { isBefore } from './selection';

/** The first packet of a queue sleeps for the options that were found, and the escape channel where there is one. */
export function keepOptions(queue: Queue, count: i32): void {
  if (hasOneOption) {
    sleepFor(queue, optionAt(0).output);
    return;
  }
  const details = detailsOf(queue);
  for (let each = 0; each < keptOptions; each++) {
    const option = each < count ? optionAt(each).output : 0;
    setKeptOption(details, each, option);
    sleepFor(queue, option);
  }
  const escape = engine.escape !== 0 ? optionAt(count).output : 0;
  setKeptOption(details, keptEscape, escape);
  sleepFor(queue, escape);
}

/** For none of them too: the first record of the memory is nobody's. */
export function sleepFor(queue: Queue, option: usize): void {
  const wanted = outputOf(option);
  const port = 1 << queue.port;
  const isEntry = <i32>(option & 1);
  wanted.sleepers |= port & (isEntry - 1);
  wanted.bubbleSleepers |= port & -isEntry;
}

/** The first packet of a queue has got an output, and sleeps no more. */
export function stopSleeping(queue: Queue, output: Queue): void {
  const ports = ~(1 << queue.port);
  if (hasOneOption) {
    output.sleepers &= ports;
    output.bubbleSleepers &= ports;
    return;
  }
  const details = detailsOf(queue);
  for (let each = 0; each <= keptEscape; each++) {
    const wanted = outputOf(keptOption(details, each));
    wanted.sleepers &= ports;
    wanted.bubbleSleepers &= ports;
  }
}

/** The ports that sleep for an output and may have it if nobody holds it: those that enter by the rule of the bubble are apart. */
function portsFor(output: Queue, has: u8): i32 {
  return ((has & hasPlace) !== 0 ? output.sleepers : 0) | ((has & hasBubblePlace) !== 0 ? output.bubbleSleepers : 0);
}

/** An output may be had in the next cycle, if somebody who may have it sleeps for it. */
export function offer(output: Queue): void {
  const has = whatHas(output);
  if ((has & isFree) === 0 || portsFor(output, has) === 0 || output.isOffered) return;
  output.isOffered = true;
  setWord(engine.offers, engine.offerCount++, changetype<i32>(output));
}

/** An output has room, or one for a bubble, and had none, or the other way round. */
export function tellSleepers(output: Queue, changed: u8): void {
  if (changed === 0) return;
  // The escape channel of a grid has its turn in any case.
  if (!hasOneOption && !(isAdaptive && <i32>output.channel < escapeChannels)) {
    if ((changed & hasPlace) !== 0) turnAll(output, output.sleepers, 0);
    if ((changed & hasBubblePlace) !== 0) turnAll(output, output.bubbleSleepers, 1);
  }
  offer(output);
}

/** From the next cycle on an option of those who sleep at some ports has room, and had none, or the other way round. */
function turnAll(output: Queue, ports: i32, isEntry: i32): void {
  if (ports === 0) return;
  const tick = <i32>engine.now;
  const option = changetype<usize>(output) | (<usize>isEntry);
  const queues = detailsOf(output).before.queues;
  for (let rest = ports; rest !== 0; rest &= rest - 1) {
    const queue = changetype<Queue>(wordAt(queues, ctz(rest)));
    const details = detailsOf(queue);
    if (queue.askedAt !== tick) {
      const turn = turnOf(queue, details, tick);
      const bits = details.mask;
      queue.bet = turn < popcnt(bits) ? <u16>(placeOf(bits, turn) + 1) : 0;
      queue.askedAt = tick;
    }
    details.mask ^= bitOf(details, option);
  }
}

/** Of what a sleeper asks for in a cycle: how many of its options with room come before it; all of them before the escape channel. */
function turnOf(queue: Queue, details: QueueDetails, tick: i32): i32 {
  const bits = details.mask;
  const period = popcnt(bits) + <i32>(keptOption(details, keptEscape) !== 0);
  if (period === 0) return 0;
  const first = popcnt(bits & ((1 << (<i32>queue.bet)) - 1));
  return <i32>(<u32>(first + tick - queue.askedAt - 1) % <u32>period);
}

/** Of an option of a sleeper; 0 of none and of the escape channel. */
function bitOf(details: QueueDetails, option: usize): i32 {
  let bit = 0;
  for (let each = 0; each < keptOptions; each++) bit |= (<i32>(keptOption(details, each) === option)) << each;
  return bit;
}

/** Where the bit stands that comes after so many others. */
function placeOf(bits: i32, before: i32): i32 {
  let rest = bits;
  for (let each = 0; each < before; each++) rest &= rest - 1;
  return ctz(rest);
}

/** Whether a sleeper asks for an option of its own in a cycle, which has room. */
function asksFor(queue: Queue, option: usize, tick: i32): bool {
  const details = detailsOf(queue);
  const bits = details.mask;
  const isEscape = keptOption(details, keptEscape) === option;
  const before = isEscape ? popcnt(bits) : popcnt(bits & (bitOf(details, option) - 1));
  return turnOf(queue, details, tick) === before;
}

/** The queue whose first packet gets an output that is offered, of those that sleep, in the order of the arbiter. Offered again where it is nobody's turn. */
export function takeOffer(output: Queue, tick: i32): Queue {
  output.isOffered = false;
  const has = whatHas(output);
  const ports = (has & isFree) === 0 ? 0 : portsFor(output, has);
  if (ports === 0) return noQueue;
  const queues = detailsOf(output).before.queues;
  // Ports behind the last winner come first, then those from the beginning on.
  const behind = ports & (-1 << (output.lastWinner + 1));
  let best = noQueue;
  let rest = behind;
  let others = ports ^ behind;
  while ((rest | others) !== 0) {
    if (rest === 0) {
      rest = others;
      others = 0;
    }
    const port = ctz(rest);
    rest &= rest - 1;
    const queue = changetype<Queue>(wordAt(queues, port));
    const isEntry = (output.bubbleSleepers >> port) & 1;
    if (!hasOneOption && !asksFor(queue, changetype<usize>(output) | (<usize>isEntry), tick)) continue;
    if (!isFirstCome) return queue;
    if (best === noQueue || isBefore(queue, best, output)) best = queue;
  }
  if (best === noQueue) offer(output);
  return best;
}
