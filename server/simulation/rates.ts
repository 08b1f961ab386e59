/**
 * Traffic without jobs, at a rate, over any network of messages: what latency and throughput figures of networks are drawn from
 * (Dally and Towles 2004, chapter 23). Each end begins a message in a cycle with one probability, whatever the others do (Bernoulli); a
 * message that finds no room waits at its node, and its latency counts from the cycle in which it began.
 *
 * Samples follow one another after a warm-up: means over each, so that whoever asks can tell how sure they are. A rate that the
 * network cannot carry is found: less arrives than is sent, or more waits than memory should hold.
 */
import type { Cancellation } from '../model/cancellation.ts';
import type { RandomSource } from '../model/random.ts';
import type { Result } from '../model/result.ts';
import { succeed, cancelled } from '../model/result.ts';
import type { Traffic } from '../model/traffic.ts';
import { logarithm } from '../numeric/elementary.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import type { Deadlock, MessageNetwork, MessageObserver } from './messages.ts';

/** Where a message of an end goes: another end, −1 where it sends nothing. */
export type Destination = (from: number, random: RandomSource) => number;

/** Any other end, all alike. */
export const uniformDestination =
  (ends: number): Destination =>
  (from, random) =>
    (from + 1 + random.integer(ends - 1)) % ends;

/** The receivers of a task, by their bytes: task t is end t. O(log partners) each. */
export function trafficDestination({ rowStart, partner, bytes }: Traffic): Destination {
  const sums = new Float64Array(bytes.length + 1);
  for (let pair = 0; pair < bytes.length; pair++) sums[pair + 1] = realAt(sums, pair) + realAt(bytes, pair);
  return (from, random) => {
    const [first, end] = [intAt(rowStart, from), intAt(rowStart, from + 1)];
    if (first === end) return -1;
    const value = realAt(sums, first) + random.fraction() * (realAt(sums, end) - realAt(sums, first));
    let [low, high] = [first, end - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (realAt(sums, middle + 1) > value) high = middle;
      else low = middle + 1;
    }
    return intAt(partner, low);
  };
}

export interface RateTraffic {
  /** Ends that send: NodeIds or SlotIds from 0 on, as the network's `endpoints` say. */
  readonly ends: number;
  readonly destination: Destination;
  /** Bytes of a message; messages of an end in a cycle, 0 … 1, on average. */
  readonly bytes: number;
  readonly messagesPerCycle: number;
}

export interface RateSampling {
  /** Cycles before the first sample, cycles of a sample, and how many of them at most. */
  readonly warmUp: number;
  readonly sample: number;
  readonly samples: number;
  /** Asked after each sample: whether there are enough. */
  readonly isEnough?: (samples: RateSamples) => boolean;
}

/** One value per sample. */
export interface RateSamples {
  /** Mean cycles from the beginning of a message to its arrival, of those that arrived in the sample; NaN where none did. */
  readonly latency: readonly number[];
  /** Flits that arrived per end and cycle. */
  readonly throughput: readonly number[];
  /** Flits of messages that began per end and cycle, had all of them been of one length. */
  readonly offered: readonly number[];
  /** Messages under way before the first sample and after each one: one value more than samples. */
  readonly waiting: readonly number[];
}

export interface RateResult extends RateSamples {
  /** `saturated`: the network does not carry the rate; its latency grows for as long as it is measured. */
  readonly end: 'measured' | 'saturated' | 'deadlock';
  readonly deadlock: Deadlock | undefined;
  /** Cycles that were simulated. */
  readonly cycles: number;
}

/**
 * Less than this share of what begins arrives while samples are taken: the rate is above saturation. In short samples that may be
 * chance: messages under way at their end are more or fewer than at their beginning, by a deviation that is about the
 * square root of twice their mean number, which Little's law gives. So it counts from so many of these deviations on.
 */
const carriedShare = 0.95;
const deviationsOfChance = 4;
/** So many messages of an end wait on average: the rest is not simulated. */
const mostWaiting = 256;
/** Messages that begin between two polls of the cancellation; the network looks by itself beside. */
const messagesPerPoll = 256;

/**
 * Runs a network at one rate. `make` builds it, empty, with the observer that counts. Fails with what `make` fails with and
 * where cancelled. Memory grows with messages under way, of which there are at most {@link mostWaiting} an end.
 */
export function measureRate(
  make: (observer: MessageObserver) => Result<MessageNetwork>,
  traffic: RateTraffic,
  sampling: RateSampling,
  random: RandomSource,
  cancellation: Cancellation,
): Result<RateResult> {
  const run = new RateRun(traffic, random);
  const network = make(run.observer);
  if (!network.ok) return network;
  const { warmUp, sample, samples, isEnough } = sampling;
  const measured: Readonly<Record<keyof RateSamples, number[]>> = {
    latency: [],
    throughput: [],
    offered: [],
    waiting: [],
  };
  const result = (end: RateResult['end']): Result<RateResult> =>
    succeed({ ...measured, end, deadlock: network.value.deadlock, cycles: network.value.now + 1 });
  let why = run.advance(network.value, warmUp - 1, cancellation);
  measured.waiting.push(network.value.messagesUnderWay);
  for (let taken = 0; why === 'reached' && taken < samples; taken++) {
    run.beginSample();
    why = run.advance(network.value, warmUp - 1 + (taken + 1) * sample, cancellation);
    if (why !== 'reached') break;
    measured.latency.push(run.meanLatency);
    measured.throughput.push(run.arrivedFlits / sample / traffic.ends);
    measured.offered.push((run.begun * run.flitsOfMessage) / sample / traffic.ends);
    measured.waiting.push(network.value.messagesUnderWay);
    if (isEnough?.(measured) === true) break;
  }
  if (why === 'cancelled') return cancelled();
  if (why !== 'reached') return result(why);
  return result(isCarried(measured, traffic.ends / run.flitsOfMessage, sample) ? 'measured' : 'saturated');
}

/** `messagesPerFlit`: messages of all ends together for a flit of each end. */
function isCarried(samples: RateSamples, messagesPerFlit: number, sample: number): boolean {
  const { latency, throughput, offered, waiting } = samples;
  if (isGrowing(waiting)) return false;
  if (totalOf(throughput) >= carriedShare * totalOf(offered)) return true;
  // NaN where nothing arrived.
  const underWay = throughput.map((flits, index) => (latency[index] || 0) * flits * messagesPerFlit);
  const missing = (totalOf(offered) - totalOf(throughput)) * messagesPerFlit * sample;
  return missing <= deviationsOfChance * Math.sqrt(2 * Math.max(1, totalOf(underWay) / underWay.length));
}

/**
 * Messages under way, in thirds of the time: they grow from each third to the next by a quarter of the whole growth or more, and by so many
 * deviations of their number in all. This is what shows where few links are saturated: most traffic arrives then, and the messages for these
 * links pile up. On an 8 × 8 mesh with `transpose`, 10 samples of 1,000 cycles and four seeds, it finds 0.16 flits of a node and cycle each time and
 * 0.14 never (the bound is 1/7); on others, see the tests.
 */
const deviationsOfGrowth = 8;
const leastGrowingSamples = 5;

function isGrowing(waiting: readonly number[]): boolean {
  if (waiting.length < leastGrowingSamples) return false;
  const third = Math.floor(waiting.length / 3);
  const [first = 0, second = 0, last = 0] = [
    waiting.slice(0, third),
    waiting.slice(third, -third),
    waiting.slice(-third),
  ].map((part) => totalOf(part) / part.length);
  const growth = last - first;
  if (Math.min(second - first, last - second) < growth / 4) return false;
  return growth > deviationsOfGrowth * Math.sqrt(2 * Math.max(1, first));
}

const totalOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

class RateRun {
  /** Of the sample under way: flits that arrived, messages that began. */
  arrivedFlits = 0;
  begun = 0;
  /** Flits of a message, of its packets together: known when the first one has arrived. */
  flitsOfMessage = 0;
  readonly observer: MessageObserver;
  readonly #traffic: RateTraffic;
  readonly #random: RandomSource;
  #untilPoll = messagesPerPoll;
  /** The next message begins in cycle ⌊next / ends⌋ at end `next mod ends`. */
  #next = -1;
  /** Cycle in which each message began, by its number. */
  readonly #began: number[] = [];
  #latencies = 0;
  #arrivals = 0;
  /** Flits and messages that have arrived since the beginning. */
  #allFlits = 0;
  #allArrivals = 0;

  constructor(traffic: RateTraffic, random: RandomSource) {
    this.#traffic = traffic;
    this.#random = random;
    this.observer = {
      tellsSent: false,
      delivered: (_message, _created, _arrived, _hops, flits) => {
        this.arrivedFlits += flits;
        this.#allFlits += flits;
      },
    };
    this.#skip();
  }

  get meanLatency(): number {
    return this.#latencies / this.#arrivals;
  }

  beginSample(): void {
    this.arrivedFlits = this.begun = this.#latencies = this.#arrivals = 0;
  }

  /** To the end of a cycle; `saturated` where too much waits. */
  advance(
    network: MessageNetwork,
    to: number,
    cancellation: Cancellation,
  ): 'reached' | 'saturated' | 'deadlock' | 'cancelled' {
    const { ends } = this.#traffic;
    while (network.now < to) {
      const begins = Math.floor(this.#next / ends);
      if (begins === network.now + 1) {
        this.#begin(network);
        if (network.messagesUnderWay > mostWaiting * ends) return 'saturated';
        if (this.#untilPoll-- === 0) {
          this.#untilPoll = messagesPerPoll;
          if (cancellation.isCancelled()) return 'cancelled';
        }
        continue;
      }
      const why = network.advance(Math.min(to, begins - 1), cancellation);
      if (why === 'deadlock' || why === 'cancelled') return why;
      for (const message of network.arrived) {
        this.#latencies += network.now - (this.#began[message] ?? 0);
        this.#arrivals++;
        this.#allArrivals++;
      }
      this.flitsOfMessage = this.#allArrivals === 0 ? 0 : this.#allFlits / this.#allArrivals;
    }
    return 'reached';
  }

  #begin(network: MessageNetwork): void {
    const { ends, destination, bytes } = this.#traffic;
    const from = this.#next % ends;
    const to = destination(from, this.#random);
    this.#skip();
    if (to < 0 || to === from) return;
    this.#began[network.send(from, to, bytes)] = network.now + 1;
    this.begun++;
  }

  /** How many ends and cycles go by without a message is a geometric deviate. */
  #skip(): void {
    const { messagesPerCycle } = this.#traffic;
    if (messagesPerCycle >= 1) this.#next++;
    else if (messagesPerCycle <= 0) this.#next = Infinity;
    else this.#next += 1 + Math.floor(logarithm(1 - this.#random.fraction()) / logarithm(1 - messagesPerCycle));
  }
}
