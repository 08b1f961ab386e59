/**
 * What collective operations send in all, pair by pair, by the algorithms of `collectives.ts`: of one set of ranks, and of many
 * groups that are alike. The order of messages is left out; `traffic` is what a step sends.
 */
import type { CatalogueEntry, OptionValues } from '../../model/catalogue.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { taskLimit } from '../../model/job.ts';
import { cancelled, type Result } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { addPair, assembleTraffic, createPairList } from '../../traffic/pairs.ts';
import {
  chosenCollective,
  collectiveOperations,
  collectiveOption,
  type CollectiveEntry,
  type CollectiveOperation,
  evenCall,
} from './collectives.ts';

/** What the ranks of a group send each other: ranks 0 … size − 1, each pair once, in the order of the senders. */
export interface GroupTraffic {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly bytes: Float64Array;
}

/** Algorithms in which a rank has other partners than a few of a tree, a ring or a hypercube. */
const talkToAll: ReadonlySet<string> = new Set(['pairwise', 'flat', 'almost-simultaneous']);

/** Ordered pairs that an algorithm makes of a group, at most. */
export function mostPairs({ operation, name }: CollectiveEntry, size: number): number {
  const isDense = operation === 'all-to-all' || (talkToAll.has(name) && operation === 'reduce-scatter');
  // The halving of a size that is no power of two is pairwise.
  const falls = operation === 'reduce-scatter' && name === 'recursive-halving' && !Number.isInteger(Math.log2(size));
  return size * Math.min(size - 1, isDense || falls ? size : 2 * Math.ceil(Math.log2(Math.max(2, size))) + 2);
}

/**
 * What an operation sends in a group in which everybody gives `bytes`: of the vector that is broadcast or reduced, else of a part.
 * Undefined if cancelled. O(pairs), for algorithms that send to one partner again and again as well; see `sent`.
 */
export function groupTraffic(
  entry: CollectiveEntry,
  size: number,
  bytes: number,
  root: number,
  meter: WorkMeter,
): GroupTraffic | undefined {
  let [from, to, amounts] = [new Int32Array(4 * size), new Int32Array(4 * size), new Float64Array(4 * size)];
  let count = 0;
  /** By partner of the rank at hand: bytes, and its pair plus one. */
  const pairOf = new Int32Array(size);
  let rank = 0;
  let steps = 0;
  const send = (partner: number, sent: number): void => {
    steps++;
    const known = intAt(pairOf, partner) - 1;
    if (known >= 0 && from[known] === rank) {
      amounts[known] = realAt(amounts, known) + sent;
      return;
    }
    if (count === from.length) [from, to, amounts] = [twiceAsLong(from), twiceAsLong(to), twiceAsLong(amounts)];
    from[count] = rank;
    to[count] = partner;
    amounts[count++] = sent;
    pairOf[partner] = count;
  };
  const receive = (): void => undefined;
  for (; rank < size; rank++) {
    steps = 1;
    const call = evenCall(rank, size, bytes, root);
    if (entry.sent === undefined) entry.write(call, { send, receive });
    else entry.sent(call, send);
    if (meter.isCancelledAfter(steps)) return undefined;
  }
  return { from: from.subarray(0, count), to: to.subarray(0, count), bytes: amounts.subarray(0, count) };
}

function twiceAsLong<Values extends Int32Array | Float64Array>(values: Values): Values {
  const grown = new (values.constructor as new (length: number) => Values)(2 * values.length);
  grown.set(values);
  return grown;
}

/** What a job of one collective operation is asked for. */
export interface CollectiveRequest {
  readonly taskCount: number;
  /** All tasks where absent; in the order of their ranks in the group. */
  readonly ranks?: readonly number[];
  /** Of the vector that is broadcast or reduced, else of a part. */
  readonly bytes: number;
  /** How often it is done. */
  readonly times: number;
  readonly options: OptionValues;
}

/** An operation that a job may consist of, with its algorithms. */
export interface JobCollective extends CatalogueEntry {
  readonly operation: CollectiveOperation;
}

const rooted: ReadonlySet<CollectiveOperation> = new Set(['broadcast', 'reduce', 'gather', 'scatter']);

const meanings: Readonly<Partial<Record<CollectiveOperation, string>>> = {
  broadcast: 'sends `bytes` from one rank to all',
  reduce: 'combines `bytes` of all ranks at one rank',
  'all-reduce': 'combines `bytes` of all ranks, result at all ranks',
  gather: 'sends `bytes` of each rank to one',
  scatter: 'sends `bytes` for each rank from one',
  'all-gather': 'sends `bytes` of each rank to all',
  'reduce-scatter': 'combines vectors, `bytes` of the result at each rank',
  'all-to-all': 'sends `bytes` from each rank to each other rank',
  scan: 'combines `bytes` of each rank with those of lower ranks',
};

/** The operations that send something; a barrier has empty messages alone. */
export const jobCollectives: readonly JobCollective[] = collectiveOperations.flatMap((operation) => {
  const summary = meanings[operation];
  if (summary === undefined) return [];
  const root = {
    name: 'root',
    summary: 'root rank: position in the group',
    kind: 'integer',
    minimum: 0,
    maximum: taskLimit - 1,
    default: 0,
  } as const;
  return {
    name: operation,
    operation,
    summary,
    source: 'Thakur, Rabenseifner and Gropp 2005, and as its algorithm says',
    details:
      'Runs among all tasks, or those of a list: the position in the list is the rank. `messages` is the number of calls.',
    argument: {
      kind: 'integer-list',
      summary: 'participating tasks, in rank order',
      required: false,
    },
    options: [
      { ...collectiveOption(operation, undefined, 'algorithm'), summary: 'algorithm' },
      ...(rooted.has(operation) ? [root] : []),
    ],
  };
});

const algorithmOf = ({ operation }: JobCollective, options: OptionValues): CollectiveEntry =>
  chosenCollective(operation, { [operation]: options['algorithm'] ?? '' });

/** Ordered pairs of a job of one operation, at most. */
export const collectivePairBound = (entry: JobCollective, size: number, options: OptionValues): number =>
  mostPairs(algorithmOf(entry, options), size);

/**
 * The traffic of a job of one operation. Ranks are different tasks of the job, and the root is a position among them: the checker has
 * looked. Fails with `too-many-pairs`, `amounts-too-large`, and where cancelled. O(pairs + tasks).
 */
export function collectiveTraffic(
  entry: JobCollective,
  request: CollectiveRequest,
  cancellation: Cancellation,
): Result<Traffic> {
  const { taskCount, ranks, bytes, times, options } = request;
  const size = ranks?.length ?? taskCount;
  const algorithm = algorithmOf(entry, options);
  const list = createPairList(mostPairs(algorithm, size), `\`collective ${entry.name}\` of ${size} ranks`);
  if (!list.ok) return list;
  const group = groupTraffic(algorithm, size, bytes, Number(options['root'] ?? 0), new WorkMeter(cancellation));
  if (group === undefined) return cancelled();
  const members = ranks ?? Int32Array.from({ length: size }, (_, rank) => rank);
  for (let pair = 0; pair < group.from.length; pair++) {
    const [from, to] = [members[intAt(group.from, pair)] ?? 0, members[intAt(group.to, pair)] ?? 0];
    addPair(list.value, from, to, realAt(group.bytes, pair) * times);
  }
  return assembleTraffic(taskCount, list.value, cancellation);
}
