/** Lists of ordered pairs of tasks, and how they become rows of a sparse matrix: `assembleTraffic`. */
import { intAt, realAt } from '../numeric/elements.ts';
import { formatNumber } from '../model/quantities.ts';
import { inStretches, type Cancellation } from '../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import type { Traffic } from '../model/traffic.ts';
import { accumulated } from '../numeric/grouping.ts';

/** Above this many ordered pairs traffic is refused, with the limit in the message. */
export const pairLimit = 2 ** 26;

/** Above this total, bytes times hops on the largest machine would no longer be a finite number. */
export const largestTotal = Number.MAX_VALUE / 2 ** 24;

/** Ordered pairs as they come: any order, repeated pairs, self pairs and zeros among them. */
interface PairList {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly bytes: Float64Array;
  /** Pairs in use, from the start of the arrays. */
  count: number;
  /** The traffic may be made in the memory of this list, which then means nothing any more. */
  readonly mayBeUsedUp?: true;
}

/** Fails with `too-many-pairs` above the limit; `what` begins the sentence. */
export function checkPairCount(count: number, what: string): Result<void> {
  if (count <= pairLimit) return succeed(undefined);
  return fail(
    'too-many-pairs',
    `${what} has up to ${formatNumber(count)} communicating pairs; the maximum is ${formatNumber(pairLimit)}. Use fewer tasks.`,
  );
}

/** Pairs between two polls of the cancellation: well below a millisecond. */
const pairsPerPoll = 2 ** 16;

/** Room for `bound` pairs. Fails with `too-many-pairs` before it allocates; `what` begins the sentence. */
export function createPairList(bound: number, what: string): Result<PairList> {
  const checked = checkPairCount(bound, what);
  if (!checked.ok) return checked;
  const length = Math.max(0, bound);
  return succeed({
    from: new Int32Array(length),
    to: new Int32Array(length),
    bytes: new Float64Array(length),
    count: 0,
    mayBeUsedUp: true,
  });
}

/** Adds one pair, unless it is a self pair: patterns may name those beyond their bound. */
export function addPair(list: PairList, from: number, to: number, bytes: number): void {
  if (from === to) return;
  list.from[list.count] = from;
  list.to[list.count] = to;
  list.bytes[list.count++] = bytes;
}

/**
 * Compressed sparse rows of a list: self pairs and zeros are dropped, bytes of repeated pairs
 * add up in the order of the list. Fails with `invalid-amount` on an amount that is negative or
 * no number, and with `amounts-too-large` where they do not add up to a usable one.
 * O(pairs + tasks), and for each row that does not come in order its degree times its logarithm.
 */
export function assembleTraffic(taskCount: number, list: PairList, cancellation: Cancellation): Result<Traffic> {
  const refusal = refusalOfAmounts(list, cancellation);
  if (refusal) return refusal;
  const rows = rowsInPlace(taskCount, list, cancellation) ?? rowsInListOrder(taskCount, list, cancellation);
  const traffic = rows && withAscendingRows(rows, cancellation);
  return traffic === undefined ? cancelled() : succeed(traffic);
}

function refusalOfAmounts({ bytes, count }: PairList, cancellation: Cancellation): ReturnType<typeof fail> | undefined {
  let total = 0;
  for (let pair = 0; pair < count; pair++) {
    if (pair % pairsPerPoll === 0 && cancellation.isCancelled()) return cancelled();
    const amount = realAt(bytes, pair);
    if (!(amount >= 0)) return fail('invalid-amount', `Traffic amounts must be 0 or more, found ${amount}.`);
    total += amount;
  }
  if (total <= largestTotal) return undefined;
  return fail(
    'amounts-too-large',
    `Total traffic is ${total} bytes; the maximum is ${largestTotal.toPrecision(3)}. Use smaller amounts.`,
  );
}

/**
 * The rows of a list whose senders ascend, without self pairs and zeros, in the list's own memory: the
 * largest traffic there may be never stands in memory twice. Undefined where the list is another's or
 * not in that order, and if cancelled.
 */
function rowsInPlace(taskCount: number, list: PairList, cancellation: Cancellation): Traffic | undefined {
  const { from, to, bytes, count } = list;
  if (list.mayBeUsedUp !== true) return undefined;
  const rowStart = new Int32Array(taskCount + 1);
  for (let pair = 0; pair < count; pair++) {
    if (pair % pairsPerPoll === 0 && cancellation.isCancelled()) return undefined;
    if (pair > 0 && intAt(from, pair) < intAt(from, pair - 1)) return undefined;
    if (from[pair] === to[pair] || bytes[pair] === 0) return undefined;
    rowStart[intAt(from, pair) + 1] = intAt(rowStart, intAt(from, pair) + 1) + 1;
  }
  accumulated(rowStart);
  // A short list in a long room would keep the whole of it.
  if (count < 0.9 * to.length) return withoutRest({ taskCount, rowStart, partner: to, bytes }, count, cancellation);
  return { taskCount, rowStart, partner: to.subarray(0, count), bytes: bytes.subarray(0, count) };
}

/** Counting sort by sender; receivers stay in the order of the list. Undefined where cancelled. */
function rowsInListOrder(taskCount: number, list: PairList, cancellation: Cancellation): Traffic | undefined {
  const { from, to, bytes, count } = list;
  const rowStart = new Int32Array(taskCount + 1);
  const isKept = (pair: number): boolean => from[pair] !== to[pair] && bytes[pair] !== 0;
  for (let pair = 0; pair < count; pair++) {
    if (pair % pairsPerPoll === 0 && cancellation.isCancelled()) return undefined;
    if (isKept(pair)) rowStart[intAt(from, pair) + 1] = intAt(rowStart, intAt(from, pair) + 1) + 1;
  }
  accumulated(rowStart);
  const next = rowStart.slice(0, taskCount);
  const partner = new Int32Array(intAt(rowStart, taskCount));
  const sums = new Float64Array(intAt(rowStart, taskCount));
  for (let pair = 0; pair < count; pair++) {
    if (pair % pairsPerPoll === 0 && cancellation.isCancelled()) return undefined;
    if (!isKept(pair)) continue;
    const place = next[intAt(from, pair)]!++;
    partner[place] = intAt(to, pair);
    sums[place] = realAt(bytes, pair);
  }
  return { taskCount, rowStart, partner, bytes: sums };
}

/** Sorts the rows that need it and adds up their repeated partners, in place. Undefined where cancelled. */
function withAscendingRows(rows: Traffic, cancellation: Cancellation): Traffic | undefined {
  const { taskCount, rowStart, partner, bytes } = rows;
  const sums = new Float64Array(taskCount);
  let kept = 0;
  let nextPoll = 0;
  for (let task = 0; task < taskCount; task++) {
    const first = intAt(rowStart, task);
    const end = intAt(rowStart, task + 1);
    if (first >= nextPoll) {
      if (cancellation.isCancelled()) return undefined;
      nextPoll = first + pairsPerPoll;
    }
    rowStart[task] = kept;
    if (!ascends(partner, first, end)) {
      kept = mergePairRow(partner, bytes, first, end, kept, sums);
    } else {
      if (kept < first) {
        partner.copyWithin(kept, first, end);
        bytes.copyWithin(kept, first, end);
      }
      kept += end - first;
    }
  }
  rowStart[taskCount] = kept;
  if (kept === partner.length) return { taskCount, rowStart, partner, bytes };
  return withoutRest({ taskCount, rowStart, partner, bytes }, kept, cancellation);
}

/** The first `kept` pairs in memory of their own; undefined where cancelled. */
function withoutRest(
  { taskCount, rowStart, partner, bytes }: Traffic,
  kept: number,
  cancellation: Cancellation,
): Traffic | undefined {
  const copy = { taskCount, rowStart, partner: new Int32Array(kept), bytes: new Float64Array(kept) };
  const copied = inStretches(kept, cancellation, (begin, end) => {
    copy.partner.set(partner.subarray(begin, end), begin);
    copy.bytes.set(bytes.subarray(begin, end), begin);
  });
  return copied ? copy : undefined;
}

function ascends(partner: Int32Array, first: number, end: number): boolean {
  for (let pair = first + 1; pair < end; pair++) if (intAt(partner, pair) <= intAt(partner, pair - 1)) return false;
  return true;
}

/**
 * Writes the merged row from `kept` on, which lies at or before `first`; returns where it ends. `sums` is all 0 again.
 */
function mergePairRow(
  partner: Int32Array,
  bytes: Float64Array,
  first: number,
  end: number,
  kept: number,
  sums: Float64Array,
): number {
  let distinct = kept;
  for (let pair = first; pair < end; pair++) {
    const receiver = intAt(partner, pair);
    if (sums[receiver] === 0) partner[distinct++] = receiver;
    sums[receiver] = realAt(sums, receiver) + realAt(bytes, pair);
  }
  partner.subarray(kept, distinct).sort();
  for (let pair = kept; pair < distinct; pair++) {
    bytes[pair] = realAt(sums, intAt(partner, pair));
    sums[intAt(partner, pair)] = 0;
  }
  return distinct;
}
