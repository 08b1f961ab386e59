import { neverCancelled, WorkMeter, type Cancellation } from './cancellation.ts';
import { cancelled, fail, type Result, succeed } from './result.ts';

/**
 * What each task of a job does, in order: the program that a replay plays back on a network. Skeletons of benchmarks, traces
 * and collectives are made into it.
 *
 * Lists of operations in typed arrays, with repetitions, so that an iteration is written once. A task has one list, or
 * several where it does things independently of each other; lists of a task tell each other by messages to their own task,
 * which take no time.
 */
export interface Workload {
  readonly taskCount: number;
  /** The task of each list; every task has at least one. */
  readonly taskOfList: Int32Array;
  /** Operations of list l are `offsets[l]` … `offsets[l + 1] − 1`. */
  readonly offsets: Int32Array;
  /** {@link operationKind} of each operation. */
  readonly kinds: Uint8Array;
  /** Of a send the task it goes to, of a receive the one it comes from; of a repetition how many operations after it are repeated. */
  readonly partners: Int32Array;
  /** Messages match by sender, receiver, tag and bytes, in the order in which they were sent. */
  readonly tags: Int32Array;
  /** Of a send or receive bytes, of computing seconds, of a repetition how many times. */
  readonly amounts: Float64Array;
}

/**
 * `send` is over when its last packet is made, `receive` when the message is there as a whole. A non-blocking receive is
 * nothing: the wait for it is the receive.
 */
export const operationKind = { send: 0, receive: 1, compute: 2, repeat: 3 } as const;

/** Repetitions inside repetitions; deeper ones are refused. */
export const deepestRepeat = 32;

/** A workload has no more operations than this, about 300 MB; repetitions count as they are written, not as they are run. */
export const mostOperations = 2 ** 24;

/** Amounts that are counted exactly. */
const largestAmount = 2 ** 53;

/** Messages that are sent at their times, whatever was received. In the order of their times. */
export interface TimedMessages {
  readonly taskCount: number;
  /** Seconds from the beginning, ascending. */
  readonly times: Float64Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly bytes: Float64Array;
}

/**
 * The formats that traces are read in: `trace "FILE" as FORMAT`. Their readers are the catalogue of trace formats in
 * `server/interchange`, which a test holds against this list; the names stand down here because the language checks them and
 * reads no files.
 */
export const traceFormats: readonly { readonly name: string; readonly summary: string }[] = [
  { name: 'workload', summary: 'sends, receives and repetitions of each task, as Placewright writes them' },
  { name: 'goal', summary: 'GOAL schedules of LogGOPSim, as text' },
  { name: 'simgrid', summary: 'time-independent traces of SimGrid, one file or a list of one per rank' },
  { name: 'otf2-print', summary: 'events of an OTF2 trace (Score-P), as `otf2-print` prints them' },
  {
    name: 'dumpi2ascii',
    summary: 'DUMPI traces (SST), as `dumpi2ascii` prints them: a file per rank, or a list of them',
  },
  { name: 'vef', summary: 'VEF traces, with what each message waits for' },
  { name: 'fsin', summary: 'traces of FSIN, the simulator of INSEE' },
  { name: 'dimemas', summary: 'Dimemas traces' },
];

/** A job has no more tasks than this in a trace. */
export const mostTraceTasks = 2 ** 20;

/**
 * Writes a workload, list by list or in turns between lists. Operations are never refused at once: what cannot be is
 * counted, and {@link finished} says how much of it there was and what came first.
 */
export class WorkloadBuilder {
  readonly #taskCount: number;
  #count = 0;
  #kinds = new Uint8Array(256);
  #partners = new Int32Array(256);
  #tags = new Int32Array(256);
  #amounts = new Float64Array(256);
  /** Of each operation, in the order of writing. */
  #listOf = new Int32Array(256);
  readonly #taskOfList: number[] = [];
  readonly #lengths: number[] = [];
  /** Repetitions that are open, per list: the operation, and the length of the list at that time. */
  readonly #open = new Map<number, { readonly operation: number; readonly length: number }[]>();
  /** Each list was written in one go, after the one before it. */
  #inOrder = true;
  #list = -1;
  #wrong = 0;
  #firstWrong: string | undefined;

  constructor(taskCount: number) {
    this.#taskCount = taskCount;
  }

  get taskCount(): number {
    return this.#taskCount;
  }

  get operationCount(): number {
    return this.#count;
  }

  /** A new list of a task, which is written from now on. Returns its number. */
  list(task: number): number {
    if (!this.#isTask(task)) this.#refuse(() => `a list is of task ${task}`);
    this.#taskOfList.push(task);
    this.#lengths.push(0);
    this.#list = this.#taskOfList.length - 1;
    return this.#list;
  }

  /** Goes on with a list that there is. */
  select(list: number): void {
    this.#list = list;
  }

  /** `bytes` 0 … 2^53, whole; `tag` of 32 bits. */
  send(to: number, bytes: number, tag: number): void {
    this.#message(operationKind.send, to, bytes, tag);
  }

  /** Waits for the first message of a task with that tag and so many bytes that was not received yet. */
  receive(from: number, bytes: number, tag: number): void {
    this.#message(operationKind.receive, from, bytes, tag);
  }

  /** Seconds, finite and ≥ 0. */
  compute(seconds: number): void {
    if (!(seconds >= 0 && seconds < Number.POSITIVE_INFINITY)) this.#refuse(() => `computing takes ${seconds} s`);
    if (seconds > 0) this.#add(operationKind.compute, 0, 0, seconds);
  }

  /** What is written in this list until the {@link end} that belongs to it is done so many times: 0 … 2^53, whole. */
  repeat(times: number): void {
    const open = this.#open.get(this.#list) ?? [];
    if (open.length === 0) this.#open.set(this.#list, open);
    if (open.length >= deepestRepeat) this.#refuse(() => `repetitions are nested deeper than ${deepestRepeat}`);
    if (!isAmount(times)) this.#refuse(() => `something is repeated ${times} times`);
    open.push({ operation: this.#count, length: (this.#lengths[this.#list] ?? 0) + 1 });
    this.#add(operationKind.repeat, 0, 0, times);
  }

  end(): void {
    const opened = this.#open.get(this.#list)?.pop();
    if (opened === undefined) this.#refuse(() => 'a repetition ends that has not begun');
    else if (this.#count <= mostOperations) {
      this.#partners[opened.operation] = (this.#lengths[this.#list] ?? 0) - opened.length;
    }
  }

  /**
   * The workload. Tasks without a list get an empty one; what is repeated once stands as it is, what is never done or
   * repeats nothing is left out. Fails with `bad-workload` where something was written that cannot be, with
   * `workload-too-large` beyond {@link mostOperations}, and where cancelled: the builder is of no use then. O(operations + lists).
   */
  finished(cancellation: Cancellation = neverCancelled): Result<Workload> {
    for (const open of this.#open.values()) if (open.length > 0) this.#refuse(() => 'a repetition has no end');
    if (this.#count > mostOperations) {
      const limit = mostOperations.toLocaleString('en-US');
      return fail(
        'workload-too-large',
        `The workload has more than ${limit} sends, receives and computations: take fewer tasks, or repetitions.`,
      );
    }
    if (this.#firstWrong !== undefined) {
      const others = this.#wrong > 1 ? `, and ${this.#wrong - 1} more like it` : '';
      return fail('bad-workload', `The workload cannot be: ${this.#firstWrong}${others}.`);
    }
    const idle = new Uint8Array(this.#taskCount).fill(1);
    for (const task of this.#taskOfList) idle[task] = 0;
    for (let task = 0; task < this.#taskCount; task++) if (idle[task] === 1) this.list(task);
    const meter = new WorkMeter(cancellation);
    if (!this.#inOrder && !this.#sort(meter)) return cancelled();
    const workload = this.#compact(meter);
    return workload === undefined ? cancelled() : succeed(workload);
  }

  #message(kind: number, partner: number, bytes: number, tag: number): void {
    const verb = kind === operationKind.send ? 'sends to' : 'receives from';
    const task = this.#taskOfList[this.#list] ?? 0;
    if (!this.#isTask(partner)) {
      this.#refuse(() => `task ${task} ${verb} task ${partner}, and the tasks are 0 to ${this.#taskCount - 1}`);
    } else if (!isAmount(bytes)) this.#refuse(() => `task ${task} ${verb} task ${partner} ${bytes} bytes`);
    else if (tag !== (tag | 0)) this.#refuse(() => `task ${task} ${verb} task ${partner} with tag ${tag}`);
    else this.#add(kind, partner, tag, bytes);
  }

  #isTask(task: number): boolean {
    return Number.isInteger(task) && task >= 0 && task < this.#taskCount;
  }

  #refuse(sentence: () => string): void {
    this.#wrong++;
    this.#firstWrong ??= sentence();
  }

  #add(kind: number, partner: number, tag: number, amount: number): void {
    const at = this.#count++;
    if (at >= mostOperations) return;
    if (at === this.#kinds.length) this.#grow();
    const list = this.#list;
    this.#kinds[at] = kind;
    this.#partners[at] = partner;
    this.#tags[at] = tag;
    this.#amounts[at] = amount;
    this.#listOf[at] = list;
    this.#lengths[list] = (this.#lengths[list] ?? 0) + 1;
    if (at > 0 && list < (this.#listOf[at - 1] ?? 0)) this.#inOrder = false;
  }

  #grow(): void {
    const length = this.#kinds.length * 2;
    this.#kinds = grown(this.#kinds, new Uint8Array(length));
    this.#partners = grown(this.#partners, new Int32Array(length));
    this.#tags = grown(this.#tags, new Int32Array(length));
    this.#amounts = grown(this.#amounts, new Float64Array(length));
    this.#listOf = grown(this.#listOf, new Int32Array(length));
  }

  /** Puts the operations of each list together, in the order in which they were written; false where it was cancelled. */
  #sort(meter: WorkMeter): boolean {
    const next = new Int32Array(this.#lengths.length);
    for (let list = 1; list < next.length; list++) next[list] = (next[list - 1] ?? 0) + (this.#lengths[list - 1] ?? 0);
    const count = this.#count;
    const kinds = new Uint8Array(count);
    const partners = new Int32Array(count);
    const tags = new Int32Array(count);
    const amounts = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      if (meter.isCancelledAfter(1)) return false;
      const list = this.#listOf[at] ?? 0;
      const place = next[list] ?? 0;
      next[list] = place + 1;
      kinds[place] = this.#kinds[at] ?? 0;
      partners[place] = this.#partners[at] ?? 0;
      tags[place] = this.#tags[at] ?? 0;
      amounts[place] = this.#amounts[at] ?? 0;
    }
    this.#kinds = kinds;
    this.#partners = partners;
    this.#tags = tags;
    this.#amounts = amounts;
    return true;
  }

  /** Leaves out repetitions that say nothing, in place: of nothing, zero times, once. Undefined where it was cancelled. */
  #compact(meter: WorkMeter): Workload | undefined {
    const offsets = new Int32Array(this.#lengths.length + 1);
    const hasRepetitions = this.#kinds.subarray(0, this.#count).includes(operationKind.repeat);
    let read = 0;
    let place = 0;
    for (const [list, length] of this.#lengths.entries()) {
      const end = hasRepetitions ? this.#compactList(read, read + length, place, meter) : place + length;
      if (end === undefined) return undefined;
      place = end;
      read += length;
      offsets[list + 1] = place;
    }
    return {
      taskCount: this.#taskCount,
      taskOfList: Int32Array.from(this.#taskOfList),
      offsets,
      kinds: this.#kinds.slice(0, place),
      partners: this.#partners.slice(0, place),
      tags: this.#tags.slice(0, place),
      amounts: this.#amounts.slice(0, place),
    };
  }

  /** Moves the operations from `read` up to `end` to `place ≤ read`, and returns the place behind them; undefined where it was cancelled. */
  #compactList(read: number, end: number, place: number, meter: WorkMeter): number | undefined {
    /** Repetitions under way: where the body begins in what is written, and ends in what is read. */
    const open: { readonly begin: number; readonly end: number }[] = [];
    while (read < end) {
      if (meter.isCancelledAfter(1)) return undefined;
      const at = read++;
      const body = this.#kinds[at] === operationKind.repeat ? (this.#partners[at] ?? 0) : -1;
      const times = this.#amounts[at] ?? 0;
      if (body >= 0 && (times === 0 || body === 0)) read += body;
      else if (body < 0 || times > 1) {
        this.#copy(at, place++);
        if (body >= 0) open.push({ begin: place, end: read + body });
      }
      for (let last = open.at(-1); last !== undefined && last.end <= read; last = open.at(-1)) {
        open.pop();
        this.#partners[last.begin - 1] = place - last.begin;
        if (place === last.begin) place--;
      }
    }
    return place;
  }

  #copy(from: number, to: number): void {
    this.#kinds[to] = this.#kinds[from] ?? 0;
    this.#partners[to] = this.#partners[from] ?? 0;
    this.#tags[to] = this.#tags[from] ?? 0;
    this.#amounts[to] = this.#amounts[from] ?? 0;
  }
}

const isAmount = (amount: number): boolean => Number.isInteger(amount) && amount >= 0 && amount <= largestAmount;

function grown<Values extends Uint8Array | Int32Array | Float64Array>(values: Values, longer: Values): Values {
  longer.set(values);
  return longer;
}
