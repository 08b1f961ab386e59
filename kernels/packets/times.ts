/** What will happen later: lines in which all wait equally long, and a ring of slots of time for any delay up to a bound. O(1) in and out. */
import { engine, Entry, Line, Link, noEntry, Queue, setWord, wordAt } from './records';
import { slotCount } from './options';

function entryIn(line: Line, place: i32): Entry {
  return changetype<Entry>(line.entries + ((<usize>place) << 4));
}

/** The `index`th of a line, 0 for the first. */
export function entryAt(line: Line, index: i32): Entry {
  return entryIn(line, (line.head + index) & line.mask);
}

/** Whether there is an `index`th of a line, and its time has come. */
export function isDue(line: Line, index: i32, tick: i32): bool {
  const place = (line.head + index) & line.mask;
  return place !== line.tail && entryIn(line, place).due === tick;
}

/** Takes the first of a line that has one. It stands there until others have come in. */
export function takeFirst(line: Line): Entry {
  const entry = entryIn(line, line.head);
  line.head = (line.head + 1) & line.mask;
  return entry;
}

export function enter(line: Line, queue: Queue, due: i32, output: Queue, link: Link): void {
  const entry = entryIn(line, line.tail);
  entry.queue = queue;
  entry.due = due;
  entry.output = output;
  entry.link = link;
  line.tail = (line.tail + 1) & line.mask;
}

/** The first of a line whose time has come, or none. */
export function takeDue(line: Line, tick: i32): Entry {
  return isDue(line, 0, tick) ? takeFirst(line) : noEntry;
}

/** Cycles until the first of a line comes out; `never` where it is empty. */
export function delayOf(line: Line, tick: i32): i64 {
  return line.head === line.tail ? never : <i64>(entryAt(line, 0).due - tick);
}

export const never = i64.MAX_VALUE >> 1;

// Slots hold events as linked lists: numbers of queues, and behind them of nodes, one more than the number so that 0 is none.

/** Of at most the delay that there are slots for; 0 is the present slot. */
export function schedule(event: i32, delay: i32): void {
  const slot = (engine.present + delay) & (slotCount - 1);
  setWord(engine.nextInSlot, event, wordAt(engine.slots, slot));
  setWord(engine.slots, slot, event + 1);
  setWord(engine.filledSlots, slot >> 5, wordAt(engine.filledSlots, slot >> 5) | (1 << (slot & 31)));
}

/** Takes an event out of the present slot, −1 where there is none left. In no order. */
export function takeEvent(): i32 {
  const slot = engine.present;
  const event = wordAt(engine.slots, slot) - 1;
  if (event >= 0) setWord(engine.slots, slot, wordAt(engine.nextInSlot, event));
  else setWord(engine.filledSlots, slot >> 5, wordAt(engine.filledSlots, slot >> 5) & ~(1 << (slot & 31)));
  return event;
}

/** Cycles to the next slot that has events, `never` where there is none; the present one is empty. O(slots / 32). */
export function delayToSlot(): i64 {
  const words = slotCount >> 5;
  let word = engine.present >> 5;
  let bits = wordAt(engine.filledSlots, word) & (-2 << (engine.present & 31));
  for (let each = 0; each <= words; each++) {
    if (bits !== 0) return <i64>(((word << 5) + ctz(bits) - engine.present) & (slotCount - 1));
    word = (word + 1) & (words - 1);
    bits = wordAt(engine.filledSlots, word);
  }
  return never;
}

/** Time goes on; slots that are passed over are empty. */
export function goOn(cycles: i64): void {
  engine.now += cycles;
  engine.present = (engine.present + <i32>(cycles & (<i64>(slotCount - 1)))) & (slotCount - 1);
}
