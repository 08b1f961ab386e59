import { intAt, realAt } from '../numeric/elements.ts';
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { eachRouterPair, evenBytesOverRouters } from '../traffic/evenTraffic.ts';
import type { Mapping } from '../model/placement.ts';
import type { Traffic } from '../model/traffic.ts';
import type { MappingProblem } from './contract.ts';
import { asAddressId, type AddressId } from '../model/identifiers.ts';
import { hopDistances } from '../network/distances/hops.ts';
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
  /**
   * Pairs by their hops, where these need not be whole numbers: with what the insides of nodes add, and on several rails the mean over
   * the rails.
   */
  ofPairs?: Map<number, number>;
}

/** What the insides of nodes add to the hops of pairs. */
interface InsideSums {
  hops: number;
  hopBytes: number;
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
  const node = nodesOfSlots(machine, mapping, cancellation);
  const ends = endsOfSlots(machine, mapping, node);
  const sender = nodeAddresses(ends, (id) => senderOf(machine, id), cancellation);
  const receiver =
    routing.byNode === undefined ? sender : nodeAddresses(ends, (id) => receiverOf(machine, id), cancellation);
  if (sender === undefined || receiver === undefined) return false;
  const insideHops = insideHopsOf(machine);
  const inside = insideHops && (histogram.inside ??= { hops: 0, hopBytes: 0 });
  const { countBetween, addPairs } = pairCounter(histogram, machine, inside !== undefined);
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
        countPairs(histogram, 0, 1, amount);
        histogram.bytesWithinNodes += amount;
        addPairs(added, 1);
        continue;
      }
      countBetween(own, asAddressId(intAt(receiver, other)), 1, amount, added);
    }
  }
  return true;
}

/** Counts pairs of tasks in different nodes, and pairs by their own hops where these are no whole numbers. */
function pairCounter(histogram: HopHistogram, machine: Machine, countsInside: boolean) {
  const { routing } = machine;
  const apart = hostHops(machine);
  const hasRails = machine.rails !== undefined;
  const ofPairs = countsInside || hasRails ? (histogram.ofPairs ??= new Map<number, number>()) : undefined;
  const addPairs = (hops: number, pairs: number): void => {
    ofPairs?.set(hops, pairs + (ofPairs.get(hops) ?? 0));
  };
  const countBetween = (from: AddressId, to: AddressId, pairs: number, amount: number, added = 0): void => {
    if (routing.hopShares === undefined) {
      const hops = routing.hops(from, to) + apart;
      countPairs(histogram, hops, pairs, amount);
      addPairs(hops + added, pairs);
      return;
    }
    if (hasRails) addPairs(routing.hops(from, to) + apart + added, pairs);
    routing.hopShares(from, to, (hops, share) => {
      countPairs(histogram, hops + apart, pairs * share, amount * share);
      if (!hasRails) addPairs(hops + apart + added, pairs * share);
    });
  };
  return { countBetween, addPairs };
}

/** Of each end of tasks its address; undefined if cancelled. Neighbours are mostly on one node. O(ends). */
export function nodeAddresses(
  ends: Int32Array,
  addressOf: (end: number) => AddressId,
  cancellation: Cancellation,
): Int32Array | undefined {
  const meter = new WorkMeter(cancellation);
  const addresses = new Int32Array(ends.length);
  for (let index = 0; index < ends.length; index++) {
    const end = intAt(ends, index);
    addresses[index] = index > 0 && end === ends[index - 1] ? intAt(addresses, index - 1) : addressOf(end);
    if (meter.isCancelledAfter(1)) return undefined;
  }
  return addresses;
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
  countPairs(histogram, 0, within, within * bytes);
  histogram.bytesWithinNodes += within * bytes;
  histogram.totalBytes += node.length * (node.length - 1) * bytes;
  return !isCancelled;
}

function countPairs(histogram: HopHistogram, hops: number, pairs: number, bytes: number): void {
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
 * O(pairs), quicker where neighbours in `order`, which has all tasks, are on one node.
 */
export function totalHops(
  { machine, job }: MappingProblem,
  mapping: Mapping,
  cancellation: Cancellation,
  order?: Int32Array,
): number | undefined {
  if (order !== undefined && hasPlainHops(machine) && evenBytesOverRouters(machine, job.traffic) === undefined)
    return plainHops(machine, job.traffic, mapping, order, cancellation);
  const histogram = emptyHistogram();
  if (!addToHistogram(histogram, machine, job.traffic, mapping, cancellation)) return undefined;
  return histogram.pairs.reduce((sum, pairs, hops) => sum + pairs * hops, histogram.inside?.hops ?? 0);
}

/** Whether the hops of a pair follow from the routers of its nodes alone. */
const hasPlainHops = ({ routing, rails, inside }: Machine): boolean =>
  routing.hopShares === undefined &&
  routing.byNode === undefined &&
  rails === undefined &&
  inside.distances === undefined;

/** Partners of a task whose last hops are remembered. */
const rememberedPartners = 32;

/**
 * The tasks of a node have their k-th partners on few nodes: hops to the k-th partner are those of the task before as long as both nodes are.
 */
function plainHops(
  machine: Machine,
  { rowStart, partner }: Traffic,
  mapping: Mapping,
  order: Int32Array,
  cancellation: Cancellation,
): number | undefined {
  const { routing, topology } = machine;
  const apart = hostHops(machine);
  const node = nodesOfSlots(machine, mapping, cancellation);
  if (cancellation.isCancelled()) return undefined;
  const lastFrom = new Int32Array(rememberedPartners).fill(-1);
  const lastTo = new Int32Array(rememberedPartners).fill(-1);
  const lastHops = new Float64Array(rememberedPartners);
  const meter = new WorkMeter(cancellation);
  let total = 0;
  for (let index = 0; index < order.length; index++) {
    const task = intAt(order, index);
    const from = intAt(node, task);
    const first = intAt(rowStart, task);
    const end = intAt(rowStart, task + 1);
    if (meter.isCancelledAfter(1 + end - first)) return undefined;
    for (let pair = first; pair < end; pair++) {
      const to = intAt(node, intAt(partner, pair));
      if (to === from) continue;
      const place = (pair - first) % rememberedPartners;
      if (from !== intAt(lastFrom, place) || to !== intAt(lastTo, place)) {
        lastFrom[place] = from;
        lastTo[place] = to;
        const [start, target] = [intAt(topology.routerOfNode, from), intAt(topology.routerOfNode, to)];
        lastHops[place] = routing.hops(asAddressId(start), asAddressId(target)) + apart;
      }
      total += realAt(lastHops, place);
    }
  }
  return total;
}

/** Average hops as messages write them: `1.25`. */
export function writtenAverage(total: number, { partner }: Traffic): string {
  return partner.length === 0 ? '0' : String(Number((total / partner.length).toFixed(3)));
}

/**
 * Whether hops are those of coordinates on a grid, and keep the triangle inequality: where routing takes the fewest links there are, and no
 * PCI bus is longer than a way round.
 */
export const hopsAreMetric = (machine: Machine): boolean =>
  machine.inside.distances === undefined && 'grid' in hopDistances(machine);
