/**
 * Who sleeps until there is something to be had. Where packets have few options those who sleep go on to sleep until an output is offered to
 * them (`offers.ts`); elsewhere they are woken by whatever happens to one of their options, and ask again.
 */
import { bubble, bubbleIsHere, channels, isAdaptive, isGrid, isOffered, portWords } from './options';
import { keepOptions, offer, tellSleepers } from './offers';
import {
  detailsOf,
  engine,
  hasBubblePlace,
  hasPlace,
  Head,
  indexOf,
  isFree,
  noQueue,
  optionAt,
  Queue,
  QueueDetails,
  setWord,
  Station,
  wordAt,
} from './records';
import { outputOf, setWhatHas, whatHas } from './rooms';

/** A queue asks in the next cycle. */
export function askNext(queue: Queue): void {
  setWord(engine.asking, engine.askingCount++, changetype<i32>(queue));
}

/** A queue has a place more or less: 1 or −1. Whether those who sleep for its output or the next one of its ring are to be woken. */
export function changeRoom(queue: Queue, change: i32): bool {
  const places = queue.room + change;
  queue.room = places;
  const larger = change > 0 ? places : places + 1;
  if (larger !== 1 && larger !== bubble) return false;
  const details = detailsOf(queue);
  note(queue, details);
  if (bubbleIsHere && details.after !== noQueue) note(details.after, detailsOf(details.after));
  return !isOffered;
}

/** Notes what an output has. */
export function note(queue: Queue, details: QueueDetails): void {
  const had = whatHas(queue);
  let has: u8 = had & isFree;
  const places = queue.room;
  if (places > 0) {
    has |= hasPlace;
    const inRing = bubbleIsHere && details.own !== noQueue ? details.own.room : places;
    if (inRing >= bubble) has |= hasBubblePlace;
  }
  setWhatHas(queue, has);
  if (isOffered) tellSleepers(queue, had ^ has);
}

/** Nothing that the first packet of a queue may ask for is to be had: so many options, and perhaps the escape channel behind them. */
export function sleep(queue: Queue, count: i32): void {
  queue.does = Head.sleeps;
  if (isOffered) {
    keepOptions(queue, count);
    return;
  }
  for (let each = 0, all = count + engine.escape; each < all; each++) {
    const option = optionAt(each).output;
    const wanted = outputOf(option);
    untilChange(wanted, 0, queue.port);
    if ((option & 1) !== 0 && bubbleIsHere) untilChange(detailsOf(wanted).own, 1, queue.port);
  }
}

/** Sleeps until something happens to an output. `kind` 0: for the channel; 1: for room in it as an own queue. */
function untilChange(wanted: Queue, kind: i32, port: i32): void {
  let ports = 1 << (port & 31);
  if (portWords > 1) {
    const words = portsThatSleep(wanted, kind);
    setWord(words, port >> 5, wordAt(words, port >> 5) | ports);
    ports = 1;
  }
  if (kind === 0) wanted.sleepers |= ports;
  else wanted.bubbleSleepers |= ports;
}

/** The words of the ports that sleep, where one is too few. */
function portsThatSleep(wanted: Queue, kind: i32): usize {
  return engine.manySleepers + ((<usize>((2 * indexOf(wanted) + kind) * portWords)) << 2);
}

/**
 * A place of a queue is gone. Who sleeps cannot have it anyway, but turns to other options from now on; the escape channel of a grid
 * has its turn in any case.
 */
export function wakeForLess(wanted: Queue): void {
  if (!(isGrid && isAdaptive && channels > 1 && wanted.channel === 0)) wakeFor(wanted);
}

/** There is room in the queue of a channel where there was none, or as much as a bubble takes. */
export function wakeFor(wanted: Queue): void {
  if (wanted.sleepers !== 0) wakeSleepers(wanted);
  if (wanted.bubbleSleepers === 0) return;
  const ports = wanted.bubbleSleepers;
  wanted.bubbleSleepers = 0;
  wake(wanted, 1, ports, wanted.station);
}

/** Nobody holds an output any more. */
export function release(wanted: Queue): void {
  wanted.asker = noQueue;
  setWhatHas(wanted, whatHas(wanted) | isFree);
  if (isOffered) offer(wanted);
  else if (wanted.sleepers !== 0 && wanted.room > 0) wakeSleepers(wanted);
}

function wakeSleepers(wanted: Queue): void {
  const ports = wanted.sleepers;
  wanted.sleepers = 0;
  wake(wanted, 0, ports, detailsOf(wanted).before);
}

function wake(wanted: Queue, kind: i32, ports: i32, station: Station): void {
  if (portWords === 1) {
    wakePorts(ports, station.queues);
    return;
  }
  const words = portsThatSleep(wanted, kind);
  for (let word = 0; word < portWords; word++) {
    wakePorts(wordAt(words, word), station.queues + ((<usize>word) << 7));
    setWord(words, word, 0);
  }
}

function wakePorts(ports: i32, queues: usize): void {
  for (let bits = ports; bits !== 0; bits &= bits - 1) {
    const queue = changetype<Queue>(wordAt(queues, ctz(bits)));
    if (queue.does !== Head.sleeps) continue;
    queue.does = Head.asks;
    askNext(queue);
  }
}
