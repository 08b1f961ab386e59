/**
 * What is done with any workload: to run through its lists, to sum what it sends, to see whether its sends and receives
 * belong together, to know it again.
 */
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { ProgramMessages } from '../../model/job.ts';
import { countOf } from '../../model/quantities.ts';
import { fail, type Result, succeed } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import { operationKind, type Workload } from '../../model/workload.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import { fingerprintOf } from '../../numeric/fingerprint.ts';
import { groupedBy } from '../../numeric/grouping.ts';

/**
 * Where each list of a workload stands. Repetitions are run, not unrolled: memory is lists × depth of repetitions, and
 * nothing is allocated on the way.
 */
export class Cursors {
  readonly #workload: Workload;
  readonly #at: Int32Array;
  readonly #depths: Uint8Array;
  readonly #deepest: number;
  /** Of list l, repetition d that it is in: `l · deepest + d`. Where the body begins, and how often it is still to be done. */
  readonly #begins: Int32Array;
  readonly #left: Float64Array;

  constructor(workload: Workload) {
    const lists = workload.taskOfList.length;
    this.#workload = workload;
    this.#deepest = deepestOf(workload);
    this.#at = workload.offsets.slice(0, lists);
    this.#depths = new Uint8Array(lists);
    this.#begins = new Int32Array(lists * this.#deepest);
    this.#left = new Float64Array(lists * this.#deepest);
    for (let list = 0; list < lists; list++) this.#settle(list, intAt(this.#at, list));
  }

  /** Index of the send, receive or computation that a list has to do now; −1 when it is done with all. O(1). */
  operation(list: number): number {
    return intAt(this.#at, list);
  }

  /** The operation is done. O(depth of repetitions). */
  next(list: number): void {
    this.#settle(list, intAt(this.#at, list) + 1);
  }

  /** From an index on to the next operation that is no repetition, out of bodies that end and back to their beginnings. */
  #settle(list: number, from: number): void {
    const { offsets, kinds, partners, amounts } = this.#workload;
    const end = intAt(offsets, list + 1);
    const base = list * this.#deepest - 1;
    let depth = byteAt(this.#depths, list);
    let at = from;
    for (;;) {
      if (depth > 0) {
        const begin = intAt(this.#begins, base + depth);
        if (at === begin + intAt(partners, begin - 1)) {
          const left = realAt(this.#left, base + depth) - 1;
          this.#left[base + depth] = left;
          if (left > 0) at = begin;
          else {
            depth--;
            continue;
          }
        }
      }
      if (at === end) {
        at = -1;
        break;
      }
      if (byteAt(kinds, at) !== operationKind.repeat) break;
      depth++;
      this.#begins[base + depth] = at + 1;
      this.#left[base + depth] = realAt(amounts, at);
      at++;
    }
    this.#depths[list] = depth;
    this.#at[list] = at;
  }
}

/** Repetitions inside repetitions, at most. */
function deepestOf(workload: Workload): number {
  let deepest = 0;
  if (!workload.kinds.includes(operationKind.repeat)) return deepest;
  forEachOperation(workload, (_list, _at, _times, depth) => {
    if (depth > deepest) deepest = depth;
  });
  return deepest;
}

/** What it takes to number the kind of a message, in entries of arrays that are read one after the other: it stands anywhere in a large table. */
export const workOfKind = 12;

type VisitOperation = (list: number, at: number, times: number, depth: number) => void;

/**
 * Each send, receive and computation once, list by list, with how often it is done and how many repetitions it is in. False
 * where the meter has found it cancelled before the end; `work` is that of `visit`, in its unit. O(operations).
 */
export function forEachOperation(workload: Workload, visit: VisitOperation, meter?: WorkMeter, work = 1): boolean {
  const { length } = workload.taskOfList;
  for (let list = 0; list < length; list++) if (!forOperationsOf(workload, list, visit, meter, work)) return false;
  return true;
}

/** The same of one list. */
function forOperationsOf(
  { offsets, kinds, partners, amounts }: Workload,
  list: number,
  visit: VisitOperation,
  meter: WorkMeter | undefined,
  work: number,
): boolean {
  const ends: number[] = [];
  const factors: number[] = [];
  let times = 1;
  if (meter?.isCancelledAfter(1) === true) return false;
  for (let at = intAt(offsets, list), end = intAt(offsets, list + 1); at < end; at++) {
    if (meter?.isCancelledAfter(work) === true) return false;
    while (ends.length > 0 && ends.at(-1) === at) {
      ends.pop();
      times = factors.pop() ?? 1;
    }
    if (byteAt(kinds, at) === operationKind.repeat) {
      ends.push(at + 1 + intAt(partners, at));
      factors.push(times);
      times *= realAt(amounts, at);
    } else visit(list, at, times, ends.length);
  }
  return true;
}

/** What tasks compute, repetitions counted: how often, and seconds of the task that computes longest. O(operations). */
export function computingOf(
  { taskCount, ...workload }: Workload,
  cancellation: Cancellation,
): { readonly operations: number; readonly seconds: number } {
  const { taskOfList, kinds, amounts } = workload;
  if (!kinds.includes(operationKind.compute)) return { operations: 0, seconds: 0 };
  const computing = new Float64Array(taskCount);
  let operations = 0;
  const visit = (list: number, at: number, times: number): void => {
    if (byteAt(kinds, at) !== operationKind.compute) return;
    const task = intAt(taskOfList, list);
    operations += times;
    computing[task] = realAt(computing, task) + times * realAt(amounts, at);
  };
  forEachOperation({ taskCount, ...workload }, visit, new WorkMeter(cancellation));
  return { operations, seconds: computing.reduce((most, each) => Math.max(most, each), 0) };
}

/**
 * What each task sends to each other one, and to itself, over the whole run: compressed rows of senders, partners
 * ascending.
 */
export interface Sends {
  readonly taskCount: number;
  readonly rowStart: Int32Array;
  readonly partner: Int32Array;
  readonly bytes: Float64Array;
  readonly messages: Float64Array;
}

/** What it takes to look up a partner in an array by task, in entries of arrays that are read one after the other. */
const workOfPartner = 4;

/**
 * Pairs are counted before they are written, so that arrays have their length from the beginning: to grow lists of millions of pairs takes
 * longer than a user waits who has cancelled. Of no use where it was cancelled. O(operations + pairs · log of the partners of a task).
 */
export function sendsOf(workload: Workload, cancellation: Cancellation = neverCancelled): Sends {
  const { taskCount, taskOfList, partners, amounts, kinds } = workload;
  const meter = new WorkMeter(cancellation);
  const lists = groupedBy(taskOfList, taskCount);
  const rowStart = new Int32Array(taskCount + 1);
  const lastSender = new Int32Array(taskCount).fill(-1);
  let pairs = 0;
  let sender = 0;
  const count = (_list: number, at: number): void => {
    if (byteAt(kinds, at) !== operationKind.send) return;
    const to = intAt(partners, at);
    if (lastSender[to] === sender) return;
    lastSender[to] = sender;
    pairs++;
  };
  const forOperationsOfTask = (task: number, visit: VisitOperation): boolean => {
    for (let each = intAt(lists.start, task); each < intAt(lists.start, task + 1); each++) {
      if (!forOperationsOf(workload, intAt(lists.members, each), visit, meter, workOfPartner)) return false;
    }
    return true;
  };
  for (; sender < taskCount && forOperationsOfTask(sender, count); sender++) rowStart[sender + 1] = pairs;
  const partner = new Int32Array(pairs);
  const bytes = new Float64Array(pairs);
  const messages = new Float64Array(pairs);
  const bytesTo = new Float64Array(taskCount);
  const messagesTo = new Float64Array(taskCount);
  let end = 0;
  const add = (_list: number, at: number, times: number): void => {
    if (byteAt(kinds, at) !== operationKind.send) return;
    const to = intAt(partners, at);
    const before = realAt(messagesTo, to);
    if (before === 0) partner[end++] = to;
    messagesTo[to] = before + times;
    bytesTo[to] = realAt(bytesTo, to) + times * realAt(amounts, at);
  };
  for (let task = 0; task < taskCount; task++) {
    const begin = end;
    if (!forOperationsOfTask(task, add)) break;
    // To sort them takes a comparison for each doubling of the row.
    if (meter.isCancelledAfter((end - begin) * (workOfPartner + 32 - Math.clz32(end - begin)))) break;
    partner.subarray(begin, end).sort();
    for (let pair = begin; pair < end; pair++) {
      const to = intAt(partner, pair);
      bytes[pair] = realAt(bytesTo, to);
      messages[pair] = realAt(messagesTo, to);
      bytesTo[to] = 0;
      messagesTo[to] = 0;
    }
  }
  return { taskCount, rowStart, partner, bytes, messages };
}

/**
 * The traffic of a workload: the sums of its sends, without those to the own task and without messages of no bytes. Of no use
 * where it was cancelled.
 */
export const workloadTraffic = (workload: Workload, cancellation?: Cancellation): Traffic =>
  trafficWithMessages(workload, cancellation).traffic;

/** The same, and the messages that it is sent in. Of no use where it was cancelled. O(operations + pairs · log of the partners of a task). */
export function trafficWithMessages(
  workload: Workload,
  cancellation: Cancellation = neverCancelled,
): { readonly traffic: Traffic; readonly program: ProgramMessages } {
  const { messages: counts, ...traffic } = betweenTasks(sendsOf(workload, cancellation), cancellation);
  return { traffic, program: { counts, ...busiestOf(workload, cancellation) } };
}

/** Without what tasks send to themselves, and without messages of no bytes; the same where there is none of that. O(pairs). */
function betweenTasks(sends: Sends, cancellation: Cancellation): Sends {
  const { taskCount, rowStart, partner, bytes, messages } = sends;
  const meter = new WorkMeter(cancellation);
  const rows = new Int32Array(taskCount + 1);
  let count = 0;
  for (let task = 0; task < taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    if (meter.isCancelledAfter(end - intAt(rowStart, task))) break;
    for (let pair = intAt(rowStart, task); pair < end; pair++) {
      if (intAt(partner, pair) !== task && realAt(bytes, pair) > 0) count++;
    }
    rows[task + 1] = count;
  }
  if (count === partner.length) return sends;
  const kept = { partner: new Int32Array(count), bytes: new Float64Array(count), messages: new Float64Array(count) };
  for (let task = 0, place = 0; task < taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    if (meter.isCancelledAfter(end - intAt(rowStart, task))) break;
    for (let pair = intAt(rowStart, task); pair < end; pair++) {
      if (intAt(partner, pair) === task || realAt(bytes, pair) === 0) continue;
      kept.partner[place] = intAt(partner, pair);
      kept.bytes[place] = realAt(bytes, pair);
      kept.messages[place++] = realAt(messages, pair);
    }
  }
  return { taskCount, rowStart: rows, ...kept };
}

/** Bytes a second of a task that sends without waiting for anything. */
const ownBandwidth = 1e9;

/** The largest message to another task, and for how long the busiest list computes and sends. */
function busiestOf(workload: Workload, cancellation: Cancellation) {
  const { taskOfList, kinds, partners, amounts } = workload;
  const seconds = new Float64Array(taskOfList.length);
  let largestBytes = 0;
  const add = (list: number, at: number, times: number): void => {
    const kind = byteAt(kinds, at);
    const amount = realAt(amounts, at);
    if (kind === operationKind.compute) seconds[list] = realAt(seconds, list) + times * amount;
    if (kind !== operationKind.send || intAt(partners, at) === intAt(taskOfList, list)) return;
    seconds[list] = realAt(seconds, list) + (times * amount) / ownBandwidth;
    largestBytes = Math.max(largestBytes, amount);
  };
  forEachOperation(workload, add, new WorkMeter(cancellation));
  return { largestBytes, seconds: seconds.reduce((most, one) => Math.max(most, one), 0) };
}

/** Messages that are sent and received by sender, receiver, tag and bytes, where the two differ. */
export interface Unmatched {
  /** Messages that nobody receives. */
  readonly sends: number;
  /** Receives that no message comes for. */
  readonly receives: number;
  /** The first of them in the order of lists. */
  readonly first?: UnmatchedMessage;
}

export interface UnmatchedMessage {
  readonly from: number;
  readonly to: number;
  readonly tag: number;
  readonly bytes: number;
  /** Sends without receives where positive, else receives without sends. */
  readonly surplus: number;
}

/** Counts what would be left over if the network delivered everything. Of no use where it was cancelled. O(operations). */
export function unmatchedOf(workload: Workload, cancellation: Cancellation = neverCancelled): Unmatched {
  const { taskOfList, kinds, partners, tags, amounts } = workload;
  const meter = new WorkMeter(cancellation);
  const found = new MessageKinds(kinds.length);
  const surplus = new Float64Array(kinds.length);
  const add = (kind: number, times: number): void => {
    surplus[kind] = realAt(surplus, kind) + times;
  };
  const visit = (list: number, at: number, times: number): void => {
    const own = intAt(taskOfList, list);
    const other = intAt(partners, at);
    const kind = byteAt(kinds, at);
    const [tag, bytes] = [intAt(tags, at), realAt(amounts, at)];
    if (kind === operationKind.send) add(found.numberOf(own, other, tag, bytes), times);
    else if (kind === operationKind.receive) add(found.numberOf(other, own, tag, bytes), -times);
  };
  forEachOperation(workload, visit, meter, workOfKind);
  let [sends, receives, first] = [0, 0, -1];
  for (let kind = 0; kind < found.count && !meter.isCancelledAfter(1); kind++) {
    const over = realAt(surplus, kind);
    if (over > 0) sends += over;
    else receives -= over;
    if (over !== 0 && first < 0) first = kind;
  }
  if (first < 0) return { sends, receives };
  return { sends, receives, first: { ...found.kind(first), surplus: realAt(surplus, first) } };
}

/**
 * Fails with `unmatched-messages` where sends have no receives or receives no sends; such a workload cannot run to its
 * end, or leaves messages behind. Of no use where it was cancelled.
 */
export function checkMatching(workload: Workload, cancellation?: Cancellation): Result<void> {
  const words = unmatchedWords(unmatchedOf(workload, cancellation));
  return words === undefined ? succeed(undefined) : fail('unmatched-messages', words);
}

/** How many there are, and which is the first: a sentence. Undefined where there is none. */
export function unmatchedWords({ sends, receives, first }: Unmatched): string | undefined {
  if (first === undefined) return undefined;
  const parts = [
    ...(sends > 0 ? [`${countOf(sends, 'message is', 'messages are')} never received`] : []),
    ...(receives > 0
      ? [`${countOf(receives, 'receive waits', 'receives wait')} for messages that are never sent`]
      : []),
  ];
  const { from, to, tag, bytes, surplus } = first;
  // Tags below zero are no user's: those of collective operations and of further communicators.
  const ofTag = tag < 0 ? '' : ` with tag ${tag}`;
  const example = `${countOf(bytes, 'byte', 'bytes')}${ofTag} from task ${from} to task ${to}`;
  const what = surplus > 0 ? 'sent and not received' : 'received and not sent';
  return `${parts.join(', and ')}. First: ${example}, ${what}.`;
}

/**
 * Kinds of messages by sender, receiver, tag and bytes, numbered as they come: a hash table with open addressing, which never
 * grows, since to fill a larger one would take as long as a hundred thousand operations at once.
 */
export class MessageKinds {
  count = 0;
  /** 1 + the kind in each slot; 0 where none is. */
  readonly #slots: Int32Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #tag: Int32Array;
  readonly #bytes: Float64Array;

  /** For so many kinds at most; memory that none of them takes is reserved alone. */
  constructor(most: number) {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(1.5 * most + 2)));
    this.#from = new Int32Array(most);
    this.#to = new Int32Array(most);
    this.#tag = new Int32Array(most);
    this.#bytes = new Float64Array(most);
  }

  /** O(1). */
  numberOf(from: number, to: number, tag: number, bytes: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(from, to, tag, bytes) & mask;
    for (let kind = intAt(this.#slots, slot) - 1; kind >= 0; kind = intAt(this.#slots, slot) - 1) {
      if (this.#is(kind, from, to, tag, bytes)) return kind;
      slot = (slot + 1) & mask;
    }
    const kind = this.count++;
    this.#slots[slot] = kind + 1;
    this.#from[kind] = from;
    this.#to[kind] = to;
    this.#tag[kind] = tag;
    this.#bytes[kind] = bytes;
    return kind;
  }

  kind(number: number): { readonly from: number; readonly to: number; readonly tag: number; readonly bytes: number } {
    const [from, to] = [intAt(this.#from, number), intAt(this.#to, number)];
    return { from, to, tag: intAt(this.#tag, number), bytes: realAt(this.#bytes, number) };
  }

  #is(kind: number, from: number, to: number, tag: number, bytes: number): boolean {
    return (
      intAt(this.#from, kind) === from &&
      intAt(this.#to, kind) === to &&
      intAt(this.#tag, kind) === tag &&
      realAt(this.#bytes, kind) === bytes
    );
  }
}

function hash(from: number, to: number, tag: number, bytes: number): number {
  let mixed = Math.imul(from, 0x9e3779b1) ^ Math.imul(to, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) ^ Math.imul(tag, 0x27d4eb2f) ^ (bytes | 0);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x165667b1);
  return mixed ^ (mixed >>> 16);
}

/** Equal for equal workloads: what a cache and a stale result go by. O(operations). */
export function fingerprintOfWorkload({ taskOfList, offsets, kinds, partners, tags, amounts }: Workload): string {
  return fingerprintOf(taskOfList, offsets, kinds, partners, tags, amounts);
}
