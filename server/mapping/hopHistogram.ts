import { intAt, realAt } from '../numeric/elements.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { RouterId } from '../model/identifiers.ts';
import { hostHops, type Machine } from '../model/machine.ts';
import type { Mapping } from '../model/placement.ts';
import type { Traffic } from '../model/traffic.ts';
import { nodesOfSlots } from '../model/slots.ts';

/**
 * How far the pairs of tasks are apart, counted by hops. All sums over pairs come from it:
 * pairs are whole numbers, so means and variances lose nothing to the order of summation.
 */
export interface HopHistogram {
  /** Ordered pairs with traffic at h hops, indexed by h. */
  pairs: Float64Array;
  /** Their bytes. */
  bytes: Float64Array;
  /** Bytes of the pairs that share a node; part of `bytes[0]`. */
  bytesWithinNodes: number;
}

export const emptyHistogram = (): HopHistogram => ({
  pairs: new Float64Array(64),
  bytes: new Float64Array(64),
  bytesWithinNodes: 0,
});

/** Pairs between two polls of the cancellation. */
const pollEvery = 1 << 16;

/**
 * Adds the pairs of one mapped job to `profile`; false if cancelled. O(pairs) calls of `routing.hops`.
 */
export function addToHistogram(
  profile: HopHistogram,
  machine: Machine,
  traffic: Traffic,
  mapping: Mapping,
  cancellation: Cancellation,
): boolean {
  const { rowStart, partner, bytes } = traffic;
  const { routing } = machine;
  const { routerOfNode } = machine.topology;
  const apart = hostHops(machine);
  const node = nodesOfSlots(machine, mapping);
  const router = node.map((id) => intAt(routerOfNode, id));
  let nextPoll = 0;
  for (let task = 0; task < traffic.taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    if (end > nextPoll) {
      if (cancellation.isCancelled()) return false;
      nextPoll = end + pollEvery;
    }
    const ownNode = intAt(node, task);
    const ownRouter = intAt(router, task) as RouterId;
    for (let pair = intAt(rowStart, task); pair < end; pair++) {
      const other = intAt(partner, pair);
      const amount = realAt(bytes, pair);
      if (node[other] === ownNode) {
        profile.pairs[0]! += 1;
        profile.bytes[0]! += amount;
        profile.bytesWithinNodes += amount;
        continue;
      }
      const hops = routing.hops(ownRouter, intAt(router, other) as RouterId) + apart;
      if (hops >= profile.pairs.length) growProfile(profile, hops);
      profile.pairs[hops]! += 1;
      profile.bytes[hops]! += amount;
    }
  }
  return true;
}

function growProfile(profile: HopHistogram, hops: number): void {
  const pairs = new Float64Array(2 * hops);
  const bytes = new Float64Array(2 * hops);
  pairs.set(profile.pairs);
  bytes.set(profile.bytes);
  profile.pairs = pairs;
  profile.bytes = bytes;
}

/** Σ w · hops. */
export function hopBytesOf(profile: HopHistogram): number {
  let sum = 0;
  for (let hops = 1; hops < profile.bytes.length; hops++) sum += hops * realAt(profile.bytes, hops);
  return sum;
}
