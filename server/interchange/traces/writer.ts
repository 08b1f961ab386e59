/**
 * What readers of traces write into: a program per rank, collective operations expanded by the algorithms that were
 * chosen, times of messages where there are some.
 */
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import type { OptionValues } from '../../model/catalogue.ts';
import { countOf } from '../../model/quantities.ts';
import { type Result, succeed, withoutControls } from '../../model/result.ts';
import {
  mostOperations,
  mostTraceTasks,
  operationKind,
  type TimedMessages,
  type Workload,
  WorkloadBuilder,
} from '../../model/workload.ts';
import {
  type CollectiveCall,
  type CollectiveEntry,
  type CollectiveOperation,
  chosenCollective,
  evenCall,
} from '../../simulation/workloads/collectives.ts';
import {
  forEachOperation,
  MessageKinds,
  unmatchedOf,
  unmatchedWords,
  workOfKind,
} from '../../simulation/workloads/programs.ts';
import type { Trace } from '../contract.ts';
import { type PairSums, SummingBuilder, tooManyPairs } from '../pairSums.ts';
import { tooManyOperations } from './lines.ts';

/** Tags of messages of collectives, and of other communicators than the one of all ranks, are below all written ones. */
const firstOwnTag = -(2 ** 30);

/** Ranks of a communicator in its own order, and a number that tells it from others. */
export interface Group {
  readonly id: number;
  readonly ranks: readonly number[];
}

/** What a collective operation moves, where it is not the same for all. */
export type Amounts = Partial<Pick<CollectiveCall, 'root' | 'whole' | 'part' | 'between'>>;

/** What operations are written into: a workload, or sums. */
export type OperationSink = Pick<
  WorkloadBuilder,
  'operationCount' | 'list' | 'select' | 'send' | 'receive' | 'compute' | 'repeat' | 'end' | 'finished'
>;

/**
 * What the sizes of receives say. `exact`: a message of another size is another message. `room`: a message may have, so that they take the
 * bytes of the one that they receive, the first not yet received of the same sender and tag. `room-unordered`: the same where tasks do things
 * independently of each other, so that the first one is not known: a message of that very size where there is one.
 */
type SizesOfReceives = 'exact' | 'room' | 'room-unordered';

type TellMessage = (kind: number, partner: number, bytes: number, tag: number) => void;

/** Names that a reader does not know: further ones are left out. */
const mostUnknown = 1000;

export class TraceWriter {
  readonly builder: OperationSink;
  readonly #sums: PairSums | undefined;
  #isOfCollective = false;
  /** Messages that the program itself sent, and those of its collective operations. */
  readonly #sent = [0, 0];
  readonly #taskCount: number;
  readonly #options: OptionValues;
  readonly #keepsComputing: boolean;
  #hasLists = false;
  readonly #algorithms = new Map<CollectiveOperation, CollectiveEntry>();
  readonly #ownTags = new Map<string, number>();
  readonly #communicators = new Map<string, number>();
  readonly #timed = new TimedList();
  readonly #warnings = new Map<string, number>();
  readonly #unknown = new Map<string, { count: number; readonly place: string }>();
  /** Ranks that something was read of. */
  readonly #seen: Uint8Array;

  constructor(taskCount: number, options: OptionValues, sums?: PairSums) {
    this.#sums = sums;
    this.builder = sums === undefined ? new WorkloadBuilder(taskCount) : new SummingBuilder(taskCount, sums);
    this.#taskCount = taskCount;
    this.#options = options;
    this.#keepsComputing = options['computing'] !== 'ignored' && sums === undefined;
    this.#seen = new Uint8Array(taskCount);
  }

  get taskCount(): number {
    return this.#taskCount;
  }

  /** Messages are added up: receives and the order of anything do not matter. */
  get isSumming(): boolean {
    return this.#sums !== undefined;
  }

  get keepsComputing(): boolean {
    return this.#keepsComputing;
  }

  /** Why a rank cannot be, or undefined. */
  faultOf(rank: number): string | undefined {
    if (rank >= 0 && rank < this.#taskCount) return undefined;
    return `Rank ${rank} exceeds the ${this.#taskCount} ranks of the trace.`;
  }

  /** Something was read of the rank, also where it sends and receives nothing. */
  touch(rank: number): void {
    this.#seen[rank] = 1;
  }

  compute(rank: number, seconds: number): void {
    this.#at(rank);
    if (this.#keepsComputing) this.builder.compute(seconds);
  }

  /** `seconds`: when it was sent, where the trace says so. */
  send(rank: number, to: number, bytes: number, tag: number, seconds?: number): string | undefined {
    const fault = this.faultOf(to);
    if (fault !== undefined) return fault;
    this.#at(rank);
    this.builder.send(to, bytes, tag);
    this.#sent[this.#isOfCollective ? 1 : 0]!++;
    if (this.#sums !== undefined) return this.#sums.isFull ? tooManyPairs : undefined;
    if (this.#isFull) return tooManyOperations;
    if (seconds !== undefined && to !== rank) this.#timed.add(seconds, rank, to, bytes);
    return undefined;
  }

  /** Whether there were more operations than are kept. */
  get #isFull(): boolean {
    return this.builder.operationCount > mostOperations;
  }

  receive(rank: number, from: number, bytes: number, tag: number): string | undefined {
    const fault = this.faultOf(from);
    if (fault !== undefined) return fault;
    this.#at(rank);
    this.builder.receive(from, bytes, tag);
    return this.#isFull ? tooManyOperations : undefined;
  }

  /** A tag as it is for messages among all ranks (communicator 0), one of its own for each other communicator. */
  tagIn(communicator: number, tag: number): number {
    return communicator === 0 || this.isSumming ? tag : this.#ownTag(`${communicator} ${tag}`);
  }

  /** A number for communicators of these ranks, the same whenever they are asked for; 0 where they are all ranks in order. */
  numberOf(ranks: readonly number[]): number {
    if (ranks.length === this.#taskCount && ranks.every((rank, at) => rank === at)) return 0;
    const key = ranks.join();
    const number = this.#communicators.get(key) ?? this.#communicators.size + 1;
    this.#communicators.set(key, number);
    return number;
  }

  /** The part of a rank in a collective operation of a group, with the same `bytes` for all but for what `amounts` says. */
  collective(
    rank: number,
    group: Group,
    operation: CollectiveOperation,
    bytes: number,
    amounts: Amounts = {},
    seconds?: number,
  ): string | undefined {
    this.#isOfCollective = true;
    this.expand(rank, group, operation, bytes, amounts, (kind, partner, size, tag) => {
      if (kind === operationKind.send) this.send(rank, partner, size, tag, seconds);
      else this.receive(rank, partner, size, tag);
    });
    this.#isOfCollective = false;
    return this.#isFull ? tooManyOperations : undefined;
  }

  /** The messages of {@link collective} one by one, instead of writing them. */
  expand(
    rank: number,
    group: Group,
    operation: CollectiveOperation,
    bytes: number,
    amounts: Amounts,
    tell: TellMessage,
  ): void {
    const own = group.ranks.indexOf(rank);
    // Beyond the limit nothing is kept, and one line may stand for a million messages.
    if (own < 0 || this.#isFull) return;
    let algorithm = this.#algorithms.get(operation);
    algorithm ??= chosenCollective(operation, this.#options);
    this.#algorithms.set(operation, algorithm);
    const tag = this.#ownTag(`${group.id} collective`);
    algorithm.write(
      // Parts that differ are no multiples of one of them.
      { ...evenCall(own, group.ranks.length, bytes), ...(amounts.part && { evenPart: undefined }), ...amounts },
      {
        send: (to, size) => {
          tell(operationKind.send, group.ranks[to] ?? 0, size, tag);
        },
        receive: (from, size) => {
          tell(operationKind.receive, group.ranks[from] ?? 0, size, tag);
        },
      },
    );
  }

  /** Something of which the format's reader knows nothing, as `Unknown record \`99\``; `place`: the file and its line. */
  unknown(what: string, place: string): void {
    const before = this.#unknown.get(what);
    if (before !== undefined) before.count++;
    else if (this.#unknown.size < mostUnknown) this.#unknown.set(what, { count: 1, place });
  }

  /** Said once, with how often it applied. */
  warn(sentence: string): void {
    this.#warnings.set(sentence, (this.#warnings.get(sentence) ?? 0) + 1);
  }

  /** The trace. */
  finished(sizes: SizesOfReceives, cancellation: Cancellation): Result<Trace> {
    const built = this.builder.finished(cancellation);
    if (!built.ok) return built;
    const workload = built.value;
    if (sizes === 'room') adoptSizes(workload, new WorkMeter(cancellation));
    if (sizes === 'room-unordered') adoptSizesLeft(workload, new WorkMeter(cancellation));
    const warnings = [...this.#warnings].map(([sentence, times]) =>
      times > 1 ? `${sentence} (${times} times)` : sentence,
    );
    for (const [what, { count, place }] of this.#unknown)
      warnings.push(`${withoutControls(what)}, ${countOf(count, 'time')}, first in ${place}: not read.`);
    const absent = this.#seen.reduce((sum, seen) => sum + (seen === 0 ? 1 : 0), 0);
    if (this.isSumming && this.#sent[0] === 0 && (this.#sent[1] ?? 0) > 0) {
      const used = [...this.#algorithms].map(([operation, { name }]) => `${operation} ${name}`).join(', ');
      warnings.push(
        `All messages belong to collective operations with unknown pairs of ranks. The default algorithms are used (${used}).`,
      );
    }
    if (absent > 0)
      warnings.push(
        `The trace is incomplete: ${absent} of ${this.#taskCount} ranks have no events, the first is rank ${this.#seen.indexOf(0)}.`,
      );
    const unmatched = unmatchedWords(unmatchedOf(workload, cancellation));
    if (unmatched !== undefined) warnings.push(unmatched);
    const timed = this.#timed.finished(this.#taskCount);
    return succeed({ workload, ...(timed === undefined ? {} : { timed }), warnings });
  }

  #at(rank: number): void {
    this.#seen[rank] = 1;
    // One list for each rank in order, from the first one that is written in on.
    if (!this.#hasLists) for (let task = 0; task < this.#taskCount; task++) this.builder.list(task);
    this.#hasLists = true;
    this.builder.select(rank);
  }

  #ownTag(key: string): number {
    const known = this.#ownTags.get(key);
    if (known !== undefined) return known;
    const tag = firstOwnTag - this.#ownTags.size;
    this.#ownTags.set(key, tag);
    return tag;
  }
}

/** Messages that were sent at a time, in arrays that double. */
class TimedList {
  #times = new Float64Array(1024);
  #from = new Int32Array(1024);
  #to = new Int32Array(1024);
  #bytes = new Float64Array(1024);
  #count = 0;

  /** `seconds`: from any beginning. Amortised O(1). */
  add(seconds: number, from: number, to: number, bytes: number): void {
    const at = this.#count++;
    if (at === this.#times.length) {
      this.#times = doubled(this.#times, new Float64Array(2 * at));
      this.#from = doubled(this.#from, new Int32Array(2 * at));
      this.#to = doubled(this.#to, new Int32Array(2 * at));
      this.#bytes = doubled(this.#bytes, new Float64Array(2 * at));
    }
    this.#times[at] = seconds;
    this.#from[at] = from;
    this.#to[at] = to;
    this.#bytes[at] = bytes;
  }

  /** From the first message on, ascending; messages of one time in the order of the trace. O(messages · log messages). */
  finished(taskCount: number): TimedMessages | undefined {
    const count = this.#count;
    if (count === 0) return undefined;
    const times = this.#times;
    const order = new Uint32Array(count);
    for (let at = 0; at < count; at++) order[at] = at;
    order.sort((a, b) => times[a]! - times[b]! || a - b);
    const first = times[order[0]!]!;
    return {
      taskCount,
      times: Float64Array.from(order, (index) => times[index]! - first),
      from: Int32Array.from(order, (index) => this.#from[index]!),
      to: Int32Array.from(order, (index) => this.#to[index]!),
      bytes: Float64Array.from(order, (index) => this.#bytes[index]!),
    };
  }
}

function doubled<Values extends Float64Array | Int32Array>(values: Values, longer: Values): Values {
  longer.set(values);
  return longer;
}

/**
 * Gives receives the bytes of their messages, in place; one list a task, no repetitions. Of no use where it was cancelled. O(operations).
 */
function adoptSizes(
  { taskCount, taskOfList, offsets, kinds, partners, tags, amounts }: Workload,
  meter: WorkMeter,
): void {
  /** Bytes of sends by pair, then by tag, and how many of them were received. */
  const queues = new Map<number, Map<number, { readonly bytes: number[]; taken: number }>>();
  const queueOf = (from: number, to: number, tag: number): { readonly bytes: number[]; taken: number } => {
    const pair = from * taskCount + to;
    const byTag = queues.get(pair) ?? new Map<number, { readonly bytes: number[]; taken: number }>();
    if (byTag.size === 0) queues.set(pair, byTag);
    const queue = byTag.get(tag) ?? { bytes: [], taken: 0 };
    if (queue.bytes.length === 0) byTag.set(tag, queue);
    return queue;
  };
  for (const wanted of [operationKind.send, operationKind.receive]) {
    for (const [list, task] of taskOfList.entries()) {
      for (let at = offsets[list] ?? 0; at < (offsets[list + 1] ?? 0); at++) {
        if (meter.isCancelledAfter(workOfKind)) return;
        if (kinds[at] !== wanted) continue;
        const [partner, tag] = [partners[at] ?? 0, tags[at] ?? 0];
        if (wanted === operationKind.send) queueOf(task, partner, tag).bytes.push(amounts[at] ?? 0);
        else {
          const queue = queueOf(partner, task, tag);
          amounts[at] = queue.bytes[queue.taken++] ?? amounts[at] ?? 0;
        }
      }
    }
  }
}

/**
 * Gives receives that no message of their size comes for the bytes of one that nobody receives, of the same sender and tag, in place and in
 * the order of lists; no repetitions. Of no use where it was cancelled. O(operations).
 */
function adoptSizesLeft(workload: Workload, meter: WorkMeter): void {
  const { taskOfList, kinds, partners, tags, amounts } = workload;
  const bySize = new MessageKinds(kinds.length);
  /** Of each kind, how many were sent and not yet received. */
  const left = new Int32Array(kinds.length);
  const wanting: { readonly at: number; readonly kind: number }[] = [];
  const forEachOf = (wanted: number, visit: (kind: number, at: number) => void): void => {
    const visitOne = (list: number, at: number): void => {
      if (kinds[at] !== wanted) return;
      const [own, other] = [taskOfList[list] ?? 0, partners[at] ?? 0];
      const [from, to] = wanted === operationKind.send ? [own, other] : [other, own];
      visit(bySize.numberOf(from, to, tags[at] ?? 0, amounts[at] ?? 0), at);
    };
    forEachOperation(workload, visitOne, meter, workOfKind);
  };
  const add = (kind: number, count: 1 | -1): void => {
    left[kind] = (left[kind] ?? 0) + count;
  };
  forEachOf(operationKind.send, (kind) => {
    add(kind, 1);
  });
  forEachOf(operationKind.receive, (kind, at) => {
    if ((left[kind] ?? 0) > 0) add(kind, -1);
    else wanting.push({ at, kind });
  });
  if (wanting.length === 0) return;
  /** Bytes of messages that nobody receives, by pair and tag. */
  const sizes = new Map<string, { readonly bytes: number[]; taken: number }>();
  const sizesOf = (kind: number) => {
    const { from, to, tag } = bySize.kind(kind);
    const key = `${from} ${to} ${tag}`;
    const ofTag = sizes.get(key) ?? { bytes: [], taken: 0 };
    if (ofTag.bytes.length === 0) sizes.set(key, ofTag);
    return ofTag;
  };
  forEachOf(operationKind.send, (kind) => {
    if (left[kind] === 0) return;
    add(kind, -1);
    sizesOf(kind).bytes.push(bySize.kind(kind).bytes);
  });
  for (const { at, kind } of wanting) {
    const ofTag = sizesOf(kind);
    amounts[at] = ofTag.bytes[ofTag.taken++] ?? amounts[at] ?? 0;
  }
}

/** Why a trace cannot have so many ranks, or undefined. */
export function faultOfTaskCount(taskCount: number): string | undefined {
  if (taskCount >= 1 && taskCount <= mostTraceTasks) return undefined;
  return `The trace has ${taskCount} ranks. Expected 1 to ${mostTraceTasks.toLocaleString('en-US')}.`;
}
