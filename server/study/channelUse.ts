/**
 * How long the channels of a network are busy by what they carry alone, known without a simulation and shown beside it: `channelUseOf`.
 * Channels are those of `simulation/contract.ts`, so that what leaves a node and comes to it counts where these are no links of the machine, too.
 */
import type { Cancellation } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { PlacementReport } from '../model/report.ts';
import { hasLinksOfNodes } from '../model/machine.ts';
import { relativeTimes } from '../network/linkClasses.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { tellsOfNodes } from '../simulation/engines.ts';
import { nodeLoadsOf } from './evaluate/loads.ts';
import { placeTasks } from './evaluate/placedTasks.ts';

/** Bytes of a flit where a network does not say. */
const usualFlit = 4;

export interface ChannelUse {
  /** By channel, in cycles; only of those that the engine of the network tells of. */
  readonly busy: Float64Array;
  /** Cycles of what is busiest: a channel, or a node that sends a flit a cycle over several links. */
  readonly longest: number;
}

/** Undefined of servers, of which link loads predict nothing, and where it was cancelled. O(links), and O(pairs) where nodes have no links. */
export function channelUseOf(
  { machine, jobs, linkLoads }: Pick<PlacementReport, 'machine' | 'jobs' | 'linkLoads'>,
  model: NetworkModel,
  cancellation: Cancellation,
): ChannelUse | undefined {
  if (model.switching === 'queueing') return undefined;
  const { routerLinkCount } = machine.topology.links;
  const { flit = usualFlit } = model;
  const times = relativeTimes(machine);
  // Links that hold nothing up take a cycle.
  const cyclesOf = (loads: Float64Array): Float64Array =>
    loads.map((bytes, link) => (bytes / flit) * (times?.[link] || 1));
  const isTold = tellsOfNodes(model, machine);
  if (hasLinksOfNodes(machine.topology) || machine.rails !== undefined) {
    const all = cyclesOf(linkLoads);
    return { busy: isTold ? all : all.subarray(0, routerLinkCount), longest: longestOf(all) };
  }
  const nodes = nodeLoadsOf(machine, placeTasks(machine, jobs, cancellation), cancellation);
  if (nodes === undefined) return undefined;
  const links = cyclesOf(linkLoads.subarray(0, routerLinkCount));
  const ends = nodes.map((bytes) => bytes / flit);
  if (!isTold) return { busy: links, longest: Math.max(longestOf(links), longestEnd(machine, model, ends)) };
  const busy = new Float64Array(routerLinkCount + ends.length);
  busy.set(links);
  busy.set(ends, routerLinkCount);
  return { busy, longest: longestOf(busy) };
}

const longestOf = (busy: Float64Array): number => busy.reduce((most, cycles) => Math.max(most, cycles), 0);

/** Where nodes are part of their routers each sends a flit a cycle. Flits for all nodes of a router leave it one a cycle with `ejection single`. */
function longestEnd({ topology, nodeCount }: Machine, { ejection }: NetworkModel, ends: Float64Array): number {
  const leaving = new Float64Array(topology.routerCount);
  let longest = 0;
  for (let node = 0; node < nodeCount; node++) {
    const router = intAt(topology.routerOfNode, node);
    leaving[router] = realAt(leaving, router) + realAt(ends, 2 * node + 1);
    longest = Math.max(longest, realAt(ends, 2 * node));
  }
  return ejection === 'single' ? Math.max(longest, longestOf(leaving)) : longest;
}
