import { intAt, realAt } from '../numeric/elements.ts';
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { eachRouterPair, evenBytesOverRouters } from '../traffic/evenTraffic.ts';
import type { Mapping } from '../model/placement.ts';
import type { Traffic } from '../model/traffic.ts';
import type { MappingProblem } from './contract.ts';
import { asAddressId, type AddressId } from '../model/identifiers.ts';
import { hostHops, receiverOf, senderOf, type Machine } from '../model/machine.ts';
import { endsOfSlots, insideHopsOf, nodesOfSlots } from '../model/slots.ts';

/**
 * How far the pairs of tasks are apart, counted by hops. All sums over pairs come from it:
 * pairs are whole numbers, so means and variances lose nothing to the order of summation. Where packets of a pair travel different
 * numbers of hops, so large a part of the pair counts at each as travels so far.
 */
export interface HopHistogram {
  /** Ordered pairs with traffic at h hops, indexed by h. */
  pairs: Float64Array;
  /** Their bytes. */
  bytes: Float64Array;
  /** Bytes of all pairs, however they travel. */
  totalBytes: number;
  /** Bytes of the pairs that share a node; part of `bytes[0]`. */
  bytesWithinNodes: number;
  /** Where distances inside nodes count; absent until a pair was added there. */
  inside?: InsideSums;
}

/** What the insides of nodes add to the hops of pairs, and sums over pairs of the hops with that: exact, since these are dyadic. */
interface InsideSums {
  hops: number;
  hopBytes: number;
  /** Of the hops of pairs with what their nodes add. */
  squares: number;
  maximum: number;
}

export const emptyHistogram = (): HopHistogram => ({
  pairs: new Float64Array(64),
  bytes: new Float64Array(64),
  totalBytes: 0,
  bytesWithinNodes: 0,
});

/** Pairs between two polls of the cancellation. */
const pairsPerPoll = 1 << 16;

/**
 * Adds the pairs of one mapped job to `histogram`; false if cancelled. O(pairs) calls of `routing.hops`, or of `hopShares`.
 */
export function addToHistogram(
  histogram: HopHistogram,
  machine: Machine,
  traffic: Traffic,
  mapping: Mapping,
  cancellation: Cancellation,
): boolean {
  const { rowStart, partner, bytes } = traffic;
  const { routing } = machine;
  const apart = hostHops(machine);
  const node = nodesOfSlots(machine, mapping);
  const ends = endsOfSlots(machine, mapping);
  const sender = ends.map((id) => senderOf(machine, id));
  const receiver = routing.byNode === undefined ? sender : ends.map((id) => receiverOf(machine, id));
  const insideHops = insideHopsOf(machine);
  const inside = insideHops && (histogram.inside ??= { hops: 0, hopBytes: 0, squares: 0, maximum: 0 });
  const addInside = (hops: number, added: number, share: number): void => {
    if (inside === undefined) return;
    inside.squares += share * (hops + added) ** 2;
    inside.maximum = Math.max(inside.maximum, hops + added);
  };
  const countBetween = (from: AddressId, to: AddressId, pairs: number, amount: number, added = 0): void => {
    if (routing.hopShares === undefined) {
      const hops = routing.hops(from, to) + apart;
      count(histogram, hops, pairs, amount);
      addInside(hops, added, pairs);
      return;
    }
    routing.hopShares(from, to, (hops, share) => {
      count(histogram, hops + apart, pairs * share, amount * share);
      addInside(hops + apart, added, pairs * share);
    });
  };
  const even = insideHops === undefined ? evenBytesOverRouters(machine, traffic) : undefined;
  if (even !== undefined) return addEvenPairs(histogram, node, sender, even, countBetween, cancellation);
  let nextPoll = 0;
  for (let task = 0; task < traffic.taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    if (end > nextPoll) {
      if (cancellation.isCancelled()) return false;
      nextPoll = end + pairsPerPoll;
    }
    const ownNode = intAt(node, task);
    const own = asAddressId(intAt(sender, task));
    for (let pair = intAt(rowStart, task); pair < end; pair++) {
      const other = intAt(partner, pair);
      const amount = realAt(bytes, pair);
      histogram.totalBytes += amount;
      const added = insideHops === undefined ? 0 : insideHops(intAt(mapping, task), intAt(mapping, other));
      if (inside !== undefined) {
        inside.hops += added;
        inside.hopBytes += added * amount;
      }
      if (node[other] === ownNode) {
        count(histogram, 0, 1, amount);
        histogram.bytesWithinNodes += amount;
        addInside(0, added, 1);
        continue;
      }
      countBetween(own, asAddressId(intAt(receiver, other)), 1, amount, added);
    }
  }
  return true;
}

/** The same where every task sends every other `bytes`, router by router. O(tasks + routers²) calls of `countBetween`. */
function addEvenPairs(
  histogram: HopHistogram,
  node: Int32Array,
  router: Int32Array,
  bytes: number,
  countBetween: (from: AddressId, to: AddressId, pairs: number, amount: number) => void,
  cancellation: Cancellation,
): boolean {
  const meter = new WorkMeter(cancellation);
  let isCancelled = false;
  const within = eachRouterPair(node, router, (from, to, pairs) => {
    countBetween(asAddressId(from), asAddressId(to), pairs, pairs * bytes);
    isCancelled = meter.isCancelledAfter(1);
    return !isCancelled;
  });
  count(histogram, 0, within, within * bytes);
  histogram.bytesWithinNodes += within * bytes;
  histogram.totalBytes += node.length * (node.length - 1) * bytes;
  return !isCancelled;
}

function count(histogram: HopHistogram, hops: number, pairs: number, bytes: number): void {
  if (hops >= histogram.pairs.length) growHistogram(histogram, hops);
  histogram.pairs[hops] = realAt(histogram.pairs, hops) + pairs;
  histogram.bytes[hops] = realAt(histogram.bytes, hops) + bytes;
}

function growHistogram(histogram: HopHistogram, hops: number): void {
  const pairs = new Float64Array(2 * hops);
  const bytes = new Float64Array(2 * hops);
  pairs.set(histogram.pairs);
  bytes.set(histogram.bytes);
  histogram.pairs = pairs;
  histogram.bytes = bytes;
}

/** Σ w · hops, with what the insides of nodes add where that counts. */
export const hopBytesOf = (histogram: HopHistogram): number =>
  networkHopBytesOf(histogram) + (histogram.inside?.hopBytes ?? 0);

/** Σ w · hops of links. */
export function networkHopBytesOf(histogram: HopHistogram): number {
  let sum = 0;
  for (let hops = 1; hops < histogram.bytes.length; hops++) sum += hops * realAt(histogram.bytes, hops);
  return sum;
}

/**
 * Hops of all ordered pairs that communicate, together: the average hops of Bunde et al. 2014 (section
 * 4.5) times a constant. Every pair counts once, however many bytes it sends. Undefined if cancelled.
 * O(pairs).
 */
export function totalHops(
  { machine, job }: MappingProblem,
  mapping: Mapping,
  cancellation: Cancellation,
): number | undefined {
  const histogram = emptyHistogram();
  if (!addToHistogram(histogram, machine, job.traffic, mapping, cancellation)) return undefined;
  return histogram.pairs.reduce((sum, pairs, hops) => sum + pairs * hops, histogram.inside?.hops ?? 0);
}

/** Average hops as messages write them: `1.25`. */
export function writtenAverage(total: number, { partner }: Traffic): string {
  return partner.length === 0 ? '0' : String(Number((total / partner.length).toFixed(3)));
}
