/**
 * Messages under way between the servers of a cluster: a record of each, which is used again when it has arrived, and the lines in which
 * they stand by the time they get to their next server. The calendar holds the first of each line, so it does not grow with
 * messages that wait.
 */
import { intAt, realAt } from '../../../numeric/elements.ts';
import { IndexedHeap } from '../../../numeric/heap.ts';

/**
 * Places in the record of a message: its next server is reached at `due`; `handling` is the cycles that a queue pair works on it;
 * `portSince` and `portStart` are when it came to the last port on its way and when it was served there. `next` is behind it in the line, or
 * the next unused record.
 */
export const realOf = { due: 0, bytes: 1, created: 2, portSince: 3, portStart: 4, handling: 7 } as const;
export const intOf = { from: 10, to: 11, next: 12, stage: 13 } as const;
export const realsOfRecord = 8;
export const intsOfRecord = 16;
const none = -1;

export class ServerMessages {
  /**
   * A record of 64 bytes each, by {@link realOf} and {@link intOf}: what is known of one lies in one line of the processor's
   * cache. With hundreds of thousands under way an array per field costs a fifth of the speed (`bench servers`).
   */
  reals = new Float64Array(64 * realsOfRecord);
  ints = new Int32Array(this.reals.buffer);
  #count = 0;
  #unused = none;

  readonly #head: Int32Array;
  readonly #tail: Int32Array;
  /** Minus the time at which the first of each line is there: heaps have the largest key at the top. */
  readonly #key: Float64Array;
  readonly #calendar: IndexedHeap;

  constructor(lines: number) {
    this.#head = new Int32Array(lines).fill(none);
    this.#tail = new Int32Array(lines).fill(none);
    this.#key = new Float64Array(lines);
    this.#calendar = new IndexedHeap(this.#key);
  }

  /** The number of a new message: of those that are unused, the one removed last. */
  add(): number {
    const message = this.#unused;
    if (message !== none) {
      this.#unused = intAt(this.ints, message * intsOfRecord + intOf.next);
      return message;
    }
    if (this.#count * realsOfRecord >= this.reals.length) this.#grow();
    return this.#count++;
  }

  /** Of a message that stands in no line. */
  remove(message: number): void {
    this.ints[message * intsOfRecord + intOf.next] = this.#unused;
    this.#unused = message;
  }

  /** The line whose first message is the next to be at a server; −1 where there is none. */
  get nextLine(): number {
    return this.#calendar.top;
  }

  /** When the first message of a line is there. */
  timeOf(line: number): number {
    return -realAt(this.#key, line);
  }

  /** The message of a line that is due first, −1 where it is empty. */
  first(line: number): number {
    return intAt(this.#head, line);
  }

  /** The message behind another one in its line, or −1. */
  following(message: number): number {
    return intAt(this.ints, message * intsOfRecord + intOf.next);
  }

  /** Puts a message at the end of a line, by its `due`, which is not before that of the others. O(log lines). */
  enqueue(line: number, message: number): void {
    this.ints[message * intsOfRecord + intOf.next] = none;
    const tail = intAt(this.#tail, line);
    this.#tail[line] = message;
    if (tail !== none) {
      this.ints[tail * intsOfRecord + intOf.next] = message;
    } else {
      this.#head[line] = message;
      this.#key[line] = -realAt(this.reals, message * realsOfRecord + realOf.due);
      this.#calendar.add(line);
    }
  }

  /** The first of the line that is at the top of the calendar. O(log lines). */
  dequeue(line: number): number {
    const message = intAt(this.#head, line);
    const next = intAt(this.ints, message * intsOfRecord + intOf.next);
    this.#head[line] = next;
    if (next === none) {
      this.#tail[line] = none;
      this.#calendar.remove(line);
    } else {
      this.#key[line] = -realAt(this.reals, next * realsOfRecord + realOf.due);
      this.#calendar.update(line);
    }
    return message;
  }

  #grow(): void {
    const reals = new Float64Array(2 * this.reals.length);
    reals.set(this.reals);
    this.reals = reals;
    this.ints = new Int32Array(reals.buffer);
  }
}
