import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { asLinkId, asNodeId, type NodeId, type LinkId } from '../../model/identifiers.ts';
import type { Flow, HotLink, PlacementReport, SuggestedImprovement } from '../../model/report.ts';
import { cancelledCode, fail, succeed, type Result } from '../../model/result.ts';
import { causesOf } from '../evaluate/causes.ts';
import { meanOfUsed } from '../evaluate/loads.ts';
import { busyTimes, relativeTimes } from '../../network/linkClasses.ts';
import { placeTasks, type PlacedTasks } from '../evaluate/placedTasks.ts';
import { hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import type { Traffic } from '../../model/traffic.ts';
import { endOfSlot, insideHopsOf } from '../../model/slots.ts';
import { visitNodeShares } from '../../network/links.ts';

/** Why a link carries what it does. */
interface LinkExplanation extends Pick<HotLink, 'link' | 'load' | 'timesMean'> {
  /** The heaviest flows over it, heaviest first, at most {@link explainedFlows}. */
  readonly flows: readonly RoutedFlow[];
  /** All ordered pairs that cross it. */
  readonly flowCount: number;
  readonly jobBytes: readonly number[];
  readonly improvements: readonly SuggestedImprovement[];
}

export interface RoutedFlow extends Flow {
  /** Of the link's load, 0 … 1. */
  readonly share: number;
  /** Everywhere that the flow goes. */
  readonly route: readonly LinkShare[];
}

/** Enough for what they are grouped by; who lists them shows fewer. */
export const explainedFlows = 400;

/**
 * What flows over a link of a placement, hot or not, and what would relieve it. Fails with
 * `no-such-link` for a link that the machine does not have, and if cancelled.
 * One pass over the pairs.
 */
export function explainLink(
  report: PlacementReport,
  link: number,
  cancellation: Cancellation,
): Result<LinkExplanation> {
  const { machine, linkLoads, hotLinks } = report;
  const load = linkLoads[link];
  if (load === undefined) return fail('no-such-link', `Machine ${machine.name} has no link ${link}.`);
  const id = asLinkId(link);
  const jobs = placeTasks(machine, report.jobs);
  const times = relativeTimes(machine);
  const loads = { linkLoads, hotLinks, ...(times && { times }) };
  const causes = causesOf(machine, jobs, loads, [id], explainedFlows, cancellation)?.[0];
  if (causes === undefined) return fail(cancelledCode, 'The explanation was cancelled.');
  const { flowCount, jobBytes = [], improvements } = causes;
  const flows = causes.flows.map((flow) => routed(report, jobs, flow, load));
  return succeed({
    link: id,
    load,
    timesMean: (load * (times?.[link] ?? 1)) / (meanOfUsed(busyTimes(linkLoads, times)) || 1),
    flows,
    flowCount,
    jobBytes,
    improvements,
  });
}

function routed({ machine }: PlacementReport, jobs: readonly PlacedTasks[], flow: Flow, load: number): RoutedFlow {
  const { end } = itemAt(jobs, flow.job);
  const route = routeShares(machine, intAt(end, flow.from), intAt(end, flow.to));
  return { ...flow, share: flow.bytes / load, route };
}

/** A task by the index of its job in the placement. */
interface TaskOfJob {
  readonly job: number;
  readonly task: number;
}

/** How one task is connected with another. */
interface TasksExplanation {
  readonly hops: number;
  /** What the first sends to the second; 0 for tasks of different jobs. */
  readonly bytes: number;
  readonly route: readonly LinkShare[];
}

/**
 * The route or routes from one task to another, whether they communicate or not. Fails with
 * `no-such-task` for one that the placement does not have.
 */
export function explainTasks(report: PlacementReport, from: TaskOfJob, to: TaskOfJob): Result<TasksExplanation> {
  const { machine } = report;
  const [slot, other] = [slotOf(report, from), slotOf(report, to)];
  if (slot === undefined || other === undefined) {
    const { job, task } = slot === undefined ? from : to;
    const name = report.jobs[job]?.job.name;
    const where = name === undefined ? `job ${job} of placement ${report.name}` : `job ${name}`;
    return fail('no-such-task', `Task ${task} does not exist in ${where}.`);
  }
  const traffic = itemAt(report.jobs, from.job).job.traffic;
  const [start, end] = [endOfSlot(machine, slot), endOfSlot(machine, other)];
  const inside = insideHopsOf(machine)?.(slot, other) ?? 0;
  return succeed({
    hops: hopsBetweenNodes(machine, start, end) + inside,
    bytes: from.job === to.job ? bytesBetween(traffic, from.task, to.task) : 0,
    route: routeShares(machine, start, end),
  });
}

/** With whom a node talks. */
interface NodeExplanation {
  /** The nodes that it exchanges most with, at most {@link explainedPartners}. */
  readonly partners: readonly NodePartner[];
  readonly partnerCount: number;
}

interface NodePartner {
  readonly node: NodeId;
  /** Bytes to it, and from it. */
  readonly sent: number;
  readonly received: number;
  /** Where its traffic goes, in both directions; shares of each direction's bytes. */
  readonly route: readonly LinkShare[];
}

/** More would hide each other in a picture. */
const explainedPartners = 50;

/** With which other nodes a node of a placement exchanges how much. Fails with `no-such-node`. One pass over the pairs. */
export function explainNode(report: PlacementReport, node: number): Result<NodeExplanation> {
  const { machine } = report;
  if (node >= machine.nodeCount) return fail('no-such-node', `Machine ${machine.name} has no node ${node}.`);
  const partners = new Map<number, { sent: Map<string, EndFlow>; received: Map<string, EndFlow> }>();
  const at = (other: number) => {
    const known = partners.get(other) ?? { sent: new Map<string, EndFlow>(), received: new Map<string, EndFlow>() };
    partners.set(other, known);
    return known;
  };
  const add = (flows: Map<string, EndFlow>, from: number, to: number, bytes: number): void => {
    const key = `${from} ${to}`;
    flows.set(key, { from, to, bytes: bytes + (flows.get(key)?.bytes ?? 0) });
  };
  for (const { node: nodes, end, placed } of placeTasks(machine, report.jobs)) {
    const { rowStart, partner, bytes } = placed.job.traffic;
    nodes.forEach((from, task) => {
      for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
        const other = intAt(partner, pair);
        const to = intAt(nodes, other);
        if (from === to) continue;
        const [start, target] = [intAt(end, task), intAt(end, other)];
        if (from === node) add(at(to).sent, start, target, realAt(bytes, pair));
        else if (to === node) add(at(from).received, start, target, realAt(bytes, pair));
      }
    });
  }
  const bytesOf = (flows: Iterable<EndFlow>): number => Array.from(flows).reduce((sum, { bytes }) => sum + bytes, 0);
  const heaviest = Array.from(partners, ([other, flows]) => {
    const [out, into] = [[...flows.sent.values()], [...flows.received.values()]];
    return { other, out, into, sent: bytesOf(out), received: bytesOf(into) };
  })
    .sort((one, two) => two.sent + two.received - one.sent - one.received || one.other - two.other)
    .slice(0, explainedPartners);
  return succeed({
    partnerCount: partners.size,
    partners: heaviest.map(({ other, sent, received, out, into }) => ({
      node: asNodeId(other),
      sent,
      received,
      route: [...(sent > 0 ? sharesOfFlows(machine, out) : []), ...(received > 0 ? sharesOfFlows(machine, into) : [])],
    })),
  });
}

const slotOf = ({ jobs }: PlacementReport, { job, task }: TaskOfJob): number | undefined => jobs[job]?.mapping[task];

/** O(partners of the sender). */
function bytesBetween({ rowStart, partner, bytes }: Traffic, from: number, to: number): number {
  const start = intAt(rowStart, from);
  const found = partner.subarray(start, rowStart[from + 1]).indexOf(to);
  return found < 0 ? 0 : realAt(bytes, start + found);
}

/** A share (0 … 1] of a flow on one directed link. */
interface LinkShare {
  readonly link: LinkId;
  readonly share: number;
}

/**
 * All links that a flow between two ends takes, each once with its share, host links included, in
 * the order in which the routing visits them. Empty within one node. O(links of the routes).
 */
const routeShares = (machine: Machine, from: number, to: number): readonly LinkShare[] =>
  sharesOfFlows(machine, [{ from, to, bytes: 1 }]);

/** Where a flow between two ends of messages goes. */
interface EndFlow {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** The same of several flows together: shares of the bytes of all of them. */
function sharesOfFlows(machine: Machine, flows: readonly EndFlow[]): readonly LinkShare[] {
  const total = flows.reduce((sum, { bytes }) => sum + bytes, 0);
  const shares = new Map<LinkId, number>();
  for (const { from, to, bytes } of flows) {
    visitNodeShares(machine, from, to, (link, share) => {
      shares.set(link, (shares.get(link) ?? 0) + share * (bytes / total));
    });
  }
  return Array.from(shares, ([link, share]) => ({ link, share }));
}
