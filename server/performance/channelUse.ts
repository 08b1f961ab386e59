/**
 * How long the channels of a network are busy by what they carry alone, known without a simulation and shown beside it: `channelUseOf`. What they carry are
 * packets as wholes, and headers of worms (`loadsOfPackets`). What a simulation measured of them: `busiestChannels`, `nodeThroughput`.
 * Channels are those of `simulation/contract.ts`, so that what leaves a node and comes to it counts where these are no links of the machine, too.
 */
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { PlacementReport } from '../model/report.ts';
import { hasLinksOfNodes } from '../model/machine.ts';
import { relativeTimes } from '../network/linkClasses.ts';
import { byteAt, intAt, realAt } from '../numeric/elements.ts';
import type { Traffic } from '../model/traffic.ts';
import { operationKind, type TimedMessages, type Workload } from '../model/workload.ts';
import { packetsInModel, tellsOfNodes } from '../simulation/engines.ts';
import type { SimulatedJob } from '../simulation/replay.ts';
import type { SimulationResult } from '../simulation/simulationResult.ts';
import { workloadTraffic } from '../simulation/workloads/programs.ts';
import { addPair, assembleTraffic, createPairList } from '../traffic/pairs.ts';
import { linkLoadsOf, nodeLoadsOf } from '../study/evaluate/loads.ts';
import { placeTasks } from '../study/evaluate/placedTasks.ts';

/** Bytes of a flit where a network does not say. */
const usualFlit = 4;

export interface ChannelUse {
  /** By channel, in cycles; only of those that the engine of the network tells of. */
  readonly busy: Float64Array;
  /** Cycles of what is busiest: a channel, or a node that sends a flit a cycle over several links. */
  readonly longest: number;
}

/** The jobs of a placement with what they send, and the loads of links that it makes. */
type PlacedLoads = Pick<PlacementReport, 'machine' | 'jobs' | 'linkLoads'>;

/**
 * What links carry of the messages of a simulation, in bytes: a packet as a whole, however little is in it. The report itself where that is the
 * same, and of servers, which have no packets. Undefined where it was cancelled. O(operations), and the time of loads.
 */
export function loadsOfPackets(
  report: PlacedLoads,
  simulated: readonly SimulatedJob[],
  model: NetworkModel,
  cancellation: Cancellation,
): PlacedLoads | undefined {
  if (model.switching === 'queueing') return report;
  const { flit = usualFlit } = model;
  const bytesOf = (bytes: number): number => {
    const { packets, flits } = packetsInModel(model, bytes);
    return packets * flits * flit;
  };
  const traffics = simulated.map((job) =>
    job.kind === 'causal'
      ? trafficOfProgram(job.workload, bytesOf, cancellation)
      : trafficAtTimes(job.messages, bytesOf, cancellation),
  );
  if (cancellation.isCancelled()) return undefined;
  if (traffics.every((traffic) => traffic === undefined)) return report;
  const jobs = report.jobs.map((placed, index) => {
    const traffic = traffics[index];
    return traffic === undefined ? placed : { ...placed, job: { ...placed.job, traffic } };
  });
  const { machine } = report;
  const linkLoads = linkLoadsOf(machine, placeTasks(machine, jobs, cancellation), cancellation);
  return linkLoads && { machine, jobs, linkLoads };
}

/** Undefined where all messages are as long as they were, and of no use where it was cancelled. */
function trafficOfProgram(
  workload: Workload,
  bytesOf: (bytes: number) => number,
  cancellation: Cancellation,
): Traffic | undefined {
  const { kinds, amounts } = workload;
  const carried = Float64Array.from(amounts);
  const meter = new WorkMeter(cancellation);
  let isLonger = false;
  for (let at = 0; at < carried.length && !meter.isCancelledAfter(1); at++) {
    if (byteAt(kinds, at) !== operationKind.send) continue;
    const bytes = bytesOf(realAt(amounts, at));
    isLonger ||= bytes !== amounts[at];
    carried[at] = bytes;
  }
  return isLonger ? workloadTraffic({ ...workload, amounts: carried }, cancellation) : undefined;
}

/** The same of messages at given times; undefined as well where there are too many pairs. */
function trafficAtTimes(
  { taskCount, from, to, bytes }: TimedMessages,
  bytesOf: (bytes: number) => number,
  cancellation: Cancellation,
): Traffic | undefined {
  const list = createPairList(bytes.length, 'The messages');
  if (!list.ok) return undefined;
  const meter = new WorkMeter(cancellation);
  for (let message = 0; message < bytes.length && !meter.isCancelledAfter(1); message++)
    addPair(list.value, intAt(from, message), intAt(to, message), bytesOf(realAt(bytes, message)));
  const traffic = assembleTraffic(taskCount, list.value, cancellation);
  return traffic.ok ? traffic.value : undefined;
}

/** Undefined of servers, of which link loads predict nothing, and where it was cancelled. O(links), and O(pairs) where nodes have no links. */
export function channelUseOf(
  { machine, jobs, linkLoads }: PlacedLoads,
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

/** Flits that arrived at a node in a cycle, over the whole run. */
export function nodeThroughput({ overTime, cycles }: SimulationResult, nodeCount: number): number {
  const flits = overTime.traffic.reduce((sum, perCycle) => sum + perCycle, 0) * overTime.step;
  return cycles === 0 ? 0 : flits / cycles / nodeCount;
}

interface BusyChannel {
  readonly channel: number;
  /** Share of the time. */
  readonly utilisation: number;
}

/** Channels that something crossed, the busiest first. O(channels · log channels). */
export function busiestChannels({ links, cycles }: SimulationResult): readonly BusyChannel[] {
  return [...links.busy.entries()]
    .filter(([, busy]) => busy > 0)
    .sort(([first, one], [second, other]) => other - one || first - second)
    .map(([channel, busy]) => ({ channel, utilisation: busy / Math.max(1, cycles) }));
}
