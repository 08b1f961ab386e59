import { fail, succeed, type Result } from '../model/result.ts';
import type { Traffic } from '../model/traffic.ts';

/** Above this many ordered pairs traffic is refused, with the limit in the message. */
export const pairLimit = 2 ** 26;

/** Above this total, bytes times hops on the largest machine would no longer be a finite number. */
export const largestTotal = Number.MAX_VALUE / 2 ** 24;

/** Ordered pairs as they come: any order, repeated ones; no self pairs and no zeros. */
export interface PairList {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly bytes: Float64Array;
  count: number;
}

/** Room for `bound` pairs. Fails with `too-many-pairs` before it allocates; `what` begins the sentence. */
export function createPairList(bound: number, what: string): Result<PairList> {
  if (bound > pairLimit) {
    return fail(
      'too-many-pairs',
      `${what} has up to ${bound.toLocaleString('en-US')} pairs of tasks that talk; ` +
        `at most ${pairLimit.toLocaleString('en-US')} are possible: use fewer tasks.`,
    );
  }
  const length = Math.max(0, bound);
  return succeed({
    from: new Int32Array(length),
    to: new Int32Array(length),
    bytes: new Float64Array(length),
    count: 0,
  });
}

/** Adds one pair; a self pair or an amount of 0 is dropped. */
export function addPair(list: PairList, from: number, to: number, bytes: number): void {
  if (from === to || bytes === 0) return;
  list.from[list.count] = from;
  list.to[list.count] = to;
  list.bytes[list.count++] = bytes;
}

/**
 * Compressed sparse rows of a list; bytes of repeated pairs add up in the order of the list.
 * Fails with `invalid-amount` on a negative or undefined amount and with `amounts-too-large`
 * where they do not add up to a usable number. O(pairs + tasks): two counting sorts.
 */
export function assembleTraffic(taskCount: number, list: PairList): Result<Traffic> {
  const refusal = refusalOfAmounts(list);
  if (refusal) return refusal;
  return succeed(isAscending(list) ? rowsOfAscending(taskCount, list) : rowsOfAny(taskCount, list));
}

function refusalOfAmounts({ bytes, count }: PairList): ReturnType<typeof fail> | undefined {
  let total = 0;
  for (let pair = 0; pair < count; pair++) {
    const amount = bytes[pair]!;
    if (!(amount >= 0)) return fail('invalid-amount', `Amounts of traffic are 0 or more, not ${amount}.`);
    total += amount;
  }
  if (total <= largestTotal) return undefined;
  return fail(
    'amounts-too-large',
    `The bytes of the traffic add up to ${total}; at most ${largestTotal.toPrecision(3)} can be worked with: ` +
      'use smaller amounts.',
  );
}

function isAscending({ from, to, count }: PairList): boolean {
  for (let pair = 1; pair < count; pair++) {
    const rowStep = from[pair]! - from[pair - 1]!;
    if (rowStep < 0 || (rowStep === 0 && to[pair]! <= to[pair - 1]!)) return false;
  }
  return true;
}

function rowsOfAscending(taskCount: number, { from, to, bytes, count }: PairList): Traffic {
  const rowStart = new Int32Array(taskCount + 1);
  for (let pair = 0; pair < count; pair++) rowStart[from[pair]! + 1]!++;
  for (let task = 0; task < taskCount; task++) rowStart[task + 1]! += rowStart[task]!;
  return { taskCount, rowStart, partner: to.slice(0, count), bytes: bytes.slice(0, count) };
}

function rowsOfAny(taskCount: number, list: PairList): Traffic {
  const inListOrder = Int32Array.from({ length: list.count }, (_, pair) => pair);
  const byReceiver = sortedBy(list.to, inListOrder, taskCount);
  const order = sortedBy(list.from, byReceiver, taskCount);
  return merged(taskCount, list, order);
}

/** A stable counting sort of pair numbers by a key below `keyCount`. */
function sortedBy(key: Int32Array, order: Int32Array, keyCount: number): Int32Array {
  const next = new Int32Array(keyCount + 1);
  for (const pair of order) next[key[pair]! + 1]!++;
  for (let value = 0; value < keyCount; value++) next[value + 1]! += next[value]!;
  const sorted = new Int32Array(order.length);
  for (const pair of order) sorted[next[key[pair]!]!++] = pair;
  return sorted;
}

/** Writes sorted pairs as rows, equal neighbours as one. */
function merged(taskCount: number, { from, to, bytes }: PairList, order: Int32Array): Traffic {
  const rowStart = new Int32Array(taskCount + 1);
  const partner = new Int32Array(order.length);
  const sums = new Float64Array(order.length);
  let count = 0;
  let previous = -1;
  for (const pair of order) {
    const repeats = previous >= 0 && from[pair] === from[previous] && to[pair] === to[previous];
    if (!repeats) {
      partner[count++] = to[pair]!;
      rowStart[from[pair]! + 1]!++;
    }
    sums[count - 1]! += bytes[pair]!;
    previous = pair;
  }
  for (let task = 0; task < taskCount; task++) rowStart[task + 1]! += rowStart[task]!;
  return { taskCount, rowStart, partner: partner.slice(0, count), bytes: sums.slice(0, count) };
}
