/**
 * When a workload sends its messages on an ideal network: a message of b bytes leaves its task within b / bandwidth and
 * is there `latency` later, whatever else is under way. For open replay of skeletons, whose messages have no times.
 */
import { appendAll } from '../../model/lists.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { cancelled, fail, type Result, succeed } from '../../model/result.ts';
import { formatNumber } from '../../model/quantities.ts';
import { operationKind, type TimedMessages, type Workload } from '../../model/workload.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import { Cursors, forEachOperation, sendsOf } from './programs.ts';

export interface IdealNetwork {
  /** Seconds. */
  readonly latency: number;
  /** Bytes per second, > 0. */
  readonly bandwidth: number;
}

/** Messages of one open replay, about 400 MB. */
const mostTimedMessages = 2 ** 24;
/** Sends, receives and computations that are gone through for the times of messages: about a minute. */
const mostOperations = 2 ** 30;
/** Operations between two polls of the cancellation. */
const operationsPerPoll = 4096;

/**
 * The messages between different tasks, ascending by time. A list sends when it comes to it, and goes on when its last
 * byte has left; messages to the own task take no time. Fails with `unmatched-messages` where lists wait for ever, with
 * `workload-too-large` beyond 2^24 messages or 2^30 operations. O(messages · log messages).
 */
export function timedMessages(
  workload: Workload,
  network: IdealNetwork,
  cancellation: Cancellation,
): Result<TimedMessages> {
  const { taskCount, rowStart, partner, messages } = sendsOf(workload, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  let total = 0;
  for (let task = 0; task < taskCount; task++) {
    for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
      if (intAt(partner, pair) !== task) total += realAt(messages, pair);
    }
  }
  if (total > mostTimedMessages) {
    const limit = mostTimedMessages.toLocaleString('en-US');
    return fail(
      'workload-too-large',
      `The workload sends ${total.toLocaleString('en-US')} messages; the maximum with times is ${limit}. Reduce iterations.`,
    );
  }
  let operations = 0;
  const count = (_list: number, _at: number, times: number): void => {
    operations += times;
  };
  forEachOperation(workload, count, new WorkMeter(cancellation));
  if (operations > mostOperations) {
    const limit = mostOperations.toLocaleString('en-US');
    return fail(
      'workload-too-large',
      `The workload has ${formatNumber(operations)} operations; the maximum for send times is ${limit}. Reduce iterations, or write \`replay causal\`.`,
    );
  }
  const run = new IdealRun(workload, network, total);
  return run.run(cancellation) ? run.result(cancellation) : cancelled();
}

/** Times at which messages of one kind are there, the first not yet received first, and the lists that wait for one. */
interface Mailbox {
  readonly arrivals: number[];
  taken: number;
  readonly waiting: number[];
}

class IdealRun {
  readonly #workload: Workload;
  readonly #network: IdealNetwork;
  readonly #cursors: Cursors;
  /** How far each list is, in seconds. */
  readonly #clocks: Float64Array;
  /** By receiver and sender, then by tag and bytes. */
  readonly #mailboxes = new Map<number, Map<string, Mailbox>>();
  readonly #times: Float64Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #bytes: Float64Array;
  #count = 0;
  #operations = 0;
  #ended = 0;

  constructor(workload: Workload, network: IdealNetwork, messages: number) {
    this.#workload = workload;
    this.#network = network;
    this.#cursors = new Cursors(workload);
    this.#clocks = new Float64Array(workload.taskOfList.length);
    this.#times = new Float64Array(messages);
    this.#from = new Int32Array(messages);
    this.#to = new Int32Array(messages);
    this.#bytes = new Float64Array(messages);
  }

  /** Runs each list until it waits, and on when its message was sent; false where it was cancelled. */
  run(cancellation: Cancellation): boolean {
    const ready = Array.from(this.#workload.taskOfList, (_, list) => list).reverse();
    for (let list = ready.pop(); list !== undefined; list = ready.pop()) {
      while (this.#step(list, ready)) {
        if (this.#operations++ % operationsPerPoll === 0 && cancellation.isCancelled()) return false;
      }
    }
    return true;
  }

  result(cancellation: Cancellation): Result<TimedMessages> {
    const { taskCount, taskOfList } = this.#workload;
    if (this.#ended < taskOfList.length) {
      const stuck = taskOfList.length - this.#ended;
      return fail(
        'unmatched-messages',
        `${stuck} of ${taskOfList.length} programs wait for messages that are never sent.`,
      );
    }
    const order = orderOf(this.#times.subarray(0, this.#count), cancellation);
    if (order === undefined) return cancelled();
    const inOrder = (values: Float64Array): Float64Array => {
      const sorted = new Float64Array(order.length);
      for (let place = 0; place < order.length; place++) sorted[place] = realAt(values, intAt(order, place));
      return sorted;
    };
    const tasksInOrder = (values: Int32Array): Int32Array => {
      const sorted = new Int32Array(order.length);
      for (let place = 0; place < order.length; place++) sorted[place] = intAt(values, intAt(order, place));
      return sorted;
    };
    return succeed({
      taskCount,
      times: inOrder(this.#times),
      from: tasksInOrder(this.#from),
      to: tasksInOrder(this.#to),
      bytes: inOrder(this.#bytes),
    });
  }

  /** Does the next operation of a list; false where it has to wait or has ended. */
  #step(list: number, ready: number[]): boolean {
    const { kinds, partners, tags, amounts, taskOfList } = this.#workload;
    const at = this.#cursors.operation(list);
    if (at < 0) {
      this.#ended++;
      return false;
    }
    const kind = byteAt(kinds, at);
    const amount = realAt(amounts, at);
    const own = intAt(taskOfList, list);
    const partner = intAt(partners, at);
    if (kind === operationKind.compute) this.#clocks[list] = realAt(this.#clocks, list) + amount;
    else if (kind === operationKind.send) {
      const box = this.#mailbox(own, partner, intAt(tags, at), amount);
      box.arrivals.push(this.#send(list, own, partner, amount));
      appendAll(ready, box.waiting.splice(0));
    } else {
      const box = this.#mailbox(partner, own, intAt(tags, at), amount);
      const arrival = box.arrivals[box.taken];
      if (arrival === undefined) {
        box.waiting.push(list);
        return false;
      }
      box.taken++;
      if (box.taken === box.arrivals.length) {
        box.arrivals.length = 0;
        box.taken = 0;
      }
      this.#clocks[list] = Math.max(realAt(this.#clocks, list), arrival);
    }
    this.#cursors.next(list);
    return true;
  }

  /** When the message is there. */
  #send(list: number, from: number, to: number, bytes: number): number {
    const time = realAt(this.#clocks, list);
    if (from === to) return time;
    this.#times[this.#count] = time;
    this.#from[this.#count] = from;
    this.#to[this.#count] = to;
    this.#bytes[this.#count++] = bytes;
    const left = time + bytes / this.#network.bandwidth;
    this.#clocks[list] = left;
    return left + this.#network.latency;
  }

  #mailbox(from: number, to: number, tag: number, bytes: number): Mailbox {
    const pair = to * this.#workload.taskCount + from;
    let ofPair = this.#mailboxes.get(pair);
    if (ofPair === undefined) this.#mailboxes.set(pair, (ofPair = new Map<string, Mailbox>()));
    const key = `${tag} ${bytes}`;
    let box = ofPair.get(key);
    if (box === undefined) ofPair.set(key, (box = { arrivals: [], taken: 0, waiting: [] }));
    return box;
  }
}

/**
 * Indices by ascending value, equal ones as they were: runs of twice the length are merged again and again, between which there is time
 * to look whether it is cancelled; undefined where it is. O(n log n).
 */
function orderOf(values: Float64Array, cancellation: Cancellation): Int32Array | undefined {
  const meter = new WorkMeter(cancellation);
  const count = values.length;
  let order = new Int32Array(count).map((_, index) => index);
  let merged = new Int32Array(count);
  for (let length = 1; length < count; length *= 2) {
    for (let begin = 0; begin < count; begin += 2 * length) {
      const [middle, end] = [Math.min(begin + length, count), Math.min(begin + 2 * length, count)];
      let [left, right] = [begin, middle];
      for (let place = begin; place < end; place++) {
        if (meter.isCancelledAfter(1)) return undefined;
        const isLeft =
          right >= end || (left < middle && realAt(values, intAt(order, left)) <= realAt(values, intAt(order, right)));
        merged[place] = intAt(order, isLeft ? left++ : right++);
      }
    }
    [order, merged] = [merged, order];
  }
  return order;
}
