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

/** A job has no more tasks than this in a trace. */
export const mostTraceTasks = 2 ** 20;

/**
 * Writes a workload, list by list or in turns between lists. Operations are never refused at once: what cannot be is
 * counted, and {@link finished} says how much of it there was and what came first.
 */
export class WorkloadBuilder {
  readonly #taskCount: number;
  #count = 0;
  /** Operations in the order of writing: parts that are full, each until it is gathered, and the one that is being written with the number of its first one. */
  readonly #parts: (WrittenOperations | undefined)[] = [];
  #part = writtenOperationsFor(256);
  #begin = 0;
  /** Of the last operation. */
  #lastList = -1;
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
      const { partners } = this.#parts[Math.floor(opened.operation / operationsOfPart)] ?? this.#part;
      partners[opened.operation % operationsOfPart] = (this.#lengths[this.#list] ?? 0) - opened.length;
    }
  }

  /**
   * The workload. Tasks without a list get an empty one; what is repeated once stands as it is, what is never done or
   * repeats nothing is left out. Fails with `bad-workload` where something was written that cannot be, with
   * `workload-too-large` beyond {@link mostOperations}, and where cancelled. The builder is of no use afterwards. Takes 46 bytes an
   * operation at most, what is written and what it becomes together. O(operations + lists).
   */
  finished(cancellation: Cancellation = neverCancelled): Result<Workload> {
    for (const open of this.#open.values()) if (open.length > 0) this.#refuse(() => 'a repetition has no end');
    if (this.#count > mostOperations) {
      const limit = mostOperations.toLocaleString('en-US');
      return fail(
        'workload-too-large',
        `The workload has more than ${limit} operations (sends, receives, computations). Use fewer tasks or repetitions.`,
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
    const ordered = this.#inOrder ? this.#gather(meter) : this.#sort(meter);
    const workload = ordered && this.#compact(ordered, meter);
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
    if (at - this.#begin === this.#part.kinds.length) this.#lengthen();
    const { kinds, partners, tags, amounts, lists } = this.#part;
    const place = at - this.#begin;
    const list = this.#list;
    kinds[place] = kind;
    partners[place] = partner;
    tags[place] = tag;
    amounts[place] = amount;
    lists[place] = list;
    this.#lengths[list] = (this.#lengths[list] ?? 0) + 1;
    if (list < this.#lastList) this.#inOrder = false;
    this.#lastList = list;
  }

  /** Room for more operations: twice as long a part, or a new one. */
  #lengthen(): void {
    const part = this.#part;
    const { length } = part.kinds;
    if (length < operationsOfPart) {
      this.#part = writtenOperationsFor(2 * length);
      copyOperations(part, this.#part, 0);
      this.#part.lists.set(part.lists);
    } else {
      this.#parts.push(part);
      this.#begin += length;
      this.#part = writtenOperationsFor(operationsOfPart);
    }
  }

  /** All operations in arrays of their own; undefined where it was cancelled. */
  #gather(meter: WorkMeter): Operations | undefined {
    const whole = operationsFor(this.#count);
    const isDone = this.#forEachPart((part, begin) => {
      copyOperations(part, whole, begin);
      return !meter.isCancelledAfter(operationsOfPart);
    });
    return isDone ? whole : undefined;
  }

  /** The same, the operations of each list together in the order in which they were written. */
  #sort(meter: WorkMeter): Operations | undefined {
    const next = new Int32Array(this.#lengths.length);
    for (let list = 1; list < next.length; list++) next[list] = (next[list - 1] ?? 0) + (this.#lengths[list - 1] ?? 0);
    const sorted = operationsFor(this.#count);
    const isDone = this.#forEachPart((part) => {
      for (const [at, list] of part.lists.entries()) {
        if (meter.isCancelledAfter(1)) return false;
        const place = next[list] ?? 0;
        next[list] = place + 1;
        copyOperation(part, at, sorted, place);
      }
      return true;
    });
    return isDone ? sorted : undefined;
  }

  /** Each part as far as it is written, which is given up then; false where the visitor was the first to say so. */
  #forEachPart(visit: (part: WrittenOperations, begin: number) => boolean): boolean {
    for (const [index, part] of this.#parts.entries()) {
      if (part !== undefined && !visit(part, index * operationsOfPart)) return false;
      this.#parts[index] = undefined;
    }
    const length = this.#count - this.#begin;
    const lists = this.#part.lists.subarray(0, length);
    return visit({ ...operationsIn(this.#part, 0, length), lists }, this.#begin);
  }

  /** Leaves out repetitions that say nothing: of nothing, zero times, once. Undefined where it was cancelled. */
  #compact(written: Operations, meter: WorkMeter): Workload | undefined {
    const offsets = new Int32Array(this.#lengths.length + 1);
    const hasRepetitions = written.kinds.includes(operationKind.repeat);
    let read = 0;
    let place = 0;
    for (const [list, length] of this.#lengths.entries()) {
      const end = hasRepetitions ? compactList(written, read, read + length, place, meter) : place + length;
      if (end === undefined) return undefined;
      place = end;
      read += length;
      offsets[list + 1] = place;
    }
    const left = place === this.#count ? written : firstCopied(written, place, meter);
    if (left === undefined) return undefined;
    const { kinds, partners, tags, amounts } = left;
    return {
      taskCount: this.#taskCount,
      taskOfList: Int32Array.from(this.#taskOfList),
      offsets,
      kinds,
      partners,
      tags,
      amounts,
    };
  }
}

const isAmount = (amount: number): boolean => Number.isInteger(amount) && amount >= 0 && amount <= largestAmount;

/** Operations as those of {@link Workload}. */
type Operations = Pick<Workload, 'kinds' | 'partners' | 'tags' | 'amounts'>;

/** And the list of each. */
interface WrittenOperations extends Operations {
  readonly lists: Int32Array;
}

/** A part of what is written is no longer, so that none is copied for long without a look at the cancellation. */
const operationsOfPart = 2 ** 16;

const operationsFor = (count: number): Operations => ({
  kinds: new Uint8Array(count),
  partners: new Int32Array(count),
  tags: new Int32Array(count),
  amounts: new Float64Array(count),
});

const writtenOperationsFor = (count: number): WrittenOperations => ({
  ...operationsFor(count),
  lists: new Int32Array(count),
});

/** Those from one to before another, as parts of the same arrays. */
const operationsIn = (all: Operations, from: number, to: number): Operations => ({
  kinds: all.kinds.subarray(from, to),
  partners: all.partners.subarray(from, to),
  tags: all.tags.subarray(from, to),
  amounts: all.amounts.subarray(from, to),
});

function copyOperations(from: Operations, to: Operations, place: number): void {
  to.kinds.set(from.kinds, place);
  to.partners.set(from.partners, place);
  to.tags.set(from.tags, place);
  to.amounts.set(from.amounts, place);
}

/** The first operations alone; undefined where it was cancelled. */
function firstCopied(all: Operations, count: number, meter: WorkMeter): Operations | undefined {
  const first = operationsFor(count);
  for (let begin = 0; begin < count; begin += operationsOfPart) {
    const end = Math.min(count, begin + operationsOfPart);
    copyOperations(operationsIn(all, begin, end), first, begin);
    if (meter.isCancelledAfter(operationsOfPart)) return undefined;
  }
  return first;
}

function copyOperation(from: Operations, at: number, to: Operations, place: number): void {
  to.kinds[place] = from.kinds[at] ?? 0;
  to.partners[place] = from.partners[at] ?? 0;
  to.tags[place] = from.tags[at] ?? 0;
  to.amounts[place] = from.amounts[at] ?? 0;
}

/** Moves the operations from `from` up to `end` to `to ≤ from`, and returns the place behind them; undefined where it was cancelled. */
function compactList(written: Operations, from: number, end: number, to: number, meter: WorkMeter): number | undefined {
  const { kinds, partners, amounts } = written;
  let [read, place] = [from, to];
  /** Repetitions under way: where the body begins in what is written, and ends in what is read. */
  const open: { readonly begin: number; readonly end: number }[] = [];
  while (read < end) {
    if (meter.isCancelledAfter(1)) return undefined;
    const at = read++;
    const body = kinds[at] === operationKind.repeat ? (partners[at] ?? 0) : -1;
    const times = amounts[at] ?? 0;
    if (body >= 0 && (times === 0 || body === 0)) read += body;
    else if (body < 0 || times > 1) {
      copyOperation(written, at, written, place++);
      if (body >= 0) open.push({ begin: place, end: read + body });
    }
    for (let last = open.at(-1); last !== undefined && last.end <= read; last = open.at(-1)) {
      open.pop();
      partners[last.begin - 1] = place - last.begin;
      if (place === last.begin) place--;
    }
  }
  return place;
}
