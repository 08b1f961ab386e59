/** What room there is behind outputs, and who sleeps until there is some. */
import { bubble, bubbleIsHere, channels, escapeChannels, isAdaptive, isGrid, linkQueues, portWords } from './options';
import {
  detailsOf,
  engine,
  hasBubblePlace,
  hasPlace,
  Head,
  indexOf,
  isFree,
  noQueue,
  Option,
  optionAt,
  Queue,
  QueueDetails,
  queueShift,
  setWord,
  Station,
  wordAt,
} from './records';

/** The output of an option. */
export function outputOf(option: usize): Queue {
  return changetype<Queue>(option & ~1);
}

/**
 * Bits of what an output has. They are side by side in a table of bytes: who asks for one of several outputs looks at all of them, and has to
 * wait for no record but that of the one that it gets.
 */
export function whatHas(output: Queue): u8 {
  return load<u8>(engine.hasOf0 + (changetype<usize>(output) >> queueShift));
}

export function setWhatHas(output: Queue, has: u8): void {
  store<u8>(engine.hasOf0 + (changetype<usize>(output) >> queueShift), has);
}

/** The bit of the room that an option takes. */
function placeFor(option: usize): u8 {
  return (option & 1) !== 0 ? hasBubblePlace : hasPlace;
}

/** Whether an output takes a packet, entered by the rule of the bubble or not. */
export function hasRoom(option: usize): bool {
  return (whatHas(outputOf(option)) & placeFor(option)) !== 0;
}

/** The same as a bit, and whether nobody holds it. */
export function takesPacket(option: usize): i32 {
  const has: i32 = whatHas(outputOf(option));
  const bit = <i32>(option & 1);
  return (has >> bit) & 1;
}

export function freeBit(option: usize): i32 {
  const has: i32 = whatHas(outputOf(option));
  return (has >> 2) & 1;
}

/** Whether it has room and nobody holds it. */
export function isToBeHad(option: usize): bool {
  const takes = isFree | placeFor(option);
  return (whatHas(outputOf(option)) & takes) === takes;
}

/** A queue asks in the next cycle. */
export function askNext(queue: Queue): void {
  setWord(engine.asking, engine.askingCount++, changetype<i32>(queue));
}

/** A queue has a place more or less: 1 or −1. Whether that changes what its output or the next one of its ring has. */
export function changeRoom(queue: Queue, change: i32): bool {
  const places = queue.room + change;
  queue.room = places;
  const larger = change > 0 ? places : places + 1;
  if (larger !== 1 && larger !== bubble) return false;
  const details = detailsOf(queue);
  note(queue, details);
  if (bubbleIsHere && details.after !== noQueue) note(details.after, detailsOf(details.after));
  return true;
}

/** Notes what an output has. */
export function note(queue: Queue, details: QueueDetails): void {
  let has: u8 = whatHas(queue) & isFree;
  const places = queue.room;
  if (places > 0) {
    has |= hasPlace;
    const inRing = bubbleIsHere && details.own !== noQueue ? details.own.room : places;
    if (inRing >= bubble) has |= hasBubblePlace;
  }
  setWhatHas(queue, has);
}

/** Nothing that the first packet of a queue may ask for is to be had: until something happens to one of these. */
export function sleep(queue: Queue, count: i32): void {
  queue.does = Head.sleeps;
  for (let each = 0; each < count; each++) {
    const option = optionAt(each).output;
    const wanted = outputOf(option);
    sleepFor(wanted, 0, queue.port);
    if ((option & 1) !== 0 && bubbleIsHere) sleepFor(detailsOf(wanted).own, 1, queue.port);
  }
}

/** `kind` 0: for the channel; 1: for room in it as an own queue. */
function sleepFor(wanted: Queue, kind: i32, port: i32): void {
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
  if (wanted.sleepers !== 0 && wanted.room > 0) wakeSleepers(wanted);
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
