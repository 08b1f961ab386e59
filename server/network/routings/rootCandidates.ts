import type { Cancellation } from '../../model/cancellation.ts';
import type { Topology } from '../../model/machine.ts';
import { levelsFrom } from './routeGraph.ts';

/** Shares of the hosts: one distance has more than the first of them, no other distance more than the second. */
const nearlyAll = 0.9;
const negligible = 0.05;

/**
 * The switches at the top of a tree of switches, by the rule of OpenSM's up/down routing (`updn`, min-hop histograms):
 * a switch is a root where nearly all hosts are equally far from it and no second distance has more than a few of
 * them. Spines of a Clos are roots, its leaves are not; a network that is truly irregular has none. Switches with
 * hosts of their own are never taken: their hosts are nearer than the others. Ascending; none where it was cancelled.
 * O(switches without hosts · links).
 */
export function rootCandidates(topology: Topology, cancellation: Cancellation): readonly number[] {
  const hostsOf = new Int32Array(topology.routerCount);
  for (const router of topology.routerOfNode) hostsOf[router]! += 1;
  const hostCount = topology.routerOfNode.length;
  const candidates: number[] = [];
  for (let router = 0; router < topology.routerCount; router++) {
    if (cancellation.isCancelled()) return [];
    if (hostsOf[router] === 0 && seesHostsAlike(topology, router, hostsOf, hostCount)) candidates.push(router);
  }
  return candidates;
}

function seesHostsAlike(topology: Topology, router: number, hostsOf: Int32Array, hostCount: number): boolean {
  const hostsAt: number[] = [];
  levelsFrom(topology, router).forEach((level, other) => {
    hostsAt[level] = (hostsAt[level] ?? 0) + hostsOf[other]!;
  });
  const common = hostsAt.filter((hosts) => hosts > negligible * hostCount);
  return common.length === 1 && common[0]! > nearlyAll * hostCount;
}
