import { intAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import type { Traffic } from '../../model/traffic.ts';
import { accumulated } from '../../numeric/grouping.ts';

/**
 * Which tasks communicate, in either direction: an undirected graph in compressed sparse rows. Every edge
 * stands in the rows of both its ends with w(i, j) + w(j, i). All cost matrices of machines are
 * symmetric, so a sum over the ordered pairs of the traffic is a sum over these edges, each once.
 */
export interface TaskGraph {
  readonly taskCount: number;
  /** Length taskCount + 1. */
  readonly rowStart: Int32Array;
  /** TaskId of the other end, ascending within a row; length 2 · edges. */
  readonly partner: Int32Array;
  /** Bytes both ways together, > 0. */
  readonly weight: Float64Array;
}

/**
 * Both orders of the entries are merged row by row, without sorting. Polls the cancellation every some thousand pairs,
 * and stops there: a graph whose making was cancelled means nothing. O(pairs).
 */
export function taskGraphOf(traffic: Traffic, cancellation: Cancellation = neverCancelled): TaskGraph {
  const { taskCount } = traffic;
  const backwards = transposed(traffic, cancellation);
  const work = new WorkMeter(cancellation);
  const rowStart = new Int32Array(taskCount + 1);
  const unfinished = { taskCount, rowStart, partner: new Int32Array(0), weight: new Float64Array(0) };
  if (cancellation.isCancelled()) return unfinished;
  for (let task = 0; task < taskCount; task++) {
    const edges = mergeEdgeRow(traffic, backwards, task, ignoreEdge);
    rowStart[task + 1] = intAt(rowStart, task) + edges;
    if (work.isCancelledAfter(edges + 1)) return unfinished;
  }
  const partner = new Int32Array(intAt(rowStart, taskCount));
  const weight = new Float64Array(partner.length);
  let edge = 0;
  const store: TakeEdge = (other, bytes) => {
    partner[edge] = other;
    weight[edge++] = bytes;
  };
  for (let task = 0; task < taskCount; task++) {
    if (work.isCancelledAfter(mergeEdgeRow(traffic, backwards, task, store) + 1)) return unfinished;
  }
  return { taskCount, rowStart, partner, weight };
}

type TakeEdge = (other: number, bytes: number) => void;
const ignoreEdge: TakeEdge = () => undefined;

/**
 * Columns as rows, senders by receiver; partners ascend as they do in the rows of `traffic`. Polls the cancellation as
 * {@link taskGraphOf} does. O(pairs).
 */
export function transposed(
  { taskCount, rowStart, partner, bytes }: Traffic,
  cancellation: Cancellation = neverCancelled,
): Traffic {
  const work = new WorkMeter(cancellation);
  const start = new Int32Array(taskCount + 1);
  for (let task = 0; task < taskCount; task++) {
    for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++)
      start[intAt(partner, pair) + 1]! += 1;
    if (work.isCancelledAfter(intAt(rowStart, task + 1) - intAt(rowStart, task) + 1)) break;
  }
  accumulated(start);
  const next = start.slice(0, taskCount);
  const from = new Int32Array(partner.length);
  const amount = new Float64Array(partner.length);
  for (let task = 0; task < taskCount; task++) {
    for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
      const place = next[intAt(partner, pair)]!++;
      from[place] = task;
      amount[place] = realAt(bytes, pair);
    }
    if (work.isCancelledAfter(intAt(rowStart, task + 1) - intAt(rowStart, task) + 1)) break;
  }
  return { taskCount, rowStart: start, partner: from, bytes: amount };
}

/** Calls `take` for each partner of `task` in ascending order; returns how many there are. */
function mergeEdgeRow(forwards: Traffic, backwards: Traffic, task: number, take: TakeEdge): number {
  let ahead = intAt(forwards.rowStart, task);
  let back = intAt(backwards.rowStart, task);
  const aheadEnd = intAt(forwards.rowStart, task + 1);
  const backEnd = intAt(backwards.rowStart, task + 1);
  let count = 0;
  while (ahead < aheadEnd || back < backEnd) {
    const sent = ahead < aheadEnd ? forwards.partner[ahead]! : Infinity;
    const received = back < backEnd ? backwards.partner[back]! : Infinity;
    let bytes = 0;
    if (sent <= received) bytes += forwards.bytes[ahead++]!;
    if (received <= sent) bytes += backwards.bytes[back++]!;
    take(Math.min(sent, received), bytes);
    count++;
  }
  return count;
}

/**
 * Sums of weight · cost stay at most this: doubles hold whole numbers up to 2^53, and two bits are
 * left for what kernels add up on their way to a difference of two sums.
 */
export const largestSum = 2 ** 51;

interface WholeAmounts {
  readonly amounts: Float64Array;
  /** Bytes of one unit, a power of two. */
  readonly unit: number;
}

/**
 * Whole amounts, for costs up to `largestCost` > 0 each, so that sums of amount · cost are exact in whatever order they
 * are added. Whole bytes keep the unit 1, and halves, quarters, … are scaled up, wherever that leaves all sums at
 * `largestSum` or below. Otherwise (amounts of very different sizes, fractions as 0.1 that binary numbers never meet,
 * or more than 2^51 bytes · cost in all) the finest unit that does is taken and amounts are rounded to it, to one unit
 * at least: then what a search minimises differs from what the report sums by less than 2^-50 of the whole per amount.
 * The report is not made of these amounts. Polls the cancellation every some thousand amounts; once it is cancelled the
 * answer means nothing. O(amounts).
 */
export function wholeAmounts(
  amounts: Float64Array,
  largestCost: number,
  cancellation: Cancellation = neverCancelled,
): WholeAmounts {
  let total = 0;
  forParts(amounts, cancellation, (part) => {
    for (const amount of part) total += amount;
  });
  const coarsest = powerNotBelow((total / largestSum) * largestCost);
  let unit = 1;
  forParts(amounts, cancellation, (part) => {
    unit = exactUnit(part, unit, coarsest);
  });
  unit = Math.max(coarsest, unit);
  const whole = new Float64Array(amounts.length);
  forParts(amounts, cancellation, (part, start) => {
    for (let index = 0; index < part.length; index++) {
      whole[start + index] = Math.max(1, Math.round(realAt(part, index) / unit));
    }
  });
  return { amounts: whole, unit };
}

/** Amounts between two polls of the cancellation. */
const partLength = 2 ** 15;

function forParts(
  amounts: Float64Array,
  cancellation: Cancellation,
  visit: (part: Float64Array, start: number) => void,
): void {
  for (let start = 0; start < amounts.length; start += partLength) {
    if (cancellation.isCancelled()) return;
    visit(amounts.subarray(start, start + partLength), start);
  }
}

/** The graph with whole weights. Every edge stands in two rows and costs once. */
export function wholeWeights(
  graph: TaskGraph,
  largestCost: number,
  cancellation: Cancellation = neverCancelled,
): { graph: TaskGraph; weightUnit: number } {
  const { amounts, unit } = wholeAmounts(graph.weight, Math.max(1, largestCost) / 2, cancellation);
  return { graph: { ...graph, weight: amounts }, weightUnit: unit };
}

/** The largest power of two, at most `coarsest`, of which all amounts are multiples; stops at `finest`. */
function exactUnit(amounts: Float64Array, coarsest: number, finest: number): number {
  let unit = coarsest;
  for (const amount of amounts) {
    while (unit > finest && !Number.isInteger(amount / unit)) unit /= 2;
  }
  return unit;
}

/** The least power of two that is not below `bound`; 0 for 0. */
function powerNotBelow(bound: number): number {
  if (bound === 0) return 0;
  const power = 2 ** Math.ceil(Math.log2(bound));
  // The logarithm is rounded, so it may be one off where `bound` is all but a power itself.
  return power < bound ? 2 * power : power;
}
