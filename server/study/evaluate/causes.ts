/** Why hot links are hot: the heaviest flows over them, what each job puts on them, and what would help. */
import { leastOf } from '../../model/lists.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { inStretches, type Cancellation } from '../../model/cancellation.ts';
import type { LinkId, TaskId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { flowsPerHotLink, type HotLink, type Flow } from '../../model/report.ts';
import { linkUsesOf, type LinkUse } from './linkUse.ts';
import { linkLoadsOf } from './loads.ts';
import { type PlacedTasks, Occupancy } from './placedTasks.ts';
import { suggestImprovements } from './suggestedImprovements.ts';
import type { Loads } from './changedLoads.ts';

/** Why a link is loaded, and what would help. */
type Causes = Pick<HotLink, 'flows' | 'flowCount' | 'improvements' | 'jobBytes'> & { readonly flowCount: number };

/**
 * The heaviest flows over each of `links`, at most `flowLimit`, what each job puts on them, and
 * what would relieve them, in the order of `links`; undefined if cancelled.
 */
export function causesOf(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  loads: Loads,
  links: readonly LinkId[],
  flowLimit: number,
  cancellation: Cancellation,
): readonly Causes[] | undefined {
  if (links.length === 0) return [];
  const uses = linkUsesOf(machine, links);
  const gathered = flowsOver(uses, jobs, flowLimit, cancellation);
  if (gathered === undefined) return undefined;
  const jobBytes = bytesOfJobs(machine, jobs, loads.linkLoads, links, cancellation);
  if (jobBytes === undefined) return undefined;
  const examined = gathered.map(({ flows }, index) => ({
    use: itemAt(uses, index),
    load: realAt(loads.linkLoads, itemAt(links, index)),
    time: loads.times === undefined ? 1 : realAt(loads.times, itemAt(links, index)),
    flows: flows.slice(0, flowsPerHotLink),
  }));
  const improvements = suggestImprovements(new Occupancy(machine, jobs, cancellation), loads, examined, cancellation);
  if (improvements === undefined) return undefined;
  return gathered.map((flows, index) => ({
    ...flows,
    jobBytes: itemAt(jobBytes, index),
    improvements: itemAt(improvements, index),
  }));
}

/** Bytes of each job over each link, by link. With several jobs the loads of each are worked out by themselves. */
function bytesOfJobs(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  linkLoads: Float64Array,
  links: readonly LinkId[],
  cancellation: Cancellation,
): readonly (readonly number[])[] | undefined {
  if (jobs.length === 1) return links.map((link) => [realAt(linkLoads, link)]);
  const bytes = links.map((): number[] => []);
  for (const job of jobs) {
    const loads = linkLoadsOf(machine, [job], cancellation);
    if (loads === undefined) return undefined;
    for (const [index, link] of links.entries()) itemAt(bytes, index).push(realAt(loads, link));
  }
  return bytes;
}

/** What flows over one link. */
interface LinkFlows {
  /** Heaviest first; equal ones in order of job, sender, receiver. */
  readonly flows: readonly Flow[];
  /** All ordered pairs that cross the link. */
  readonly flowCount: number;
}

/** A link whose flows are gathered. */
interface Gathering {
  readonly use: LinkUse;
  readonly flows: Flow[];
  count: number;
  /** Bytes of the last flow kept once there are as many as may be; before that 0. */
  threshold: number;
}

/**
 * The heaviest flows over each link, at most `limit`, and how many there are, in the order of
 * `uses`; undefined if cancelled. One pass over the pairs, or where the shares of more
 * receivers are asked for than a link's use remembers, one for each part of the receivers. A sender
 * that cannot reach a link is passed over with all its pairs. O((tasks · links + pairs of senders
 * that can) · passes) and the time of the shares.
 */
export function flowsOver(
  uses: readonly LinkUse[],
  jobs: readonly PlacedTasks[],
  limit: number,
  cancellation: Cancellation,
): readonly LinkFlows[] | undefined {
  const gatherings = uses.map((use): Gathering => ({ use, flows: [], count: 0, threshold: 0 }));
  if (gatherings.length > 0) {
    let last = 0;
    for (const { router } of jobs)
      inStretches(router.length, cancellation, (begin, end) => {
        for (let task = begin; task < end; task++) last = Math.max(last, intAt(router, task));
      });
    const atATime = leastOf(uses.map(({ receiversAtATime }) => receiversAtATime));
    for (let first = 0; first <= last; first += atATime) {
      const receivers = { first, end: first + atATime };
      for (const job of jobs) if (!gatherJobFlows(gatherings, job, receivers, limit, cancellation)) return undefined;
    }
  }
  return gatherings.map(({ flows, count }) => ({ flows, flowCount: count }));
}

/** Routers `first … end − 1`: pairs that they receive are gathered in one pass. */
interface Receivers {
  readonly first: number;
  readonly end: number;
}

function gatherJobFlows(
  gatherings: readonly Gathering[],
  job: PlacedTasks,
  receivers: Receivers,
  limit: number,
  cancellation: Cancellation,
): boolean {
  const { rowStart, taskCount } = job.placed.job.traffic;
  for (let task = 0; task < taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return false;
    if (rowStart[task] === rowStart[task + 1]) continue;
    for (const gathering of gatherings) {
      const { use } = gathering;
      if (!use.takesFrom(intAt(job.end, task))) continue;
      // The shares of a whole row may take as long as many rows without them.
      if (use.receiversAtATime < Infinity && cancellation.isCancelled()) return false;
      gatherFrom(task, gathering, job, receivers, limit);
    }
  }
  return true;
}

/** What one task sends over one link. */
function gatherFrom(
  task: number,
  gathering: Gathering,
  { job, end: endOfTask, router, placed }: PlacedTasks,
  { first, end }: Receivers,
  limit: number,
): void {
  const { rowStart, partner, bytes } = placed.job.traffic;
  const { use } = gathering;
  const own = intAt(endOfTask, task);
  const lastPair = intAt(rowStart, task + 1);
  const receivers = receiversOf(use, own, lastPair - intAt(rowStart, task));
  for (let pair = intAt(rowStart, task); pair < lastPair; pair++) {
    const other = intAt(partner, pair);
    const place = intAt(router, other);
    if (place < first || place >= end || receivers?.[place] === 0) continue;
    if (receivers === undefined && !use.crosses(own, intAt(endOfTask, other))) continue;
    gathering.count++;
    const most = realAt(bytes, pair);
    if (!mayBeKept(gathering, most, job, task, other)) continue;
    const share = use.share(own, intAt(endOfTask, other));
    keep(gathering, { job, from: task as TaskId, to: other as TaskId, bytes: most * share }, limit);
  }
}

/** Marks of the routers that a sender of so many pairs crosses to; undefined where it is quicker to ask for each pair. */
const receiversOf = ({ receivers }: LinkUse, from: number, pairs: number): Uint8Array | undefined =>
  receivers !== undefined && 2 * pairs >= receivers.routers ? receivers.of(from) : undefined;

/** Whether a flow of no more than `bytes` over the link may belong among those that are kept; asked of very many. */
function mayBeKept({ flows, threshold }: Gathering, bytes: number, job: number, from: number, to: number): boolean {
  if (bytes !== threshold) return bytes > threshold;
  const last = flows.at(-1);
  return last === undefined || (last.job - job || last.from - from || last.to - to) > 0;
}

/** Whether the flow belongs among those that are kept. */
function isFlowKept({ flows, threshold }: Gathering, flow: Flow): boolean {
  return flow.bytes > threshold || (flow.bytes === threshold && goesBefore(flow, flows.at(-1)!));
}

/** Heavier, or as heavy and earlier by job, sender, receiver. */
const goesBefore = (one: Flow, other: Flow): boolean =>
  (other.bytes - one.bytes || one.job - other.job || one.from - other.from || one.to - other.to) < 0;

/** Puts a flow in its place among those that are kept, if it has one. */
function keep(gathering: Gathering, flow: Flow, limit: number): void {
  if (!isFlowKept(gathering, flow)) return;
  const { flows } = gathering;
  const behind = flows.findIndex((other) => goesBefore(flow, other));
  flows.splice(behind < 0 ? flows.length : behind, 0, flow);
  if (flows.length > limit) flows.pop();
  if (flows.length === limit) gathering.threshold = itemAt(flows, limit - 1).bytes;
}
