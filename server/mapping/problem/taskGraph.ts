import { type Cancellation, neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import type { Traffic } from '../../model/traffic.ts';

/**
 * Who talks to whom, whichever way: an undirected graph in compressed sparse rows. Every edge
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
 * Both orders of the entries are merged row by row, without sorting. Looks at the flag every some thousand pairs, and
 * stops there: a graph whose making was cancelled means nothing. O(pairs).
 */
export function taskGraphOf(traffic: Traffic, cancellation: Cancellation = neverCancelled): TaskGraph {
  const { taskCount } = traffic;
  const backwards = transposed(traffic, cancellation);
  const work = new WorkMeter(cancellation);
  const rowStart = new Int32Array(taskCount + 1);
  const unfinished = { taskCount, rowStart, partner: new Int32Array(0), weight: new Float64Array(0) };
  if (cancellation.isCancelled()) return unfinished;
  for (let task = 0; task < taskCount; task++) {
    const edges = mergeRow(traffic, backwards, task, ignoreEdge);
    rowStart[task + 1] = rowStart[task]! + edges;
    if (work.isCancelledAfter(edges + 1)) return unfinished;
  }
  const partner = new Int32Array(rowStart[taskCount]!);
  const weight = new Float64Array(partner.length);
  let edge = 0;
  const store: TakeEdge = (other, bytes) => {
    partner[edge] = other;
    weight[edge++] = bytes;
  };
  for (let task = 0; task < taskCount; task++) {
    if (work.isCancelledAfter(mergeRow(traffic, backwards, task, store) + 1)) return unfinished;
  }
  return { taskCount, rowStart, partner, weight };
}

type TakeEdge = (other: number, bytes: number) => void;
const ignoreEdge: TakeEdge = () => undefined;

/**
 * Columns as rows, senders by receiver; partners ascend as they do in the rows of `traffic`. Looks at the flag as
 * {@link taskGraphOf} does. O(pairs).
 */
export function transposed(
  { taskCount, rowStart, partner, bytes }: Traffic,
  cancellation: Cancellation = neverCancelled,
): Traffic {
  const work = new WorkMeter(cancellation);
  const start = new Int32Array(taskCount + 1);
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) start[partner[pair]! + 1]! += 1;
    if (work.isCancelledAfter(rowStart[task + 1]! - rowStart[task]! + 1)) break;
  }
  for (let task = 0; task < taskCount; task++) start[task + 1]! += start[task]!;
  const next = start.slice(0, taskCount);
  const from = new Int32Array(partner.length);
  const amount = new Float64Array(partner.length);
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
      const place = next[partner[pair]!]!++;
      from[place] = task;
      amount[place] = bytes[pair]!;
    }
    if (work.isCancelledAfter(rowStart[task + 1]! - rowStart[task]! + 1)) break;
  }
  return { taskCount, rowStart: start, partner: from, bytes: amount };
}

/** Calls `take` for each partner of `task` in ascending order; returns how many there are. */
function mergeRow(forwards: Traffic, backwards: Traffic, task: number, take: TakeEdge): number {
  let ahead = forwards.rowStart[task]!;
  let back = backwards.rowStart[task]!;
  const aheadEnd = forwards.rowStart[task + 1]!;
  const backEnd = backwards.rowStart[task + 1]!;
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
