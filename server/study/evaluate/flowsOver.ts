import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskId } from '../../model/identifiers.ts';
import type { Flow } from '../../model/report.ts';
import type { LinkUse } from './linkUse.ts';
import type { PlacedTasks } from './placedTasks.ts';

/** What flows over one link. */
export interface LinkFlows {
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
 * `uses`; undefined where it was cancelled. One pass over the pairs, or where the shares of more
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
    const last = Math.max(...jobs.map(({ router }) => router.reduce((most, id) => Math.max(most, id), 0)));
    const atATime = Math.min(...uses.map(({ receiversAtATime }) => receiversAtATime));
    for (let first = 0; first <= last; first += atATime) {
      const receivers = { first, end: first + atATime };
      for (const job of jobs) if (!gather(gatherings, job, receivers, limit, cancellation)) return undefined;
    }
  }
  return gatherings.map(({ flows, count }) => ({ flows, flowCount: count }));
}

/** Routers `first … end − 1`: pairs that they receive are gathered in one pass. */
interface Receivers {
  readonly first: number;
  readonly end: number;
}

function gather(
  gatherings: readonly Gathering[],
  { job, node, router, placed }: PlacedTasks,
  { first, end }: Receivers,
  limit: number,
  cancellation: Cancellation,
): boolean {
  const { rowStart, partner, bytes, taskCount } = placed.job.traffic;
  for (let task = 0; task < taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return false;
    if (rowStart[task] === rowStart[task + 1]) continue;
    const own = node[task]!;
    for (const gathering of gatherings) {
      const { use } = gathering;
      if (!use.takesFrom(own)) continue;
      // The shares of a whole row may take as long as many rows without them.
      if (use.receiversAtATime < Infinity && cancellation.isCancelled()) return false;
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
        const other = partner[pair]!;
        if (router[other]! < first || router[other]! >= end) continue;
        if (!use.crosses(own, node[other]!)) continue;
        gathering.count++;
        if (bytes[pair]! < gathering.threshold) continue;
        const flow = { job, from: task as TaskId, to: other as TaskId, bytes: bytes[pair]! };
        if (!isKept(gathering, flow)) continue;
        keep(gathering, { ...flow, bytes: flow.bytes * use.share(own, node[other]!) }, limit);
      }
    }
  }
  return true;
}

/** Whether the flow belongs among those that are kept. */
function isKept({ flows, threshold }: Gathering, flow: Flow): boolean {
  return flow.bytes > threshold || (flow.bytes === threshold && goesBefore(flow, flows.at(-1)!));
}

/** Heavier, or as heavy and earlier by job, sender, receiver. */
const goesBefore = (one: Flow, other: Flow): boolean =>
  (other.bytes - one.bytes || one.job - other.job || one.from - other.from || one.to - other.to) < 0;

/** Puts a flow in its place among those that are kept, if it has one. */
function keep(gathering: Gathering, flow: Flow, limit: number): void {
  if (!isKept(gathering, flow)) return;
  const { flows } = gathering;
  const behind = flows.findIndex((other) => goesBefore(flow, other));
  flows.splice(behind < 0 ? flows.length : behind, 0, flow);
  if (flows.length > limit) flows.pop();
  if (flows.length === limit) gathering.threshold = flows[limit - 1]!.bytes;
}
