/**
 * What will happen later, in whole cycles: {@link TimeSlots} for any delay up to a bound, {@link DelayLine} where all delays are
 * the same. Neither is a heap: O(1) in and out, and nothing is allocated but where a longer delay is provided for.
 */
import { intAt, realAt } from '../numeric/elements.ts';

const none = -1;

/**
 * A ring of time slots. A slot holds the events of one cycle as a linked list through one array, by event: each event
 * is a number below `eventCount` and pending at most once. The present slot is that of the cycle that the engine is in.
 */
export class TimeSlots {
  #present = 0;
  /** First event of each slot; a power of two of them. */
  #first = new Int32Array(32).fill(none);
  /** A bit per slot that has events. */
  #filled = new Int32Array(1);
  /** The next event of the same slot, by event. */
  readonly #next: Int32Array = new Int32Array(0);

  constructor(eventCount: number) {
    this.#next = new Int32Array(eventCount);
  }

  /** Of at most the delay that was provided for; 0 is the present slot. */
  schedule(event: number, delay: number): void {
    const slot = (this.#present + delay) & (this.#first.length - 1);
    this.#next[event] = intAt(this.#first, slot);
    this.#first[slot] = event;
    this.#filled[slot >> 5] = intAt(this.#filled, slot >> 5) | (1 << (slot & 31));
  }

  /** Takes an event out of the present slot, −1 where there is none left. In no order. */
  take(): number {
    const slot = this.#present;
    const event = intAt(this.#first, slot);
    if (event === none) this.#filled[slot >> 5] = intAt(this.#filled, slot >> 5) & ~(1 << (slot & 31));
    else this.#first[slot] = intAt(this.#next, event);
    return event;
  }

  /** Cycles to the next slot that has events, Infinity where there is none; the present one is empty. O(slots / 32). */
  delayToNext(): number {
    const filled = this.#filled;
    let word = this.#present >> 5;
    let bits = intAt(filled, word) & (-2 << (this.#present & 31));
    for (let words = 0; words <= filled.length; words++) {
      if (bits !== 0) {
        const slot = (word << 5) + 31 - Math.clz32(bits & -bits);
        return (slot - this.#present) & (this.#first.length - 1);
      }
      word = (word + 1) & (filled.length - 1);
      bits = intAt(filled, word);
    }
    return Infinity;
  }

  /** Time goes on; slots that are passed over are empty. */
  pass(cycles: number): void {
    // The remainder of a large number first: only 32 bits of a sum are kept by &.
    const within = cycles < 2 ** 20 ? cycles : cycles % this.#first.length;
    this.#present = (this.#present + within) & (this.#first.length - 1);
  }

  /** Makes the ring long enough for a delay. O(slots). */
  provideDelay(delay: number): void {
    const old = this.#first;
    if (delay < old.length) return;
    let length = old.length;
    while (length <= delay) length *= 2;
    this.#first = new Int32Array(length).fill(none);
    this.#filled = new Int32Array(length / 32);
    for (let later = 0; later < old.length; later++) {
      const event = intAt(old, (this.#present + later) & (old.length - 1));
      this.#first[later] = event;
      if (event !== none) this.#filled[later >> 5] = intAt(this.#filled, later >> 5) | (1 << (later & 31));
    }
    this.#present = 0;
  }
}

/**
 * A line in which everyone waits equally long: values come out in the order in which they went in, those of one cycle
 * together. Loops read `values` from `head` to `batchEnd` themselves, modulo `mask + 1`.
 */
export class DelayLine {
  /** A ring; a power of two of values, more than ever are in the line. */
  readonly values: Int32Array = new Int32Array(0);
  readonly mask: number = 0;
  head = 0;
  tail = 0;
  /** Cycle in which the first batch comes out, Infinity where there is none, and the end of that batch. */
  due = Infinity;
  batchEnd = 0;
  readonly #delay: number = 0;
  /** Cycle in which the last batch comes out. */
  #lastDue = -Infinity;
  /** Behind the last value whose cycle is over. */
  #sealed = 0;
  // Batches behind the first, a ring too: a cycle each, so that there are no more than values and no more than the delay.
  readonly #dues: Float64Array = new Float64Array(0);
  readonly #ends: Int32Array = new Int32Array(0);
  #firstBatch = 0;
  #lastBatch = 0;

  constructor(mostValues: number, delay: number) {
    const length = powerAbove(mostValues);
    this.values = new Int32Array(length);
    this.mask = length - 1;
    this.#delay = delay;
    const batches = powerAbove(Math.min(mostValues, delay) + 1);
    this.#dues = new Float64Array(batches);
    this.#ends = new Int32Array(batches);
  }

  push(value: number): void {
    this.values[this.tail] = value;
    this.tail = (this.tail + 1) & this.mask;
  }

  /** What went in since the last call comes out together, `delay` cycles after `now`. */
  seal(now: number): void {
    if (this.tail === this.#sealed) return;
    this.#sealed = this.tail;
    const due = now + this.#delay;
    const isNew = due > this.#lastDue;
    this.#lastDue = due;
    if (this.due === Infinity || (!isNew && this.#firstBatch === this.#lastBatch)) {
      this.due = due;
      this.batchEnd = this.tail;
    } else {
      if (isNew) this.#lastBatch = (this.#lastBatch + 1) & (this.#ends.length - 1);
      const batch = (this.#lastBatch - 1) & (this.#ends.length - 1);
      this.#dues[batch] = due;
      this.#ends[batch] = this.tail;
    }
  }

  /** The first batch is out: the next one is the first. */
  drop(): void {
    this.head = this.batchEnd;
    if (this.#firstBatch === this.#lastBatch) {
      this.due = Infinity;
    } else {
      this.due = realAt(this.#dues, this.#firstBatch);
      this.batchEnd = intAt(this.#ends, this.#firstBatch);
      this.#firstBatch = (this.#firstBatch + 1) & (this.#ends.length - 1);
    }
  }
}

/** A delay line of those who want something when they come out: it stands at the same places of {@link wanted}, so that loops need not look it up. */
export class DemandLine extends DelayLine {
  readonly wanted: Int32Array = new Int32Array(0);

  constructor(mostValues: number, delay: number) {
    super(mostValues, delay);
    this.wanted = new Int32Array(this.values.length);
  }

  pushWanting(value: number, wanted: number): void {
    this.wanted[this.tail] = wanted;
    this.push(value);
  }
}

/** The least power of two above a count. */
const powerAbove = (count: number): number => 2 ** (32 - Math.clz32(count));
