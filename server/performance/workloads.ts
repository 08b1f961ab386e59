/**
 * What the tasks of a job do in order, for simulations: a skeleton or a trace says it; of a job that is known by its traffic
 * alone it is made of that. Messages at times are those of a trace, of a rate, or of an ideal network.
 */
import { neverCancelled, WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { Job } from '../model/job.ts';
import { seededRandom } from '../model/random.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import type { Traffic } from '../model/traffic.ts';
import { WorkloadBuilder, type TimedMessages, type Workload } from '../model/workload.ts';
import { gammaDeviate, logarithm } from '../numeric/elementary.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { IndexedHeap } from '../numeric/heap.ts';

/** How a pair of tasks sends its bytes: so many messages at a time, each of so many bytes, in so many rounds. */
interface PairMessages {
  readonly rounds: number;
  readonly count: number;
  readonly bytes: number;
}

function pairMessages({ messages = 1, messageBytes }: Job, bytes: number): PairMessages {
  const rounds = Number.isInteger(messages) && messages >= 1 ? messages : 1;
  const each = bytes / rounds;
  const count = messageBytes === undefined ? 1 : each / messageBytes;
  if (messageBytes !== undefined && Number.isInteger(count) && count > 1)
    return { rounds, count, bytes: Math.ceil(messageBytes) };
  return { rounds, count: 1, bytes: Math.ceil(each) };
}

/** What a pair takes to be written, and a time to be drawn and put in order, in entries of arrays. */
const [workOfPair, workOfTime] = [16, 96];

/**
 * A job that is known by its traffic: as often as each pair has messages, every task sends to its partners, the next
 * higher first, and then receives from those that send to it. Fails with `cancelled` too. O(pairs).
 */
export function workloadOfTraffic(job: Job, cancellation: Cancellation = neverCancelled): Result<Workload> {
  const { taskCount, traffic } = job;
  const senders = sendersOf(traffic);
  const builder = new WorkloadBuilder(taskCount);
  const { rounds } = pairMessages(job, 0);
  const meter = new WorkMeter(cancellation);
  for (let task = 0; task < taskCount; task++) {
    const pairs = intAt(traffic.rowStart, task + 1) - intAt(traffic.rowStart, task);
    if (meter.isCancelledAfter(workOfPair * (1 + pairs))) return cancelled();
    builder.list(task);
    builder.repeat(rounds);
    forRing(traffic.rowStart, traffic.partner, task, (pair, to) => {
      const { count, bytes } = pairMessages(job, realAt(traffic.bytes, pair));
      builder.repeat(count);
      builder.send(to, bytes, 0);
      builder.end();
    });
    forRing(senders.rowStart, senders.partner, task, (pair, from) => {
      const { count, bytes } = pairMessages(job, realAt(senders.bytes, pair));
      builder.repeat(count);
      builder.receive(from, bytes, 0);
      builder.end();
    });
    builder.end();
  }
  return builder.finished(cancellation);
}

/** Calls back for the messages of a job, with how often each is sent. */
export type MessageList = (visit: (from: number, to: number, bytes: number, times: number) => void) => void;

/** What {@link workloadOfTraffic} sends, or {@link messagesAtRate}, without making it. O(pairs). */
export const sendsOfTraffic =
  (job: Job, isAtRate: boolean): MessageList =>
  (visit) => {
    const { taskCount, traffic } = job;
    const ofRate = Math.max(1, Math.round(job.messages ?? 1));
    for (let from = 0; from < taskCount; from++) {
      for (let pair = intAt(traffic.rowStart, from); pair < intAt(traffic.rowStart, from + 1); pair++) {
        const { rounds, count, bytes } = pairMessages(job, realAt(traffic.bytes, pair));
        const times = isAtRate ? ofRate : rounds * count;
        visit(from, intAt(traffic.partner, pair), isAtRate ? (rounds * count * bytes) / ofRate : bytes, times);
      }
    }
  };

/** The partners of a task but itself, the next higher number first and the next lower last. */
function forRing(
  rowStart: Int32Array,
  partner: Int32Array,
  task: number,
  visit: (pair: number, other: number) => void,
): void {
  const [start, end] = [intAt(rowStart, task), intAt(rowStart, task + 1)];
  let first = start;
  while (first < end && intAt(partner, first) <= task) first++;
  for (let step = 0; step < end - start; step++) {
    const pair = start + ((first - start + step) % (end - start));
    const other = intAt(partner, pair);
    if (other !== task && other >= 0) visit(pair, other);
  }
}

/** The transposed matrix: who sends to each task. O(pairs). */
function sendersOf({ taskCount, rowStart, partner, bytes }: Traffic): Traffic {
  const rows = new Int32Array(taskCount + 1);
  for (const to of partner) rows[to + 1] = intAt(rows, to + 1) + 1;
  for (let task = 0; task < taskCount; task++) rows[task + 1] = intAt(rows, task + 1) + intAt(rows, task);
  const next = rows.slice();
  const [senders, received] = [new Int32Array(partner.length), new Float64Array(partner.length)];
  for (let from = 0; from < taskCount; from++) {
    for (let pair = intAt(rowStart, from); pair < intAt(rowStart, from + 1); pair++) {
      const to = intAt(partner, pair);
      const place = intAt(next, to);
      next[to] = place + 1;
      senders[place] = from;
      received[place] = realAt(bytes, pair);
    }
  }
  return { taskCount, rowStart: rows, partner: senders, bytes: received };
}

/** Timed messages are held as they are: above this many they are refused. */
const mostTimedMessages = 2 ** 24;

/**
 * Messages of a job with a `rate`: each ordered pair sends its messages at random times of that rate (times the weight of the pair, as
 * the queueing model takes it), from the beginning on. Times between them are exponential, or those of a gamma distribution of another
 * coefficient of `variation`, or all the same at 0, where pairs begin anywhere in their first. Fails with `cancelled` too.
 * O(messages · log pairs).
 */
export function messagesAtRate(
  job: Job,
  seed: number,
  variation = 1,
  cancellation: Cancellation = neverCancelled,
): Result<TimedMessages> {
  const { name, taskCount, traffic, messages = 1, messageBytes, rate } = job;
  if (rate === undefined) {
    return fail(
      'no-times',
      `Job \`${name}\` has no send times. Add \`rate\`, use a trace with times, or write \`replay causal\`.`,
    );
  }
  const pairs = traffic.partner.length;
  const rounds = Math.max(1, Math.round(messages));
  if (pairs * rounds > mostTimedMessages) {
    return fail(
      'workload-too-large',
      `Job \`${name}\` sends ${(pairs * rounds).toLocaleString('en-US')} messages; the maximum is ${mostTimedMessages.toLocaleString('en-US')}. Reduce \`messages\`.`,
    );
  }
  const random = seededRandom(seed);
  const weightOf = (pair: number): number =>
    messageBytes === undefined ? 1 : realAt(traffic.bytes, pair) / messages / messageBytes;
  const shape = 1 / (variation * variation);
  const deviate = (): number =>
    variation === 1 ? -logarithm(1 - random.fraction()) : variation === 0 ? 1 : gammaDeviate(shape, random) / shape;
  const gap = (pair: number): number => deviate() / (rate * weightOf(pair));
  // The heap has the largest first: times are negative in it.
  const due = new Float64Array(pairs);
  const left = new Float64Array(pairs).fill(rounds);
  const heap = new IndexedHeap(due);
  const meter = new WorkMeter(cancellation);
  for (let pair = 0; pair < pairs; pair++) {
    if (meter.isCancelledAfter(workOfTime)) return cancelled();
    due[pair] = -gap(pair) * (variation === 0 ? random.fraction() : 1);
    heap.add(pair);
  }
  const from = new Int32Array(pairs);
  for (let task = 0; task < taskCount; task++)
    from.fill(task, intAt(traffic.rowStart, task), intAt(traffic.rowStart, task + 1));
  const total = pairs * rounds;
  const made = {
    times: new Float64Array(total),
    from: new Int32Array(total),
    to: new Int32Array(total),
    bytes: new Float64Array(total),
  };
  for (let message = 0; message < total; message++) {
    if (meter.isCancelledAfter(workOfTime)) return cancelled();
    const pair = heap.top;
    made.times[message] = -realAt(due, pair);
    made.from[message] = intAt(from, pair);
    made.to[message] = intAt(traffic.partner, pair);
    made.bytes[message] = Math.ceil(messageBytes ?? realAt(traffic.bytes, pair) / rounds);
    left[pair] = realAt(left, pair) - 1;
    if (realAt(left, pair) === 0) heap.remove(pair);
    else {
      due[pair] = realAt(due, pair) - gap(pair);
      heap.update(pair);
    }
  }
  return succeed({ taskCount, ...made });
}
