import { formatNumber } from '../model/quantities.ts';
import type { Result } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { type Workload, WorkloadBuilder } from '../model/workload.ts';

/** Pairs that sums are kept of: of 2,896 ranks those of all with all, about 600 MB. */
const mostPairs = 2 ** 23;

export const tooManyPairs = `More than ${formatNumber(mostPairs)} pairs of ranks have messages, the maximum.`;

/**
 * Bytes and messages of pairs of ranks, added up in any order: memory grows with the pairs that there are and not with what
 * is added. Sums of whole bytes are exact up to 2^53.
 */
export class PairSums {
  /** By sender, then by receiver: the index of the pair. */
  readonly #rows: (Map<number, number> | undefined)[] = [];
  #from = new Int32Array(1024);
  #to = new Int32Array(1024);
  #bytes = new Float64Array(1024);
  #messages = new Float64Array(1024);
  #count = 0;
  #isFull = false;

  /** Whether there were more pairs than are kept; those that came late are missing then. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get pairCount(): number {
    return this.#count;
  }

  /** Amortised O(1). */
  add(from: number, to: number, bytes: number, messages: number): void {
    const row = (this.#rows[from] ??= new Map<number, number>());
    let at = row.get(to);
    if (at === undefined) {
      if (this.#count === mostPairs) {
        this.#isFull = true;
        return;
      }
      at = this.#count++;
      if (at === this.#from.length) this.#grow();
      row.set(to, at);
      this.#from[at] = from;
      this.#to[at] = to;
    }
    this.#bytes[at]! += bytes;
    this.#messages[at]! += messages;
  }

  /** All pairs with bytes or messages, by sender and receiver. O(pairs · log pairs). */
  entries(size: number, warnings: readonly string[] = []): TableEntries {
    const count = this.#count;
    const order = new Uint32Array(count).map((_, at) => at);
    order.sort((a, b) => this.#from[a]! - this.#from[b]! || this.#to[a]! - this.#to[b]!);
    return {
      size,
      from: Int32Array.from(order, (at) => this.#from[at]!),
      to: Int32Array.from(order, (at) => this.#to[at]!),
      amount: Float64Array.from(order, (at) => this.#bytes[at]!),
      messages: Float64Array.from(order, (at) => this.#messages[at]!),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }

  #grow(): void {
    const grown = <Values extends Int32Array | Float64Array>(values: Values, copy: Values): Values => {
      copy.set(values);
      return copy;
    };
    const length = 2 * this.#from.length;
    this.#from = grown(this.#from, new Int32Array(length));
    this.#to = grown(this.#to, new Int32Array(length));
    this.#bytes = grown(this.#bytes, new Float64Array(length));
    this.#messages = grown(this.#messages, new Float64Array(length));
  }
}

/**
 * Stands where a `WorkloadBuilder` does, and adds messages up instead of keeping them. Receives and computing are dropped; what
 * a repetition holds counts as often as it is done.
 */
export class SummingBuilder {
  readonly #taskCount: number;
  readonly #sums: PairSums;
  /** Without operations: nothing is too much. */
  readonly operationCount = 0;
  #task = 0;
  /** How often what is written now is done, of each repetition that is open. */
  readonly #times = [1];

  constructor(taskCount: number, sums: PairSums) {
    this.#taskCount = taskCount;
    this.#sums = sums;
  }

  list(task: number): number {
    this.#task = task;
    return task;
  }

  /** Each task has one list, of its own number. */
  select(list: number): void {
    this.#task = list;
  }

  send(to: number, bytes: number): void {
    const times = this.#times.at(-1) ?? 1;
    if (times > 0) this.#sums.add(this.#task, to, bytes * times, times);
  }

  receive(): void {
    // The send says it.
  }

  compute(): void {
    // Nothing is sent.
  }

  repeat(times: number): void {
    this.#times.push(times * (this.#times.at(-1) ?? 1));
  }

  end(): void {
    this.#times.pop();
  }

  /** A workload without operations. */
  finished(): Result<Workload> {
    return new WorkloadBuilder(this.#taskCount).finished();
  }
}
