import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { Job } from '../model/job.ts';

/** Soryani et al. 2013, section 4.1: jobs are mapped class by class, large messages first. */
const sizeClasses = ['large', 'medium', 'small'] as const;
type SizeClass = (typeof sizeClasses)[number];

/** 1 MB and 2 kB of the paper, whose kB are 1,024 bytes. Large from the one on, small up to the other. */
export const largeFrom = 2 ** 20;
export const smallUpTo = 2 ** 11;

export const sizeClassOf = (bytes: number): SizeClass =>
  bytes >= largeFrom ? 'large' : bytes <= smallUpTo ? 'small' : 'medium';

/** Messages per second to each partner where a job gives no rate: jobs are then ranked by their bytes. */
const assumedRate = 1;

/** Pairs between two polls of the cancellation. */
const pairsPerPoll = 2 ** 18;

/** How a job sends its traffic. */
export interface JobMessages {
  /** Of the largest message: "the largest message length is considered for action". */
  readonly sizeClass: SizeClass;
  readonly largestBytes: number;
  /** Mean over all messages that are sent in a second, in bytes. */
  readonly meanBytes: number;
  /** λ_avg: mean over the pairs of tasks that talk, messages per second. */
  readonly meanRate: number;
  /** ADJ_avg: partners that a task sends to, on average. */
  readonly adjacency: number;
  /** Equation 13 for each pair of the traffic, in its order; bytes per second. */
  readonly pairDemand: Float64Array;
  /** Communication demand of each task: what it sends to all its partners. */
  readonly demand: Float64Array;
}

/** What a message of a pair of tasks has, in bytes, and how many of them there are in a second; by position in the traffic. */
export interface PairRates {
  readonly bytesOf: (pair: number) => number;
  readonly rateOf: (pair: number) => number;
}

/**
 * Of a job without a program a pair that carries `weight` messages at a time sends `weight · rate` a second. A program says how
 * many messages a pair has, of which the mean counts; without a rate they go in the time in which the busiest task could send
 * all of its own.
 */
export function pairRatesOf({ traffic: { bytes }, messages = 1, rate, messageBytes, program }: Job): PairRates {
  if (program !== undefined) {
    const { counts, seconds } = program;
    return {
      bytesOf: (pair) => realAt(bytes, pair) / realAt(counts, pair),
      rateOf: (pair) => rate ?? realAt(counts, pair) / seconds,
    };
  }
  const times = rate ?? assumedRate;
  const atATime = (pair: number): number => realAt(bytes, pair) / messages;
  if (messageBytes === undefined) return { bytesOf: atATime, rateOf: () => times };
  return { bytesOf: () => messageBytes, rateOf: (pair) => (atATime(pair) / messageBytes) * times };
}

/** Whether it is known how often messages are sent, or only assumed. */
export const isRateKnown = ({ rate, program }: Job): boolean => rate !== undefined || program !== undefined;

/**
 * Sizes and rates of a job's messages. Where the traffic was given in messages (`bytes`), a pair
 * that carries `weight` of them at a time sends `weight · rate` a second; where a table gives bytes,
 * an amount is one message, sent `rate` times a second; a program says its messages itself. `variation` is the coefficient of
 * variation of the times between messages. Undefined if cancelled. O(pairs + tasks).
 */
export function jobMessages(job: Job, variation: number, cancellation: Cancellation): JobMessages | undefined {
  const { taskCount, program } = job;
  const { rowStart, bytes } = job.traffic;
  const { bytesOf, rateOf } = pairRatesOf(job);
  const pairDemand = new Float64Array(bytes.length);
  let largestBytes = program?.largestBytes ?? 0;
  let rates = 0;
  let bytesPerSecond = 0;
  for (let pair = 0; pair < bytes.length; pair++) {
    if (pair % pairsPerPoll === 0 && cancellation.isCancelled()) return undefined;
    const [size, rate] = [bytesOf(pair), rateOf(pair)];
    largestBytes = Math.max(largestBytes, size);
    rates += rate;
    pairDemand[pair] = size * rate;
    bytesPerSecond += size * rate;
  }
  const sizeClass = sizeClassOf(largestBytes);
  const growth = 1 + demandGrowth(sizeClass, variation);
  for (let pair = 0; pair < pairDemand.length; pair++) pairDemand[pair] = realAt(pairDemand, pair) * growth;
  return {
    sizeClass,
    largestBytes,
    meanBytes: rates === 0 ? 0 : bytesPerSecond / rates,
    meanRate: bytes.length === 0 ? 0 : rates / bytes.length,
    adjacency: bytes.length / taskCount,
    pairDemand,
    demand: sparseRowSums(rowStart, pairDemand),
  };
}

/** f(CV)/100 of equation 13; the variation of small messages is ignored (rule 2). O(1). */
export function demandGrowth(sizeClass: SizeClass, variation: number): number {
  switch (sizeClass) {
    case 'large':
      return (0.85 * variation * variation + 0.01 * variation) / 100;
    case 'medium':
      return (0.12 * variation * variation) / 100;
    case 'small':
      return 0;
  }
}

function sparseRowSums(rowStart: Int32Array, values: Float64Array): Float64Array {
  const sums = new Float64Array(rowStart.length - 1);
  for (let row = 0; row < sums.length; row++) {
    for (let entry = intAt(rowStart, row); entry < intAt(rowStart, row + 1); entry++)
      sums[row] = realAt(sums, row) + realAt(values, entry);
  }
  return sums;
}

/** What the jobs of a workload make of each other (rule 6 of Soryani et al. 2013). */
export interface Contention {
  /** WL_ADJ_avg: mean of the jobs' adjacencies; jobs of small messages do not count. 0 where no job counts. */
  readonly meanAdjacency: number;
  /** Every task has partners beyond its node, whatever is done: no threshold is set. */
  readonly severe: boolean;
}

/**
 * Compares the integer part of WL_ADJ_avg with the cores of a node: the paper takes 16.49 for not
 * severe on 16 cores. One job alone has no other to get in the way of, however many partners its
 * tasks have: the paper, which compares all the same, only looks at workloads of several. O(jobs).
 */
export function contentionOf(jobs: readonly JobMessages[], coresPerNode: number): Contention {
  const counted = jobs.filter(({ sizeClass }) => sizeClass !== 'small');
  const sum = counted.reduce((total, { adjacency }) => total + adjacency, 0);
  const meanAdjacency = counted.length === 0 ? 0 : sum / counted.length;
  return { meanAdjacency, severe: jobs.length > 1 && Math.floor(meanAdjacency) > coresPerNode };
}

/**
 * Positions of the jobs in the order in which they are mapped: large messages before medium before
 * small, then the higher adjacency, then the higher demand, then as given. O(jobs · tasks).
 */
export function mappingOrder(jobs: readonly JobMessages[]): readonly number[] {
  const demands = jobs.map(({ demand }) => demand.reduce((sum, value) => sum + value, 0));
  const rank = ({ sizeClass }: JobMessages) => sizeClasses.indexOf(sizeClass);
  return [...jobs.keys()].sort((a, b) => {
    const [one, other] = [itemAt(jobs, a), itemAt(jobs, b)];
    return (
      rank(one) - rank(other) || other.adjacency - one.adjacency || itemAt(demands, b) - itemAt(demands, a) || a - b
    );
  });
}
